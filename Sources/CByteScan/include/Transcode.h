// Text encodings: validation of UTF-8, and conversion of other encodings to it.
#ifndef GRIDVIEW_TRANSCODE_H
#define GRIDVIEW_TRANSCODE_H

#include <stddef.h>
#include <stdint.h>

// The number of ill-formed sequences (maximal subparts, as in Unicode 15, 3.9) that start in bytes[0 ..< count]. `readable` ≥ count bytes
// may be read. `skip` is the number of bytes at the start that belong to a sequence begun before; the function sets it for the bytes that
// follow. `first`: offset of the first ill-formed sequence, or count. `implementation`: as for gv_scan_span.
size_t gv_utf8_invalid_count(
    int32_t implementation, const uint8_t *bytes, size_t count, size_t readable, size_t *skip, size_t *first);

// The number of well-formed sequences of two or more bytes that start in bytes[0 ..< count]. `readable` ≥ count bytes may be read. `first`:
// offset of the first such sequence, or count.
size_t gv_utf8_multibyte_count(const uint8_t *bytes, size_t count, size_t readable, size_t *first);

// The number of bytes at the start of `bytes` that belong to a sequence that starts in the three bytes before.
size_t gv_utf8_overhang(const uint8_t *bytes, size_t before, size_t readable);

// The greatest length ≤ count at which the text can be cut without dividing a sequence.
size_t gv_utf8_cut_length(const uint8_t *bytes, size_t count);

// True if any byte is ≥ 0x80.
int gv_has_non_ascii(const uint8_t *bytes, size_t count);

// Converts ISO 8859-1, or Windows-1252 (its five unassigned bytes become C1 controls, as in browsers), to UTF-8. `out` has room for 3 ×
// count. Returns the number of bytes written.
size_t gv_latin_to_utf8(const uint8_t *bytes, size_t count, int windows1252, uint8_t *out);

// The state of a conversion from UTF-16 to UTF-8 in chunks. It keeps an incomplete unit or surrogate between calls; initialize it to 0.
typedef struct {
    uint8_t odd_byte;
    uint8_t has_odd_byte;
    uint16_t high_surrogate; // a high surrogate that waits for its low surrogate; 0: not waiting
    uint64_t unpaired; // the number of unpaired surrogates and of incomplete units at the end; each becomes U+FFFD
    size_t first;      // the offset of the first such U+FFFD in the output of the call that wrote it
} gv_utf16;

// Converts a chunk, and returns the number of bytes written. `out` has room for 3 × (count / 2 + 2). `is_last`: no chunk follows, so an
// incomplete sequence is written as U+FFFD.
size_t gv_utf16_to_utf8(gv_utf16 *pending, const uint8_t *bytes, size_t count, int big_endian, int is_last, uint8_t *out);

#endif
