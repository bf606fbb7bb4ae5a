// The fast way in plain C: eight bytes at a time in a 64-bit word ("SWAR").
#include <string.h>

#include "ScanInternal.h"

typedef struct {
    uint64_t delimiter, quote, lf, cr;
} gv_masks;

typedef struct {
    uint64_t delimiter, quote, quote_on;
} gv_needles;

typedef struct {
    uint64_t high, nul;
} gv_census;

static const uint64_t ones = 0x0101010101010101u;

static inline gv_needles gv_needles_make(const gv_dialect *dialect) {
    return (gv_needles){dialect->delimiter * ones, dialect->quote * ones, dialect->has_quote ? ~(uint64_t)0 : 0};
}

static inline gv_census gv_census_make(void) { return (gv_census){0, 0}; }

static inline uint32_t gv_census_notes(const gv_census *census) {
    return (census->high & (ones << 7) ? GV_NOTE_HIGH : 0) | (census->nul ? GV_NOTE_NUL : 0);
}

// 0x80 in each byte of `word` that is zero, exactly: the carry of the addition stays within its byte.
static inline uint64_t zero_bytes(uint64_t word) {
    const uint64_t low = 0x7f7f7f7f7f7f7f7fu;
    return ~(((word & low) + low) | word | low);
}

// The eight top bits gathered into the lowest byte. The multiplication adds up copies that do not overlap in the top byte.
static inline uint64_t gather(uint64_t tops) { return ((tops >> 7) * 0x0102040810204080u) >> 56; }

static inline gv_masks gv_masks_of(const uint8_t *bytes, const gv_needles *needles, gv_census *census) {
    gv_masks masks = {0, 0, 0, 0};
    for (int i = 0; i < 8; i++) {
        uint64_t word;
        memcpy(&word, bytes + 8 * i, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        word = __builtin_bswap64(word);
#endif
        census->high |= word;
        census->nul |= zero_bytes(word);
        masks.delimiter |= gather(zero_bytes(word ^ needles->delimiter)) << (8 * i);
        masks.quote |= gather(zero_bytes(word ^ needles->quote)) << (8 * i);
        masks.lf |= gather(zero_bytes(word ^ ('\n' * ones))) << (8 * i);
        masks.cr |= gather(zero_bytes(word ^ ('\r' * ones))) << (8 * i);
    }
    masks.quote &= needles->quote_on;
    return masks;
}

static inline uint64_t gv_prefix_xor(uint64_t bits) {
    for (int shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
    return bits;
}

// The set bit number `number` (from 0), alone; 0 when there are not so many.
static inline uint64_t gv_nth_bit(uint64_t bits, uint32_t number) {
    for (; number && bits; number--) bits &= bits - 1;
    return bits & -bits;
}

#include "ScanKernels.h"

const gv_scanner gv_scanner_portable = {"portable", gv_span_fast, gv_select_fast, gv_record_fast, gv_counts_fast, gv_lines_fast};
