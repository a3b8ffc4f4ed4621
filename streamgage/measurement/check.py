"""Checks this node: measures it, applies limits, and makes the answer."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypedDict

from streamgage.analysis.statistics.next_value import FEWEST
from streamgage.api.answers import AS_FILE
from streamgage.api.device_runs import DeviceResults
from streamgage.api.runs import Ending
from streamgage.api.series import SeriesRun, just_measured
from streamgage.errors import BROKEN, StreamgageError, UsageError
from streamgage.measurement.fleet import share_of_limit
from streamgage.measurement.notes import Notes
from streamgage.options.declaration import Default, Form
from streamgage.options.values import DEVICE, PathLike, Rate, as_path, several
from streamgage.process.engine import EngineError, describe_machine, find_engine
from streamgage.process.node_check import NotMeasuredError, measure_node
from streamgage.records import Device, Machine
from streamgage.records.node import NodeLine
from streamgage.records.verdict import EXIT_STATUS_OF, Verdict
from streamgage.results.check.document import Check, CheckLimit, Length
from streamgage.results.check.judge import (
    deciding,
    judge_run,
    needs_second,
    settle,
    slow_parts,
)
from streamgage.results.check.limits import (
    MOST_EARLIER,
    changed_since,
    of_baseline,
    of_expectation,
    of_history,
    of_published,
)
from streamgage.results.check.openmetrics import render_all
from streamgage.results.check.words import line_of, line_of_all
from streamgage.results.fleet.baseline import Baseline, read_baseline
from streamgage.results.fleet.causes import AnyCause, KeptLow, UnfitEnvironment
from streamgage.results.kinds import result_of
from streamgage.store.destination import Destination, store_document

if TYPE_CHECKING:
    from streamgage.show.page import Table

_GLANCE_KERNELS = ("triad",)
_KERNELS = ("sum", "copy", "triad")
_LONGEST = 60
"""The most characters of a limit that is given; none needs as many."""
_MOST_LOOKED_AT = 500
"""The most checks to read from the store, because a search by host also finds longer names."""


class HeldOptions(TypedDict, total=False):
    """Options for how long is checked, and for what it is compared with.

    Args:
        glance: Take at most 5 s, and measure only triad; default: at most 20 s.
        examine: Take about 2 min, and also measure each NUMA domain and core by itself and the
            latency, and run doctor.
        expect: The rate that a kernel should reach, and how far below it may be, e.g.
            triad=420GB/s,-5%; may be given several times. Only these kernels are then measured.
        baseline: File with the figures of healthy nodes (see `streamgage fleet judge
            --write-baseline`).
        limit: The least loss against the baseline or its own past that makes a node slow, e.g. 5%.
            In Python a share such as 0.05, too.
    """

    glance: bool
    examine: bool
    expect: Annotated[str | Iterable[str] | None, Form("KERNEL=GB/s[,-%]", many=True)]
    baseline: PathLike | None
    limit: Annotated[Rate, Form("SHARE"), Default("5%")]


class CheckOptions(HeldOptions, total=False):
    """Options for what is checked and for how long, and for what it is compared with.

    Args:
        device: Check a device in place of the processor, e.g. cuda:0; gpu: every GPU; all: the
            processor, then every device (docs/devices.md).
        **HeldOptions
    """

    device: Annotated[str | None, DEVICE]


class CheckAnswer(SeriesRun[Check]):
    """The answer of a check of this node."""

    @property
    def reason(self) -> str:
        """The verdict in one line, usable as a reason for draining the node."""
        return line_of(self.document)

    def printed(self, form: str, file: Path | None = AS_FILE, details: bool = False) -> str:
        """The text that the command prints with ``--format``."""
        return super().printed(form, file, details)


class DeviceChecks(DeviceResults[CheckAnswer]):
    """A check of each device of this node, in the order measured; each is stored by itself."""

    rows_title = "Checks by device"

    @staticmethod
    def _device_of(run: CheckAnswer) -> Device | None:
        return run.document.last.device

    @property
    def reason(self) -> str:
        """The verdicts in one line, the worst first; usable as a reason for draining the node."""
        return line_of_all([each.document for each in self])

    def printed(self, form: str, file: Path | None = AS_FILE, details: bool = False) -> str:
        """The text that the command prints with ``--format``: one line, or as ``measure`` does."""
        if form == "line":
            return f"{self.reason}\n"
        if form == "openmetrics":
            return render_all([each.document for each in self])
        return super().printed(form, file, details)

    def _table(self) -> Table[CheckAnswer]:
        from streamgage.show.page import Cell, Column, Table

        verdict = Column[CheckAnswer](
            "verdict", lambda run: Cell(run.document.verdict.replace("-", " ")), left=True
        )
        line = Column[CheckAnswer]("why", lambda run: Cell(run.reason), left=True, roomy=True)
        columns = [*self._columns(), verdict, line, *self._last_columns()]
        return Table(columns, list(self), title="Checks", gap=3)


class PreparedCheck:
    """A check whose options were validated before anything runs."""

    def __init__(
        self,
        options: CheckOptions,
        destination: Destination,
        notes: Notes,
        device: str | None = None,
    ) -> None:
        """Validate the options; ``device`` is the name of one, ``None``: the processor.

        Raises ``UsageError`` for an option that cannot be met.
        """
        self.device = device
        self.begun = time.monotonic()
        self.notes = notes
        self.destination = destination
        if options["glance"] and options["examine"]:
            raise UsageError("--glance and --examine exclude each other: leave one out.")
        self.length: Length = "standard"
        if options["glance"]:
            self.length = "glance"
        if options["examine"]:
            self.length = "examine"
        self.limit = share_of_limit(options["limit"])
        path = as_path("--baseline", options["baseline"])
        self.baseline: Baseline | None = None if path is None else read_baseline(path)
        try:
            self.engine = find_engine()
        except EngineError as error:
            raise NotMeasuredError(str(error)) from error
        self.expected = [_in_a_line(each) for each in several("--expect", options["expect"])]

    def machine(self) -> Machine:
        """Describe this machine. Raises ``NotMeasuredError`` or ``UsageError``."""
        try:
            return describe_machine(self.engine)
        except EngineError as error:
            raise NotMeasuredError(str(error)) from error

    def measure(self) -> NodeLine:
        """Run the engine once."""
        what = [f"--expect={each}" for each in self.expected]
        if not what:
            usual = _GLANCE_KERNELS if self.length == "glance" else _KERNELS
            what = ["--kernels", ",".join(usual)]
            what += ["--stores", "plain"] if self.device is None else []
        return measure_node(
            self.engine,
            [
                *(["--glance"] if self.length == "glance" else []),
                *what,
                *([] if self.device is None else ["--device", self.device]),
            ],
            spent=time.monotonic() - self.begun,
        )

    def runs(
        self, limits_of: Callable[[NodeLine], Sequence[CheckLimit]]
    ) -> tuple[list[NodeLine], list[CheckLimit], Verdict]:
        """Measure once, and a second time if the first run does not show that the node is fine."""
        first = self.measure()
        limits = deciding(limits_of(first))
        lines = [first]
        found = judge_run(first, limits)
        spent = time.monotonic() - self.begun
        until = first.check_seconds or 0.0
        if needs_second(found, limits) and spent + (first.seconds or 0.0) <= until:
            lines.append(self.measure())
            found = judge_run(lines[-1], limits)
        return lines, limits, settle(found)

    def checked(self, machine: Machine, label: str | None) -> Check:
        """Measure this node and compare it with every limit.

        Raises ``NotMeasuredError`` and ``UsageError``.
        """
        earlier = self._earlier(machine)
        causes: list[AnyCause] = []

        def limits_of(line: NodeLine) -> list[CheckLimit]:
            limits = of_expectation(line)
            if self.baseline is not None:
                of_class, other_settings = of_baseline(self.baseline, line, self.limit)
                limits += of_class
                causes.extend(other_settings)
            own, number = of_history(earlier, line, self.limit)
            if not own and not limits and number:
                self.notes(
                    f"{line.unit} has {number} earlier checks; a comparison with its past needs"
                    f" {FEWEST}."
                )
            return [*limits, *own, *of_published(machine, line)]

        lines, limits, verdict = self.runs(limits_of)
        examined = None
        if self.length == "examine":
            from streamgage.measurement.examination import examine

            examined = examine(self.engine, self.notes)
            causes += [UnfitEnvironment(seen=each) for each in examined.spoiling]
        parts = (
            []
            if examined is None
            else [
                *slow_parts(examined.domains),
                *slow_parts(examined.cores),
            ]
        )
        if verdict in ("slow", "cannot-tell"):
            causes += changed_since(earlier, lines[-1])
            state = lines[-1].device_state
            if state is not None and state.slowed_by:
                causes.append(KeptLow(slowed_by=state.slowed_by, readings=state.readings))
        return Check(
            machine=machine,
            label=label,
            taken=lines[-1].taken,
            host=lines[-1].host,
            time=lines[0].time,
            length=self.length,
            verdict=verdict,
            seconds=round(time.monotonic() - self.begun, 2),
            limits=limits,
            runs=lines,
            causes=causes if verdict in ("slow", "cannot-tell") else [],
            parts=parts,
            latency_seconds=None if examined is None else examined.latency_seconds,
        )

    def ended(self, check: Check) -> CheckAnswer:
        """Store the check, with which later ones are compared, and return the answer."""
        stored = store_document(self.destination, check, self.notes)
        failed = BROKEN if self.destination.status_of(stored) else 0
        status = EXIT_STATUS_OF[check.verdict] or failed
        ending = Ending(status, None, stored, self.destination, tuple(self.notes.sentences))
        return CheckAnswer(just_measured(result_of(check), ending), ending)

    def _earlier(self, machine: Machine) -> list[Check]:
        """Earlier checks of this node in the store, newest first."""
        from streamgage.store.database import EmptyStoreError
        from streamgage.store.open import is_there

        store = self.destination.store
        if store is None or not is_there(store):
            return []
        from streamgage.store import Filter, Store
        from streamgage.store.load import load_stored

        found: list[Check] = []
        wanted = Filter(kind="check", machine=machine.host, most=_MOST_LOOKED_AT)
        try:
            with suppress(EmptyStoreError), Store(store, create=False) as opened:
                entries = [e for e in opened.entries(self.notes, wanted) if e.host == machine.host]
                for each in entries:
                    document = load_stored(opened, each.id, self.notes).document
                    if isinstance(document, Check) and self._is_same_unit(document):
                        found.append(document)
                    if len(found) == MOST_EARLIER:
                        break
        except StreamgageError as error:
            self.notes(f"Earlier checks are not used: {error}")
        return found

    def _is_same_unit(self, check: Check) -> bool:
        device = check.last.device
        return (None if device is None else device.id) == self.device


def _in_a_line(text: str) -> str:
    """The text of ``--expect``, which the engine reads. Raises ``UsageError`` if it cannot be."""
    if len(text) > _LONGEST or not text.isprintable():
        raise UsageError(
            f"--expect {text[:_LONGEST]!r} is not a figure with a limit: give one such as"
            " triad=420GB/s or triad=420GB/s,-5%."
        )
    return text
