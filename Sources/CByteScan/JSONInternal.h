// Declarations shared by the readers and the copier of JSON.
#ifndef GRIDVIEW_JSON_INTERNAL_H
#define GRIDVIEW_JSON_INTERNAL_H

#include "JSONFields.h"

typedef const uint8_t *position;

static inline int is_space(uint8_t byte) { return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r'; }

// Sets the high bit of each byte of a word that is zero. Only the lowest set bit is certain; higher ones can be false matches.
static inline uint64_t zero_bytes(uint64_t word) { return (word - 0x0101010101010101u) & ~word & 0x8080808080808080u; }

#endif
