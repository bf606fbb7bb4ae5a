// Snappy and LZ4 blocks without a frame, as in pages of columnar files. Both consist of literals and of copies of earlier output.
#include "CCodecs.h"

#include <string.h>

// Copies 16 bytes between ranges that may overlap.
static inline void copy16(uint8_t *target, const uint8_t *source)
{
    uint8_t bytes[16];
    memcpy(bytes, source, 16);
    memcpy(target, bytes, 16);
}

// Copies `count` literal bytes. `target_room` and `source_room` are the numbers of bytes up to the ends of the buffers, both at least
// `count`.
static inline void copy_literals(uint8_t *target, size_t target_room, const uint8_t *source, size_t source_room, size_t count)
{
    if (count <= 16 && target_room >= 16 && source_room >= 16) {
        copy16(target, source);
    } else if (count > 0) {
        memcpy(target, source, count);
    }
}

// Copies `count` bytes from `offset` bytes before the target. `offset` is at least 1, and not greater than the number of bytes before the
// target. `count` is at least 1, and not greater than `room`.
static inline void copy_match(uint8_t *target, size_t offset, size_t count, size_t room)
{
    const uint8_t *source = target - offset;
    if (room - count < 16) {
        for (size_t i = 0; i < count; i++) target[i] = source[i];
        return;
    }
    // Each copy may write up to 15 bytes too many, for which there is room. The first `offset` bytes of each copy are correct. Each copy
    // doubles the length of the repeated part.
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

static inline uint64_t load8(const uint8_t *bytes)
{
    uint64_t value;
    memcpy(&value, bytes, 8);
    return value;
}

static inline unsigned load2(const uint8_t *bytes) { return bytes[0] | (unsigned)bytes[1] << 8; }

static inline void store8(uint8_t *bytes, uint64_t value) { memcpy(bytes, &value, 8); }

// A position in a Snappy block: the next element, and the number of bytes written before it.
typedef struct {
    const uint8_t *input;
    size_t written;
} snappy_position;

// Appends the first `count` bytes of `bytes` to the 8 bytes of `recent`, and returns the last 8 bytes; 1 <= count <= 8.
static inline uint64_t append_bytes(uint64_t recent, uint64_t bytes, size_t count)
{
    return recent >> (4 * count) >> (4 * count) | bytes << (64 - 8 * count);
}

// The last 8 bytes after appending `count` bytes that repeat `recent`, with a period of 8 bytes.
static inline uint64_t rotated(uint64_t recent, size_t count)
{
    unsigned turn = 8 * (count & 7);
    return recent >> turn | recent << (-turn & 63);
}

// Decodes short elements. Stops near the end of the input or of the output, which has `length` bytes. Also stops after `limit` bytes of
// output, and before the first element that is invalid or long. Requires `position.written` >= 8.
//
// A column of 8-byte numbers mostly consists of copies of the previous 8 bytes and a few new bytes. Therefore the last 8 bytes of the
// output are kept in a register. Loading them from memory would have to wait for the stores that have just written them.
static snappy_position decode_short(snappy_position position, const uint8_t *end, uint8_t *output, size_t length, size_t limit)
{
    // The largest element has 64 bytes of output, and its last store may write 15 bytes too many.
    enum { INPUT_ROOM = 17, OUTPUT_ROOM = 80 };
    if (length < OUTPUT_ROOM || end - position.input < INPUT_ROOM) return position;
    const uint8_t *input = position.input, *last_input = end - INPUT_ROOM;
    size_t written = position.written, last = length - OUTPUT_ROOM;
    if (limit <= last) last = limit - 1;
    uint64_t recent = load8(output + written - 8);
    // The number of literals directly before the next element, if at most 8; otherwise 0.
    size_t literals = 0;
    while (input <= last_input && written <= last) {
        unsigned tag = *input;
        uint8_t *target = output + written;
        size_t count, offset;
        if ((tag & 3) == 0) {
            count = (tag >> 2) + 1;
            if (count <= 8) {
                uint64_t bytes = load8(input + 1);
                store8(target, bytes);
                recent = append_bytes(recent, bytes, count);
                literals = count;
            } else if (count <= 16) {
                copy16(target, input + 1);
                recent = load8(input + 1 + count - 8);
                literals = 0;
            } else {
                break;
            }
            input += 1 + count, written += count;
            continue;
        }
        if ((tag & 3) == 1) {
            count = 4 + ((tag >> 2) & 7), offset = (size_t)(tag >> 5) << 8 | input[1];
        } else if ((tag & 3) == 2) {
            count = (tag >> 2) + 1, offset = (size_t)input[1] | (size_t)input[2] << 8;
        } else {
            break;
        }
        if (offset == 0 || offset > written) break;
        if (offset == 8) {
            store8(target, recent);
            store8(target + 8, recent);
            if (count > 16) {
                for (size_t i = 16; i < 64; i += 8) store8(target + i, recent);
            }
            recent = rotated(recent, count);
            // Often, a pair of elements repeats: literals and a copy, with the same lengths each time. The next pairs are recognized
            // without decoding their tags.
            if ((tag & 3) == 1 && literals > 0) {
                const uint8_t *next = input + 2;
                size_t both = literals + count;
                written += count;
                while (next <= last_input && written <= last && *next == (literals - 1) << 2
                    && load2(next + 1 + literals) == load2(input)) {
                    uint64_t bytes = load8(next + 1);
                    store8(output + written, bytes);
                    recent = append_bytes(recent, bytes, literals);
                    store8(output + written + literals, recent);
                    store8(output + written + literals + 8, recent);
                    recent = rotated(recent, count);
                    next += 3 + literals, written += both;
                }
                input = next, literals = 0;
                continue;
            }
        } else if (offset > 8 && count <= 8) {
            uint64_t bytes = load8(target - offset);
            store8(target, bytes);
            recent = append_bytes(recent, bytes, count);
        } else {
            copy_match(target, offset, count, length - written);
            recent = load8(target + count - 8);
        }
        input += 1 + (tag & 3), written += count, literals = 0;
    }
    return (snappy_position){input, written};
}

// Decodes a block, or stops when at least `limit` bytes are written. Returns the number of bytes written; -1 if the block is damaged.
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
        if (written >= 8) {
            snappy_position position = decode_short((snappy_position){input, written}, end, output, (size_t)length, limit);
            input = position.input, written = position.written;
            if (input == end) break;
            if (written >= limit) return (ptrdiff_t)written;
        }
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

// Adds the bytes that follow a length of 15 and extend it. Returns 0 at the end of the input.
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
