"""Rows with named columns, for loops and for data frames."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, overload

from streamgage.errors import UsageError
from streamgage.process.installation import require
from streamgage.units import count

if TYPE_CHECKING:
    import pandas

    from streamgage.show.page import Column, Data

Row = dict[str, Any]
_MOST_SHOWN = 60


class Rows(Sequence[Row]):
    """Rows, each a mapping from column names to values; ``None``: unknown."""

    def __init__(self, columns: Iterable[str], rows: Iterable[Sequence[Any]], title: str) -> None:
        """Keep the rows; ``title`` stands above them in a notebook."""
        self.columns = tuple(columns)
        self.title = title
        self._rows = [tuple(each) for each in rows]

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, place: int) -> Row: ...
    @overload
    def __getitem__(self, place: slice) -> Rows: ...
    def __getitem__(self, place: int | slice) -> Row | Rows:
        if isinstance(place, slice):
            return Rows(self.columns, self._rows[place], self.title)
        return dict(zip(self.columns, self._rows[place], strict=True))

    def __repr__(self) -> str:
        return f"<{count(len(self), 'row')}: {', '.join(self.columns)}>"

    def column(self, name: str) -> list[Any]:
        """All values of a column. Raises ``UsageError`` if there is none of that name."""
        if name not in self.columns:
            raise UsageError(f"There is no column {name!r}: use {', '.join(self.columns)}.")
        place = self.columns.index(name)
        return [row[place] for row in self._rows]

    def to_pandas(self) -> pandas.DataFrame:
        """The rows as a data frame. Raises ``UsageError`` if pandas is not installed."""
        require("A data frame", "pandas")
        import pandas

        return pandas.DataFrame(self._rows, columns=list(self.columns))

    def _repr_html_(self) -> str:
        from streamgage.html.inline import inline_body
        from streamgage.show.page import Page, Table, Words

        columns = [_column(place, name) for place, name in enumerate(self.columns)]
        body: list[Table[Any] | Words] = [
            Table(columns, self._rows[:_MOST_SHOWN], caption=self.title)
        ]
        if len(self) > _MOST_SHOWN:
            body.append(Words([f"The first {_MOST_SHOWN} of {len(self)} rows."], quiet=True))
        return inline_body(Page(self.title, None, body=body))


def _column(place: int, name: str) -> Column[Sequence[Any]]:
    from streamgage.show.page import Cell, Column

    return Column(name, lambda row: Cell(_text(row[place])))


def _text(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def rows_of(data: Data[Any], title: str) -> Rows:
    """The rows that ``--format csv`` writes, with their values as they are."""
    return Rows(data.keys, data.values(), title)
