// Raw Snappy and LZ4 blocks, as pages of columnar files have them. Both are lists of literals and copies of earlier output.
#include "CCodecs.h"

#include <string.h>

// Copies 16 bytes, which may overlap.
static inline void copy16(uint8_t *target, const uint8_t *source)
{
    uint8_t bytes[16];
    memcpy(bytes, source, 16);
    memcpy(target, bytes, 16);
}

// Copies `count` literals. Both rooms are at least `count`.
static inline void copy_literals(uint8_t *target, size_t target_room, const uint8_t *source, size_t source_room, size_t count)
{
    if (count <= 16 && target_room >= 16 && source_room >= 16) {
        copy16(target, source);
    } else if (count > 0) {
        memcpy(target, source, count);
    }
}

// Copies `count` bytes from `offset` bytes before the target; 0 < offset <= bytes before the target, 0 < count <= room.
static inline void copy_match(uint8_t *target, size_t offset, size_t count, size_t room)
{
    const uint8_t *source = target - offset;
    if (room - count < 16) {
        for (size_t i = 0; i < count; i++) target[i] = source[i];
        return;
    }
    // Each store may write 15 bytes too many, which the room allows. The first `offset` bytes of a copy are correct, and double the period.
    while (offset < 16) {
        copy16(target, source);
        if (count <= offset) return;
        count -= offset, target += offset, offset *= 2;
    }
    for (;;) {
        copy16(target, source);
        if (count <= 16) return;
        count -= 16, target += 16, source += 16;
    }
}

// Decodes a block, or stops when at least `limit` bytes are written.
static ptrdiff_t decode_snappy(const uint8_t *input, size_t input_count, uint8_t *output, size_t capacity, size_t limit)
{
    const uint8_t *end = input + input_count;
    // The length of the output as a varint of at most 32 bits.
    uint64_t length = 0;
    for (unsigned shift = 0;; shift += 7) {
        if (input == end || shift > 28) return -1;
        uint8_t byte = *input++;
        length |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) break;
    }
    if (length > UINT32_MAX || length > capacity) return -1;
    size_t written = 0;
    while (input < end) {
        if (written >= limit) return (ptrdiff_t)written;
        unsigned tag = *input++;
        size_t left = (size_t)(end - input), room = (size_t)length - written, count, offset;
        switch (tag & 3) {
        case 0: {
            count = (tag >> 2) + 1;
            if (count > 60) {
                size_t bytes = count - 60;
                if (left < bytes) return -1;
                count = 0;
                for (size_t i = 0; i < bytes; i++) count |= (size_t)input[i] << (8 * i);
                count += 1;
                input += bytes, left -= bytes;
            }
            if (count > left || count > room) return -1;
            copy_literals(output + written, room, input, left, count);
            input += count, written += count;
            continue;
        }
        case 1:
            if (left < 1) return -1;
            count = 4 + ((tag >> 2) & 7), offset = (size_t)(tag >> 5) << 8 | input[0];
            input += 1;
            break;
        case 2:
            if (left < 2) return -1;
            count = (tag >> 2) + 1, offset = (size_t)input[0] | (size_t)input[1] << 8;
            input += 2;
            break;
        default:
            if (left < 4) return -1;
            count = (tag >> 2) + 1;
            offset = (size_t)input[0] | (size_t)input[1] << 8 | (size_t)input[2] << 16 | (size_t)input[3] << 24;
            input += 4;
            break;
        }
        if (offset == 0 || offset > written || count > room) return -1;
        copy_match(output + written, offset, count, room);
        written += count;
    }
    return written == length ? (ptrdiff_t)written : -1;
}

ptrdiff_t gv_snappy_decode(const uint8_t *input, size_t input_count, uint8_t *output, size_t capacity)
{
    return decode_snappy(input, input_count, output, capacity, SIZE_MAX);
}

ptrdiff_t gv_snappy_decode_start(const uint8_t *input, size_t input_count, uint8_t *output, size_t capacity, size_t limit)
{
    return decode_snappy(input, input_count, output, capacity, limit);
}

// Adds the bytes that extend a length of 15. Returns 0 at the end of the input.
static inline int extend_length(const uint8_t **input, const uint8_t *end, size_t *count)
{
    for (;;) {
        if (*input == end) return 0;
        uint8_t byte = *(*input)++;
        *count += byte;
        if (byte < 255) return 1;
    }
}

ptrdiff_t gv_lz4_block_decode(const uint8_t *input, size_t input_count, uint8_t *output, size_t capacity)
{
    const uint8_t *end = input + input_count;
    size_t written = 0;
    while (input < end) {
        unsigned token = *input++;
        size_t count = token >> 4;
        if (count == 15 && !extend_length(&input, end, &count)) return -1;
        size_t left = (size_t)(end - input), room = capacity - written;
        if (count > left || count > room) return -1;
        copy_literals(output + written, room, input, left, count);
        input += count, written += count, left -= count, room -= count;
        // The last sequence has no match.
        if (left == 0) return (ptrdiff_t)written;
        if (left < 2) return -1;
        size_t offset = (size_t)input[0] | (size_t)input[1] << 8;
        input += 2;
        count = token & 15;
        if (count == 15 && !extend_length(&input, end, &count)) return -1;
        count += 4;
        if (offset == 0 || offset > written || count > room) return -1;
        copy_match(output + written, offset, count, room);
        written += count;
    }
    return -1;
}
