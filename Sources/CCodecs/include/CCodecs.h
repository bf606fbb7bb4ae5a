// Decompression and compression. Libraries are loaded on first use, so that starting is fast and libraries can be missing.
#ifndef CCODECS_H
#define CCODECS_H

#include "CColumns.h"

#include <stddef.h>
#include <stdint.h>

typedef enum {
    GV_CODEC_GZIP,     // gzip members (RFC 1952)
    GV_CODEC_ZLIB,     // RFC 1950
    GV_CODEC_DEFLATE,  // RFC 1951, without a header
    GV_CODEC_ZSTD,
    GV_CODEC_XZ,  // .xz, and .lzma
    GV_CODEC_BZIP2,
    GV_CODEC_LZ4,      // frames
    GV_CODEC_BROTLI,
} gv_codec;

typedef enum {
    GV_DECODE_MORE,     // all input was used, or the output is full; a full output means that more may follow even if all input was used
    GV_DECODE_END,      // the end of a member, frame or stream; call gv_decoder_reset before the next one
    GV_DECODE_DAMAGED,  // the input is not valid
    GV_DECODE_TOO_BIG,  // a window above 128 MiB (zstd), or a decoder that needs more than 256 MiB (xz, lzma)
    GV_DECODE_NO_MEMORY,
    GV_DECODE_NEEDS_DICTIONARY,  // the input names a dictionary (zstd), which is in another file
    GV_DECODE_BOUNDARY,  // the boundary of a block, after gv_decoder_seek_boundary
} gv_decode_status;

typedef struct gv_decoder gv_decoder;

// The name of the package that has the library of a codec, such as "libzstd1".
const char *gv_codec_package(gv_codec codec);

// The name of the library of a codec for messages, such as "libzstd".
const char *gv_codec_library(gv_codec codec);
// Loads the library of a codec. Returns 0 if it is missing.
int gv_codec_is_available(gv_codec codec);

// Creates a decoder. Any thread can use it, one at a time. Returns NULL if the library is missing or memory is short.
gv_decoder *gv_decoder_make(gv_codec codec);
void gv_decoder_free(gv_decoder *decoder);
// Starts the next member. Returns 0 if memory is short.
int gv_decoder_reset(gv_decoder *decoder);
// Decodes some bytes. Advances *input and *output, and decreases the counts. Never reads or writes beyond the counts.
gv_decode_status gv_decoder_run(
    gv_decoder *decoder, const uint8_t **input, size_t *input_count, uint8_t **output, size_t *output_count);

// The maximum number of preceding decoded bytes that a block of gzip can refer to.
enum { GV_WINDOW_BYTES = 32768 };

// True if decoders of gzip can start and stop at boundaries of blocks. zlib before 1.2.8 has no functions for this.
int gv_boundaries_are_available(void);
// True if gv_decoder_make decodes gzip with zlib. It prefers ISA-L, which cannot stop at boundaries.
int gv_gzip_uses_zlib(void);
// Creates a gzip decoder that can stop at boundaries of blocks. Returns NULL if the functions are missing or memory is short.
gv_decoder *gv_decoder_make_with_boundaries(void);
// Makes gv_decoder_run stop with GV_DECODE_BOUNDARY at the first boundary after `count` more bytes of output. UINT64_MAX: stop at none.
void gv_decoder_seek_boundary(gv_decoder *decoder, uint64_t count);
// At a boundary, writes the number of unused bits of the last input byte to `bits`, and the preceding output to `window`. Returns the
// number of bytes in `window`, at most GV_WINDOW_BYTES. Call gv_decoder_seek_boundary afterwards.
size_t gv_decoder_boundary(gv_decoder *decoder, int *bits, uint8_t *window);
// The checksum (CRC-32) of the output that the decoder has written for the current member.
uint32_t gv_decoder_checksum(const gv_decoder *decoder);
// Starts a decoder of gv_decoder_make_with_boundaries in the middle of a member, at a boundary. The input continues with the next whole
// byte. At the end of the member, the decoder checks the CRC-32. All arguments may come from an untrusted file. Returns 0 if they are not
// valid or memory is short.
int gv_decoder_start_within(
    gv_decoder *decoder, int bits, uint8_t first, uint32_t checksum, const uint8_t *window, size_t count);

// Finds the first signature of a block, or of the end of a stream, at or after `bit`. Returns its offset in bits; -1 if there is no
// signature. The most significant bit of a byte is the first.
ptrdiff_t gv_bzip2_find_block(const uint8_t *bytes, size_t count, size_t bit);
// True if the bits begin with the signature of a block. Reads 48 bits.
int gv_bzip2_is_block(const uint8_t *bytes, size_t bit);
// The checksum of the block that starts at `bit`. Reads 80 bits.
uint32_t gv_bzip2_checksum(const uint8_t *bytes, size_t bit);
// Decodes the block in the bits from `bit` to `end`, with a decoder of GV_CODEC_BZIP2 that is new or was reset. Reset the decoder before
// its next use. Returns the number of bytes written. Returns -1 if the block is damaged, does not end at `end`, or fills the output, or if
// memory is short.
// - level: the size of blocks in the header of the stream, from 1 to 9; 0 if the bits begin with the header.
ptrdiff_t gv_bzip2_decode_block(
    gv_decoder *decoder, int level, const uint8_t *bytes, size_t bit, size_t end, uint8_t *output, size_t capacity);
// Starts a decoder in the middle of a stream, before a block or before the end signature. At the end of the stream, the decoder checks the
// combined checksum.
// - checksum: the combined checksum of the previous blocks.
// - bit: the bit of the byte `first` at which the block starts, from 0 to 7. The input continues with the next byte, or with `first` if
//   `bit` is 0.
// Returns 0 if memory is short.
int gv_bzip2_start_within(gv_decoder *decoder, int level, uint32_t checksum, int bit, uint8_t first);

// Decodes a block in one step. Returns the number of bytes written, or -1 if the block is damaged or its output is longer than `capacity`.
// The bytes of the output beyond the result, within `capacity`, may be overwritten. Input and output must not overlap.
ptrdiff_t gv_snappy_decode(const uint8_t *input, size_t input_count, uint8_t *output, size_t capacity);
// Decodes a block like gv_snappy_decode, but stops when at least `limit` bytes are written. The rest of the block is not checked.
ptrdiff_t gv_snappy_decode_start(const uint8_t *input, size_t input_count, uint8_t *output, size_t capacity, size_t limit);
ptrdiff_t gv_lz4_block_decode(const uint8_t *input, size_t input_count, uint8_t *output, size_t capacity);
// Decodes a whole stream of a codec in one step, with the results of gv_snappy_decode. The stream may have several members or frames.
// Returns -2 if the library is missing or memory is short. A stream that ends early, and bytes after the end of a stream, are damage.
ptrdiff_t gv_decode_all(gv_codec codec, const uint8_t *input, size_t input_count, uint8_t *output, size_t capacity);
// Decodes a whole stream like gv_decode_all, with a decoder that is new or was reset. Reset the decoder before its next use. A zstd window
// may have any size.
ptrdiff_t gv_decoder_run_all(gv_decoder *decoder, const uint8_t *input, size_t input_count, uint8_t *output, size_t capacity);

typedef struct gv_encoder gv_encoder;

// Loads the functions of an encoder. Returns 0 if the library is missing, and for zlib and Brotli, which have no encoder here.
int gv_encoder_is_available(gv_codec codec);
// Creates an encoder with the usual level of the codec, except that GV_CODEC_DEFLATE uses the fastest level. Any thread can use it, one at
// a time. Returns NULL if the library is missing or memory is short.
gv_encoder *gv_encoder_make(gv_codec codec);
void gv_encoder_free(gv_encoder *encoder);
// Encodes bytes. Advances *input and *output, and decreases the counts. Set `is_end` with the last input. Returns 1 if all input is used
// and, with `is_end`, all output is written; 0 if the output is full; -1 for an error.
int gv_encoder_run(
    gv_encoder *encoder, const uint8_t **input, size_t *input_count, uint8_t **output, size_t *output_count, int is_end);

// Loads the first library of `names` that can be loaded. Spaces separate the names. Also tries the folders of Homebrew on macOS. Returns
// NULL if none can be loaded.
void *gv_load_library(const char *names);
// The address of a function of a library; NULL if it is missing.
void *gv_library_function(void *library, const char *name);

// Calls sqlite3_db_config, given its address, with an option that takes a flag. Swift cannot call variadic functions.
int gv_sqlite_configure(void *function, void *connection, int option, int value);

// Adds a VFS to SQLite, given the addresses of sqlite3_vfs_find and sqlite3_vfs_register. It reads databases that are opened read-only in
// blocks of 64 KiB if pages are read one after the other. Each open database has one block. Returns the name of the VFS; NULL if it cannot
// be added.
const char *gv_sqlite_add_read_ahead(void *find, void *add);

#endif
