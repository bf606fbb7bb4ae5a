#ifndef GV_LOADS_H
#define GV_LOADS_H

#include <stdint.h>
#include <string.h>

/// An attribute of functions that load a word of which only some bytes belong to the caller. Such a load is safe if it does not cross a
/// page boundary. But the address sanitizer would report the load, and so would the thread sanitizer if another thread writes other bytes
/// of the word.
#define GV_LOADS_WITHIN_PAGE __attribute__((no_sanitize("address", "thread")))

/// The eight bytes from `start`, the first one lowest on little-endian machines. They must be within one page or all readable.
GV_LOADS_WITHIN_PAGE static inline uint64_t gv_load_word(const uint8_t *start) {
    uint64_t word;
    memcpy(&word, start, sizeof word);
    return word;
}

#endif
