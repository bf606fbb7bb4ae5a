// Finds records and fields in delimited text. Other headers: FixedPoint.h parses numbers, LiteralSearch.h finds text, Transcode.h converts
// encodings.
//
// Quotes have the meaning of Python's csv module and of Excel. A quote opens a quoted field only as its first byte. Within quotes, two
// quotes represent one. After the closing quote, the rest of the field is text; any other quote is text too. LF, CRLF and CR end a record
// outside quotes. Every sequence of bytes has exactly one parse.
//
// There are two implementations. The *careful* one is a table-driven state machine that processes one byte at a time. It is the reference,
// and is used for files with comments. The *fast* one processes 64 bytes at a time with bit masks and assumes that every quote is
// structural. In blocks where this is wrong, it follows the quotes one by one. Its instruction set is chosen at run time.
#ifndef GRIDVIEW_BYTE_SCAN_H
#define GRIDVIEW_BYTE_SCAN_H

#include <stddef.h>
#include <stdint.h>

// The state of the parser before a byte.
enum {
    GV_RECORD_START = 0, // at the first byte of a record, or in blanks that are skipped before it
    GV_FIELD_START = 1,  // after a delimiter
    GV_UNQUOTED = 2,     // in a field without quotes, or in text after a closing quote
    GV_QUOTED = 3,       // within quotes
    GV_QUOTE_SEEN = 4,   // after a quote within quotes: the closing one, or the first of a doubled one
    GV_AFTER_CR = 5,     // like GV_RECORD_START, but an LF belongs to the record before
    GV_COMMENT = 6,      // in a comment line
};

enum { GV_COMMENT_MAXIMUM = 16 };

// The syntax of fields, prepared for scanning.
typedef struct {
    uint8_t delimiter;
    uint8_t quote;
    uint8_t has_quote;
    uint8_t comment_count; // length of the comment prefix; 0: no comments. Comments require the careful implementation.
    uint8_t comment[GV_COMMENT_MAXIMUM];
    // True if a record starts at the first byte that is not a space, a tab, an LF or a CR. The bytes before it are skipped, so that blank
    // lines are not records. The delimiter must not be a space or a tab. If the dialect has a quote, skipping blanks requires the careful
    // implementation.
    uint8_t skips_blanks;
    uint8_t class_of[256]; // the character class of each byte, for the state machine
} gv_dialect;

// `quote` is -1 for no quote. `comment_count` is limited to GV_COMMENT_MAXIMUM. `skips_blanks` is false.
gv_dialect gv_dialect_make(uint8_t delimiter, int quote, const uint8_t *comment, size_t comment_count);

// Flags for properties of a span.
enum {
    GV_NOTE_NUL = 1,
    GV_NOTE_HIGH = 2,    // bytes ≥ 0x80
    GV_NOTE_LF = 4,      // a record ended by LF alone
    GV_NOTE_CRLF = 8,
    GV_NOTE_CR = 16,     // a record ended by CR alone
};

// The result of scanning a span of bytes.
typedef struct {
    size_t starts;            // records that start in the span; one starts at its first byte if the state before the span is a record start
    size_t first_start;       // offset of the first record start; the length of the span without one
    size_t lines;             // line endings, including those within quotes; CRLF counts once, at its LF
    size_t delimiters_before; // delimiters outside quotes before the first record start, or all of them without one
    size_t delimiters_after;  // delimiters outside quotes after the first record start
    size_t strays;            // stray quotes: quotes within text, and text after a closing quote
    size_t first_stray;       // offset of the first stray; the length of the span if there is no stray
    uint32_t notes;           // GV_NOTE_*
    uint8_t state;            // state after the last byte
    uint8_t is_uneven;        // true if a record that starts and ends in the span does not have the expected number of fields
} gv_span;

// The number of scanner implementations on this machine. 0 is the portable one, the last is the fastest.
int32_t gv_scan_implementations(void);

// Scans bytes[0 ..< count]. `readable` ≥ count bytes may be read, because a comment prefix that starts in the span may end after it.
// `previous` is the byte before the span, used to count a CRLF once; at the start of a text, any byte except CR. `fields`: the expected
// number of fields for `is_uneven`; 0: no check. For this check, an empty line is a record of one field.
void gv_scan_span(
    int32_t implementation, const gv_dialect *dialect, const uint8_t *bytes, size_t count, size_t readable, uint8_t previous,
    uint8_t state, size_t fields, gv_span *result);

// Scans like gv_scan_span, always with the state machine.
void gv_scan_span_carefully(
    const gv_dialect *dialect, const uint8_t *bytes, size_t count, size_t readable, uint8_t previous, uint8_t state, size_t fields,
    gv_span *result);

// The numbers of fields of the records in a buffer. Empty lines have no fields. They are neither short nor long.
typedef struct {
    size_t records;     // complete records, including empty lines
    size_t delimiters;  // delimiters in these records
    size_t consumed;    // the end of the last record, after its line ending
    size_t short_count; // records with fewer fields than expected
    size_t first_short; // offset of the first short record
    size_t long_count;  // records with more fields than expected
    size_t first_long;  // offset of the first long record
    size_t blank_count; // empty lines, if more than one field is expected
    size_t first_blank; // offset of the first empty line
    size_t maximum_field_count; // fields of the longest record; 0 if there are only empty lines
} gv_field_counts;

// Counts the fields of the complete records in bytes[0 ..< count], which start at a record start. `is_last`: the bytes end at a record end.
// `fields`: the expected number; 0: no record is short or long.
void gv_count_fields(
    int32_t implementation, const gv_dialect *dialect, const uint8_t *bytes, size_t count, int is_last, size_t fields,
    gv_field_counts *result);

// The offset of record start `number` (from 0) in the span; `count` if there are fewer.
size_t gv_nth_start(
    int32_t implementation, const gv_dialect *dialect, const uint8_t *bytes, size_t count, size_t readable, uint8_t state,
    size_t number);

// The bytes begin ..< end of a buffer, including quotes. If begin is GV_MISSING, the record has no such field.
typedef struct {
    uint32_t begin;
    uint32_t end;
} gv_range;

#define GV_MISSING UINT32_MAX

// The progress of gv_select. Initialize both members to 0.
typedef struct {
    size_t consumed; // bytes of complete records, from the start of the buffer
    size_t records;  // complete records written
} gv_progress;

// Finds the fields `columns` (ascending, distinct) of the complete records in bytes[0 ..< count], which start at a record start. Writes
// column_count ranges for each record to `out`, which has room for `capacity` records, and stops when it is full. `is_last`: the bytes end
// at a record end; otherwise an incomplete last record is left for the next call. count ≤ UINT32_MAX - 64.
void gv_select(
    int32_t implementation, const gv_dialect *dialect, const uint8_t *bytes, size_t count, int is_last, const uint32_t *columns,
    size_t column_count, gv_range *out, size_t capacity, gv_progress *progress);

// One record with all its fields.
typedef struct {
    size_t begin;       // the start, after comment lines and skipped blanks
    size_t end;         // after the last field, before the line ending
    size_t next;        // after the line ending
    size_t field_count; // 0 for an empty line
    int complete;       // true if the end of the record was found; always true with `is_last`
    int found;          // true if there is a record
} gv_record;

// Reads the record at the start of bytes[0 ..< count]. Writes the ranges of at most `capacity` fields, starting with field `first`.
void gv_read_record(
    int32_t implementation, const gv_dialect *dialect, const uint8_t *bytes, size_t count, int is_last, size_t first, gv_range *out,
    size_t capacity, gv_record *result);

// Reads like gv_read_record, always with the state machine.
void gv_read_record_carefully(
    const gv_dialect *dialect, const uint8_t *bytes, size_t count, int is_last, size_t first, gv_range *out, size_t capacity,
    gv_record *result);

// The result of gv_find_lines.
typedef struct {
    size_t records;  // the number of records
    size_t consumed; // the offset after the last record
    int stopped;     // true if the next record has another form
} gv_lines;

// Finds records in the form in which gridview writes them, at the start of bytes[0 ..< count]. The bytes start at a record start. Each
// record has `fields` fields, ends with LF, has no CR, and quotes exactly the fields that contain a delimiter, a quote or an LF. Stops at
// the first record that is incomplete or has another form, or after `capacity` records. Writes the offset after each record to `ends`.
// fields > 0; count ≤ UINT32_MAX - 64. Comments are not supported.
void gv_find_lines(
    int32_t implementation, const gv_dialect *dialect, const uint8_t *bytes, size_t count, size_t fields, uint32_t *ends, size_t capacity,
    gv_lines *result);

// Writes the value of a field (without quotes, doubled quotes halved) to `out`, which has room for `count`. Returns its length.
size_t gv_unquote(const gv_dialect *dialect, const uint8_t *bytes, size_t count, uint8_t *out);

// Writes a value as a field to `out`, which has room for 2 * count + 2 bytes. Returns the length of the field. The value is put in quotes,
// and its quotes are doubled, if it contains the delimiter, a quote or a line end, or if `always` is true.
size_t gv_quote(const uint8_t *bytes, size_t count, uint8_t delimiter, int always, uint8_t *out);

// The offset of the first `byte`; `count` if there is no such byte.
size_t gv_find(const uint8_t *bytes, size_t count, uint8_t byte);

// The measures of a line.
typedef struct {
    size_t length; // the number of bytes, including the line end; 0 if there is no line end, and other members are then undefined
    size_t delimiters;
    uint8_t has_cr; // true if the line has a CR that is not part of its end
    uint8_t has_quote;
} gv_line;

// Measures the line that starts at bytes[0] and ends with the first LF at or after `at`. Counts the delimiters before `at`.
gv_line gv_measure_line(int32_t implementation, const gv_dialect *dialect, const uint8_t *bytes, size_t count, size_t at);

// Guesses if `bytes`, which start in the middle of a text, start within quotes. The evidence is the bytes next to the first quotes. Returns
// 1 for yes, 0 for no, and -1 without evidence. `previous` is the byte before `bytes`.
int gv_guess_quoted(const gv_dialect *dialect, const uint8_t *bytes, size_t count, uint8_t previous);

// The state after the byte `previous`, outside quotes.
uint8_t gv_state_after(const gv_dialect *dialect, uint8_t previous);

#endif
