"""What ``interpret`` returns: the results in outputs of other benchmarks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from streamgage.api.answers import AS_FILE
from streamgage.api.joined_results import JoinedResults, joined
from streamgage.api.series import AnyRun
from streamgage.errors import UsageError
from streamgage.show.formats import as_json
from streamgage.show.picture_file import Width
from streamgage.units import count

if TYPE_CHECKING:
    from streamgage.results.kind import Kind
    from streamgage.show.page import Data, Table, Words


MOST_WHOLE = 12
"""Up to this many results are shown in full below the table of all; more need ``--details``."""
_BESIDES = ("table", "markdown")
"""Formats that show several results side by side first."""
_HEADINGS = {"markdown": "##", "dat": "#", "latex": "%"}
"""The start of a line with the name of a result."""


@dataclass
class Entry:
    """A result, with its title and its place in the files."""

    title: str
    """The program, threads and arrays."""
    place: str
    """The place of its table: heading, file and line."""
    rates: Mapping[str, float]
    """GB/s of each kernel: the median of its runs, the best of a scaling, and the largest size of
    a series."""
    open_run: Callable[[], AnyRun]

    @cached_property
    def run(self) -> AnyRun:
        """The result, computed on first use."""
        return self.open_run()

    @property
    def whole_title(self) -> str:
        """The place, then the title."""
        return f"{self.place}: {self.title}" if self.place else self.title


class InterpretedRuns(JoinedResults, Sequence[AnyRun]):
    """The results in outputs of other benchmarks, one for each setting that ran."""

    rows_title = "The results of interpret"

    def __init__(self, entries: Sequence[Entry], exit_status: int, notes: tuple[str, ...]) -> None:
        self.entries = list(entries)
        """The results, each with its title and place."""
        self._exit_status = exit_status
        self.notes = notes
        """Sentences about lines that were left out, and about results that were not combined."""

    @property
    def titles(self) -> list[str]:
        """The title of each result: its place, program, threads and arrays."""
        return [each.whole_title for each in self.entries]

    @overload
    def __getitem__(self, place: int) -> AnyRun: ...
    @overload
    def __getitem__(self, place: slice) -> list[AnyRun]: ...
    def __getitem__(self, place: int | slice) -> AnyRun | list[AnyRun]:
        if isinstance(place, slice):
            return [each.run for each in self.entries[place]]
        return self.entries[place].run

    def __len__(self) -> int:
        return len(self.entries)

    @property
    def exit_status(self) -> int:
        """The command's exit status: 0, or 1 if a file held no result or a result is wrong."""
        return self._exit_status

    def printed(self, form: str, file: Path | None = AS_FILE, details: bool = False) -> str:
        """The text that the command prints with ``--format``, for ``file`` (``None``: stdout).

        If only some results have the format, it shows those. Several results are a list in JSON and
        one table in CSV. Other formats show them one after the other, below a table that has them
        side by side.
        """
        if len(self) > 1 and form == "json":
            return as_json([each.result().printed for each in self])
        if len(self) > 1 and form == "csv":
            from streamgage.show.csv import render

            return render(self._data)
        if len(self) == 1:
            return self[0].printed(form, file, details)
        mark = _HEADINGS.get(form, "")
        having = [each for each in self if form in _kind(each).formats]
        if form not in _BESIDES and 0 < len(having) < len(self):
            return "\n".join(each.printed(form, file, details) for each in having)
        parts = [self._side_by_side(form, file)] if form in _BESIDES else []
        if len(self) <= MOST_WHOLE or details or form not in _BESIDES:
            parts += [
                f"{mark} Result {number} of {len(self)}: {each.whole_title}\n\n"
                f"{each.run.printed(form, file, details)}"
                for number, each in enumerate(self.entries, 1)
            ]
        return "\n".join(parts)

    def _side_by_side(self, form: str, file: Path | None) -> str:
        """A row for each result, with the rate of each kernel."""
        from streamgage.show.formats import ResultToWrite, write
        from streamgage.show.page import Page, Words

        more = len(self) > MOST_WHOLE
        body: list[Table[Any] | Words] = [_compared(self.entries)]
        if more:
            body.append(Words([f"--details shows all {len(self)} results whole."]))
        page = Page(title="Results", machine=None, body=body)
        return write(form, ResultToWrite([self[0].result().printed], lambda: page, file))

    @property
    def _data(self) -> Data[tuple[int, int]]:
        """The rows of all results; a column that only some have is empty for the others."""
        if len(self) == 1:
            return self[0].page.data
        return joined("result", self.titles, [each.page.data for each in self])

    @property
    def nothing_to_draw(self) -> str | None:
        """A sentence that says why the results have no picture; ``None`` if they have one."""
        return self._drawn.nothing_to_draw

    def picture(self, file: Path, width: Width | None = None) -> bytes:
        """The picture of the scaling or series, in the format of the suffix of ``file``."""
        return self._drawn.picture(file, width)

    @property
    def _drawn(self) -> AnyRun:
        """Return the only result that has a picture. Raises ``UsageError`` if several have one."""
        drawn = [each for each in self if "picture" in _kind(each).gives]
        if len(drawn) > 1:
            raise UsageError(
                f"A picture shows one result, and {len(drawn)} of these could be drawn: give the"
                " output of one at a time, or split the file."
            )
        return drawn[0] if drawn else self[0]

    def __repr__(self) -> str:
        return f"<{count(len(self), 'result')} of interpret: {', '.join(e.name for e in self)}>"

    def _repr_html_(self) -> str:
        return "".join(each._repr_html_() for each in self)


def _compared(entries: Sequence[Entry]) -> Table[tuple[int, Entry]]:
    """A table of all results: the best rate of each kernel, and the file and line of each."""
    from streamgage.show.page import DASH, RATE, Cell, Column, Table

    rates = [each.rates for each in entries]
    kernels = list(dict.fromkeys(kernel for each in rates for kernel in each))

    def rate_of(kernel: str) -> Column[tuple[int, Entry]]:
        def cell(row: tuple[int, Entry]) -> Cell:
            gbps = rates[row[0]].get(kernel)
            return Cell(DASH) if gbps is None else Cell("", gbps, unit=RATE)

        return Column(kernel, cell, may_go=0 if kernel == "triad" else 1 + kernels.index(kernel))

    columns: list[Column[tuple[int, Entry]]] = [
        Column("result", lambda row: Cell(str(row[0] + 1))),
        Column("where", lambda row: Cell(row[1].place), left=True),
    ]
    if len({each.title for each in entries}) > 1:
        columns.append(Column("what", lambda row: Cell(row[1].title), left=True, may_go=20))
    return Table(
        [*columns, *map(rate_of, kernels)],
        list(enumerate(entries)),
        title="Rates in GB/s",
        about="medians; the best of a scaling, the largest size of a series",
    )


def _kind(run: AnyRun) -> Kind[Any]:
    from streamgage.results.kinds import kind_of

    return kind_of(run.document)
