// Reads records by a pattern, because most records of a file have the same keys in the same order.
#include "JSONValues.h"

#if defined(GV_HAS_BLOCKS)

// GV_PAUSE: after this many records, another record may become the pattern.
// Records with more than GV_VALUES values have no pattern, because sorting the values would take too long.
enum { GV_PAUSE = 256, GV_VALUES = 256 };

// True if the block at `at` starts with the bytes before a value of the pattern.
GV_LOADS_WITHIN_PAGE static inline int has_part(position at, const gv_json_part *part) {
    const __m128i a = _mm_loadu_si128((const __m128i *)(const void *)at), b = _mm_loadu_si128((const __m128i *)(const void *)(at + 16));
    const __m128i x = _mm_loadu_si128((const __m128i *)(const void *)part->bytes);
    const __m128i y = _mm_loadu_si128((const __m128i *)(const void *)(part->bytes + 16));
    const uint32_t equal = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(a, x)) | (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(b, y)) << 16;
    return ((uint64_t)~equal & (((uint64_t)1 << part->count) - 1)) == 0;
}

int gv_json_read_by_pattern(reader *read) {
    const gv_json_memory *memory = read->memory;
    const position end = read->end;
    position at = read->bytes;
    const gv_json_part *part = memory->parts, *last = part + memory->part_count - 1;
    for (;; part++) {
        if ((size_t)(end - at) < part->count) return 0;
        if (part->count && !(is_block(at, end) ? has_part(at, part) : memcmp(at, part->bytes, part->count) == 0)) return 0;
        at += part->count;
        if (part == last) return at == end;
        if (at == end) return 0;
        const uint8_t first = *at;
        if (first == '"') {
            const position start = at + 1;
            uint32_t kind = GV_JSON_STRING;
            const uint32_t hits = start < end && is_block(start, end) ? quote_bits(start) : 0;
            at = start + (hits ? __builtin_ctz(hits) : 0);
            if (!hits || at >= end || *at != '"') {
                int escaped = 0;
                at = string_end(read, start, &escaped);
                if (!at) return 0;
                if (escaped) kind = GV_JSON_ESCAPED;
                if (escaped & GV_HAS_LONE_SURROGATE) read->notes |= GV_JSON_LONE_SURROGATE;
            }
            const gv_json_value value = {(uint32_t)(start - read->bytes), (uint32_t)(at - read->bytes), kind};
            read->out[part->slot] = value;
            // The first string that reads as a number is a finding. The record is then read again without the pattern, to report it.
            if (read->findings && new_kind(read, value, part->has_numbers, part->has_digits)) return 0;
            at++;
        } else {
            const position start = at;
            uint32_t kind = GV_JSON_TEXT;
            if (first == '{' && part->divides) return 0;
            at = first == '{' || first == '[' ? gv_json_container_end(read, at, part->depth) : scalar_end(read, at, &kind);
            if (!at) return 0;
            const gv_json_value value = {(uint32_t)(start - read->bytes), (uint32_t)(at - read->bytes), kind};
            read->out[part->slot] = value;
            if (read->findings && new_kind(read, value, part->has_numbers, part->has_digits)) return 0;
        }
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
void gv_json_learn_pattern(reader *read) {}
#endif
