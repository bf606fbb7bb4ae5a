// gzip, zlib and deflate: ISA-L if it is present, otherwise zlib.
#include "decoders.h"

#include <stdlib.h>
#include <string.h>

// MARK: Libraries

static struct {
    int (*init)(zlib_stream *, int window_bits, const char *version, int size);
    int (*reset)(zlib_stream *);
    int (*inflate)(zlib_stream *, int flush);
    int (*end)(zlib_stream *);
} zlib;

// The functions of zlib that decoders need to start and stop within a member.
static struct {
    int (*reset)(zlib_stream *, int window_bits);
    int (*prime)(zlib_stream *, int bits, int value);
    int (*get)(zlib_stream *, uint8_t *window, unsigned *count);
    int (*set)(zlib_stream *, const uint8_t *window, unsigned count);
    unsigned long (*checksum)(unsigned long, const uint8_t *, unsigned count);
} boundaries;

// ISA-L: inflate_state of version 2. ISA-L is faster than zlib, but not installed on most systems. `isal_is_usable` checks this layout.
struct isal_stream {
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
    // The other fields and buffers, with extra room for later versions.
    uint8_t rest[40 + 328 + 2 * 32768 + 288 + 16384];
};

enum { ISAL_GZIP = 1, ISAL_BLOCK_FINISH = 5 };

static struct {
    void (*init)(isal_stream *);
    int (*run)(isal_stream *);
} isal;

static library_entry zlib_entry = {
    NAMES("libz.so.1 libz.so", "/usr/lib/libz.1.dylib libz.1.dylib"), "zlib", NAMES("zlib1g", "zlib"),
    {{"inflateInit2_", &zlib.init}, {"inflateReset", &zlib.reset}, {"inflate", &zlib.inflate}, {"inflateEnd", &zlib.end}}, UNKNOWN};
static library_entry boundaries_entry = {
    NAMES("libz.so.1 libz.so", "/usr/lib/libz.1.dylib libz.1.dylib"), "zlib", NAMES("zlib1g", "zlib"),
    {{"inflateReset2", &boundaries.reset}, {"inflatePrime", &boundaries.prime}, {"inflateGetDictionary", &boundaries.get},
     {"inflateSetDictionary", &boundaries.set}, {"crc32", &boundaries.checksum}},
    UNKNOWN};
static library_entry isal_entry = {
    NAMES("libisal.so.2", "libisal.2.dylib libisal.dylib"), "libisal", NAMES("libisal2", "isa-l"),
    {{"isal_inflate_init", &isal.init}, {"isal_inflate", &isal.run}}, UNKNOWN};

enum { ZLIB_OK = 0, ZLIB_END = 1, ZLIB_NO_MEMORY = -4, ZLIB_NO_PROGRESS = -5, ZLIB_RUN = 0, ZLIB_BLOCK = 5 };

// MARK: ISA-L

// Calls ISA-L once. Advances *input and *output, and decreases the counts.
static gv_decode_status isal_step(
    isal_stream *stream, const uint8_t **input, size_t *input_count, uint8_t **output, size_t *output_count)
{
    uint32_t in = gv_limited(*input_count), out = gv_limited(*output_count);
    stream->next_in = *input, stream->avail_in = in, stream->next_out = *output, stream->avail_out = out;
    int result = isal.run(stream);
    if (stream->avail_in > in || stream->avail_out > out) return GV_DECODE_DAMAGED;
    size_t used = in - stream->avail_in, written = out - stream->avail_out;
    *input += used, *input_count -= used, *output += written, *output_count -= written;
    // 0 to 2 are ISAL_DECOMP_OK, ISAL_END_INPUT and ISAL_OUT_OVERFLOW. Other results are errors.
    if (result < 0 || result > 2) return GV_DECODE_DAMAGED;
    return stream->block_state == ISAL_BLOCK_FINISH ? GV_DECODE_END : GV_DECODE_MORE;
}

static void isal_start(isal_stream *stream)
{
    isal.init(stream);
    stream->crc_flag = ISAL_GZIP;
}

// Tests ISA-L: decodes a small file byte by byte, with a correct and with a wrong checksum.
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

// True if ISA-L is installed and works.
static int isal_is_usable(void)
{
    static _Atomic int usability;  // 0 unknown, 1 usable, 2 not
    if (usability == 0) usability = gv_load_functions(&isal_entry, isal_entry.file_names) && isal_decodes_sample() ? 1 : 2;
    return usability == 1;
}

// MARK: Streams

static void close_stream(gv_decoder *decoder)
{
    if (decoder->uses_isal) {
        free(decoder->isal);
        return;
    }
    zlib.end(&decoder->zlib);
}

static int open_stream(gv_decoder *decoder)
{
    decoder->uses_isal = decoder->codec == GV_CODEC_GZIP && !decoder->has_boundaries && isal_is_usable();
    if (decoder->uses_isal) {
        decoder->isal = malloc(sizeof *decoder->isal);
        if (decoder->isal) isal_start(decoder->isal);
        return decoder->isal != NULL;
    }
    int bits = decoder->codec == GV_CODEC_GZIP ? 15 + 16 : decoder->codec == GV_CODEC_ZLIB ? 15 : -15;
    memset(&decoder->zlib, 0, sizeof decoder->zlib);
    return zlib.init(&decoder->zlib, bits, "1.2.11", (int)sizeof decoder->zlib) == 0;
}

static int reset_stream(gv_decoder *decoder)
{
    if (decoder->uses_isal) {
        isal_start(decoder->isal);
        return 1;
    }
    if (decoder->is_within) {
        decoder->is_within = 0, decoder->trailer_count = -1;
        return boundaries.reset(&decoder->zlib, 15 + 16) == ZLIB_OK;
    }
    return zlib.reset(&decoder->zlib) == 0;
}

// Collects the trailer of a member, and compares its checksum. The trailer can be divided between calls.
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

// Calls zlib, several times if it has to stop near a boundary. Advances *input and *output, and decreases the counts.
static gv_decode_status zlib_step(
    gv_decoder *decoder, const uint8_t **input, size_t *input_count, uint8_t **output, size_t *output_count)
{
    zlib_stream *stream = &decoder->zlib;
    if (decoder->trailer_count >= 0) return read_trailer(decoder, input, input_count);
    for (;;) {
        int seeks_boundary = decoder->until_boundary == 0;
        unsigned in = gv_limited(*input_count), out = gv_limited(*output_count);
        int is_limited = !seeks_boundary && out > decoder->until_boundary;
        if (is_limited) out = (unsigned)decoder->until_boundary;
        stream->next_in = *input, stream->avail_in = in, stream->next_out = *output, stream->avail_out = out;
        int result = zlib.inflate(stream, seeks_boundary ? ZLIB_BLOCK : ZLIB_RUN);
        size_t used = in - stream->avail_in, written = out - stream->avail_out;
        if (decoder->is_within) decoder->checksum = (uint32_t)boundaries.checksum(decoder->checksum, *output, (unsigned)written);
        *input += used, *input_count -= used, *output += written, *output_count -= written;
        if (decoder->until_boundary != UINT64_MAX) decoder->until_boundary -= seeks_boundary ? 0 : written;
        if (result == ZLIB_NO_MEMORY) return GV_DECODE_NO_MEMORY;
        if (result == ZLIB_END) {
            if (!decoder->is_within) return GV_DECODE_END;
            decoder->trailer_count = 0;
            return read_trailer(decoder, input, input_count);
        }
        if (result != ZLIB_OK && result != ZLIB_NO_PROGRESS) return GV_DECODE_DAMAGED;
        if (seeks_boundary && stream->data_type & 128) {
            // Only boundaries between blocks are reported, not the end of the last block.
            if (!(stream->data_type & 64) && (stream->data_type & 63) < 8) return GV_DECODE_BOUNDARY;
            decoder->until_boundary = 1;
            continue;
        }
        if (!is_limited || stream->avail_out > 0 || *output_count == 0) return GV_DECODE_MORE;
    }
}

static gv_decode_status step(gv_decoder *decoder, const uint8_t **input, size_t *input_count, uint8_t **output, size_t *output_count)
{
    if (decoder->uses_isal) return isal_step(decoder->isal, input, input_count, output, output_count);
    return zlib_step(decoder, input, input_count, output, output_count);
}

const decoder_functions gv_zlib_functions = {&zlib_entry, open_stream, close_stream, reset_stream, step, NULL};

int gv_gzip_uses_zlib(void) { return gv_codec_is_available(GV_CODEC_GZIP) && !isal_is_usable(); }

// MARK: Boundaries of blocks

int gv_boundaries_are_available(void)
{
    return gv_codec_is_available(GV_CODEC_GZIP) && gv_load_functions(&boundaries_entry, boundaries_entry.file_names);
}

void gv_decoder_seek_boundary(gv_decoder *decoder, uint64_t count)
{
    if (decoder->has_boundaries) decoder->until_boundary = count;
}

size_t gv_decoder_boundary(gv_decoder *decoder, int *bits, uint8_t *window)
{
    unsigned count = 0;
    *bits = decoder->zlib.data_type & 7;
    if (!decoder->has_boundaries || !decoder->is_ready || boundaries.get(&decoder->zlib, window, &count) != ZLIB_OK) return 0;
    return count;
}

uint32_t gv_decoder_checksum(const gv_decoder *decoder)
{
    return decoder->is_within ? decoder->checksum : decoder->has_boundaries ? (uint32_t)decoder->zlib.checksum : 0;
}

int gv_decoder_start_within(
    gv_decoder *decoder, int bits, uint8_t first, uint32_t checksum, const uint8_t *window, size_t count)
{
    if (!decoder->has_boundaries || !decoder->is_ready || bits < 0 || bits > 7 || count > GV_WINDOW_BYTES) return 0;
    if (boundaries.reset(&decoder->zlib, -15) != ZLIB_OK) return 0;
    decoder->is_within = 1, decoder->trailer_count = -1, decoder->checksum = checksum;
    if (bits > 0 && boundaries.prime(&decoder->zlib, bits, first >> (8 - bits)) != ZLIB_OK) return 0;
    return count == 0 || boundaries.set(&decoder->zlib, window, (unsigned)count) == ZLIB_OK;
}
