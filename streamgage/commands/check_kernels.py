"""What the checks of a user's own kernels saw."""

from __future__ import annotations

from collections.abc import Iterable

from streamgage.api.kernel_files import Commands, Files, kernels_of
from streamgage.api.notes import Notes
from streamgage.api.planned import Planned, planned
from streamgage.api.text import Text
from streamgage.api.values import Cpus, Number, Size, several
from streamgage.errors import FAILED, UsageError
from streamgage.kernels.checks_table import render
from streamgage.records import KernelCheck, KernelFailure
from streamgage.store.keep import Keeping
from streamgage.units import count


class KernelChecks:
    """What was checked of each kernel, and why others failed."""

    def __init__(
        self,
        checks: Iterable[KernelCheck],
        failures: Iterable[KernelFailure],
        notes: tuple[str, ...] = (),
    ) -> None:
        """In the order of the files; ``notes``: what was told meanwhile."""
        self.checks = list(checks)
        """Kernels that passed, each with ``kernel``, ``source`` and the names of what was
        ``checked``."""
        self.failures = list(failures)
        """Kernels that did not, each with ``source``, ``reason`` and a sentence, ``message``."""
        self.notes = notes

    @property
    def passed(self) -> bool:
        """Whether all did."""
        return not self.failures

    @property
    def exit_status(self) -> int:
        """That of the command: 0, or 1 where a kernel failed."""
        return 0 if self.passed else FAILED

    def table(self) -> Text:
        """What the command prints."""
        return Text(render(self.checks, self.failures, as_json=False))

    def to_json(self) -> str:
        """What ``--format json`` prints: a list of those that passed, then those that failed."""
        return render(self.checks, self.failures, as_json=True)

    def __str__(self) -> str:
        return self.table()

    def __repr__(self) -> str:
        return f"<{count(len(self.checks), 'kernel')} passed, {len(self.failures)} failed>"

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()


def check_kernels(
    kernel_file: Files,
    *,
    cc: Commands | None = None,
    kernel_timeout: float | str | None = None,
    type: str = "double",
    threads: Number | None = None,
    cpus: Cpus | None = None,
    allow_oversubscribe: bool = False,
    size: Size | None = None,
    memory_nodes: str | int | Iterable[int] | None = None,
    no_wait: bool = False,
    progress: bool = True,
) -> KernelChecks:
    """Check kernels of your own and measure nothing: ``streamgage measure --check``.

    Each is compiled, and run between guard pages in a process of its own, so that one that crashes
    takes nothing with it. A kernel that fails is in ``failures``, and is no exception.

    Args:
        kernel_file: kernels of your own, ``.c``, ``.cpp``, ``.f90`` or ``.so``.
        cc: what compiles them, such as ``"clang -O2"``, once a language; default: the compiler that
            is found, with ``-O3 -march=native``.
        kernel_timeout: seconds that a run of a kernel may take; default: 60.
        type: type of the elements: ``double`` or ``float``.
        threads: number of threads; default: one a core.
        cpus: CPUs to bind threads to; see ``measure``.
        allow_oversubscribe: let several threads share a CPU that is named.
        size: size of each array; see ``measure``.
        memory_nodes: NUMA nodes to take memory from; see ``measure``.
        no_wait: fail where another measurement runs, rather than wait.
        progress: print sentences such as why a kernel failed; they are in ``notes``, too.

    Raises:
        UsageError: there is no such file, or an option cannot be met.
        Interrupted: it was stopped (Ctrl-C).
    """
    files = several("--kernel-file", kernel_file)  # an iterator would be empty the second time
    if not files:
        raise UsageError("There is no kernel to check: name a file with one.")
    asked = planned(
        kernels=None,
        stores=None,
        isa=None,
        shape=None,
        retune=False,
        no_tune=False,
        type=type,
        threads=threads,
        cpus=cpus,
        allow_oversubscribe=allow_oversubscribe,
        size=size,
        memory_nodes=memory_nodes,
        quick=False,
        thorough=False,
        seed=None,
        kernel_file=files,
        cc=cc,
        kernel_timeout=kernel_timeout,
        mpi=None,
        launcher=None,
        hosts=None,
        timeout=None,
        peak=None,
    )
    return checks_of(asked, Notes(progress), wait=not no_wait)


def checks_of(asked: Planned, notes: Notes, *, wait: bool) -> KernelChecks:
    """The checks of the kernels that a measurement was asked for with."""
    with kernels_of(asked.own, asked.plan, notes, Keeping(None), wait=wait) as own:
        return KernelChecks(own.checks, own.failures, tuple(notes.sentences))
