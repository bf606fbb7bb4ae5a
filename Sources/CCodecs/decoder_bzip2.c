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
    // 0 is BZ_OK, 4 BZ_STREAM_END, and -3 BZ_MEM_ERROR.
    gv_decode_status status = result == 0 ? GV_DECODE_MORE
        : result == 4                     ? GV_DECODE_END
        : result == -3                    ? GV_DECODE_NO_MEMORY
                                          : GV_DECODE_DAMAGED;
    *input += used, *input_count -= used, *output += written, *output_count -= written;
    return status;
}

const decoder_functions gv_bzip2_functions = {&bzip2_entry, open_stream, close_stream, NULL, step, NULL};

// MARK: Blocks

// A stream has a header of 32 bits, blocks, and an end: a signature, the combined checksum, and zeros up to the end of the byte. A block
// has a signature, a checksum and data. Blocks can start at any bit. The most significant bit of a byte is the first.
enum { SIGNATURE_BITS = 48, CHECKSUM_BITS = 32 };
static const uint64_t block_signature = 0x314159265359, end_signature = 0x177245385090;

// A list of bits that are passed to a decoder as bytes.
typedef struct {
    uint8_t bytes[256];
    size_t count;
} bit_list;

static void append(bit_list *list, uint64_t value, unsigned count)
{
    while (count-- > 0) {
        if (list->count % 8 == 0) list->bytes[list->count / 8] = 0;
        list->bytes[list->count / 8] |= (value >> count & 1) << (7 - list->count % 8);
        list->count++;
    }
}

// Reads at most 32 bits as a number.
static uint32_t bits_at(const uint8_t *bytes, size_t bit, unsigned count)
{
    uint32_t value = 0;
    for (size_t i = bit; i < bit + count; i++) value = value << 1 | (bytes[i / 8] >> (7 - i % 8) & 1);
    return value;
}

static void append_header(bit_list *list, int level) { append(list, 0x425A6830 + (uint64_t)level, 32); }

ptrdiff_t gv_bzip2_find_block(const uint8_t *bytes, size_t count, size_t bit)
{
    const uint64_t mask = (UINT64_C(1) << SIGNATURE_BITS) - 1;
    // The next-to-last byte of a signature has one of 16 values: one for each of the two signatures and each of the 8 alignments.
    uint8_t may_precede_last[256] = {0};
    for (unsigned i = 1; i <= 8; i++) {
        may_precede_last[block_signature >> i & 255] = may_precede_last[end_signature >> i & 255] = 1;
    }
    uint64_t window = 0;
    for (size_t i = bit / 8; i < count; i++) {
        window = window << 8 | bytes[i];
        if (!may_precede_last[window >> 8 & 255] || 8 * (i + 1) < bit + SIGNATURE_BITS) continue;
        for (unsigned rest = 8; rest-- > 0;) {
            uint64_t value = window >> rest & mask;
            size_t end = 8 * (i + 1) - rest;
            if (value != block_signature && value != end_signature) continue;
            if (end >= bit + SIGNATURE_BITS) return (ptrdiff_t)(end - SIGNATURE_BITS);
        }
    }
    return -1;
}

int gv_bzip2_is_block(const uint8_t *bytes, size_t bit)
{
    return bits_at(bytes, bit, 24) == block_signature >> 24 && bits_at(bytes, bit + 24, 24) == (block_signature & 0xFFFFFF);
}

uint32_t gv_bzip2_checksum(const uint8_t *bytes, size_t bit) { return bits_at(bytes, bit + SIGNATURE_BITS, CHECKSUM_BITS); }

// Decodes all bytes. Returns GV_DECODE_MORE if the stream does not end within the bytes, and GV_DECODE_DAMAGED for damage or a full output.
static gv_decode_status run_bytes(gv_decoder *decoder, const uint8_t *input, size_t count, uint8_t **output, size_t *room)
{
    while (count > 0) {
        gv_decode_status status = gv_decoder_run(decoder, &input, &count, output, room);
        if (status == GV_DECODE_END && count == 0) return status;
        if (status != GV_DECODE_MORE || *room == 0) return GV_DECODE_DAMAGED;
    }
    return GV_DECODE_MORE;
}

ptrdiff_t gv_bzip2_decode_block(
    gv_decoder *decoder, int level, const uint8_t *bytes, size_t bit, size_t end, uint8_t *output, size_t capacity)
{
    uint8_t *next = output;
    bit_list header = {.count = 0}, trailer = {.count = 0};
    uint32_t checksum = gv_bzip2_checksum(bytes, level > 0 ? bit : bit + 32);
    if (level > 0) append_header(&header, level);
    if (run_bytes(decoder, header.bytes, header.count / 8, &next, &capacity) != GV_DECODE_MORE) return -1;
    // The bits of the block are shifted to whole bytes, and decoded in chunks.
    uint8_t chunk[4096];
    while (end - bit >= 8) {
        size_t count = (end - bit) / 8 < sizeof chunk ? (end - bit) / 8 : sizeof chunk;
        const uint8_t *source = bytes + bit / 8;
        unsigned shift = bit % 8;
        for (size_t i = 0; i < count; i++) {
            chunk[i] = shift == 0 ? source[i] : (uint8_t)(source[i] << shift | source[i + 1] >> (8 - shift));
        }
        if (run_bytes(decoder, chunk, count, &next, &capacity) != GV_DECODE_MORE) return -1;
        bit += 8 * count;
    }
    append(&trailer, bits_at(bytes, bit, (unsigned)(end - bit)), (unsigned)(end - bit));
    append(&trailer, end_signature, SIGNATURE_BITS);
    append(&trailer, checksum, CHECKSUM_BITS);
    return run_bytes(decoder, trailer.bytes, (trailer.count + 7) / 8, &next, &capacity) == GV_DECODE_END ? next - output : -1;
}

// Updates a checksum (CRC-32, most significant bit first, before its final inversion) with a byte.
static uint32_t add_byte(uint32_t checksum, uint8_t byte)
{
    checksum ^= (uint32_t)byte << 24;
    for (int i = 0; i < 8; i++) checksum = checksum << 1 ^ (checksum >> 31 ? 0x04C11DB7 : 0);
    return checksum;
}

enum { CONTENT = 5 };

// Finds content with a given checksum and without four equal bytes in a row, which would be encoded as a run.
static void make_content(uint8_t content[CONTENT], uint32_t checksum)
{
    // The last four bytes determine the checksum. Their effect is computed backwards.
    checksum = ~checksum;
    for (int i = 0; i < 32; i++) checksum = checksum & 1 ? (checksum ^ 0x04C11DB7) >> 1 | 0x80000000 : checksum >> 1;
    for (unsigned first = 0; first < 256; first++) {
        uint32_t rest = checksum ^ add_byte(UINT32_MAX, (uint8_t)first);
        content[0] = (uint8_t)first;
        for (int i = 1; i < CONTENT; i++) content[i] = (uint8_t)(rest >> (32 - 8 * i));
        if (memcmp(content, content + 1, 3) != 0 && memcmp(content + 1, content + 2, 3) != 0) return;
    }
}

// Appends a block of five bytes that has a given checksum and ends `bit` bits after the start of a byte.
static void append_block(bit_list *list, uint32_t checksum, unsigned bit)
{
    // Burrows-Wheeler transform: the last byte of each rotation, with the rotations in sorted order.
    uint8_t content[2 * CONTENT], last[CONTENT];
    make_content(content, checksum);
    memcpy(content + CONTENT, content, CONTENT);
    unsigned origin = 0;
    for (int i = 0; i < CONTENT; i++) {
        unsigned rank = 0;
        for (int j = 0; j < CONTENT; j++) {
            int order = memcmp(content + j, content + i, CONTENT);
            rank += order < 0 || (order == 0 && j < i);
        }
        last[rank] = content[i + CONTENT - 1];
        if (i == 0) origin = rank;
    }
    // Move-to-front transform. The symbols 0 and 1 are the digits of the length of a run of zeros. Other symbols are the index of the byte
    // in the list, plus 1.
    unsigned symbols[2 * CONTENT], count = 0, run = 0;
    uint8_t recent[256];
    for (int i = 0; i < 256; i++) recent[i] = (uint8_t)i;
    for (int i = 0; i <= CONTENT; i++) {
        unsigned index = 0;
        while (i < CONTENT && recent[index] != last[i]) index++;
        if (i < CONTENT && index == 0) {
            run++;
            continue;
        }
        for (; run > 0; run = (run - 1) / 2) symbols[count++] = (run - 1) % 2;
        // 257 marks the end of the block.
        symbols[count++] = i < CONTENT ? index + 1 : 257;
        memmove(recent + 1, recent, index);
        if (i < CONTENT) recent[0] = last[i];
    }
    append(list, block_signature, SIGNATURE_BITS);
    append(list, checksum, CHECKSUM_BITS);
    append(list, origin, 1 + 24);
    // The table of the bytes that occur: all bytes are marked.
    append(list, 0xFFFF, 16);
    for (int i = 0; i < 256; i++) append(list, 1, 1);
    // Two Huffman tables with 258 codes of 9 bits. One selector is enough; more selectors of one bit each move the end to the required bit.
    enum { CODES = 258, CODE_BITS = 9, TABLES = 2 };
    unsigned end = (unsigned)list->count + 3 + 15 + TABLES * (5 + CODES) + CODE_BITS * count;
    unsigned selectors = 1 + (bit - end - 1) % 8;
    append(list, TABLES, 3);
    append(list, selectors, 15);
    append(list, 0, selectors);
    for (int i = 0; i < TABLES; i++) {
        append(list, CODE_BITS, 5);
        for (int code = 0; code < CODES; code++) append(list, 0, 1);
    }
    for (unsigned i = 0; i < count; i++) append(list, symbols[i], CODE_BITS);
}

int gv_bzip2_start_within(gv_decoder *decoder, int level, uint32_t checksum, int bit, uint8_t first)
{
    // The combined checksum after the first block is the checksum of that block. Therefore the decoder gets, instead of the skipped blocks,
    // one small block that has their combined checksum.
    bit_list list = {.count = 0};
    append_header(&list, level);
    append_block(&list, checksum, (unsigned)bit);
    append(&list, first & (0xFF >> bit), (8 - (unsigned)bit) % 8);
    uint8_t content[CONTENT + 1], *output = content;
    size_t room = sizeof content;
    return gv_decoder_reset(decoder) && run_bytes(decoder, list.bytes, list.count / 8, &output, &room) == GV_DECODE_MORE;
}
