// Streaming decoders that use the system's libraries.
#include "decoders.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// MARK: Libraries

static const decoder_functions *functions_of(gv_codec codec)
{
    switch (codec) {
    case GV_CODEC_GZIP:
    case GV_CODEC_ZLIB:
    case GV_CODEC_DEFLATE: return &gv_zlib_functions;
    case GV_CODEC_ZSTD: return &gv_zstd_functions;
    case GV_CODEC_XZ: return &gv_lzma_functions;
    case GV_CODEC_BZIP2: return &gv_bzip2_functions;
    case GV_CODEC_LZ4: return &gv_lz4_functions;
    case GV_CODEC_BROTLI: return &gv_brotli_functions;
    }
    return NULL;
}

static library_entry *entry_of(gv_codec codec)
{
    const decoder_functions *functions = functions_of(codec);
    return functions ? functions->library : NULL;
}

int gv_load_functions(library_entry *entry, const char *file_names)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    if (!entry) return 0;
    pthread_mutex_lock(&lock);
    if (entry->state == UNKNOWN) {
        void *library = gv_load_library(file_names);
        entry->state = library ? LOADED : MISSING;
        for (size_t i = 0; library && entry->functions[i].name; i++) {
            void *function = gv_library_function(library, entry->functions[i].name);
            if (!function) entry->state = MISSING;
            memcpy(entry->functions[i].target, &function, sizeof function);
        }
    }
    int is_loaded = entry->state == LOADED;
    pthread_mutex_unlock(&lock);
    return is_loaded;
}

const char *gv_codec_package(gv_codec codec)
{
    library_entry *entry = entry_of(codec);
    return entry ? entry->package : "";
}

const char *gv_codec_library(gv_codec codec)
{
    library_entry *entry = entry_of(codec);
    return entry ? entry->library : "";
}

const char *gv_codec_file_names(gv_codec codec)
{
    library_entry *entry = entry_of(codec);
    return entry ? entry->file_names : "";
}

int gv_codec_is_available(gv_codec codec) { return gv_load_functions(entry_of(codec), gv_codec_file_names(codec)); }

// MARK: Decoders

static void close_stream(gv_decoder *decoder)
{
    if (!decoder->is_ready) return;
    decoder->is_ready = 0;
    decoder->functions->close(decoder);
}

// Initializes the stream of the library. Returns 0 if memory is short.
static int open_stream(gv_decoder *decoder) { return decoder->is_ready = decoder->functions->open(decoder); }

static gv_decoder *make_decoder(gv_codec codec, int has_boundaries)
{
    if (!gv_codec_is_available(codec)) return NULL;
    gv_decoder *decoder = calloc(1, sizeof *decoder);
    if (!decoder) return NULL;
    decoder->codec = codec;
    decoder->functions = functions_of(codec);
    decoder->has_boundaries = has_boundaries;
    decoder->until_boundary = UINT64_MAX;
    decoder->trailer_count = -1;
    if (open_stream(decoder)) return decoder;
    free(decoder);
    return NULL;
}

gv_decoder *gv_decoder_make(gv_codec codec) { return make_decoder(codec, 0); }

gv_decoder *gv_decoder_make_with_boundaries(void)
{
    return gv_boundaries_are_available() ? make_decoder(GV_CODEC_GZIP, 1) : NULL;
}

void gv_decoder_free(gv_decoder *decoder)
{
    if (!decoder) return;
    close_stream(decoder);
    free(decoder);
}

int gv_decoder_reset(gv_decoder *decoder)
{
    if (decoder->is_ready && decoder->functions->reset) {
        int result = decoder->functions->reset(decoder);
        if (result != NEEDS_NEW_STREAM) return result;
    }
    close_stream(decoder);
    return open_stream(decoder);
}

gv_decode_status gv_decoder_run(gv_decoder *decoder, const uint8_t **input, size_t *input_count, uint8_t **output, size_t *output_count)
{
    // A valid address for empty input, because some libraries return an error for a null pointer even if the count is 0.
    static const uint8_t none;
    if (!decoder->is_ready) return GV_DECODE_NO_MEMORY;
    if (!*input) *input = &none, *input_count = 0;
    if (!*output || *output_count == 0) return GV_DECODE_MORE;
    for (;;) {
        size_t in = *input_count, out = *output_count;
        gv_decode_status status = decoder->functions->step(decoder, input, input_count, output, output_count);
        if (status != GV_DECODE_MORE || *output_count == 0) return status;
        if (in != *input_count || out != *output_count) {
            // A library may return before it has used all input. Call it again.
            if (*input_count > 0) continue;
            return status;
        }
        // The library made no progress. Without input, it needs more; with input, the stream is damaged.
        return in == 0 ? GV_DECODE_MORE : GV_DECODE_DAMAGED;
    }
}

// MARK: Whole streams

// One idle decoder for each codec whose decoder needs little memory. Reusing it saves time, because columnar files have many small pages.
static gv_decoder *spares[GV_CODEC_BROTLI + 1];

static gv_decoder *borrow_decoder(gv_codec codec)
{
    if ((size_t)codec >= sizeof spares / sizeof *spares) return NULL;
    gv_decoder *decoder = __atomic_exchange_n(&spares[codec], NULL, __ATOMIC_ACQ_REL);
    if (decoder && gv_decoder_reset(decoder)) return decoder;
    gv_decoder_free(decoder);
    return gv_decoder_make(codec);
}

static void return_decoder(gv_decoder *decoder)
{
    switch (decoder->codec) {
    case GV_CODEC_GZIP:
    case GV_CODEC_ZLIB:
    case GV_CODEC_DEFLATE:
    case GV_CODEC_ZSTD:
    case GV_CODEC_LZ4: decoder = __atomic_exchange_n(&spares[decoder->codec], decoder, __ATOMIC_ACQ_REL); break;
    case GV_CODEC_XZ:
    case GV_CODEC_BZIP2:
    case GV_CODEC_BROTLI: break;
    }
    gv_decoder_free(decoder);
}

// True if a stream of the codec can have several members or frames.
static int has_members(gv_codec codec)
{
    return codec == GV_CODEC_GZIP || codec == GV_CODEC_ZSTD || codec == GV_CODEC_XZ || codec == GV_CODEC_BZIP2 || codec == GV_CODEC_LZ4;
}

// Decodes all members. Returns the number of bytes written, -1 for damage or too little room, and -2 if memory is short.
static ptrdiff_t decode_members(gv_decoder *decoder, const uint8_t *input, size_t input_count, uint8_t *output, size_t capacity)
{
    uint8_t excess;
    uint8_t *next = output;
    size_t room = capacity;
    for (;;) {
        // If the output is full, the decoder writes to a separate byte, which shows if the stream ends here.
        int is_full = room == 0;
        uint8_t *target = is_full ? &excess : next;
        size_t target_count = is_full ? 1 : room, in = input_count;
        gv_decode_status status = gv_decoder_run(decoder, &input, &input_count, &target, &target_count);
        if (is_full && target_count == 0) return -1;
        int is_idle = in == input_count && (is_full || target_count == room);
        if (!is_full) next = target, room = target_count;
        if (status == GV_DECODE_NO_MEMORY) return -2;
        if (status == GV_DECODE_END) {
            if (input_count == 0) return next - output;
            if (!has_members(decoder->codec)) return -1;
            if (!gv_decoder_reset(decoder)) return -2;
        } else if (status != GV_DECODE_MORE || is_idle) {
            return -1;
        }
    }
}

ptrdiff_t gv_decoder_run_all(gv_decoder *decoder, const uint8_t *input, size_t input_count, uint8_t *output, size_t capacity)
{
    uint8_t none;
    if (!output) output = &none, capacity = 0;
    if (!decoder->functions->run_all || capacity == 0) return decode_members(decoder, input, input_count, output, capacity);
    return decoder->functions->run_all(decoder, input, input_count, output, capacity);
}

ptrdiff_t gv_decode_all(gv_codec codec, const uint8_t *input, size_t input_count, uint8_t *output, size_t capacity)
{
    gv_decoder *decoder = borrow_decoder(codec);
    if (!decoder) return -2;
    ptrdiff_t result = gv_decoder_run_all(decoder, input, input_count, output, capacity);
    return_decoder(decoder);
    return result;
}
