// Selects the implementation for the processor, and the careful implementation where the fast one does not apply.
#include "ScanInternal.h"

#if defined(__x86_64__)
static const gv_scanner *const scanners[] = {&gv_scanner_portable, &gv_scanner_avx2, &gv_scanner_avx512};
#else
static const gv_scanner *const scanners[] = {&gv_scanner_portable};
#endif

int32_t gv_scan_implementations(void) {
#if defined(__x86_64__)
    // The checks only read a table that the start-up code has filled, so caching their result would not save time.
    __builtin_cpu_init();
    const int has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2")
        && __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("pclmul");
    if (!has_avx2) return 1;
    const int has_avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl")
        && __builtin_cpu_supports("avx512vbmi2");
    return has_avx512 ? 3 : 2;
#else
    return 1;
#endif
}

static const gv_scanner *scanner_at(int32_t implementation) {
    const int32_t count = gv_scan_implementations();
    return scanners[implementation < 0 ? 0 : implementation >= count ? count - 1 : implementation];
}

gv_dialect gv_dialect_make(uint8_t delimiter, int quote, const uint8_t *comment, size_t comment_count) {
    gv_dialect dialect;
    memset(&dialect, 0, sizeof dialect);
    dialect.delimiter = delimiter;
    dialect.has_quote = quote >= 0;
    dialect.quote = quote >= 0 ? (uint8_t)quote : 0;
    dialect.comment_count = (uint8_t)(comment_count > GV_COMMENT_MAXIMUM ? GV_COMMENT_MAXIMUM : comment_count);
    if (dialect.comment_count) memcpy(dialect.comment, comment, dialect.comment_count);
    if (dialect.has_quote) dialect.class_of[dialect.quote] = GV_QUOTE;
    dialect.class_of[delimiter] = GV_DELIMITER;
    dialect.class_of['\n'] = GV_LF;
    dialect.class_of['\r'] = GV_CR;
    return dialect;
}

uint8_t gv_state_after(const gv_dialect *dialect, uint8_t previous) {
    static const uint8_t states[GV_CLASSES] = {GV_UNQUOTED, GV_FIELD_START, GV_QUOTE_SEEN, GV_RECORD_START, GV_AFTER_CR};
    return states[dialect->class_of[previous]];
}

void gv_scan_span(
    int32_t implementation, const gv_dialect *dialect, const uint8_t *bytes, size_t count, size_t readable, uint8_t previous,
    uint8_t state, size_t fields, gv_span *result) {
    if (dialect->comment_count == 0 && !(dialect->skips_blanks && dialect->has_quote)) {
        scanner_at(implementation)->span(dialect, bytes, count, previous, state, fields, result);
    } else {
        gv_scan_span_carefully(dialect, bytes, count, readable, previous, state, fields, result);
    }
}

void gv_count_fields(
    int32_t implementation, const gv_dialect *dialect, const uint8_t *bytes, size_t count, int is_last, size_t fields,
    gv_field_counts *result) {
    if (dialect->comment_count == 0 && !dialect->skips_blanks) {
        return scanner_at(implementation)->counts(dialect, bytes, count, is_last, fields, result);
    }
    memset(result, 0, sizeof *result);
    while (result->consumed < count) {
        const size_t at = result->consumed;
        gv_record record;
        gv_read_record(implementation, dialect, bytes + at, count - at, is_last, 0, NULL, 0, &record);
        if (!record.complete) {
            result->consumed += record.begin;
            return;
        }
        if (record.found) {
            const size_t delimiters = record.field_count ? record.field_count - 1 : 0;
            gv_count_record(result, at + record.begin, delimiters, record.field_count > 0, fields);
        }
        result->consumed += record.next;
    }
}

size_t gv_nth_start(
    int32_t implementation, const gv_dialect *dialect, const uint8_t *bytes, size_t count, size_t readable, uint8_t state,
    size_t number) {
    // Search in small steps, because the last step is searched byte by byte.
    const size_t step = 512;
    size_t at = 0;
    while (at < count) {
        const size_t length = count - at < step ? count - at : step;
        gv_span span;
        gv_scan_span(implementation, dialect, bytes + at, length, readable - at, 0, state, 0, &span);
        if (span.starts <= number) {
            number -= span.starts;
            state = span.state;
            at += length;
            continue;
        }
        // The requested start is in this span. Scan byte by byte, from the first start of the span to the requested one.
        size_t from = at + span.first_start;
        if (number == 0) return from;
        state = GV_RECORD_START;
        for (;;) {
            gv_scan_span_carefully(dialect, bytes + from, 1, readable - from, 0, state, 0, &span);
            if (span.starts) {
                if (number == 0) return from;
                number -= 1;
            }
            state = span.state;
            from += 1;
        }
    }
    return count;
}

// Selects fields by reading one record after another.
static void select_records(
    int32_t implementation, const gv_dialect *dialect, const uint8_t *bytes, size_t count, int is_last, const uint32_t *columns,
    size_t column_count, gv_range *out, size_t capacity, gv_progress *progress) {
    const size_t first = column_count ? columns[0] : 0;
    const size_t width = column_count ? (size_t)columns[column_count - 1] - first + 1 : 0;
    while (progress->consumed < count && progress->records < capacity) {
        gv_range *row = out + progress->records * column_count;
        gv_record record;
        if (width == column_count) {
            gv_read_record(
                implementation, dialect, bytes + progress->consumed, count - progress->consumed, is_last, first, row, column_count,
                &record);
        } else {
            // The columns are not adjacent. Reading them one by one is slow but needs no buffer.
            record.found = record.complete = 0;
            for (size_t i = 0; i < column_count; i++) {
                gv_read_record(
                    implementation, dialect, bytes + progress->consumed, count - progress->consumed, is_last, columns[i], row + i, 1,
                    &record);
            }
        }
        if (!record.complete) {
            // Comment lines and blanks before the record count as consumed.
            progress->consumed += record.begin;
            return;
        }
        if (record.found) {
            for (size_t i = 0; i < column_count; i++) {
                if (columns[i] >= record.field_count) {
                    row[i].begin = row[i].end = GV_MISSING;
                } else {
                    row[i].begin += (uint32_t)progress->consumed;
                    row[i].end += (uint32_t)progress->consumed;
                }
            }
            progress->records += 1;
        }
        progress->consumed += record.next;
    }
}

void gv_select(
    int32_t implementation, const gv_dialect *dialect, const uint8_t *bytes, size_t count, int is_last, const uint32_t *columns,
    size_t column_count, gv_range *out, size_t capacity, gv_progress *progress) {
    if (dialect->comment_count == 0 && !dialect->skips_blanks) {
        return scanner_at(implementation)->select(dialect, bytes, count, is_last, columns, column_count, out, capacity, progress);
    }
    if (dialect->comment_count == 0 && !dialect->has_quote && column_count == 1 && columns[0] == 0) {
        scanner_at(implementation)->whole_lines(dialect, bytes, count, out, capacity, progress);
    }
    select_records(implementation, dialect, bytes, count, is_last, columns, column_count, out, capacity, progress);
}

void gv_read_record(
    int32_t implementation, const gv_dialect *dialect, const uint8_t *bytes, size_t count, int is_last, size_t first, gv_range *out,
    size_t capacity, gv_record *result) {
    if (dialect->comment_count) return gv_read_record_carefully(dialect, bytes, count, is_last, first, out, capacity, result);
    const size_t skipped = gv_skipped_blanks(dialect, bytes, count);
    scanner_at(implementation)->record(dialect, bytes + skipped, count - skipped, is_last, first, out, capacity, result);
    if (skipped == 0) return;
    for (size_t i = 0; i < capacity && first + i < result->field_count; i++) {
        out[i].begin += (uint32_t)skipped;
        out[i].end += (uint32_t)skipped;
    }
    result->begin += skipped;
    result->end += skipped;
    result->next += skipped;
}

void gv_find_lines(
    int32_t implementation, const gv_dialect *dialect, const uint8_t *bytes, size_t count, size_t fields, uint32_t *ends, size_t capacity,
    gv_lines *result) {
    scanner_at(implementation)->lines(dialect, bytes, count, fields, ends, capacity, result);
}

gv_line gv_measure_line(int32_t implementation, const gv_dialect *dialect, const uint8_t *bytes, size_t count, size_t at) {
    gv_line line;
    scanner_at(implementation)->measure(dialect, bytes, count, at, &line);
    return line;
}

int gv_guess_quoted(const gv_dialect *dialect, const uint8_t *bytes, size_t count, uint8_t previous) {
    if (!dialect->has_quote) return 0;
    // A quote with a delimiter or line end on exactly one side opens or closes a field. Such quotes vote on whether the bytes start inside
    // quotes.
    int votes = 0, seen = 0, parity = 0;
    size_t at = 0;
    while (at < count && seen < 15) {
        const uint8_t *quote = memchr(bytes + at, dialect->quote, count - at);
        if (!quote) break;
        at = (size_t)(quote - bytes);
        const uint8_t before = dialect->class_of[at ? bytes[at - 1] : previous];
        const uint8_t after = at + 1 < count ? dialect->class_of[bytes[at + 1]] : GV_LF;
        const int opens = before == GV_DELIMITER || before == GV_LF || before == GV_CR;
        const int closes = after == GV_DELIMITER || after == GV_LF || after == GV_CR;
        if (opens != closes) {
            seen += 1;
            votes += (closes ^ parity) ? 1 : -1;
        }
        parity ^= 1;
        at += 1;
    }
    return seen == 0 ? -1 : votes > 0;
}
