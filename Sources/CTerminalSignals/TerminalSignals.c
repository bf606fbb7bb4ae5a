#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "TerminalSignals.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

// Signals that request an action

static const int handled[] = {SIGTERM, SIGINT, SIGHUP, SIGWINCH, SIGTSTP, SIGCONT};
static struct sigaction handled_before[COUNT(handled)];
static struct sigaction pipe_before;
static atomic_int pending[64];
static atomic_int wake_fd = -1;
static int handles_signals = 0;

static void record_signal(int signal) {
    int saved_errno = errno;
    if (signal > 0 && signal < 64) atomic_store(&pending[signal], 1);
    int fd = atomic_load(&wake_fd);
    char byte = (char)signal;
    // The result is ignored: if the pipe is full, the reader wakes up anyway.
    if (fd >= 0) (void)!write(fd, &byte, 1);
    errno = saved_errno;
}

void terminal_signals_start(int fd) {
    atomic_store(&wake_fd, fd);
    if (handles_signals) return;
    handles_signals = 1;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_handler = record_signal;
    sigset_t signals;
    sigemptyset(&signals);
    for (size_t i = 0; i < COUNT(handled); i++) {
        sigaction(handled[i], NULL, &handled_before[i]);
        // Leave ignored signals ignored: nohup and shells without job control ignore some signals on purpose.
        if (handled_before[i].sa_handler != SIG_IGN) sigaction(handled[i], &action, NULL);
        sigaddset(&signals, handled[i]);
    }
    // The parent process may have blocked these signals.
    pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
    action.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &action, &pipe_before);
}

void terminal_signals_stop(void) {
    if (!handles_signals) return;
    handles_signals = 0;
    for (size_t i = 0; i < COUNT(handled); i++) sigaction(handled[i], &handled_before[i], NULL);
    sigaction(SIGPIPE, &pipe_before, NULL);
    atomic_store(&wake_fd, -1);
}

int terminal_signal_consume(int signal) {
    return signal > 0 && signal < 64 ? atomic_exchange(&pending[signal], 0) : 0;
}

void terminal_signals_suspend(void) {
    struct sigaction action, before;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_handler = SIG_DFL;
    sigaction(SIGTSTP, &action, &before);
    sigset_t stop, mask;
    sigemptyset(&stop);
    sigaddset(&stop, SIGTSTP);
    pthread_sigmask(SIG_UNBLOCK, &stop, &mask);
    kill(0, SIGTSTP);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    sigaction(SIGTSTP, &before, NULL);
}

// Crashes

static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGSYS, SIGQUIT};
static struct sigaction crashes_before[COUNT(crashes)];
static atomic_int is_armed = 0;
static int catches_crashes = 0;
static char restore_bytes[1024];
static size_t restore_count;
static struct termios restore_modes;
static int restore_tty, restore_stderr, restore_captured;

// Writes the bytes that a terminal accepts within a second, because a stopped or closed one must not delay a dying process.
static void write_all(int fd, const char *bytes, size_t count) {
    int remaining_waits = 10;
    while (count > 0) {
        struct pollfd waited = {fd, POLLOUT, 0};
        int ready = poll(&waited, 1, 100);
        if (ready == 0 && --remaining_waits == 0) return;
        if (ready == 0) continue;
        if (ready < 0 && errno == EINTR && --remaining_waits > 0) continue;
        ssize_t written = write(fd, bytes, count);
        if (written < 0 && (errno == EINTR || errno == EAGAIN) && --remaining_waits > 0) continue;
        if (written <= 0) return;
        bytes += written;
        count -= (size_t)written;
    }
}

static void restore_terminal(void) {
    if (!atomic_exchange(&is_armed, 0)) return;
    int saved_errno = errno;
    write_all(restore_tty, restore_bytes, restore_count);
    // SIGTTOU is blocked because it would stop a background process here.
    sigset_t output, mask;
    sigemptyset(&output);
    sigaddset(&output, SIGTTOU);
    pthread_sigmask(SIG_BLOCK, &output, &mask);
    tcsetattr(restore_tty, TCSANOW, &restore_modes);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    if (restore_captured >= 0) {
        dup2(restore_stderr, 2);
        char block[1024];
        ssize_t count;
        lseek(restore_captured, 0, SEEK_SET);
        while ((count = read(restore_captured, block, sizeof block)) > 0) write_all(2, block, (size_t)count);
    }
    errno = saved_errno;
}

static void crash(int signal, siginfo_t *info, void *context) {
    (void)context;
    restore_terminal();
    for (size_t i = 0; i < COUNT(crashes); i++) {
        if (crashes[i] == signal) sigaction(signal, &crashes_before[i], NULL);
    }
    // After the handler returns, a fault occurs again at its original address, so that a backtrace shows it. Other signals do not occur
    // again, so raise them.
    if (info == NULL || info->si_code <= 0 || signal == SIGTRAP || signal == SIGABRT) raise(signal);
}

void terminal_crash_arm(int tty_fd, const struct termios *modes, const void *restore, size_t count, int stderr_fd, int captured_fd) {
    static int registered = 0;
    static char stack[65536];
    restore_count = count < sizeof restore_bytes ? count : sizeof restore_bytes;
    memcpy(restore_bytes, restore, restore_count);
    restore_modes = *modes;
    restore_tty = tty_fd;
    restore_stderr = stderr_fd;
    restore_captured = captured_fd;
    if (!registered) {
        registered = 1;
        atexit(restore_terminal);
    }
    atomic_store(&is_armed, 1);
    if (catches_crashes) return;
    catches_crashes = 1;
    // The handler needs a separate stack, because the normal one is unusable after a stack overflow.
    stack_t before;
    if (sigaltstack(NULL, &before) == 0 && (before.ss_flags & SS_DISABLE)) {
        stack_t own;
        memset(&own, 0, sizeof own);
        own.ss_sp = stack;
        own.ss_size = sizeof stack;
        sigaltstack(&own, NULL);
    }
    struct sigaction action;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_sigaction = crash;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    for (size_t i = 0; i < COUNT(crashes); i++) sigaction(crashes[i], &action, &crashes_before[i]);
}

void terminal_crash_disarm(void) {
    atomic_store(&is_armed, 0);
    if (!catches_crashes) return;
    catches_crashes = 0;
    for (size_t i = 0; i < COUNT(crashes); i++) sigaction(crashes[i], &crashes_before[i], NULL);
}

int terminal_temporary_file(void) {
#if defined(__linux__)
    return memfd_create("stderr", MFD_CLOEXEC);
#else
    char path[] = "/tmp/gridview.XXXXXX";
    int fd = mkstemp(path);
    if (fd >= 0) {
        unlink(path);
        fcntl(fd, F_SETFD, FD_CLOEXEC);
    }
    return fd;
#endif
}
