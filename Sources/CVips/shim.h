#include <dlfcn.h>
#include <malloc.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/resource.h>

/*
 * The part of libvips that is used (8.13 or newer, soname 42), found at run time: a program that is linked to it takes
 * 30 ms and 13 MB more for its start, every command included, because of the hundred libraries behind it. The
 * declarations are those of its public interface, which a soname keeps.
 */
typedef struct _VipsImage VipsImage;

struct parley_vips {
    int (*init)(const char *name);
    void (*concurrency_set)(int count);
    void (*cache_set_max)(int count);
    void (*operation_block_set)(const char *name, int is_blocked);
    VipsImage *(*image_new_from_buffer)(const void *bytes, size_t count, const char *options, ...);
    int (*thumbnail_buffer)(void *bytes, size_t count, VipsImage **out, int width, ...);
    int (*thumbnail_image)(VipsImage *image, VipsImage **out, int width, ...);
    VipsImage *(*image_copy_memory)(VipsImage *image);
    void (*image_set_progress)(VipsImage *image, int progress);
    void (*image_set_kill)(VipsImage *image, int kill);
    unsigned long (*signal_connect_data)(
        void *object, const char *signal, void (*handler)(void), void *context, void *destroy, int flags);
    int (*image_write_to_buffer)(VipsImage *image, const char *suffix, void **bytes, size_t *count, ...);
    int (*image_get_width)(const VipsImage *image);
    int (*image_get_page_height)(VipsImage *image);
    int (*image_get_n_pages)(VipsImage *image);
    const char *(*error_buffer)(void);
    void (*error_clear)(void);
    void (*object_unref)(void *object);
    void (*free)(void *bytes);
};

/* What vips_init reads. Plug-ins, which read formats that nobody asked for, are not found at this place, and its
 * warnings, which would go to the error output, are off. To be called before there are threads. */
static inline void parley_vips_set_environment(void) {
    setenv("VIPSHOME", "/nonexistent", 1);
    setenv("VIPS_WARNING", "1", 1);
}

/* Finds the functions; 0, or -1 when the library is missing or lacks one. */
static inline int parley_vips_find(struct parley_vips *vips) {
    void *library = dlopen("libvips.so.42", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return -1;
    int missing = 0;
#define PARLEY_FIND(field, symbol) missing |= (*(void **)(&vips->field) = dlsym(library, symbol)) == NULL
    PARLEY_FIND(init, "vips_init");
    PARLEY_FIND(concurrency_set, "vips_concurrency_set");
    PARLEY_FIND(cache_set_max, "vips_cache_set_max");
    PARLEY_FIND(operation_block_set, "vips_operation_block_set");
    PARLEY_FIND(image_new_from_buffer, "vips_image_new_from_buffer");
    PARLEY_FIND(thumbnail_buffer, "vips_thumbnail_buffer");
    PARLEY_FIND(thumbnail_image, "vips_thumbnail_image");
    PARLEY_FIND(image_copy_memory, "vips_image_copy_memory");
    PARLEY_FIND(image_set_progress, "vips_image_set_progress");
    PARLEY_FIND(image_set_kill, "vips_image_set_kill");
    PARLEY_FIND(signal_connect_data, "g_signal_connect_data");
    PARLEY_FIND(image_write_to_buffer, "vips_image_write_to_buffer");
    PARLEY_FIND(image_get_width, "vips_image_get_width");
    PARLEY_FIND(image_get_page_height, "vips_image_get_page_height");
    PARLEY_FIND(image_get_n_pages, "vips_image_get_n_pages");
    PARLEY_FIND(error_buffer, "vips_error_buffer");
    PARLEY_FIND(error_clear, "vips_error_clear");
    PARLEY_FIND(object_unref, "g_object_unref");
    PARLEY_FIND(free, "g_free");
#undef PARLEY_FIND
    return missing ? -1 : 0;
}

/* Starts the library without a cache, and with no loaders but the four. 0, or -1. */
static inline int parley_vips_start(const struct parley_vips *vips) {
    if (vips->init("parley") != 0) return -1;
    vips->concurrency_set(1);
    vips->cache_set_max(0);
    vips->operation_block_set("VipsForeignLoad", 1);
    vips->operation_block_set("VipsForeignLoadJpeg", 0);
    vips->operation_block_set("VipsForeignLoadPng", 0);
    vips->operation_block_set("VipsForeignLoadNsgif", 0);
    vips->operation_block_set("VipsForeignLoadWebp", 0);
    return 0;
}

/* Reads the header only. The options are those of loaders, "[n=-1]" for instance. The bytes must outlive the image. */
static inline VipsImage *parley_vips_open(
    const struct parley_vips *vips, const void *bytes, size_t count, const char *options) {
    return vips->image_new_from_buffer(bytes, count, options, (void *)NULL);
}

/* Prepares an image that fits the box and is never larger than the original, upright, in sRGB; decoding follows when it
 * is written. The bytes must outlive the image. 0, or -1. */
static inline int parley_vips_fit(
    const struct parley_vips *vips, const void *bytes, size_t count, const char *options, int width, int height,
    VipsImage **out) {
    const int size_down = 2;
    return vips->thumbnail_buffer(
        (void *)bytes, count, out, width, "height", height, "size", size_down, "export_profile", "srgb",
        "option_string", options, (void *)NULL);
}

/* The same of an image that is upright and in sRGB already. It must outlive what it gives. 0, or -1. */
static inline int parley_vips_shrink(
    const struct parley_vips *vips, VipsImage *image, int width, int height, VipsImage **out) {
    const int size_down = 2;
    return vips->thumbnail_image(image, out, width, "height", height, "size", size_down, (void *)NULL);
}

/* Has the watcher called again and again while the image is computed, from whichever thread computes. */
static inline void parley_vips_watch(
    const struct parley_vips *vips, VipsImage *image, void (*watcher)(VipsImage *, void *, void *), void *context) {
    vips->image_set_progress(image, 1);
    vips->signal_connect_data(image, "eval", (void (*)(void))watcher, context, NULL, 0);
}

/* Decodes and encodes; free the bytes. 0, or -1. */
static inline int parley_vips_write(
    const struct parley_vips *vips, VipsImage *image, const char *suffix, void **bytes, size_t *count) {
    return vips->image_write_to_buffer(image, suffix, bytes, count, (void *)NULL);
}

/* Images come in large pieces, which go back to the system as soon as they are free only when they do not come from the
 * heap: the C library would by and by take larger and larger ones from there. */
static inline void parley_return_large_pieces(void) {
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
}

/* What is free in the heap goes back too. */
static inline void parley_return_free_memory(void) {
    malloc_trim(0);
}

/* The calling thread yields to others from here on, and so do the threads it makes. */
static inline void parley_lower_priority(void) {
    setpriority(PRIO_PROCESS, 0, 10);
}
