// Loops over many integers or doubles: conversion, comparison, packing.
#ifndef GV_TYPED_VALUES_H
#define GV_TYPED_VALUES_H

#include <stddef.h>
#include <stdint.h>

// Multiplies each value by `power`, and writes the nearest integer n. Returns 1 if n / `power` equals the value for all values, and if no
// value is -0.0 or exceeds `limit` / `power`. Otherwise returns 0, and some of `numbers` are undefined. `limit` is at most 2^51.
// `presence`: 0 for values to ignore; NULL to use all values.
int gv_scale_doubles(
    const double *values, const uint8_t *presence, size_t count, double power, double limit, int64_t *numbers);

// gv_select_doubles and gv_select_integers write the indices of the values in an interval to `found`, which has room for `count` indices,
// and return their number. With `is_inverted`, they write the indices of the other values.
//
// The interval of doubles is from `first` to `last`, inclusive; NaN is outside.
size_t gv_select_doubles(const double *values, size_t count, double first, double last, int is_inverted, uint32_t *found);
// The interval of integers is the `length` consecutive integers that start with `first`.
size_t gv_select_integers(const int64_t *values, size_t count, int64_t first, uint64_t length, int is_inverted, uint32_t *found);

// Finds the minimum and the maximum of at least one integer.
void gv_find_extremes(const uint64_t *values, size_t count, uint64_t *minimum, uint64_t *maximum);
// Writes each value minus `base` as an integer of `width` bytes: 1, 2, 4 or 8.
void gv_pack_distances(const uint64_t *values, size_t count, uint64_t base, unsigned width, void *distances);

#endif
