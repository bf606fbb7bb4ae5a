// The Arrow C data and stream interfaces, and ADBC 1.1, declared from their specifications:
// arrow.apache.org/docs/format/CDataInterface.html, CStreamInterface.html and arrow.apache.org/adbc.
#ifndef CARROW_H
#define CARROW_H

#include <stddef.h>
#include <stdint.h>

struct gv_arrow_schema {
    const char *format, *name, *metadata;
    int64_t flags, child_count;
    struct gv_arrow_schema **children, *dictionary;
    void (*release)(struct gv_arrow_schema *);
    void *private_data;
};

struct gv_arrow_array {
    int64_t length, null_count, offset, buffer_count, child_count;
    const void **buffers;
    struct gv_arrow_array **children, *dictionary;
    void (*release)(struct gv_arrow_array *);
    void *private_data;
};

struct gv_arrow_stream {
    int (*get_schema)(struct gv_arrow_stream *, struct gv_arrow_schema *);
    int (*get_next)(struct gv_arrow_stream *, struct gv_arrow_array *);
    const char *(*get_last_error)(struct gv_arrow_stream *);
    void (*release)(struct gv_arrow_stream *);
    void *private_data;
};

struct gv_adbc_driver;

struct gv_adbc_error {
    char *message;
    int32_t vendor_code;
    char sqlstate[5];
    void (*release)(struct gv_adbc_error *);
    void *private_data;
    struct gv_adbc_driver *private_driver;
};

struct gv_adbc_database {
    void *private_data;
    struct gv_adbc_driver *private_driver;
};
struct gv_adbc_connection {
    void *private_data;
    struct gv_adbc_driver *private_driver;
};
struct gv_adbc_statement {
    void *private_data;
    struct gv_adbc_driver *private_driver;
};

#endif
