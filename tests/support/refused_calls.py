"""Runs a program under a seccomp filter that refuses system calls, as containers' profiles do."""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import subprocess
from functools import cache
from pathlib import Path

from programs import WAIT_SECONDS

BLOCKED_CALLS = (
    *("acct", "bpf", "get_mempolicy", "kcmp", "keyctl", "mbind", "mount", "move_pages"),
    *("perf_event_open", "personality", "process_vm_readv", "ptrace", "quotactl"),
    *("set_mempolicy", "setns", "unshare", "userfaultfd", "migrate_pages"),
)
"""What Docker's default profile blocks, and with it a pod of Kubernetes with RuntimeDefault.

https://docs.docker.com/engine/security/seccomp/ lists them, but the last, which its profile does
not allow either. gVisor lacks some of these, and answers ENOSYS.
"""
ASKED_CALLS = (
    *("sched_getaffinity", "sched_setaffinity", "sched_yield", "getcpu", "membarrier", "rseq"),
    *("getpriority", "setpriority", "getrusage", "prlimit64", "sysinfo", "uname", "prctl"),
    *("madvise", "mlock", "mincore", "flock", "memfd_create", "pipe2", "socket"),
    *("clock_getres", "timer_create", "timerfd_create", "signalfd4", "statx", "clone3"),
)
"""Further calls that libraries and the engine make, and that a profile written by hand may lack."""

_ALLOW = 0x7FFF0000
_ERROR = 0x00050000
_LOAD_NUMBER = (0x20, 0, 0, 0)  # BPF_LD | BPF_W | BPF_ABS, of seccomp_data.nr
_PR_SET_SECCOMP = 22
_PR_SET_NO_NEW_PRIVS = 38
_SECCOMP_MODE_FILTER = 2


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


@cache
def numbers(calls: tuple[str, ...]) -> dict[str, int]:
    """The number of each call that this processor's kernel has, by the C library's header."""
    source = "#include <sys/syscall.h>\n" + "".join(f"has {name} SYS_{name}\n" for name in calls)
    text = subprocess.run(
        ["gcc", "-E", "-P", "-"], input=source, capture_output=True, text=True, check=True
    ).stdout
    words = [line.split() for line in text.splitlines() if line.startswith("has ")]
    return {name: int(number) for _, name, number in words if number.isdecimal()}


def refuse(numbers_refused: list[int], error: int) -> None:
    """Have the kernel refuse these calls to this process and all that it starts."""
    steps = [_LOAD_NUMBER]
    for number in numbers_refused:
        steps += [(0x15, 0, 1, number), (0x06, 0, 0, _ERROR | error)]  # if equal: return the error
    steps.append((0x06, 0, 0, _ALLOW))
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
    program = _Program(len(steps), ctypes.addressof(code))
    libc = ctypes.CDLL(None, use_errno=True)
    if (
        libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0
        or libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0) != 0
    ):
        raise OSError(ctypes.get_errno(), "the kernel takes no filter of system calls")


def run_refused(
    command: list[str | Path], *calls: str, error: int = errno.EPERM, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run ``command`` without these calls. The limit is only there to end a program that hangs."""
    refused = [numbers(calls)[name] for name in calls]
    return subprocess.run(
        command,
        preexec_fn=lambda: refuse(refused, error),
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=WAIT_SECONDS,
        check=False,
    )
