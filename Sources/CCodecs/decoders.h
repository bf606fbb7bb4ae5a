// The decoder functions that each codec implements in its own way, in its own source file.
#ifndef CODEC_DECODERS_H
#define CODEC_DECODERS_H

#include "libraries.h"

#ifdef __APPLE__
#define NAMES(linux_names, mac_names) mac_names
#else
#define NAMES(linux_names, mac_names) linux_names
#endif

// The functions of a codec for an open library.
typedef struct {
    library_entry *library;
    // Initializes the stream of the library. Returns 0 if memory is short.
    int (*open)(gv_decoder *decoder);
    // Frees the memory that the library allocated.
    void (*close)(gv_decoder *decoder);
    // Prepares the stream for the next member. Returns 1 on success, 0 if memory is short, or NEEDS_NEW_STREAM. NULL if each member needs
    // a new stream.
    int (*reset)(gv_decoder *decoder);
    // Calls the library. Advances *input and *output, and decreases the counts.
    gv_decode_status (*step)(
        gv_decoder *decoder, const uint8_t **input, size_t *input_count, uint8_t **output, size_t *output_count);
    // Performs gv_decoder_run_all for a `capacity` above 0. NULL to call `step` for each member instead.
    ptrdiff_t (*run_all)(gv_decoder *decoder, const uint8_t *input, size_t input_count, uint8_t *output, size_t capacity);
} decoder_functions;

enum { NEEDS_NEW_STREAM = -1 };

extern const decoder_functions gv_zlib_functions, gv_zstd_functions, gv_lzma_functions, gv_bzip2_functions, gv_lz4_functions,
    gv_brotli_functions;

typedef struct isal_stream isal_stream;

struct gv_decoder {
    gv_codec codec;
    const decoder_functions *functions;
    int is_ready;  // the stream of the library is initialized
    int uses_isal;
    // For gzip decoders without ISA-L, which can start and stop within a member:
    int has_boundaries;
    uint64_t until_boundary;  // the bytes of output before the decoder may stop at a boundary; UINT64_MAX to stop at none
    int is_within;          // the decoder started within a member, so it checks the trailer itself
    uint32_t checksum;      // the CRC-32 of the output of this member, if `is_within`
    int trailer_count;      // the number of bytes in `trailer`; -1 before the end of the member's data
    uint8_t trailer[8];
    union {
        zlib_stream zlib;
        bzip2_stream bzip2;
        lzma_stream lzma;
        isal_stream *isal;
        void *object;
    };
};

#endif
