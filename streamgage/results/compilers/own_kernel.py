"""Builds a user's own kernel with every compiler, for ``streamgage compilers``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from streamgage.advice import advice
from streamgage.errors import UsageError
from streamgage.kernels import Compiler, KernelBuild, KernelFile, build_kernel, names_of
from streamgage.kernels.own_kernels import check_kernel, most_silent_while_checked, with_kernels
from streamgage.plan import OwnKernel, Plan
from streamgage.records import KernelFailure
from streamgage.records.reader import Note
from streamgage.results.compilers.document import Compilation
from streamgage.results.compilers.experiment import CompilerRow, failed_row, most_silent
from streamgage.results.series import Condition


@dataclass(frozen=True)
class CompiledKernel:
    """The kernel to compile, and the longest time of one run in seconds."""

    file: KernelFile
    timeout_seconds: float


def compilers_for(file: KernelFile, compilers: Sequence[Compiler]) -> list[Compiler]:
    """List the compilers for the language of ``file``.

    Raises ``UsageError`` if the file is already compiled, or if there is no such compiler.
    """
    if file.language is None:
        raise UsageError(
            f"--kernel-file {file.source} is already compiled: name its source to compare"
            f" compilers, or measure it with {advice('measure')}."
        )
    fitting = [each for each in compilers if each.language == file.language]
    if not fitting:
        raise UsageError(
            f"No compiler for the language of {file.source} was found: name one with --cc."
        )
    return fitting


def build_own(
    wanted: Sequence[tuple[Compiler, tuple[str, ...]]],
    kernel: CompiledKernel,
    plan: Plan,
    folder: Path,
    *,
    before: Callable[[int, int, str], None],
    note: Note,
    wait: bool,
) -> Iterator[CompilerRow]:
    """Build the kernel with each compiler in ``folder``, and check it in an engine of its own.

    ``before`` is called ahead of each build.
    """
    names = names_of(wanted)
    for number, (compiler, flags) in enumerate(wanted, 1):
        name = names[number - 1]
        before(number, len(wanted), name)
        where = folder / f"{number:03}"
        where.mkdir()
        built = build_kernel(kernel.file, compiler, where, flags=flags)
        if built.library is None:
            yield failed_row(name, compiler, built.failure or "")
            continue
        own = OwnKernel(path=str(built.library), code=name, source=kernel.file.source)
        checked = check_kernel(own, plan, kernel.timeout_seconds, note, wait=wait)
        if isinstance(checked, KernelFailure):
            yield failed_row(name, compiler, checked.message)
            continue
        measured = with_kernels(plan, [own], kernel.timeout_seconds)
        # The kernel is checked again before it is measured.
        silent = most_silent(plan) + most_silent_while_checked(kernel.timeout_seconds)
        condition = Condition(name, measured, most_silent_seconds=silent)
        yield CompilerRow(_row(name, compiler, built), condition, {})


def _row(name: str, compiler: Compiler, built: KernelBuild) -> Compilation:
    return Compilation(
        name=name,
        compiler=compiler.version,
        language=compiler.language,
        command=list(built.command),
        seconds=built.seconds,
        loops=[],
        failure=None,
    )
