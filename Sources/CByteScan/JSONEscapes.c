// Escapes of JSON strings.
#include "JSONValues.h"
#include "Utf8Sequence.h"

int gv_json_is_plain(uint8_t byte) {
    const uint8_t letter = byte | 0x20;
    if ((letter >= 'a' && letter <= 'z') || (byte >= '0' && byte <= '9')) return 1;
    return byte == ' ' || byte == '-' || byte == '_' || byte == '.' || byte == ',' || byte == ':' || byte == ';' || byte == '@';
}

static uint8_t *put_code(uint8_t *out, uint32_t code) {
    if (code < 0x80) {
        *out++ = (uint8_t)code;
    } else if (code < 0x800) {
        *out++ = (uint8_t)(0xc0 | code >> 6);
        *out++ = (uint8_t)(0x80 | (code & 63));
    } else if (code < 0x10000) {
        *out++ = (uint8_t)(0xe0 | code >> 12);
        *out++ = (uint8_t)(0x80 | (code >> 6 & 63));
        *out++ = (uint8_t)(0x80 | (code & 63));
    } else {
        *out++ = (uint8_t)(0xf0 | code >> 18);
        *out++ = (uint8_t)(0x80 | (code >> 12 & 63));
        *out++ = (uint8_t)(0x80 | (code >> 6 & 63));
        *out++ = (uint8_t)(0x80 | (code & 63));
    }
    return out;
}

size_t gv_json_unescape(const uint8_t *bytes, size_t count, uint8_t *out) {
    const position end = bytes + count;
    uint8_t *to = out;
    position at = bytes;
    while (at < end) {
        const uint8_t *next = memchr(at, '\\', (size_t)(end - at));
        const size_t plain = (size_t)((next ? next : end) - at);
        memcpy(to, at, plain);
        to += plain;
        at += plain;
        if (end - at < 2) break;
        uint8_t letter = at[1];
        at += 2;
        switch (letter) {
        case 'b': *to++ = '\b'; continue;
        case 'f': *to++ = '\f'; continue;
        case 'n': *to++ = '\n'; continue;
        case 'r': *to++ = '\r'; continue;
        case 't': *to++ = '\t'; continue;
        case 'u': break;
        default: *to++ = letter; continue;
        }
        if (end - at < 4) break;
        int32_t code = hex_word(at);
        at += 4;
        if (code >= 0xd800 && code < 0xdc00) {
            const int32_t low = end - at >= 6 && at[0] == '\\' && at[1] == 'u' ? hex_word(at + 2) : -1;
            if (low >= 0xdc00 && low < 0xe000) {
                code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
                at += 6;
            }
        }
        to = put_code(to, code < 0 || (code >= 0xd800 && code < 0xe000) ? 0xfffd : (uint32_t)code);
    }
    return (size_t)(to - out);
}

#if defined(__SSE2__)
enum { BLOCK = 16 };

// Copies a block, and returns the number of its bytes before the first one that may need an escape or is not ASCII.
GV_LOADS_WITHIN_PAGE static inline size_t copy_plain(position at, uint8_t *to) {
    const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
    _mm_storeu_si128((__m128i *)(void *)to, bytes);
    // As signed bytes, 0x80 to 0xff are negative, so they are also below the space.
    const __m128i low = _mm_cmplt_epi8(bytes, _mm_set1_epi8(' ')), del = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(0x7f));
    const __m128i quote = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')), backslash = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
    const int others = _mm_movemask_epi8(_mm_or_si128(_mm_or_si128(low, del), _mm_or_si128(quote, backslash)));
    return (size_t)__builtin_ctz((unsigned)others | 1u << BLOCK);
}
#else
enum { BLOCK = 8 };

GV_LOADS_WITHIN_PAGE static inline size_t copy_plain(position at, uint8_t *to) {
    const uint64_t word = gv_load_word(at), tops = 0x8080808080808080u;
    memcpy(to, &word, sizeof word);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    const uint64_t low = (word - 0x2020202020202020u) & ~word & tops, high = (((word & ~tops) + 0x0101010101010101u) | word) & tops;
    const uint64_t others = low | high | zero_bytes(word ^ 0x2222222222222222u) | zero_bytes(word ^ 0x5c5c5c5c5c5c5c5cu);
    return others ? (size_t)__builtin_ctzll(others) >> 3 : BLOCK;
#else
    return 0;
#endif
}
#endif

// The code of a control character of several bytes: C1, or one that changes the direction of text (Bidi_Control). 0 for other characters.
static inline uint32_t long_control(position at, int length) {
    if (length == 2) {
        const uint32_t code = (uint32_t)(at[0] & 0x1f) << 6 | (at[1] & 0x3f);
        return code < 0xa0 || code == 0x61c ? code : 0;
    }
    if (length != 3 || at[0] != 0xe2) return 0;
    const uint32_t code = 0x2000 | (uint32_t)(at[1] & 0x3f) << 6 | (at[2] & 0x3f);
    const int is_control = code == 0x200e || code == 0x200f || (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
    return is_control ? code : 0;
}

static inline uint8_t *put_control(uint32_t code, int form, uint8_t *to) {
    if (form == GV_JSON_OUTSIDE_STRINGS) {
        *to++ = ' ';
        return to;
    }
    *to++ = '\\';
    switch (code) {
    case '\n': *to++ = 'n'; return to;
    case '\r': *to++ = 'r'; return to;
    case '\t': *to++ = 't'; return to;
    default: break;
    }
    *to++ = 'u';
    for (int shift = 12; shift >= 0; shift -= 4) *to++ = (uint8_t)"0123456789abcdef"[code >> shift & 15];
    return to;
}

// Writes one character, with an escape if it needs one, and moves `at` to its end.
static inline uint8_t *put_character(position *at, position end, int form, uint8_t *to) {
    const uint8_t byte = **at;
    if (byte < 0x80) {
        *at += 1;
        if (byte < ' ' || byte == 0x7f) return put_control(byte, form, to);
        if (form == GV_JSON_UNESCAPED && (byte == '"' || byte == '\\')) *to++ = '\\';
        *to++ = byte;
        return to;
    }
    const int length = gv_utf8_sequence(*at, (size_t)(end - *at));
    if (length < 0) {
        *at += -length;
        return put_code(to, 0xfffd);
    }
    const uint32_t control = long_control(*at, length);
    if (control) {
        to = put_control(control, form, to);
    } else {
        for (int i = 0; i < length; i++) *to++ = (*at)[i];
    }
    *at += length;
    return to;
}

size_t gv_json_escape(const uint8_t *bytes, size_t count, int form, uint8_t *out, size_t room, size_t *written) {
    _Static_assert(GV_JSON_ESCAPE_ROOM >= BLOCK + 6, "room for a block and an escape");
    const position end = bytes + count;
    const uint8_t *const limit = out + room - GV_JSON_ESCAPE_ROOM;
    position at = bytes;
    uint8_t *to = out;
    while (at < end && to <= limit) {
        // A block can be loaded if it is within the text or within one page.
        if (end - at >= BLOCK || ((uintptr_t)at & 4095) <= 4096 - BLOCK) {
            const size_t plain = copy_plain(at, to), left = (size_t)(end - at), copied = plain < left ? plain : left;
            at += copied;
            to += copied;
            if (copied == BLOCK || at == end) continue;
        }
        // In many languages, several characters of more than one byte follow each other.
        do {
            to = put_character(&at, end, form, to);
        } while (at < end && *at >= 0x80 && to <= limit);
    }
    *written = (size_t)(to - out);
    return (size_t)(at - bytes);
}
