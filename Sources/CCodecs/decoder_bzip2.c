// bzip2.
#include "decoders.h"

#include <string.h>

static struct {
    int (*init)(bzip2_stream *, int verbosity, int is_small);
    int (*run)(bzip2_stream *);
    int (*end)(bzip2_stream *);
} bzip2;

static library_entry bzip2_entry = {
    NAMES("libbz2.so.1.0 libbz2.so.1", "/usr/lib/libbz2.1.0.dylib libbz2.1.0.dylib libbz2.dylib"), "libbz2",
    NAMES("libbz2-1.0", "bzip2"),
    {{"BZ2_bzDecompressInit", &bzip2.init}, {"BZ2_bzDecompress", &bzip2.run}, {"BZ2_bzDecompressEnd", &bzip2.end}}, UNKNOWN};

static int open_stream(gv_decoder *decoder)
{
    memset(&decoder->bzip2, 0, sizeof decoder->bzip2);
    return bzip2.init(&decoder->bzip2, 0, 0) == 0;
}

static void close_stream(gv_decoder *decoder) { bzip2.end(&decoder->bzip2); }

static gv_decode_status step(gv_decoder *decoder, const uint8_t **input, size_t *input_count, uint8_t **output, size_t *output_count)
{
    bzip2_stream *stream = &decoder->bzip2;
    unsigned in = gv_limited(*input_count), out = gv_limited(*output_count);
    stream->next_in = *input, stream->avail_in = in, stream->next_out = *output, stream->avail_out = out;
    int result = bzip2.run(stream);
    size_t used = in - stream->avail_in, written = out - stream->avail_out;
    // BZ_OK, BZ_STREAM_END, BZ_MEM_ERROR.
    gv_decode_status status = result == 0 ? GV_DECODE_MORE
        : result == 4                     ? GV_DECODE_END
        : result == -3                    ? GV_DECODE_NO_MEMORY
                                          : GV_DECODE_DAMAGED;
    *input += used, *input_count -= used, *output += written, *output_count -= written;
    return status;
}

const decoder_functions gv_bzip2_functions = {&bzip2_entry, open_stream, close_stream, NULL, step, NULL};
