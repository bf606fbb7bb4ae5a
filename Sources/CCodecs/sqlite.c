#include "CCodecs.h"

#include <stdlib.h>
#include <string.h>

int gv_sqlite_configure(void *function, void *connection, int option, int value)
{
    int (*configure)(void *, int, ...) = (int (*)(void *, int, ...))function;
    int result = 0;
    return configure(connection, option, value, &result);
}

// The interfaces sqlite3_file, sqlite3_io_methods and sqlite3_vfs up to version 2 (SQLite documentation, "The OS Backend"). They are
// declared here, so that building does not need the header of SQLite.
typedef struct vfs_file {
    const struct file_methods *methods;
} vfs_file;

typedef struct file_methods {
    int version;
    int (*close)(vfs_file *);
    int (*read)(vfs_file *, void *, int, int64_t);
    int (*write)(vfs_file *, const void *, int, int64_t);
    int (*truncate)(vfs_file *, int64_t);
    int (*sync)(vfs_file *, int);
    int (*size)(vfs_file *, int64_t *);
    int (*lock)(vfs_file *, int);
    int (*unlock)(vfs_file *, int);
    int (*check_lock)(vfs_file *, int *);
    int (*control)(vfs_file *, int, void *);
    int (*sector_size)(vfs_file *);
    int (*properties)(vfs_file *);
    int (*map_index)(vfs_file *, int, int, int, volatile void **);
    int (*lock_index)(vfs_file *, int, int, int);
    void (*index_barrier)(vfs_file *);
    int (*unmap_index)(vfs_file *, int);
} file_methods;

typedef struct vfs {
    int version, file_bytes, path_bytes;
    struct vfs *next;
    const char *name;
    void *context;
    int (*open)(struct vfs *, const char *, vfs_file *, int, int *);
    void (*others[12])(void);
} vfs;

typedef struct read_ahead_vfs {
    vfs base;
    vfs *system;
} read_ahead_vfs;

// SQLITE_OPEN_READONLY and SQLITE_OPEN_MAIN_DB.
enum { OPEN_READ_ONLY = 0x1, OPEN_MAIN_DATABASE = 0x100 };
// A block is read after some consecutive pages, so that reading a few rows does not read a block.
enum { BLOCK_BYTES = 64 << 10, MINIMUM_PAGE_BYTES = 512, PAGES_BEFORE_BLOCK = 4 };

// A database file. The file of the system follows in memory.
typedef struct read_ahead_file {
    vfs_file base;
    // The bytes of the file from `start`, as many as `count`. They are valid within a read transaction.
    uint8_t *block;
    int64_t start, count;
    // The end of the previous page that was read, and the number of consecutive pages before it.
    int64_t next;
    int consecutive;
} read_ahead_file;

static vfs_file *system_file(vfs_file *file)
{
    return (vfs_file *)((read_ahead_file *)file + 1);
}

// Every change of a lock calls this function, so a block never outlives the transaction in which it was read. Within a transaction, other
// programs change no page that SQLite reads from the file: with a rollback journal, because of the shared lock; with a write-ahead log,
// because a checkpoint writes only pages that the transaction reads from the log. A database that is opened as immutable has no locks, and
// SQLite itself keeps its pages.
static vfs_file *invalidate(vfs_file *file)
{
    read_ahead_file *this = (read_ahead_file *)file;
    this->start = this->count = this->consecutive = 0;
    this->next = -1;
    return system_file(file);
}

static int read_file(vfs_file *file, void *target, int count, int64_t offset)
{
    read_ahead_file *this = (read_ahead_file *)file;
    vfs_file *system = system_file(file);
    // SQLite also reads parts of the header, partly without a lock.
    if (count < MINIMUM_PAGE_BYTES) return system->methods->read(system, target, count, offset);
    int is_in_block = offset >= this->start && offset - this->start <= this->count - count;
    this->consecutive = offset == this->next ? this->consecutive + 1 : 0;
    this->next = offset + count;
    if (!is_in_block) {
        if (this->consecutive < PAGES_BEFORE_BLOCK || count > BLOCK_BYTES / 2) return system->methods->read(system, target, count, offset);
        if (!this->block) this->block = malloc(BLOCK_BYTES);
        this->count = 0;
        // The read also fails at the end of the file. The page alone may be within the file.
        if (!this->block || system->methods->read(system, this->block, BLOCK_BYTES, offset) != 0) {
            this->consecutive = 0;
            return system->methods->read(system, target, count, offset);
        }
        this->start = offset;
        this->count = BLOCK_BYTES;
    }
    memcpy(target, this->block + (offset - this->start), (size_t)count);
    return 0;
}

static int close_file(vfs_file *file)
{
    free(((read_ahead_file *)file)->block);
    ((read_ahead_file *)file)->block = NULL;
    vfs_file *system = invalidate(file);
    return system->methods->close(system);
}

// These functions call the functions of the system. Those that change a lock or the file also invalidate the block.
static int write_file(vfs_file *file, const void *bytes, int count, int64_t offset)
{
    vfs_file *system = invalidate(file);
    return system->methods->write(system, bytes, count, offset);
}
static int truncate_file(vfs_file *file, int64_t size)
{
    vfs_file *system = invalidate(file);
    return system->methods->truncate(system, size);
}
static int sync_file(vfs_file *file, int flags)
{
    vfs_file *system = invalidate(file);
    return system->methods->sync(system, flags);
}
static int file_size(vfs_file *file, int64_t *size)
{
    vfs_file *system = system_file(file);
    return system->methods->size(system, size);
}
static int lock_file(vfs_file *file, int level)
{
    vfs_file *system = invalidate(file);
    return system->methods->lock(system, level);
}
static int unlock_file(vfs_file *file, int level)
{
    vfs_file *system = invalidate(file);
    return system->methods->unlock(system, level);
}
static int check_lock(vfs_file *file, int *result)
{
    vfs_file *system = system_file(file);
    return system->methods->check_lock(system, result);
}
static int control_file(vfs_file *file, int operation, void *argument)
{
    vfs_file *system = system_file(file);
    return system->methods->control(system, operation, argument);
}
static int sector_size(vfs_file *file)
{
    vfs_file *system = system_file(file);
    return system->methods->sector_size(system);
}
static int properties(vfs_file *file)
{
    vfs_file *system = system_file(file);
    return system->methods->properties(system);
}
static int map_index(vfs_file *file, int region, int size, int is_writable, volatile void **address)
{
    vfs_file *system = invalidate(file);
    return system->methods->map_index(system, region, size, is_writable, address);
}
static int lock_index(vfs_file *file, int offset, int count, int flags)
{
    vfs_file *system = invalidate(file);
    return system->methods->lock_index(system, offset, count, flags);
}
static void index_barrier(vfs_file *file)
{
    vfs_file *system = invalidate(file);
    system->methods->index_barrier(system);
}
static int unmap_index(vfs_file *file, int is_deleted)
{
    vfs_file *system = invalidate(file);
    return system->methods->unmap_index(system, is_deleted);
}

#define FILE_METHODS(version)                                                                                                          \
    version, close_file, read_file, write_file, truncate_file, sync_file, file_size, lock_file, unlock_file, check_lock, control_file, \
        sector_size, properties
// Version 2 adds the index of a write-ahead log. Version 3 would add memory-mapped files.
static const file_methods methods_without_index = {FILE_METHODS(1), NULL, NULL, NULL, NULL};
static const file_methods methods_with_index = {FILE_METHODS(2), map_index, lock_index, index_barrier, unmap_index};

static int open_file(vfs *vfs, const char *name, vfs_file *file, int flags, int *result_flags)
{
    struct vfs *system = ((read_ahead_vfs *)vfs)->system;
    if (!(flags & OPEN_MAIN_DATABASE) || !(flags & OPEN_READ_ONLY)) return system->open(system, name, file, flags, result_flags);
    memset(file, 0, sizeof(read_ahead_file));
    vfs_file *inner = invalidate(file);
    inner->methods = NULL;
    int status = system->open(system, name, inner, flags, result_flags);
    // SQLite closes a file that has methods, even after an error.
    if (inner->methods) {
        int has_index = inner->methods->version >= 2 && inner->methods->map_index;
        file->methods = has_index ? &methods_with_index : &methods_without_index;
    }
    return status;
}

const char *gv_sqlite_add_read_ahead(void *find, void *add)
{
    static const char name[] = "gridview-read-ahead";
    vfs *(*find_vfs)(const char *) = (vfs * (*)(const char *)) find;
    int (*add_vfs)(vfs *, int) = (int (*)(vfs *, int))add;
    if (!find || !add) return NULL;
    if (find_vfs(name)) return name;
    vfs *system = find_vfs(NULL);
    if (!system || system->version < 2) return NULL;
    // SQLite keeps the address until the process ends.
    read_ahead_vfs *new = malloc(sizeof *new);
    if (!new) return NULL;
    // The other functions only need the context of the copied VFS.
    new->base = *system;
    new->base.version = 2;
    new->base.file_bytes += (int)sizeof(read_ahead_file);
    new->base.next = NULL;
    new->base.name = name;
    new->base.open = open_file;
    new->system = system;
    if (add_vfs(&new->base, 0) != 0) {
        free(new);
        return NULL;
    }
    return name;
}
