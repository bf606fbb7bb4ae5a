// The fast way with AVX2, and with carry-less multiplication for the prefix xor. Only called where the processor has both.
#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

#include "ScanInternal.h"

#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt,pclmul"))), apply_to = function)

typedef struct {
    uint64_t delimiter, quote, lf, cr;
} gv_masks;

typedef struct {
    __m256i delimiter, quote;
    uint64_t quote_on;
} gv_needles;

typedef struct {
    __m256i any, least;
} gv_census;

static inline gv_needles gv_needles_make(const gv_dialect *dialect) {
    return (gv_needles){
        _mm256_set1_epi8((char)dialect->delimiter), _mm256_set1_epi8((char)dialect->quote), dialect->has_quote ? ~(uint64_t)0 : 0};
}

static inline gv_census gv_census_make(void) { return (gv_census){_mm256_setzero_si256(), _mm256_set1_epi8(-1)}; }

static inline uint32_t gv_census_notes(const gv_census *census) {
    return (_mm256_movemask_epi8(census->any) ? GV_NOTE_HIGH : 0)
        | (_mm256_movemask_epi8(_mm256_cmpeq_epi8(census->least, _mm256_setzero_si256())) ? GV_NOTE_NUL : 0);
}

static inline uint64_t equal(__m256i low, __m256i high, __m256i needle) {
    return (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, needle))
        | (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(high, needle)) << 32;
}

static inline gv_masks gv_masks_of(const uint8_t *bytes, const gv_needles *needles, gv_census *census) {
    const __m256i low = _mm256_loadu_si256((const __m256i *)bytes);
    const __m256i high = _mm256_loadu_si256((const __m256i *)(bytes + 32));
    census->any = _mm256_or_si256(census->any, _mm256_or_si256(low, high));
    census->least = _mm256_min_epu8(census->least, _mm256_min_epu8(low, high));
    return (gv_masks){
        equal(low, high, needles->delimiter), equal(low, high, needles->quote) & needles->quote_on,
        equal(low, high, _mm256_set1_epi8('\n')), equal(low, high, _mm256_set1_epi8('\r'))};
}

// The product with all ones, without carries, is the prefix xor (Langdale and Lemire, 3.1.1).
static inline uint64_t gv_prefix_xor(uint64_t bits) {
    return (uint64_t)_mm_cvtsi128_si64(_mm_clmulepi64_si128(_mm_cvtsi64_si128((long long)bits), _mm_set1_epi8(-1), 0));
}

// The set bit number `number` (from 0), alone; 0 when there are not so many. PDEP does the same, but takes up to 250 cycles on Zen 1 and 2.
static inline uint64_t gv_nth_bit(uint64_t bits, uint32_t number) {
    if (number >= (uint32_t)__builtin_popcountll(bits)) return 0;
    for (; number; number--) bits &= bits - 1;
    return bits & -bits;
}

#include "ScanKernels.h"

#pragma clang attribute pop

const gv_scanner gv_scanner_avx2 = {"avx2", gv_span_fast, gv_select_fast, gv_record_fast, gv_counts_fast, gv_lines_fast};
#else
typedef int gv_scan_avx2_not_here;
#endif
