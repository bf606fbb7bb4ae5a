// The search for one key of a record.
#include "JSONValues.h"

#if defined(__SSE2__)

// A bit for each of 64 bytes: 1 if a comparison is true for the byte.
#define GV_MATCHES(compare)                                                                                            \
    ((uint64_t)(uint16_t)_mm_movemask_epi8(compare(part[0])) | (uint64_t)(uint16_t)_mm_movemask_epi8(compare(part[1])) << 16 \
     | (uint64_t)(uint16_t)_mm_movemask_epi8(compare(part[2])) << 32                                                   \
     | (uint64_t)(uint16_t)_mm_movemask_epi8(compare(part[3])) << 48)

// A bit for each byte that a backslash escapes. `carry`: 1 if the last byte before the block escapes the first byte of the block.
static uint64_t escaped_bits(uint64_t backslashes, uint64_t *carry) {
    uint64_t escaped = *carry;
    backslashes &= ~*carry;
    *carry = 0;
    while (backslashes) {
        const int at = __builtin_ctzll(backslashes);
        if (at == 63) {
            *carry = 1;
            break;
        }
        escaped |= 2ull << at;
        backslashes &= ~(3ull << at);
    }
    return escaped;
}

position gv_json_find_value(const reader *read, position start, position key, size_t key_count) {
    const position end = read->end;
    const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\'), open = _mm_set1_epi8('{'), close = _mm_set1_epi8('}');
    const __m128i lower = _mm_set1_epi8(0x20), first = _mm_set1_epi8((char)(key_count ? key[0] : '"'));
    uint64_t carry = 0, in_string = 0;
    size_t depth = 0;
    for (position block = start; block < end; block += 64) {
        uint8_t padded[64];
        const uint8_t *from = block;
        if (end - block < 64) {
            memset(padded, 0, sizeof padded);
            memcpy(padded, block, (size_t)(end - block));
            from = padded;
        }
        __m128i part[4];
        for (int i = 0; i < 4; i++) part[i] = _mm_loadu_si128((const __m128i *)(const void *)(from + 16 * i));
#define GV_IS_QUOTE(x) _mm_cmpeq_epi8(x, quote)
#define GV_IS_BACKSLASH(x) _mm_cmpeq_epi8(x, backslash)
#define GV_IS_OPEN(x) _mm_cmpeq_epi8(_mm_or_si128(x, lower), open)
#define GV_IS_CLOSE(x) _mm_cmpeq_epi8(_mm_or_si128(x, lower), close)
#define GV_IS_FIRST(x) _mm_cmpeq_epi8(x, first)
        uint64_t quotes = GV_MATCHES(GV_IS_QUOTE);
        const uint64_t backslashes = GV_MATCHES(GV_IS_BACKSLASH);
        if (backslashes | carry) quotes &= ~escaped_bits(backslashes, &carry);
        uint64_t strings = quotes;
        strings ^= strings << 1;
        strings ^= strings << 2;
        strings ^= strings << 4;
        strings ^= strings << 8;
        strings ^= strings << 16;
        strings ^= strings << 32;
        strings ^= in_string;
        in_string = (uint64_t)((int64_t)strings >> 63);
        const uint64_t opens = GV_MATCHES(GV_IS_OPEN) & ~strings, closes = GV_MATCHES(GV_IS_CLOSE) & ~strings;
        // Opening quotes that precede the first byte of the key. One at the end of the block is included, because the next byte is in the
        // next block.
        uint64_t candidates = quotes & strings & (GV_MATCHES(GV_IS_FIRST) >> 1 | 1ull << 63);
        while (candidates) {
            const int bit = __builtin_ctzll(candidates);
            candidates &= candidates - 1;
            const position candidate = block + bit + 1;
            if ((size_t)(end - candidate) <= key_count || candidate[key_count] != '"' || memcmp(candidate, key, key_count) != 0) continue;
            const position after = skip_space(candidate + key_count + 1, end);
            if (after == end || *after != ':') continue;
            const uint64_t before = (1ull << bit) - 1;
            if (depth + (size_t)__builtin_popcountll(opens & before) - (size_t)__builtin_popcountll(closes & before) != 1) continue;
            const position value = skip_space(after + 1, end);
            return value < end ? value : NULL;
        }
        depth += (size_t)__builtin_popcountll(opens);
        depth -= (size_t)__builtin_popcountll(closes);
    }
    return NULL;
}
#undef GV_MATCHES
#endif
