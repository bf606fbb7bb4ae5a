// The careful implementation: a state machine that processes one byte at a time. It defines records and fields.
#include "ScanInternal.h"

// next_state[state][class]. In GV_UNQUOTED, a quote is text. In GV_QUOTE_SEEN, other bytes are text after a closing quote.
static const uint8_t next_state[7][GV_CLASSES] = {
    //                     other         delimiter       quote          LF               CR
    [GV_RECORD_START] = {GV_UNQUOTED, GV_FIELD_START, GV_QUOTED, GV_RECORD_START, GV_AFTER_CR},
    [GV_FIELD_START] = {GV_UNQUOTED, GV_FIELD_START, GV_QUOTED, GV_RECORD_START, GV_AFTER_CR},
    [GV_UNQUOTED] = {GV_UNQUOTED, GV_FIELD_START, GV_UNQUOTED, GV_RECORD_START, GV_AFTER_CR},
    [GV_QUOTED] = {GV_QUOTED, GV_QUOTED, GV_QUOTE_SEEN, GV_QUOTED, GV_QUOTED},
    [GV_QUOTE_SEEN] = {GV_UNQUOTED, GV_FIELD_START, GV_QUOTED, GV_RECORD_START, GV_AFTER_CR},
    [GV_AFTER_CR] = {GV_UNQUOTED, GV_FIELD_START, GV_QUOTED, GV_RECORD_START, GV_AFTER_CR},
    [GV_COMMENT] = {GV_COMMENT, GV_COMMENT, GV_COMMENT, GV_RECORD_START, GV_AFTER_CR},
};

static inline int begins_comment(const gv_dialect *dialect, const uint8_t *bytes, size_t readable) {
    return dialect->comment_count && readable >= dialect->comment_count && memcmp(bytes, dialect->comment, dialect->comment_count) == 0;
}

void gv_scan_span_carefully(
    const gv_dialect *dialect, const uint8_t *bytes, size_t count, size_t readable, uint8_t previous, uint8_t state, size_t fields,
    gv_span *result) {
    size_t starts = 0, first_start = count, lines = 0, delimiters = 0, delimiters_before = 0, strays = 0, first_stray = count;
    uint32_t notes = 0;
    size_t delimiters_before_record = 0; // the delimiters before the current record
    uint8_t is_uneven = 0;
    for (size_t i = 0; i < count; i++) {
        const uint8_t byte = bytes[i], kind = dialect->class_of[byte];
        int is_skipped = 0;
        if (state == GV_AFTER_CR) {
            notes |= kind == GV_LF ? GV_NOTE_CRLF : GV_NOTE_CR;
            if (kind != GV_LF) state = GV_RECORD_START;
        } else if (kind == GV_LF && state != GV_QUOTED) {
            notes |= GV_NOTE_LF;
        }
        if (state == GV_RECORD_START) {
            if (dialect->skips_blanks && gv_is_blank(byte)) {
                is_skipped = 1;
            } else if (begins_comment(dialect, bytes + i, readable - i)) {
                state = GV_COMMENT;
            } else {
                if (starts == 0) {
                    first_start = i;
                    delimiters_before = delimiters;
                }
                starts += 1;
                delimiters_before_record = delimiters;
            }
        }
        if ((kind == GV_QUOTE && state == GV_UNQUOTED) || (kind == GV_OTHER && state == GV_QUOTE_SEEN)) {
            if (strays == 0) first_stray = i;
            strays += 1;
        }
        const int is_field = !is_skipped && state != GV_QUOTED && state != GV_COMMENT;
        if (kind == GV_DELIMITER && is_field) delimiters += 1;
        if (starts && (kind == GV_LF || kind == GV_CR) && is_field && state != GV_AFTER_CR) {
            is_uneven |= delimiters - delimiters_before_record + 1 != fields;
        }
        if (byte == 0) notes |= GV_NOTE_NUL;
        if (byte >= 0x80) notes |= GV_NOTE_HIGH;
        if (byte == '\r' || (byte == '\n' && previous != '\r')) lines += 1;
        previous = byte;
        state = is_skipped && kind != GV_CR ? GV_RECORD_START : next_state[state][kind];
    }
    if (starts == 0) delimiters_before = delimiters;
    result->starts = starts;
    result->first_start = first_start;
    result->lines = lines;
    result->delimiters_before = delimiters_before;
    result->delimiters_after = delimiters - delimiters_before;
    result->strays = strays;
    result->first_stray = first_stray;
    result->notes = notes;
    result->is_uneven = fields && is_uneven;
    result->state = state;
}

void gv_read_record_carefully(
    const gv_dialect *dialect, const uint8_t *bytes, size_t count, int is_last, size_t first, gv_range *out, size_t capacity,
    gv_record *result) {
    memset(result, 0, sizeof *result);
    size_t at = 0;
    // Skips blanks and comment lines before the record.
    while (at < count) {
        at += gv_skipped_blanks(dialect, bytes + at, count - at);
        result->begin = result->end = result->next = at;
        if (at == count || !dialect->comment_count) break;
        // An incomplete comment prefix waits for more bytes.
        if (!is_last && count - at < dialect->comment_count) return;
        if (!begins_comment(dialect, bytes + at, count - at)) break;
        size_t end = at;
        while (end < count && bytes[end] != '\n' && bytes[end] != '\r') end += 1;
        if (!is_last && end + 1 >= count) return;
        if (end < count) end += bytes[end] == '\r' && end + 1 < count && bytes[end + 1] == '\n' ? 2 : 1;
        at = end;
    }
    result->begin = result->end = result->next = at;
    if (at == count) {
        result->complete = is_last;
        return;
    }
    result->found = 1;
    uint8_t state = GV_RECORD_START;
    size_t fields = 0, field_begin = at;
    for (; at < count; at++) {
        const uint8_t kind = dialect->class_of[bytes[at]];
        if (kind != GV_OTHER && kind != GV_QUOTE && state != GV_QUOTED) {
            const int blank = kind != GV_DELIMITER && at == result->begin;
            if (!blank) {
                if (fields >= first && fields - first < capacity) {
                    out[fields - first] = (gv_range){(uint32_t)field_begin, (uint32_t)at};
                }
                fields += 1;
            }
            field_begin = at + 1;
            if (kind != GV_DELIMITER) {
                if (kind == GV_CR && at + 1 == count && !is_last) break;
                result->end = at;
                result->next = at + 1 + (kind == GV_CR && at + 1 < count && bytes[at + 1] == '\n');
                result->field_count = fields;
                result->complete = 1;
                return;
            }
        }
        state = next_state[state][kind];
    }
    // If no end was found and no bytes follow, the rest is the record.
    if (is_last) {
        if (fields >= first && fields - first < capacity) out[fields - first] = (gv_range){(uint32_t)field_begin, (uint32_t)count};
        fields += 1;
    }
    result->end = result->next = count;
    result->field_count = fields;
    result->complete = is_last;
}

size_t gv_unquote(const gv_dialect *dialect, const uint8_t *bytes, size_t count, uint8_t *out) {
    if (count == 0) return 0;
    if (!dialect->has_quote || bytes[0] != dialect->quote) {
        memcpy(out, bytes, count);
        return count;
    }
    size_t at = 1, written = 0;
    while (at < count) {
        const uint8_t *quote = memchr(bytes + at, dialect->quote, count - at);
        const size_t end = quote ? (size_t)(quote - bytes) : count;
        memcpy(out + written, bytes + at, end - at);
        written += end - at;
        if (!quote) return written;
        at = end + 1;
        if (at < count && bytes[at] == dialect->quote) {
            out[written++] = dialect->quote;
            at += 1;
            continue;
        }
        // The quoted part is closed, so the rest is text.
        memcpy(out + written, bytes + at, count - at);
        return written + count - at;
    }
    return written;
}

size_t gv_find(const uint8_t *bytes, size_t count, uint8_t byte) {
    const uint8_t *found = count ? memchr(bytes, byte, count) : NULL;
    return found ? (size_t)(found - bytes) : count;
}
