"""What ``interpret`` returns: the results in outputs of other benchmarks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, overload

from streamgage.api.answers import AS_FILE, Answer
from streamgage.api.rows import Rows
from streamgage.api.series import AnyRun
from streamgage.errors import UsageError
from streamgage.show.formats import as_json
from streamgage.show.picture_file import Width
from streamgage.units import count

if TYPE_CHECKING:
    import pandas

    from streamgage.show.page import Data


_HEADINGS = {"markdown": "##", "dat": "#", "latex": "%"}
"""What begins a line with the name of a result."""


class InterpretedRuns(Answer, Sequence[AnyRun]):
    """The results in outputs of other benchmarks, one for each setting that ran."""

    def __init__(
        self, runs: Sequence[tuple[str, AnyRun]], exit_status: int, notes: tuple[str, ...]
    ) -> None:
        """``runs``: each with what tells it from the others."""
        self.titles = [title for title, _ in runs]
        """What tells each result from the others: its program, threads and arrays."""
        self._runs = [run for _, run in runs]
        self._exit_status = exit_status
        self.notes = notes
        """Sentences about what was left out, and about what is not mixed."""

    @overload
    def __getitem__(self, place: int) -> AnyRun: ...
    @overload
    def __getitem__(self, place: slice) -> list[AnyRun]: ...
    def __getitem__(self, place: int | slice) -> AnyRun | list[AnyRun]:
        return self._runs[place]

    def __len__(self) -> int:
        return len(self._runs)

    @property
    def exit_status(self) -> int:
        """The command's: 0, or 1 if a file held no result, or a result is wrong."""
        return self._exit_status

    @cached_property
    def rates(self) -> Rows:
        """A row per figure of all results, with the columns of ``--format csv``; GB/s."""
        data = self._data
        return Rows(data.keys, data.values(), "The results of interpret")

    def to_csv(self) -> str:
        """What ``--format csv`` prints."""
        return self.printed("csv")

    def to_markdown(self) -> str:
        """What ``--format markdown`` prints."""
        return self.printed("markdown")

    def to_pandas(self) -> pandas.DataFrame:
        """``rates`` as a data frame. Raises ``UsageError`` where pandas is not installed."""
        return self.rates.to_pandas()

    def printed(self, form: str, file: Path | None = AS_FILE, details: bool = False) -> str:
        """What the command prints with ``--format``, for ``file`` (``None``: stdout).

        Several results are a list in JSON and one table in CSV, and stand below each other in other
        formats.
        """
        if len(self) > 1 and form == "json":
            return as_json([each.loaded().printed for each in self])
        if len(self) > 1 and form == "csv":
            from streamgage.show.csv import render

            return render(self._data)
        texts = [each.printed(form, file, details) for each in self]
        if len(texts) == 1:
            return texts[0]
        mark = _HEADINGS.get(form, "")
        return "\n".join(
            f"{mark} Result {number} of {len(texts)}: {title}\n\n{text}"
            for number, (title, text) in enumerate(zip(self.titles, texts, strict=True), 1)
        )

    @property
    def _data(self) -> Data[tuple[int, int]]:
        """The rows of all results; a column that only some have is empty for the others."""
        from streamgage.show.page import Data, Datum, Value

        if len(self) == 1:
            return self[0].page.data
        tables = [each.page.data for each in self]
        digits = {each.key: each.digits for data in tables for each in data.columns}
        read = [{each.key: each.value for each in data.columns} for data in tables]

        def column(key: str) -> Datum[tuple[int, int]]:
            def value(place: tuple[int, int]) -> Value:
                number, row = place
                get = read[number].get(key)
                return None if get is None else get(tables[number].rows[row])

            return Datum(key, value, digits[key])

        def title(place: tuple[int, int]) -> Value:
            return self.titles[place[0]]

        rows = [(place, row) for place, data in enumerate(tables) for row in range(len(data.rows))]
        return Data((Datum("result", title), *map(column, digits)), rows)

    @property
    def nothing_to_draw(self) -> str | None:
        """Why there is no picture of them, in a sentence; ``None`` if there is one."""
        return self._drawn.nothing_to_draw

    def picture(self, file: Path, width: Width | None = None) -> bytes:
        """The picture of the scaling, by the suffix of ``file``."""
        return self._drawn.picture(file, width)

    @property
    def _drawn(self) -> AnyRun:
        """The one result that has a picture, or the only one. Raises ``UsageError``."""
        drawn = [each for each in self if each.kind == "scale"]
        if len(drawn) > 1:
            raise UsageError(
                f"A picture shows one scaling, and these are {len(drawn)}: draw the outputs of one"
                " at a time."
            )
        return drawn[0] if drawn else self[0]

    def __repr__(self) -> str:
        return f"<{count(len(self), 'result')} of interpret: {', '.join(e.name for e in self)}>"

    def _repr_html_(self) -> str:
        return "".join(each._repr_html_() for each in self)
