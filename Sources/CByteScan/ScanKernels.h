// The fast implementation, compiled once per instruction set. Each Scan….c defines GV_LANES, the bytes of a vector, and includes this file
// once, so it has no include guard. GV_HAS_CLMUL: carry-less multiplication is available. GV_HAS_PDEP: PDEP is available and fast, unlike
// on Zen 1 and 2. GV_HAS_LIST_BITS: gv_list_bits is defined.
//
// The bit operations are those of Langdale and Lemire, "Parsing Gigabytes of JSON per Second" (VLDB Journal, 2019). There is a 64-bit mask
// for each relevant byte value, in which bit i represents byte i. The prefix XOR of the quote mask has a 1 for every byte within quotes,
// including the opening quote but not the closing one. A doubled quote closes and reopens, with the same result.
//
// The prefix XOR assumes that every quote is structural, which is correct if and only if
//   - each opening quote follows a delimiter, a line ending, the start, or a quote (then the two are a doubled quote), and
//   - each closing quote precedes a delimiter, a line ending, the end, or a quote.
// By induction over the quotes, the masks and the state machine agree while both conditions hold. (If only the second condition fails, the
// boundaries are correct, but text after a closing quote must be reported.) In a block where a condition fails, quotes are followed one by
// one.

typedef uint8_t gv_vector __attribute__((vector_size(GV_LANES)));
typedef uint8_t gv_unaligned_vector __attribute__((vector_size(GV_LANES), aligned(1), may_alias));
typedef _Bool gv_flags __attribute__((ext_vector_type(GV_LANES)));

// Four masks of a block, with a 1 for each byte that is a delimiter, a quote, an LF or a CR.
typedef struct {
    uint64_t delimiter, quote, lf, cr;
} gv_masks;

typedef struct {
    gv_vector delimiter, quote;
    uint64_t quote_on;
} gv_needles;

// The OR of all bytes, and the least byte, in each lane. They show whether a text has bytes ≥ 0x80 or NUL bytes.
typedef struct {
    gv_vector any, least;
} gv_summary;

static inline gv_needles gv_needles_make(const gv_dialect *dialect) {
    const gv_vector zero = {0};
    return (gv_needles){zero + dialect->delimiter, zero + dialect->quote, dialect->has_quote ? ~(uint64_t)0 : 0};
}

static inline gv_summary gv_summary_make(void) { return (gv_summary){(gv_vector){0}, ~(gv_vector){0}}; }

// One bit for each byte of the result of a comparison.
static inline uint64_t gv_mask(gv_vector result) {
    uint64_t bits = 0;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    for (int i = 0; i < GV_LANES; i++) bits |= (uint64_t)(result[i] & 1) << i;
#else
    const gv_flags flags = __builtin_convertvector(result, gv_flags);
    memcpy(&bits, &flags, GV_LANES / 8);
#endif
    return bits;
}

static inline uint32_t gv_summary_notes(const gv_summary *summary) {
    return (gv_mask(summary->any >= 0x80) ? GV_NOTE_HIGH : 0) | (gv_mask(summary->least == 0) ? GV_NOTE_NUL : 0);
}

static inline gv_masks gv_masks_of(const uint8_t *bytes, const gv_needles *needles, gv_summary *summary) {
    gv_masks masks = {0, 0, 0, 0};
    for (int i = 0; i < 64; i += GV_LANES) {
        const gv_vector vector = *(const gv_unaligned_vector *)(bytes + i);
        summary->any |= vector;
        summary->least = __builtin_elementwise_min(summary->least, vector);
        masks.delimiter |= gv_mask(vector == needles->delimiter) << i;
        masks.quote |= gv_mask(vector == needles->quote) << i;
        masks.lf |= gv_mask(vector == '\n') << i;
        masks.cr |= gv_mask(vector == '\r') << i;
    }
    masks.quote &= needles->quote_on;
    return masks;
}

static inline uint64_t gv_prefix_xor(uint64_t bits) {
#if defined(GV_HAS_CLMUL)
    // The carry-less product with all ones (Langdale and Lemire, 3.1.1).
    return (uint64_t)_mm_cvtsi128_si64(_mm_clmulepi64_si128(_mm_cvtsi64_si128((long long)bits), _mm_set1_epi8(-1), 0));
#else
    for (int shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
    return bits;
#endif
}

// A mask that keeps only the set bit with this number, counted from 0 at the lowest set bit; 0 if `bits` has too few set bits.
static inline uint64_t gv_nth_bit(uint64_t bits, uint32_t number) {
#if defined(GV_HAS_PDEP)
    return number < 64 ? _pdep_u64((uint64_t)1 << number, bits) : 0;
#else
    if (number >= (uint32_t)__builtin_popcountll(bits)) return 0;
    for (; number; number--) bits &= bits - 1;
    return bits & -bits;
#endif
}

// The masks of 64 bytes, or of the remaining `count` < 64 bytes; the bits beyond are 0.
static inline gv_masks gv_masks_at(const uint8_t *bytes, size_t count, const gv_needles *needles, gv_summary *summary) {
    if (count >= 64) return gv_masks_of(bytes, needles, summary);
    uint8_t padded[64];
    // The padding byte 1 is neither NUL nor high, and its matches are masked out.
    memset(padded, 1, sizeof padded);
    memcpy(padded, bytes, count);
    gv_masks masks = gv_masks_of(padded, needles, summary);
    uint64_t valid = ((uint64_t)1 << count) - 1;
    masks.delimiter &= valid;
    masks.quote &= valid;
    masks.lf &= valid;
    masks.cr &= valid;
    return masks;
}

// The number of blocks in a batch. A 64-bit integer has one bit for each block.
enum { GV_BATCH_BLOCKS = 64 };

// The masks of up to 64 blocks. At first, the masks include bytes within quotes. Later, these bytes are removed from them, and `end` keeps
// only the ends of records (the CR of a CRLF).
typedef struct {
    uint64_t delimiter[GV_BATCH_BLOCKS], end[GV_BATCH_BLOCKS], quote[GV_BATCH_BLOCKS];
} gv_batch;

// The state before a block. `inside` is all ones within quotes, otherwise 0. The other members are 1 or 0, and describe the byte before the
// block. `quote`: it is a quote. `text`: it is text outside quotes (not a delimiter, line ending or quote). `any_cr`: it is a CR. `cr`: it
// is a CR outside quotes.
typedef struct {
    uint64_t inside, quote, text, any_cr, cr;
} gv_carries;

// The findings of a span. `lf`, `crlf` and `cr` are not 0 if the span has such a line ending outside quotes.
typedef struct {
    uint64_t lf, crlf, cr;
    size_t quoted_lines; // lines that end within quotes
    size_t strays, first_stray; // quotes within text, and texts after a closing quote
} gv_found;

// The bits from `from` up to, but not including, `end` ≤ 64.
static inline uint64_t gv_bit_range(size_t from, size_t end) {
    const uint64_t below = end >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << end) - 1;
    return from >= 64 ? 0 : below & (~(uint64_t)0 << from);
}

// Counts a stray at `offset`. `found` is NULL if strays are not counted.
static inline void gv_note_stray(gv_found *found, size_t offset) {
    if (!found) return;
    if (found->strays == 0) found->first_stray = offset;
    found->strays += 1;
}

// Like gv_between_quotes, for a block of `count` ≤ 64 bytes with quotes that are not structural.
__attribute__((noinline)) static uint64_t gv_follow_quotes(
    const gv_masks *masks, size_t count, size_t at, gv_carries *before, gv_found *found) {
    const uint64_t line_end = masks->lf | masks->cr, boundary = masks->delimiter | line_end;
    int is_quoted = before->inside != 0;
    uint64_t inside = 0;
    unsigned from = 0;
    // The byte after the last closing quote; 128, beyond the block, if there is no recent closing quote.
    unsigned closed = before->quote && !is_quoted ? 0 : 128;
    // The positions where a quote can open a field: after a delimiter or a line ending.
    const uint64_t openers = (boundary << 1) | (uint64_t)!(before->text || before->quote || before->inside);
    if (closed == 0 && !((boundary | masks->quote) & 1) && count) gv_note_stray(found, at);
    for (uint64_t quotes = masks->quote; quotes; quotes &= quotes - 1) {
        const unsigned bit = (unsigned)__builtin_ctzll(quotes);
        if (is_quoted) {
            inside |= gv_bit_range(from, bit);
            is_quoted = 0;
            closed = bit + 1;
            if (closed < count && !((boundary | masks->quote) >> closed & 1)) gv_note_stray(found, at + closed);
        } else if (bit == closed || (openers >> bit & 1)) {
            is_quoted = 1;
            from = bit + 1;
        } else {
            gv_note_stray(found, at + bit);
        }
    }
    if (is_quoted) inside |= gv_bit_range(from, count);
    const int has_closed = !is_quoted && closed == count;
    before->inside = is_quoted ? ~(uint64_t)0 : 0;
    before->quote = (uint64_t)has_closed;
    before->text = count && !is_quoted && !has_closed && !(boundary >> (count - 1) & 1);
    return inside;
}

// The bytes of a block that are within quotes. The result can include the opening quotes. `count`: the number of remaining bytes from
// offset `at`. Updates `inside`, `quote` and `text` of `carries` for the next block, and counts strays.
static inline uint64_t gv_between_quotes(const gv_masks *masks, size_t count, size_t at, gv_carries *carries, gv_found *found) {
    const uint64_t inside = gv_prefix_xor(masks->quote) ^ carries->inside;
    const uint64_t text = ~(masks->delimiter | masks->lf | masks->cr | masks->quote | inside) & gv_bit_range(0, count);
    // Quotes after text, and text after closing quotes. If there are any, the quotes of the block are followed one by one.
    const uint64_t odd = (((text << 1) | carries->text) & masks->quote) | (((masks->quote << 1) | carries->quote) & text);
    if (__builtin_expect(odd != 0, 0)) {
        // The call gets addresses of copies, so that the original variables can stay in registers.
        const gv_masks these = *masks;
        gv_carries before = *carries;
        const uint64_t followed = gv_follow_quotes(&these, count < 64 ? count : 64, at, &before, found);
        *carries = before;
        return followed;
    }
    carries->inside = (uint64_t)((int64_t)inside >> 63);
    carries->quote = masks->quote >> 63;
    carries->text = text >> 63;
    return inside;
}

// The boundaries outside quotes: delimiters, and the ends of records (the CR of a CRLF).
typedef struct {
    uint64_t delimiter, end;
} gv_boundaries;

static inline gv_boundaries gv_boundaries_of(const gv_masks *masks, size_t count, gv_carries *carries) {
    const uint64_t inside = gv_between_quotes(masks, count, 0, carries, NULL);
    const uint64_t cr = masks->cr & ~inside, after_cr = (cr << 1) | carries->cr;
    carries->cr = cr >> 63;
    return (gv_boundaries){masks->delimiter & ~inside, (cr | (masks->lf & ~inside)) & ~(after_cr & masks->lf)};
}

// Fills a batch from `count` bytes at offset `at` of the span. The last block may be incomplete, and all line endings are supported.
// Returns true if there is a CR.
static int gv_batch_any_endings(
    gv_batch *batch, const uint8_t *bytes, size_t count, size_t at, const gv_needles *needles, gv_summary *summary, gv_carries *carries,
    gv_found *result) {
    gv_carries before = *carries;
    gv_found found = *result;
    uint64_t any_cr = 0;
    for (size_t begin = 0, block = 0; begin < count; begin += 64, block++) {
        const size_t left = count - begin;
        const gv_masks masks = gv_masks_at(bytes + begin, left, needles, summary);
        const uint64_t line_end = masks.lf | masks.cr;
        const uint64_t inside = gv_between_quotes(&masks, left, at + begin, &before, &found);
        const uint64_t cr = masks.cr & ~inside;
        const uint64_t after_cr = (cr << 1) | before.cr;
        batch->end[block] = line_end & ~inside & ~(after_cr & masks.lf);
        batch->delimiter[block] = masks.delimiter & ~inside;
        found.lf |= masks.lf & ~inside & ~after_cr;
        found.crlf |= masks.lf & after_cr;
        found.cr |= after_cr & ~masks.lf & gv_bit_range(0, left);
        // Counts only line endings within quotes. Line endings outside quotes are counted as ends of records.
        if (__builtin_expect((line_end & inside) != 0, 0)) {
            found.quoted_lines += (size_t)__builtin_popcountll(line_end & inside & ~(((masks.cr << 1) | before.any_cr) & masks.lf));
        }
        any_cr |= masks.cr;
        before.any_cr = masks.cr >> 63;
        before.cr = cr >> 63;
    }
    *carries = before;
    *result = found;
    return any_cr != 0;
}

// Fills a batch from whole blocks without CR, the most common case, in two passes. A single loop would need too many registers, and if
// quotes are rare, most blocks need no second pass. Returns 0 if there is a CR; then only the batch and the summary have changed. It is
// inlined, so that the summary of each caller stays in registers, or is removed if it is not used.
__attribute__((always_inline)) static inline int gv_batch_plain(
    gv_batch *batch, const uint8_t *bytes, size_t blocks, size_t at, const gv_needles *needles, gv_summary *summary, gv_carries *carries,
    gv_found *result) {
    uint64_t cr = carries->any_cr | carries->cr, quoted_blocks = 0;
    for (size_t block = 0; block < blocks; block++) {
        const gv_masks masks = gv_masks_of(bytes + 64 * block, needles, summary);
        batch->delimiter[block] = masks.delimiter;
        batch->end[block] = masks.lf;
        batch->quote[block] = masks.quote;
        quoted_blocks |= (uint64_t)(masks.quote != 0) << block;
        cr |= masks.cr;
    }
    if (cr) return 0;
    gv_carries before = *carries;
    gv_found found = *result;
    for (size_t block = 0; block < blocks; block++) {
        if (!(quoted_blocks >> block & 1) && !before.inside && !before.quote) {
            // Skip to the next block with a quote.
            const uint64_t left = quoted_blocks >> block;
            block = left ? block + (size_t)__builtin_ctzll(left) : blocks;
            before.text = ~(batch->delimiter[block - 1] | batch->end[block - 1]) >> 63;
            if (!left) break;
        }
        const gv_masks masks = {batch->delimiter[block], batch->quote[block], batch->end[block], 0};
        const uint64_t inside = gv_between_quotes(&masks, 64, at + 64 * block, &before, &found);
        batch->end[block] = masks.lf & ~inside;
        batch->delimiter[block] = masks.delimiter & ~inside;
        if (__builtin_expect((masks.lf & inside) != 0, 0)) found.quoted_lines += (size_t)__builtin_popcountll(masks.lf & inside);
    }
    *carries = before;
    *result = found;
    return 1;
}

// The counts of a span.
typedef struct {
    size_t ends, delimiters;
    int has_start;            // true if the span starts with a record, or if an end has been found
    size_t first_end;         // the offset of the first end
    size_t delimiters_before; // the delimiters before the first end
    // The check that all records have the expected number of fields. Before each end in a block, the block must have `due` delimiters. At
    // each end, `due` grows by `each`.
    uint64_t each; // the delimiters of each record
    uint64_t due;  // the delimiters required before the next end
    uint64_t uneven;
} gv_tally;

// Adds the counts of `blocks` blocks, which start at offset `at`. Returns the number of ends of records in them.
static size_t gv_tally_add(gv_tally *tally, gv_batch *batch, size_t blocks, size_t at) {
    const size_t ends_before = tally->ends;
    size_t block = 0;
    size_t ends = tally->ends, delimiters = tally->delimiters;
    uint64_t due = tally->due, uneven = tally->uneven;
    const uint64_t each = tally->each;
    if (!tally->has_start) {
        for (; block < blocks && !batch->end[block]; block++) delimiters += (size_t)__builtin_popcountll(batch->delimiter[block]);
        if (block < blocks) {
            // The first end belongs to a record that started before the span.
            const uint64_t first = batch->end[block] & -batch->end[block];
            const size_t before = (size_t)__builtin_popcountll(batch->delimiter[block] & (first - 1));
            tally->has_start = 1;
            tally->first_end = at + 64 * block + (size_t)__builtin_ctzll(first);
            tally->delimiters_before = delimiters + before;
            batch->end[block] ^= first;
            ends += 1;
            due += before;
        }
    }
    for (; block < blocks; block++) {
        const uint64_t delimiter = batch->delimiter[block];
        uint64_t end = batch->end[block];
        const uint64_t here = (uint64_t)__builtin_popcountll(delimiter);
        ends += (size_t)__builtin_popcountll(end);
        delimiters += here;
        // Most blocks have at most one end, and the processor cannot predict which blocks have one, so this code is branchless.
        const uint64_t any = end ? ~(uint64_t)0 : 0;
        uneven |= ((uint64_t)__builtin_popcountll(delimiter & (end ^ (end - 1))) ^ due) & any;
        due += each & any;
        for (end &= end - 1; end; end &= end - 1) {
            uneven |= (uint64_t)__builtin_popcountll(delimiter & (end ^ (end - 1))) ^ due;
            due += each;
        }
        due -= here;
    }
    tally->ends = ends;
    tally->delimiters = delimiters;
    tally->due = due;
    tally->uneven = uneven;
    return ends - ends_before;
}

// Removes the ends of blank lines from a batch, for `skips_blanks` without quotes. `is_blank`: 1 if the line that continues in the batch
// has only blanks so far, otherwise 0; updated for the next batch. Returns the number of removed ends.
static size_t gv_remove_blank_lines(gv_batch *batch, const uint8_t *bytes, size_t count, uint64_t *is_blank) {
    size_t removed = 0;
    uint64_t carry = *is_blank;
    for (size_t begin = 0, block = 0; begin < count; begin += 64, block++) {
        if (!carry && !batch->end[block]) continue;
        const size_t left = count - begin;
        const uint8_t *from = bytes + begin;
        uint8_t padded[64];
        if (left < 64) {
            memset(padded, 1, sizeof padded);
            memcpy(padded, from, left);
            from = padded;
        }
        uint64_t line_end = 0, space = 0;
        for (int i = 0; i < 64; i += GV_LANES) {
            const gv_vector vector = *(const gv_unaligned_vector *)(from + i);
            line_end |= gv_mask((vector == '\n') | (vector == '\r')) << i;
            space |= gv_mask((vector == ' ') | (vector == '\t')) << i;
        }
        // Add the bit of a line's first space to the mask of spaces. The carry then sets the bit after the last of these spaces.
        const uint64_t line_start = (line_end << 1) | carry;
        unsigned long long moved = 0;
        const uint64_t overflow = __builtin_uaddll_overflow(space, line_start & space, &moved);
        const uint64_t text_start = (line_start | moved) & ~space;
        const uint64_t blank = batch->end[block] & text_start;
        batch->end[block] ^= blank;
        removed += (size_t)__builtin_popcountll(blank);
        carry = left < 64 ? text_start >> left & 1 : line_end >> 63 | overflow;
    }
    *is_blank = carry;
    return removed;
}

static void gv_span_fast(
    const gv_dialect *dialect, const uint8_t *bytes, size_t count, uint8_t previous, uint8_t state, size_t fields, gv_span *result) {
    const gv_needles needles = gv_needles_make(dialect);
    gv_summary summary = gv_summary_make();
    gv_carries carries = {
        .inside = state == GV_QUOTED ? ~(uint64_t)0 : 0,
        .quote = state == GV_QUOTE_SEEN,
        .text = state == GV_UNQUOTED,
        .any_cr = previous == '\r',
        .cr = state == GV_AFTER_CR,
    };
    gv_found found = {0};
    gv_batch batch;
    const int starts_record = state == GV_RECORD_START || state == GV_AFTER_CR;
    gv_tally tally = {.has_start = starts_record, .each = fields - 1, .due = fields - 1};
    uint64_t is_blank = (uint64_t)starts_record;
    size_t blank_lines = 0;

    int has_cr = 0;
    for (size_t begin = 0; begin < count; begin += 64 * GV_BATCH_BLOCKS) {
        const size_t rest = count - begin < 64 * GV_BATCH_BLOCKS ? count - begin : 64 * GV_BATCH_BLOCKS;
        const size_t blocks = (rest + 63) / 64;
        // After a CR, the next batch is not tried as plain, because a file with one CR usually has more.
        const int plain =
            !has_cr && rest % 64 == 0 && gv_batch_plain(&batch, bytes + begin, blocks, begin, &needles, &summary, &carries, &found);
        if (!plain) has_cr = gv_batch_any_endings(&batch, bytes + begin, rest, begin, &needles, &summary, &carries, &found);
        const size_t blank = dialect->skips_blanks ? gv_remove_blank_lines(&batch, bytes + begin, rest, &is_blank) : 0;
        const size_t ends = gv_tally_add(&tally, &batch, blocks, begin);
        if (plain) found.lf |= ends | blank;
        blank_lines += blank;
    }
    result->state = count == 0 ? state : carries.inside ? GV_QUOTED
        : carries.text                      ? GV_UNQUOTED
                                            : gv_state_after(dialect, bytes[count - 1]);
    // Spaces before a record are not part of it.
    if (dialect->skips_blanks && is_blank && result->state == GV_UNQUOTED) result->state = GV_RECORD_START;
    // The end of a record is the start of the next record, unless the span ends there.
    const int ends_record = result->state == GV_RECORD_START || result->state == GV_AFTER_CR;
    result->starts = tally.ends + (size_t)starts_record - (size_t)ends_record;
    size_t first = 0;
    if (starts_record) {
        first = state == GV_AFTER_CR && count > 0 && bytes[0] == '\n';
    } else if (tally.ends) {
        first = tally.first_end + 1;
        if (bytes[first - 1] == '\r' && first < count && bytes[first] == '\n') first += 1;
    }
    if (result->starts) first += gv_skipped_blanks(dialect, bytes + first, count - first);
    result->first_start = result->starts ? first : count;
    result->delimiters_before = !result->starts ? tally.delimiters : starts_record ? 0 : tally.delimiters_before;
    result->lines = found.quoted_lines + tally.ends + blank_lines;
    result->delimiters_after = tally.delimiters - result->delimiters_before;
    result->strays = found.strays;
    result->first_stray = found.strays ? found.first_stray : count;
    result->notes =
        gv_summary_notes(&summary) | (found.lf ? GV_NOTE_LF : 0) | (found.crlf ? GV_NOTE_CRLF : 0) | (found.cr ? GV_NOTE_CR : 0);
    result->is_uneven = fields && tally.uneven;
}

// The fields of even records, which all have the same number of fields, are found by arithmetic. The boundaries (delimiters and line
// endings) of up to GV_BATCH_BLOCKS blocks are listed first. Then field `c` of record `r` ends at boundary `r * fields + c`. No branch
// depends on the lengths of fields.

#ifndef GV_HAS_LIST_BITS
// Writes the indices of the set bits, plus `first`, to `offsets`, which has room for 64. Returns their number.
static inline size_t gv_list_bits(uint64_t bits, uint16_t first, uint16_t *offsets) {
    const size_t count = (size_t)__builtin_popcountll(bits);
    // Writes eight at a time, even if fewer are left.
    for (size_t done = 0; done < count; done += 8) {
        for (size_t i = 0; i < 8; i++) {
            offsets[done + i] = (uint16_t)(first + (bits ? (unsigned)__builtin_ctzll(bits) : 64));
            bits &= bits - 1;
            // Prevents vectorization by the compiler, which is slower here.
            __asm__ volatile("" ::: "memory");
        }
    }
    return count;
}
#endif

// Lists the offsets of the boundaries of a batch. There is room for 64 per block.
static inline void gv_list_boundaries(const gv_batch *batch, uint16_t *offsets) {
    size_t count = 0;
    for (size_t block = 0; block < GV_BATCH_BLOCKS; block++) {
        count += gv_list_bits(batch->delimiter[block] | batch->end[block], (uint16_t)(64 * block), offsets + count);
    }
}

// The number of delimiters of the first record of a batch; SIZE_MAX if that record does not end in the batch.
static inline size_t gv_first_delimiters(const gv_batch *batch) {
    size_t delimiters = 0;
    for (size_t block = 0; block < GV_BATCH_BLOCKS; block++) {
        const uint64_t end = batch->end[block];
        if (end) return delimiters + (size_t)__builtin_popcountll(batch->delimiter[block] & (end ^ (end - 1)));
        delimiters += (size_t)__builtin_popcountll(batch->delimiter[block]);
    }
    return SIZE_MAX;
}

// Selects fields, starting at `progress`, while the records of a batch are even and have no CR. Updates `progress`.
static void gv_select_even(
    const gv_dialect *dialect, const uint8_t *bytes, size_t count, const uint32_t *columns, size_t column_count, gv_range *out,
    size_t capacity, gv_progress *progress) {
    const gv_needles needles = gv_needles_make(dialect);
    gv_summary summary = gv_summary_make();
    gv_batch batch;
    uint16_t offsets[64 * GV_BATCH_BLOCKS];
    // A batch of few records takes longer than reading the records one by one.
    while (count - progress->consumed >= 64 * GV_BATCH_BLOCKS && capacity - progress->records >= 16) {
        const size_t begin = progress->consumed;
        gv_carries carries = {0};
        gv_found found = {0};
        if (!gv_batch_plain(&batch, bytes + begin, GV_BATCH_BLOCKS, 0, &needles, &summary, &carries, &found)) return;
        const size_t each = gv_first_delimiters(&batch);
        // Empty lines would look like records of one field. If few of many columns are selected, reading the records one by one is faster.
        if (each == SIZE_MAX || each == 0 || each > 4 * column_count + 16) return;
        gv_tally tally = {.has_start = 1, .each = each, .due = each};
        size_t records = gv_tally_add(&tally, &batch, GV_BATCH_BLOCKS, 0);
        if (tally.uneven) return;
        gv_list_boundaries(&batch, offsets);
        if (records > capacity - progress->records) records = capacity - progress->records;
        for (size_t i = 0; i < column_count; i++) {
            const size_t column = columns[i];
            gv_range *range = out + progress->records * column_count + i;
            if (column > each) {
                for (size_t r = 0; r < records; r++, range += column_count) *range = (gv_range){GV_MISSING, GV_MISSING};
                continue;
            }
            const uint16_t *end = offsets + column;
            size_t r = 0;
            if (column == 0) {
                // The first record starts without a boundary before it.
                *range = (gv_range){(uint32_t)begin, (uint32_t)(begin + *end)};
                range += column_count;
                end += each + 1;
                r = 1;
            }
            for (; r < records; r++, range += column_count, end += each + 1) {
                *range = (gv_range){(uint32_t)(begin + end[-1] + 1), (uint32_t)(begin + end[0])};
            }
        }
        progress->records += records;
        progress->consumed = begin + offsets[records * (each + 1) - 1] + 1;
    }
}

// The loop of gv_select_lines, for constant `skips` (blanks are skipped) and `has_cr` (a CR also ends a line, and the LF of a CRLF is a
// skipped blank).
__attribute__((always_inline)) static inline void gv_select_lines_loop(
    const int skips, const int has_cr, const gv_dialect *dialect, const uint8_t *bytes, size_t count, gv_range *out, size_t capacity,
    gv_progress *progress) {
    const gv_vector delimiter = (gv_vector){0} + dialect->delimiter;
    size_t records = progress->records, begin = progress->consumed;
    for (size_t at = begin; at + 64 <= count; at += 64) {
        uint64_t ends = 0, cr = 0, others = 0;
        for (int i = 0; i < 64; i += GV_LANES) {
            const gv_vector vector = *(const gv_unaligned_vector *)(bytes + at + i);
            ends |= gv_mask(vector == '\n') << i;
            if (has_cr) cr |= gv_mask(vector == '\r') << i;
            others |= gv_mask(has_cr ? vector == delimiter : (vector == delimiter) | (vector == '\r')) << i;
        }
        if (others) break;
        for (ends = (ends & ~(cr << 1)) | cr; ends; ends &= ends - 1) {
            const size_t end = at + (size_t)__builtin_ctzll(ends);
            if (skips) begin += gv_skipped_blanks(dialect, bytes + begin, end - begin);
            if (skips && end == begin) {
                begin = end + 1;
                continue;
            }
            if (end == begin || records == capacity) goto done;
            out[records++] = (gv_range){(uint32_t)begin, (uint32_t)end};
            begin = end + 1;
            if (records == capacity) goto done;
        }
    }
done:
    progress->records = records;
    progress->consumed = begin;
}

// Selects the first fields of records that are whole lines without a delimiter. Stops before any other line. Unless blanks are skipped,
// also stops before a line with a CR, and before an empty line, which has no field.
static void gv_select_lines(
    const gv_dialect *dialect, const uint8_t *bytes, size_t count, gv_range *out, size_t capacity, gv_progress *progress) {
    if (!dialect->skips_blanks) return gv_select_lines_loop(0, 0, dialect, bytes, count, out, capacity, progress);
    // Most text has no CR.
    gv_select_lines_loop(1, 0, dialect, bytes, count, out, capacity, progress);
    if (progress->records < capacity) gv_select_lines_loop(1, 1, dialect, bytes, count, out, capacity, progress);
}

static void gv_select_fast(
    const gv_dialect *dialect, const uint8_t *bytes, size_t count, int is_last, const uint32_t *columns, size_t column_count,
    gv_range *out, size_t capacity, gv_progress *progress) {
    if (column_count == 1 && columns[0] == 0 && !dialect->has_quote) gv_select_lines(dialect, bytes, count, out, capacity, progress);
    // Records that are not even are read by the loop below.
    if (progress->records == 0) gv_select_even(dialect, bytes, count, columns, column_count, out, capacity, progress);
    if (progress->records == capacity) return;
    const gv_needles needles = gv_needles_make(dialect);
    gv_summary summary = gv_summary_make();
    size_t records = progress->records;
    size_t record_begin = progress->consumed, field_begin = progress->consumed;
    gv_range *row = out + records * column_count;
    size_t column_index = 0; // index into columns
    uint32_t column = 0;     // the column that starts at field_begin
    // True if the rest of the record is not needed; then only its end is searched.
    int skipping = column_count == 0;
    gv_carries carries = {0};

    for (size_t at = record_begin; at < count; at += 64) {
        const gv_masks masks = gv_masks_at(bytes + at, count - at, &needles, &summary);
        const gv_boundaries boundaries = gv_boundaries_of(&masks, count - at, &carries);
        uint64_t end = boundaries.end, boundary = boundaries.end | boundaries.delimiter;

        for (;;) {
            uint64_t bit;
            size_t position;
            if (!skipping) {
                const uint32_t ahead = columns[column_index] - column;
                if (ahead) {
                    // Jump to the delimiter before the selected field, unless the record ends before it.
                    bit = gv_nth_bit(boundary, ahead - 1);
                    const uint64_t passed = bit ? bit | (bit - 1) : ~(uint64_t)0;
                    if (end & passed) goto record_end;
                    if (!bit) {
                        if (boundary) field_begin = at + 64 - (size_t)__builtin_clzll(boundary);
                        column += (uint32_t)__builtin_popcountll(boundary);
                        break;
                    }
                    field_begin = at + (size_t)__builtin_ctzll(bit) + 1;
                    column = columns[column_index];
                    boundary &= ~passed;
                }
                if (!boundary) break;
                bit = boundary & -boundary;
                position = at + (size_t)__builtin_ctzll(boundary);
                // An empty line has no fields.
                if (position == record_begin && (end & bit)) goto record_end;
                row[column_index].begin = (uint32_t)field_begin;
                row[column_index].end = (uint32_t)position;
                column_index += 1;
                column += 1;
                field_begin = position + 1;
                skipping = column_index == column_count;
                if (!(end & bit)) {
                    boundary ^= bit;
                    continue;
                }
            }
        record_end:
            if (!end) break;
            bit = end & -end;
            position = at + (size_t)__builtin_ctzll(end);
            boundary &= ~(bit | (bit - 1));
            end ^= bit;
            size_t next = position + 1;
            if (bytes[position] == '\r') {
                // An LF may follow in the next bytes, so the record is left for the next call.
                if (next == count && !is_last) goto unfinished;
                if (next < count && bytes[next] == '\n') next += 1;
            }
            for (; column_index < column_count; column_index++) row[column_index].begin = row[column_index].end = GV_MISSING;
            row += column_count;
            records += 1;
            record_begin = field_begin = next;
            column_index = 0;
            column = 0;
            skipping = column_count == 0;
            if (records == capacity) goto unfinished;
        }
    }
    if (is_last && record_begin < count && records < capacity) {
        if (!skipping && column == columns[column_index]) {
            row[column_index].begin = (uint32_t)field_begin;
            row[column_index].end = (uint32_t)count;
            column_index += 1;
        }
        for (; column_index < column_count; column_index++) row[column_index].begin = row[column_index].end = GV_MISSING;
        records += 1;
        record_begin = count;
    }
unfinished:
    progress->consumed = record_begin;
    progress->records = records;
}

static void gv_record_fast(
    const gv_dialect *dialect, const uint8_t *bytes, size_t count, int is_last, size_t first, gv_range *out, size_t capacity,
    gv_record *result) {
    const gv_needles needles = gv_needles_make(dialect);
    gv_summary summary = gv_summary_make();
    const size_t beyond = capacity > SIZE_MAX - first ? SIZE_MAX : first + capacity;
    size_t fields = 0, field_begin = 0;
    gv_carries carries = {0};
    memset(result, 0, sizeof *result);
    for (size_t at = 0; at < count; at += 64) {
        const gv_masks masks = gv_masks_at(bytes + at, count - at, &needles, &summary);
        const gv_boundaries boundaries = gv_boundaries_of(&masks, count - at, &carries);
        const uint64_t end = boundaries.end;
        uint64_t delimiter = boundaries.delimiter & (end ? end ^ (end - 1) : ~(uint64_t)0);
        const size_t here = (size_t)__builtin_popcountll(delimiter);
        if (fields + here <= first || fields >= beyond) {
            // No field that ends in this block is needed.
            if (delimiter) field_begin = at + 64 - (size_t)__builtin_clzll(delimiter);
            fields += here;
        } else {
            for (; delimiter; delimiter &= delimiter - 1) {
                const size_t position = at + (size_t)__builtin_ctzll(delimiter);
                if (fields >= first && fields < beyond) out[fields - first] = (gv_range){(uint32_t)field_begin, (uint32_t)position};
                fields += 1;
                field_begin = position + 1;
            }
        }
        if (!end) continue;
        const size_t position = at + (size_t)__builtin_ctzll(end);
        const int is_cr = bytes[position] == '\r';
        result->found = 1;
        if (is_cr && position + 1 == count && !is_last) return;
        if (position > 0) {
            if (fields >= first && fields < beyond) out[fields - first] = (gv_range){(uint32_t)field_begin, (uint32_t)position};
            fields += 1;
        }
        result->end = position;
        result->next = position + 1 + (is_cr && position + 1 < count && bytes[position + 1] == '\n');
        result->field_count = fields;
        result->complete = 1;
        return;
    }
    result->found = count > 0;
    if (is_last && count > 0) {
        if (fields >= first && fields < beyond) out[fields - first] = (gv_range){(uint32_t)field_begin, (uint32_t)count};
        fields += 1;
    }
    result->end = result->next = count;
    result->field_count = fields;
    result->complete = is_last;
}

static void gv_counts_fast(
    const gv_dialect *dialect, const uint8_t *bytes, size_t count, int is_last, size_t fields, gv_field_counts *result) {
    const gv_needles needles = gv_needles_make(dialect);
    gv_summary summary = gv_summary_make();
    gv_field_counts counts;
    memset(&counts, 0, sizeof counts);
    size_t delimiters = 0; // the delimiters of the current record
    gv_carries carries = {0};
    for (size_t at = 0; at < count; at += 64) {
        const gv_masks masks = gv_masks_at(bytes + at, count - at, &needles, &summary);
        const gv_boundaries boundaries = gv_boundaries_of(&masks, count - at, &carries);
        uint64_t end = boundaries.end, delimiter = boundaries.delimiter;
        for (; end; end &= end - 1) {
            const uint64_t before = (end & -end) - 1;
            const size_t position = at + (size_t)__builtin_ctzll(end);
            size_t next = position + 1;
            if (bytes[position] == '\r') {
                // An LF may follow in the next bytes, so the record is left for the next call.
                if (next == count && !is_last) goto done;
                if (next < count && bytes[next] == '\n') next += 1;
            }
            delimiters += (size_t)__builtin_popcountll(delimiter & before);
            delimiter &= ~before;
            gv_count_record(&counts, counts.consumed, delimiters, position > counts.consumed, fields);
            counts.consumed = next;
            delimiters = 0;
        }
        delimiters += (size_t)__builtin_popcountll(delimiter);
    }
    if (is_last && counts.consumed < count) {
        gv_count_record(&counts, counts.consumed, delimiters, 1, fields);
        counts.consumed = count;
    }
done:
    *result = counts;
}

// The state of gv_lines_fast between two blocks.
typedef struct {
    int is_quoted;    // within quotes
    int needs_quotes; // true if the quoted field has a byte that requires quotes
    int is_doubled;   // true if the first byte of the next block is the second quote of a pair
} gv_quoting;

// Follows the quotes of the block at `at`. Returns the bytes within quotes. Sets a bit of `irregular` at the first quote that is within an
// unquoted field, or that quotes a field that needs no quotes. The bits above it are undefined.
static uint64_t gv_follow_written_quotes(
    const gv_dialect *dialect, const uint8_t *bytes, size_t count, size_t at, const gv_masks *masks, gv_quoting *quoting,
    uint64_t *irregular) {
    const uint64_t special = masks->delimiter | masks->lf;
    uint64_t quotes = masks->quote, inside = 0;
    unsigned from = 0;
    if (quoting->is_doubled) {
        quotes &= ~(uint64_t)1;
        from = 1;
        quoting->is_doubled = 0;
    }
    while (quotes) {
        const unsigned bit = (unsigned)__builtin_ctzll(quotes);
        const size_t position = at + bit;
        quotes &= quotes - 1;
        if (!quoting->is_quoted) {
            const uint8_t before = position ? dialect->class_of[bytes[position - 1]] : GV_LF;
            if (before != GV_DELIMITER && before != GV_LF) {
                *irregular |= (uint64_t)1 << bit;
                return inside;
            }
            *quoting = (gv_quoting){.is_quoted = 1};
            from = bit + 1;
            continue;
        }
        const uint64_t run = gv_bit_range(from, bit);
        inside |= run;
        quoting->needs_quotes |= (special & run) != 0;
        const uint8_t next = position + 1 < count ? dialect->class_of[bytes[position + 1]] : GV_LF;
        if (next == GV_QUOTE) {
            quoting->needs_quotes = 1;
            if (bit == 63) quoting->is_doubled = 1;
            else quotes &= quotes - 1;
            from = bit + 2;
            continue;
        }
        quoting->is_quoted = 0;
        const int is_cut = position + 1 == count;
        if (!is_cut && (!quoting->needs_quotes || (next != GV_DELIMITER && next != GV_LF))) {
            *irregular |= (uint64_t)1 << bit;
            return inside;
        }
    }
    if (quoting->is_quoted) {
        const uint64_t run = gv_bit_range(from, 64);
        inside |= run;
        quoting->needs_quotes |= (special & run) != 0;
    }
    return inside;
}

static void gv_lines_fast(
    const gv_dialect *dialect, const uint8_t *bytes, size_t count, size_t fields, uint32_t *ends, size_t capacity, gv_lines *result) {
    const gv_needles needles = gv_needles_make(dialect);
    gv_summary summary = gv_summary_make();
    size_t records = 0, begin = 0;
    size_t due = fields - 1; // delimiters required before the record ends
    gv_quoting quoting = {0, 0, 0};
    memset(result, 0, sizeof *result);
    for (size_t at = 0; at < count && records < capacity; at += 64) {
        const gv_masks masks = gv_masks_at(bytes + at, count - at, &needles, &summary);
        uint64_t irregular = masks.cr, inside = 0;
        if (masks.quote || quoting.is_quoted) inside = gv_follow_written_quotes(dialect, bytes, count, at, &masks, &quoting, &irregular);
        uint64_t end = masks.lf & ~inside, delimiter = masks.delimiter & ~inside;
        if (irregular) end &= (irregular & -irregular) - 1;
        for (; end; end &= end - 1) {
            const uint64_t before = (end & -end) - 1;
            const size_t position = at + (size_t)__builtin_ctzll(end);
            const size_t found = (size_t)__builtin_popcountll(delimiter & before);
            delimiter &= ~before;
            if (found != due || position == begin) {
                result->stopped = 1;
                goto done;
            }
            due = fields - 1;
            begin = position + 1;
            ends[records++] = (uint32_t)begin;
            if (records == capacity) goto done;
        }
        if (irregular) {
            result->stopped = 1;
            goto done;
        }
        // If the record has too many delimiters, `due` wraps around, and is not 0 again before the end of the record.
        due -= (size_t)__builtin_popcountll(delimiter);
    }
done:
    result->records = records;
    result->consumed = begin;
}

static void gv_measure_fast(const gv_dialect *dialect, const uint8_t *bytes, size_t count, size_t at, gv_line *line) {
    const gv_needles needles = gv_needles_make(dialect);
    gv_summary summary = gv_summary_make();
    memset(line, 0, sizeof *line);
    uint64_t quotes = 0, returns = 0, after_cr = 0;
    for (size_t begin = 0; begin < count; begin += 64) {
        const gv_masks masks = gv_masks_at(bytes + begin, count - begin, &needles, &summary);
        const uint64_t before = at > begin ? gv_bit_range(0, at - begin) : 0, lf = masks.lf & ~before;
        const uint64_t mine = lf ? (lf & -lf) - 1 : ~(uint64_t)0;
        line->delimiters += (size_t)__builtin_popcountll(masks.delimiter & before);
        quotes |= masks.quote & mine;
        // The byte after a CR is part of the line, unless it is the LF that ends the line.
        after_cr |= masks.cr << 1;
        returns |= after_cr & mine;
        after_cr = masks.cr >> 63;
        if (!lf) continue;
        line->length = begin + (size_t)__builtin_ctzll(lf) + 1;
        break;
    }
    line->has_cr = returns != 0;
    line->has_quote = quotes != 0;
}

#define GV_SCANNER {gv_span_fast, gv_select_fast, gv_record_fast, gv_counts_fast, gv_lines_fast, gv_measure_fast, gv_select_lines}
