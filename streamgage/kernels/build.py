"""Builds the plain kernels as a shared object, with one compiler and one set of flags."""

from __future__ import annotations

import os
import re
import signal
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from streamgage.errors import UsageError
from streamgage.kernels.find import Compiler
from streamgage.kernels.sources import Sources
from streamgage.process.program import run_for
from streamgage.units import shortened

MOST_SECONDS = 60.0
_ERROR = re.compile(r"error|fatal|undefined|unsupported|unknown|cannot|not found", re.I)
_MOST_CHARACTERS = 160
_ENGLISH = {"LC_ALL": "C"}
"""The environment in which compilers print English messages, which are searched for errors."""


@contextmanager
def folder_for_libraries() -> Iterator[Path]:
    """A temporary folder for shared objects that the engine loads.

    Raises ``UsageError`` if nothing can be loaded from there.
    """
    with tempfile.TemporaryDirectory(prefix="streamgage-") as folder:
        if os.statvfs(folder).f_flag & os.ST_NOEXEC:
            raise UsageError(
                f"Programs compiled in {tempfile.gettempdir()} cannot run, because that file"
                " system is mounted with noexec: set TMPDIR to a folder elsewhere."
            )
        yield Path(folder)


@dataclass(frozen=True)
class Build:
    """The result of a build: either ``library`` or ``failure`` is set."""

    compiler: Compiler
    flags: tuple[str, ...]
    command: tuple[str, ...]
    library: Path | None
    failure: str | None
    """A sentence, with the first line of the compiler's errors."""
    seconds: float

    @property
    def name(self) -> str:
        """The compiler and its flags, such as ``gcc -O3 -march=native``."""
        return " ".join([self.compiler.name, *self.flags])


def build_kernels(
    compiler: Compiler,
    flags: Sequence[str],
    sources: Sources,
    folder: Path,
    *,
    element: str = "double",
    most_seconds: float = MOST_SECONDS,
) -> Build:
    """Compile the kernels in ``folder``, which must exist; a compiler that hangs is ended."""
    library = folder / "kernels.so"
    command = _command(compiler, flags, sources, library, element)
    start = time.monotonic()
    failure = run_compiler(command, most_seconds)
    if failure is None and not library.is_file():
        failure = "The compiler reported no error, but wrote no library."
    return Build(
        compiler=compiler,
        flags=tuple(flags),
        command=command,
        library=None if failure else library,
        failure=failure,
        seconds=time.monotonic() - start,
    )


def _command(
    compiler: Compiler, flags: Sequence[str], sources: Sources, library: Path, element: str
) -> tuple[str, ...]:
    shared = ("-shared", "-fPIC", "-o", str(library))
    if compiler.language == "fortran":
        return (*compiler.command, *flags, *shared, str(sources.fortran))
    as_cpp = ("-x", "c++") if compiler.language == "c++" else ()
    return (
        *compiler.command,
        *flags,
        f"-DSTREAMGAGE_ELEMENT={element}",
        f"-DSTREAMGAGE_PREFIX=streamgage_{element}_",
        f"-I{sources.include}",
        *shared,
        *as_cpp,
        str(sources.c),
    )


def run_compiler(
    command: Sequence[str],
    most_seconds: float = MOST_SECONDS,
    *,
    folder: Path | None = None,
    first_error: Callable[[str], str] | None = None,
) -> str | None:
    """Run a compiler, and return a sentence that says why it failed; ``None`` if it did not.

    It runs in ``folder``, and is ended after ``most_seconds``. ``first_error`` finds the part of
    its output to report.
    """
    try:
        done = run_for(command, most_seconds, folder=folder, variables=_ENGLISH)
    except OSError as error:
        return f"It cannot be started: {error.strerror}."
    if done is None:
        return f"It did not end within {most_seconds:.0f} s, and was ended."
    if done.status == 0:
        return None
    first = (first_error or line_of_error)(done.output)
    if done.status < 0:
        name = signal.Signals(-done.status).name
        return f"It was ended by {name}{f': {first}' if first else ''}."
    return f"{first or f'It failed with exit status {done.status}'}."


def line_of_error(text: str) -> str:
    """The first line of a compiler's output that reports an error, without the source's folder."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    line = next((line for line in lines if _ERROR.search(line)), lines[0] if lines else "")
    return shortened(re.sub(r"^\S*/", "", line).rstrip("."), _MOST_CHARACTERS)
