// LZ4 frames.
#include "decoders.h"

#include <string.h>

static struct {
    size_t (*make)(void **, unsigned version);
    size_t (*release)(void *);
    void (*reset)(void *);
    size_t (*run)(void *, void *output, size_t *output_count, const void *input, size_t *input_count, const void *options);
    unsigned (*is_error)(size_t);
    const char *(*error_name)(size_t);
} lz4;

static library_entry lz4_entry = {
    NAMES("liblz4.so.1", "liblz4.1.dylib liblz4.dylib"), "liblz4", NAMES("liblz4-1", "lz4"),
    {{"LZ4F_createDecompressionContext", &lz4.make}, {"LZ4F_freeDecompressionContext", &lz4.release},
     {"LZ4F_resetDecompressionContext", &lz4.reset}, {"LZ4F_decompress", &lz4.run}, {"LZ4F_isError", &lz4.is_error},
     {"LZ4F_getErrorName", &lz4.error_name}},
    UNKNOWN};

enum { LZ4F_VERSION = 100 };

static int open_stream(gv_decoder *decoder) { return !lz4.is_error(lz4.make(&decoder->object, LZ4F_VERSION)); }

static void close_stream(gv_decoder *decoder) { lz4.release(decoder->object); }

static int reset_stream(gv_decoder *decoder)
{
    lz4.reset(decoder->object);
    return 1;
}

static gv_decode_status step(gv_decoder *decoder, const uint8_t **input, size_t *input_count, uint8_t **output, size_t *output_count)
{
    size_t used = *input_count, written = *output_count;
    size_t result = lz4.run(decoder->object, *output, &written, *input, &used, NULL);
    gv_decode_status status;
    if (lz4.is_error(result)) {
        // liblz4 leaves the counts undefined after an error.
        used = written = 0;
        status = strstr(lz4.error_name(result), "allocation") ? GV_DECODE_NO_MEMORY : GV_DECODE_DAMAGED;
    } else {
        status = result == 0 ? GV_DECODE_END : GV_DECODE_MORE;
    }
    *input += used, *input_count -= used, *output += written, *output_count -= written;
    return status;
}

const decoder_functions gv_lz4_functions = {&lz4_entry, open_stream, close_stream, reset_stream, step, NULL};
