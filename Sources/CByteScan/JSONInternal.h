// Declarations shared by the readers and the copier of JSON.
#ifndef GRIDVIEW_JSON_INTERNAL_H
#define GRIDVIEW_JSON_INTERNAL_H

#include "JSONFields.h"

typedef const uint8_t *position;

static inline int is_space(uint8_t byte) { return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r'; }

// The high bits of the bytes of a word that are zero. Only the lowest of them is certain.
static inline uint64_t zero_bytes(uint64_t word) { return (word - 0x0101010101010101u) & ~word & 0x8080808080808080u; }

#endif
