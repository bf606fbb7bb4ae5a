// Copies JSON values without the blanks and line endings between their parts, so that each record becomes one line.
#include <string.h>

#include "JSONInternal.h"

// The first quote, backslash or control character.
static inline position find_special(position at, position end) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    while (end - at >= 8) {
        uint64_t word;
        memcpy(&word, at, 8);
        const uint64_t control = (word - 0x2020202020202020u) & ~word & 0x8080808080808080u;
        const uint64_t hits = zero_bytes(word ^ 0x2222222222222222u) | zero_bytes(word ^ 0x5c5c5c5c5c5c5c5cu) | control;
        if (hits) return at + (__builtin_ctzll(hits) >> 3);
        at += 8;
    }
#endif
    while (at < end && *at != '"' && *at != '\\' && *at >= 0x20) at++;
    return at;
}

static inline int is_word(uint8_t byte) {
    return byte != ',' && byte != ':' && byte != '{' && byte != '}' && byte != '[' && byte != ']';
}

// True if an array or object can begin after `last`.
static inline int can_begin(const gv_json_copy *state, uint8_t last) {
    if (state->depth == 0 || state->depth > state->limit) return 1;
    const int is_object = (state->objects[(state->depth - 1) >> 6] >> ((state->depth - 1) & 63)) & 1;
    return is_object ? last == ':' : last == '[' || last == ',';
}

// The number of blanks before `at` on its line; GV_JSON_NO_COLUMN if the line has another byte before `at`.
static inline uint32_t indent_at(const gv_json_copy *state, position bytes, position at) {
    position from = at;
    while (from > bytes && (from[-1] == ' ' || from[-1] == '\t')) from--;
    if (from > bytes) return from[-1] == '\n' || from[-1] == '\r' ? (uint32_t)(at - from) : GV_JSON_NO_COLUMN;
    return state->indent == GV_JSON_NO_COLUMN ? GV_JSON_NO_COLUMN : state->indent + (uint32_t)(at - from);
}

// True if only blanks precede `at` on its line, as many as precede the opening bracket of the value.
static inline int is_in_column(const gv_json_copy *state, position bytes, position at) {
    const uint32_t column = state->column;
    if (column == GV_JSON_NO_COLUMN) return 0;
    // Most lines begin in another column. Looking at one byte rules them out quickly.
    if ((size_t)(at - bytes) > column && at[-1 - (ptrdiff_t)column] != '\n' && at[-1 - (ptrdiff_t)column] != '\r') return 0;
    return indent_at(state, bytes, at) == column;
}

// Reads the bytes at the start of a line within a string, as long as they can be the start of the next value.
static inline position read_line_start(gv_json_copy *state, position at, position end) {
    for (; at < end && *at != '\n' && *at != '\r'; at++) {
        const int is_bracket = *at == '{' && state->line_start == GV_JSON_LINE_BLANK && state->indent == state->column;
        if (is_bracket) {
            state->line_start = GV_JSON_LINE_BRACKET;
        } else if (is_space(*at)) {
            state->indent++;
        } else {
            const int is_key = *at == '"' && state->line_start == GV_JSON_LINE_BRACKET;
            state->line_start = is_key ? GV_JSON_LINE_QUOTE : GV_JSON_LINE_OTHER;
            break;
        }
    }
    return at;
}

// True if the quote before `at`, which has closed a string, begins the first key of the next value.
static inline int begins_key(gv_json_copy *state, position at, position end) {
    if (at == end) return 0;
    const int is_key = state->line_start == GV_JSON_LINE_QUOTE && is_word(*at) && !is_space(*at);
    state->line_start = GV_JSON_LINE_OTHER;
    if (is_key) state->restart = GV_JSON_RESTART_IN_KEY;
    return is_key;
}

size_t gv_json_copy_value(gv_json_copy *state, const uint8_t *bytes, size_t count, uint8_t *out, size_t *written) {
    const position end = bytes + count;
    position at = bytes, copied = bytes; // bytes from `copied` are not written yet
    uint8_t *to = out;
    uint8_t last = state->last;
#define GV_FLUSH(until)                                  \
    do {                                                 \
        const size_t length = (size_t)((until)-copied);  \
        memcpy(to, copied, length);                      \
        to += length;                                    \
        copied = (until);                                \
    } while (0)
    if (state->in_string && state->line_start) at = read_line_start(state, at, end);
    if (!state->in_string && state->line_start && begins_key(state, at, end)) goto done;
    while (at < end) {
        if (state->in_string) {
            if (state->after_backslash) {
                state->after_backslash = 0;
                // A line ending after a backslash stays invalid.
                if (*at != '\n' && *at != '\r') {
                    at++;
                    continue;
                }
            }
            at = find_special(at, end);
            if (at == end) break;
            const uint8_t byte = *at++;
            if (byte == '"') {
                state->in_string = 0;
                last = '"';
                if (state->line_start && begins_key(state, at, end)) goto done;
            } else if (byte == '\\') {
                state->after_backslash = 1;
            } else if (byte == '\n' || byte == '\r') {
                // A line ending would end the record.
                GV_FLUSH(at - 1);
                copied = at;
                *to++ = '\\';
                *to++ = byte == '\n' ? 'n' : 'r';
                state->lines += byte == '\n';
                if (state->column != GV_JSON_NO_COLUMN) {
                    if (state->line_start != GV_JSON_LINE_BRACKET) {
                        state->line_start = GV_JSON_LINE_BLANK;
                        state->indent = 0;
                    }
                    at = read_line_start(state, at, end);
                }
            }
            continue;
        }
        const uint8_t byte = *at;
        if (is_space(byte)) {
            GV_FLUSH(at);
            do {
                state->lines += *at == '\n';
                at++;
            } while (at < end && is_space(*at));
            copied = at;
            if (is_word(last)) state->after_word_blank = 1;
            continue;
        }
        if (state->after_word_blank) {
            // Keeps a blank between two words, such as numbers, because the copy must not join them. Valid JSON has a separator between
            // words.
            if (is_word(byte)) *to++ = ' ';
            state->after_word_blank = 0;
        }
        const uint8_t before = last;
        last = byte;
        switch (byte) {
        case '"': state->in_string = 1; break;
        case '{':
        case '[':
            if (state->depth > 0 && is_in_column(state, bytes, at)) {
                if (!can_begin(state, before)) {
                    last = before;
                    state->restart = GV_JSON_RESTART_AT_BRACKET;
                    goto done;
                }
                state->has_bracket_in_column = 1;
            }
            if (state->depth < state->limit) {
                const uint64_t bit = 1ull << (state->depth & 63);
                if (byte == '{') {
                    state->objects[state->depth >> 6] |= bit;
                } else {
                    state->objects[state->depth >> 6] &= ~bit;
                }
            } else {
                state->is_too_deep = 1;
            }
            state->depth++;
            break;
        case '}':
        case ']':
            if (state->depth <= state->limit) {
                const int is_object = (state->objects[(state->depth - 1) >> 6] >> ((state->depth - 1) & 63)) & 1;
                if (is_object != (byte == '}')) {
                    state->error = byte;
                    goto done;
                }
            }
            if (byte == ']' && state->depth > 1 && is_in_column(state, bytes, at)) state->has_bracket_in_column = 1;
            state->depth--;
            if (state->depth == 0) {
                state->has_ended = 1;
                at++;
                goto done;
            }
            break;
        case '/':
        case '#':
        case '\'': state->error = byte; goto done;
        default: break;
        }
        at++;
    }
done:
    GV_FLUSH(at);
    state->last = last;
    if (!state->in_string) state->indent = indent_at(state, bytes, at);
    *written = state->is_silent ? 0 : (size_t)(to - out);
    return (size_t)(at - bytes);
#undef GV_FLUSH
}
