"""Compiles a user's own kernels, checks each, and says which of them can be measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from streamgage.errors import FAILED, INTERRUPTED, TERMINATED, StreamgageError
from streamgage.kernels import Compiler, KernelFile, Language, build_kernel
from streamgage.plan import OwnKernel, Plan
from streamgage.process.engine import CutOffError, EngineError
from streamgage.process.one_run import OneRun, run_once
from streamgage.records import FailureReason, KernelCheck, KernelFailure, Sampling
from streamgage.records.reader import Note
from streamgage.records.spool import spool_in_memory
from streamgage.units import as_sentence

REFERENCES = ("sum", "copy", "update", "triad", "daxpy")
"""Built-in kernels that are measured next to the user's own. They show the most that memory gives,
and whether ordinary stores read their lines."""
TIMEOUT_SECONDS = 60.0
_SILENT_SECONDS = 30.0
"""How long an engine that checks a kernel may print nothing, besides the runs of the kernel."""
_MOST_ARRAYS = 16
_RUNS_OF_A_CHECK = 2 * (2 * _MOST_ARRAYS + 40)
"""Twice the runs of a check, which makes about 40, and 2 for each array, and prints nothing
meanwhile. The engine ends each run that takes too long. This limit is for an engine that hangs
itself; no permitted kernel can reach it."""
_ONCE = Sampling(min_samples=1, look_every=1, max_samples=1, budget_seconds=10)


class NoKernelLeftError(StreamgageError):
    """Every kernel of the user failed, and the user named no built-in kernel.

    ``brief`` is the sentence without reasons, for users who saw the reason of each failure.
    """

    brief = "No kernel of your own is left, so nothing was measured."

    def __init__(self, failures: Sequence[KernelFailure]) -> None:
        """Say why each failed."""
        super().__init__(" ".join([self.brief, *(as_sentence(each.message) for each in failures)]))


@dataclass(frozen=True)
class KernelRequest:
    """The files that the user named, in order, and their compilers."""

    files: tuple[KernelFile, ...]
    compilers: Mapping[Language, Compiler]
    timeout_seconds: float = TIMEOUT_SECONDS


@dataclass(frozen=True)
class OwnKernels:
    """The kernels that can be measured, what their checks saw, and why others cannot be."""

    kernels: list[OwnKernel] = field(default_factory=list)
    checks: list[KernelCheck] = field(default_factory=list)
    failures: list[KernelFailure] = field(default_factory=list)

    timeout_seconds: float = TIMEOUT_SECONDS

    def by_name(self) -> dict[str, OwnKernel]:
        """The kernels by the names that they declare, in the order of the files."""
        return {check.kernel: own for check, own in zip(self.checks, self.kernels, strict=True)}

    def status(self, of_the_rest: int) -> int:
        """The exit status of a measurement with these kernels, given that of the rest."""
        return of_the_rest or (FAILED if self.failures else 0)

    def measured_by(self, plan: Plan, *, named: bool) -> Plan:
        """``plan`` with these kernels added to those of the catalogue that it names.

        ``named`` is ``True`` if the user named those. Raises as ``require_some`` does.
        """
        self.require_some(plan, named=named)
        return with_kernels(plan, self.kernels, self.timeout_seconds) if self.kernels else plan

    def require_some(self, plan: Plan, *, named: bool) -> None:
        """Raise ``NoKernelLeftError`` if all failed, and the user named none that are left."""
        if self.failures and not self.kernels and not (named and plan.kernels):
            raise NoKernelLeftError(self.failures)


def prepare(
    request: KernelRequest, folder: Path, plan: Plan, note: Note, *, wait: bool
) -> OwnKernels:
    """Compile every file in ``folder`` and check it on its own, placed as ``plan`` says.

    ``note`` gets a message for each that fails. Raises ``UsageError`` if the engine refuses the
    plan, and ``EngineError`` if the user stopped it.
    """
    found = OwnKernels(timeout_seconds=request.timeout_seconds)
    sources: dict[str, str] = {}
    for number, file in enumerate(request.files, 1):
        outcome = _prepared(file, request, _new(folder, number), plan, note, wait=wait)
        if isinstance(outcome, tuple) and outcome[1].kernel in sources:
            outcome = _same_name(outcome[1], sources[outcome[1].kernel])
        if isinstance(outcome, KernelFailure):
            found.failures.append(outcome)
            note(f"Left out: {outcome.message}")
            continue
        kernel, check = outcome
        sources[check.kernel] = check.source
        found.kernels.append(kernel)
        found.checks.append(check)
    return found


def with_kernels(plan: Plan, own: Sequence[OwnKernel], timeout_seconds: float) -> Plan:
    """``plan`` with own kernels added to those of the catalogue that it names."""
    return msgspec.structs.replace(
        plan, own_kernels=list(own), kernel_timeout_seconds=timeout_seconds
    )


def _new(folder: Path, number: int) -> Path:
    """Make a folder for each kernel, because compilers leave modules where they run."""
    made = folder / f"kernel-{number}"
    made.mkdir()
    return made


def _prepared(
    file: KernelFile, request: KernelRequest, folder: Path, plan: Plan, note: Note, *, wait: bool
) -> tuple[OwnKernel, KernelCheck] | KernelFailure:
    compiler = None if file.language is None else request.compilers[file.language]
    built = build_kernel(file, compiler, folder)
    if built.library is None:
        return failed(file.source, "compile", built.failure or "")
    kernel = OwnKernel(
        path=str(built.library),
        code=built.code,
        source=file.source,
        language=None if file.of_device is None else file.of_device.language,
    )
    checked = check_kernel(kernel, plan, request.timeout_seconds, note, wait=wait)
    return checked if isinstance(checked, KernelFailure) else (kernel, checked)


def most_silent_while_checked(timeout_seconds: float) -> float:
    """Seconds for which an engine that checks a kernel may print nothing."""
    return _SILENT_SECONDS + _RUNS_OF_A_CHECK * timeout_seconds


def check_kernel(
    kernel: OwnKernel, plan: Plan, timeout_seconds: float, note: Note, *, wait: bool
) -> KernelCheck | KernelFailure:
    """Check one kernel in an engine of its own, so that a crash harms nothing else.

    Raises ``EngineError`` with the exit status of a signal if a signal ended the check.
    """
    alone = msgspec.structs.replace(
        with_kernels(plan, [kernel], timeout_seconds),
        kernels=[],
        evidence=[],
        stores=None,
        isas=None,
        shape=None,
        tuning=None,
        sampling=_ONCE,
        counters=False,
        checks=False,
        check_kernels=True,
    )
    one = run_once(
        alone,
        spool=spool_in_memory(),
        watch=lambda _: None,
        note=note,
        wait=wait,
        last=False,
        most_silent_seconds=most_silent_while_checked(timeout_seconds),
    )
    if one.exit_status in (INTERRUPTED, TERMINATED):
        raise EngineError("The check of the kernels was stopped.", exit_status=one.exit_status)
    if one.run.kernel_failures:
        return one.run.kernel_failures[0]
    if one.failure is None and one.run.kernel_checks:
        return one.run.kernel_checks[0]
    source = kernel.source or kernel.path
    return failed(source, "crash", f"{source} ended the engine that checked it: {_why(one)}")


def _why(one: OneRun) -> str:
    if isinstance(one.failure, CutOffError):
        return f"the kernel ended the process (exit status {one.failure.status})."
    return (
        str(one.failure) if one.failure is not None else ("it reported nothing about the kernel.")
    )


def failed(
    source: str, reason: FailureReason, message: str, kernel: str | None = None
) -> KernelFailure:
    """Write a failure that Python saw in the form in which the engine reports failures."""
    return KernelFailure(kernel=kernel, source=source, reason=reason, message=message)


def _same_name(check: KernelCheck, other: str) -> KernelFailure:
    sentence = (
        f"{check.source} declares the name {check.kernel}, as does {other}: rename one of them."
    )
    return failed(check.source, "declaration", sentence, check.kernel)
