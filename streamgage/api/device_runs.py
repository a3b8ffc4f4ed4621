"""What a command returns of several devices: a result for each, and one table of all."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, overload

from streamgage.advice import command_line
from streamgage.analysis.trust import WORDS
from streamgage.api.answers import AS_FILE
from streamgage.api.joined_results import JoinedResults, joined
from streamgage.api.run import Run
from streamgage.api.runs import BaseRun
from streamgage.records import Device
from streamgage.results.measure.headline import headline_kernel, standard
from streamgage.results.measure.tiers import shown_kernels
from streamgage.show.formats import as_json
from streamgage.units import count

if TYPE_CHECKING:
    from streamgage.show.page import Column, Data, Page, Table

_PAGED = ("table", "markdown")
"""Formats that show the table of all."""
_HEADINGS = {"markdown": "##", "latex": "%"}
"""The start of a line with the name of a device."""


R = TypeVar("R", bound=BaseRun[Any])


class DeviceResults(JoinedResults, Sequence[R]):
    """A result of a command for each device, in the order measured; each is stored by itself."""

    def __init__(self, runs: Sequence[R], exit_status: int = 0, notes: Sequence[str] = ()) -> None:
        self._runs = list(runs)
        self._exit_status = exit_status
        self.notes = tuple(notes)
        """Sentences printed while they were measured."""

    @overload
    def __getitem__(self, place: int) -> R: ...
    @overload
    def __getitem__(self, place: slice) -> list[R]: ...
    def __getitem__(self, place: int | slice) -> R | list[R]:
        return self._runs[place]

    def __len__(self) -> int:
        return len(self._runs)

    @property
    def exit_status(self) -> int:
        """The command's exit status."""
        return self._exit_status

    @staticmethod
    @abstractmethod
    def _device_of(run: R) -> Device | None:
        """The device that was measured; ``None``: the processor was."""

    @property
    def devices(self) -> list[str]:
        """The name of each device: ``opencl:0``, and ``cpu`` for the processor."""
        return [self._id(each) for each in self]

    def _id(self, run: R) -> str:
        device = self._device_of(run)
        return "cpu" if device is None else device.id

    def _name(self, run: R) -> str:
        device, machine = self._device_of(run), run.machine
        if device is not None:
            return device.name
        return (machine.processor or machine.architecture or "") if machine is not None else ""

    def printed(self, form: str, file: Path | None = AS_FILE, details: bool = False) -> str:
        """The text that the command prints with ``--format``, for ``file`` (``None``: stdout).

        A list in JSON, and one table in CSV. Other formats show the results one after the other;
        a terminal shows the table of all, and with ``details`` also each.
        """
        if form == "json":
            return as_json([each.result().printed for each in self])
        if form == "csv":
            from streamgage.show.csv import render

            return render(self._data)
        if form == "table" and len(self) == 1:
            return self[0].printed(form, file, details)
        mark = _HEADINGS.get(form, "")
        parts = [self._side_by_side(form, file)] if form in _PAGED else []
        if details or form != "table":
            parts += [
                f"{mark} {name}\n\n{run.printed(form, file, details)}"
                for name, run in zip(self.devices, self, strict=True)
            ]
        return "\n".join(parts)

    def _side_by_side(self, form: str, file: Path | None) -> str:
        from streamgage.show.formats import ResultToWrite, write

        return write(
            form, ResultToWrite([each.result().printed for each in self], self._page, file)
        )

    def _page(self) -> Page:
        from streamgage.show.page import Page, Words

        machine = self[0].machine
        host = f" of {machine.host}" if machine is not None and machine.host else ""
        shown = [each.number for each in self if each.number is not None]
        store = self[0].ending.destination.option
        more = [
            f"Each by itself: {command_line('show', number, store=store)} ..."
            for number in shown[:1]
        ]
        return Page(
            title=f"{self.rows_title}{host}",
            machine=None,
            body=[self._table(), *([Words(more)] if more else [])],
        )

    @abstractmethod
    def _table(self) -> Table[R]:
        """A row for each device."""

    def _columns(self) -> list[Column[R]]:
        """The first columns of the table: which device it is."""
        from streamgage.show.page import Cell, Column

        return [
            Column[R]("device", lambda run: Cell(self._id(run)), left=True),
            Column("name", lambda run: Cell(self._name(run)), left=True, may_go=2),
        ]

    def _last_columns(self) -> list[Column[R]]:
        """The number of each run in the store, if they are stored."""
        from streamgage.show.page import Cell, Column

        if all(each.number is None for each in self):
            return []
        return [Column[R]("run", lambda run: Cell(str(run.number or "")), may_go=3)]

    @property
    def _data(self) -> Data[tuple[int, int]]:
        return joined("device", self.devices, [each.page.data for each in self])

    def __repr__(self) -> str:
        return f"<{count(len(self), 'device')}: {', '.join(self.devices)}>"


class DeviceRuns(DeviceResults[Run]):
    """A result of ``measure`` for each device, in the order measured; each is stored by itself."""

    rows_title = "Memory bandwidth by device"

    @staticmethod
    def _device_of(run: Run) -> Device | None:
        return run.document.device

    def _table(self) -> Table[Run]:
        from streamgage.show.page import Cell, Column, Table

        documents = [each.document for each in self]
        kernels = list(
            dict.fromkeys(row.kernel for each in documents for row in each.kernels if row.n)
        )
        first = next(filter(None, (headline_kernel(each.kernels) for each in documents)), None)
        trust = Column[Run](
            "trust", lambda run: Cell(WORDS[run.trust.verdict]), left=True, may_go=1
        )
        columns = [
            *self._columns(),
            *(_rate_column(kernel) for kernel in shown_kernels(kernels, first)),
            trust,
            *self._last_columns(),
        ]
        return Table(
            columns, list(self), title="GB/s", about="as STREAM counts, plain stores", gap=3
        )


def _rate_column(kernel: str) -> Column[Run]:
    from streamgage.show.page import DASH, RATE, Cell, Column

    def cell(run: Run) -> Cell:
        found = standard(run.document.kernels, kernel)
        if found is None or found.median_gbps is None:
            return Cell(DASH)
        return Cell("", found.median_gbps, found.low_gbps, found.high_gbps, RATE)

    return Column("read only" if kernel == "sum" else kernel, cell)
