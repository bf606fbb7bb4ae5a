// Finds the values of keys in JSON records. A record is one JSON value, usually an object.
//
// The reader follows RFC 8259, and accepts the literals NaN, Infinity and -Infinity and control characters within strings. It does not
// allocate, and its recursion does not grow with the depth of the input.
#ifndef GRIDVIEW_JSON_FIELDS_H
#define GRIDVIEW_JSON_FIELDS_H

#include <stddef.h>
#include <stdint.h>

#include "FixedPoint.h"

// The maximum depth of a record, and the maximum number of bytes of a key that is looked up.
enum { GV_JSON_DEPTH = 1024, GV_JSON_KEY = 4096 };

// A key of an object in a record: a node of the tree of keys. Node 0 is the record itself. A parent comes before its children.
typedef struct {
    uint32_t key_begin;      // the start of the key, without escapes, in the bytes of all keys
    uint32_t parent;
    uint32_t last_child;     // the child with the highest index; 0: none
    uint32_t previous;       // the previous child of the parent; 0: none
    uint32_t slot_count;     // the number of slots of this node and the nodes below; used only if the record is trusted
    uint32_t next_in_bucket; // the next node in the same bucket of the hash table; 0: none
    int32_t slot;            // the index of the value in the output; -1: none
    uint16_t key_count;      // the number of bytes of the key, at most GV_JSON_KEY
    uint8_t divides : 1;     // objects with keys are divided into the values of their keys, so they are not values of this node
    uint8_t shows_rest : 1;  // a divided object is a value, too, if it has a key without a node
    uint8_t is_plain : 1;    // the key has no quote and no backslash
    uint8_t has_numbers : 1; // the caller knows that the key has numbers, so they are not findings
    uint8_t has_digits : 1;  // the caller knows that the key has strings that read as numbers, so they are not findings
} gv_json_node;

typedef struct {
    const gv_json_node *nodes;
    size_t count;
    const uint8_t *keys;
    const uint32_t *buckets; // for each bucket of the hash table of nodes, the first node; 0: none
    size_t bucket_mask;      // the number of buckets, a power of two, minus 1
    size_t slots;
} gv_json_tree;

// The kinds of a value.
enum {
    GV_JSON_MISSING = 0,
    GV_JSON_NULL = 1,
    GV_JSON_TEXT = 2,    // a number, a literal, an array or an object, as written
    GV_JSON_STRING = 3,  // a string without escapes; the range is within the quotes
    GV_JSON_ESCAPED = 4, // a string with escapes
    GV_JSON_CUT = 8,     // added to the kind if the value continues after the bytes
};

typedef struct {
    uint32_t begin;
    uint32_t end;
    uint32_t kind;
} gv_json_value;

// The kinds of a finding.
enum {
    GV_JSON_NEEDS_SLOT = 0, // a node without a slot has a value
    GV_JSON_NEW_VALUE = 1,  // a key without a node has a value
    GV_JSON_NEW_NULL = 2,
    GV_JSON_NEW_OBJECT = 3, // a key without a node has an object with keys
    GV_JSON_NEW_LONG = 4,   // a key is too long to be looked up
    GV_JSON_NUMBER = 5,     // the first number of a node with a slot
    GV_JSON_DIGITS = 6,     // the first string of a node with a slot that reads as a number
};

// A finding: a value for which the tree has no node or slot, or the first number of a node, or its first string that reads as a number.
typedef struct {
    uint32_t node;  // the node itself, or the parent of the new key
    uint32_t begin; // the key as written
    uint32_t end;
    uint32_t kind;
} gv_json_finding;

// The maximum number of bytes between two values of a pattern. The bytes before the first value and after the last have the same limit.
enum { GV_JSON_BETWEEN = 32 };

// A part of a pattern: the bytes between two values, such as `, "price": `, and the value after them. The pattern is a record from which
// most other records differ in their values only.
typedef struct {
    uint8_t bytes[GV_JSON_BETWEEN];
    uint32_t count;
    uint32_t slot;
    uint16_t depth;  // the depth of the value
    uint8_t divides; // this and the next members are copied from the node of the value
    uint8_t has_numbers;
    uint8_t has_digits;
} gv_json_part;

// The memory of a reader. The arrays have one element per node and start with zeros, except `parts`.
typedef struct {
    uint32_t *first; // for an object, its first key in the previous record
    uint32_t *next;  // the key that followed this key in the previous record
    uint32_t *last_seen; // the number (`stamp`) of the last record with this key
    uint32_t stamp;
    uint8_t *scratch; // room for a key of GV_JSON_KEY bytes
    gv_json_part *parts; // the parts of the pattern, at most one more than slots
    uint32_t part_count; // 0: there is no pattern
    uint32_t misses;     // the number of records that do not match the pattern, minus the number of records that match it; at least 0
    uint32_t pause;      // the number of records to read before a record becomes the pattern
} gv_json_memory;

// The notes about a record.
enum {
    GV_JSON_INVALID = 1,
    GV_JSON_BLANK = 2,
    GV_JSON_DUPLICATE = 4,      // an object has a key twice; the last value is used
    GV_JSON_ODD_ESCAPE = 8,     // an escape stands for a plain character
    GV_JSON_ESCAPED_KEY = 16,   // a key is written with escapes
    GV_JSON_LONE_SURROGATE = 32, // a key or a value that is a string has an escaped surrogate without its pair
};

// Reads the record bytes[0 ..< count], which has no line endings outside of values. count < 2^32. Writes one value per slot to `out`; all
// are missing if the record is invalid.
// `is_trusted`: the record is valid and has no duplicate or escaped keys, so reading may stop at the last requested value.
// `is_cut`: the record continues after the bytes; the values within the bytes are written.
// `findings`: NULL, or room for `capacity` findings; the number of findings is written to `found`.
// Use one `memory` either always or never with findings, because a record that is read without findings may become the pattern.
// Returns the notes.
uint32_t gv_json_read(
    const gv_json_tree *tree, gv_json_memory *memory, const uint8_t *bytes, size_t count, int is_trusted, int is_cut, gv_json_value *out,
    gv_json_finding *findings, size_t capacity, size_t *found);

// Reads records up to the first one that is empty or too long, or that has notes or findings, or escapes in a requested string. Returns the
// number of records before it. Sets `has_escapes` if that record has only escapes; `values` are then its values.
// `values`: memory for two values per slot.
// `slots`: the slots of the `width` requested values; -1 for a missing field.
// `fields`: receives `width` fields per record. A null or missing value is a missing field. May be NULL if `width` is 0.
size_t gv_json_read_plain(
    const gv_json_tree *tree, gv_json_memory *memory, const gv_field *records, size_t count, gv_json_value *values, const intptr_t *slots,
    size_t width, gv_field *fields, int *has_escapes);

// The end of the JSON value at bytes[0], or 0 if it is invalid. If the bytes end within the value, returns 0 and sets `is_cut`.
size_t gv_json_value_end(const uint8_t *bytes, size_t count, int *is_cut);

// Writes the text of a string without its escapes to `out`, which has room for `count` bytes. A lone surrogate becomes U+FFFD. An
// incomplete escape at the end is dropped. Returns the length.
size_t gv_json_unescape(const uint8_t *bytes, size_t count, uint8_t *out);

// True if bytes[0 ..< count] is a number of RFC 8259.
int gv_json_is_number(const uint8_t *bytes, size_t count);

// The forms of text that `gv_json_escape` reads.
enum {
    GV_JSON_UNESCAPED = 0,       // plain text: quotes, backslashes and control characters get escapes
    GV_JSON_ESCAPED_STRING = 1,  // a JSON string: only its control characters get escapes
    GV_JSON_OUTSIDE_STRINGS = 2, // JSON between strings: each control character becomes a space
};

// The minimum room for a call of `gv_json_escape`, and the room that can remain unused.
enum { GV_JSON_ESCAPE_ROOM = 24 };

// Writes text for JSON to `out`, until the text ends or fewer than GV_JSON_ESCAPE_ROOM of `room` bytes are left. Control characters are
// those of Unicode (Cc), and those that change the direction of text (Bidi_Control). Ill-formed UTF-8 becomes U+FFFD, one for each maximal
// subpart. Returns the number of bytes read, which end at a character; `written` gets the number of bytes written.
size_t gv_json_escape(const uint8_t *bytes, size_t count, int form, uint8_t *out, size_t room, size_t *written);

// True for characters that writers of JSON do not escape: ASCII letters, digits, space and some punctuation.
int gv_json_is_plain(uint8_t byte);

// The state between the calls that copy one array or object in several chunks. Initialize it to zeros, except `limit`,
// `column` and `indent`.
typedef struct {
    uint64_t objects[GV_JSON_DEPTH / 64]; // for each level, 1 for an object
    uint64_t lines;                       // the number of line endings in the bytes read
    uint32_t depth;
    uint32_t limit; // the maximum depth, at most GV_JSON_DEPTH
    uint32_t column; // the number of blanks before the opening bracket on its line; GV_JSON_NO_COLUMN if another byte precedes it
    uint32_t indent; // the number of blanks before the next byte on its line; at first GV_JSON_NO_COLUMN, as after any other byte
    uint8_t line_start; // the part of the current line of a string that may be the start of the next value: a GV_JSON_LINE_ constant
    uint8_t in_string;
    uint8_t after_backslash;
    uint8_t after_word_blank; // blanks follow a number or a literal
    uint8_t last;             // the last byte that is not blank
    uint8_t is_too_deep;      // the limit was exceeded; brackets are counted but not compared
    uint8_t is_silent;        // set by the caller: nothing is written
    uint8_t has_ended;
    uint8_t error; // the first byte that makes the value invalid; 0: none
    uint8_t has_bracket_in_column; // within the value, an array or object begins its line in `column`, or an array ends there
    uint8_t restart; // where the next value begins within this value, which is then damaged: a GV_JSON_RESTART_ constant
} gv_json_copy;

enum { GV_JSON_NO_COLUMN = UINT32_MAX };

// The start of a line within a string: blanks, then a bracket, then a quote. If a string lacks its closing quote, such a line is the start
// of the next value, and the quote begins the first key of that value.
enum { GV_JSON_LINE_OTHER = 0, GV_JSON_LINE_BLANK = 1, GV_JSON_LINE_BRACKET = 2, GV_JSON_LINE_QUOTE = 3 };

enum {
    GV_JSON_RESTART_NONE = 0,
    GV_JSON_RESTART_AT_BRACKET = 1, // the next byte is the opening bracket of the next value
    GV_JSON_RESTART_IN_KEY = 2,     // the next byte is the first one of the first key of the next value, which is an object
};

// Copies an array or object without blanks between values, up to its closing bracket. Line endings within strings are escaped. `out` has
// room for 2 * count + 1 bytes. Returns the number of bytes read; fewer than `count` if the value has ended, has an error, or is damaged. A
// value is damaged if the next value begins within it: on its own line, in the same column, and where no value can begin.
size_t gv_json_copy_value(gv_json_copy *state, const uint8_t *bytes, size_t count, uint8_t *out, size_t *written);

// The hash of a key below a node.
uint64_t gv_json_hash(uint32_t parent, const uint8_t *key, size_t count);

#endif
