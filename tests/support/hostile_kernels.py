"""Kernels that harm the process that runs them. Each must be reported, and leave nothing behind."""

from __future__ import annotations

from dataclasses import dataclass

from own_kernel_sources import LOOP, source

_INCLUDES = """#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>
"""
_FOREVER = "for (volatile int go = 1; go;) {}"
_SLEEP = "for (;;) pause();"


@dataclass(frozen=True)
class HostileKernel:
    """A source, the reason for which it is left out, and words of the sentence."""

    name: str
    text: str
    reason: str
    words: str


def _kernel(name: str, reason: str, words: str, *, body: str = "", top: str = "") -> HostileKernel:
    """``body`` comes before the loop that would be right, ``top`` outside of all functions."""
    text = _INCLUDES + top + "\n" + source(name, body=f"{body} {LOOP}")
    return HostileKernel(name, text, reason, words)


def _at_start(body: str) -> str:
    return f"__attribute__((constructor)) static void at_start(void) {{ {body} }}"


def _at_end(body: str) -> str:
    return f"__attribute__((destructor)) static void at_end(void) {{ {body} }}"


_NO_TIMER = (
    "signal(SIGALRM, SIG_IGN); struct itimerval off; memset(&off, 0, sizeof off);"
    " setitimer(ITIMER_REAL, &off, NULL);"
)
_DEAF = "sigset_t all; sigfillset(&all); pthread_sigmask(SIG_BLOCK, &all, NULL);"
_DAEMON = "if (fork() == 0) { setsid(); if (fork() == 0) { " + _SLEEP + " } _exit(0); }"

HOSTILE = (
    _kernel(
        "starts-late", "timeout", "does not finish loading within 2 s", top=_at_start(_FOREVER)
    ),
    _kernel("starts-never", "crash", "while it is loaded", top=_at_start("_exit(0);")),
    _kernel("starts-badly", "crash", "SIGABRT", top=_at_start("abort();")),
    _kernel("starts-others", "access", "its own processes", top=_at_start(_DAEMON)),
    _kernel("ends-late", "timeout", "keeps the program from ending within", top=_at_end(_FOREVER)),
    _kernel("ends-badly", "crash", "at the end of the program", top=_at_end("abort();")),
    _kernel("ends-otherwise", "crash", "its own exit status", top=_at_end("_exit(7);")),
    _kernel("no-timer", "timeout", "does not return within 1 s", body=_NO_TIMER + _FOREVER),
    _kernel("deaf", "timeout", "does not return within 1 s", body=_DEAF + _FOREVER),
    _kernel("stops", "timeout", "SIGSTOP", body="raise(SIGSTOP);"),
    _kernel("stops-all", "timeout", "SIGSTOP", body="kill(0, SIGSTOP);"),
    _kernel("twins", "access", "its own processes", body="fork();"),
    _kernel("child", "access", "processes", body=f"if (fork() == 0) {{ {_SLEEP} }}"),
    _kernel("daemon", "access", "its own processes", body=_DAEMON),
    _kernel("shell", "access", "processes", body='if (system("sleep 1000 &")) return 1.0;'),
    _kernel("no-thread", "crash", "ends its thread", body="pthread_exit(NULL);"),
    _kernel("raw-exit", "timeout", "does not return", body="syscall(SYS_exit, 0);"),
    _kernel("exits", "crash", "ends the program", body="exit(0);"),
    _kernel("exits-at-once", "crash", "ends the program", body="_exit(0);"),
    _kernel("killed", "crash", "SIGKILL", body="kill(getpid(), SIGKILL);"),
    _kernel("kills-all", "crash", "SIGKILL", body="kill(0, SIGKILL);"),
    _kernel(
        "unguarded",
        "crash",
        "signal 11",
        body="signal(SIGSEGV, SIG_DFL); *(volatile int *)(intptr_t)0x123456789000 = 1;",
    ),
    _kernel("closes", "access", "closes a file", body="for (int fd = 3; fd < 99; ++fd) close(fd);"),
    _kernel("closes-all", "access", "closes", body="for (int fd = 0; fd < 99; ++fd) close(fd);"),
    _kernel(
        "writes",
        "access",
        "writes to a file",
        body='for (int fd = 3; fd < 99; ++fd) if (write(fd, "garbage\\n", 8) == 77) abort();',
    ),
)
HANGS = _kernel("hangs", "timeout", "does not return", body=_DEAF + _FOREVER)
