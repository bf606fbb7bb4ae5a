// Reads dates in their usual machine forms.
#ifndef GRIDVIEW_DATES_H
#define GRIDVIEW_DATES_H

#include "FixedPoint.h"

// Reads fields[0], fields[stride], ... as seconds since 1970-01-01, until a field has another form. The form is `yyyy-mm-dd` or, if
// `with_time` is not 0, also `yyyy-mm-ddThh:mm:ss`, with `T` or a blank and without a leap second. Years are 0000 to 9999. Returns the
// number of fields read.
size_t gv_read_dates(const gv_field *fields, size_t stride, size_t count, int with_time, int64_t *seconds);

#endif
