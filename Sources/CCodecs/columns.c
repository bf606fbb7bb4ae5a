#include "CColumns.h"

#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

static inline uint64_t load64(const uint8_t *p)
{
    uint64_t v;
    memcpy(&v, p, 8);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    return v;
}

// Reads a variable-length integer. Returns 0 if it is longer than 10 bytes or than the input.
static int read_varint(const uint8_t **next, const uint8_t *end, uint64_t *value)
{
    uint64_t result = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        if (*next >= end) return 0;
        uint8_t byte = *(*next)++;
        result |= (uint64_t)(byte & 0x7F) << shift;
        if (byte < 0x80) {
            *value = result;
            return 1;
        }
    }
    return 0;
}

// Runs

void gv_runs_start(gv_runs *runs, const uint8_t *input, size_t count, unsigned width)
{
    memset(runs, 0, sizeof *runs);
    runs->next = input;
    runs->end = input + count;
    runs->width = (uint8_t)(width > 32 ? 32 : width);
}

void gv_runs_start_packed(gv_runs *runs, const uint8_t *input, size_t count, unsigned width)
{
    gv_runs_start(runs, input, 0, width);
    runs->packed = input;
    runs->is_packed = runs->is_big_endian = 1;
    runs->repeats = runs->width ? count * 8 / runs->width : 0;
}

// Starts the next run. Returns 0 at the end of the input.
static int next_run(gv_runs *runs)
{
    while (runs->repeats == 0) {
        uint64_t header;
        if (runs->width == 0) {
            runs->value = 0;
            runs->is_packed = 0;
            runs->repeats = SIZE_MAX;
            return 1;
        }
        if (!read_varint(&runs->next, runs->end, &header)) return 0;
        size_t available = (size_t)(runs->end - runs->next);
        if (header & 1) {
            // Groups of 8 values need `width` bytes each. The last group may be cut off.
            uint64_t groups = header >> 1;
            size_t bytes = groups > available / runs->width ? available : (size_t)groups * runs->width;
            runs->packed = runs->next;
            runs->bit = 0;
            runs->is_packed = 1;
            runs->repeats = bytes * 8 / runs->width;
            runs->next += bytes;
        } else {
            size_t bytes = (runs->width + 7u) / 8;
            if (available < bytes) return 0;
            uint64_t value = load64(runs->next) & ((1ull << (bytes * 8)) - 1);
            runs->next += bytes;
            runs->is_packed = 0;
            runs->value = (uint32_t)value;
            runs->repeats = (size_t)(header >> 1);
        }
    }
    return 1;
}

static inline uint32_t packed_value(const gv_runs *runs, size_t bit, uint64_t mask)
{
    return (uint32_t)(load64(runs->packed + (bit >> 3)) >> (bit & 7) & mask);
}

static inline uint32_t big_endian_value(const gv_runs *runs, size_t bit)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < runs->width; i++, bit++)
        value = value << 1 | (runs->packed[bit >> 3] >> (7 - (bit & 7)) & 1);
    return value;
}

#if defined(__x86_64__)
// Unpacks complete groups of eight values of at most 25 bits, and returns the number of unpacked values. A group has `width` bytes, so all
// groups have the same layout.
__attribute__((target("avx2"))) static size_t unpack_avx2(
    const uint8_t *packed, size_t bit, unsigned width, uint32_t *values, size_t count)
{
    uint8_t order[32];
    uint32_t shifts[8];
    const unsigned upper = (unsigned)(bit & 7) + 4 * width;
    for (unsigned i = 0; i < 8; i++) {
        const unsigned first = i < 4 ? (unsigned)(bit & 7) + i * width : (upper & 7) + (i - 4) * width;
        shifts[i] = first & 7;
        for (unsigned k = 0; k < 4; k++) order[i * 4 + k] = (uint8_t)((first >> 3) + k);
    }
    const __m256i shuffle = _mm256_loadu_si256((const __m256i *)order), shift = _mm256_loadu_si256((const __m256i *)shifts);
    const __m256i mask = _mm256_set1_epi32((int)((1u << width) - 1));
    const uint8_t *next = packed + (bit >> 3);
    size_t done = 0;
    for (; done + 8 <= count; done += 8, next += width) {
        const __m128i low = _mm_loadu_si128((const __m128i *)next), high = _mm_loadu_si128((const __m128i *)(next + (upper >> 3)));
        const __m256i bytes = _mm256_shuffle_epi8(_mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1), shuffle);
        _mm256_storeu_si256((__m256i *)(values + done), _mm256_and_si256(_mm256_srlv_epi32(bytes, shift), mask));
    }
    return done;
}
#endif

// Unpacks many values with AVX2 if the processor has it. Returns the number of unpacked values, which may be 0.
static size_t unpack(const gv_runs *runs, uint32_t *values, size_t count)
{
#if defined(__x86_64__)
    if (count >= 32 && runs->width <= 25 && __builtin_cpu_supports("avx2"))
        return unpack_avx2(runs->packed, runs->bit, runs->width, values, count);
#endif
    (void)runs, (void)values, (void)count;
    return 0;
}

#define READ_RUNS(FILL, UNPACK)                                                              \
    size_t done = 0;                                                                 \
    while (done < count) {                                                           \
        if (runs->repeats == 0 && !next_run(runs)) break;                            \
        size_t n = count - done < runs->repeats ? count - done : runs->repeats;      \
        if (!runs->is_packed) {                                                      \
            FILL;                                                                    \
        } else if (runs->is_big_endian) {                                            \
            for (size_t i = 0; i < n; i++, runs->bit += runs->width)                 \
                values[done + i] = (__typeof__(*values))big_endian_value(runs, runs->bit); \
        } else {                                                                     \
            size_t fast = UNPACK;                                                    \
            size_t bit = runs->bit + fast * runs->width, width = runs->width;        \
            uint64_t mask = (1ull << width) - 1;                                     \
            for (size_t i = fast; i < n; i++, bit += width)                          \
                values[done + i] = (__typeof__(*values))packed_value(runs, bit, mask); \
            runs->bit = bit;                                                         \
        }                                                                            \
        runs->repeats -= n;                                                          \
        done += n;                                                                   \
    }                                                                                \
    return done;

size_t gv_runs_read(gv_runs *runs, uint32_t *values, size_t count)
{
    READ_RUNS({
        uint32_t value = runs->value;
        for (size_t i = 0; i < n; i++) values[done + i] = value;
    }, unpack(runs, values + done, n))
}

size_t gv_runs_read_bytes(gv_runs *runs, uint8_t *values, size_t count)
{
    READ_RUNS(memset(values + done, (uint8_t)runs->value, n), 0)
}

size_t gv_runs_skip(gv_runs *runs, size_t count)
{
    size_t done = 0;
    while (done < count) {
        if (runs->repeats == 0 && !next_run(runs)) break;
        size_t n = count - done < runs->repeats ? count - done : runs->repeats;
        if (runs->is_packed) runs->bit += n * runs->width;
        runs->repeats -= n;
        done += n;
    }
    return done;
}

// Differences

int gv_deltas_start(gv_deltas *deltas, const uint8_t *input, size_t count)
{
    memset(deltas, 0, sizeof *deltas);
    deltas->next = input;
    deltas->end = input + count;
    uint64_t block, miniblocks, total, first;
    if (!read_varint(&deltas->next, deltas->end, &block) || !read_varint(&deltas->next, deltas->end, &miniblocks)
        || !read_varint(&deltas->next, deltas->end, &total) || !read_varint(&deltas->next, deltas->end, &first))
        return 0;
    if (block == 0 || block > 1 << 24 || miniblocks == 0 || miniblocks > 1 << 16 || block % miniblocks != 0) return 0;
    deltas->values_per_miniblock = block / miniblocks;
    if (deltas->values_per_miniblock % 8 != 0) return 0;
    deltas->miniblocks = (uint32_t)miniblocks;
    deltas->miniblock = (uint32_t)miniblocks;
    deltas->values_left = total;
    deltas->value = first >> 1 ^ (0 - (first & 1));
    return 1;
}

// Starts the next miniblock. Returns 0 at the end of the input and for a width above 64.
static int next_miniblock(gv_deltas *deltas)
{
    if (deltas->miniblock == deltas->miniblocks) {
        uint64_t minimum;
        if (!read_varint(&deltas->next, deltas->end, &minimum)) return 0;
        deltas->minimum = minimum >> 1 ^ (0 - (minimum & 1));
        if ((size_t)(deltas->end - deltas->next) < deltas->miniblocks) return 0;
        deltas->widths = deltas->next;
        deltas->next += deltas->miniblocks;
        deltas->miniblock = 0;
    }
    deltas->width = deltas->widths[deltas->miniblock++];
    if (deltas->width > 64) return 0;
    size_t bytes = (size_t)deltas->values_per_miniblock / 8 * deltas->width;
    size_t available = (size_t)(deltas->end - deltas->next);
    deltas->miniblock_values_left = deltas->values_per_miniblock;
    if (bytes > available) {
        // The last miniblock may end after its last value, without padding.
        deltas->miniblock_values_left = available * 8 / deltas->width;
        bytes = available;
        if (deltas->miniblock_values_left == 0) return 0;
    }
    deltas->packed = deltas->next;
    deltas->bit = 0;
    deltas->next += bytes;
    return 1;
}

size_t gv_deltas_read(gv_deltas *deltas, int64_t *values, size_t count)
{
    size_t done = 0;
    if (count > 0 && !deltas->has_started && deltas->values_left > 0) {
        deltas->has_started = 1;
        deltas->values_left--;
        if (values) values[0] = (int64_t)deltas->value;
        done = 1;
    }
    while (done < count && deltas->values_left > 0) {
        if (deltas->miniblock_values_left == 0 && !next_miniblock(deltas)) break;
        uint64_t n = count - done;
        if (n > deltas->values_left) n = deltas->values_left;
        if (n > deltas->miniblock_values_left) n = deltas->miniblock_values_left;
        uint64_t value = deltas->value, minimum = deltas->minimum;
        unsigned width = deltas->width;
        size_t bit = deltas->bit;
        if (width == 0) {
            if (values)
                for (size_t i = 0; i < n; i++) values[done + i] = (int64_t)(value += minimum);
            else
                value += minimum * n;
        } else if (width <= 57) {
            uint64_t mask = (1ull << width) - 1;
            for (size_t i = 0; i < n; i++, bit += width) {
                value += minimum + (load64(deltas->packed + (bit >> 3)) >> (bit & 7) & mask);
                if (values) values[done + i] = (int64_t)value;
            }
        } else {
            uint64_t mask = width == 64 ? ~0ull : (1ull << width) - 1;
            for (size_t i = 0; i < n; i++, bit += width) {
                unsigned shift = bit & 7;
                const uint8_t *p = deltas->packed + (bit >> 3);
                uint64_t delta = load64(p) >> shift;
                if (shift) delta |= (uint64_t)p[8] << (64 - shift);
                value += minimum + (delta & mask);
                if (values) values[done + i] = (int64_t)value;
            }
        }
        deltas->bit = bit;
        deltas->value = value;
        deltas->miniblock_values_left -= n;
        deltas->values_left -= n;
        done += n;
    }
    return done;
}

// Presence

size_t gv_mark_present(const uint8_t *levels, uint8_t present, uint8_t *presence, size_t count)
{
    size_t sum = 0;
    while (count > 0) {
        // A sum of 128 ones fits in one byte, so the compiler can add many bytes at once.
        size_t n = count < 128 ? count : 128;
        uint8_t part = 0;
        for (size_t i = 0; i < n; i++) {
            uint8_t one = levels[i] == present;
            presence[i] = one;
            part = (uint8_t)(part + one);
        }
        sum += part;
        levels += n;
        presence += n;
        count -= n;
    }
    return sum;
}

typedef struct {
    uint64_t a, b;
} pair;

#define SPREAD(TYPE)                                             \
    do {                                                         \
        TYPE *v = values;                                        \
        while (count > 0 && present < count) {                   \
            count--;                                             \
            if (presence[count]) {                               \
                if (present == 0) return;                        \
                v[count] = v[--present];                         \
            }                                                    \
        }                                                        \
    } while (0)

void gv_spread_present(void *values, unsigned bytes, const uint8_t *presence, size_t count, size_t present)
{
    switch (bytes) {
    case 1: SPREAD(uint8_t); break;
    case 4: SPREAD(uint32_t); break;
    case 8: SPREAD(uint64_t); break;
    case 16: SPREAD(pair); break;
    default: break;
    }
}

#define LARGEST                                                                            \
    uint32_t largest = 0;                                                                  \
    for (size_t i = 0; i < count; i++) largest = codes[i] > largest ? codes[i] : largest;  \
    return largest;

static uint32_t largest_code(const uint32_t *codes, size_t count) { LARGEST }

#if defined(__x86_64__)
__attribute__((target("avx2"))) static uint32_t largest_code_avx2(const uint32_t *codes, size_t count) { LARGEST }
#endif

int gv_codes_are_below(const uint32_t *codes, size_t count, size_t limit)
{
    if (count == 0) return 1;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) return largest_code_avx2(codes, count) < limit;
#endif
    return largest_code(codes, count) < limit;
}

int gv_look_up(
    const uint32_t *codes, size_t count, const void *dictionary, size_t dictionary_count, unsigned bytes, void *values)
{
    if (!gv_codes_are_below(codes, count, dictionary_count)) return 0;
    if (bytes == 8) {
        const uint64_t *from = dictionary;
        uint64_t *to = values;
        for (size_t i = 0; i < count; i++) to[i] = from[codes[i]];
    } else if (bytes == 4) {
        const uint32_t *from = dictionary;
        uint32_t *to = values;
        for (size_t i = 0; i < count; i++) to[i] = from[codes[i]];
    } else {
        const uint8_t *from = dictionary;
        uint8_t *to = values;
        for (size_t i = 0; i < count; i++) to[i] = from[codes[i]];
    }
    return 1;
}

void gv_widen_signed(const uint8_t *input, size_t count, int64_t *values)
{
    for (size_t i = 0; i < count; i++) {
        int32_t value;
        memcpy(&value, input + i * 4, 4);
        values[i] = value;
    }
}

void gv_widen_unsigned(const uint8_t *input, size_t count, int64_t *values)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t value;
        memcpy(&value, input + i * 4, 4);
        values[i] = value;
    }
}

void gv_join_bytes(const uint8_t *input, size_t total, size_t first, size_t count, size_t width, uint8_t *output)
{
    for (size_t k = 0; k < width; k++) {
        const uint8_t *stream = input + k * total + first;
        for (size_t i = 0; i < count; i++) output[i * width + k] = stream[i];
    }
}

void gv_unpack_bits(const uint8_t *input, size_t first, size_t count, uint8_t *output)
{
    for (size_t i = 0; i < count; i++) output[i] = input[(first + i) >> 3] >> ((first + i) & 7) & 1;
}

int gv_is_utf8(const uint8_t *input, size_t count)
{
    size_t i = 0;
    while (i < count) {
        if (count - i >= 8 && (load64(input + i) & 0x8080808080808080ull) == 0) {
            i += 8;
            continue;
        }
        uint8_t first = input[i++];
        if (first < 0x80) continue;
        unsigned more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
        if (first < 0xC2 || first > 0xF4 || count - i < more) return 0;
        uint8_t second = input[i];
        // Rejects overlong forms, surrogates and values above U+10FFFF.
        uint8_t low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80, high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
        if (second < low || second > high) return 0;
        for (unsigned k = 1; k < more; k++)
            if ((input[i + k] & 0xC0) != 0x80) return 0;
        i += more;
    }
    return 1;
}

// CRC-32, eight bytes at a time (M. Kounavis and F. Berry: "A systematic approach to building high performance, software-based, CRC
// generators", 2005).
static uint32_t crc_tables[8][256];

__attribute__((constructor)) static void make_crc_tables(void)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t crc = i;
        for (int k = 0; k < 8; k++) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
        crc_tables[0][i] = crc;
    }
    for (int t = 1; t < 8; t++)
        for (int i = 0; i < 256; i++) crc_tables[t][i] = crc_tables[t - 1][i] >> 8 ^ crc_tables[0][crc_tables[t - 1][i] & 0xFF];
}

uint32_t gv_crc32(const uint8_t *input, size_t count) { return gv_crc32_add(0, input, count); }

uint32_t gv_crc32_add(uint32_t crc, const uint8_t *input, size_t count)
{
    crc = ~crc;
    for (; count >= 8; count -= 8, input += 8) {
        uint64_t v = load64(input) ^ crc;
        crc = crc_tables[7][v & 0xFF] ^ crc_tables[6][v >> 8 & 0xFF] ^ crc_tables[5][v >> 16 & 0xFF] ^ crc_tables[4][v >> 24 & 0xFF]
            ^ crc_tables[3][v >> 32 & 0xFF] ^ crc_tables[2][v >> 40 & 0xFF] ^ crc_tables[1][v >> 48 & 0xFF] ^ crc_tables[0][v >> 56];
    }
    while (count-- > 0) crc = crc >> 8 ^ crc_tables[0][(crc ^ *input++) & 0xFF];
    return ~crc;
}
