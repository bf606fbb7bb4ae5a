// Finds a literal, a sequence of bytes. A mask selects the bits of each byte that are compared, so that case can be ignored.
#ifndef GRIDVIEW_LITERAL_SEARCH_H
#define GRIDVIEW_LITERAL_SEARCH_H

#include <stddef.h>
#include <stdint.h>

enum { GV_LITERAL_MAXIMUM = 32 };

// A literal, prepared for searching.
typedef struct {
    uint8_t values[GV_LITERAL_MAXIMUM]; // a byte b matches if (b & mask) == value
    uint8_t masks[GV_LITERAL_MAXIMUM];
    uint32_t count;  // the number of bytes; a literal without bytes is never found
    uint32_t first;  // the positions of the two rarest bytes, which are compared first; first ≤ second
    uint32_t second;
} gv_literal;

// If there are more than GV_LITERAL_MAXIMUM bytes, only the bytes around the rarest one are searched, so the other bytes of a match may
// differ. The frequency of bytes is estimated from `sample`, a part of the text to search. (value & ~mask) must be 0.
gv_literal gv_literal_make(const uint8_t *values, const uint8_t *masks, size_t count, const uint8_t *sample, size_t sample_count);

// The first offset at or after `from` where the literal occurs in bytes[0 ..< count]; `count` if it does not occur. `implementation`: as
// for gv_scan_span. At worst O(count × GV_LITERAL_MAXIMUM / 8).
size_t gv_literal_find(int32_t implementation, const gv_literal *literal, const uint8_t *bytes, size_t count, size_t from);

#endif
