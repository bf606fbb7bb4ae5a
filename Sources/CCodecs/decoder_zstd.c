// zstd.
#include "decoders.h"

static struct {
    void *(*make)(void);
    size_t (*release)(void *);
    size_t (*set)(void *, int parameter, int value);
    size_t (*reset)(void *, int directive);
    size_t (*run)(void *, zstd_output *, zstd_input *);
    size_t (*whole)(void *, void *output, size_t capacity, const void *input, size_t count);
    unsigned (*is_error)(size_t);
    int (*code)(size_t);
} zstd;

static library_entry zstd_entry = {
    NAMES("libzstd.so.1", "libzstd.1.dylib libzstd.dylib"), "libzstd", NAMES("libzstd1", "zstd"),
    {{"ZSTD_createDCtx", &zstd.make}, {"ZSTD_freeDCtx", &zstd.release}, {"ZSTD_DCtx_setParameter", &zstd.set},
     {"ZSTD_DCtx_reset", &zstd.reset}, {"ZSTD_decompressStream", &zstd.run}, {"ZSTD_decompressDCtx", &zstd.whole},
     {"ZSTD_isError", &zstd.is_error}, {"ZSTD_getErrorCode", &zstd.code}},
    UNKNOWN};

enum { ZSTD_WINDOW_LOG_MAX = 100, ZSTD_WINDOW_LOG = 27, ZSTD_RESET_SESSION = 1 };
enum { ZSTD_ERROR_WINDOW = 16, ZSTD_ERROR_DICTIONARY = 32, ZSTD_ERROR_MEMORY = 64 };

static int open_stream(gv_decoder *decoder)
{
    decoder->object = zstd.make();
    if (decoder->object) zstd.set(decoder->object, ZSTD_WINDOW_LOG_MAX, ZSTD_WINDOW_LOG);
    return decoder->object != NULL;
}

static void close_stream(gv_decoder *decoder) { zstd.release(decoder->object); }

static int reset_stream(gv_decoder *decoder) { return !zstd.is_error(zstd.reset(decoder->object, ZSTD_RESET_SESSION)); }

static gv_decode_status step(gv_decoder *decoder, const uint8_t **input, size_t *input_count, uint8_t **output, size_t *output_count)
{
    zstd_input in = {*input, *input_count, 0};
    zstd_output out = {*output, *output_count, 0};
    size_t result = zstd.run(decoder->object, &out, &in);
    size_t used = in.position, written = out.position;
    gv_decode_status status;
    if (zstd.is_error(result)) {
        int code = zstd.code(result);
        status = code == ZSTD_ERROR_WINDOW  ? GV_DECODE_TOO_BIG
            : code == ZSTD_ERROR_MEMORY     ? GV_DECODE_NO_MEMORY
            : code == ZSTD_ERROR_DICTIONARY ? GV_DECODE_NEEDS_DICTIONARY
                                            : GV_DECODE_DAMAGED;
    } else {
        status = result == 0 ? GV_DECODE_END : GV_DECODE_MORE;
    }
    *input += used, *input_count -= used, *output += written, *output_count -= written;
    return status;
}

static ptrdiff_t run_all(gv_decoder *decoder, const uint8_t *input, size_t input_count, uint8_t *output, size_t capacity)
{
    // The decoder uses the output as its window, so it needs no other memory.
    size_t count = zstd.whole(decoder->object, output, capacity, input, input_count);
    if (zstd.is_error(count)) return zstd.code(count) == ZSTD_ERROR_MEMORY ? -2 : -1;
    return count > 0 || input_count > 0 ? (ptrdiff_t)count : -1;
}

const decoder_functions gv_zstd_functions = {&zstd_entry, open_stream, close_stream, reset_stream, step, run_all};
