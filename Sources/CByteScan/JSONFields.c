#include "JSONValues.h"

// True if two texts are equal. Most keys are short, and a call of memcmp takes longer for short texts.
static inline int is_equal(position a, position b, size_t count) {
    if (count > 16) return memcmp(a, b, count) == 0;
    if (count >= 8) {
        uint64_t first[2], last[2];
        memcpy(first, a, 8);
        memcpy(first + 1, b, 8);
        memcpy(last, a + count - 8, 8);
        memcpy(last + 1, b + count - 8, 8);
        return ((first[0] ^ first[1]) | (last[0] ^ last[1])) == 0;
    }
    if (count >= 4) {
        uint32_t first[2], last[2];
        memcpy(first, a, 4);
        memcpy(first + 1, b, 4);
        memcpy(last, a + count - 4, 4);
        memcpy(last + 1, b + count - 4, 4);
        return ((first[0] ^ first[1]) | (last[0] ^ last[1])) == 0;
    }
    for (size_t i = 0; i < count; i++) {
        if (a[i] != b[i]) return 0;
    }
    return 1;
}

position gv_json_container_end(reader *read, position at, uint32_t depth) {
    const position end = read->end;
    uint64_t objects[GV_JSON_DEPTH / 64 + 1];
    const uint32_t base = depth;
    int is_object, escaped = 0;
open:
    if (depth >= GV_JSON_DEPTH) return NULL;
    is_object = *at == '{';
    if (is_object) {
        objects[depth >> 6] |= 1ull << (depth & 63);
    } else {
        objects[depth >> 6] &= ~(1ull << (depth & 63));
    }
    depth++;
    at = skip_space(at + 1, end);
    if (at == end) return fail_at_end(read);
    if (*at == (is_object ? '}' : ']')) goto close;
next:
    if (is_object) {
        if (*at != '"') return NULL;
        at = string_end(read, at + 1, &escaped);
        if (!at) return NULL;
        at = skip_space(at + 1, end);
        if (at == end) return fail_at_end(read);
        if (*at != ':') return NULL;
        at = skip_space(at + 1, end);
        if (at == end) return fail_at_end(read);
    }
    if (*at == '{' || *at == '[') goto open;
    if (*at == '"') {
        at = string_end(read, at + 1, &escaped);
        if (!at) return NULL;
        at++;
    } else {
        uint32_t kind;
        at = scalar_end(read, at, &kind);
        if (!at) return NULL;
    }
after:
    at = skip_space(at, end);
    if (at == end) return fail_at_end(read);
    if (*at == ',') {
        at = skip_space(at + 1, end);
        if (at == end) return fail_at_end(read);
        goto next;
    }
    if (*at != (is_object ? '}' : ']')) return NULL;
close:
    at++;
    depth--;
    if (depth == base) return at;
    is_object = (objects[(depth - 1) >> 6] >> ((depth - 1) & 63)) & 1;
    goto after;
}

uint64_t gv_json_hash(uint32_t parent, const uint8_t *key, size_t count) {
    uint64_t hash = (parent + 1) * 0x9e3779b97f4a7c15u ^ count;
    while (count >= 8) {
        uint64_t word;
        memcpy(&word, key, 8);
        hash = (hash ^ word) * 0xff51afd7ed558ccdu;
        hash ^= hash >> 32;
        key += 8;
        count -= 8;
    }
    uint64_t word = 0;
    for (size_t i = 0; i < count; i++) word |= (uint64_t)key[i] << (8 * i);
    hash = (hash ^ word) * 0xff51afd7ed558ccdu;
    return hash ^ hash >> 32;
}

static inline uint32_t find_node(const gv_json_tree *tree, uint32_t parent, const uint8_t *key, size_t count) {
    uint32_t node = tree->buckets[gv_json_hash(parent, key, count) & tree->bucket_mask];
    while (node) {
        const gv_json_node *known = tree->nodes + node;
        if (known->parent == parent && known->key_count == count && is_equal(tree->keys + known->key_begin, key, count)) return node;
        node = known->next_in_bucket;
    }
    return 0;
}

static inline void add_finding(reader *read, uint32_t node, position begin, position end, uint32_t kind) {
    if (!read->findings || read->found == read->capacity) return;
    read->findings[read->found++] =
        (gv_json_finding){node, (uint32_t)(begin - read->bytes), (uint32_t)(end - read->bytes), kind};
}

static inline void set_value(reader *read, uint32_t node, gv_json_value value) {
    const gv_json_node *known = read->tree->nodes + node;
    const int32_t slot = known->slot;
    if (slot >= 0) {
        read->out[slot] = value;
        if (read->findings) {
            const uint32_t kind = new_kind(read, value, known->has_numbers, known->has_digits);
            if (kind) add_finding(read, node, read->bytes, read->bytes, kind);
        }
    } else if (value.kind != GV_JSON_NULL) {
        add_finding(read, node, read->bytes, read->bytes, GV_JSON_NEEDS_SLOT);
    }
}

// Discards the values of a key and of the keys below it, because the key occurs again in the record. The depth of the tree limits the
// recursion.
static void forget_values(reader *read, uint32_t node) {
    const gv_json_node *nodes = read->tree->nodes;
    read->memory->last_seen[node] = 0;
    if (nodes[node].slot >= 0) read->out[nodes[node].slot].kind = GV_JSON_MISSING;
    for (uint32_t child = nodes[node].last_child; child; child = nodes[child].previous) forget_values(read, child);
}

// Reads the object at `at`, whose keys are below `node`. Returns its end. The depth of the tree limits the recursion.
static position read_object(reader *read, position at, uint32_t node, uint32_t depth) {
    const gv_json_tree *tree = read->tree;
    gv_json_memory *memory = read->memory;
    const position start = at, end = read->end;
    uint32_t *guess = memory->first + node;
    int has_rest = 0;
    at = skip_space(at + 1, end);
    if (at == end) return fail_at_end(read);
    if (*at == '}') return at + 1;
    for (;;) {
        if (*at != '"') return NULL;
        const position key = at + 1;
        position key_end;
        uint32_t child = *guess;
        const gv_json_node *known = tree->nodes + child;
        int is_long = 0;
        if (child && (size_t)(end - key) > known->key_count && key[known->key_count] == '"' && known->is_plain
            && is_equal(key, tree->keys + known->key_begin, known->key_count)) {
            key_end = key + known->key_count;
        } else {
            int escaped = 0;
            key_end = string_end(read, key, &escaped);
            if (!key_end) return NULL;
            const size_t count = (size_t)(key_end - key);
            if (escaped) read->notes |= GV_JSON_ESCAPED_KEY;
            if (escaped & GV_HAS_LONE_SURROGATE) read->notes |= GV_JSON_LONE_SURROGATE;
            if (count > GV_JSON_KEY) {
                is_long = 1;
                child = 0;
            } else if (escaped) {
                child = find_node(tree, node, memory->scratch, gv_json_unescape(key, count, memory->scratch));
            } else {
                child = find_node(tree, node, key, count);
            }
            if (child) *guess = child;
        }
        at = skip_space(key_end + 1, end);
        if (at == end) return fail_at_end(read);
        if (*at != ':') return NULL;
        at = skip_space(at + 1, end);
        if (at == end) return fail_at_end(read);
        if (child) {
            guess = memory->next + child;
            known = tree->nodes + child;
            const uint32_t undecided = read->undecided;
            if (!read->is_trusted) {
                if (memory->last_seen[child] == memory->stamp) {
                    read->notes |= GV_JSON_DUPLICATE;
                    forget_values(read, child);
                }
                memory->last_seen[child] = memory->stamp;
            }
            if (*at == '{' && known->divides && !is_empty_object(read, at + 1)) {
                at = read_object(read, at, child, depth + 1);
            } else {
                gv_json_value value;
                const position from = at;
                at = value_end(read, at, depth + 1, &value);
                if (at) {
                    set_value(read, child, value);
                } else if (read->is_cut && read->is_at_end && known->slot >= 0) {
                    value.begin = (uint32_t)(from - read->bytes) + (*from == '"');
                    value.end = (uint32_t)(end - read->bytes);
                    if (*from != '"') value.kind = GV_JSON_TEXT;
                    value.kind |= GV_JSON_CUT;
                    read->out[known->slot] = value;
                }
            }
            if (!at) return NULL;
            if (read->is_trusted) {
                if (!read->is_done) read->undecided = undecided - known->slot_count;
                if (read->undecided == 0) read->is_done = 1;
                if (read->is_done) return at;
            }
        } else {
            const int is_object = *at == '{' && !is_empty_object(read, at + 1);
            gv_json_value value;
            at = value_end(read, at, depth + 1, &value);
            if (!at) return NULL;
            has_rest = 1;
            if (!tree->nodes[node].shows_rest) {
                add_finding(
                    read, node, key, key_end,
                    is_long ? GV_JSON_NEW_LONG
                    : is_object ? GV_JSON_NEW_OBJECT
                    : value.kind == GV_JSON_NULL ? GV_JSON_NEW_NULL : GV_JSON_NEW_VALUE);
            }
        }
        at = skip_space(at, end);
        if (at == end) return fail_at_end(read);
        if (*at == '}') break;
        if (*at != ',') return NULL;
        at = skip_space(at + 1, end);
        if (at == end) return fail_at_end(read);
    }
    at++;
    if (has_rest && tree->nodes[node].shows_rest && tree->nodes[node].slot >= 0) {
        read->out[tree->nodes[node].slot] =
            (gv_json_value){(uint32_t)(start - read->bytes), (uint32_t)(at - read->bytes), GV_JSON_TEXT};
    }
    return at;
}

// The pattern is dropped if the records that do not match it outnumber the records that match it by GV_MISSES.
enum { GV_MISSES = 8 };

uint32_t gv_json_read(
    const gv_json_tree *tree, gv_json_memory *memory, const uint8_t *bytes, size_t count, int is_trusted, int is_cut, gv_json_value *out,
    gv_json_finding *findings, size_t capacity, size_t *found) {
    reader read = {
        .tree = tree, .memory = memory, .bytes = bytes, .end = bytes + count, .out = out, .findings = findings, .capacity = capacity,
        .is_trusted = is_trusted != 0, .is_cut = is_cut != 0, .undecided = tree->nodes[0].slot_count,
    };
    if (found) *found = 0;
    if (memory->part_count && !is_cut) {
        if (memory->part_count <= tree->slots) {
            for (size_t i = 0; i < tree->slots; i++) out[i].kind = GV_JSON_MISSING;
        }
        if (gv_json_read_by_pattern(&read)) {
            if (memory->misses) memory->misses--;
            return read.notes;
        }
        read.notes = 0;
        read.is_at_end = 0;
        if (++memory->misses == GV_MISSES) memory->part_count = 0;
    }
    for (size_t i = 0; i < tree->slots; i++) out[i].kind = GV_JSON_MISSING;
    if (++memory->stamp == 0) {
        memset(memory->last_seen, 0, tree->count * sizeof *memory->last_seen);
        memory->stamp = 1;
    }
    position at = skip_space(bytes, read.end);
    if (at == read.end) return GV_JSON_BLANK;
    if (*at == '{' && tree->nodes[0].divides) {
        // The object is divided into the values of its keys. Without `shows_rest`, it is not a value itself.
        if (tree->nodes[0].slot >= 0 && !tree->nodes[0].shows_rest) read.undecided -= 1;
        if (is_trusted && read.undecided == 0) return 0;
#if defined(__SSE2__)
        // If one top-level key is requested, searching for it is usually faster than reading the keys before it.
        if (is_trusted && tree->count == 2 && tree->nodes[1].is_plain && tree->nodes[1].slot >= 0 && read.undecided == 1) {
            const gv_json_node *wanted = tree->nodes + 1;
            const position value = gv_json_find_value(&read, at, tree->keys + wanted->key_begin, wanted->key_count);
            if (!value || (*value == '{' && wanted->divides && !is_empty_object(&read, value + 1))) return 0;
            gv_json_value found_value;
            if (value_end(&read, value, 1, &found_value)) out[wanted->slot] = found_value;
            return 0;
        }
#endif
        at = read_object(&read, at, 0, 0);
    } else {
        gv_json_value value;
        at = value_end(&read, at, 0, &value);
        if (at) set_value(&read, 0, value);
    }
    if (read.is_done) {
        gv_json_learn_pattern(&read);
        return read.notes;
    }
    if (at) at = skip_space(at, read.end);
    if (at != read.end) {
        if (read.is_cut && !at && read.is_at_end) return read.notes;
        for (size_t i = 0; i < tree->slots; i++) out[i].kind = GV_JSON_MISSING;
        return GV_JSON_INVALID;
    }
    if (found) *found = read.found;
    if (!read.notes && !read.found) gv_json_learn_pattern(&read);
    return read.notes;
}

// Reads the first two of `count` records by the pattern, and writes two values per slot. Returns the number of plain records: 2 or 0.
static size_t read_pair(
    const gv_json_tree *tree, gv_json_memory *memory, const gv_field *records, size_t count, gv_json_value *values) {
    // A pair is worth trying only if most records match the pattern.
    if (count < 2 || memory->part_count == 0 || memory->misses > 0) return 0;
    if (!records[0].start || !records[1].start) return 0;
    if ((uint64_t)records[0].count >= UINT32_MAX || (uint64_t)records[1].count >= UINT32_MAX) return 0;
    if (memory->part_count <= tree->slots) {
        for (size_t i = 0; i < 2 * tree->slots; i++) values[i].kind = GV_JSON_MISSING;
    }
    gv_json_finding finding;
    reader first = {.tree = tree, .memory = memory, .findings = &finding, .capacity = 1};
    reader second = first;
    first.bytes = records[0].start;
    first.end = first.bytes + records[0].count;
    first.out = values;
    second.bytes = records[1].start;
    second.end = second.bytes + records[1].count;
    second.out = values + tree->slots;
    return gv_json_read_pair_by_pattern(&first, &second) && !first.notes && !second.notes ? 2 : 0;
}

// Reads a record. Returns the number of plain records: 1 or 0.
static size_t read_one(const gv_json_tree *tree, gv_json_memory *memory, gv_field record, gv_json_value *values) {
    if (!record.start || (uint64_t)record.count >= UINT32_MAX) return 0;
    gv_json_finding finding;
    size_t found = 0;
    const uint32_t notes = gv_json_read(tree, memory, record.start, (size_t)record.count, 0, 0, values, &finding, 1, &found);
    return notes || found ? 0 : 1;
}

// Writes the requested values of a record. Returns 0 if one of them is a string with escapes.
static inline int write_fields(
    const uint8_t *start, const gv_json_value *values, const intptr_t *slots, size_t width, gv_field *fields) {
    for (size_t i = 0; i < width; i++) {
        gv_field field = {0};
        if (slots[i] >= 0) {
            const gv_json_value value = values[slots[i]];
            if (value.kind == GV_JSON_ESCAPED) return 0;
            if (value.kind > GV_JSON_NULL) {
                field.start = start + value.begin;
                field.count = value.end - value.begin;
            }
        }
        fields[i] = field;
    }
    return 1;
}

size_t gv_json_read_plain(
    const gv_json_tree *tree, gv_json_memory *memory, const gv_field *records, size_t count, gv_json_value *values, const intptr_t *slots,
    size_t width, gv_field *fields, int *has_escapes) {
    *has_escapes = 0;
    size_t done = 0;
    while (done < count) {
        size_t plain = read_pair(tree, memory, records + done, count - done, values);
        if (plain == 0) plain = read_one(tree, memory, records[done], values);
        if (plain == 0) return done;
        for (size_t i = 0; i < plain; i++, done++) {
            const gv_json_value *found = values + i * tree->slots;
            if (write_fields(records[done].start, found, slots, width, fields + done * width)) continue;
            if (i > 0) memcpy(values, found, tree->slots * sizeof *values);
            *has_escapes = 1;
            return done;
        }
    }
    return count;
}

size_t gv_json_value_end(const uint8_t *bytes, size_t count, int *is_cut) {
    reader read = {.bytes = bytes, .end = bytes + count};
    gv_json_value value;
    *is_cut = 0;
    if (count == 0) return 0;
    const position end = value_end(&read, bytes, 0, &value);
    *is_cut = !end && read.is_at_end;
    return end ? (size_t)(end - bytes) : 0;
}

int gv_json_is_number(const uint8_t *bytes, size_t count) {
    if (count == 0 || (!is_digit(bytes[0]) && bytes[0] != '-')) return 0;
    // -Infinity
    if (count > 1 && bytes[1] == 'I') return 0;
#if defined(GV_HAS_BLOCKS)
    // This is the fast path for up to 16 bytes of digits with at most one point.
    if (count <= 16 && bytes[0] != '0' && bytes[0] != '-' && is_block(bytes, bytes + count)) {
        const uint32_t others = ~digit_bits(bytes) & ((1u << count) - 1);
        if (others == 0) return 1;
        const size_t point = (size_t)__builtin_ctz(others);
        if ((others & (others - 1)) == 0 && bytes[point] == '.' && point + 1 < count) return 1;
    }
#endif
    reader read = {.bytes = bytes, .end = bytes + count};
    uint32_t kind;
    return scalar_end(&read, bytes, &kind) == bytes + count;
}
