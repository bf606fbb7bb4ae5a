// Regular expressions over bytes in time linear in their length: RE2 (R. Cox, "Regular Expression Matching in the Wild", 2010),
// behind functions that C and Swift can call.
#ifndef GRIDVIEW_PATTERN_H
#define GRIDVIEW_PATTERN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// A compiled expression. It never changes: any number of threads may use it at once.
typedef struct gv_pattern gv_pattern;

// Compiles `text`; NULL when it is no expression: then `error` holds a message in English, cut to its capacity and ended by NUL, and
// `fault` the part of the text that is wrong.
gv_pattern *gv_pattern_make(
    const uint8_t *text, size_t count, int ignores_case, char *error, size_t error_capacity, char *fault, size_t fault_capacity);

// Frees what gv_pattern_make has made.
void gv_pattern_free(gv_pattern *pattern);

// Whether the expression matches anywhere in bytes[0 ..< count].
int gv_pattern_matches(const gv_pattern *pattern, const uint8_t *bytes, size_t count);

// The leftmost match that begins at `from` or after it: 1, and its place; otherwise 0. What stands before `from` counts as context
// for ^ and \b. A match can be empty.
int gv_pattern_find(const gv_pattern *pattern, const uint8_t *bytes, size_t count, size_t from, size_t *begin, size_t *end);

#ifdef __cplusplus
}
#endif

#endif
