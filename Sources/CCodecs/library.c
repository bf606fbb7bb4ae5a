#include "CCodecs.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

void *gv_load_library(const char *names)
{
#ifdef __APPLE__
    static const char *const folders[] = {"", "/opt/homebrew/lib/", "/usr/local/lib/"};
#else
    static const char *const folders[] = {""};
#endif
    while (*names) {
        size_t length = strcspn(names, " ");
        for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
            char path[256];
            if (length + strlen(folders[i]) >= sizeof path) continue;
            snprintf(path, sizeof path, "%s%.*s", folders[i], (int)length, names);
            void *library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
            if (library) return library;
        }
        names += length;
        while (*names == ' ') names++;
    }
    return NULL;
}

void *gv_library_function(void *library, const char *name) { return library ? dlsym(library, name) : NULL; }
