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
            } else if (byte == '\\') {
                state->after_backslash = 1;
            } else if (byte == '\n' || byte == '\r') {
                // A line ending would end the record.
                GV_FLUSH(at - 1);
                copied = at;
                *to++ = '\\';
                *to++ = byte == '\n' ? 'n' : 'r';
                state->lines += byte == '\n';
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
            // Keeps a blank between two words, such as numbers, that have no separator. A blank that is not needed does not change the
            // values.
            if (is_word(byte)) *to++ = ' ';
            state->after_word_blank = 0;
        }
        last = byte;
        switch (byte) {
        case '"': state->in_string = 1; break;
        case '{':
        case '[':
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
    *written = state->is_silent ? 0 : (size_t)(to - out);
    return (size_t)(at - bytes);
#undef GV_FLUSH
}
