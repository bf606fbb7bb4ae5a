// The public and stable interfaces of the database libraries. They are declared here, so that building does not need the headers of the
// libraries. Only the helper loads the libraries.
#ifndef CDRIVERS_H
#define CDRIVERS_H

#include "CArrow.h"

#include <stddef.h>
#include <stdint.h>

// A function of a library: its result, name and parameters. A table of functions is a struct with one pointer for each.
#define GV_MEMBER(result, name, parameters) result(*name) parameters;

// libpq 9.6 or later (PostgreSQL documentation, chapter 34).
typedef struct gv_pg_connection gv_pg_connection;
typedef struct gv_pg_result gv_pg_result;
typedef struct gv_pg_cancel gv_pg_cancel;
typedef struct gv_pg_cancel_connection gv_pg_cancel_connection;
typedef void (*gv_pg_notice_receiver)(void *context, const gv_pg_result *result);
// PQconninfoOption.
typedef struct {
    char *keyword, *environment, *compiled, *value, *label, *display;
    int size;
} gv_pg_option;

#define GV_PG_FUNCTIONS(F)                                                                                                             \
    F(gv_pg_connection *, PQconnectStartParams, (const char *const *names, const char *const *values, int expand))                    \
    F(int, PQconnectPoll, (gv_pg_connection * connection))                                                                             \
    F(int, PQstatus, (const gv_pg_connection *connection))                                                                             \
    F(void, PQfinish, (gv_pg_connection * connection))                                                                                 \
    F(int, PQsocket, (const gv_pg_connection *connection))                                                                             \
    F(char *, PQerrorMessage, (const gv_pg_connection *connection))                                                                    \
    F(gv_pg_option *, PQconninfo, (gv_pg_connection * connection))                                                                     \
    F(void, PQconninfoFree, (gv_pg_option * options))                                                                                  \
    F(int, PQconnectionNeedsPassword, (const gv_pg_connection *connection))                                                            \
    F(int, PQconnectionUsedPassword, (const gv_pg_connection *connection))                                                             \
    F(int, PQsetErrorVerbosity, (gv_pg_connection * connection, int verbosity))                                                        \
    F(gv_pg_notice_receiver, PQsetNoticeReceiver, (gv_pg_connection * connection, gv_pg_notice_receiver receiver, void *context))      \
    F(const char *, PQparameterStatus, (const gv_pg_connection *connection, const char *name))                                         \
    F(int, PQserverVersion, (const gv_pg_connection *connection))                                                                      \
    F(int, PQbackendPID, (const gv_pg_connection *connection))                                                                         \
    F(char *, PQhost, (const gv_pg_connection *connection))                                                                            \
    F(char *, PQuser, (const gv_pg_connection *connection))                                                                            \
    F(char *, PQdb, (const gv_pg_connection *connection))                                                                              \
    F(const char *, PQsslAttribute, (gv_pg_connection * connection, const char *name))                                                 \
    F(int, PQsslInUse, (gv_pg_connection * connection))                                                                                \
    F(int, PQsetnonblocking, (gv_pg_connection * connection, int on))                                                                  \
    F(int, PQflush, (gv_pg_connection * connection))                                                                                   \
    F(int, PQconsumeInput, (gv_pg_connection * connection))                                                                            \
    F(int, PQisBusy, (gv_pg_connection * connection))                                                                                  \
    F(int, PQsendQueryParams,                                                                                                          \
        (gv_pg_connection * connection, const char *statement, int count, const uint32_t *types, const char *const *values,            \
            const int *lengths, const int *formats, int format))                                                                       \
    F(int, PQsendPrepare,                                                                                                              \
        (gv_pg_connection * connection, const char *name, const char *statement, int count, const uint32_t *types))                    \
    F(int, PQsendDescribePrepared, (gv_pg_connection * connection, const char *name))                                                  \
    F(int, PQsendQueryPrepared,                                                                                                        \
        (gv_pg_connection * connection, const char *name, int count, const char *const *values, const int *lengths,                    \
            const int *formats, int format))                                                                                           \
    F(int, PQsetSingleRowMode, (gv_pg_connection * connection))                                                                        \
    F(gv_pg_result *, PQgetResult, (gv_pg_connection * connection))                                                                    \
    F(void, PQclear, (gv_pg_result * result))                                                                                          \
    F(int, PQresultStatus, (const gv_pg_result *result))                                                                               \
    F(char *, PQresultErrorField, (const gv_pg_result *result, int field))                                                             \
    F(char *, PQresultErrorMessage, (const gv_pg_result *result))                                                                      \
    F(int, PQntuples, (const gv_pg_result *result))                                                                                    \
    F(int, PQnfields, (const gv_pg_result *result))                                                                                    \
    F(char *, PQfname, (const gv_pg_result *result, int column))                                                                       \
    F(uint32_t, PQftable, (const gv_pg_result *result, int column))                                                                    \
    F(int, PQftablecol, (const gv_pg_result *result, int column))                                                                      \
    F(uint32_t, PQftype, (const gv_pg_result *result, int column))                                                                     \
    F(int, PQfmod, (const gv_pg_result *result, int column))                                                                           \
    F(char *, PQgetvalue, (const gv_pg_result *result, int row, int column))                                                           \
    F(int, PQgetlength, (const gv_pg_result *result, int row, int column))                                                             \
    F(int, PQgetisnull, (const gv_pg_result *result, int row, int column))                                                             \
    F(int, PQnparams, (const gv_pg_result *result))                                                                                    \
    F(uint32_t, PQparamtype, (const gv_pg_result *result, int parameter))                                                              \
    F(gv_pg_cancel *, PQgetCancel, (gv_pg_connection * connection))                                                                    \
    F(int, PQcancel, (gv_pg_cancel * cancel, char *message, int size))                                                                 \
    F(void, PQfreeCancel, (gv_pg_cancel * cancel))

// Functions of libpq 17 or later. With them, a cancellation request is encrypted like its connection.
#define GV_PG_OPTIONAL_FUNCTIONS(F)                                                                                                    \
    F(gv_pg_cancel_connection *, PQcancelCreate, (gv_pg_connection * connection))                                                      \
    F(int, PQcancelStart, (gv_pg_cancel_connection * cancel))                                                                          \
    F(int, PQcancelPoll, (gv_pg_cancel_connection * cancel))                                                                           \
    F(int, PQcancelSocket, (const gv_pg_cancel_connection *cancel))                                                                    \
    F(void, PQcancelFinish, (gv_pg_cancel_connection * cancel))

typedef struct {
    GV_PG_FUNCTIONS(GV_MEMBER)
    GV_PG_OPTIONAL_FUNCTIONS(GV_MEMBER)
} gv_pg_library;

// libsqlite3 3.26 or later.
typedef struct gv_sqlite gv_sqlite;
typedef struct gv_sqlite_statement gv_sqlite_statement;
typedef struct gv_sqlite_context gv_sqlite_context;
typedef struct gv_sqlite_value gv_sqlite_value;
typedef void (*gv_sqlite_function)(gv_sqlite_context *context, int count, gv_sqlite_value **values);

#define GV_SQLITE_FUNCTIONS(F)                                                                                                         \
    F(int, sqlite3_threadsafe, (void))                                                                                                 \
    F(const char *, sqlite3_libversion, (void))                                                                                        \
    F(int, sqlite3_open_v2, (const char *name, gv_sqlite **database, int flags, const char *system))                                   \
    F(int, sqlite3_close_v2, (gv_sqlite * database))                                                                                   \
    F(const char *, sqlite3_errmsg, (gv_sqlite * database))                                                                            \
    F(int, sqlite3_extended_errcode, (gv_sqlite * database))                                                                           \
    F(int, sqlite3_limit, (gv_sqlite * database, int limit, int value))                                                                \
    F(int, sqlite3_busy_timeout, (gv_sqlite * database, int milliseconds))                                                             \
    F(void, sqlite3_progress_handler, (gv_sqlite * database, int steps, int (*handler)(void *), void *context))                        \
    F(void, sqlite3_interrupt, (gv_sqlite * database))                                                                                 \
    F(int, sqlite3_prepare_v2,                                                                                                         \
        (gv_sqlite * database, const char *statement, int bytes, gv_sqlite_statement **result, const char **rest))                     \
    F(int, sqlite3_step, (gv_sqlite_statement * statement))                                                                            \
    F(int, sqlite3_reset, (gv_sqlite_statement * statement))                                                                           \
    F(int, sqlite3_finalize, (gv_sqlite_statement * statement))                                                                        \
    F(int, sqlite3_stmt_readonly, (gv_sqlite_statement * statement))                                                                   \
    F(int, sqlite3_bind_parameter_count, (gv_sqlite_statement * statement))                                                            \
    F(int, sqlite3_bind_null, (gv_sqlite_statement * statement, int index))                                                            \
    F(int, sqlite3_bind_int64, (gv_sqlite_statement * statement, int index, int64_t value))                                            \
    F(int, sqlite3_bind_double, (gv_sqlite_statement * statement, int index, double value))                                            \
    F(int, sqlite3_bind_text,                                                                                                          \
        (gv_sqlite_statement * statement, int index, const char *value, int bytes, void (*release)(void *)))                           \
    F(int, sqlite3_bind_blob,                                                                                                          \
        (gv_sqlite_statement * statement, int index, const void *value, int bytes, void (*release)(void *)))                           \
    F(int, sqlite3_column_count, (gv_sqlite_statement * statement))                                                                    \
    F(const char *, sqlite3_column_name, (gv_sqlite_statement * statement, int column))                                                \
    F(const char *, sqlite3_column_decltype, (gv_sqlite_statement * statement, int column))                                            \
    F(int, sqlite3_column_type, (gv_sqlite_statement * statement, int column))                                                         \
    F(int64_t, sqlite3_column_int64, (gv_sqlite_statement * statement, int column))                                                    \
    F(double, sqlite3_column_double, (gv_sqlite_statement * statement, int column))                                                    \
    F(const unsigned char *, sqlite3_column_text, (gv_sqlite_statement * statement, int column))                                       \
    F(const void *, sqlite3_column_blob, (gv_sqlite_statement * statement, int column))                                                \
    F(int, sqlite3_column_bytes, (gv_sqlite_statement * statement, int column))                                                        \
    F(int, sqlite3_create_function_v2,                                                                                                 \
        (gv_sqlite * database, const char *name, int count, int flags, void *context, gv_sqlite_function call,                         \
            gv_sqlite_function step, void (*final)(gv_sqlite_context *), void (*release)(void *)))                                     \
    F(void *, sqlite3_user_data, (gv_sqlite_context * context))                                                                        \
    F(void *, sqlite3_get_auxdata, (gv_sqlite_context * context, int argument))                                                        \
    F(void, sqlite3_set_auxdata, (gv_sqlite_context * context, int argument, void *data, void (*release)(void *)))                     \
    F(int, sqlite3_value_type, (gv_sqlite_value * value))                                                                              \
    F(const unsigned char *, sqlite3_value_text, (gv_sqlite_value * value))                                                            \
    F(const void *, sqlite3_value_blob, (gv_sqlite_value * value))                                                                     \
    F(int, sqlite3_value_bytes, (gv_sqlite_value * value))                                                                             \
    F(int64_t, sqlite3_value_int64, (gv_sqlite_value * value))                                                                         \
    F(double, sqlite3_value_double, (gv_sqlite_value * value))                                                                         \
    F(void, sqlite3_result_int, (gv_sqlite_context * context, int value))                                                              \
    F(void, sqlite3_result_int64, (gv_sqlite_context * context, int64_t value))                                                        \
    F(void, sqlite3_result_double, (gv_sqlite_context * context, double value))                                                        \
    F(void, sqlite3_result_text, (gv_sqlite_context * context, const char *value, int bytes, void (*release)(void *)))                 \
    F(void, sqlite3_result_value, (gv_sqlite_context * context, gv_sqlite_value * value))                                              \
    F(void, sqlite3_result_error, (gv_sqlite_context * context, const char *message, int bytes))                                       \
    F(void, sqlite3_result_error_nomem, (gv_sqlite_context * context))                                                                 \
    F(void *, sqlite3_db_config, (void))

// Functions that are missing if the library was built without column metadata.
#define GV_SQLITE_OPTIONAL_FUNCTIONS(F)                                                                                                \
    F(const char *, sqlite3_column_database_name, (gv_sqlite_statement * statement, int column))                                       \
    F(const char *, sqlite3_column_table_name, (gv_sqlite_statement * statement, int column))                                          \
    F(const char *, sqlite3_column_origin_name, (gv_sqlite_statement * statement, int column))                                         \
    F(int, sqlite3_error_offset, (gv_sqlite * database))

typedef struct {
    GV_SQLITE_FUNCTIONS(GV_MEMBER)
    GV_SQLITE_OPTIONAL_FUNCTIONS(GV_MEMBER)
} gv_sqlite_library;

// gv_pg_load and gv_sqlite_load fill the table with the functions of a loaded library. They return the name of a missing function, or NULL.
// Missing optional functions are NULL in the table.
const char *gv_pg_load(gv_pg_library *table, void *library);
const char *gv_sqlite_load(gv_sqlite_library *table, void *library);

// Calls sqlite3_db_config with an option that takes a flag; Swift cannot call variadic functions.
int gv_sqlite_set(const gv_sqlite_library *table, gv_sqlite *database, int option, int value);

#endif
