// Functions that decode columns of packed integers. Every input buffer must have 16 readable bytes after its end.
#ifndef CCOLUMNS_H
#define CCOLUMNS_H

#include <stddef.h>
#include <stdint.h>

// Runs of repeated values and of bit-packed values, as in Parquet ("RLE/bit-packing hybrid"). A copy of the struct saves the position.
typedef struct {
    const uint8_t *next, *end;  // the bytes after the current run
    const uint8_t *packed;      // the current bit-packed run
    size_t bit;                 // the index of the next bit in `packed`
    size_t repeats;             // the number of values left in the current run
    uint32_t value;             // the repeated value
    uint8_t width;              // bits of a value, 0 to 32
    uint8_t is_packed;
    uint8_t is_big_endian;      // the deprecated encoding BIT_PACKED: one run, most significant bits first
} gv_runs;

// Starts reading runs. If the width is 0, all values are 0, and their number is unlimited.
void gv_runs_start(gv_runs *runs, const uint8_t *input, size_t count, unsigned width);
// Starts reading the deprecated encoding BIT_PACKED.
void gv_runs_start_packed(gv_runs *runs, const uint8_t *input, size_t count, unsigned width);
// Reads `count` values, and returns the number of values read: fewer at the end of the input.
size_t gv_runs_read(gv_runs *runs, uint32_t *values, size_t count);
// Reads values of at most 8 bits like gv_runs_read. Larger values are truncated.
size_t gv_runs_read_bytes(gv_runs *runs, uint8_t *values, size_t count);
size_t gv_runs_skip(gv_runs *runs, size_t count);

// Differences of integers in blocks, as in Parquet (DELTA_BINARY_PACKED). A copy of the struct saves the position.
typedef struct {
    const uint8_t *next, *end;  // the bytes after the current miniblock
    const uint8_t *widths;      // the widths of the miniblocks of the current block
    const uint8_t *packed;      // the current miniblock
    size_t bit;                 // the index of the next bit in `packed`
    uint64_t values_left;       // the number of values left
    uint64_t miniblock_values_left; // the number of values left in the current miniblock
    uint64_t values_per_miniblock;  // the number of values in a miniblock
    uint64_t value;             // the previous value, or the first one
    uint64_t minimum;           // the smallest difference of the block
    uint32_t miniblocks;        // the number of miniblocks in a block
    uint32_t miniblock;         // the number of the next miniblock
    uint8_t width;              // bits of a difference
    uint8_t has_started;        // the first value was read
} gv_deltas;

// Starts reading differences. Returns 0 if the header is not valid.
int gv_deltas_start(gv_deltas *deltas, const uint8_t *input, size_t count);
// Reads `count` values, and returns the number of values read. `values` may be NULL. After the last value, `next` is the end of the data.
size_t gv_deltas_read(gv_deltas *deltas, int64_t *values, size_t count);

// Sets each byte to 1 if the level is `present`, otherwise to 0. Returns the number of ones. Input and output may be the same buffer.
size_t gv_mark_present(const uint8_t *levels, uint8_t present, uint8_t *presence, size_t count);
// Moves the first `present` values to the indices whose presence is 1, in order and within the same buffer. Each value has `bytes` bytes:
// 1, 4, 8 or 16.
void gv_spread_present(void *values, unsigned bytes, const uint8_t *presence, size_t count, size_t present);
// Writes the dictionary value of each code to `values`. Returns 0 if a code is not below `dictionary_count`. Each value has `bytes` bytes:
// 1, 4 or 8.
int gv_look_up(
    const uint32_t *codes, size_t count, const void *dictionary, size_t dictionary_count, unsigned bytes, void *values);
// Returns 1 if all codes are below `limit`.
int gv_codes_are_below(const uint32_t *codes, size_t count, size_t limit);
// Converts little-endian 32-bit integers to 64-bit integers.
void gv_widen_signed(const uint8_t *input, size_t count, int64_t *values);
void gv_widen_unsigned(const uint8_t *input, size_t count, int64_t *values);
// Joins values whose bytes are in separate streams: byte `k` of value `i` is at `k * total + i` (BYTE_STREAM_SPLIT).
void gv_join_bytes(const uint8_t *input, size_t total, size_t first, size_t count, size_t width, uint8_t *output);
// Unpacks bits to bytes of 0 and 1, starting with the bit `first`.
void gv_unpack_bits(const uint8_t *input, size_t first, size_t count, uint8_t *output);
// Returns 1 if the bytes are valid UTF-8.
int gv_is_utf8(const uint8_t *input, size_t count);
// Returns the CRC-32 of bytes, as in gzip (polynomial 0xEDB88320).
uint32_t gv_crc32(const uint8_t *input, size_t count);
// Returns the CRC-32 of earlier bytes followed by these. `crc` is the checksum of the earlier bytes, or 0 for the first call.
uint32_t gv_crc32_add(uint32_t crc, const uint8_t *input, size_t count);

#endif
