// Writes values as fields of delimited text.
#include "ByteScan.h"

#include <string.h>

#if defined(__SSE2__)
#include <immintrin.h>

// A bit for each byte of a block that needs quotes.
static inline uint32_t quoted_bits(__m128i block, __m128i delimiter) {
    const __m128i quote = _mm_cmpeq_epi8(block, _mm_set1_epi8('"')), found = _mm_cmpeq_epi8(block, delimiter);
    const __m128i lf = _mm_cmpeq_epi8(block, _mm_set1_epi8('\n')), cr = _mm_cmpeq_epi8(block, _mm_set1_epi8('\r'));
    return (uint32_t)_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quote, found), _mm_or_si128(lf, cr)));
}

// Copies a value. Returns true if it needs quotes. The first and the last part of a value may overlap.
static inline int copy(const uint8_t *bytes, size_t count, uint8_t delimiter, uint8_t *out) {
    const __m128i wanted = _mm_set1_epi8((char)delimiter);
    if (count >= 16) {
        uint32_t found = 0;
        for (size_t at = 0;; at += 16) {
            if (at + 16 > count) at = count - 16;
            const __m128i block = _mm_loadu_si128((const __m128i *)(const void *)(bytes + at));
            _mm_storeu_si128((__m128i *)(void *)(out + at), block);
            found |= quoted_bits(block, wanted);
            if (at + 16 == count) return found != 0;
        }
    }
    if (count >= 8) {
        uint64_t first, last;
        memcpy(&first, bytes, 8);
        memcpy(&last, bytes + count - 8, 8);
        memcpy(out, &first, 8);
        memcpy(out + count - 8, &last, 8);
        return quoted_bits(_mm_set_epi64x((int64_t)last, (int64_t)first), wanted) != 0;
    }
    if (count >= 4) {
        uint32_t first, last;
        memcpy(&first, bytes, 4);
        memcpy(&last, bytes + count - 4, 4);
        memcpy(out, &first, 4);
        memcpy(out + count - 4, &last, 4);
        return (quoted_bits(_mm_set_epi32(0, 0, (int32_t)last, (int32_t)first), wanted) & 0xff) != 0;
    }
    if (count == 0) return 0;
    const uint8_t first = bytes[0], middle = bytes[count >> 1], last = bytes[count - 1];
    out[0] = first;
    out[count >> 1] = middle;
    out[count - 1] = last;
    const int32_t word = (int32_t)(first | (uint32_t)middle << 8 | (uint32_t)last << 16);
    return (quoted_bits(_mm_cvtsi32_si128(word), wanted) & 7) != 0;
}
#else
static inline int copy(const uint8_t *bytes, size_t count, uint8_t delimiter, uint8_t *out) {
    int found = 0;
    for (size_t i = 0; i < count; i++) {
        const uint8_t byte = bytes[i];
        out[i] = byte;
        found |= (byte == delimiter) | (byte == '"') | (byte == '\n') | (byte == '\r');
    }
    return found;
}
#endif

size_t gv_quote(const uint8_t *bytes, size_t count, uint8_t delimiter, int always, uint8_t *out) {
    if (!copy(bytes, count, delimiter, out) && !always) return count;
    uint8_t *to = out;
    *to++ = '"';
    for (size_t i = 0; i < count; i++) {
        *to++ = bytes[i];
        if (bytes[i] == '"') *to++ = '"';
    }
    *to++ = '"';
    return (size_t)(to - out);
}
