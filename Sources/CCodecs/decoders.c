// Streaming decoders on the libraries of the system.
#include "libraries.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// MARK: Libraries

static struct {
    int (*init)(zlib_stream *, int window_bits, const char *version, int size);
    int (*reset)(zlib_stream *);
    int (*inflate)(zlib_stream *, int flush);
    int (*end)(zlib_stream *);
} zlib;

// The functions of zlib for decoders that start and stop within a member.
static struct {
    int (*reset)(zlib_stream *, int window_bits);
    int (*prime)(zlib_stream *, int bits, int value);
    int (*get)(zlib_stream *, uint8_t *window, unsigned *count);
    int (*set)(zlib_stream *, const uint8_t *window, unsigned count);
    unsigned long (*checksum)(unsigned long, const uint8_t *, unsigned count);
} borders;

// ISA-L: inflate_state of version 2. It is faster than zlib, but not present on most systems. `isal_is_usable` checks the layout.
typedef struct {
    uint8_t *next_out;
    uint32_t avail_out, total_out;
    const uint8_t *next_in;
    uint64_t bits;
    uint32_t avail_in;
    int32_t bit_count;
    uint16_t codes[4096 * 2 + 1264 + 1024 + 80];
    int32_t block_state;
    uint32_t dictionary_count, is_last_block;
    uint32_t crc_flag;
    // The other fields and buffers, with room for those of later versions.
    uint8_t rest[40 + 328 + 2 * 32768 + 288 + 16384];
} isal_stream;

enum { ISAL_GZIP = 1, ISAL_BLOCK_FINISH = 5 };

static struct {
    void (*init)(isal_stream *);
    int (*run)(isal_stream *);
} isal;

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

static struct {
    int (*init)(lzma_stream *, uint64_t memory_limit, uint32_t flags);
    int (*run)(lzma_stream *, int action);
    void (*end)(lzma_stream *);
} lzma;

static struct {
    int (*init)(bzip2_stream *, int verbosity, int is_small);
    int (*run)(bzip2_stream *);
    int (*end)(bzip2_stream *);
} bzip2;

static struct {
    size_t (*make)(void **, unsigned version);
    size_t (*release)(void *);
    void (*reset)(void *);
    size_t (*run)(void *, void *output, size_t *output_count, const void *input, size_t *input_count, const void *options);
    unsigned (*is_error)(size_t);
    const char *(*error_name)(size_t);
} lz4;

static struct {
    void *(*make)(void *allocate, void *release, void *opaque);
    void (*release)(void *);
    int (*run)(void *, size_t *input_count, const uint8_t **input, size_t *output_count, uint8_t **output, size_t *total);
    int (*code)(const void *);
} brotli;

#ifdef __APPLE__
#define NAMES(linux_names, mac_names) mac_names
#else
#define NAMES(linux_names, mac_names) linux_names
#endif

static library_entry zlib_entry = {
    NAMES("libz.so.1 libz.so", "/usr/lib/libz.1.dylib libz.1.dylib"), "zlib", NAMES("zlib1g", "zlib"),
    {{"inflateInit2_", &zlib.init}, {"inflateReset", &zlib.reset}, {"inflate", &zlib.inflate}, {"inflateEnd", &zlib.end}}, UNKNOWN};
static library_entry borders_entry = {
    NAMES("libz.so.1 libz.so", "/usr/lib/libz.1.dylib libz.1.dylib"), "zlib", NAMES("zlib1g", "zlib"),
    {{"inflateReset2", &borders.reset}, {"inflatePrime", &borders.prime}, {"inflateGetDictionary", &borders.get},
     {"inflateSetDictionary", &borders.set}, {"crc32", &borders.checksum}},
    UNKNOWN};
static library_entry zstd_entry = {
    NAMES("libzstd.so.1", "libzstd.1.dylib libzstd.dylib"), "libzstd", NAMES("libzstd1", "zstd"),
    {{"ZSTD_createDCtx", &zstd.make}, {"ZSTD_freeDCtx", &zstd.release}, {"ZSTD_DCtx_setParameter", &zstd.set},
     {"ZSTD_DCtx_reset", &zstd.reset}, {"ZSTD_decompressStream", &zstd.run}, {"ZSTD_decompressDCtx", &zstd.whole},
     {"ZSTD_isError", &zstd.is_error}, {"ZSTD_getErrorCode", &zstd.code}},
    UNKNOWN};
static library_entry lzma_entry = {
    NAMES("liblzma.so.5", "liblzma.5.dylib liblzma.dylib"), "liblzma", NAMES("liblzma5", "xz"),
    {{"lzma_auto_decoder", &lzma.init}, {"lzma_code", &lzma.run}, {"lzma_end", &lzma.end}}, UNKNOWN};
static library_entry bzip2_entry = {
    NAMES("libbz2.so.1.0 libbz2.so.1", "/usr/lib/libbz2.1.0.dylib libbz2.1.0.dylib libbz2.dylib"), "libbz2",
    NAMES("libbz2-1.0", "bzip2"),
    {{"BZ2_bzDecompressInit", &bzip2.init}, {"BZ2_bzDecompress", &bzip2.run}, {"BZ2_bzDecompressEnd", &bzip2.end}}, UNKNOWN};
static library_entry lz4_entry = {
    NAMES("liblz4.so.1", "liblz4.1.dylib liblz4.dylib"), "liblz4", NAMES("liblz4-1", "lz4"),
    {{"LZ4F_createDecompressionContext", &lz4.make}, {"LZ4F_freeDecompressionContext", &lz4.release},
     {"LZ4F_resetDecompressionContext", &lz4.reset}, {"LZ4F_decompress", &lz4.run}, {"LZ4F_isError", &lz4.is_error},
     {"LZ4F_getErrorName", &lz4.error_name}},
    UNKNOWN};
static library_entry brotli_entry = {
    NAMES("libbrotlidec.so.1", "libbrotlidec.1.dylib libbrotlidec.dylib"), "libbrotlidec", NAMES("libbrotli1", "brotli"),
    {{"BrotliDecoderCreateInstance", &brotli.make}, {"BrotliDecoderDestroyInstance", &brotli.release},
     {"BrotliDecoderDecompressStream", &brotli.run}, {"BrotliDecoderGetErrorCode", &brotli.code}},
    UNKNOWN};

static library_entry isal_entry = {
    NAMES("libisal.so.2", "libisal.2.dylib libisal.dylib"), "libisal", NAMES("libisal2", "isa-l"),
    {{"isal_inflate_init", &isal.init}, {"isal_inflate", &isal.run}}, UNKNOWN};

static library_entry *entry_of(gv_codec codec)
{
    switch (codec) {
    case GV_CODEC_GZIP:
    case GV_CODEC_ZLIB:
    case GV_CODEC_DEFLATE: return &zlib_entry;
    case GV_CODEC_ZSTD: return &zstd_entry;
    case GV_CODEC_XZ: return &lzma_entry;
    case GV_CODEC_BZIP2: return &bzip2_entry;
    case GV_CODEC_LZ4: return &lz4_entry;
    case GV_CODEC_BROTLI: return &brotli_entry;
    }
    return NULL;
}

int gv_load_functions(library_entry *entry, const char *file_names)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    if (!entry) return 0;
    pthread_mutex_lock(&lock);
    if (entry->state == UNKNOWN) {
        void *library = gv_load_library(file_names);
        entry->state = library ? LOADED : MISSING;
        for (size_t i = 0; library && entry->functions[i].name; i++) {
            void *function = gv_library_function(library, entry->functions[i].name);
            if (!function) entry->state = MISSING;
            memcpy(entry->functions[i].target, &function, sizeof function);
        }
    }
    int is_loaded = entry->state == LOADED;
    pthread_mutex_unlock(&lock);
    return is_loaded;
}

const char *gv_codec_package(gv_codec codec)
{
    library_entry *entry = entry_of(codec);
    return entry ? entry->package : "";
}

const char *gv_codec_library(gv_codec codec)
{
    library_entry *entry = entry_of(codec);
    return entry ? entry->library : "";
}

const char *gv_codec_file_names(gv_codec codec)
{
    library_entry *entry = entry_of(codec);
    return entry ? entry->file_names : "";
}

int gv_codec_is_available(gv_codec codec) { return gv_load_functions(entry_of(codec), gv_codec_file_names(codec)); }

// MARK: Decoders

enum { ZSTD_WINDOW_LOG_MAX = 100, ZSTD_WINDOW_LOG = 27, ZSTD_ERROR_WINDOW = 16, ZSTD_ERROR_MEMORY = 64, ZSTD_RESET_SESSION = 1 };
enum { LZ4F_VERSION = 100 };
enum { ZLIB_OK = 0, ZLIB_END = 1, ZLIB_NO_MEMORY = -4, ZLIB_NO_PROGRESS = -5, ZLIB_RUN = 0, ZLIB_BLOCK = 5 };
static const uint64_t lzma_memory_limit = 256 << 20;

struct gv_decoder {
    gv_codec codec;
    int is_ready;  // the stream of the library is initialized
    int uses_isal;
    // gzip without ISA-L: decoders that start and stop within a member.
    int has_borders;
    uint64_t until_border;  // the output before the decoder stops at a border; UINT64_MAX for none
    int is_within;          // the decoder started within a member, so it checks the trailer itself
    uint32_t checksum;      // of the output of this member, if `is_within`
    int trailer_count;      // the bytes of the trailer; -1 before it
    uint8_t trailer[8];
    union {
        zlib_stream zlib;
        bzip2_stream bzip2;
        lzma_stream lzma;
        isal_stream *isal;
        void *object;
    };
};

// One call of ISA-L. Advances the input and output.
static gv_decode_status isal_step(
    isal_stream *stream, const uint8_t **input, size_t *input_count, uint8_t **output, size_t *output_count)
{
    uint32_t in = gv_limited(*input_count), out = gv_limited(*output_count);
    stream->next_in = *input, stream->avail_in = in, stream->next_out = *output, stream->avail_out = out;
    int result = isal.run(stream);
    if (stream->avail_in > in || stream->avail_out > out) return GV_DECODE_DAMAGED;
    size_t used = in - stream->avail_in, written = out - stream->avail_out;
    *input += used, *input_count -= used, *output += written, *output_count -= written;
    // ISAL_DECOMP_OK, ISAL_END_INPUT, ISAL_OUT_OVERFLOW.
    if (result < 0 || result > 2) return GV_DECODE_DAMAGED;
    return stream->block_state == ISAL_BLOCK_FINISH ? GV_DECODE_END : GV_DECODE_MORE;
}

static void isal_start(isal_stream *stream)
{
    isal.init(stream);
    stream->crc_flag = ISAL_GZIP;
}

// Decodes a small file in single bytes, with a correct and a wrong checksum.
static int isal_decodes_sample(void)
{
    static const char content[] = "gridview gridview gridview";
    isal_stream *stream = malloc(sizeof *stream);
    if (!stream) return 0;
    int is_correct = 1;
    for (int is_damaged = 0; is_damaged < 2; is_damaged++) {
        uint8_t bytes[] = {31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 75, 47, 202, 76, 41, 203,
                           76, 45, 87, 72, 71, 103, 0, 0, 226, 113, 69, 215, 26, 0, 0, 0};
        bytes[sizeof bytes - 5] ^= (uint8_t)is_damaged;
        uint8_t text[sizeof content + 1], *target = text;
        gv_decode_status status = GV_DECODE_MORE;
        memset(stream, 0xAA, sizeof *stream);
        isal_start(stream);
        for (size_t i = 0; i < sizeof bytes && status == GV_DECODE_MORE; i++) {
            const uint8_t *next = bytes + i;
            size_t left = 1, room = (size_t)(text + sizeof text - target);
            status = isal_step(stream, &next, &left, &target, &room);
        }
        is_correct &= status == (is_damaged ? GV_DECODE_DAMAGED : GV_DECODE_END) && target == text + sizeof content - 1
            && memcmp(text, content, sizeof content - 1) == 0;
    }
    free(stream);
    return is_correct;
}

// True if ISA-L is present and works.
static int isal_is_usable(void)
{
    static _Atomic int known;  // 0 unknown, 1 usable, 2 not
    if (known == 0) known = gv_load_functions(&isal_entry, isal_entry.file_names) && isal_decodes_sample() ? 1 : 2;
    return known == 1;
}

// Frees the memory that the library allocated.
static void close_stream(gv_decoder *decoder)
{
    if (!decoder->is_ready) return;
    decoder->is_ready = 0;
    if (decoder->uses_isal) {
        free(decoder->isal);
        return;
    }
    switch (decoder->codec) {
    case GV_CODEC_GZIP:
    case GV_CODEC_ZLIB:
    case GV_CODEC_DEFLATE: zlib.end(&decoder->zlib); break;
    case GV_CODEC_ZSTD: zstd.release(decoder->object); break;
    case GV_CODEC_XZ: lzma.end(&decoder->lzma); break;
    case GV_CODEC_BZIP2: bzip2.end(&decoder->bzip2); break;
    case GV_CODEC_LZ4: lz4.release(decoder->object); break;
    case GV_CODEC_BROTLI: brotli.release(decoder->object); break;
    }
}

// Initializes the stream of the library. Returns 0 if memory is short.
static int open_stream(gv_decoder *decoder)
{
    int is_ready = 0;
    decoder->uses_isal = decoder->codec == GV_CODEC_GZIP && !decoder->has_borders && isal_is_usable();
    if (decoder->uses_isal) {
        decoder->isal = malloc(sizeof *decoder->isal);
        if (decoder->isal) isal_start(decoder->isal);
        return decoder->is_ready = decoder->isal != NULL;
    }
    switch (decoder->codec) {
    case GV_CODEC_GZIP:
    case GV_CODEC_ZLIB:
    case GV_CODEC_DEFLATE: {
        int bits = decoder->codec == GV_CODEC_GZIP ? 15 + 16 : decoder->codec == GV_CODEC_ZLIB ? 15 : -15;
        memset(&decoder->zlib, 0, sizeof decoder->zlib);
        is_ready = zlib.init(&decoder->zlib, bits, "1.2.11", (int)sizeof decoder->zlib) == 0;
        break;
    }
    case GV_CODEC_ZSTD:
        decoder->object = zstd.make();
        is_ready = decoder->object != NULL;
        if (is_ready) zstd.set(decoder->object, ZSTD_WINDOW_LOG_MAX, ZSTD_WINDOW_LOG);
        break;
    case GV_CODEC_XZ:
        memset(&decoder->lzma, 0, sizeof decoder->lzma);
        is_ready = lzma.init(&decoder->lzma, lzma_memory_limit, 0) == 0;
        break;
    case GV_CODEC_BZIP2:
        memset(&decoder->bzip2, 0, sizeof decoder->bzip2);
        is_ready = bzip2.init(&decoder->bzip2, 0, 0) == 0;
        break;
    case GV_CODEC_LZ4: is_ready = !lz4.is_error(lz4.make(&decoder->object, LZ4F_VERSION)); break;
    case GV_CODEC_BROTLI:
        decoder->object = brotli.make(NULL, NULL, NULL);
        is_ready = decoder->object != NULL;
        break;
    }
    decoder->is_ready = is_ready;
    return is_ready;
}

static gv_decoder *make_decoder(gv_codec codec, int has_borders)
{
    if (!gv_codec_is_available(codec)) return NULL;
    gv_decoder *decoder = calloc(1, sizeof *decoder);
    if (!decoder) return NULL;
    decoder->codec = codec;
    decoder->has_borders = has_borders;
    decoder->until_border = UINT64_MAX;
    decoder->trailer_count = -1;
    if (open_stream(decoder)) return decoder;
    free(decoder);
    return NULL;
}

gv_decoder *gv_decoder_make(gv_codec codec) { return make_decoder(codec, 0); }

gv_decoder *gv_decoder_make_with_borders(void)
{
    return gv_borders_are_available() ? make_decoder(GV_CODEC_GZIP, 1) : NULL;
}

int gv_borders_are_available(void)
{
    return gv_codec_is_available(GV_CODEC_GZIP) && gv_load_functions(&borders_entry, borders_entry.file_names);
}

int gv_gzip_uses_zlib(void) { return gv_codec_is_available(GV_CODEC_GZIP) && !isal_is_usable(); }

void gv_decoder_free(gv_decoder *decoder)
{
    if (!decoder) return;
    close_stream(decoder);
    free(decoder);
}

int gv_decoder_reset(gv_decoder *decoder)
{
    if (decoder->is_ready && decoder->uses_isal) {
        isal_start(decoder->isal);
        return 1;
    }
    if (decoder->is_ready && decoder->is_within) {
        decoder->is_within = 0, decoder->trailer_count = -1;
        return borders.reset(&decoder->zlib, 15 + 16) == ZLIB_OK;
    }
    if (decoder->is_ready) {
        switch (decoder->codec) {
        case GV_CODEC_GZIP:
        case GV_CODEC_ZLIB:
        case GV_CODEC_DEFLATE: return zlib.reset(&decoder->zlib) == 0;
        case GV_CODEC_ZSTD: return !zstd.is_error(zstd.reset(decoder->object, ZSTD_RESET_SESSION));
        case GV_CODEC_XZ:
            // The new stream uses the memory of the previous stream.
            if (lzma.init(&decoder->lzma, lzma_memory_limit, 0) == 0) return 1;
            break;
        case GV_CODEC_LZ4: lz4.reset(decoder->object); return 1;
        case GV_CODEC_BZIP2:
        case GV_CODEC_BROTLI: break;
        }
    }
    close_stream(decoder);
    return open_stream(decoder);
}

// Collects the trailer of a member, and compares its checksum.
static gv_decode_status read_trailer(gv_decoder *decoder, const uint8_t **input, size_t *input_count)
{
    while (decoder->trailer_count < 8) {
        if (*input_count == 0) return GV_DECODE_MORE;
        decoder->trailer[decoder->trailer_count++] = **input;
        *input += 1, *input_count -= 1;
    }
    const uint8_t *bytes = decoder->trailer;
    uint32_t checksum = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
    return checksum == decoder->checksum ? GV_DECODE_END : GV_DECODE_DAMAGED;
}

// One or more calls of zlib. Advances the input and output.
static gv_decode_status zlib_step(
    gv_decoder *decoder, const uint8_t **input, size_t *input_count, uint8_t **output, size_t *output_count)
{
    zlib_stream *stream = &decoder->zlib;
    if (decoder->trailer_count >= 0) return read_trailer(decoder, input, input_count);
    for (;;) {
        int seeks_border = decoder->until_border == 0;
        unsigned in = gv_limited(*input_count), out = gv_limited(*output_count);
        int is_limited = !seeks_border && out > decoder->until_border;
        if (is_limited) out = (unsigned)decoder->until_border;
        stream->next_in = *input, stream->avail_in = in, stream->next_out = *output, stream->avail_out = out;
        int result = zlib.inflate(stream, seeks_border ? ZLIB_BLOCK : ZLIB_RUN);
        size_t used = in - stream->avail_in, written = out - stream->avail_out;
        if (decoder->is_within) decoder->checksum = (uint32_t)borders.checksum(decoder->checksum, *output, (unsigned)written);
        *input += used, *input_count -= used, *output += written, *output_count -= written;
        if (decoder->until_border != UINT64_MAX) decoder->until_border -= seeks_border ? 0 : written;
        if (result == ZLIB_NO_MEMORY) return GV_DECODE_NO_MEMORY;
        if (result == ZLIB_END) {
            if (!decoder->is_within) return GV_DECODE_END;
            decoder->trailer_count = 0;
            return read_trailer(decoder, input, input_count);
        }
        if (result != ZLIB_OK && result != ZLIB_NO_PROGRESS) return GV_DECODE_DAMAGED;
        if (seeks_border && stream->data_type & 128) {
            // The end of the last block is not a border, because no block follows.
            if (!(stream->data_type & 64) && (stream->data_type & 63) < 8) return GV_DECODE_BORDER;
            decoder->until_border = 1;
            continue;
        }
        if (!is_limited || stream->avail_out > 0 || *output_count == 0) return GV_DECODE_MORE;
    }
}

// One call of the library. Advances the input and output.
static gv_decode_status step(gv_decoder *decoder, const uint8_t **input, size_t *input_count, uint8_t **output, size_t *output_count)
{
    if (decoder->uses_isal) return isal_step(decoder->isal, input, input_count, output, output_count);
    size_t used = 0, written = 0;
    gv_decode_status status = GV_DECODE_DAMAGED;
    switch (decoder->codec) {
    case GV_CODEC_GZIP:
    case GV_CODEC_ZLIB:
    case GV_CODEC_DEFLATE: return zlib_step(decoder, input, input_count, output, output_count);
    case GV_CODEC_BZIP2: {
        bzip2_stream *stream = &decoder->bzip2;
        unsigned in = gv_limited(*input_count), out = gv_limited(*output_count);
        stream->next_in = *input, stream->avail_in = in, stream->next_out = *output, stream->avail_out = out;
        int result = bzip2.run(stream);
        used = in - stream->avail_in, written = out - stream->avail_out;
        // BZ_OK, BZ_STREAM_END, BZ_MEM_ERROR.
        status = result == 0 ? GV_DECODE_MORE
            : result == 4    ? GV_DECODE_END
            : result == -3   ? GV_DECODE_NO_MEMORY
                             : GV_DECODE_DAMAGED;
        break;
    }
    case GV_CODEC_XZ: {
        lzma_stream *stream = &decoder->lzma;
        stream->next_in = *input, stream->avail_in = *input_count, stream->next_out = *output, stream->avail_out = *output_count;
        int result = lzma.run(stream, 0);
        used = *input_count - stream->avail_in, written = *output_count - stream->avail_out;
        // LZMA_OK, LZMA_BUF_ERROR, LZMA_STREAM_END, LZMA_MEM_ERROR, LZMA_MEMLIMIT_ERROR.
        status = result == 0 || result == 10 ? GV_DECODE_MORE
            : result == 1                    ? GV_DECODE_END
            : result == 5                    ? GV_DECODE_NO_MEMORY
            : result == 6                    ? GV_DECODE_TOO_BIG
                                             : GV_DECODE_DAMAGED;
        break;
    }
    case GV_CODEC_ZSTD: {
        zstd_input in = {*input, *input_count, 0};
        zstd_output out = {*output, *output_count, 0};
        size_t result = zstd.run(decoder->object, &out, &in);
        used = in.position, written = out.position;
        if (zstd.is_error(result)) {
            int code = zstd.code(result);
            status = code == ZSTD_ERROR_WINDOW ? GV_DECODE_TOO_BIG
                : code == ZSTD_ERROR_MEMORY    ? GV_DECODE_NO_MEMORY
                                               : GV_DECODE_DAMAGED;
        } else {
            status = result == 0 ? GV_DECODE_END : GV_DECODE_MORE;
        }
        break;
    }
    case GV_CODEC_LZ4: {
        used = *input_count, written = *output_count;
        size_t result = lz4.run(decoder->object, *output, &written, *input, &used, NULL);
        if (lz4.is_error(result)) {
            // The counts are not defined after an error.
            used = written = 0;
            status = strstr(lz4.error_name(result), "allocation") ? GV_DECODE_NO_MEMORY : GV_DECODE_DAMAGED;
        } else {
            status = result == 0 ? GV_DECODE_END : GV_DECODE_MORE;
        }
        break;
    }
    case GV_CODEC_BROTLI: {
        size_t in = *input_count, out = *output_count;
        const uint8_t *next_in = *input;
        uint8_t *next_out = *output;
        int result = brotli.run(decoder->object, &in, &next_in, &out, &next_out, NULL);
        used = *input_count - in, written = *output_count - out;
        if (result == 0) {
            int code = brotli.code(decoder->object);
            status = code <= -21 && code >= -30 ? GV_DECODE_NO_MEMORY : GV_DECODE_DAMAGED;
        } else {
            status = result == 1 ? GV_DECODE_END : GV_DECODE_MORE;
        }
        break;
    }
    }
    *input += used, *input_count -= used, *output += written, *output_count -= written;
    return status;
}

gv_decode_status gv_decoder_run(gv_decoder *decoder, const uint8_t **input, size_t *input_count, uint8_t **output, size_t *output_count)
{
    // Libraries refuse null pointers even with a count of 0.
    static const uint8_t none;
    if (!decoder->is_ready) return GV_DECODE_NO_MEMORY;
    if (!*input) *input = &none, *input_count = 0;
    if (!*output || *output_count == 0) return GV_DECODE_MORE;
    for (;;) {
        size_t in = *input_count, out = *output_count;
        gv_decode_status status = step(decoder, input, input_count, output, output_count);
        if (status != GV_DECODE_MORE || *output_count == 0) return status;
        if (in != *input_count || out != *output_count) {
            // A library may return early.
            if (*input_count > 0) continue;
            return status;
        }
        // Without progress, the decoder waits for more input, which it must not do while it has some.
        return in == 0 ? GV_DECODE_MORE : GV_DECODE_DAMAGED;
    }
}

// MARK: Borders of blocks

void gv_decoder_seek_border(gv_decoder *decoder, uint64_t count)
{
    if (decoder->has_borders) decoder->until_border = count;
}

size_t gv_decoder_border(gv_decoder *decoder, int *bits, uint8_t *window)
{
    unsigned count = 0;
    *bits = decoder->zlib.data_type & 7;
    if (!decoder->has_borders || !decoder->is_ready || borders.get(&decoder->zlib, window, &count) != ZLIB_OK) return 0;
    return count;
}

uint32_t gv_decoder_checksum(const gv_decoder *decoder)
{
    return decoder->is_within ? decoder->checksum : decoder->has_borders ? (uint32_t)decoder->zlib.checksum : 0;
}

int gv_decoder_start_within(
    gv_decoder *decoder, int bits, uint8_t first, uint32_t checksum, const uint8_t *window, size_t count)
{
    if (!decoder->has_borders || !decoder->is_ready || bits < 0 || bits > 7 || count > GV_WINDOW_BYTES) return 0;
    if (borders.reset(&decoder->zlib, -15) != ZLIB_OK) return 0;
    decoder->is_within = 1, decoder->trailer_count = -1, decoder->checksum = checksum;
    if (bits > 0 && borders.prime(&decoder->zlib, bits, first >> (8 - bits)) != ZLIB_OK) return 0;
    return count == 0 || borders.set(&decoder->zlib, window, (unsigned)count) == ZLIB_OK;
}

// MARK: Whole streams

// One idle decoder for each codec that is cheap to keep, because pages of columnar files are small and many.
static gv_decoder *spares[GV_CODEC_BROTLI + 1];

static gv_decoder *take_decoder(gv_codec codec)
{
    if ((size_t)codec >= sizeof spares / sizeof *spares) return NULL;
    gv_decoder *decoder = __atomic_exchange_n(&spares[codec], NULL, __ATOMIC_ACQ_REL);
    if (decoder && gv_decoder_reset(decoder)) return decoder;
    gv_decoder_free(decoder);
    return gv_decoder_make(codec);
}

static void give_back(gv_decoder *decoder)
{
    switch (decoder->codec) {
    case GV_CODEC_GZIP:
    case GV_CODEC_ZLIB:
    case GV_CODEC_DEFLATE:
    case GV_CODEC_ZSTD:
    case GV_CODEC_LZ4: decoder = __atomic_exchange_n(&spares[decoder->codec], decoder, __ATOMIC_ACQ_REL); break;
    case GV_CODEC_XZ:
    case GV_CODEC_BZIP2:
    case GV_CODEC_BROTLI: break;
    }
    gv_decoder_free(decoder);
}

// True if a stream may continue with another member.
static int has_members(gv_codec codec)
{
    return codec == GV_CODEC_GZIP || codec == GV_CODEC_ZSTD || codec == GV_CODEC_XZ || codec == GV_CODEC_BZIP2 || codec == GV_CODEC_LZ4;
}

// All members. Returns -1 for damage, and -2 if memory is short.
static ptrdiff_t decode_members(gv_decoder *decoder, const uint8_t *input, size_t input_count, uint8_t *output, size_t capacity)
{
    uint8_t excess;
    uint8_t *next = output;
    size_t room = capacity;
    for (;;) {
        // With a full output, a separate byte shows whether the stream ends here.
        int is_full = room == 0;
        uint8_t *target = is_full ? &excess : next;
        size_t target_count = is_full ? 1 : room, in = input_count;
        gv_decode_status status = gv_decoder_run(decoder, &input, &input_count, &target, &target_count);
        if (is_full && target_count == 0) return -1;
        int is_idle = in == input_count && (is_full || target_count == room);
        if (!is_full) next = target, room = target_count;
        if (status == GV_DECODE_NO_MEMORY) return -2;
        if (status == GV_DECODE_END) {
            if (input_count == 0) return next - output;
            if (!has_members(decoder->codec)) return -1;
            if (!gv_decoder_reset(decoder)) return -2;
        } else if (status != GV_DECODE_MORE || is_idle) {
            return -1;
        }
    }
}

ptrdiff_t gv_decoder_run_all(gv_decoder *decoder, const uint8_t *input, size_t input_count, uint8_t *output, size_t capacity)
{
    uint8_t none;
    if (!output) output = &none, capacity = 0;
    if (decoder->codec != GV_CODEC_ZSTD || capacity == 0) return decode_members(decoder, input, input_count, output, capacity);
    // The output is the window, so no other memory is needed.
    size_t count = zstd.whole(decoder->object, output, capacity, input, input_count);
    if (zstd.is_error(count)) return zstd.code(count) == ZSTD_ERROR_MEMORY ? -2 : -1;
    return count > 0 || input_count > 0 ? (ptrdiff_t)count : -1;
}

ptrdiff_t gv_decode_all(gv_codec codec, const uint8_t *input, size_t input_count, uint8_t *output, size_t capacity)
{
    gv_decoder *decoder = take_decoder(codec);
    if (!decoder) return -2;
    ptrdiff_t result = gv_decoder_run_all(decoder, input, input_count, output, capacity);
    give_back(decoder);
    return result;
}
