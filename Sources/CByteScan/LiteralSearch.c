// Compares many positions at once with two bytes of the literal (W. Muła, "SIMD-friendly algorithms for substring searching", 2016). The
// two bytes are the rarest in a sample of the text; in the article, they are the first and the last. If both match, the other bytes are
// compared eight at a time. A literal is short, so the time is linear for every text.
#include "LiteralSearch.h"

#include "ByteScan.h"

#include <string.h>

gv_literal gv_literal_make(const uint8_t *values, const uint8_t *masks, size_t count, const uint8_t *sample, size_t sample_count) {
    gv_literal literal;
    memset(&literal, 0, sizeof literal);
    if (count == 0) return literal;
    if (count > 256) count = 256;
    size_t seen[256] = {0}, frequency[256];
    for (size_t i = 0; i < sample_count; i++) seen[sample[i]] += 1;
    size_t rarest = 0;
    for (size_t index = 0; index < count; index++) {
        frequency[index] = 0;
        for (int byte = 0; byte < 256; byte++) {
            if ((byte & masks[index]) == values[index]) frequency[index] += seen[byte];
        }
        if (frequency[index] < frequency[rarest]) rarest = index;
    }
    size_t begin = 0;
    if (count > GV_LITERAL_MAXIMUM) {
        const size_t half = GV_LITERAL_MAXIMUM / 2, last = count - GV_LITERAL_MAXIMUM;
        begin = rarest < half ? 0 : rarest - half > last ? last : rarest - half;
        count = GV_LITERAL_MAXIMUM;
    }
    memcpy(literal.values, values + begin, count);
    memcpy(literal.masks, masks + begin, count);
    literal.count = (uint32_t)count;
    rarest -= begin;
    // The rarest of the other bytes. Of equally rare bytes, the farthest one is used, because adjacent bytes are correlated.
    size_t other = rarest;
    for (size_t index = 0; index < count; index++) {
        if (index == rarest) continue;
        const size_t here = frequency[begin + index], there = frequency[begin + other];
        const size_t distance = index > rarest ? index - rarest : rarest - index;
        const size_t other_distance = other > rarest ? other - rarest : rarest - other;
        if (other == rarest || here < there || (here == there && distance > other_distance)) other = index;
    }
    literal.first = (uint32_t)(rarest < other ? rarest : other);
    literal.second = (uint32_t)(rarest < other ? other : rarest);
    return literal;
}

static inline uint64_t word_at(const uint8_t *bytes) {
    uint64_t word;
    memcpy(&word, bytes, 8);
    return word;
}

static inline int matches_at(const gv_literal *literal, const uint8_t *at) {
    uint32_t i = 0;
    for (; i + 8 <= literal->count; i += 8) {
        if ((word_at(at + i) & word_at(literal->masks + i)) != word_at(literal->values + i)) return 0;
    }
    for (; i < literal->count; i++) {
        if ((at[i] & literal->masks[i]) != literal->values[i]) return 0;
    }
    return 1;
}

// The bytes compared at once: one, two or four registers.
typedef uint8_t block __attribute__((vector_size(64)));
typedef uint8_t unaligned_block __attribute__((vector_size(64), aligned(1), may_alias));
typedef _Bool flags __attribute__((ext_vector_type(64)));

// `end`: one more than the last position with room for the literal.
__attribute__((always_inline)) static inline size_t find(
    const gv_literal *literal, const uint8_t *bytes, size_t end, size_t at, size_t count) {
    const uint8_t first_mask = literal->masks[literal->first], first_value = literal->values[literal->first];
    const uint8_t second_mask = literal->masks[literal->second], second_value = literal->values[literal->second];
    const uint8_t *first = bytes + literal->first, *second = bytes + literal->second;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    for (; end - at >= 64; at += 64) {
        const block differs = ((*(const unaligned_block *)(first + at) & first_mask) ^ first_value)
            | ((*(const unaligned_block *)(second + at) & second_mask) ^ second_value);
        const flags equal = __builtin_convertvector(differs == 0, flags);
        uint64_t hits;
        memcpy(&hits, &equal, sizeof hits);
        for (; hits; hits &= hits - 1) {
            const size_t position = at + (size_t)__builtin_ctzll(hits);
            if (matches_at(literal, bytes + position)) return position;
        }
    }
#endif
    for (; at < end; at++) {
        if (matches_at(literal, bytes + at)) return at;
    }
    return count;
}

static size_t find_portable(const gv_literal *literal, const uint8_t *bytes, size_t end, size_t at, size_t count) {
    return find(literal, bytes, end, at, count);
}

#if defined(__x86_64__)
__attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt"))) static size_t find_avx2(
    const gv_literal *literal, const uint8_t *bytes, size_t end, size_t at, size_t count) {
    return find(literal, bytes, end, at, count);
}
#endif

size_t gv_literal_find(int32_t implementation, const gv_literal *literal, const uint8_t *bytes, size_t count, size_t from) {
    if (literal->count == 0 || literal->count > count || from > count - literal->count) return count;
    const size_t end = count - literal->count + 1;
#if defined(__x86_64__)
    if (implementation > 0 && gv_scan_implementations() > 1) return find_avx2(literal, bytes, end, from, count);
#else
    (void)implementation;
#endif
    return find_portable(literal, bytes, end, from, count);
}
