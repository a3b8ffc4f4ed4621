"""Kernels of a user's own, as they are asked for, and compiled and checked."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from streamgage.api.endings import Ending, NothingMeasuredError, ended_as_a_run
from streamgage.api.notes import Notes
from streamgage.api.values import PathLike, seconds_within, several
from streamgage.errors import UsageError
from streamgage.kernels import compilers_of, given_compiler, kernel_file
from streamgage.kernels.compiled_kernels import CompiledKernel
from streamgage.kernels.own_kernels import (
    TIMEOUT_SECONDS,
    KernelsAsked,
    NoKernelLeftError,
    OwnKernels,
    prepare,
)
from streamgage.plan import Plan
from streamgage.store.keep import Keeping, Kept

MOST_TIMEOUT_SECONDS = 86_400.0
Files = PathLike | Iterable[PathLike]
"""A file, or several."""
Commands = str | Iterable[str]
"""A compiler with its flags, or one a language."""


def given_kernels(
    files: Files | None, cc: Commands | None, timeout: float | str | None
) -> KernelsAsked | None:
    """The files with their compilers; null where none was named.

    Raises ``UsageError`` where a part of it is wrong, or where it has nothing to go with.
    """
    given = several("--kernel-file", files)
    if not given:
        for option, value in (("--cc", cc), ("--kernel-timeout", timeout)):
            if value:
                raise UsageError(f"{option} goes with --kernel-file: name a kernel of your own.")
        return None
    named = tuple(kernel_file(each) for each in given)
    twice = [path for path, times in Counter(each.path for each in named).items() if times > 1]
    if twice:
        raise UsageError(f"--kernel-file names {twice[0]} twice: leave one out.")
    compilers = compilers_of(named, [given_compiler(each) for each in several("--cc", cc)])
    return KernelsAsked(named, compilers, given_timeout(timeout))


def compiled_kernel(files: Files | None, timeout: float | str | None) -> CompiledKernel | None:
    """The file that every compiler is to build; null where none was named.

    Raises ``UsageError`` where it is none that can be compiled, or there are several.
    """
    given = several("--kernel-file", files)
    if not given:
        if timeout is not None:
            raise UsageError("--kernel-timeout goes with --kernel-file: name a kernel of your own.")
        return None
    if len(given) > 1:
        raise UsageError(
            f"--kernel-file names {len(given)} files: `streamgage compilers` builds one kernel by"
            " several compilers, so name one."
        )
    return CompiledKernel(kernel_file(given[0]), given_timeout(timeout))


def given_timeout(value: float | str | None) -> float:
    """Seconds of ``--kernel-timeout``. Raises ``UsageError`` for what are none."""
    if value is None:
        return TIMEOUT_SECONDS
    return seconds_within("--kernel-timeout", value, 0.1, MOST_TIMEOUT_SECONDS)


@contextmanager
def kernels_of(
    asked: KernelsAsked | None, plan: Plan, notes: Notes, keeping: Keeping, *, wait: bool
) -> Iterator[OwnKernels]:
    """The kernels compiled and checked; what was compiled is there until the context ends.

    ``notes`` are told of each that fails. Raises ``NothingMeasuredError`` where the context does
    not go on without one, and as ``ended_as_a_run`` does.
    """
    if asked is None:
        yield OwnKernels()
        return
    with (
        ended_as_a_run(notes, keeping),
        tempfile.TemporaryDirectory(prefix="streamgage-") as folder,
    ):
        try:
            yield prepare(asked, Path(folder), plan, notes, wait=wait)
        except NoKernelLeftError as error:
            ending = Ending(error.exit_status, error, Kept(), keeping, tuple(notes.sentences))
            raise NothingMeasuredError(ending) from error
