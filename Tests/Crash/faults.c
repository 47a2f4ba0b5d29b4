/* Makes the disk fail for files below a folder, while a file says so: loaded before the C library by `disk`.

   FAULT_FOLDER  files below it fail
   FAULT_ORDER   the file: "KINDS ERRNO AFTER", for example "ws 28 10"; w writes, p writes that do half first, s syncs,
                 o opening for writing. So many calls of these kinds succeed first. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct timespec seen;
static long calls;

#define NEXT(name) ((__typeof__(&name)) dlsym(RTLD_NEXT, #name))

static int is_ours(int descriptor, const char *path) {
    const char *folder = getenv("FAULT_FOLDER");
    char link[64], target[4096];
    if (!folder) return 0;
    if (!path) {
        snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
        ssize_t length = readlink(link, target, sizeof target - 1);
        if (length < 0) return 0;
        target[length] = 0;
        path = target;
    }
    size_t length = strlen(path);
    /* What readers and writers share is memory. */
    if (length > 4 && !strcmp(path + length - 4, "-shm")) return 0;
    return !strncmp(path, folder, strlen(folder));
}

/* The error, or 0; *half says whether a part is to be written. */
static int fault(char kind, int descriptor, const char *path, int *half) {
    const char *order = getenv("FAULT_ORDER");
    struct stat status;
    char text[64] = "", kinds[16] = "";
    int number = 0;
    long after = 0;
    if (!order || stat(order, &status) || !is_ours(descriptor, path)) return 0;
    int saved = errno, file = NEXT(open)(order, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    errno = saved;
    if (length <= 0 || sscanf(text, "%15s %d %ld", kinds, &number, &after) != 3) return 0;
    int is_half = kind == 'w' && strchr(kinds, 'p');
    if (!strchr(kinds, kind) && !is_half) return 0;
    pthread_mutex_lock(&lock);
    if (memcmp(&seen, &status.st_mtim, sizeof seen)) {
        seen = status.st_mtim;
        calls = 0;
    }
    long call = calls++;
    pthread_mutex_unlock(&lock);
    if (call < after) return 0;
    if (half) *half = is_half && call == after;
    return number;
}

#define FAIL(kind, descriptor, path) \
    do { \
        int number = fault(kind, descriptor, path, NULL); \
        if (number) { errno = number; return -1; } \
    } while (0)

#define FAIL_WRITE(descriptor, count) \
    do { \
        int half = 0, number = fault('w', descriptor, NULL, &half); \
        if (number && half && (count) > 1) (count) /= 2; \
        else if (number) { errno = number; return -1; } \
    } while (0)

ssize_t write(int descriptor, const void *bytes, size_t count) {
    FAIL_WRITE(descriptor, count);
    return NEXT(write)(descriptor, bytes, count);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
    FAIL_WRITE(descriptor, count);
    return NEXT(pwrite)(descriptor, bytes, count, offset);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
    FAIL_WRITE(descriptor, count);
    return NEXT(pwrite64)(descriptor, bytes, count, offset);
}

int fsync(int descriptor) {
    FAIL('s', descriptor, NULL);
    return NEXT(fsync)(descriptor);
}

int fdatasync(int descriptor) {
    FAIL('s', descriptor, NULL);
    return NEXT(fdatasync)(descriptor);
}

int ftruncate(int descriptor, off_t length) {
    FAIL('w', descriptor, NULL);
    return NEXT(ftruncate)(descriptor, length);
}

int ftruncate64(int descriptor, off64_t length) {
    FAIL('w', descriptor, NULL);
    return NEXT(ftruncate64)(descriptor, length);
}

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        mode_t mode = 0; \
        if (flags & (O_CREAT | __O_TMPFILE)) { \
            va_list rest; \
            va_start(rest, flags); \
            mode = va_arg(rest, mode_t); \
            va_end(rest); \
        } \
        if ((flags & O_ACCMODE) != O_RDONLY || flags & O_CREAT) FAIL('o', -1, path); \
        return NEXT(name)(path, flags, mode); \
    }

OPEN(open)
OPEN(open64)

int mkdir(const char *path, mode_t mode) {
    struct stat status;
    if (stat(path, &status)) FAIL('o', -1, path);
    return NEXT(mkdir)(path, mode);
}
