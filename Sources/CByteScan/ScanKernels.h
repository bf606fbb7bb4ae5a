// The fast way, once for every instruction set: each Scan….c defines gv_needles, gv_needles_make, gv_masks_of, gv_prefix_xor
// and gv_nth_bit, and then includes this file. Not a header in the usual sense, hence no guard.
//
// The bit tricks are those of Langdale and Lemire, "Parsing Gigabytes of JSON per Second" (VLDB Journal, 2019): a 64-bit mask for each
// interesting byte value, bit i standing for byte i; the prefix xor of the quote mask has a 1 for every byte between quotes, the
// opening one included, the closing one not. A doubled quote closes and opens at once, which comes to the same.
//
// This takes every quote for a structural one. It is one exactly when
//   - each opening quote follows a delimiter, a line end, the start, or a quote (then the two are a doubled quote), and
//   - each closing quote precedes a delimiter, a line end, the end, or a quote;
// by induction over the quotes, the masks and the state machine agree as long as this holds, and the first quote for which it does not
// hold is noticed. (The second condition alone changes no boundary, but text after a closing quote is to be reported.) From there on the quotes of
// a span are followed one by one; single records take the careful way.

// Masks of 64 bytes, or of the `count` < 64 that are left: bits beyond are 0.
static inline gv_masks gv_masks_at(const uint8_t *bytes, size_t count, const gv_needles *needles, gv_census *census) {
    if (count >= 64) return gv_masks_of(bytes, needles, census);
    uint8_t padded[64];
    // 1 is neither NUL nor high, and whatever it matches is masked off.
    memset(padded, 1, sizeof padded);
    memcpy(padded, bytes, count);
    gv_masks masks = gv_masks_of(padded, needles, census);
    uint64_t valid = ((uint64_t)1 << count) - 1;
    masks.delimiter &= valid;
    masks.quote &= valid;
    masks.lf &= valid;
    masks.cr &= valid;
    return masks;
}

// A 64-bit number has one bit for each block.
enum { GV_BATCH_BLOCKS = 64 };

// The masks of up to 64 blocks: first as the bytes are, then without what is between quotes. `end` then has the ends of records alone (of a
// CRLF, the CR).
typedef struct {
    uint64_t delimiter[GV_BATCH_BLOCKS], end[GV_BATCH_BLOCKS], quote[GV_BATCH_BLOCKS];
} gv_batch;

// What precedes a block. `inside` is all ones between quotes, and 0 elsewhere. The others are 1 or 0: the last byte is a quote; it is text outside
// quotes (no delimiter, line end or quote); it is a CR; it is a CR outside quotes.
typedef struct {
    uint64_t inside, quote, text, any_cr, cr;
} gv_carries;

// What a span holds. The first four are not 0 when there is such a thing: each kind of line end, outside quotes, and a quote that is not structural.
typedef struct {
    uint64_t lf, crlf, cr, odd_quote;
    size_t quoted_lines; // lines that end between quotes
    size_t strays, first_stray; // counted only when quotes are followed one by one
} gv_found;

// The places where text stands beside a quote, outside quotes.
static inline uint64_t gv_odd_quotes(uint64_t quote, uint64_t text, const gv_carries *before) {
    return (((text << 1) | before->text) & quote) | (((quote << 1) | before->quote) & text);
}

// The bits from number `from` up to, but not including, number `end` ≤ 64.
static inline uint64_t gv_bits(unsigned from, unsigned end) {
    const uint64_t below = end >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << end) - 1;
    return from >= 64 ? 0 : below & (~(uint64_t)0 << from);
}

// Notes a quote that is text, or text after a closing quote.
static inline void gv_note_stray(gv_found *found, size_t offset) {
    if (found->strays == 0) found->first_stray = offset;
    found->strays += 1;
}

// Follows the quotes of a block of `count` ≤ 64 bytes at offset `at` one by one, whether or not they are structural, and notes strays. Returns which
// bytes are between quotes, and leaves in `before` what precedes the next block.
static uint64_t gv_follow_all_quotes(const gv_masks *masks, size_t count, size_t at, gv_carries *before, gv_found *found) {
    const uint64_t line_end = masks->lf | masks->cr, boundary = masks->delimiter | line_end;
    int is_quoted = before->inside != 0;
    uint64_t inside = 0;
    unsigned from = 0;
    // The byte after the last closing quote; a number that no byte has when that quote is far away.
    unsigned closed = before->quote && !is_quoted ? 0 : 128;
    // The quotes that may open a field: after a delimiter or a line end.
    const uint64_t openers = (boundary << 1) | (uint64_t)!(before->text || before->quote || before->inside);
    if (closed == 0 && !((boundary | masks->quote) & 1) && count) gv_note_stray(found, at);
    for (uint64_t quotes = masks->quote; quotes; quotes &= quotes - 1) {
        const unsigned bit = (unsigned)__builtin_ctzll(quotes);
        if (is_quoted) {
            inside |= gv_bits(from, bit);
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
    if (is_quoted) inside |= gv_bits(from, (unsigned)count);
    const int has_closed = !is_quoted && closed == count;
    before->inside = is_quoted ? ~(uint64_t)0 : 0;
    before->quote = (uint64_t)has_closed;
    before->text = count && !is_quoted && !has_closed && !(boundary >> (count - 1) & 1);
    return inside;
}

// Fills a batch from `count` bytes of any kind, which begin at offset `at` of the span. Returns whether there is a CR. `follows`: quotes may be text;
// otherwise only the first such quote is noticed.
static int gv_batch_any(
    gv_batch *batch, const uint8_t *bytes, size_t count, size_t at, int follows, const gv_needles *needles, gv_census *census,
    gv_carries *carries, gv_found *result) {
    gv_carries before = *carries;
    gv_found found = *result;
    uint64_t any_cr = 0;
    for (size_t begin = 0, block = 0; begin < count; begin += 64, block++) {
        const size_t left = count - begin;
        const uint64_t valid = left >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << left) - 1;
        const gv_masks masks = gv_masks_at(bytes + begin, left, needles, census);
        const uint64_t line_end = masks.lf | masks.cr;
        gv_carries next;
        uint64_t inside;
        if (follows) {
            next = before;
            inside = gv_follow_all_quotes(&masks, left >= 64 ? 64 : left, at + begin, &next, &found);
        } else {
            inside = gv_prefix_xor(masks.quote) ^ before.inside;
            const uint64_t text = ~(masks.delimiter | line_end | masks.quote | inside) & valid;
            found.odd_quote |= gv_odd_quotes(masks.quote, text, &before);
            next.inside = (uint64_t)((int64_t)inside >> 63);
            next.quote = masks.quote >> 63;
            next.text = text >> 63;
        }
        const uint64_t cr = masks.cr & ~inside;
        const uint64_t after_cr = (cr << 1) | before.cr;
        batch->end[block] = line_end & ~inside & ~(after_cr & masks.lf);
        batch->delimiter[block] = masks.delimiter & ~inside;
        found.lf |= masks.lf & ~inside & ~after_cr;
        found.crlf |= masks.lf & after_cr;
        found.cr |= after_cr & ~masks.lf & valid;
        // Line ends outside quotes are counted with the records.
        if (__builtin_expect((line_end & inside) != 0, 0)) {
            found.quoted_lines += (size_t)__builtin_popcountll(line_end & inside & ~(((masks.cr << 1) | before.any_cr) & masks.lf));
        }
        any_cr |= masks.cr;
        next.any_cr = masks.cr >> 63;
        next.cr = cr >> 63;
        before = next;
    }
    *carries = before;
    *result = found;
    return any_cr != 0;
}

// Removes what is between quotes from the masks of one block, which has no CR.
static inline void gv_block_unquote(gv_batch *batch, size_t block, gv_carries *before, gv_found *found) {
    const uint64_t quote = batch->quote[block], lf = batch->end[block], delimiter = batch->delimiter[block];
    const uint64_t inside = gv_prefix_xor(quote) ^ before->inside;
    const uint64_t text = ~(delimiter | lf | quote | inside);
    found->odd_quote |= gv_odd_quotes(quote, text, before);
    batch->end[block] = lf & ~inside;
    batch->delimiter[block] = delimiter & ~inside;
    if (__builtin_expect((lf & inside) != 0, 0)) found->quoted_lines += (size_t)__builtin_popcountll(lf & inside);
    *before = (gv_carries){(uint64_t)((int64_t)inside >> 63), quote >> 63, text >> 63, 0, 0};
}

// Fills a batch from whole blocks without CR, as most are, in two steps: one loop for both would not find room for it all in registers, and where
// quotes are few, most blocks need no second step. Returns 0 when there is a CR; then only the batch and the census have changed.
// Inline, so that the census of each caller stays in registers, or goes where nobody asks for it.
__attribute__((always_inline)) static inline int gv_batch_plain(
    gv_batch *batch, const uint8_t *bytes, size_t blocks, const gv_needles *needles, gv_census *census, gv_carries *carries,
    gv_found *result) {
    uint64_t cr = carries->any_cr | carries->cr, quoted_blocks = 0;
    for (size_t block = 0; block < blocks; block++) {
        const gv_masks masks = gv_masks_of(bytes + 64 * block, needles, census);
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
            // Nothing to do up to the next block with a quote.
            const uint64_t left = quoted_blocks >> block;
            block = left ? block + (size_t)__builtin_ctzll(left) : blocks;
            before.text = ~(batch->delimiter[block - 1] | batch->end[block - 1]) >> 63;
            if (!left) break;
        }
        gv_block_unquote(batch, block, &before, &found);
    }
    *carries = before;
    *result = found;
    return 1;
}

// What has been counted in a span.
typedef struct {
    size_t ends, delimiters;
    int has_start;            // whether the span began with a record, or an end has been found
    size_t first_end;         // where that was
    size_t delimiters_before; // delimiters before it
    // Whether records are as long as they should be: before each end in a block, so many delimiters have to stand in it as the records before and
    // the one that ends there have.
    uint64_t each; // delimiters of each record
    uint64_t due;  // delimiters that have to come before the next end
    uint64_t uneven;
} gv_tally;

// Counts `blocks` blocks, the first of which is at `at`. Returns the number of ends in them.
static size_t gv_tally_add(gv_tally *tally, gv_batch *batch, size_t blocks, size_t at) {
    const size_t ends_before = tally->ends;
    size_t block = 0;
    size_t ends = tally->ends, delimiters = tally->delimiters;
    uint64_t due = tally->due, uneven = tally->uneven;
    const uint64_t each = tally->each;
    if (!tally->has_start) {
        for (; block < blocks && !batch->end[block]; block++) delimiters += (size_t)__builtin_popcountll(batch->delimiter[block]);
        if (block < blocks) {
            // The first end is that of a record which started before the span.
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
        // Most blocks have one end or none, in no order that a processor could predict: these take no branch.
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

static void gv_span_fast(
    const gv_dialect *dialect, const uint8_t *bytes, size_t count, uint8_t previous, uint8_t state, size_t fields, gv_span *result) {
    const gv_needles needles = gv_needles_make(dialect);
    gv_census census = gv_census_make();
    gv_carries carries = {
        .inside = state == GV_QUOTED ? ~(uint64_t)0 : 0,
        .quote = state == GV_QUOTE_SEEN,
        .text = state == GV_UNQUOTED,
        .any_cr = previous == '\r',
        .cr = state == GV_AFTER_CR,
    };
    gv_found found;
    memset(&found, 0, sizeof found);
    gv_batch batch;
    gv_tally tally;
    memset(&tally, 0, sizeof tally);
    tally.each = tally.due = fields - 1;
    const int starts_record = state == GV_RECORD_START || state == GV_AFTER_CR;
    tally.has_start = starts_record;

    int has_cr = 0, follows = 0;
    for (size_t begin = 0; begin < count; begin += 64 * GV_BATCH_BLOCKS) {
        const size_t rest = count - begin < 64 * GV_BATCH_BLOCKS ? count - begin : 64 * GV_BATCH_BLOCKS;
        const size_t blocks = (rest + 63) / 64;
        // A file with one CR has more of them.
        const gv_carries carries_before = carries;
        const gv_found found_before = found;
        int plain =
            !has_cr && !follows && rest % 64 == 0 && gv_batch_plain(&batch, bytes + begin, blocks, &needles, &census, &carries, &found);
        if (!plain) has_cr = gv_batch_any(&batch, bytes + begin, rest, begin, follows, &needles, &census, &carries, &found);
        if (found.odd_quote) {
            carries = carries_before;
            found = found_before;
            plain = 0;
            follows = 1;
            has_cr = gv_batch_any(&batch, bytes + begin, rest, begin, 1, &needles, &census, &carries, &found);
        }
        const size_t ends = gv_tally_add(&tally, &batch, blocks, begin);
        if (plain) found.lf |= ends;
    }
    result->state = count == 0 ? state : carries.inside ? GV_QUOTED
        : carries.text                      ? GV_UNQUOTED
                                            : gv_state_after(dialect, bytes[count - 1]);
    // A record starts where another has ended, unless that is behind the span.
    const int ends_record = result->state == GV_RECORD_START || result->state == GV_AFTER_CR;
    result->starts = tally.ends + (size_t)starts_record - (size_t)ends_record;
    size_t first = 0;
    if (starts_record) {
        first = state == GV_AFTER_CR && count > 0 && bytes[0] == '\n';
    } else if (tally.ends) {
        first = tally.first_end + 1;
        if (bytes[first - 1] == '\r' && first < count && bytes[first] == '\n') first += 1;
    }
    result->first_start = result->starts ? first : count;
    result->delimiters_before = !result->starts ? tally.delimiters : starts_record ? 0 : tally.delimiters_before;
    result->lines = found.quoted_lines + tally.ends;
    result->delimiters_after = tally.delimiters - result->delimiters_before;
    result->strays = found.strays;
    result->first_stray = found.strays ? found.first_stray : count;
    result->notes = gv_census_notes(&census) | (found.lf ? GV_NOTE_LF : 0) | (found.crlf ? GV_NOTE_CRLF : 0) | (found.cr ? GV_NOTE_CR : 0);
    result->is_uneven = fields && tally.uneven;
}

// The fields of even records are found by arithmetic: the boundaries (delimiters and line ends) of up to GV_BATCH_BLOCKS blocks are listed first, and
// where all records have the same number of fields, number `c` of record `r` ends at boundary `r * fields + c`. No branch depends on the lengths of fields.

#ifndef GV_HAS_LIST_BITS
// Writes the numbers of the set bits, `first` higher, to `places`, which has room for 64. Returns how many there are.
static inline size_t gv_list_bits(uint64_t bits, uint16_t first, uint16_t *places) {
    const size_t count = (size_t)__builtin_popcountll(bits);
    // Eight at a time, whether or not there are so many.
    for (size_t done = 0; done < count; done += 8) {
        for (size_t i = 0; i < 8; i++) {
            places[done + i] = (uint16_t)(first + (bits ? (unsigned)__builtin_ctzll(bits) : 64));
            bits &= bits - 1;
            // One after the other: vectors of them, which compilers make, are slower.
            __asm__ volatile("" ::: "memory");
        }
    }
    return count;
}
#endif

// Lists the boundaries of a batch, as offsets. There is room for 64 of each block.
static inline void gv_list_boundaries(const gv_batch *batch, uint16_t *places) {
    size_t count = 0;
    for (size_t block = 0; block < GV_BATCH_BLOCKS; block++) {
        count += gv_list_bits(batch->delimiter[block] | batch->end[block], (uint16_t)(64 * block), places + count);
    }
}

// The number of records that end in a batch, which starts with a record, when all of these have `each` delimiters; otherwise 0.
static inline size_t gv_even_records(const gv_batch *batch, uint64_t each) {
    uint64_t due = each, uneven = 0;
    size_t records = 0;
    for (size_t block = 0; block < GV_BATCH_BLOCKS; block++) {
        const uint64_t delimiter = batch->delimiter[block];
        uint64_t end = batch->end[block];
        const uint64_t any = end ? ~(uint64_t)0 : 0;
        records += (size_t)__builtin_popcountll(end);
        uneven |= ((uint64_t)__builtin_popcountll(delimiter & (end ^ (end - 1))) ^ due) & any;
        due += each & any;
        for (end &= end - 1; end; end &= end - 1) {
            uneven |= (uint64_t)__builtin_popcountll(delimiter & (end ^ (end - 1))) ^ due;
            due += each;
        }
        due -= (uint64_t)__builtin_popcountll(delimiter);
    }
    return uneven ? 0 : records;
}

// The delimiters of the first record of a batch; SIZE_MAX when it does not end there.
static inline size_t gv_first_delimiters(const gv_batch *batch) {
    size_t delimiters = 0;
    for (size_t block = 0; block < GV_BATCH_BLOCKS; block++) {
        const uint64_t end = batch->end[block];
        if (end) return delimiters + (size_t)__builtin_popcountll(batch->delimiter[block] & (end ^ (end - 1)));
        delimiters += (size_t)__builtin_popcountll(batch->delimiter[block]);
    }
    return SIZE_MAX;
}

// Goes on from `progress` as long as batches have even records without CR.
static void gv_select_even(
    const gv_dialect *dialect, const uint8_t *bytes, size_t count, const uint32_t *columns, size_t column_count, gv_range *out,
    size_t capacity, gv_progress *progress) {
    const gv_needles needles = gv_needles_make(dialect);
    gv_census census = gv_census_make();
    gv_batch batch;
    uint16_t places[64 * GV_BATCH_BLOCKS];
    // Few records are not worth a batch.
    while (count - progress->consumed >= 64 * GV_BATCH_BLOCKS && capacity - progress->records >= 16) {
        const size_t begin = progress->consumed;
        gv_carries carries = {0, 0, 0, 0, 0};
        gv_found found;
        memset(&found, 0, sizeof found);
        if (!gv_batch_plain(&batch, bytes + begin, GV_BATCH_BLOCKS, &needles, &census, &carries, &found)) return;
        if (found.odd_quote) {
            carries = (gv_carries){0, 0, 0, 0, 0};
            gv_batch_any(&batch, bytes + begin, 64 * GV_BATCH_BLOCKS, 0, 1, &needles, &census, &carries, &found);
        }
        const size_t each = gv_first_delimiters(&batch);
        // Blank lines would look like records of one field. Of many fields, few are listed faster one by one.
        if (each == SIZE_MAX || each == 0 || each > 4 * column_count + 16) return;
        size_t records = gv_even_records(&batch, each);
        if (records == 0) return;
        gv_list_boundaries(&batch, places);
        if (records > capacity - progress->records) records = capacity - progress->records;
        for (size_t i = 0; i < column_count; i++) {
            const size_t column = columns[i];
            gv_range *range = out + progress->records * column_count + i;
            if (column > each) {
                for (size_t r = 0; r < records; r++, range += column_count) *range = (gv_range){GV_MISSING, GV_MISSING};
                continue;
            }
            const uint16_t *end = places + column;
            size_t r = 0;
            if (column == 0) {
                // The first record begins after no boundary.
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
        progress->consumed = begin + places[records * (each + 1) - 1] + 1;
    }
}

static size_t gv_select_fast(
    const gv_dialect *dialect, const uint8_t *bytes, size_t count, int last, const uint32_t *columns, size_t column_count,
    gv_range *out, size_t capacity, gv_progress *progress) {
    // What is not even is read to its end as such.
    if (progress->records == 0) gv_select_even(dialect, bytes, count, columns, column_count, out, capacity, progress);
    if (progress->records == capacity) return 0;
    const gv_needles needles = gv_needles_make(dialect);
    gv_census census = gv_census_make();
    size_t records = progress->records;
    size_t record_begin = progress->consumed, field_begin = progress->consumed;
    gv_range *row = out + records * column_count;
    size_t wanted = 0;   // index into columns
    uint32_t column = 0; // the column that field_begin begins
    // Whether the rest of the record is of no interest: then only its end is looked for.
    int skipping = column_count == 0;
    uint64_t inside_carry = 0, cr_carry = 0, open_carry = 1, closed_carry = 0;

    for (size_t at = record_begin; at < count; at += 64) {
        const size_t left = count - at;
        const uint64_t valid = left >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << left) - 1;
        const gv_masks masks = gv_masks_at(bytes + at, left, &needles, &census);

        const uint64_t inside = gv_prefix_xor(masks.quote) ^ inside_carry;
        inside_carry = (uint64_t)((int64_t)inside >> 63);
        const uint64_t line_end = masks.lf | masks.cr;
        const uint64_t neighbour = masks.delimiter | line_end | masks.quote;
        const uint64_t closing = masks.quote & ~inside;
        const uint64_t odd_opening = masks.quote & inside & ~((neighbour << 1) | open_carry);
        const uint64_t odd_closing = ((closing << 1) | closed_carry) & ~neighbour & valid;
        if (odd_opening | odd_closing) {
            progress->consumed = record_begin;
            progress->records = records;
            return left >= 64 ? at + 64 : count;
        }
        open_carry = neighbour >> 63;
        closed_carry = closing >> 63;
        const uint64_t cr = masks.cr & ~inside;
        uint64_t end = line_end & ~inside & ~(((cr << 1) | cr_carry) & masks.lf);
        uint64_t boundary = end | (masks.delimiter & ~inside);
        cr_carry = cr >> 63;

        for (;;) {
            uint64_t bit;
            size_t position;
            if (!skipping) {
                const uint32_t ahead = columns[wanted] - column;
                if (ahead) {
                    // To the delimiter before the wanted field at once, unless the record ends before.
                    bit = gv_nth_bit(boundary, ahead - 1);
                    const uint64_t passed = bit ? bit | (bit - 1) : ~(uint64_t)0;
                    if (end & passed) goto record_end;
                    if (!bit) {
                        if (boundary) field_begin = at + 64 - (size_t)__builtin_clzll(boundary);
                        column += (uint32_t)__builtin_popcountll(boundary);
                        break;
                    }
                    field_begin = at + (size_t)__builtin_ctzll(bit) + 1;
                    column = columns[wanted];
                    boundary &= ~passed;
                }
                if (!boundary) break;
                bit = boundary & -boundary;
                position = at + (size_t)__builtin_ctzll(boundary);
                // A blank line has no fields.
                if (position == record_begin && (end & bit)) goto record_end;
                row[wanted].begin = (uint32_t)field_begin;
                row[wanted].end = (uint32_t)position;
                wanted += 1;
                column += 1;
                field_begin = position + 1;
                skipping = wanted == column_count;
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
                // Whether the line feed follows is not known yet: the record waits.
                if (next == count && !last) goto unfinished;
                if (next < count && bytes[next] == '\n') next += 1;
            }
            for (; wanted < column_count; wanted++) row[wanted].begin = row[wanted].end = GV_MISSING;
            row += column_count;
            records += 1;
            record_begin = field_begin = next;
            wanted = 0;
            column = 0;
            skipping = column_count == 0;
            if (records == capacity) goto unfinished;
        }
    }
    if (last && record_begin < count && records < capacity) {
        if (!skipping && column == columns[wanted]) {
            row[wanted].begin = (uint32_t)field_begin;
            row[wanted].end = (uint32_t)count;
            wanted += 1;
        }
        for (; wanted < column_count; wanted++) row[wanted].begin = row[wanted].end = GV_MISSING;
        records += 1;
        record_begin = count;
    }
unfinished:
    progress->consumed = record_begin;
    progress->records = records;
    return 0;
}

static int gv_record_fast(
    const gv_dialect *dialect, const uint8_t *bytes, size_t count, int last, size_t first, gv_range *out, size_t capacity,
    gv_record *result) {
    const gv_needles needles = gv_needles_make(dialect);
    gv_census census = gv_census_make();
    const size_t beyond = capacity > SIZE_MAX - first ? SIZE_MAX : first + capacity;
    size_t fields = 0, field_begin = 0;
    uint64_t inside_carry = 0, open_carry = 1, closed_carry = 0;
    memset(result, 0, sizeof *result);
    for (size_t at = 0; at < count; at += 64) {
        const size_t left = count - at;
        const uint64_t valid = left >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << left) - 1;
        const gv_masks masks = gv_masks_at(bytes + at, left, &needles, &census);
        const uint64_t inside = gv_prefix_xor(masks.quote) ^ inside_carry;
        inside_carry = (uint64_t)((int64_t)inside >> 63);
        const uint64_t line_end = masks.lf | masks.cr;
        const uint64_t neighbour = masks.delimiter | line_end | masks.quote;
        const uint64_t closing = masks.quote & ~inside;
        const uint64_t end = line_end & ~inside;
        // What follows the record is not its matter.
        const uint64_t mine = end ? end ^ (end - 1) : ~(uint64_t)0;
        const uint64_t odd_opening = masks.quote & inside & ~((neighbour << 1) | open_carry);
        const uint64_t odd_closing = ((closing << 1) | closed_carry) & ~neighbour & valid;
        if ((odd_opening | odd_closing) & mine) return 0;
        open_carry = neighbour >> 63;
        closed_carry = closing >> 63;
        uint64_t delimiter = masks.delimiter & ~inside & mine;
        const size_t here = (size_t)__builtin_popcountll(delimiter);
        if (fields + here <= first || fields >= beyond) {
            // None of these fields is wanted.
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
        if (is_cr && position + 1 == count && !last) return 1;
        if (position > 0) {
            if (fields >= first && fields < beyond) out[fields - first] = (gv_range){(uint32_t)field_begin, (uint32_t)position};
            fields += 1;
        }
        result->end = position;
        result->next = position + 1 + (is_cr && position + 1 < count && bytes[position + 1] == '\n');
        result->field_count = fields;
        result->complete = 1;
        return 1;
    }
    result->found = count > 0;
    if (last && count > 0) {
        if (fields >= first && fields < beyond) out[fields - first] = (gv_range){(uint32_t)field_begin, (uint32_t)count};
        fields += 1;
    }
    result->end = result->next = count;
    result->field_count = fields;
    result->complete = last;
    return 1;
}

static int gv_counts_fast(
    const gv_dialect *dialect, const uint8_t *bytes, size_t count, int last, size_t fields, gv_field_counts *result) {
    const gv_needles needles = gv_needles_make(dialect);
    gv_census census = gv_census_make();
    gv_field_counts counts;
    memset(&counts, 0, sizeof counts);
    size_t delimiters = 0; // of the record that has begun
    uint64_t inside_carry = 0, cr_carry = 0, open_carry = 1, closed_carry = 0;
    for (size_t at = 0; at < count; at += 64) {
        const size_t left = count - at;
        const uint64_t valid = left >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << left) - 1;
        const gv_masks masks = gv_masks_at(bytes + at, left, &needles, &census);
        const uint64_t inside = gv_prefix_xor(masks.quote) ^ inside_carry;
        inside_carry = (uint64_t)((int64_t)inside >> 63);
        const uint64_t line_end = masks.lf | masks.cr;
        const uint64_t neighbour = masks.delimiter | line_end | masks.quote;
        const uint64_t closing = masks.quote & ~inside;
        const uint64_t odd_opening = masks.quote & inside & ~((neighbour << 1) | open_carry);
        const uint64_t odd_closing = ((closing << 1) | closed_carry) & ~neighbour & valid;
        if (odd_opening | odd_closing) return 0;
        open_carry = neighbour >> 63;
        closed_carry = closing >> 63;
        const uint64_t cr = masks.cr & ~inside;
        uint64_t end = line_end & ~inside & ~(((cr << 1) | cr_carry) & masks.lf);
        uint64_t delimiter = masks.delimiter & ~inside;
        cr_carry = cr >> 63;
        for (; end; end &= end - 1) {
            const uint64_t before = (end & -end) - 1;
            const size_t position = at + (size_t)__builtin_ctzll(end);
            size_t next = position + 1;
            if (bytes[position] == '\r') {
                // Whether the line feed follows is not known yet: the record waits.
                if (next == count && !last) goto done;
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
    if (last && counts.consumed < count) {
        gv_count_record(&counts, counts.consumed, delimiters, 1, fields);
        counts.consumed = count;
    }
done:
    *result = counts;
    return 1;
}

// Where gv_lines_fast is between two blocks.
typedef struct {
    int is_quoted;    // between quotes
    int needs_quotes; // whether the quoted field holds a byte that needs them
    int is_doubled;   // the first byte of the next block is the second quote of a pair
} gv_quoting;

// Follows the quotes of the block at `at`. Returns which bytes are between quotes. Sets a bit of `odd` where the first quote is that a writer does not
// write; the bits above it have no meaning.
static uint64_t gv_follow_quotes(
    const gv_dialect *dialect, const uint8_t *bytes, size_t count, size_t at, const gv_masks *masks, gv_quoting *quoting, uint64_t *odd) {
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
                *odd |= (uint64_t)1 << bit;
                return inside;
            }
            *quoting = (gv_quoting){.is_quoted = 1};
            from = bit + 1;
            continue;
        }
        const uint64_t run = gv_bits(from, bit);
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
            *odd |= (uint64_t)1 << bit;
            return inside;
        }
    }
    if (quoting->is_quoted) {
        const uint64_t run = gv_bits(from, 64);
        inside |= run;
        quoting->needs_quotes |= (special & run) != 0;
    }
    return inside;
}

static void gv_lines_fast(
    const gv_dialect *dialect, const uint8_t *bytes, size_t count, size_t fields, uint32_t *ends, size_t capacity, gv_lines *result) {
    const gv_needles needles = gv_needles_make(dialect);
    gv_census census = gv_census_make();
    size_t records = 0, begin = 0;
    size_t due = fields - 1; // delimiters that have to come before the record ends
    gv_quoting quoting = {0, 0, 0};
    memset(result, 0, sizeof *result);
    for (size_t at = 0; at < count && records < capacity; at += 64) {
        const gv_masks masks = gv_masks_at(bytes + at, count - at, &needles, &census);
        uint64_t odd = masks.cr, inside = 0;
        if (masks.quote || quoting.is_quoted) inside = gv_follow_quotes(dialect, bytes, count, at, &masks, &quoting, &odd);
        uint64_t end = masks.lf & ~inside, delimiter = masks.delimiter & ~inside;
        if (odd) end &= (odd & -odd) - 1;
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
        if (odd) {
            result->stopped = 1;
            goto done;
        }
        // May wrap around where the record has too many; then it is never 0 again before the record's end.
        due -= (size_t)__builtin_popcountll(delimiter);
    }
done:
    result->records = records;
    result->consumed = begin;
}
