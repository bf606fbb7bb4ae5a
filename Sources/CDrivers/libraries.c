#include "CDrivers.h"

#include <dlfcn.h>

// Stores a function pointer in a member of the table. ISO C cannot convert object pointers to function pointers, so the bytes are copied.
#define GV_REQUIRED(result, name, parameters)                                                                                           \
    if (!(*(void **)&table->name = dlsym(library, #name))) return #name;
#define GV_OPTIONAL(result, name, parameters) *(void **)&table->name = dlsym(library, #name);

const char *gv_pg_load(gv_pg_library *table, void *library)
{
    GV_PG_FUNCTIONS(GV_REQUIRED)
    GV_PG_OPTIONAL_FUNCTIONS(GV_OPTIONAL)
    return NULL;
}

const char *gv_sqlite_load(gv_sqlite_library *table, void *library)
{
    GV_SQLITE_FUNCTIONS(GV_REQUIRED)
    GV_SQLITE_OPTIONAL_FUNCTIONS(GV_OPTIONAL)
    return NULL;
}

int gv_sqlite_set(const gv_sqlite_library *table, gv_sqlite *database, int option, int value)
{
    int (*configure)(gv_sqlite *, int, ...) = (int (*)(gv_sqlite *, int, ...))table->sqlite3_db_config;
    int result = 0;
    return configure(database, option, value, &result);
}
