// xz and lzma.
#include "decoders.h"

#include <string.h>

static struct {
    int (*init)(lzma_stream *, uint64_t memory_limit, uint32_t flags);
    int (*run)(lzma_stream *, int action);
    void (*end)(lzma_stream *);
} lzma;

static library_entry lzma_entry = {
    NAMES("liblzma.so.5", "liblzma.5.dylib liblzma.dylib"), "liblzma", NAMES("liblzma5", "xz"),
    {{"lzma_auto_decoder", &lzma.init}, {"lzma_code", &lzma.run}, {"lzma_end", &lzma.end}}, UNKNOWN};

static const uint64_t lzma_memory_limit = 256 << 20;

static int open_stream(gv_decoder *decoder)
{
    memset(&decoder->lzma, 0, sizeof decoder->lzma);
    return lzma.init(&decoder->lzma, lzma_memory_limit, 0) == 0;
}

static void close_stream(gv_decoder *decoder) { lzma.end(&decoder->lzma); }

static int reset_stream(gv_decoder *decoder)
{
    // Without lzma_end before it, this call reuses the memory of the previous stream.
    return lzma.init(&decoder->lzma, lzma_memory_limit, 0) == 0 ? 1 : NEEDS_NEW_STREAM;
}

static gv_decode_status step(gv_decoder *decoder, const uint8_t **input, size_t *input_count, uint8_t **output, size_t *output_count)
{
    lzma_stream *stream = &decoder->lzma;
    stream->next_in = *input, stream->avail_in = *input_count, stream->next_out = *output, stream->avail_out = *output_count;
    int result = lzma.run(stream, 0);
    size_t used = *input_count - stream->avail_in, written = *output_count - stream->avail_out;
    // 0 is LZMA_OK, 10 LZMA_BUF_ERROR, 1 LZMA_STREAM_END, 5 LZMA_MEM_ERROR, and 6 LZMA_MEMLIMIT_ERROR.
    gv_decode_status status = result == 0 || result == 10 ? GV_DECODE_MORE
        : result == 1                                     ? GV_DECODE_END
        : result == 5                                     ? GV_DECODE_NO_MEMORY
        : result == 6                                     ? GV_DECODE_TOO_BIG
                                                          : GV_DECODE_DAMAGED;
    *input += used, *input_count -= used, *output += written, *output_count -= written;
    return status;
}

const decoder_functions gv_lzma_functions = {&lzma_entry, open_stream, close_stream, reset_stream, step, NULL};
