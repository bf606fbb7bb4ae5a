#include "Pattern.h"

#include <cstring>
#include <new>
#include <string>

#include <re2/re2.h>

struct gv_pattern {
    re2::RE2 expression;
};

static void write(const std::string &message, char *out, size_t capacity) {
    if (capacity == 0) return;
    const size_t count = message.size() < capacity - 1 ? message.size() : capacity - 1;
    memcpy(out, message.data(), count);
    out[count] = 0;
}

static re2::StringPiece piece(const uint8_t *bytes, size_t count) {
    return re2::StringPiece(count ? reinterpret_cast<const char *>(bytes) : "", count);
}

gv_pattern *gv_pattern_make(
    const uint8_t *text, size_t count, int ignores_case, char *error, size_t error_capacity, char *fault, size_t fault_capacity) {
    re2::RE2::Options options;
    options.set_case_sensitive(!ignores_case);
    // Error messages go to the caller, not to standard error.
    options.set_log_errors(false);
    gv_pattern *pattern = new (std::nothrow) gv_pattern{re2::RE2(piece(text, count), options)};
    if (!pattern) {
        write("not enough memory", error, error_capacity);
        write("", fault, fault_capacity);
        return nullptr;
    }
    if (pattern->expression.ok()) return pattern;
    write(pattern->expression.error(), error, error_capacity);
    write(pattern->expression.error_arg(), fault, fault_capacity);
    delete pattern;
    return nullptr;
}

void gv_pattern_free(gv_pattern *pattern) { delete pattern; }

int gv_pattern_matches(const gv_pattern *pattern, const uint8_t *bytes, size_t count) {
    return pattern->expression.Match(piece(bytes, count), 0, count, re2::RE2::UNANCHORED, nullptr, 0);
}

int gv_pattern_find(const gv_pattern *pattern, const uint8_t *bytes, size_t count, size_t from, size_t *begin, size_t *end) {
    if (from > count) return 0;
    const re2::StringPiece text = piece(bytes, count);
    re2::StringPiece match;
    if (!pattern->expression.Match(text, from, count, re2::RE2::UNANCHORED, &match, 1)) return 0;
    *begin = static_cast<size_t>(match.data() - text.data());
    *end = *begin + match.size();
    return 1;
}
