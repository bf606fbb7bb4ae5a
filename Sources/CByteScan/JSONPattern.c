// Reads records by a pattern, because most records of a file have the same keys in the same order.
#include "JSONValues.h"

#if defined(GV_HAS_BLOCKS)

// GV_PAUSE: after this many records, another record may become the pattern.
// Records with more than GV_VALUES values have no pattern, because sorting the values would take too long.
enum { GV_PAUSE = 256, GV_VALUES = 256 };

// True if the 32 bytes at `at` start with the bytes before a value of the pattern.
GV_LOADS_WITHIN_PAGE static inline int has_part(position at, const gv_json_part *part) {
    const __m128i a = _mm_loadu_si128((const __m128i *)(const void *)at);
    const __m128i x = _mm_loadu_si128((const __m128i *)(const void *)part->bytes);
    const uint32_t low = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(a, x));
    if (part->count <= 16) return (~low & ((1u << part->count) - 1)) == 0;
    const __m128i b = _mm_loadu_si128((const __m128i *)(const void *)(at + 16));
    const __m128i y = _mm_loadu_si128((const __m128i *)(const void *)(part->bytes + 16));
    const uint32_t equal = low | (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(b, y)) << 16;
    return ((uint64_t)~equal & (((uint64_t)1 << part->count) - 1)) == 0;
}

// True if a value must be reported, such as the first string that reads as a number. The record is then read again without the pattern.
GV_HOT int is_finding(const reader *read, gv_json_value value, const gv_json_part *part) {
    return read->findings && new_kind(read, value, part->has_numbers, part->has_digits);
}

// Reads the value of a part. Returns its end; NULL if the record does not match the pattern.
GV_HOT position read_value(reader *read, position at, const gv_json_part *part) {
    const position start = at, end = read->end;
    if (at >= end) return NULL;
    uint32_t kind = GV_JSON_TEXT;
    const int is_string = *at == '"';
    if (is_string) {
        int properties = 0;
        at = string_end(read, at + 1, &properties);
        if (!at) return NULL;
        kind = properties ? GV_JSON_ESCAPED : GV_JSON_STRING;
        if (properties & GV_HAS_LONE_SURROGATE) read->notes |= GV_JSON_LONE_SURROGATE;
    } else {
        if (*at == '{' && part->divides) return NULL;
        at = *at == '{' || *at == '[' ? gv_json_container_end(read, at, part->depth) : scalar_end(read, at, &kind);
        if (!at) return NULL;
    }
    const gv_json_value value = {(uint32_t)(start - read->bytes) + (uint32_t)is_string, (uint32_t)(at - read->bytes), kind};
    read->out[part->slot] = value;
    return is_finding(read, value, part) ? NULL : at + is_string;
}

// The slow path of `read_short_value`. It is not inlined, because the fast path needs the registers.
__attribute__((noinline)) static position read_other_value(reader *read, position at, const gv_json_part *part) {
    return read_value(read, at, part);
}

// Reads a value as `read_value` does, with a fast path for short strings without escapes and short numbers. 33 bytes can be loaded from
// `at`, which may be after the end of the record.
__attribute__((always_inline)) GV_LOADS_WITHIN_PAGE static inline position read_short_value(
    reader *read, position at, const gv_json_part *part) {
    if (*at == '"') {
        const position start = at + 1;
        const uint32_t hits = quote_bits(start);
        const position quote = start + (hits ? __builtin_ctz(hits) : 0);
        if (quote < read->end && *quote == '"') {
            const gv_json_value value = {(uint32_t)(start - read->bytes), (uint32_t)(quote - read->bytes), GV_JSON_STRING};
            read->out[part->slot] = value;
            return is_finding(read, value, part) ? NULL : quote + 1;
        }
    } else if (part->has_numbers && is_digit(*at) && *at != '0') {
        const position after = short_number_end(at);
        if (after && after < read->end && is_delimiter(*after)) {
            read->out[part->slot] = (gv_json_value){(uint32_t)(at - read->bytes), (uint32_t)(after - read->bytes), GV_JSON_TEXT};
            return after;
        }
    }
    return read_other_value(read, at, part);
}

// True if 65 bytes can be loaded from the last byte of the record, because they are within one page. The readers below load 33 bytes after
// a part, which begins within the record and has at most 32 bytes.
static inline int has_room(const reader *read) {
    return read->bytes < read->end && ((uintptr_t)(read->end - 1) & 4095) <= 4096 - 65;
}

GV_LOADS_WITHIN_PAGE int gv_json_read_by_pattern(reader *read) {
    const gv_json_part *part = read->memory->parts, *last = part + read->memory->part_count - 1;
    const position end = read->end;
    const int is_fast = has_room(read);
    position at = read->bytes;
    for (;; part++) {
        if (is_fast) {
            if (!has_part(at, part)) return 0;
        } else {
            if ((size_t)(end - at) < part->count || memcmp(at, part->bytes, part->count) != 0) return 0;
        }
        at += part->count;
        if (part == last) return at == end;
        at = is_fast ? read_short_value(read, at, part) : read_other_value(read, at, part);
        if (!at) return 0;
        // A record that is a number or a word ends with its value.
        if (at >= end) return at == end && part + 1 == last && last->count == 0;
    }
}

GV_LOADS_WITHIN_PAGE int gv_json_read_pair_by_pattern(reader *first, reader *second) {
    const gv_json_part *part = first->memory->parts, *last = part + first->memory->part_count - 1;
    if (!has_room(first) || !has_room(second)) return 0;
    position a = first->bytes, b = second->bytes;
    for (;; part++) {
        if (!has_part(a, part) || !has_part(b, part)) return 0;
        a += part->count;
        b += part->count;
        if (part == last) return a == first->end && b == second->end;
        a = read_short_value(first, a, part);
        if (!a || a >= first->end) return 0;
        b = read_short_value(second, b, part);
        if (!b || b >= second->end) return 0;
    }
}

void gv_json_learn_pattern(reader *read) {
    gv_json_memory *memory = read->memory;
    const gv_json_tree *tree = read->tree;
    gv_json_part *parts = memory->parts;
    size_t count = 0;
    if (memory->part_count) return;
    if (memory->pause) {
        memory->pause--;
        return;
    }
    memory->pause = GV_PAUSE;
    // The values in their order in the record. Most records have them in the order of the slots.
    for (uint32_t node = 0; node < tree->count; node++) {
        const int32_t slot = tree->nodes[node].slot;
        if (slot < 0 || read->out[slot].kind == GV_JSON_MISSING) continue;
        if (tree->nodes[node].shows_rest || count == tree->slots || count == GV_VALUES) return;
        const gv_json_node *known = tree->nodes + node;
        gv_json_part part = {
            .slot = (uint32_t)slot, .divides = known->divides, .has_numbers = known->has_numbers, .has_digits = known->has_digits};
        for (uint32_t above = node; above; above = tree->nodes[above].parent) part.depth++;
        size_t to = count++;
        for (; to > 0 && read->out[parts[to - 1].slot].begin > read->out[slot].begin; to--) parts[to] = parts[to - 1];
        parts[to] = part;
    }
    position from = read->bytes;
    for (size_t i = 0; i <= count; i++) {
        position until = read->end, next = until;
        if (i < count) {
            const gv_json_value value = read->out[parts[i].slot];
            const int quote = value.kind == GV_JSON_STRING || value.kind == GV_JSON_ESCAPED;
            until = read->bytes + value.begin - quote;
            next = read->bytes + value.end + quote;
        } else {
            parts[i].slot = 0;
        }
        if (until < from || until - from > GV_JSON_BETWEEN) return;
        parts[i].count = (uint32_t)(until - from);
        memset(parts[i].bytes, 0, sizeof parts[i].bytes);
        memcpy(parts[i].bytes, from, parts[i].count);
        from = next;
    }
    memory->part_count = (uint32_t)count + 1;
    memory->misses = 0;
}

#else
int gv_json_read_by_pattern(reader *read) { return 0; }
int gv_json_read_pair_by_pattern(reader *first, reader *second) { return 0; }
void gv_json_learn_pattern(reader *read) {}
#endif
