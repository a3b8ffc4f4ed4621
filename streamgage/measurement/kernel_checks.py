"""Shows the results of the checks of a user's own kernels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from streamgage.api.answers import AS_FILE, Answer, Text
from streamgage.errors import FAILED, UsageError
from streamgage.kernels.own_kernels import KernelRequest
from streamgage.measurement.kernel_files import kernels_of
from streamgage.measurement.measurement import Measurement
from streamgage.plan import Plan
from streamgage.records import CheckName, KernelCheck, KernelFailure
from streamgage.units import count

_WORDS: dict[CheckName, str] = {
    "declaration": "its declaration",
    "guard-pages": "guard pages around every array",
    "bounds": "nothing written behind an array",
    "accesses": "arrays read and written as declared",
    "ranges": "no element of another range touched",
    "division": "the same result for every division of the iterations",
    "result": "its own check of the results",
}
NOT_CHECKED = "its results are not checked, because it has no check of its own"


class KernelChecks(Answer):
    """The checks of each kernel, and the reasons of failures."""

    def __init__(
        self,
        checks: Iterable[KernelCheck],
        failures: Iterable[KernelFailure],
        notes: tuple[str, ...] = (),
    ) -> None:
        """Keep both lists, in the order of the files, and ``notes``, sentences already printed."""
        self.checks = list(checks)
        """Kernels that passed, each with ``kernel``, ``source`` and the names of what was
        ``checked``."""
        self.failures = list(failures)
        """Kernels that failed, each with ``source``, ``reason`` and a sentence, ``message``."""
        self.notes = notes

    @property
    def passed(self) -> bool:
        """``True`` if all kernels passed."""
        return not self.failures

    @property
    def exit_status(self) -> int:
        """The command's exit status: 0, or 1 if a kernel failed."""
        return 0 if self.passed else FAILED

    def printed(self, form: str, _file: Path | None = AS_FILE, _details: bool = False) -> str:
        """The text that the command prints.

        Raises ``UsageError`` for formats other than table and JSON.
        """
        if form not in ("table", "json"):
            raise UsageError("--check prints --format table or json: choose one of them.")
        return render(self.checks, self.failures, as_json=form == "json")

    def table(self) -> Text:
        """The text that the command prints."""
        return Text(render(self.checks, self.failures, as_json=False))

    def to_json(self) -> str:
        """The text of ``--format json``: a list of passed kernels, then of failed ones."""
        return render(self.checks, self.failures, as_json=True)

    def __str__(self) -> str:
        return self.table()

    def __repr__(self) -> str:
        return f"<{count(len(self.checks), 'kernel')} passed, {len(self.failures)} failed>"

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()


def checks_of(request: KernelRequest | None, plan: Plan, measurement: Measurement) -> KernelChecks:
    """Run the checks of the kernels that a measurement names."""
    with kernels_of(request, plan, measurement) as own:
        return KernelChecks(own.checks, own.failures, tuple(measurement.notes.sentences))


def render(
    checks: Sequence[KernelCheck], failures: Sequence[KernelFailure], *, as_json: bool
) -> str:
    """Write a line per kernel with its passed checks below, or all of it as JSON."""
    if as_json:
        records = [*checks, *failures]
        return msgspec.json.format(msgspec.json.encode(records), indent=2).decode() + "\n"
    lines = []
    for each in checks:
        lines.append(f" {each.kernel} ({each.source}) passed, over {_iterations(each)}:")
        lines += [f"   {_WORDS[name]}" for name in each.checked]
        if "result" not in each.checked:
            lines.append(f"   but {NOT_CHECKED}")
    lines += [f" {_name(each)} failed: {each.message}" for each in failures]
    return "\n".join(lines) + "\n"


def _iterations(check: KernelCheck) -> str:
    return count(check.iterations, "iteration")


def _name(failure: KernelFailure) -> str:
    source = failure.source
    return source if failure.kernel is None else f"{failure.kernel} ({source})"
