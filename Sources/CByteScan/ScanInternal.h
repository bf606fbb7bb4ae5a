// Declarations shared by the files of the scanner.
#ifndef GRIDVIEW_SCAN_INTERNAL_H
#define GRIDVIEW_SCAN_INTERNAL_H

#include "ByteScan.h"

#include <string.h>

// Character classes of the state machine.
enum { GV_OTHER, GV_DELIMITER, GV_QUOTE, GV_LF, GV_CR, GV_CLASSES };

// The functions of a fast implementation. They do not support comment lines. Only `span` (for a dialect without a quote) and `whole_lines`
// skip blanks.
typedef struct {
    void (*span)(
        const gv_dialect *, const uint8_t *bytes, size_t count, uint8_t previous, uint8_t state, size_t fields, gv_span *result);
    void (*select)(
        const gv_dialect *, const uint8_t *bytes, size_t count, int is_last, const uint32_t *columns, size_t column_count, gv_range *out,
        size_t capacity, gv_progress *progress);
    void (*record)(
        const gv_dialect *, const uint8_t *bytes, size_t count, int is_last, size_t first, gv_range *out, size_t capacity,
        gv_record *result);
    void (*counts)(const gv_dialect *, const uint8_t *bytes, size_t count, int is_last, size_t fields, gv_field_counts *result);
    void (*lines)(
        const gv_dialect *, const uint8_t *bytes, size_t count, size_t fields, uint32_t *ends, size_t capacity, gv_lines *result);
    void (*measure)(const gv_dialect *, const uint8_t *bytes, size_t count, size_t at, gv_line *result);
    void (*whole_lines)(
        const gv_dialect *, const uint8_t *bytes, size_t count, gv_range *out, size_t capacity, gv_progress *progress);
} gv_scanner;

// True for the bytes that `skips_blanks` skips.
static inline int gv_is_blank(uint8_t byte) { return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r'; }

// The number of skipped blanks before the first record.
static inline size_t gv_skipped_blanks(const gv_dialect *dialect, const uint8_t *bytes, size_t count) {
    size_t at = 0;
    while (dialect->skips_blanks && at < count && gv_is_blank(bytes[at])) at += 1;
    return at;
}

// Counts a record that starts at `begin`. `has_fields`: false for an empty line. `fields`: the expected number of fields; 0: no record is
// short or long.
static inline void gv_count_record(gv_field_counts *counts, size_t begin, size_t delimiters, int has_fields, size_t fields) {
    counts->records += 1;
    counts->delimiters += delimiters;
    if (!has_fields) {
        if (fields < 2) return;
        if (counts->blank_count == 0) counts->first_blank = begin;
        counts->blank_count += 1;
        return;
    }
    const size_t found = delimiters + 1;
    if (found > counts->maximum_field_count) counts->maximum_field_count = found;
    if (found < fields) {
        if (counts->short_count == 0) counts->first_short = begin;
        counts->short_count += 1;
    } else if (found > fields && fields) {
        if (counts->long_count == 0) counts->first_long = begin;
        counts->long_count += 1;
    }
}

extern const gv_scanner gv_scanner_portable;
#if defined(__x86_64__)
extern const gv_scanner gv_scanner_avx2;
extern const gv_scanner gv_scanner_avx512;

// Validates UTF-8 from `begin`, which is the start of a sequence. Returns the offset up to which the text is well-formed: the start of a
// sequence that has an error, or that was not checked.
size_t gv_utf8_valid_avx2(const uint8_t *bytes, size_t begin, size_t count);
#endif

#endif
