// Reads numbers of up to eight bytes, four at once, each in a 64-bit word (after D. Lemire, "Quickly parsing eight digits", 2018).
#include "FixedPoint.h"
#include "Loads.h"

#if defined(__x86_64__)
#include <immintrin.h>

GV_LOADS_WITHIN_PAGE __attribute__((target("avx2"))) static size_t
read_avx2(const gv_field *fields, size_t stride, size_t count, uint8_t separator, uint8_t digits, int64_t *numbers) {
    // Words end with the last digit of their number, so the decimal separator has the same bit offset in all words.
    const int point_bit = 8 * (7 - digits);
    const uint64_t before_point = digits ? ((uint64_t)1 << point_bit) - 1 : 0;
    const __m256i point = _mm256_set1_epi64x(digits ? (long long)((uint64_t)0xFF << point_bit) : 0);
    const __m256i before = _mm256_set1_epi64x((long long)before_point);
    const __m256i after = _mm256_set1_epi64x(digits ? (long long)~(before_point | (uint64_t)0xFF << point_bit) : -1);
    const __m256i points = _mm256_and_si256(point, _mm256_set1_epi8((char)(separator ^ 0x30)));
    // The maximum value of each byte, after the byte of the decimal separator has become 0.
    const __m256i allowed = _mm256_andnot_si256(point, _mm256_set1_epi8(9));
    const __m256i byte = _mm256_set1_epi64x(0xFF);
    // The minimum number of bytes without a minus: a digit and the fraction, or one digit.
    const __m256i fewest = _mm256_set1_epi64x(digits ? digits + 2 : 1);
    size_t done = 0;
    for (; done + 4 <= count; done += 4, fields += 4 * stride) {
        const gv_field a = fields[0], b = fields[stride], c = fields[2 * stride], d = fields[3 * stride];
        const int is_short =
            ((size_t)a.count - 1 < 8) & ((size_t)b.count - 1 < 8) & ((size_t)c.count - 1 < 8) & ((size_t)d.count - 1 < 8);
        const int is_loadable = (((uintptr_t)a.start & 4095) <= 4088) & (((uintptr_t)b.start & 4095) <= 4088)
            & (((uintptr_t)c.start & 4095) <= 4088) & (((uintptr_t)d.start & 4095) <= 4088);
        if (!(is_short & is_loadable)) break;
        const __m256i raw = _mm256_set_epi64x(
            (long long)gv_load_word(d.start), (long long)gv_load_word(c.start), (long long)gv_load_word(b.start),
            (long long)gv_load_word(a.start));
        const __m256i counts = _mm256_set_epi64x(d.count, c.count, b.count, a.count);
        const __m256i unused = _mm256_slli_epi64(_mm256_sub_epi64(_mm256_set1_epi64x(8), counts), 3);
        const __m256i minus = _mm256_cmpeq_epi64(_mm256_and_si256(raw, byte), _mm256_set1_epi64x('-'));
        // Bytes after the field are shifted out to the left, and the minus becomes a leading zero.
        __m256i word = _mm256_sllv_epi64(_mm256_xor_si256(raw, _mm256_set1_epi8(0x30)), unused);
        word = _mm256_andnot_si256(_mm256_sllv_epi64(_mm256_and_si256(minus, byte), unused), word);
        // Not 0 for each byte that is neither a digit nor the decimal separator.
        const __m256i others = _mm256_subs_epu8(_mm256_xor_si256(word, points), allowed);
        const __m256i lacking = _mm256_cmpgt_epi64(fewest, _mm256_add_epi64(counts, minus));
        if (!_mm256_testz_si256(_mm256_or_si256(others, lacking), _mm256_set1_epi8(-1))) break;
        word = _mm256_or_si256(_mm256_and_si256(word, after), _mm256_slli_epi64(_mm256_and_si256(word, before), 8));
        const __m256i hundreds = _mm256_maddubs_epi16(word, _mm256_set1_epi16(0x010A));
        const __m256i halves = _mm256_madd_epi16(hundreds, _mm256_set1_epi32(0x00010064));
        const __m256i value =
            _mm256_add_epi64(_mm256_mul_epu32(halves, _mm256_set1_epi64x(10000)), _mm256_srli_epi64(halves, 32));
        const __m256i number = _mm256_sub_epi64(_mm256_xor_si256(value, minus), minus);
        _mm256_storeu_si256((__m256i *)(numbers + done), number);
    }
    return done;
}
#endif

size_t gv_read_fixed(const gv_field *fields, size_t stride, size_t count, uint8_t separator, uint8_t digits, int64_t *numbers) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (digits <= 6 && __builtin_cpu_supports("avx2")) return read_avx2(fields, stride, count, separator, digits, numbers);
#endif
    (void)fields, (void)stride, (void)count, (void)separator, (void)digits, (void)numbers;
    return 0;
}
