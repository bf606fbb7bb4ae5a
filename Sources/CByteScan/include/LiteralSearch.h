// Finding bytes in bytes, where of each byte only some bits may matter: so case can be left out of account.
#ifndef GRIDVIEW_LITERAL_SEARCH_H
#define GRIDVIEW_LITERAL_SEARCH_H

#include <stddef.h>
#include <stdint.h>

enum { GV_LITERAL_MAXIMUM = 32 };

// What to look for, prepared for searching.
typedef struct {
    uint8_t values[GV_LITERAL_MAXIMUM]; // a byte b is the one looked for when (b & care) == value
    uint8_t cares[GV_LITERAL_MAXIMUM];
    uint32_t count;  // 0: found nowhere
    uint32_t first;  // the places of the two rarest bytes, which are looked for at first; first ≤ second
    uint32_t second;
} gv_literal;

// Of more than GV_LITERAL_MAXIMUM bytes, only those around the rarest are looked for: what is found then need not hold them all.
// Which bytes are rare, the `sample` tells: some of the bytes that are to be searched. (value & ~care) has to be 0.
gv_literal gv_literal_make(const uint8_t *values, const uint8_t *cares, size_t count, const uint8_t *sample, size_t sample_count);

// The offset of the first place at `from` or after it where the literal stands in bytes[0 ..< count]; `count` when there is none.
// Implementations are those of gv_scan_span. O(count × GV_LITERAL_MAXIMUM / 8) at worst.
size_t gv_literal_find(int32_t implementation, const gv_literal *literal, const uint8_t *bytes, size_t count, size_t from);

#endif
