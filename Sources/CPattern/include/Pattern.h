// Regular expressions over bytes in linear time: RE2 (R. Cox, "Regular Expression Matching in the Wild", 2010), with an interface for C and
// Swift.
#ifndef GRIDVIEW_PATTERN_H
#define GRIDVIEW_PATTERN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// A compiled expression. It is immutable, so several threads can use it concurrently.
typedef struct gv_pattern gv_pattern;

// Compiles `text`. Returns NULL if it is not a valid expression: `error` then receives a message in English, truncated to its capacity and
// terminated by NUL, and `fault` receives the invalid part of the text.
gv_pattern *gv_pattern_make(
    const uint8_t *text, size_t count, int ignores_case, char *error, size_t error_capacity, char *fault, size_t fault_capacity);

// Frees a compiled expression.
void gv_pattern_free(gv_pattern *pattern);

// Returns nonzero if the expression matches anywhere in bytes[0 ..< count].
int gv_pattern_matches(const gv_pattern *pattern, const uint8_t *bytes, size_t count);

// Finds the leftmost match that begins at `from` or later: returns 1 and its range, otherwise 0. The bytes before `from` are context for ^
// and \b. A match can be empty.
int gv_pattern_find(const gv_pattern *pattern, const uint8_t *bytes, size_t count, size_t from, size_t *begin, size_t *end);

#ifdef __cplusplus
}
#endif

#endif
