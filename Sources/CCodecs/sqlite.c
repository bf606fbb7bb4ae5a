#include "CCodecs.h"

int gv_sqlite_configure(void *function, void *connection, int option, int value)
{
    int (*configure)(void *, int, ...) = (int (*)(void *, int, ...))function;
    int result = 0;
    return configure(connection, option, value, &result);
}
