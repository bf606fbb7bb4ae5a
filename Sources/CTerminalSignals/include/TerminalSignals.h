#ifndef GRIDVIEW_TERMINAL_SIGNALS_H
#define GRIDVIEW_TERMINAL_SIGNALS_H

// What has to be done inside signal handlers, where Swift cannot go: a handler may run at any instruction, also inside the allocator, and
// may call only what POSIX lists as async-signal-safe.

// The system's headers come along, so that Swift files which import this need not say which C library they are built with.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

/// Catches SIGTERM, SIGINT, SIGHUP, SIGWINCH, SIGTSTP and SIGCONT: each is remembered and one byte is written to `wake_fd` (non-blocking).
/// SIGPIPE is ignored from here on, since writing to a terminal that is gone must be an error, not the end. System calls that wait are
/// interrupted. Until terminal_signals_stop.
void terminal_signals_start(int wake_fd);

/// Gives the signals back to who had them.
void terminal_signals_stop(void);

/// Whether `signal` has come since the last call; forgets it.
int terminal_signals_take(int signal);

/// Stops the process group, as Ctrl-z does, with the default action; returns when continued. terminal_signals_stop must have been called.
void terminal_signals_suspend(void);

/// From now on, if the process crashes or exits, `restore` is written to `tty_fd`, `modes` are set on it, and what was written to the
/// file `captured_fd` is copied to `stderr_fd`, which becomes file 2 again (-1: nothing was captured). Then the crash takes its course with
/// whatever handler was there before. At most 1,024 bytes of `restore` are kept.
void terminal_crash_arm(int tty_fd, const struct termios *modes, const void *restore, size_t count, int stderr_fd, int captured_fd);

/// A file without a name, for reading and writing, that child processes do not get; -1 if there cannot be one.
int terminal_temporary_file(void);

/// No longer: the terminal has been given back.
void terminal_crash_disarm(void);

#endif
