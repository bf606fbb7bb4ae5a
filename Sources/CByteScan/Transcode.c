#include "Transcode.h"

#include "ScanInternal.h"
#include "Utf8Sequence.h"

#include <string.h>

size_t gv_utf8_invalid_count(
    int32_t implementation, const uint8_t *bytes, size_t count, size_t readable, size_t *skip, size_t *first) {
    size_t at = *skip, invalid = 0;
    *first = count;
#if defined(__x86_64__)
    const int fast = implementation > 0 && gv_scan_implementations() > 1;
#else
    (void)implementation;
#endif
    while (at < count) {
        size_t end = count;
#if defined(__x86_64__)
        if (fast) {
            at = gv_utf8_valid_avx2(bytes, at, count);
            // The next 512 bytes have an error, or fewer bytes are left. These bytes are checked one by one.
            if (count - at > 600) end = at + 600;
        }
#endif
        while (at < end) {
            // Skip eight ASCII bytes at once.
            if (end - at >= 8) {
                uint64_t word;
                memcpy(&word, bytes + at, 8);
                if ((word & 0x8080808080808080u) == 0) {
                    at += 8;
                    continue;
                }
            }
            const int length = gv_utf8_sequence(bytes + at, readable - at);
            if (length < 0) {
                if (invalid == 0) *first = at;
                invalid += 1;
                at += (size_t)-length;
            } else {
                at += (size_t)length;
            }
        }
    }
    *skip = at - count;
    return invalid;
}

size_t gv_utf8_multibyte_count(const uint8_t *bytes, size_t count, size_t readable, size_t *first) {
    size_t found = 0;
    *first = count;
    for (size_t at = 0; at < count;) {
        const int length = bytes[at] < 0x80 ? 1 : gv_utf8_sequence(bytes + at, readable - at);
        if (length > 1) {
            if (found == 0) *first = at;
            found += 1;
        }
        at += (size_t)(length < 0 ? -length : length);
    }
    return found;
}

size_t gv_utf8_overhang(const uint8_t *bytes, size_t before, size_t readable) {
    if (before > 3) before = 3;
    // Start at the first byte of a sequence.
    while (before && (bytes[-(ptrdiff_t)before] & 0xc0) == 0x80) before -= 1;
    const uint8_t *at = bytes - before;
    while (at < bytes) {
        const int length = gv_utf8_sequence(at, (size_t)(bytes - at) + readable);
        at += length < 0 ? -length : length;
    }
    return (size_t)(at - bytes);
}

size_t gv_utf8_cut_length(const uint8_t *bytes, size_t count) {
    for (size_t back = 1; back <= 3 && back <= count; back++) {
        const uint8_t byte = bytes[count - back];
        if ((byte & 0xc0) == 0x80) continue;
        const size_t length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
        return length > back ? count - back : count;
    }
    return count;
}

int gv_has_non_ascii(const uint8_t *bytes, size_t count) {
    size_t at = 0;
    for (; count - at >= 8; at += 8) {
        uint64_t word;
        memcpy(&word, bytes + at, 8);
        if (word & 0x8080808080808080u) return 1;
    }
    for (; at < count; at++) {
        if (bytes[at] & 0x80) return 1;
    }
    return 0;
}

static uint8_t *put(uint32_t scalar, uint8_t *out) {
    if (scalar < 0x80) {
        *out++ = (uint8_t)scalar;
    } else if (scalar < 0x800) {
        *out++ = (uint8_t)(0xc0 | scalar >> 6);
        *out++ = (uint8_t)(0x80 | (scalar & 0x3f));
    } else if (scalar < 0x10000) {
        *out++ = (uint8_t)(0xe0 | scalar >> 12);
        *out++ = (uint8_t)(0x80 | (scalar >> 6 & 0x3f));
        *out++ = (uint8_t)(0x80 | (scalar & 0x3f));
    } else {
        *out++ = (uint8_t)(0xf0 | scalar >> 18);
        *out++ = (uint8_t)(0x80 | (scalar >> 12 & 0x3f));
        *out++ = (uint8_t)(0x80 | (scalar >> 6 & 0x3f));
        *out++ = (uint8_t)(0x80 | (scalar & 0x3f));
    }
    return out;
}

// The characters of the bytes 0x80 to 0x9f in Windows-1252 (encoding.spec.whatwg.org, index-windows-1252).
static const uint16_t windows1252_high[32] = {
    0x20ac, 0x0081, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0x008d, 0x017d, 0x008f,
    0x0090, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0x009d, 0x017e, 0x0178,
};

size_t gv_latin_to_utf8(const uint8_t *bytes, size_t count, int windows1252, uint8_t *out) {
    uint8_t *at = out;
    for (size_t i = 0; i < count; i++) {
        const uint8_t byte = bytes[i];
        at = put(windows1252 && byte >= 0x80 && byte < 0xa0 ? windows1252_high[byte - 0x80] : byte, at);
    }
    return (size_t)(at - out);
}

// Writes U+FFFD for an unpaired surrogate, or for a unit of which only one byte has arrived.
static uint8_t *put_unpaired(gv_utf16 *pending, uint8_t *at, const uint8_t *out) {
    if (pending->unpaired++ == 0) pending->first = (size_t)(at - out);
    return put(0xfffd, at);
}

size_t gv_utf16_to_utf8(gv_utf16 *pending, const uint8_t *bytes, size_t count, int big_endian, int is_last, uint8_t *out) {
    uint8_t *at = out;
    size_t i = 0;
    while (i < count) {
        uint8_t first, second;
        if (pending->has_odd_byte) {
            first = pending->odd_byte;
            second = bytes[i++];
            pending->has_odd_byte = 0;
        } else if (i + 1 < count) {
            first = bytes[i];
            second = bytes[i + 1];
            i += 2;
        } else {
            pending->odd_byte = bytes[i++];
            pending->has_odd_byte = 1;
            break;
        }
        const uint16_t unit = (uint16_t)(big_endian ? first << 8 | second : second << 8 | first);
        if (pending->high_surrogate) {
            const uint16_t high_surrogate = pending->high_surrogate;
            pending->high_surrogate = 0;
            if (unit >= 0xdc00 && unit < 0xe000) {
                at = put(0x10000 + ((uint32_t)(high_surrogate - 0xd800) << 10) + (unit - 0xdc00u), at);
                continue;
            }
            at = put_unpaired(pending, at, out);
        }
        if (unit >= 0xd800 && unit < 0xdc00) {
            pending->high_surrogate = unit;
        } else if (unit >= 0xdc00 && unit < 0xe000) {
            at = put_unpaired(pending, at, out);
        } else {
            at = put(unit, at);
        }
    }
    if (is_last && (pending->high_surrogate || pending->has_odd_byte)) {
        at = put_unpaired(pending, at, out);
        pending->high_surrogate = pending->has_odd_byte = 0;
    }
    return (size_t)(at - out);
}
