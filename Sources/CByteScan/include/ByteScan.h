// Finding records and fields in delimited text. FixedPoint.h reads numbers, LiteralSearch.h finds texts, Transcode.h reads other encodings.
//
// The meaning of quotes is that of Python's csv module and of Excel: a quote opens a quoted field only as its first byte; inside, two
// quotes stand for one; after the closing quote the rest of the field is text as it stands; any other quote is text. LF, CRLF and a
// bare CR end a record outside quotes. Every byte string has exactly one parse.
//
// There are two ways to that parse. The *careful* one is a table-driven state machine, one byte at a time: the reference, and the way of files with
// comments. The *fast* one works on 64 bytes at a time with bit masks and takes every quote for a structural one. It notices when that is not so, and
// follows the quotes of these 64 bytes one by one. Which instruction set it uses is chosen at run time.
#ifndef GRIDVIEW_BYTE_SCAN_H
#define GRIDVIEW_BYTE_SCAN_H

#include <stddef.h>
#include <stdint.h>

// Where a byte stands: the state of the parser before it.
enum {
    GV_RECORD_START = 0, // at the first byte of a record
    GV_FIELD_START = 1,  // after a delimiter
    GV_UNQUOTED = 2,     // in a field that has no quotes, or after the text that follows a closing quote
    GV_QUOTED = 3,       // between quotes
    GV_QUOTE_SEEN = 4,   // after a quote between quotes: the closing one, or the first of a doubled one
    GV_AFTER_CR = 5,     // as GV_RECORD_START, but a line feed still belongs to the record before
    GV_COMMENT = 6,      // in a comment line
};

enum { GV_COMMENT_MAXIMUM = 16 };

// How fields are separated and quoted, prepared for scanning.
typedef struct {
    uint8_t delimiter;
    uint8_t quote;
    uint8_t has_quote;
    uint8_t comment_count; // length of the comment prefix; 0: no comments. With comments everything takes the careful way.
    uint8_t comment[GV_COMMENT_MAXIMUM];
    uint8_t class_of[256]; // the character class of each byte, for the state machine
} gv_dialect;

// `quote` is -1 for none. `comment_count` is cut to GV_COMMENT_MAXIMUM.
gv_dialect gv_dialect_make(uint8_t delimiter, int quote, const uint8_t *comment, size_t comment_count);

// What a span holds besides records.
enum {
    GV_NOTE_NUL = 1,
    GV_NOTE_HIGH = 2,    // bytes from 0x80
    GV_NOTE_LF = 4,      // a record ended by LF alone
    GV_NOTE_CRLF = 8,
    GV_NOTE_CR = 16,     // a record ended by CR alone
};

// The result of scanning a span of bytes.
typedef struct {
    size_t starts;            // records that start in the span; the first byte counts when the state before it is a record start
    size_t first_start;       // offset of the first of them; the span's length when there is none
    size_t lines;             // line ends, also those between quotes; CRLF counts once, at its LF
    size_t delimiters_before; // delimiters outside quotes before the first start (all, when there is none)
    size_t delimiters_after;  // and after it
    size_t strays;            // quotes that are text, and texts after a closing quote
    size_t first_stray;       // offset of the first; the span's length when there is none
    uint32_t notes;           // GV_NOTE_*
    uint8_t state;            // after the last byte
    uint8_t is_uneven;        // whether a record that starts and ends in the span has not as many fields as asked for
} gv_span;

// The number of scanner implementations on this machine. 0 is the portable one, the last is the fastest.
int32_t gv_scan_implementations(void);

// Scans bytes[0 ..< count]. `readable` ≥ count bytes may be looked at (a comment prefix that begins in the span may end after it).
// `previous` is the byte before the span (anything but CR when there is none); it serves to count CRLF once.
// `fields`: how many fields each record should have, for `is_uneven`; 0: do not check. Blank lines count as records of one field there.
void gv_scan_span(
    int32_t implementation, const gv_dialect *dialect, const uint8_t *bytes, size_t count, size_t readable, uint8_t previous,
    uint8_t state, size_t fields, gv_span *result);

// As gv_scan_span, always by the state machine.
void gv_scan_span_carefully(
    const gv_dialect *dialect, const uint8_t *bytes, size_t count, size_t readable, uint8_t previous, uint8_t state, size_t fields,
    gv_span *result);

// How many fields the records in a buffer have. Blank lines have none and are neither short nor long.
typedef struct {
    size_t records;     // complete records, blank lines included
    size_t delimiters;  // delimiters in them
    size_t consumed;    // where the last of them ends, its line end included
    size_t short_count; // records with fewer fields than expected
    size_t first_short; // offset of the first of them
    size_t long_count;  // records with more fields than expected
    size_t first_long;
    size_t most;        // fields of the longest record; 0 when there are only blank lines
} gv_field_counts;

// Counts the fields of the complete records in bytes[0 ..< count], which begins where a record does.
// `last`: the bytes end where a record ends. `fields`: the expected number; 0: no record is short or long.
void gv_count_fields(
    int32_t implementation, const gv_dialect *dialect, const uint8_t *bytes, size_t count, int last, size_t fields,
    gv_field_counts *result);

// The offset of record start number `number` (from 0) in the span; `count` when it has fewer.
size_t gv_nth_start(
    int32_t implementation, const gv_dialect *dialect, const uint8_t *bytes, size_t count, size_t readable, uint8_t state,
    size_t number);

// Bytes begin ..< end of a buffer, quotes included. GV_MISSING as begin: the record has no such field.
typedef struct {
    uint32_t begin;
    uint32_t end;
} gv_range;

#define GV_MISSING UINT32_MAX

// How far gv_select has come. Set both to 0 at first.
typedef struct {
    size_t consumed; // bytes of complete records, from the buffer's start
    size_t records;  // complete records written
} gv_progress;

// Finds the fields `columns` (ascending, distinct) of the complete records in bytes[0 ..< count], which begins where a record does.
// Writes column_count ranges for each record to `out`, which has room for `capacity` records, and stops when that is full.
// `last`: the bytes end where a record ends; otherwise an unfinished last record is left for the next call.
// count ≤ UINT32_MAX - 64.
void gv_select(
    int32_t implementation, const gv_dialect *dialect, const uint8_t *bytes, size_t count, int last, const uint32_t *columns,
    size_t column_count, gv_range *out, size_t capacity, gv_progress *progress);

// One record, all of its fields.
typedef struct {
    size_t begin;       // where it begins: after comment lines
    size_t end;         // after its last field, before the line end
    size_t next;        // after the line end
    size_t field_count; // 0 for a blank line
    int complete;       // whether its end was found; always with `last`
    int found;          // whether there is a record at all
} gv_record;

// Reads the record at the start of bytes[0 ..< count] and writes the ranges of its fields from number `first` on, at most `capacity`.
void gv_read_record(
    int32_t implementation, const gv_dialect *dialect, const uint8_t *bytes, size_t count, int last, size_t first, gv_range *out,
    size_t capacity, gv_record *result);

// As gv_read_record, always by the state machine.
void gv_read_record_carefully(
    const gv_dialect *dialect, const uint8_t *bytes, size_t count, int last, size_t first, gv_range *out, size_t capacity,
    gv_record *result);

// Records that stand in the file exactly as a writer of the same dialect writes them.
typedef struct {
    size_t records;  // their number
    size_t consumed; // the offset after the last of them
    int stopped;     // whether a record follows that a writer writes differently
} gv_lines;

// Finds such records at the start of bytes[0 ..< count], which begins where a record does. Each has `fields` fields, ends with LF, holds no CR, and
// quotes exactly the fields that hold a delimiter, a quote or an LF. Stops at the first other record, at the first unfinished one, or after `capacity`
// records. Writes the offset after each record to `ends`. fields > 0; count ≤ UINT32_MAX - 64. Comments are not supported.
void gv_find_lines(
    int32_t implementation, const gv_dialect *dialect, const uint8_t *bytes, size_t count, size_t fields, uint32_t *ends, size_t capacity,
    gv_lines *result);

// Writes what the raw bytes of a field mean (quotes removed, doubled ones halved) to `out`, which has room for `count`; returns how many.
size_t gv_unquote(const gv_dialect *dialect, const uint8_t *bytes, size_t count, uint8_t *out);

// The offset of the first `byte`; `count` when there is none.
size_t gv_find(const uint8_t *bytes, size_t count, uint8_t byte);

// A line and what is in it.
typedef struct {
    size_t length; // with its end; 0 when the bytes do not hold that, and then the rest says nothing
    size_t delimiters;
    uint8_t has_return; // whether it has a CR that is no part of its end
    uint8_t has_quote;
} gv_line;

// Measures the line that begins with bytes[0] and ends with the first LF that does not stand before `at`. Counts the delimiters before `at`.
gv_line gv_measure_line(int32_t implementation, const gv_dialect *dialect, const uint8_t *bytes, size_t count, size_t at);

// Whether `bytes`, in the middle of a text, begins between quotes: 1 yes, 0 no, -1 nothing speaks for either.
// Judged by the neighbours of the first quotes; `previous` is the byte before.
int gv_guess_quoted(const gv_dialect *dialect, const uint8_t *bytes, size_t count, uint8_t previous);

// The state that follows the byte `previous` outside quotes.
uint8_t gv_state_after(const gv_dialect *dialect, uint8_t previous);

#endif
