#ifndef GV_LOADS_H
#define GV_LOADS_H

#include <stdint.h>
#include <string.h>

/// On functions that load a word of which only some bytes are the caller's. Loads that do not reach over the end of a page never fail. The
/// address sanitizer would report them.
#define GV_LOADS_WITHIN_PAGE __attribute__((no_sanitize("address")))

/// The eight bytes from `start` on, the first one lowest on little-endian machines. They must lie in one page, or all be readable.
GV_LOADS_WITHIN_PAGE static inline uint64_t gv_load_word(const uint8_t *start) {
    uint64_t word;
    memcpy(&word, start, sizeof word);
    return word;
}

#endif
