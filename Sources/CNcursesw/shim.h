#ifndef GRIDVIEW_CNCURSESW_SHIM_H
#define GRIDVIEW_CNCURSESW_SHIM_H

// These macros are defined here, because the package manager drops the flags of pkg-config.
#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1
#include <curses.h>
#include <wchar.h>

// A test compares the built-in width table with this function. Feature macros hide it from Swift.
extern int wcwidth(wchar_t);
static inline int nc_wcwidth(unsigned scalar) { return wcwidth((wchar_t)scalar); }
// The version of glibc, 236 for 2.36; 0 for other libraries.
static inline int nc_glibc_version(void) {
#ifdef __GLIBC__
    return __GLIBC__ * 100 + __GLIBC_MINOR__;
#else
    return 0;
#endif
}

// The header of openpty, which tests use to simulate a terminal.
#if defined(__linux__)
#include <pty.h>
#else
#include <util.h>
#endif

// Include this header last: it defines many common words as macros.
#include <term.h>

// Reads a terminal description and makes it the current one; returns 0, or -1 if it does not exist.
static inline int nc_open_terminal(const char *type, int fd) {
    int status;
    return setupterm(type, fd, &status);
}
static inline void nc_close_terminal(void) { del_curterm(cur_term); }

#endif
