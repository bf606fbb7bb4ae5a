// The length of a UTF-8 sequence.
#ifndef GRIDVIEW_UTF8_SEQUENCE_H
#define GRIDVIEW_UTF8_SEQUENCE_H

#include <stddef.h>
#include <stdint.h>

// The length of the well-formed sequence at `bytes`, or the negative length of the maximal ill-formed subpart (Unicode 15, table 3-7).
static inline int gv_utf8_sequence(const uint8_t *bytes, size_t readable) {
    const uint8_t lead = bytes[0];
    if (lead < 0x80) return 1;
    int length;
    uint8_t low = 0x80, high = 0xbf;
    if (lead >= 0xc2 && lead <= 0xdf) {
        length = 2;
    } else if (lead >= 0xe0 && lead <= 0xef) {
        length = 3;
        if (lead == 0xe0) low = 0xa0;
        if (lead == 0xed) high = 0x9f;
    } else if (lead >= 0xf0 && lead <= 0xf4) {
        length = 4;
        if (lead == 0xf0) low = 0x90;
        if (lead == 0xf4) high = 0x8f;
    } else {
        return -1;
    }
    for (int i = 1; i < length; i++) {
        if ((size_t)i >= readable || bytes[i] < low || bytes[i] > high) return -i;
        low = 0x80;
        high = 0xbf;
    }
    return length;
}

#endif
