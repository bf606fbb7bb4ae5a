#ifndef GRIDVIEW_TERMINAL_SIGNALS_H
#define GRIDVIEW_TERMINAL_SIGNALS_H

// Code that runs inside signal handlers, which Swift does not support. A handler can interrupt any instruction, even in the allocator, and
// may call only functions that POSIX lists as async-signal-safe.

// The system headers are included, so that Swift files that import this module do not depend on the C library.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

/// Handles SIGTERM, SIGINT, SIGHUP, SIGWINCH, SIGTSTP and SIGCONT until terminal_signals_stop: each is recorded, and one byte is written to
/// `wake_fd` (non-blocking). SIGPIPE is ignored, so that writing to a closed terminal fails instead of ending the process. Blocking system
/// calls are interrupted.
void terminal_signals_start(int wake_fd);

/// Restores the previous signal handlers.
void terminal_signals_stop(void);

/// Returns 1 if `signal` has arrived since the last call, otherwise 0.
int terminal_signal_consume(int signal);

/// Stops the process group like Ctrl-z, with the default action. Returns when the process continues. Call terminal_signals_stop first.
void terminal_signals_suspend(void);

/// Makes a crash or an exit restore the terminal: `restore` is written to `tty_fd`, and `modes` are set on it. Then `stderr_fd` becomes the
/// standard error again, and the contents of `captured_fd` are copied to it (-1: no capture). After a crash, the previous handler runs
/// last. At most 1,024 bytes of `restore` are kept.
void terminal_crash_arm(int tty_fd, const struct termios *modes, const void *restore, size_t count, int stderr_fd, int captured_fd);

/// Creates an unnamed file for reading and writing that child processes do not inherit; -1 on failure.
int terminal_temporary_file(void);

/// Ends the effect of terminal_crash_arm.
void terminal_crash_disarm(void);

#endif
