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

// A database, a connection or a statement of ADBC. All three structs have the same members.
struct gv_adbc_object {
    void *private_data;
    struct gv_adbc_driver *private_driver;
};

typedef uint8_t gv_adbc_status;
typedef gv_adbc_status (*gv_adbc_action)(struct gv_adbc_object *, struct gv_adbc_error *);
typedef gv_adbc_status (*gv_adbc_pair_action)(struct gv_adbc_object *, struct gv_adbc_object *, struct gv_adbc_error *);
typedef gv_adbc_status (*gv_adbc_set_option)(struct gv_adbc_object *, const char *, const char *, struct gv_adbc_error *);

// The functions of a driver, in the order of ADBC 1.1. Functions that gridview never calls are plain pointers.
struct gv_adbc_driver {
    void *private_data, *private_manager;
    gv_adbc_status (*release)(struct gv_adbc_driver *, struct gv_adbc_error *);
    gv_adbc_action database_init, database_new;
    gv_adbc_set_option database_set_option;
    gv_adbc_action database_release;
    void *connection_commit, *connection_get_info, *connection_get_objects, *connection_get_table_schema, *connection_get_table_types;
    gv_adbc_pair_action connection_init;
    gv_adbc_action connection_new;
    gv_adbc_set_option connection_set_option;
    void *connection_read_partition;
    gv_adbc_action connection_release;
    void *connection_rollback;
    gv_adbc_status (*statement_bind)(
        struct gv_adbc_object *, struct gv_arrow_array *, struct gv_arrow_schema *, struct gv_adbc_error *);
    void *statement_bind_stream;
    gv_adbc_status (*statement_execute_query)(struct gv_adbc_object *, struct gv_arrow_stream *, int64_t *, struct gv_adbc_error *);
    void *statement_execute_partitions, *statement_get_parameter_schema;
    gv_adbc_pair_action statement_new;
    gv_adbc_action statement_prepare, statement_release;
    gv_adbc_set_option statement_set_option;
    gv_adbc_status (*statement_set_sql_query)(struct gv_adbc_object *, const char *, struct gv_adbc_error *);
    void *statement_set_substrait_plan;
    // Drivers have these functions since ADBC 1.1.
    void *error_get_detail_count, *error_get_detail, *error_from_array_stream;
    void *database_options[7];
    gv_adbc_action connection_cancel;
    void *connection_options[9];
    gv_adbc_action statement_cancel;
    gv_adbc_status (*statement_execute_schema)(struct gv_adbc_object *, struct gv_arrow_schema *, struct gv_adbc_error *);
    void *statement_options[7];
};

#define GV_ADBC_VERSION_1_0 1000000
#define GV_ADBC_VERSION_1_1 1001000

// Calls the initialization function of a driver through a pointer to it.
gv_adbc_status gv_adbc_init(void *function, int version, struct gv_adbc_driver *driver, struct gv_adbc_error *error);

// Loads a library by its path. Returns NULL and sets the message on failure.
void *gv_open_library(const char *path, const char **message);

// The value of a parameter: its type (`l` integer, `g` floating point, `u` text, `z` bytes), and the member for that type, unless the value
// is NULL.
typedef struct {
    char type;
    int64_t integer;
    double number;
    const uint8_t *bytes;
    size_t count;
    int is_null;
} gv_arrow_value;

// Creates a batch of one row with copies of these values. Returns 0 if out of memory. Both structs must be released.
int gv_arrow_make_row(const gv_arrow_value *values, size_t count, struct gv_arrow_array *array, struct gv_arrow_schema *schema);

#endif
