// The fast way with AVX-512: 64 bytes are one register, and comparing them gives a mask. Only called where the processor has VBMI2, as since Ice Lake
// and Zen 4; these do not lower their clock for it.
#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

#include "ScanInternal.h"

#pragma clang attribute push( \
    __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi2,avx2,bmi,bmi2,lzcnt,popcnt,pclmul"))), apply_to = function)

typedef struct {
    uint64_t delimiter, quote, lf, cr;
} gv_masks;

typedef struct {
    __m512i delimiter, quote;
    uint64_t quote_on;
} gv_needles;

typedef struct {
    __m512i any, least;
} gv_census;

static inline gv_needles gv_needles_make(const gv_dialect *dialect) {
    return (gv_needles){
        _mm512_set1_epi8((char)dialect->delimiter), _mm512_set1_epi8((char)dialect->quote), dialect->has_quote ? ~(uint64_t)0 : 0};
}

static inline gv_census gv_census_make(void) { return (gv_census){_mm512_setzero_si512(), _mm512_set1_epi8(-1)}; }

static inline uint32_t gv_census_notes(const gv_census *census) {
    return (_mm512_movepi8_mask(census->any) ? GV_NOTE_HIGH : 0)
        | (_mm512_testn_epi8_mask(census->least, census->least) ? GV_NOTE_NUL : 0);
}

static inline gv_masks gv_masks_of(const uint8_t *bytes, const gv_needles *needles, gv_census *census) {
    const __m512i all = _mm512_loadu_si512(bytes);
    census->any = _mm512_or_si512(census->any, all);
    census->least = _mm512_min_epu8(census->least, all);
    return (gv_masks){
        _mm512_cmpeq_epi8_mask(all, needles->delimiter), _mm512_cmpeq_epi8_mask(all, needles->quote) & needles->quote_on,
        _mm512_cmpeq_epi8_mask(all, _mm512_set1_epi8('\n')), _mm512_cmpeq_epi8_mask(all, _mm512_set1_epi8('\r'))};
}

// The product with all ones, without carries, is the prefix xor (Langdale and Lemire, 3.1.1).
static inline uint64_t gv_prefix_xor(uint64_t bits) {
    return (uint64_t)_mm_cvtsi128_si64(_mm_clmulepi64_si128(_mm_cvtsi64_si128((long long)bits), _mm_set1_epi8(-1), 0));
}

// The set bit number `number` (from 0), alone; 0 when there are not so many. PDEP is fast on all processors with VBMI2.
static inline uint64_t gv_nth_bit(uint64_t bits, uint32_t number) { return number < 64 ? _pdep_u64((uint64_t)1 << number, bits) : 0; }

// Writes the numbers of the set bits, `first` higher, to `places`, which has room for 64. Returns how many there are.
static inline size_t gv_list_bits(uint64_t bits, uint16_t first, uint16_t *places) {
    const __m512i numbers = _mm512_set_epi8(
        63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32, 31,
        30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    const __m512i found = _mm512_maskz_compress_epi8(bits, numbers), base = _mm512_set1_epi16((short)first);
    const size_t count = (size_t)__builtin_popcountll(bits);
    _mm512_storeu_si512(places, _mm512_add_epi16(_mm512_cvtepu8_epi16(_mm512_castsi512_si256(found)), base));
    if (__builtin_expect(count > 32, 0)) {
        _mm512_storeu_si512(places + 32, _mm512_add_epi16(_mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64(found, 1)), base));
    }
    return count;
}
#define GV_HAS_LIST_BITS

#include "ScanKernels.h"

#pragma clang attribute pop

const gv_scanner gv_scanner_avx512 = {"avx512", gv_span_fast, gv_select_fast, gv_record_fast, gv_counts_fast, gv_lines_fast};
#else
typedef int gv_scan_avx512_not_here;
#endif
