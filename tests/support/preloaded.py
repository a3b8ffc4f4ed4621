"""Runs ``python -m streamgage`` in a copy of a process that has loaded all of it.

Starting Python and loading the program takes longer than most of what tests let it do. The process
that is copied has loaded the installed program and done nothing else: it is this file, run as a
program. It ends with the process that started it.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import select
import selectors
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

_LONGEST = 1 << 20
_LATER = (
    *("jinja2", "markdown_it", "fontTools.subset", "plotly.basedatatypes", "PIL.PngImagePlugin"),
    *(f"matplotlib.backends.backend_{kind}" for kind in ("agg", "pdf", "ps", "svg")),
)
"""What the program loads only where it draws or writes a page, which takes longest."""


def run(
    arguments: Sequence[str],
    folder: Path,
    variables: Mapping[str, str],
    timeout: float,
    stdin_bytes: bytes = b"",
) -> subprocess.CompletedProcess[str]:
    """As ``subprocess.run`` does with captured output. Raises ``TimeoutExpired``.

    ``stdin_bytes``: the content of its stdin.
    """
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    stdin = _stdin(stdin_bytes)
    outputs = [os.pipe() for _ in range(2)]
    request = json.dumps(
        {
            "arguments": arguments,
            "folder": str(folder),
            "variables": variables,
            "cpus": list(os.sched_getaffinity(0)),
        }
    )
    passed = [theirs.fileno(), stdin, *(writing for _, writing in outputs)]
    socket.send_fds(_server(), [request.encode("utf-8", "surrogateescape")], passed)
    theirs.close()
    for each in passed[1:]:
        os.close(each)
    with ours:
        process = int(ours.recv(_LONGEST))
        texts = _read([reading for reading, _ in outputs], timeout)
        if texts is None:
            os.kill(process, signal.SIGKILL)
            raise subprocess.TimeoutExpired(list(arguments), timeout)
        status = int(ours.recv(_LONGEST))
    stdout, stderr = (each.decode().replace("\r\n", "\n").replace("\r", "\n") for each in texts)
    return subprocess.CompletedProcess(list(arguments), status, stdout, stderr)


def _stdin(stdin_bytes: bytes) -> int:
    if not stdin_bytes:
        return os.open(os.devnull, os.O_RDONLY)
    file = os.memfd_create("stdin")
    os.write(file, stdin_bytes)
    os.lseek(file, 0, os.SEEK_SET)
    return file


def _read(pipes: Sequence[int], timeout: float) -> list[bytes] | None:
    """What comes through ``pipes`` until nobody can write; ``None`` where that takes longer."""
    contents = dict.fromkeys(pipes, b"")
    end = time.monotonic() + timeout
    with selectors.DefaultSelector() as selector:
        for each in pipes:
            selector.register(each, selectors.EVENT_READ)
        while selector.get_map():
            ready = selector.select(max(end - time.monotonic(), 0))
            if not ready:
                break
            for key, _ in ready:
                content = os.read(key.fd, _LONGEST)
                contents[key.fd] += content
                if not content:
                    selector.unregister(key.fd)
        is_whole = not selector.get_map()
    for each in pipes:
        os.close(each)
    return list(contents.values()) if is_whole else None


@cache
def _server() -> socket.socket:
    """The way to a process of this file, which lives as long as this one."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    for each in (ours, theirs):
        for size in (socket.SO_SNDBUF, socket.SO_RCVBUF):
            each.setsockopt(socket.SOL_SOCKET, size, _LONGEST)
    server = subprocess.Popen(
        [sys.executable, "-P", __file__],
        stdin=theirs,
        env={**os.environ, "PYTHONUTF8": "1"},
        cwd="/",
    )
    theirs.close()

    def leave() -> None:
        ours.close()
        server.wait()

    atexit.register(leave)
    return ours


def _serve(requests: socket.socket) -> None:
    """Become the program in a copy for each request; this process leaves at the end of them."""
    ended, wakes = socket.socketpair()
    wakes.setblocking(False)
    signal.set_wakeup_fd(wakes.fileno())
    signal.signal(signal.SIGCHLD, lambda *_: None)
    answers: dict[int, socket.socket] = {}
    while True:
        ready, _, _ = select.select([requests, ended], [], [])
        if ended in ready:
            ended.recv(_LONGEST)
            for program, status in _reaped():
                with answers.pop(program) as answer, suppress(OSError):
                    answer.send(str(status).encode())
        if requests not in ready:
            continue
        request, passed, _, _ = socket.recv_fds(requests, _LONGEST, 4)
        if not request:
            sys.exit()
        program = os.fork()
        if program == 0:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            for each in (requests, ended, wakes, *answers.values()):
                each.close()
            os.close(passed[0])
            _become(json.loads(request.decode("utf-8", "surrogateescape")), passed[1:])
            return
        for each in passed[1:]:
            os.close(each)
        answers[program] = socket.socket(fileno=passed[0])
        answers[program].send(str(program).encode())


def _reaped() -> Iterator[tuple[int, int]]:
    """The children that have ended, with their statuses."""
    while True:
        try:
            process, how = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if process == 0:
            return
        yield process, os.waitstatus_to_exitcode(how)


def _become(request: Mapping[str, Any], streams: Sequence[int]) -> None:
    for number, each in enumerate(streams):
        os.dup2(each, number)
        os.close(each)
    os.sched_setaffinity(0, request["cpus"])
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["variables"])
    time.tzset()
    sys.path.insert(0, request["folder"])
    sys.argv = ["streamgage", *request["arguments"]]
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _run_program() -> NoReturn:
    """Run the program and leave as Python does, but free nothing, which would take longest."""
    status = 0
    try:
        sys.modules["streamgage.__main__"].main()
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
        if not isinstance(end.code, int | None):
            print(end.code, file=sys.stderr)
    except BaseException:
        sys.excepthook(*sys.exc_info())
        status = 1
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(status)


def load_program() -> None:
    """Load every module of the program, and what it loads only where it draws or writes."""
    folder = Path(str(importlib.import_module("streamgage").__file__)).parent
    files = [each.relative_to(folder.parent).with_suffix("") for each in folder.rglob("*.py")]
    names = [".".join(each.parts).removesuffix(".__init__") for each in files]
    for name in (*names, *_LATER):
        with suppress(ImportError):  # what not every installation has
            importlib.import_module(name)


if __name__ == "__main__":
    load_program()
    gc.freeze()  # so that no copy looks at all of it when it ends
    _serve(socket.socket(fileno=os.dup(0)))
    _run_program()
