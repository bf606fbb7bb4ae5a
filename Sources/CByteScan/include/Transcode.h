// Encodings of text: validation of UTF-8, and the way from others to it.
#ifndef GRIDVIEW_TRANSCODE_H
#define GRIDVIEW_TRANSCODE_H

#include <stddef.h>
#include <stdint.h>

// The number of ill-formed sequences (maximal subparts, as in Unicode 15, 3.9) that begin in bytes[0 ..< count], of which `readable`
// bytes may be looked at. `skip`: in, how many bytes at the start belong to a sequence begun before; out, the same for what follows.
// `first`: offset of the first ill-formed one, count when there is none. `implementation`: as for gv_scan_span.
size_t gv_utf8_invalid(
    int32_t implementation, const uint8_t *bytes, size_t count, size_t readable, size_t *skip, size_t *first);

// The number of well-formed sequences of two and more bytes that begin in bytes[0 ..< count], of which `readable` bytes may be looked at.
// `first`: offset of the first, count when there is none.
size_t gv_utf8_multibyte(const uint8_t *bytes, size_t count, size_t readable, size_t *first);

// How many bytes at the start of `bytes` belong to a sequence that began in the up to three bytes before it.
size_t gv_utf8_overhang(const uint8_t *bytes, size_t before, size_t readable);

// The greatest length ≤ count at which the text can be cut without cutting a sequence in two.
size_t gv_utf8_cut(const uint8_t *bytes, size_t count);

// Whether any byte is ≥ 0x80.
int gv_has_high(const uint8_t *bytes, size_t count);

// Latin-1, or Windows-1252 (its five unassigned bytes become the C1 controls, as browsers have it), to UTF-8.
// `out` has room for 3 × count; returns how many were written.
size_t gv_latin_to_utf8(const uint8_t *bytes, size_t count, int windows1252, uint8_t *out);

// UTF-16 to UTF-8, a piece at a time. `pending` keeps an unfinished unit or surrogate between calls, all 0 at first.
typedef struct {
    uint8_t odd_byte;
    uint8_t has_odd;
    uint16_t high; // a high surrogate that waits for its partner; 0 none
    uint64_t unpaired; // surrogates without partner so far; each becomes U+FFFD
} gv_utf16;

// `out` has room for 3 × (count / 2 + 2). `last`: nothing follows, so what is pending is written as U+FFFD.
size_t gv_utf16_to_utf8(gv_utf16 *pending, const uint8_t *bytes, size_t count, int big_endian, int last, uint8_t *out);

#endif
