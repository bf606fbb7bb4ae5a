#include <string.h>

#include "JSONInternal.h"
#include "Loads.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

// Calls from read_object are inlined, so that values stay in registers.
#define GV_HOT __attribute__((always_inline)) static inline

typedef struct {
    const gv_json_tree *tree;
    gv_json_memory *memory;
    place bytes;
    place end;
    gv_json_value *out;
    gv_json_finding *findings;
    size_t capacity;
    size_t found;
    uint32_t notes;
    uint32_t undecided; // wanted slots whose value is not known yet
    uint8_t trusted;
    uint8_t cut;
    uint8_t is_done;
    uint8_t is_at_end; // reading failed because the bytes end
} reader;

int gv_json_is_plain(uint8_t byte) {
    const uint8_t letter = byte | 0x20;
    if ((letter >= 'a' && letter <= 'z') || (byte >= '0' && byte <= '9')) return 1;
    return byte == ' ' || byte == '-' || byte == '_' || byte == '.' || byte == ',' || byte == ':' || byte == ';' || byte == '@';
}

static inline place skip_space(place at, place end) {
    while (at < end && *at <= ' ' && is_space(*at)) at++;
    return at;
}

// True if two texts are equal. Most keys are short, for which a call of memcmp takes longer.
static inline int is_equal(place a, place b, size_t count) {
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

static inline int is_digit(uint8_t byte) { return (uint8_t)(byte - '0') < 10; }

static inline int hex_value(uint8_t byte) {
    if (is_digit(byte)) return byte - '0';
    byte |= 0x20;
    return byte >= 'a' && byte <= 'f' ? byte - 'a' + 10 : -1;
}

// The number of four hexadecimal digits; -1 for other bytes.
static inline int32_t hex_word(place at) {
    const int a = hex_value(at[0]), b = hex_value(at[1]), c = hex_value(at[2]), d = hex_value(at[3]);
    return (a | b | c | d) < 0 ? -1 : a << 12 | b << 8 | c << 4 | d;
}

static inline place fail_at_end(reader *read) {
    read->is_at_end = 1;
    return NULL;
}

#if defined(__SSE2__)
#define GV_HAS_BLOCKS

// True if 32 bytes can be loaded from `at`, which is before the end of a record: they are in the record, or within one page.
static inline int is_block(place at, place end) { return end - at >= 32 || ((uintptr_t)at & 4095) <= 4096 - 32; }

// A bit for each quote and backslash of a block.
GV_LOADS_WITHIN_PAGE static inline uint32_t quote_bits(place at) {
    const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\');
    const __m128i a = _mm_loadu_si128((const __m128i *)(const void *)at), b = _mm_loadu_si128((const __m128i *)(const void *)(at + 16));
    const int low = _mm_movemask_epi8(_mm_or_si128(_mm_cmpeq_epi8(a, quote), _mm_cmpeq_epi8(a, backslash)));
    const int high = _mm_movemask_epi8(_mm_or_si128(_mm_cmpeq_epi8(b, quote), _mm_cmpeq_epi8(b, backslash)));
    return (uint32_t)low | (uint32_t)high << 16;
}

// A bit for each digit of the first 16 bytes of a block.
GV_LOADS_WITHIN_PAGE static inline uint32_t digit_bits(place at) {
    const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
    const __m128i above = _mm_sub_epi8(bytes, _mm_set1_epi8('0'));
    return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(above, _mm_set1_epi8(9)), above));
}
#endif

// The first quote or backslash.
static inline place find_quote(place at, place end) {
#if defined(GV_HAS_BLOCKS)
    while (at < end && is_block(at, end)) {
        const uint32_t hits = quote_bits(at);
        if (hits) {
            at += __builtin_ctz(hits);
            return at < end ? at : end;
        }
        at += 32;
    }
    if (at > end) return end;
#elif defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    while (end - at >= 8) {
        uint64_t word;
        memcpy(&word, at, 8);
        const uint64_t hits = zero_bytes(word ^ 0x2222222222222222u) | zero_bytes(word ^ 0x5c5c5c5c5c5c5c5cu);
        if (hits) return at + (__builtin_ctzll(hits) >> 3);
        at += 8;
    }
#endif
    while (at < end && *at != '"' && *at != '\\') at++;
    return at;
}

// The closing quote of the string whose content starts at `at`.
GV_HOT place string_end(reader *read, place at, int *escaped) {
    const place end = read->end;
    for (;;) {
        at = find_quote(at, end);
        if (at == end) return fail_at_end(read);
        if (*at == '"') return at;
        *escaped = 1;
        if (end - at < 2) return fail_at_end(read);
        switch (at[1]) {
        case '"': case '\\': case '/': case 'b': case 'f': case 'n': case 'r': case 't':
            at += 2;
            break;
        case 'u': {
            if (end - at < 6) return fail_at_end(read);
            const int32_t code = hex_word(at + 2);
            if (code < 0) return NULL;
            if (code < 0x80 && gv_json_is_plain((uint8_t)code)) read->notes |= GV_JSON_ODD_ESCAPE;
            at += 6;
            break;
        }
        default: return NULL;
        }
    }
}

static inline int is_delimiter(uint8_t byte) { return byte == ',' || byte == '}' || byte == ']' || is_space(byte); }

// The end of a number or a literal.
GV_HOT place scalar_end(reader *read, place at, uint32_t *kind) {
    const place end = read->end;
    *kind = GV_JSON_TEXT;
    static const struct { const char *text; size_t count; } words[] = {
        {"true", 4}, {"false", 5}, {"null", 4}, {"NaN", 3}, {"Infinity", 8}, {"-Infinity", 9},
    };
    const uint8_t first = *at;
#if defined(GV_HAS_BLOCKS)
    // This is the fast path for up to 15 bytes of digits with at most one point.
    if (first != '0' && is_digit(first) && is_block(at, end)) {
        const uint32_t others = ~digit_bits(at);
        place after = at + __builtin_ctz(others);
        if (after < end && *after == '.') {
            const uint32_t rest = others & (others - 1);
            const place point = after;
            after = at + __builtin_ctz(rest);
            if (after == point + 1) after = end;
        }
        if (after < end && after < at + 16 && is_delimiter(*after)) return after;
    }
#endif
    if (!is_digit(first) && !(first == '-' && (end - at < 2 || at[1] != 'I'))) {
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
            if ((uint8_t)words[i].text[0] != first) continue;
            const size_t count = words[i].count, room = (size_t)(end - at);
            if (room < count) return memcmp(at, words[i].text, room) == 0 ? fail_at_end(read) : NULL;
            if (memcmp(at, words[i].text, count) != 0) return NULL;
            at += count;
            if (at < end && !is_delimiter(*at)) return NULL;
            if (i == 2) *kind = GV_JSON_NULL;
            return at;
        }
        return NULL;
    }
    if (*at == '-') at++;
    if (at == end) return fail_at_end(read);
    if (*at == '0') {
        at++;
    } else if (is_digit(*at)) {
        while (at < end && is_digit(*at)) at++;
    } else {
        return NULL;
    }
    if (at < end && *at == '.') {
        at++;
        if (at == end) return fail_at_end(read);
        if (!is_digit(*at)) return NULL;
        while (at < end && is_digit(*at)) at++;
    }
    if (at < end && (*at | 0x20) == 'e') {
        at++;
        if (at < end && (*at == '+' || *at == '-')) at++;
        if (at == end) return fail_at_end(read);
        if (!is_digit(*at)) return NULL;
        while (at < end && is_digit(*at)) at++;
    }
    return at == end || is_delimiter(*at) ? at : NULL;
}

// The end of the array or object at `at`, which is `depth` levels deep in the record.
static place container_end(reader *read, place at, uint32_t depth) {
    const place end = read->end;
    uint64_t objects[GV_JSON_DEPTH / 64 + 1];
    const uint32_t base = depth;
    int is_object, escaped;
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

// The end of a value. `value` gets its range and kind.
GV_HOT place value_end(reader *read, place at, uint32_t depth, gv_json_value *value) {
    value->begin = (uint32_t)(at - read->bytes);
    place end;
    if (*at == '"') {
        int escaped = 0;
        value->begin++;
        end = string_end(read, at + 1, &escaped);
        if (!end) {
            value->kind = escaped ? GV_JSON_ESCAPED : GV_JSON_STRING;
            return NULL;
        }
        value->kind = escaped ? GV_JSON_ESCAPED : GV_JSON_STRING;
        value->end = (uint32_t)(end - read->bytes);
        return end + 1;
    }
    if (*at == '{' || *at == '[') {
        value->kind = GV_JSON_TEXT;
        end = container_end(read, at, depth);
    } else {
        end = scalar_end(read, at, &value->kind);
    }
    if (end) value->end = (uint32_t)(end - read->bytes);
    return end;
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

static inline void add_finding(reader *read, uint32_t node, place begin, place end, uint32_t kind) {
    if (!read->findings || read->found == read->capacity) return;
    read->findings[read->found++] =
        (gv_json_finding){node, (uint32_t)(begin - read->bytes), (uint32_t)(end - read->bytes), kind};
}

// True if an object has no keys. `at` is after its bracket.
static inline int is_empty_object(const reader *read, place at) {
    at = skip_space(at, read->end);
    return at < read->end && *at == '}';
}

static inline void set_value(reader *read, uint32_t node, gv_json_value value) {
    const int32_t slot = read->tree->nodes[node].slot;
    if (slot >= 0) {
        read->out[slot] = value;
    } else if (value.kind != GV_JSON_NULL) {
        add_finding(read, node, read->bytes, read->bytes, GV_JSON_NEEDS_SLOT);
    }
}

// This record has the key twice: its earlier values do not count.
static void forget_values(reader *read, uint32_t node) {
    read->notes |= GV_JSON_DUPLICATE;
    for (uint32_t below = node; below < read->tree->nodes[node].end; below++) {
        read->memory->seen[below] = 0;
        if (read->tree->nodes[below].slot >= 0) read->out[read->tree->nodes[below].slot].kind = GV_JSON_MISSING;
    }
}

// Reads the object at `at`, whose keys are below `node`. Returns its end. The recursion is limited by the depth of the tree.
static place read_object(reader *read, place at, uint32_t node, uint32_t depth) {
    const gv_json_tree *tree = read->tree;
    gv_json_memory *memory = read->memory;
    const place start = at, end = read->end;
    uint32_t *guess = memory->first + node;
    int has_rest = 0;
    at = skip_space(at + 1, end);
    if (at == end) return fail_at_end(read);
    if (*at == '}') return at + 1;
    for (;;) {
        if (*at != '"') return NULL;
        const place key = at + 1;
        place key_end;
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
            if (!read->trusted) {
                if (memory->seen[child] == memory->stamp) forget_values(read, child);
                memory->seen[child] = memory->stamp;
            }
            if (*at == '{' && known->divides && !is_empty_object(read, at + 1)) {
                at = read_object(read, at, child, depth + 1);
            } else {
                gv_json_value value;
                const place from = at;
                at = value_end(read, at, depth + 1, &value);
                if (at) {
                    set_value(read, child, value);
                } else if (read->cut && read->is_at_end && known->slot >= 0) {
                    value.begin = (uint32_t)(from - read->bytes) + (*from == '"');
                    value.end = (uint32_t)(end - read->bytes);
                    if (*from != '"') value.kind = GV_JSON_TEXT;
                    value.kind |= GV_JSON_CUT;
                    read->out[known->slot] = value;
                }
            }
            if (!at) return NULL;
            if (read->trusted) {
                if (!read->is_done) read->undecided = undecided - known->wanted;
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

#if defined(GV_HAS_BLOCKS)

// GV_MISSES: the pattern is dropped if this many more records lack it than have it. GV_PAUSE: after this many records, another record may
// become the pattern.
// Records with more values have no pattern, because sorting these would take too long.
enum { GV_MISSES = 8, GV_PAUSE = 256, GV_VALUES = 256 };

// True if the bytes of the block at `at` are those before a value of the pattern.
GV_LOADS_WITHIN_PAGE static inline int has_part(place at, const gv_json_part *part) {
    const __m128i a = _mm_loadu_si128((const __m128i *)(const void *)at), b = _mm_loadu_si128((const __m128i *)(const void *)(at + 16));
    const __m128i x = _mm_loadu_si128((const __m128i *)(const void *)part->bytes);
    const __m128i y = _mm_loadu_si128((const __m128i *)(const void *)(part->bytes + 16));
    const uint32_t equal = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(a, x)) | (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(b, y)) << 16;
    return ((uint64_t)~equal & (((uint64_t)1 << part->count) - 1)) == 0;
}

// Reads a record that differs from the pattern in its values only. Returns 0 for any other record.
//
// The bytes between the values are those of a valid record with the same keys, so this one is valid if its values are.
static int read_alike(reader *read) {
    const gv_json_memory *memory = read->memory;
    const place end = read->end;
    place at = read->bytes;
    const gv_json_part *part = memory->parts, *last = part + memory->part_count - 1;
    for (;; part++) {
        if ((size_t)(end - at) < part->count) return 0;
        if (part->count && !(is_block(at, end) ? has_part(at, part) : memcmp(at, part->bytes, part->count) == 0)) return 0;
        at += part->count;
        if (part == last) return at == end;
        if (at == end) return 0;
        gv_json_value *value = read->out + part->slot;
        const uint8_t first = *at;
        if (first == '"') {
            const place start = at + 1;
            uint32_t kind = GV_JSON_STRING;
            const uint32_t hits = start < end && is_block(start, end) ? quote_bits(start) : 0;
            at = start + (hits ? __builtin_ctz(hits) : 0);
            if (!hits || at >= end || *at != '"') {
                int escaped = 0;
                at = string_end(read, start, &escaped);
                if (!at) return 0;
                if (escaped) kind = GV_JSON_ESCAPED;
            }
            value->begin = (uint32_t)(start - read->bytes);
            value->end = (uint32_t)(at - read->bytes);
            value->kind = kind;
            at++;
        } else {
            const place start = at;
            uint32_t kind = GV_JSON_TEXT;
            if (first == '{' && part->divides) return 0;
            at = first == '{' || first == '[' ? container_end(read, at, part->depth) : scalar_end(read, at, &kind);
            if (!at) return 0;
            value->begin = (uint32_t)(start - read->bytes);
            value->end = (uint32_t)(at - read->bytes);
            value->kind = kind;
        }
    }
}

// Makes the pattern of a record that was read completely, unless it has many bytes between two values.
static void learn_pattern(reader *read) {
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
        gv_json_part part = {.slot = (uint32_t)slot, .divides = tree->nodes[node].divides};
        for (uint32_t above = node; above; above = tree->nodes[above].parent) part.depth++;
        size_t to = count++;
        for (; to > 0 && read->out[parts[to - 1].slot].begin > read->out[slot].begin; to--) parts[to] = parts[to - 1];
        parts[to] = part;
    }
    place from = read->bytes;
    for (size_t i = 0; i <= count; i++) {
        place until = read->end, next = until;
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
static int read_alike(reader *read) { return 0; }
static void learn_pattern(reader *read) {}
#endif

#if defined(__SSE2__)

// The bits of 64 bytes for which a comparison is true.
#define GV_MATCHES(compare)                                                                                            \
    ((uint64_t)(uint16_t)_mm_movemask_epi8(compare(part[0])) | (uint64_t)(uint16_t)_mm_movemask_epi8(compare(part[1])) << 16 \
     | (uint64_t)(uint16_t)_mm_movemask_epi8(compare(part[2])) << 32                                                   \
     | (uint64_t)(uint16_t)_mm_movemask_epi8(compare(part[3])) << 48)

// The bits after backslashes that escape them. `carry`: 1 if the byte before the block is such a backslash.
static uint64_t escaped_bits(uint64_t backslashes, uint64_t *carry) {
    uint64_t escaped = *carry;
    backslashes &= ~*carry;
    *carry = 0;
    while (backslashes) {
        const int at = __builtin_ctzll(backslashes);
        if (at == 63) {
            *carry = 1;
            break;
        }
        escaped |= 2ull << at;
        backslashes &= ~(3ull << at);
    }
    return escaped;
}

// Finds the value of one key of a trusted record, which is an object at `start`, without reading the other keys. Returns the place of the
// value; NULL if the object does not have the key.
static place find_key(const reader *read, place start, place wanted, size_t wanted_count) {
    const place end = read->end;
    const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\'), open = _mm_set1_epi8('{'), close = _mm_set1_epi8('}');
    const __m128i lower = _mm_set1_epi8(0x20), first = _mm_set1_epi8((char)(wanted_count ? wanted[0] : '"'));
    uint64_t carry = 0, in_string = 0;
    size_t depth = 0;
    for (place block = start; block < end; block += 64) {
        uint8_t padded[64];
        const uint8_t *from = block;
        if (end - block < 64) {
            memset(padded, 0, sizeof padded);
            memcpy(padded, block, (size_t)(end - block));
            from = padded;
        }
        __m128i part[4];
        for (int i = 0; i < 4; i++) part[i] = _mm_loadu_si128((const __m128i *)(const void *)(from + 16 * i));
#define GV_IS_QUOTE(x) _mm_cmpeq_epi8(x, quote)
#define GV_IS_BACKSLASH(x) _mm_cmpeq_epi8(x, backslash)
#define GV_IS_OPEN(x) _mm_cmpeq_epi8(_mm_or_si128(x, lower), open)
#define GV_IS_CLOSE(x) _mm_cmpeq_epi8(_mm_or_si128(x, lower), close)
#define GV_IS_FIRST(x) _mm_cmpeq_epi8(x, first)
        uint64_t quotes = GV_MATCHES(GV_IS_QUOTE);
        const uint64_t backslashes = GV_MATCHES(GV_IS_BACKSLASH);
        if (backslashes | carry) quotes &= ~escaped_bits(backslashes, &carry);
        uint64_t strings = quotes;
        strings ^= strings << 1;
        strings ^= strings << 2;
        strings ^= strings << 4;
        strings ^= strings << 8;
        strings ^= strings << 16;
        strings ^= strings << 32;
        strings ^= in_string;
        in_string = (uint64_t)((int64_t)strings >> 63);
        const uint64_t opens = GV_MATCHES(GV_IS_OPEN) & ~strings, closes = GV_MATCHES(GV_IS_CLOSE) & ~strings;
        // An opening quote before the first byte of the key, which may be in the next block.
        uint64_t candidates = quotes & strings & (GV_MATCHES(GV_IS_FIRST) >> 1 | 1ull << 63);
        while (candidates) {
            const int bit = __builtin_ctzll(candidates);
            candidates &= candidates - 1;
            const place key = block + bit + 1;
            if ((size_t)(end - key) <= wanted_count || key[wanted_count] != '"' || memcmp(key, wanted, wanted_count) != 0) continue;
            const place after = skip_space(key + wanted_count + 1, end);
            if (after == end || *after != ':') continue;
            const uint64_t before = (1ull << bit) - 1;
            if (depth + (size_t)__builtin_popcountll(opens & before) - (size_t)__builtin_popcountll(closes & before) != 1) continue;
            const place value = skip_space(after + 1, end);
            return value < end ? value : NULL;
        }
        depth += (size_t)__builtin_popcountll(opens);
        depth -= (size_t)__builtin_popcountll(closes);
    }
    return NULL;
}
#undef GV_MATCHES
#endif

uint32_t gv_json_read(
    const gv_json_tree *tree, gv_json_memory *memory, const uint8_t *bytes, size_t count, int trusted, int cut, gv_json_value *out,
    gv_json_finding *findings, size_t capacity, size_t *found) {
    reader read = {
        .tree = tree, .memory = memory, .bytes = bytes, .end = bytes + count, .out = out, .findings = findings, .capacity = capacity,
        .trusted = trusted != 0, .cut = cut != 0, .undecided = tree->nodes[0].wanted,
    };
    if (found) *found = 0;
    if (memory->part_count && !cut) {
        if (memory->part_count <= tree->slots) {
            for (size_t i = 0; i < tree->slots; i++) out[i].kind = GV_JSON_MISSING;
        }
        if (read_alike(&read)) {
            if (memory->misses) memory->misses--;
            return read.notes;
        }
        read.notes = 0;
        read.is_at_end = 0;
        if (++memory->misses == GV_MISSES) memory->part_count = 0;
    }
    for (size_t i = 0; i < tree->slots; i++) out[i].kind = GV_JSON_MISSING;
    if (++memory->stamp == 0) {
        memset(memory->seen, 0, tree->count * sizeof *memory->seen);
        memory->stamp = 1;
    }
    place at = skip_space(bytes, read.end);
    if (at == read.end) return GV_JSON_BLANK;
    if (*at == '{' && tree->nodes[0].divides) {
        // The record itself is not a value.
        if (tree->nodes[0].slot >= 0 && !tree->nodes[0].shows_rest) read.undecided -= 1;
        if (trusted && read.undecided == 0) return 0;
#if defined(__SSE2__)
        // One key at the top: usually it is found faster than the keys before it are read.
        if (trusted && tree->count == 2 && tree->nodes[1].is_plain && tree->nodes[1].slot >= 0 && read.undecided == 1) {
            const gv_json_node *wanted = tree->nodes + 1;
            const place value = find_key(&read, at, tree->keys + wanted->key_begin, wanted->key_count);
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
        learn_pattern(&read);
        return read.notes;
    }
    if (at) at = skip_space(at, read.end);
    if (at != read.end) {
        if (read.cut && !at && read.is_at_end) return read.notes;
        for (size_t i = 0; i < tree->slots; i++) out[i].kind = GV_JSON_MISSING;
        return GV_JSON_INVALID;
    }
    if (found) *found = read.found;
    if (!read.notes && !read.found) learn_pattern(&read);
    return read.notes;
}

size_t gv_json_skip_plain(
    const gv_json_tree *tree, gv_json_memory *memory, const gv_field *records, size_t count, gv_json_value *out) {
    for (size_t i = 0; i < count; i++) {
        gv_json_finding finding;
        size_t found = 0;
        if (!records[i].start || (uint64_t)records[i].count >= UINT32_MAX) return i;
        const uint32_t notes =
            gv_json_read(tree, memory, records[i].start, (size_t)records[i].count, 0, 0, out, &finding, 1, &found);
        if (notes || found) return i;
    }
    return count;
}

size_t gv_json_value_end(const uint8_t *bytes, size_t count, int *is_cut) {
    reader read = {.bytes = bytes, .end = bytes + count};
    gv_json_value value;
    *is_cut = 0;
    if (count == 0) return 0;
    const place end = value_end(&read, bytes, 0, &value);
    *is_cut = !end && read.is_at_end;
    return end ? (size_t)(end - bytes) : 0;
}

static uint8_t *put_code(uint8_t *out, uint32_t code) {
    if (code < 0x80) {
        *out++ = (uint8_t)code;
    } else if (code < 0x800) {
        *out++ = (uint8_t)(0xc0 | code >> 6);
        *out++ = (uint8_t)(0x80 | (code & 63));
    } else if (code < 0x10000) {
        *out++ = (uint8_t)(0xe0 | code >> 12);
        *out++ = (uint8_t)(0x80 | (code >> 6 & 63));
        *out++ = (uint8_t)(0x80 | (code & 63));
    } else {
        *out++ = (uint8_t)(0xf0 | code >> 18);
        *out++ = (uint8_t)(0x80 | (code >> 12 & 63));
        *out++ = (uint8_t)(0x80 | (code >> 6 & 63));
        *out++ = (uint8_t)(0x80 | (code & 63));
    }
    return out;
}

size_t gv_json_unescape(const uint8_t *bytes, size_t count, uint8_t *out) {
    const place end = bytes + count;
    uint8_t *to = out;
    place at = bytes;
    while (at < end) {
        const uint8_t *next = memchr(at, '\\', (size_t)(end - at));
        const size_t plain = (size_t)((next ? next : end) - at);
        memcpy(to, at, plain);
        to += plain;
        at += plain;
        if (end - at < 2) break;
        uint8_t letter = at[1];
        at += 2;
        switch (letter) {
        case 'b': *to++ = '\b'; continue;
        case 'f': *to++ = '\f'; continue;
        case 'n': *to++ = '\n'; continue;
        case 'r': *to++ = '\r'; continue;
        case 't': *to++ = '\t'; continue;
        case 'u': break;
        default: *to++ = letter; continue;
        }
        if (end - at < 4) break;
        int32_t code = hex_word(at);
        at += 4;
        if (code >= 0xd800 && code < 0xdc00) {
            const int32_t low = end - at >= 6 && at[0] == '\\' && at[1] == 'u' ? hex_word(at + 2) : -1;
            if (low >= 0xdc00 && low < 0xe000) {
                code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
                at += 6;
            }
        }
        to = put_code(to, code < 0 || (code >= 0xd800 && code < 0xe000) ? 0xfffd : (uint32_t)code);
    }
    return (size_t)(to - out);
}
