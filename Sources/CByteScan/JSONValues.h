// Values of JSON records: their ends and kinds. Included by the readers, so that calls are inlined.
#ifndef GRIDVIEW_JSON_VALUES_H
#define GRIDVIEW_JSON_VALUES_H

#include <string.h>

#include "JSONInternal.h"
#include "Loads.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

// Calls from the readers are inlined, so that values stay in registers.
#define GV_HOT __attribute__((always_inline)) static inline

typedef struct {
    const gv_json_tree *tree;
    gv_json_memory *memory;
    position bytes;
    position end;
    gv_json_value *out;
    gv_json_finding *findings;
    size_t capacity;
    size_t found;
    uint32_t notes;
    uint32_t undecided; // slots whose value is not known yet
    uint8_t is_trusted;
    uint8_t is_cut;
    uint8_t is_done;
    uint8_t is_at_end; // reading failed because the bytes end
} reader;

static inline position skip_space(position at, position end) {
    while (at < end && *at <= ' ' && is_space(*at)) at++;
    return at;
}

static inline int is_digit(uint8_t byte) { return (uint8_t)(byte - '0') < 10; }

static inline int hex_value(uint8_t byte) {
    if (is_digit(byte)) return byte - '0';
    byte |= 0x20;
    return byte >= 'a' && byte <= 'f' ? byte - 'a' + 10 : -1;
}

// The number of four hexadecimal digits; -1 for other bytes.
static inline int32_t hex_word(position at) {
    const int a = hex_value(at[0]), b = hex_value(at[1]), c = hex_value(at[2]), d = hex_value(at[3]);
    return (a | b | c | d) < 0 ? -1 : a << 12 | b << 8 | c << 4 | d;
}

static inline position fail_at_end(reader *read) {
    read->is_at_end = 1;
    return NULL;
}

#if defined(__SSE2__)
#define GV_HAS_BLOCKS

// True if 32 bytes can be loaded from `at`, which is before the end of a record: they are in the record, or within one page.
static inline int is_block(position at, position end) { return end - at >= 32 || ((uintptr_t)at & 4095) <= 4096 - 32; }

// A bit for each quote and backslash of a block.
GV_LOADS_WITHIN_PAGE static inline uint32_t quote_bits(position at) {
    const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\');
    const __m128i a = _mm_loadu_si128((const __m128i *)(const void *)at), b = _mm_loadu_si128((const __m128i *)(const void *)(at + 16));
    const int low = _mm_movemask_epi8(_mm_or_si128(_mm_cmpeq_epi8(a, quote), _mm_cmpeq_epi8(a, backslash)));
    const int high = _mm_movemask_epi8(_mm_or_si128(_mm_cmpeq_epi8(b, quote), _mm_cmpeq_epi8(b, backslash)));
    return (uint32_t)low | (uint32_t)high << 16;
}

// A bit for each digit of the first 16 bytes of a block.
GV_LOADS_WITHIN_PAGE static inline uint32_t digit_bits(position at) {
    const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
    const __m128i above = _mm_sub_epi8(bytes, _mm_set1_epi8('0'));
    return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(above, _mm_set1_epi8(9)), above));
}

// The position after up to 15 bytes of digits with at most one point, which start with a digit; NULL for all other values. 17 bytes can be
// loaded from `at`.
GV_LOADS_WITHIN_PAGE static inline position short_number_end(position at) {
    const uint32_t others = ~digit_bits(at);
    position after = at + __builtin_ctz(others);
    if (*after == '.') {
        const position point = after;
        after = at + __builtin_ctz(others & (others - 1));
        if (after == point + 1) return NULL;
    }
    return after < at + 16 ? after : NULL;
}
#endif

// The first quote or backslash.
static inline position find_quote(position at, position end) {
#if defined(GV_HAS_BLOCKS)
    while (at < end && is_block(at, end)) {
        const uint32_t hits = quote_bits(at);
        if (hits) {
            at += __builtin_ctz(hits);
            return at < end ? at : end;
        }
        at += 32;
    }
    if (at > end) return end;
#elif defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    while (end - at >= 8) {
        uint64_t word;
        memcpy(&word, at, 8);
        const uint64_t hits = zero_bytes(word ^ 0x2222222222222222u) | zero_bytes(word ^ 0x5c5c5c5c5c5c5c5cu);
        if (hits) return at + (__builtin_ctzll(hits) >> 3);
        at += 8;
    }
#endif
    while (at < end && *at != '"' && *at != '\\') at++;
    return at;
}

// The properties of a string.
enum { GV_HAS_ESCAPES = 1, GV_HAS_LONE_SURROGATE = 2 };

// The position after a surrogate pair. `at` is the position after the escape of its first surrogate, `code`. Returns `at` if the escape of
// a low surrogate does not follow.
static inline position surrogate_end(const reader *read, position at, int32_t code, int *escaped) {
    if (code < 0xdc00 && read->end - at >= 6 && at[0] == '\\' && at[1] == 'u') {
        const int32_t low = hex_word(at + 2);
        if (low >= 0xdc00 && low < 0xe000) return at + 6;
    }
    *escaped |= GV_HAS_LONE_SURROGATE;
    return at;
}

// The closing quote of the string whose content starts at `at`. `escaped` gets the properties of the string.
GV_HOT position string_end(reader *read, position at, int *escaped) {
    const position end = read->end;
    for (;;) {
        at = find_quote(at, end);
        if (at == end) return fail_at_end(read);
        if (*at == '"') return at;
        *escaped |= GV_HAS_ESCAPES;
        if (end - at < 2) return fail_at_end(read);
        switch (at[1]) {
        case '"': case '\\': case '/': case 'b': case 'f': case 'n': case 'r': case 't':
            at += 2;
            break;
        case 'u': {
            if (end - at < 6) return fail_at_end(read);
            const int32_t code = hex_word(at + 2);
            if (code < 0) return NULL;
            if (code < 0x80 && gv_json_is_plain((uint8_t)code)) read->notes |= GV_JSON_ODD_ESCAPE;
            at += 6;
            if (code >= 0xd800 && code < 0xe000) at = surrogate_end(read, at, code, escaped);
            break;
        }
        default: return NULL;
        }
    }
}

// True if a string, which is not empty, reads as a number: such as `77`, ` -1,234.5 ` or `+1e3`.
static int reads_as_number(position at, position end) {
    while (at < end && *at == ' ') at++;
    if (at < end && (*at == '-' || *at == '+')) at++;
    int digits = 0, points = 0;
    for (; at < end; at++) {
        if (is_digit(*at)) {
            digits = 1;
        } else if (*at == '.' && !points) {
            points = 1;
        } else if (*at != ',' || !digits || points) {
            break;
        }
    }
    if (!digits) return 0;
    if (at < end && (*at | 0x20) == 'e') {
        at++;
        if (at < end && (*at == '-' || *at == '+')) at++;
        if (at == end || !is_digit(*at)) return 0;
        while (at < end && is_digit(*at)) at++;
    }
    while (at < end && *at == ' ') at++;
    return at == end;
}

// True if a string with escapes reads as a number, such as `\u0037`.
static inline int escaped_reads_as_number(const reader *read, position at, position end) {
    const size_t count = (size_t)(end - at);
    // A number begins with a byte up to `9` or with a \u escape, because no other escape stands for a character of a number.
    if (count > GV_JSON_KEY || (*at == '\\' ? at[1] != 'u' : *at > '9')) return 0;
    uint8_t *text = read->memory->scratch;
    const size_t length = gv_json_unescape(at, count, text);
    return length > 0 && reads_as_number(text, text + length);
}

// The finding about the first number, or the first string that reads as a number; 0: nothing to report.
GV_HOT uint32_t new_kind(const reader *read, gv_json_value value, int has_numbers, int has_digits) {
    const position from = read->bytes + value.begin, end = read->bytes + value.end;
    if (value.kind == GV_JSON_TEXT) return !has_numbers && (is_digit(*from) || *from == '-') ? GV_JSON_NUMBER : 0;
    if (has_digits || value.kind < GV_JSON_STRING || value.begin == value.end) return 0;
    const int is_number =
        value.kind == GV_JSON_STRING ? *from <= '9' && reads_as_number(from, end) : escaped_reads_as_number(read, from, end);
    return is_number ? GV_JSON_DIGITS : 0;
}

static inline int is_delimiter(uint8_t byte) { return byte == ',' || byte == '}' || byte == ']' || is_space(byte); }

// The end of a number or a literal.
GV_HOT position scalar_end(reader *read, position at, uint32_t *kind) {
    const position end = read->end;
    *kind = GV_JSON_TEXT;
    static const struct { const char *text; size_t count; } words[] = {
        {"true", 4}, {"false", 5}, {"null", 4}, {"NaN", 3}, {"Infinity", 8}, {"-Infinity", 9},
    };
    const uint8_t first = *at;
#if defined(GV_HAS_BLOCKS)
    if (first != '0' && is_digit(first) && is_block(at, end)) {
        const position after = short_number_end(at);
        if (after && after < end && is_delimiter(*after)) return after;
    }
#endif
    if (!is_digit(first) && !(first == '-' && (end - at < 2 || at[1] != 'I'))) {
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
            if ((uint8_t)words[i].text[0] != first) continue;
            const size_t count = words[i].count, room = (size_t)(end - at);
            if (room < count) return memcmp(at, words[i].text, room) == 0 ? fail_at_end(read) : NULL;
            if (memcmp(at, words[i].text, count) != 0) return NULL;
            at += count;
            if (at < end && !is_delimiter(*at)) return NULL;
            if (i == 2) *kind = GV_JSON_NULL;
            return at;
        }
        return NULL;
    }
    if (*at == '-') at++;
    if (at == end) return fail_at_end(read);
    if (*at == '0') {
        at++;
    } else if (is_digit(*at)) {
        while (at < end && is_digit(*at)) at++;
    } else {
        return NULL;
    }
    if (at < end && *at == '.') {
        at++;
        if (at == end) return fail_at_end(read);
        if (!is_digit(*at)) return NULL;
        while (at < end && is_digit(*at)) at++;
    }
    if (at < end && (*at | 0x20) == 'e') {
        at++;
        if (at < end && (*at == '+' || *at == '-')) at++;
        if (at == end) return fail_at_end(read);
        if (!is_digit(*at)) return NULL;
        while (at < end && is_digit(*at)) at++;
    }
    return at == end || is_delimiter(*at) ? at : NULL;
}

// The end of the array or object at `at`, which is `depth` levels deep in the record.
position gv_json_container_end(reader *read, position at, uint32_t depth);

// The end of a value. `value` gets its range and kind.
GV_HOT position value_end(reader *read, position at, uint32_t depth, gv_json_value *value) {
    value->begin = (uint32_t)(at - read->bytes);
    position end;
    if (*at == '"') {
        int escaped = 0;
        value->begin++;
        end = string_end(read, at + 1, &escaped);
        if (!end) {
            value->kind = escaped ? GV_JSON_ESCAPED : GV_JSON_STRING;
            return NULL;
        }
        if (escaped & GV_HAS_LONE_SURROGATE) read->notes |= GV_JSON_LONE_SURROGATE;
        value->kind = escaped ? GV_JSON_ESCAPED : GV_JSON_STRING;
        value->end = (uint32_t)(end - read->bytes);
        return end + 1;
    }
    if (*at == '{' || *at == '[') {
        value->kind = GV_JSON_TEXT;
        end = gv_json_container_end(read, at, depth);
    } else {
        end = scalar_end(read, at, &value->kind);
    }
    if (end) value->end = (uint32_t)(end - read->bytes);
    return end;
}

// True if an object has no keys. `at` is after its bracket.
static inline int is_empty_object(const reader *read, position at) {
    at = skip_space(at, read->end);
    return at < read->end && *at == '}';
}

// Reads a record that differs from the pattern in its values only. Returns 0 for any other record.
//
// The bytes between the values equal those of a valid record with the same keys, so this record is valid if its values are valid.
int gv_json_read_by_pattern(reader *read);

// Reads two records as `gv_json_read_by_pattern` does. Each value must be found before the next one, so the processor reads one record
// while it waits for the other. Returns 0 if one of them does not match or ends near the end of a memory page; both must then be read
// again.
int gv_json_read_pair_by_pattern(reader *first, reader *second);

// Makes a completely read record the pattern, unless it has many bytes between two values.
void gv_json_learn_pattern(reader *read);

// Finds the value of `key` in a trusted record, which is an object at `start`, without reading the other keys. Returns the start of the
// value; NULL if the object does not have the key. Needs SSE2.
position gv_json_find_value(const reader *read, position start, position key, size_t key_count);

#endif
