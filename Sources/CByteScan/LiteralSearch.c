// Many places at once are compared with two bytes of the literal (W. Muła, "SIMD-friendly algorithms for substring searching", 2016),
// the two that are rarest in a sample of the text rather than the first and the last. Where both fit, the others are compared eight at a
// time; as there are few of them, the time is linear whatever the text.
#include "LiteralSearch.h"

#include "ByteScan.h"

#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

gv_literal gv_literal_make(const uint8_t *values, const uint8_t *cares, size_t count, const uint8_t *sample, size_t sample_count) {
    gv_literal literal;
    memset(&literal, 0, sizeof literal);
    if (count == 0) return literal;
    if (count > 256) count = 256;
    size_t seen[256] = {0}, of_place[256];
    for (size_t i = 0; i < sample_count; i++) seen[sample[i]] += 1;
    size_t rarest = 0;
    for (size_t place = 0; place < count; place++) {
        of_place[place] = 0;
        for (int byte = 0; byte < 256; byte++) {
            if ((byte & cares[place]) == values[place]) of_place[place] += seen[byte];
        }
        if (of_place[place] < of_place[rarest]) rarest = place;
    }
    size_t begin = 0;
    if (count > GV_LITERAL_MAXIMUM) {
        const size_t half = GV_LITERAL_MAXIMUM / 2, last = count - GV_LITERAL_MAXIMUM;
        begin = rarest < half ? 0 : rarest - half > last ? last : rarest - half;
        count = GV_LITERAL_MAXIMUM;
    }
    memcpy(literal.values, values + begin, count);
    memcpy(literal.cares, cares + begin, count);
    literal.count = (uint32_t)count;
    rarest -= begin;
    // Another one, of equals the farthest: neighbours go together more often than not.
    size_t other = rarest;
    for (size_t place = 0; place < count; place++) {
        if (place == rarest) continue;
        const size_t here = of_place[begin + place], there = of_place[begin + other];
        const size_t distance = place > rarest ? place - rarest : rarest - place;
        const size_t known = other > rarest ? other - rarest : rarest - other;
        if (other == rarest || here < there || (here == there && distance > known)) other = place;
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

static inline int stands_at(const gv_literal *literal, const uint8_t *at) {
    uint32_t i = 0;
    for (; i + 8 <= literal->count; i += 8) {
        if ((word_at(at + i) & word_at(literal->cares + i)) != word_at(literal->values + i)) return 0;
    }
    for (; i < literal->count; i++) {
        if ((at[i] & literal->cares[i]) != literal->values[i]) return 0;
    }
    return 1;
}

// `end`: where the last place begins that has room for the literal, and one more.
static size_t find_portable(const gv_literal *literal, const uint8_t *bytes, size_t end, size_t at, size_t count) {
    const uint64_t ones = 0x0101010101010101u, low = 0x7f * ones;
    const uint64_t first_care = literal->cares[literal->first] * ones, first_value = literal->values[literal->first] * ones;
    const uint64_t second_care = literal->cares[literal->second] * ones, second_value = literal->values[literal->second] * ones;
    while (at < end) {
        size_t next = at + 1;
        if (end - at >= 8) {
            next = at + 8;
            const uint64_t differs = ((word_at(bytes + at + literal->first) & first_care) ^ first_value)
                | ((word_at(bytes + at + literal->second) & second_care) ^ second_value);
            // The high bit of each byte that differs in nothing.
            if (~(((differs & low) + low) | differs | low) == 0) {
                at = next;
                continue;
            }
        }
        for (; at < next; at++) {
            if (stands_at(literal, bytes + at)) return at;
        }
    }
    return count;
}

#if defined(__x86_64__)
static size_t find_sse2(const gv_literal *literal, const uint8_t *bytes, size_t end, size_t at, size_t count) {
    const __m128i first_care = _mm_set1_epi8((char)literal->cares[literal->first]);
    const __m128i first_value = _mm_set1_epi8((char)literal->values[literal->first]);
    const __m128i second_care = _mm_set1_epi8((char)literal->cares[literal->second]);
    const __m128i second_value = _mm_set1_epi8((char)literal->values[literal->second]);
    const uint8_t *first = bytes + literal->first, *second = bytes + literal->second;
    for (; end >= 16 && at <= end - 16; at += 16) {
        const __m128i a = _mm_and_si128(_mm_loadu_si128((const __m128i *)(first + at)), first_care);
        const __m128i b = _mm_and_si128(_mm_loadu_si128((const __m128i *)(second + at)), second_care);
        uint32_t places = (uint32_t)_mm_movemask_epi8(_mm_and_si128(_mm_cmpeq_epi8(a, first_value), _mm_cmpeq_epi8(b, second_value)));
        for (; places; places &= places - 1) {
            const size_t place = at + (size_t)__builtin_ctz(places);
            if (stands_at(literal, bytes + place)) return place;
        }
    }
    return find_portable(literal, bytes, end, at, count);
}

#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt"))), apply_to = function)

static size_t find_avx2(const gv_literal *literal, const uint8_t *bytes, size_t end, size_t at, size_t count) {
    const __m256i first_care = _mm256_set1_epi8((char)literal->cares[literal->first]);
    const __m256i first_value = _mm256_set1_epi8((char)literal->values[literal->first]);
    const __m256i second_care = _mm256_set1_epi8((char)literal->cares[literal->second]);
    const __m256i second_value = _mm256_set1_epi8((char)literal->values[literal->second]);
    const uint8_t *first = bytes + literal->first, *second = bytes + literal->second;
    for (; end >= 64 && at <= end - 64; at += 64) {
        const __m256i a = _mm256_and_si256(_mm256_loadu_si256((const __m256i *)(first + at)), first_care);
        const __m256i b = _mm256_and_si256(_mm256_loadu_si256((const __m256i *)(second + at)), second_care);
        const __m256i c = _mm256_and_si256(_mm256_loadu_si256((const __m256i *)(first + at + 32)), first_care);
        const __m256i d = _mm256_and_si256(_mm256_loadu_si256((const __m256i *)(second + at + 32)), second_care);
        const __m256i low = _mm256_and_si256(_mm256_cmpeq_epi8(a, first_value), _mm256_cmpeq_epi8(b, second_value));
        const __m256i high = _mm256_and_si256(_mm256_cmpeq_epi8(c, first_value), _mm256_cmpeq_epi8(d, second_value));
        const __m256i any = _mm256_or_si256(low, high);
        if (_mm256_testz_si256(any, any)) continue;
        uint64_t places = (uint64_t)(uint32_t)_mm256_movemask_epi8(low) | (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32;
        for (; places; places &= places - 1) {
            const size_t place = at + (size_t)__builtin_ctzll(places);
            if (stands_at(literal, bytes + place)) return place;
        }
    }
    return find_sse2(literal, bytes, end, at, count);
}

#pragma clang attribute pop
#endif

size_t gv_literal_find(int32_t implementation, const gv_literal *literal, const uint8_t *bytes, size_t count, size_t from) {
    if (literal->count == 0 || literal->count > count || from > count - literal->count) return count;
    const size_t end = count - literal->count + 1;
#if defined(__x86_64__)
    if (implementation >= 2 && gv_scan_implementations() > 2) return find_avx2(literal, bytes, end, from, count);
    if (implementation >= 1) return find_sse2(literal, bytes, end, from, count);
#else
    (void)implementation;
#endif
    return find_portable(literal, bytes, end, from, count);
}
