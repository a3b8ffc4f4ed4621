"""What the checks of a user's own kernels saw."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Unpack, cast

from streamgage.api.answers import AS_FILE, Answer
from streamgage.api.declaration import command, declaration_of
from streamgage.api.kernel_files import BuildOptions, kernels_of
from streamgage.api.measurement import Measurement, RunOptions, WaitOptions
from streamgage.api.text import Text
from streamgage.api.values import Files, several
from streamgage.commands.measure import Planned, PlanOptions, ThreadOptions, measure, planned
from streamgage.errors import FAILED, UsageError
from streamgage.kernels.checks_table import render
from streamgage.records import KernelCheck, KernelFailure
from streamgage.show.detail import PLAIN, Detail
from streamgage.units import count


class KernelChecks(Answer):
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

    def printed(self, form: str, _file: Path | None = AS_FILE, _detail: Detail = PLAIN) -> str:
        """What the command prints. Raises ``UsageError`` for what is neither a table nor JSON."""
        if form not in ("table", "json"):
            raise UsageError("--check prints --format table or json: choose one of them.")
        return render(self.checks, self.failures, as_json=form == "json")

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


class Options(BuildOptions, ThreadOptions, WaitOptions, total=False):
    """What building, placing and running have to know."""


@command()
def check_kernels(kernel_file: Files, **options: Unpack[Options]) -> KernelChecks:
    """Check kernels of your own and measure nothing: ``streamgage measure --check``.

    Each is compiled, and run between guard pages in a process of its own, so that one that crashes
    takes nothing with it. A kernel that fails is in ``failures``, and is no exception.

    Args:
        kernel_file: Kernels of your own, .c, .cpp, .f90 or .so.
        **BuildOptions
        **ThreadOptions
        **WaitOptions

    Raises:
        UsageError: there is no such file, or an option cannot be met.
        Interrupted: it was stopped (Ctrl-C).
    """
    files = several("--kernel-file", kernel_file)  # an iterator would be empty the second time
    if not files:
        raise UsageError("There is no kernel to check: name a file with one.")
    defaults = {name: each.default for name, each in declaration_of(measure).options.items()}
    asked = cast(PlanOptions, {**defaults, **options, "kernel_file": files})
    waiting: RunOptions = {
        "no_wait": options["no_wait"],
        "progress": options["progress"],
        "store": None,
    }
    return checks_of(planned(asked), Measurement(waiting))


def checks_of(asked: Planned, measurement: Measurement) -> KernelChecks:
    """The checks of the kernels that a measurement was asked for with."""
    with kernels_of(asked.own, asked.plan, measurement) as own:
        return KernelChecks(own.checks, own.failures, tuple(measurement.notes.sentences))
