// What one line is made of, in a single pass.

#include "ByteScan.h"

#include <string.h>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

gv_line gv_look_at_line(const uint8_t *bytes, size_t count, size_t at, uint8_t delimiter, int32_t quote) {
    // Without a quote, what is looked for instead is found where a CR is.
    const uint8_t other = quote < 0 ? 0x0d : (uint8_t)quote;
    gv_line line = {0, 0, 0, 0};
    size_t i = 0;
    uint32_t returns = 0, quotes = 0;
#if defined(__x86_64__)
    const __m128i feed = _mm_set1_epi8(0x0a), ret = _mm_set1_epi8(0x0d), zero = _mm_setzero_si128();
    const __m128i mark = _mm_set1_epi8((char)other), edge = _mm_set1_epi8((char)delimiter);
    __m128i all_returns = zero, all_quotes = zero, delimiters = zero;
    for (; i + 16 <= at && i + 16 <= count; i += 16) {
        const __m128i block = _mm_loadu_si128((const __m128i *)(bytes + i));
        all_returns = _mm_or_si128(all_returns, _mm_cmpeq_epi8(block, ret));
        all_quotes = _mm_or_si128(all_quotes, _mm_cmpeq_epi8(block, mark));
        const __m128i ones = _mm_sub_epi8(zero, _mm_cmpeq_epi8(block, edge));
        delimiters = _mm_add_epi64(delimiters, _mm_sad_epu8(ones, zero));
    }
    returns = (uint32_t)_mm_movemask_epi8(all_returns);
    quotes = (uint32_t)_mm_movemask_epi8(all_quotes);
    line.delimiters = (size_t)_mm_cvtsi128_si64(_mm_add_epi64(delimiters, _mm_unpackhi_epi64(delimiters, delimiters)));
    for (; line.length == 0 && i + 16 <= count; i += 16) {
        const __m128i block = _mm_loadu_si128((const __m128i *)(bytes + i));
        uint32_t r = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(block, ret));
        uint32_t q = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(block, mark));
        uint32_t f = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(block, feed));
        if (i < at) {
            const uint32_t before = (1u << (at - i)) - 1;
            line.delimiters += (size_t)__builtin_popcount((uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(block, edge)) & before);
            f &= ~before;
        }
        if (f != 0) {
            const uint32_t last = (uint32_t)__builtin_ctz(f);
            line.length = i + last + 1;
            r &= (1u << last) - 1;
            q &= (1u << last) - 1;
        }
        returns |= r;
        quotes |= q;
    }
#endif
    for (; line.length == 0 && i < count; i++) {
        line.delimiters += i < at && bytes[i] == delimiter;
        if (i >= at && bytes[i] == 0x0a) line.length = i + 1;
        returns |= bytes[i] == 0x0d;
        quotes |= bytes[i] == other;
    }
    if (returns != 0 && line.length != 0) {
        // A CRLF ends a line as an LF does.
        const size_t end = line.length - (line.length > 1 && bytes[line.length - 2] == 0x0d ? 2 : 1);
        line.has_return = end > 0 && memchr(bytes, 0x0d, end) != NULL;
    }
    line.has_quote = quote >= 0 && quotes != 0;
    return line;
}
