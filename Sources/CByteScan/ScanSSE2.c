// The fast way with SSE2, which every x86-64 processor has.
#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

#include "ScanInternal.h"

typedef struct {
    uint64_t delimiter, quote, lf, cr;
} gv_masks;

typedef struct {
    __m128i delimiter, quote;
    uint64_t quote_on;
} gv_needles;

typedef struct {
    __m128i any, least;
} gv_census;

static inline gv_needles gv_needles_make(const gv_dialect *dialect) {
    return (gv_needles){
        _mm_set1_epi8((char)dialect->delimiter), _mm_set1_epi8((char)dialect->quote), dialect->has_quote ? ~(uint64_t)0 : 0};
}

static inline gv_census gv_census_make(void) { return (gv_census){_mm_setzero_si128(), _mm_set1_epi8(-1)}; }

static inline uint32_t gv_census_notes(const gv_census *census) {
    return (_mm_movemask_epi8(census->any) ? GV_NOTE_HIGH : 0)
        | (_mm_movemask_epi8(_mm_cmpeq_epi8(census->least, _mm_setzero_si128())) ? GV_NOTE_NUL : 0);
}

static inline uint64_t equal(const __m128i v[4], __m128i needle) {
    uint64_t bits = 0;
    for (int i = 0; i < 4; i++) bits |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(v[i], needle)) << (16 * i);
    return bits;
}

static inline gv_masks gv_masks_of(const uint8_t *bytes, const gv_needles *needles, gv_census *census) {
    __m128i v[4];
    for (int i = 0; i < 4; i++) {
        v[i] = _mm_loadu_si128((const __m128i *)(bytes + 16 * i));
        census->any = _mm_or_si128(census->any, v[i]);
        census->least = _mm_min_epu8(census->least, v[i]);
    }
    return (gv_masks){
        equal(v, needles->delimiter), equal(v, needles->quote) & needles->quote_on, equal(v, _mm_set1_epi8('\n')),
        equal(v, _mm_set1_epi8('\r'))};
}

static inline uint64_t gv_prefix_xor(uint64_t bits) {
    for (int shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
    return bits;
}

// The set bit number `number` (from 0), alone; 0 when there are not so many.
static inline uint64_t gv_nth_bit(uint64_t bits, uint32_t number) {
    for (; number && bits; number--) bits &= bits - 1;
    return bits & -bits;
}

#include "ScanKernels.h"

const gv_scanner gv_scanner_sse2 = {"sse2", gv_span_fast, gv_select_fast, gv_record_fast, gv_counts_fast, gv_lines_fast};
#else
typedef int gv_scan_sse2_not_here;
#endif
