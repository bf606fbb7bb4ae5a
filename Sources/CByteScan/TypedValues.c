// Loops over many integers or doubles, which the compiler also translates for processors with AVX2.
#include "TypedValues.h"

#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

static int has_avx2(void) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2");
#else
    return 0;
#endif
}

// Adding this number rounds to an integer, because numbers of its size have no fraction digits. Correct for magnitudes up to 2^51.
static const double ROUNDER = 6755399441055744.0; // 1.5 * 2^52

#define SCALE                                                                                   \
    uint64_t rounder;                                                                           \
    memcpy(&rounder, &ROUNDER, 8);                                                              \
    for (size_t first = 0; first < count; first += 256) {                                       \
        const size_t end = count - first < 256 ? count : first + 256;                           \
        uint64_t failures = 0;                                                                  \
        for (size_t i = first; i < end; i++) {                                                  \
            const double value = values[i], product = value * power, sum = product + ROUNDER;   \
            const double rounded = sum - ROUNDER;                                               \
            uint64_t bits, integer;                                                             \
            memcpy(&bits, &value, 8);                                                           \
            memcpy(&integer, &sum, 8);                                                          \
            numbers[i] = (int64_t)(integer - rounder);                                          \
            const uint64_t is_equal = (product <= limit) & (product >= -limit) & (rounded / power == value); \
            const uint64_t failed = !is_equal | (bits == (uint64_t)1 << 63);                    \
            failures |= presence ? failed & (presence[i] != 0) : failed;                        \
        }                                                                                       \
        if (failures) return 0;                                                                 \
    }                                                                                           \
    return 1;

static int scale(
    const double *values, const uint8_t *presence, size_t count, double power, double limit, int64_t *numbers) { SCALE }

#if defined(__x86_64__)
__attribute__((target("avx2"))) static int scale_avx2(
    const double *values, const uint8_t *presence, size_t count, double power, double limit, int64_t *numbers) { SCALE }
#endif

int gv_scale_doubles(
    const double *values, const uint8_t *presence, size_t count, double power, double limit, int64_t *numbers) {
#if defined(__x86_64__)
    if (!presence && has_avx2()) return scale_avx2(values, 0, count, power, limit, numbers);
#endif
    return scale(values, presence, count, power, limit, numbers);
}

// Selection

#define APPEND(MASK)                                                                \
    for (unsigned mask = (MASK); mask; mask &= mask - 1) found[kept++] = (uint32_t)(i + (unsigned)__builtin_ctz(mask));

#if defined(__x86_64__)
__attribute__((target("avx2"))) static size_t select_doubles_avx2(
    const double *values, size_t count, double first, double last, int is_inverted, uint32_t *found, size_t *done) {
    const __m256d low = _mm256_set1_pd(first), high = _mm256_set1_pd(last);
    const unsigned flip = is_inverted ? 0xFFFF : 0;
    size_t i = 0, kept = 0;
    for (; i + 16 <= count; i += 16) {
        unsigned all = 0;
        for (unsigned k = 0; k < 4; k++) {
            const __m256d value = _mm256_loadu_pd(values + i + 4 * k);
            const __m256d is_inside = _mm256_and_pd(_mm256_cmp_pd(value, low, _CMP_GE_OQ), _mm256_cmp_pd(value, high, _CMP_LE_OQ));
            all |= (unsigned)_mm256_movemask_pd(is_inside) << (4 * k);
        }
        APPEND(all ^ flip)
    }
    *done = i;
    return kept;
}

__attribute__((target("avx2"))) static size_t select_integers_avx2(
    const int64_t *values, size_t count, int64_t first, uint64_t length, int is_inverted, uint32_t *found, size_t *done) {
    const __m256i start = _mm256_set1_epi64x(first), sign = _mm256_set1_epi64x(INT64_MIN);
    const __m256i limit = _mm256_set1_epi64x((long long)(length ^ (uint64_t)INT64_MIN));
    const unsigned flip = is_inverted ? 0xFFFF : 0;
    size_t i = 0, kept = 0;
    for (; i + 16 <= count; i += 16) {
        unsigned all = 0;
        for (unsigned k = 0; k < 4; k++) {
            const __m256i value = _mm256_loadu_si256((const __m256i *)(values + i + 4 * k));
            const __m256i distance = _mm256_xor_si256(_mm256_sub_epi64(value, start), sign);
            all |= (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpgt_epi64(limit, distance))) << (4 * k);
        }
        APPEND(all ^ flip)
    }
    *done = i;
    return kept;
}
#endif

size_t gv_select_doubles(const double *values, size_t count, double first, double last, int is_inverted, uint32_t *found) {
    size_t i = 0, kept = 0;
#if defined(__x86_64__)
    if (has_avx2()) kept = select_doubles_avx2(values, count, first, last, is_inverted, found, &i);
#endif
    for (; i < count; i++) {
        found[kept] = (uint32_t)i;
        kept += ((values[i] >= first) & (values[i] <= last)) != (is_inverted != 0);
    }
    return kept;
}

size_t gv_select_integers(const int64_t *values, size_t count, int64_t first, uint64_t length, int is_inverted, uint32_t *found) {
    size_t i = 0, kept = 0;
#if defined(__x86_64__)
    if (has_avx2()) kept = select_integers_avx2(values, count, first, length, is_inverted, found, &i);
#endif
    for (; i < count; i++) {
        found[kept] = (uint32_t)i;
        kept += ((uint64_t)values[i] - (uint64_t)first < length) != (is_inverted != 0);
    }
    return kept;
}

// Packing

#define EXTREMES                                                \
    uint64_t low = UINT64_MAX, high = 0;                        \
    for (size_t i = 0; i < count; i++) {                        \
        low = values[i] < low ? values[i] : low;                \
        high = values[i] > high ? values[i] : high;             \
    }                                                           \
    *minimum = low;                                             \
    *maximum = high;

#define PACK(TYPE)                                                                          \
    {                                                                                       \
        TYPE *to = distances;                                                               \
        for (size_t i = 0; i < count; i++) to[i] = (TYPE)(values[i] - base);                \
        break;                                                                              \
    }
#define PACK_ALL                          \
    switch (width) {                      \
    case 1: PACK(uint8_t)                 \
    case 2: PACK(uint16_t)                \
    case 4: PACK(uint32_t)                \
    default: PACK(uint64_t)               \
    }

static void find_extremes(const uint64_t *values, size_t count, uint64_t *minimum, uint64_t *maximum) { EXTREMES }
static void pack(const uint64_t *restrict values, size_t count, uint64_t base, unsigned width, void *restrict distances) { PACK_ALL }

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void find_extremes_avx2(
    const uint64_t *values, size_t count, uint64_t *minimum, uint64_t *maximum) { EXTREMES }
__attribute__((target("avx2"))) static void pack_avx2(
    const uint64_t *restrict values, size_t count, uint64_t base, unsigned width, void *restrict distances) { PACK_ALL }
#endif

void gv_find_extremes(const uint64_t *values, size_t count, uint64_t *minimum, uint64_t *maximum) {
#if defined(__x86_64__)
    if (has_avx2()) {
        find_extremes_avx2(values, count, minimum, maximum);
        return;
    }
#endif
    find_extremes(values, count, minimum, maximum);
}

void gv_pack_distances(const uint64_t *values, size_t count, uint64_t base, unsigned width, void *distances) {
#if defined(__x86_64__)
    if (has_avx2()) {
        pack_avx2(values, count, base, width, distances);
        return;
    }
#endif
    pack(values, count, base, width, distances);
}
