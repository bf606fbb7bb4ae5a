#include "CArrow.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

gv_adbc_status gv_adbc_init(void *function, int version, struct gv_adbc_driver *driver, struct gv_adbc_error *error)
{
    gv_adbc_status (*init)(int, void *, struct gv_adbc_error *);
    *(void **)&init = function;
    return init(version, driver, error);
}

void *gv_open_library(const char *path, const char **message)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) *message = dlerror();
    return library;
}

// Each array and each schema is one block of memory. Each child is a separate block, as the interface requires.
typedef struct {
    const void *buffers[3];
    uint8_t validity;
    union {
        int64_t integer;
        double number;
        int32_t offsets[2];
    } value;
    uint8_t bytes[];
} column_data;

static void release_schema(struct gv_arrow_schema *schema)
{
    for (int64_t i = 0; i < schema->child_count; i++) {
        if (schema->children[i] && schema->children[i]->release) schema->children[i]->release(schema->children[i]);
        free(schema->children[i]);
    }
    free(schema->children);
    schema->release = NULL;
}

static void release_array(struct gv_arrow_array *array)
{
    for (int64_t i = 0; i < array->child_count; i++) {
        if (array->children[i] && array->children[i]->release) array->children[i]->release(array->children[i]);
        free(array->children[i]);
    }
    free(array->children);
    free(array->private_data);
    array->release = NULL;
}

static const char *format_of(char type)
{
    switch (type) {
    case 'l': return "l";
    case 'g': return "g";
    case 'z': return "z";
    default: return "u";
    }
}

static int make_column(const gv_arrow_value *value, struct gv_arrow_array *array, struct gv_arrow_schema *schema)
{
    int is_fixed = value->type == 'l' || value->type == 'g';
    size_t count = is_fixed || value->is_null ? 0 : value->count;
    if (count > INT32_MAX) return 0;
    column_data *data = calloc(1, sizeof *data + count + 1);
    if (!data) return 0;
    data->validity = value->is_null ? 0 : 1;
    data->buffers[0] = &data->validity;
    data->buffers[1] = &data->value;
    data->buffers[2] = data->bytes;
    if (value->type == 'l') {
        data->value.integer = value->integer;
    } else if (value->type == 'g') {
        data->value.number = value->number;
    } else {
        data->value.offsets[1] = (int32_t)count;
        if (count) memcpy(data->bytes, value->bytes, count);
    }
    array->length = 1;
    array->null_count = value->is_null ? 1 : 0;
    array->buffer_count = is_fixed ? 2 : 3;
    array->buffers = data->buffers;
    array->private_data = data;
    array->release = release_array;
    schema->format = format_of(value->type);
    schema->name = "";
    schema->flags = 2;  // nullable
    schema->release = release_schema;
    return 1;
}

int gv_arrow_make_row(const gv_arrow_value *values, size_t count, struct gv_arrow_array *array, struct gv_arrow_schema *schema)
{
    memset(array, 0, sizeof *array);
    memset(schema, 0, sizeof *schema);
    array->release = release_array;
    array->length = 1;
    schema->release = release_schema;
    schema->format = "+s";
    schema->name = "";
    column_data *data = calloc(1, sizeof *data);
    array->private_data = data;
    array->children = calloc(count + 1, sizeof *array->children);
    schema->children = calloc(count + 1, sizeof *schema->children);
    int is_complete = data && array->children && schema->children;
    if (is_complete) {
        array->buffers = data->buffers;
        array->buffer_count = 1;
    }
    for (size_t i = 0; is_complete && i < count; i++) {
        array->children[i] = calloc(1, sizeof **array->children);
        schema->children[i] = calloc(1, sizeof **schema->children);
        array->child_count = schema->child_count = (int64_t)i + 1;
        is_complete = array->children[i] && schema->children[i] && make_column(&values[i], array->children[i], schema->children[i]);
    }
    if (!is_complete) {
        release_array(array);
        release_schema(schema);
    }
    return is_complete;
}
