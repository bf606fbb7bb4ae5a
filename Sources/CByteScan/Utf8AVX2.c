// Validates UTF-8, 32 bytes at a time, after Keiser and Lemire, "Validating UTF-8 In Less Than One Instruction Per Byte" (Software:
// Practice and Experience, 2021). Each error is visible in two adjacent bytes, and so in three look-ups of four bits. The third and fourth
// bytes of sequences are checked separately: they must be where the lead bytes require them, and nowhere else.
#if defined(__x86_64__)
#include <immintrin.h>

#include "ScanInternal.h"

#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt,pclmul"))), apply_to = function)

enum {
    TOO_SHORT = 1,      // a lead byte, then no continuation
    TOO_LONG = 2,       // ASCII, then a continuation
    OVERLONG_3 = 4,     // E0 80..9F
    TOO_LARGE = 8,      // F4 90.. and beyond
    SURROGATE = 16,     // ED A0..BF
    OVERLONG_2 = 32,    // C0, C1
    TOO_LARGE_1000 = 64, // F5 and beyond, 80..8F
    OVERLONG_4 = 64,    // F0 80..8F
    TWO_CONTINUATIONS = 128,
    CARRY = TOO_SHORT | TOO_LONG | TWO_CONTINUATIONS,
};

#define TWICE(...) _mm256_setr_epi8(__VA_ARGS__, __VA_ARGS__)
#define B(bits) ((char)(bits))

static inline __m256i high_nibble(__m256i v) { return _mm256_and_si256(_mm256_srli_epi16(v, 4), _mm256_set1_epi8(0x0f)); }

static inline __m256i errors_of(__m256i input, __m256i previous) {
    const __m256i across = _mm256_permute2x128_si256(previous, input, 0x21);
    const __m256i before1 = _mm256_alignr_epi8(input, across, 15);
    const __m256i before2 = _mm256_alignr_epi8(input, across, 14);
    const __m256i before3 = _mm256_alignr_epi8(input, across, 13);
    const __m256i first_high = _mm256_shuffle_epi8(
        TWICE(
            TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, B(TWO_CONTINUATIONS),
            B(TWO_CONTINUATIONS), B(TWO_CONTINUATIONS), B(TWO_CONTINUATIONS), TOO_SHORT | OVERLONG_2, TOO_SHORT,
            TOO_SHORT | OVERLONG_3 | SURROGATE, TOO_SHORT | TOO_LARGE | TOO_LARGE_1000 | OVERLONG_4),
        high_nibble(before1));
    const __m256i first_low = _mm256_shuffle_epi8(
        TWICE(
            B(CARRY | OVERLONG_3 | OVERLONG_2 | OVERLONG_4), B(CARRY | OVERLONG_2), B(CARRY), B(CARRY), B(CARRY | TOO_LARGE),
            B(CARRY | TOO_LARGE | TOO_LARGE_1000), B(CARRY | TOO_LARGE | TOO_LARGE_1000), B(CARRY | TOO_LARGE | TOO_LARGE_1000),
            B(CARRY | TOO_LARGE | TOO_LARGE_1000), B(CARRY | TOO_LARGE | TOO_LARGE_1000), B(CARRY | TOO_LARGE | TOO_LARGE_1000),
            B(CARRY | TOO_LARGE | TOO_LARGE_1000), B(CARRY | TOO_LARGE | TOO_LARGE_1000),
            B(CARRY | TOO_LARGE | TOO_LARGE_1000 | SURROGATE), B(CARRY | TOO_LARGE | TOO_LARGE_1000),
            B(CARRY | TOO_LARGE | TOO_LARGE_1000)),
        _mm256_and_si256(before1, _mm256_set1_epi8(0x0f)));
    const __m256i second_high = _mm256_shuffle_epi8(
        TWICE(
            TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT,
            B(TOO_LONG | OVERLONG_2 | TWO_CONTINUATIONS | OVERLONG_3 | TOO_LARGE_1000 | OVERLONG_4),
            B(TOO_LONG | OVERLONG_2 | TWO_CONTINUATIONS | OVERLONG_3 | TOO_LARGE),
            B(TOO_LONG | OVERLONG_2 | TWO_CONTINUATIONS | SURROGATE | TOO_LARGE),
            B(TOO_LONG | OVERLONG_2 | TWO_CONTINUATIONS | SURROGATE | TOO_LARGE), TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT),
        high_nibble(input));
    const __m256i special = _mm256_and_si256(_mm256_and_si256(first_high, first_low), second_high);
    // 0x80 where a third or fourth byte is required.
    const __m256i third = _mm256_subs_epu8(before2, _mm256_set1_epi8(0xe0 - 0x80));
    const __m256i fourth = _mm256_subs_epu8(before3, _mm256_set1_epi8(0xf0 - 0x80));
    const __m256i due = _mm256_and_si256(_mm256_or_si256(third, fourth), _mm256_set1_epi8((char)0x80));
    return _mm256_xor_si256(due, special);
}

size_t gv_utf8_valid_avx2(const uint8_t *bytes, size_t begin, size_t count) {
    __m256i previous = _mm256_setzero_si256();
    size_t at = begin;
    // Errors are checked every 512 bytes, which limits the work after an error.
    while (count - at >= 32) {
        const size_t end = count - at >= 512 ? at + 512 : at + (count - at) / 32 * 32;
        __m256i errors = _mm256_setzero_si256();
        for (size_t i = at; i < end; i += 32) {
            const __m256i input = _mm256_loadu_si256((const __m256i *)(bytes + i));
            errors = _mm256_or_si256(errors, errors_of(input, previous));
            previous = input;
        }
        if (!_mm256_testz_si256(errors, errors)) break;
        at = end;
    }
    // The last sequence may be incomplete, so it is left for the next call.
    for (size_t back = 1; back <= 3 && at - begin >= back; back++) {
        const uint8_t byte = bytes[at - back];
        if (byte < 0x80) return at;
        if (byte >= 0xc0) return at - back;
    }
    return at;
}

#pragma clang attribute pop
#else
typedef int gv_utf8_avx2_not_here;
#endif
