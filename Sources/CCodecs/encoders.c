// Streaming encoders that use the system's libraries.
#include "libraries.h"

#include <stdlib.h>
#include <string.h>

// MARK: Libraries

// LZ4F_preferences_t of liblz4.
typedef struct {
    int block_size, has_independent_blocks, has_checksum, frame_type;
    uint64_t content_size;
    unsigned dictionary;
    int has_block_checksums;
    int level;
    unsigned flushes, favors_decoding, reserved[3];
} lz4_preferences;

static struct {
    int (*init)(zlib_stream *, int level, int method, int window_bits, int memory_level, int strategy, const char *version, int size);
    int (*run)(zlib_stream *, int flush);
    int (*end)(zlib_stream *);
} zlib;

static struct {
    void *(*make)(void);
    size_t (*release)(void *);
    size_t (*set)(void *, int parameter, int value);
    size_t (*run)(void *, zstd_output *, zstd_input *, int directive);
    unsigned (*is_error)(size_t);
} zstd;

static struct {
    int (*init)(lzma_stream *, uint32_t preset, int check);
    int (*run)(lzma_stream *, int action);
    void (*end)(lzma_stream *);
} lzma;

static struct {
    int (*init)(bzip2_stream *, int block_size, int verbosity, int work_factor);
    int (*run)(bzip2_stream *, int action);
    int (*end)(bzip2_stream *);
} bzip2;

static struct {
    size_t (*make)(void **, unsigned version);
    size_t (*release)(void *);
    size_t (*begin)(void *, void *output, size_t capacity, const lz4_preferences *);
    size_t (*run)(void *, void *output, size_t capacity, const void *input, size_t count, const void *options);
    size_t (*end)(void *, void *output, size_t capacity, const void *options);
    size_t (*bound)(size_t count, const lz4_preferences *);
    unsigned (*is_error)(size_t);
} lz4;

static library_entry zlib_entry = {
    .functions = {{"deflateInit2_", &zlib.init}, {"deflate", &zlib.run}, {"deflateEnd", &zlib.end}}};
static library_entry zstd_entry = {
    .functions = {
        {"ZSTD_createCCtx", &zstd.make}, {"ZSTD_freeCCtx", &zstd.release}, {"ZSTD_CCtx_setParameter", &zstd.set},
        {"ZSTD_compressStream2", &zstd.run}, {"ZSTD_isError", &zstd.is_error}}};
static library_entry lzma_entry = {
    .functions = {{"lzma_easy_encoder", &lzma.init}, {"lzma_code", &lzma.run}, {"lzma_end", &lzma.end}}};
static library_entry bzip2_entry = {
    .functions = {{"BZ2_bzCompressInit", &bzip2.init}, {"BZ2_bzCompress", &bzip2.run}, {"BZ2_bzCompressEnd", &bzip2.end}}};
static library_entry lz4_entry = {
    .functions = {
        {"LZ4F_createCompressionContext", &lz4.make}, {"LZ4F_freeCompressionContext", &lz4.release}, {"LZ4F_compressBegin", &lz4.begin},
        {"LZ4F_compressUpdate", &lz4.run}, {"LZ4F_compressEnd", &lz4.end}, {"LZ4F_compressBound", &lz4.bound},
        {"LZ4F_isError", &lz4.is_error}}};

static library_entry *entry_of(gv_codec codec)
{
    switch (codec) {
    case GV_CODEC_GZIP:
    case GV_CODEC_DEFLATE: return &zlib_entry;
    case GV_CODEC_ZSTD: return &zstd_entry;
    case GV_CODEC_XZ: return &lzma_entry;
    case GV_CODEC_BZIP2: return &bzip2_entry;
    case GV_CODEC_LZ4: return &lz4_entry;
    case GV_CODEC_ZLIB:
    case GV_CODEC_BROTLI: break;
    }
    return NULL;
}

int gv_encoder_is_available(gv_codec codec)
{
    library_entry *entry = entry_of(codec);
    return entry ? gv_load_functions(entry, gv_codec_file_names(codec)) : 0;
}

// MARK: Encoders

enum { ZLIB_RUN = 0, ZLIB_FINISH = 4, ZLIB_OK = 0, ZLIB_END = 1, ZLIB_FULL = -5, ZLIB_DEFLATED = 8 };
enum { ZSTD_LEVEL = 100, ZSTD_CHECKSUM = 201, ZSTD_RUN = 0, ZSTD_FINISH = 2 };
enum { LZMA_RUN = 0, LZMA_FINISH = 3, LZMA_OK = 0, LZMA_END = 1, LZMA_FULL = 10, LZMA_CRC64 = 4 };
enum { BZIP2_RUN = 0, BZIP2_FINISH = 2, BZIP2_RUN_OK = 1, BZIP2_FINISH_OK = 3, BZIP2_END = 4 };
enum { LZ4_VERSION = 100, LZ4_BLOCKS_OF_256_KB = 5 };

// The number of bytes of content of a zstd frame. A file is split into frames, and readers can start at any frame.
static const size_t frame_bytes = 1 << 20;
static const size_t lz4_piece = 1 << 16;
static const lz4_preferences lz4_options = {
    .block_size = LZ4_BLOCKS_OF_256_KB, .has_independent_blocks = 1, .has_checksum = 1};

struct gv_encoder {
    gv_codec codec;
    int is_ready;  // the stream of the library is initialized
    int has_ended;
    size_t frame_used;  // zstd: the bytes in the current frame
    int frame_count;
    // lz4: output that waits for room in the buffer of the caller.
    uint8_t *pending;
    size_t pending_start, pending_end, pending_capacity;
    union {
        zlib_stream zlib;
        bzip2_stream bzip2;
        lzma_stream lzma;
        void *object;
    };
};

static int open_stream(gv_encoder *encoder)
{
    switch (encoder->codec) {
    case GV_CODEC_GZIP:
    case GV_CODEC_DEFLATE: {
        int is_gzip = encoder->codec == GV_CODEC_GZIP;
        int window_bits = is_gzip ? 15 + 16 : -15;
        // Deflate is used only for the sheets of spreadsheet files. They shrink to about a tenth at any level, so the fastest level is
        // used.
        return zlib.init(&encoder->zlib, is_gzip ? 6 : 1, ZLIB_DEFLATED, window_bits, 8, 0, "1.2.11", (int)sizeof encoder->zlib) == ZLIB_OK;
    }
    case GV_CODEC_ZSTD:
        encoder->object = zstd.make();
        return encoder->object && !zstd.is_error(zstd.set(encoder->object, ZSTD_LEVEL, 3))
            && !zstd.is_error(zstd.set(encoder->object, ZSTD_CHECKSUM, 1));
    case GV_CODEC_XZ: return lzma.init(&encoder->lzma, 6, LZMA_CRC64) == LZMA_OK;
    case GV_CODEC_BZIP2: return bzip2.init(&encoder->bzip2, 9, 0, 0) == 0;
    case GV_CODEC_LZ4: {
        if (lz4.is_error(lz4.make(&encoder->object, LZ4_VERSION))) {
            encoder->object = NULL;
            return 0;
        }
        encoder->pending_capacity = lz4.bound(lz4_piece, &lz4_options) + 32;
        encoder->pending = malloc(encoder->pending_capacity);
        if (!encoder->pending) return 0;
        size_t count = lz4.begin(encoder->object, encoder->pending, encoder->pending_capacity, &lz4_options);
        if (lz4.is_error(count)) return 0;
        encoder->pending_end = count;
        return 1;
    }
    case GV_CODEC_ZLIB:
    case GV_CODEC_BROTLI: break;
    }
    return 0;
}

gv_encoder *gv_encoder_make(gv_codec codec)
{
    if (!gv_encoder_is_available(codec)) return NULL;
    gv_encoder *encoder = calloc(1, sizeof *encoder);
    if (!encoder) return NULL;
    encoder->codec = codec;
    encoder->is_ready = open_stream(encoder);
    if (encoder->is_ready) return encoder;
    gv_encoder_free(encoder);
    return NULL;
}

void gv_encoder_free(gv_encoder *encoder)
{
    if (!encoder) return;
    switch (encoder->codec) {
    case GV_CODEC_GZIP:
    case GV_CODEC_DEFLATE:
        if (encoder->is_ready) zlib.end(&encoder->zlib);
        break;
    case GV_CODEC_ZSTD:
        if (encoder->object) zstd.release(encoder->object);
        break;
    case GV_CODEC_XZ:
        if (encoder->is_ready) lzma.end(&encoder->lzma);
        break;
    case GV_CODEC_BZIP2:
        if (encoder->is_ready) bzip2.end(&encoder->bzip2);
        break;
    case GV_CODEC_LZ4:
        if (encoder->object) lz4.release(encoder->object);
        break;
    case GV_CODEC_ZLIB:
    case GV_CODEC_BROTLI: break;
    }
    free(encoder->pending);
    free(encoder);
}

// Each of the functions run_… calls its library once. It returns 1 if the stream has ended, 0 if it has not, and -1 for an error.

static int run_zlib(zlib_stream *stream, const uint8_t **input, size_t *input_count, uint8_t **output, size_t *output_count, int is_end)
{
    unsigned in = gv_limited(*input_count), out = gv_limited(*output_count);
    stream->next_in = *input, stream->avail_in = in, stream->next_out = *output, stream->avail_out = out;
    int result = zlib.run(stream, is_end && in == *input_count ? ZLIB_FINISH : ZLIB_RUN);
    size_t used = in - stream->avail_in, written = out - stream->avail_out;
    *input += used, *input_count -= used, *output += written, *output_count -= written;
    return result == ZLIB_END ? 1 : result == ZLIB_OK || result == ZLIB_FULL ? 0 : -1;
}

static int run_bzip2(bzip2_stream *stream, const uint8_t **input, size_t *input_count, uint8_t **output, size_t *output_count, int is_end)
{
    unsigned in = gv_limited(*input_count), out = gv_limited(*output_count);
    int finishes = is_end && in == *input_count;
    // libbz2 returns an error if it is called without input before the end.
    if (in == 0 && !finishes) return 0;
    stream->next_in = *input, stream->avail_in = in, stream->next_out = *output, stream->avail_out = out;
    int result = bzip2.run(stream, finishes ? BZIP2_FINISH : BZIP2_RUN);
    size_t used = in - stream->avail_in, written = out - stream->avail_out;
    *input += used, *input_count -= used, *output += written, *output_count -= written;
    return result == BZIP2_END ? 1 : result == BZIP2_RUN_OK || result == BZIP2_FINISH_OK ? 0 : -1;
}

static int run_lzma(lzma_stream *stream, const uint8_t **input, size_t *input_count, uint8_t **output, size_t *output_count, int is_end)
{
    stream->next_in = *input, stream->avail_in = *input_count, stream->next_out = *output, stream->avail_out = *output_count;
    int result = lzma.run(stream, is_end ? LZMA_FINISH : LZMA_RUN);
    *input = stream->next_in, *input_count = stream->avail_in, *output = stream->next_out, *output_count = stream->avail_out;
    return result == LZMA_END ? 1 : result == LZMA_OK || result == LZMA_FULL ? 0 : -1;
}

static int run_zstd(gv_encoder *encoder, const uint8_t **input, size_t *input_count, uint8_t **output, size_t *output_count, int is_end)
{
    size_t count = frame_bytes - encoder->frame_used;
    if (count > *input_count) count = *input_count;
    int is_last = is_end && count == *input_count;
    if (is_last && count == 0 && encoder->frame_used == 0 && encoder->frame_count > 0) return 1;
    zstd_input in = {*input, count, 0};
    zstd_output out = {*output, *output_count, 0};
    int ends_frame = is_last || encoder->frame_used + count == frame_bytes;
    size_t result = zstd.run(encoder->object, &out, &in, ends_frame ? ZSTD_FINISH : ZSTD_RUN);
    if (zstd.is_error(result)) return -1;
    *input += in.position, *input_count -= in.position, *output += out.position, *output_count -= out.position;
    encoder->frame_used += in.position;
    if (!ends_frame || result != 0) return 0;
    encoder->frame_used = 0;
    encoder->frame_count = 1;
    return is_last;
}

static int run_lz4(gv_encoder *encoder, const uint8_t **input, size_t *input_count, uint8_t **output, size_t *output_count, int is_end)
{
    size_t count = encoder->pending_end - encoder->pending_start;
    if (count > 0) {
        if (count > *output_count) count = *output_count;
        memcpy(*output, encoder->pending + encoder->pending_start, count);
        *output += count, *output_count -= count, encoder->pending_start += count;
        return 0;
    }
    if (encoder->has_ended) return 1;
    encoder->pending_start = encoder->pending_end = 0;
    size_t result = 0;
    if (*input_count > 0) {
        count = *input_count < lz4_piece ? *input_count : lz4_piece;
        result = lz4.run(encoder->object, encoder->pending, encoder->pending_capacity, *input, count, NULL);
        *input += count, *input_count -= count;
    } else if (is_end) {
        result = lz4.end(encoder->object, encoder->pending, encoder->pending_capacity, NULL);
        encoder->has_ended = 1;
    }
    if (lz4.is_error(result)) return -1;
    encoder->pending_end = result;
    return 0;
}

int gv_encoder_run(
    gv_encoder *encoder, const uint8_t **input, size_t *input_count, uint8_t **output, size_t *output_count, int is_end)
{
    while (*output_count > 0 && (*input_count > 0 || is_end)) {
        int result = -1;
        switch (encoder->codec) {
        case GV_CODEC_GZIP:
        case GV_CODEC_DEFLATE: result = run_zlib(&encoder->zlib, input, input_count, output, output_count, is_end); break;
        case GV_CODEC_ZSTD: result = run_zstd(encoder, input, input_count, output, output_count, is_end); break;
        case GV_CODEC_XZ: result = run_lzma(&encoder->lzma, input, input_count, output, output_count, is_end); break;
        case GV_CODEC_BZIP2: result = run_bzip2(&encoder->bzip2, input, input_count, output, output_count, is_end); break;
        case GV_CODEC_LZ4: result = run_lz4(encoder, input, input_count, output, output_count, is_end); break;
        case GV_CODEC_ZLIB:
        case GV_CODEC_BROTLI: break;
        }
        if (result != 0) return result;
    }
    return *input_count == 0 && !is_end;
}
