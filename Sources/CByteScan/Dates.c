// Reads dates in their usual machine forms, eight bytes at once.
#include "Dates.h"

#include <string.h>

// The days of each month and the days before it, in common and in leap years. Numbers that are not months have 0 days.
static const uint8_t month_days[2][16] = {
    {0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31},
    {0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31},
};
static const uint16_t days_before[2][16] = {
    {0, 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334},
    {0, 0, 31, 60, 91, 121, 152, 182, 213, 244, 274, 305, 335},
};

static inline uint64_t load_word(const uint8_t *start) {
    uint64_t word;
    memcpy(&word, start, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

// The pair of digits at `start`; more than 99 if they are not digits.
static inline uint32_t pair(const uint8_t *start) {
    const uint32_t tens = start[0] ^ 0x30u, ones = start[1] ^ 0x30u;
    return tens > 9 || ones > 9 ? 100 : tens * 10 + ones;
}

// Reads the ten bytes of `yyyy-mm-dd`. Returns 0 for another form or an invalid day.
static inline int read_day(const uint8_t *start, int64_t *days) {
    // Replaces digits by their values, and hyphens by 0.
    const uint64_t word = load_word(start) ^ 0x2D30302D30303030u;
    const uint64_t others = ((word + 0x0006060006060606u) | word) & 0xFFF0F0FFF0F0F0F0u;
    const uint64_t pairs = word * 10 + (word >> 8);
    const uint32_t century = pairs & 0xFF, year = pairs >> 16 & 0xFF, month = pairs >> 40 & 0xFF, day = pair(start + 8);
    const int is_leap = (year ? year & 3 : century & 3) == 0;
    if ((others != 0) | (month > 12)) return 0;
    if (day - 1 >= month_days[is_leap][month]) return 0;
    // The leap days before this year: one every 4 years, but none every 100 years, except every 400 years.
    const int32_t whole = (int32_t)century * 100 + (int32_t)year, hundreds = (int32_t)century + (year > 0);
    *days = whole * 365 + (whole + 3) / 4 - hundreds + (hundreds + 3) / 4 + days_before[is_leap][month] + (int32_t)day - 1 - 719528;
    return 1;
}

size_t gv_read_dates(const gv_field *fields, size_t stride, size_t count, int with_time, int64_t *seconds) {
    size_t done = 0;
    for (; done < count; done++, fields += stride) {
        const uint8_t *start = fields->start;
        int64_t days;
        if (fields->count == 10 && read_day(start, &days)) {
            seconds[done] = days * 86400;
            continue;
        }
        if (!with_time || fields->count != 19 || !read_day(start, &days)) break;
        const uint32_t hour = pair(start + 11), minute = pair(start + 14), second = pair(start + 17);
        if ((start[10] != 'T') & (start[10] != ' ')) break;
        if ((start[13] != ':') | (start[16] != ':') | (hour > 23) | (minute > 59) | (second > 59)) break;
        seconds[done] = days * 86400 + hour * 3600 + minute * 60 + second;
    }
    return done;
}
