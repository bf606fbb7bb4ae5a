// Escapes of JSON strings.
#include "JSONValues.h"

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
