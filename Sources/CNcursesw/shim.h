#ifndef GRIDVIEW_CNCURSESW_SHIM_H
#define GRIDVIEW_CNCURSESW_SHIM_H

// Said here and not by pkg-config, whose flags the package manager drops.
#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1
#include <curses.h>
#include <wchar.h>

// For the test that compares our table of widths with the C library's; hidden from Swift by feature macros.
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

// openpty, for tests that play the terminal.
#if defined(__linux__)
#include <pty.h>
#else
#include <util.h>
#endif

// The last header, as it defines many common words as macros.
#include <term.h>

// Reads the description of a terminal and makes it the current one: 0, or -1 where there is none.
static inline int nc_open_terminal(const char *type, int fd) {
    int status;
    return setupterm(type, fd, &status);
}
static inline void nc_close_terminal(void) { del_curterm(cur_term); }

#endif
