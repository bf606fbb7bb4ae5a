// What one line is made of, in a single pass.

#include "ByteScan.h"

#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

gv_line gv_look_at_line(const uint8_t *bytes, size_t count, size_t at, uint8_t delimiter, int32_t quote) {
    // Without a quote, what is looked for instead is found where a CR is.
    const uint8_t other = quote < 0 ? 0x0d : (uint8_t)quote;
    gv_line line = {0, 0, 0, 0};
    size_t returns = 0, quotes = 0, i = 0;
#if defined(__SSE2__)
    const __m128i feed = _mm_set1_epi8(0x0a), ret = _mm_set1_epi8(0x0d);
    const __m128i mark = _mm_set1_epi8((char)other), edge = _mm_set1_epi8((char)delimiter);
    for (; line.length == 0 && i + 16 <= count; i += 16) {
        const __m128i block = _mm_loadu_si128((const __m128i *)(bytes + i));
        uint32_t r = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(block, ret));
        uint32_t q = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(block, mark));
        // Which of the sixteen bytes stand before `at`.
        const uint32_t before = at <= i ? 0 : at - i >= 16 ? 0xffff : (1u << (at - i)) - 1;
        if (before != 0) {
            const uint32_t d = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(block, edge)) & before;
            line.delimiters += (size_t)__builtin_popcount(d);
        }
        if (before != 0xffff) {
            const uint32_t f = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(block, feed)) & ~before;
            if (f != 0) {
                const uint32_t last = (uint32_t)__builtin_ctz(f);
                line.length = i + last + 1;
                r &= (1u << last) - 1;
                q &= (1u << last) - 1;
            }
        }
        if (r != 0) returns += (size_t)__builtin_popcount(r);
        quotes |= q;
    }
#endif
    for (; line.length == 0 && i < count; i++) {
        line.delimiters += i < at && bytes[i] == delimiter;
        if (i >= at && bytes[i] == 0x0a) line.length = i + 1;
        returns += bytes[i] == 0x0d;
        quotes |= bytes[i] == other;
    }
    // A CRLF ends a line as an LF does.
    line.has_return = returns > (size_t)(line.length > 1 && bytes[line.length - 2] == 0x0d);
    line.has_quote = quote >= 0 && quotes != 0;
    return line;
}
