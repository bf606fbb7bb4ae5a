// Reads numbers of a few digits, several at once.
#ifndef GRIDVIEW_FIXED_POINT_H
#define GRIDVIEW_FIXED_POINT_H

#include <stddef.h>
#include <stdint.h>

// A field in memory, with the layout of FieldBytes.
typedef struct {
    const uint8_t *start;
    intptr_t count;
} gv_field;

// Reads numbers of up to 8 bytes from fields[0], fields[stride], ... A number is an optional `-` and digits. If `digits` > 0 (at most 6),
// the decimal separator is before the last `digits` digits. Stops before the first group of four with a field of another form, or with a
// field whose 8 bytes from its start cross a page boundary. Returns the number of fields read, a multiple of 4; 0 if the processor lacks
// AVX2.
size_t gv_read_fixed(const gv_field *fields, size_t stride, size_t count, uint8_t separator, uint8_t digits, int64_t *numbers);

#endif
