#include "build_info.h"

// `make build` links an object file that defines the commit and replaces this definition. Plain `swift build` keeps it.
__attribute__((weak)) const char *gridview_commit(void) { return ""; }
