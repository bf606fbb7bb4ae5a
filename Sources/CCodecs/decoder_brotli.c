// Brotli.
#include "decoders.h"

static struct {
    void *(*make)(void *allocate, void *release, void *opaque);
    void (*release)(void *);
    int (*run)(void *, size_t *input_count, const uint8_t **input, size_t *output_count, uint8_t **output, size_t *total);
    int (*code)(const void *);
} brotli;

static library_entry brotli_entry = {
    NAMES("libbrotlidec.so.1", "libbrotlidec.1.dylib libbrotlidec.dylib"), "libbrotlidec", NAMES("libbrotli1", "brotli"),
    {{"BrotliDecoderCreateInstance", &brotli.make}, {"BrotliDecoderDestroyInstance", &brotli.release},
     {"BrotliDecoderDecompressStream", &brotli.run}, {"BrotliDecoderGetErrorCode", &brotli.code}},
    UNKNOWN};

static int open_stream(gv_decoder *decoder)
{
    decoder->object = brotli.make(NULL, NULL, NULL);
    return decoder->object != NULL;
}

static void close_stream(gv_decoder *decoder) { brotli.release(decoder->object); }

static gv_decode_status step(gv_decoder *decoder, const uint8_t **input, size_t *input_count, uint8_t **output, size_t *output_count)
{
    size_t in = *input_count, out = *output_count;
    const uint8_t *next_in = *input;
    uint8_t *next_out = *output;
    int result = brotli.run(decoder->object, &in, &next_in, &out, &next_out, NULL);
    size_t used = *input_count - in, written = *output_count - out;
    gv_decode_status status;
    if (result == 0) {
        int code = brotli.code(decoder->object);
        status = code <= -21 && code >= -30 ? GV_DECODE_NO_MEMORY : GV_DECODE_DAMAGED;
    } else {
        status = result == 1 ? GV_DECODE_END : GV_DECODE_MORE;
    }
    *input += used, *input_count -= used, *output += written, *output_count -= written;
    return status;
}

const decoder_functions gv_brotli_functions = {&brotli_entry, open_stream, close_stream, NULL, step, NULL};
