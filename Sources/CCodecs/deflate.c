// Compression with zlib, loaded on first use. The struct and the prototypes are declared here, so that no header is needed to build.
#include "CCodecs.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// zlib: z_stream.
typedef struct {
    const uint8_t *next_in;
    unsigned avail_in;
    unsigned long total_in;
    uint8_t *next_out;
    unsigned avail_out;
    unsigned long total_out;
    const char *message;
    void *state, *allocate, *release, *opaque;
    int data_type;
    unsigned long checksum, reserved;
} zlib_stream;

enum { NO_FLUSH = 0, FINISH = 4, OK = 0, STREAM_END = 1, BUFFER_ERROR = -5, DEFLATED = 8, RAW_WINDOW_BITS = -15, MEMORY_LEVEL = 9 };

static struct {
    int (*init)(zlib_stream *, int level, int method, int window_bits, int memory_level, int strategy, const char *version, int size);
    int (*run)(zlib_stream *, int flush);
    int (*end)(zlib_stream *);
    int is_loaded;
} zlib;

static void load_zlib(void)
{
#ifdef __APPLE__
    void *library = gv_load_library("/usr/lib/libz.1.dylib libz.1.dylib");
#else
    void *library = gv_load_library("libz.so.1 libz.so");
#endif
    void *init = gv_library_function(library, "deflateInit2_"), *run = gv_library_function(library, "deflate"),
         *end = gv_library_function(library, "deflateEnd");
    memcpy(&zlib.init, &init, sizeof init);
    memcpy(&zlib.run, &run, sizeof run);
    memcpy(&zlib.end, &end, sizeof end);
    zlib.is_loaded = init && run && end;
}

struct gv_deflater {
    zlib_stream stream;
};

int gv_deflate_is_available(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load_zlib);
    return zlib.is_loaded;
}

gv_deflater *gv_deflater_make(int level)
{
    if (!gv_deflate_is_available()) return NULL;
    gv_deflater *deflater = calloc(1, sizeof *deflater);
    if (!deflater) return NULL;
    if (zlib.init(&deflater->stream, level, DEFLATED, RAW_WINDOW_BITS, MEMORY_LEVEL, 0, "1", sizeof deflater->stream) != OK) {
        free(deflater);
        return NULL;
    }
    return deflater;
}

void gv_deflater_free(gv_deflater *deflater)
{
    if (!deflater) return;
    zlib.end(&deflater->stream);
    free(deflater);
}

int gv_deflater_run(
    gv_deflater *deflater, const uint8_t **input, size_t *input_count, uint8_t **output, size_t *output_count, int is_end)
{
    const unsigned maximum = 1u << 30;
    zlib_stream *stream = &deflater->stream;
    unsigned given = *input_count < maximum ? (unsigned)*input_count : maximum;
    unsigned room = *output_count < maximum ? (unsigned)*output_count : maximum;
    stream->next_in = *input;
    stream->avail_in = given;
    stream->next_out = *output;
    stream->avail_out = room;
    int status = zlib.run(stream, is_end && given == *input_count ? FINISH : NO_FLUSH);
    *input += given - stream->avail_in;
    *input_count -= given - stream->avail_in;
    *output += room - stream->avail_out;
    *output_count -= room - stream->avail_out;
    if (status != OK && status != STREAM_END && status != BUFFER_ERROR) return -1;
    return is_end ? status == STREAM_END : *input_count == 0 && *output_count > 0;
}
