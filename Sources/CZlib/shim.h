#include <zlib.h>

/* A macro with arguments does not reach Swift. */
static inline int parley_deflate_init(z_stream *stream, int level, int window_bits) {
    return deflateInit2(stream, level, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY);
}
