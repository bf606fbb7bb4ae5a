// The fast implementation with AVX-512: 64 bytes are one register, and comparisons give a mask. It is called only if the processor supports
// VBMI2 (Ice Lake, Zen 4 and later); these processors do not lower their clock for AVX-512.
#if defined(__x86_64__)
#include <immintrin.h>

#include "ScanInternal.h"

#pragma clang attribute push( \
    __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi2,avx2,bmi,bmi2,lzcnt,popcnt,pclmul"))), apply_to = function)

#define GV_LANES 64
#define GV_HAS_CLMUL
#define GV_HAS_PDEP
#define GV_HAS_LIST_BITS

// Writes the indices of the set bits, plus `first`, to `offsets`, which has room for 64. Returns their number.
static inline size_t gv_list_bits(uint64_t bits, uint16_t first, uint16_t *offsets) {
    const __m512i numbers = _mm512_set_epi8(
        63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32, 31,
        30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    const __m512i found = _mm512_maskz_compress_epi8(bits, numbers), base = _mm512_set1_epi16((short)first);
    const size_t count = (size_t)__builtin_popcountll(bits);
    _mm512_storeu_si512(offsets, _mm512_add_epi16(_mm512_cvtepu8_epi16(_mm512_castsi512_si256(found)), base));
    if (__builtin_expect(count > 32, 0)) {
        _mm512_storeu_si512(offsets + 32, _mm512_add_epi16(_mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64(found, 1)), base));
    }
    return count;
}

#include "ScanKernels.h"

#pragma clang attribute pop

const gv_scanner gv_scanner_avx512 = GV_SCANNER;
#else
typedef int gv_scan_avx512_not_here;
#endif
