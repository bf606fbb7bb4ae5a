// Interfaces of system libraries. The structs of these public and stable interfaces are declared here, so that the build needs no headers.
#ifndef CODEC_LIBRARIES_H
#define CODEC_LIBRARIES_H

#include "CCodecs.h"

#include <stddef.h>
#include <stdint.h>

// z_stream of zlib.
typedef struct {
    const uint8_t *next_in;
    unsigned avail_in;
    unsigned long total_in;
    uint8_t *next_out;
    unsigned avail_out;
    unsigned long total_out;
    const char *message;
    void *state, *allocate, *release, *opaque;
    int data_type;
    unsigned long checksum, reserved;
} zlib_stream;

// bz_stream of libbz2.
typedef struct {
    const uint8_t *next_in;
    unsigned avail_in, total_in_low, total_in_high;
    uint8_t *next_out;
    unsigned avail_out, total_out_low, total_out_high;
    void *state, *allocate, *release, *opaque;
} bzip2_stream;

// lzma_stream of liblzma.
typedef struct {
    const uint8_t *next_in;
    size_t avail_in;
    uint64_t total_in;
    uint8_t *next_out;
    size_t avail_out;
    uint64_t total_out;
    const void *allocator;
    void *internal;
    void *reserved_pointers[4];
    uint64_t reserved_numbers[2];
    size_t reserved_sizes[2];
    int reserved_enums[2];
} lzma_stream;

// ZSTD_inBuffer and ZSTD_outBuffer of libzstd.
typedef struct {
    const void *bytes;
    size_t size, position;
} zstd_input;
typedef struct {
    void *bytes;
    size_t size, position;
} zstd_output;

// A library and the functions to load from it. They are loaded once, and never unloaded.
typedef struct {
    const char *file_names, *library, *package;
    struct {
        const char *name;
        void *target;
    } functions[9];
    enum { UNKNOWN, LOADED, MISSING } state;
} library_entry;

// The file names of the library of a codec, separated by spaces.
const char *gv_codec_file_names(gv_codec codec);
// Loads the functions from the first file that can be loaded. Returns 0 if the library or a function is missing.
int gv_load_functions(library_entry *entry, const char *file_names);
// Limits a count for libraries with 32-bit counts.
static inline unsigned gv_limited(size_t count) { return count > 1u << 30 ? 1u << 30 : (unsigned)count; }

#endif
