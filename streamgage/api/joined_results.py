"""Several results whose figures are also the rows of one table."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from streamgage.api.answers import Answer
from streamgage.api.rows import Rows

if TYPE_CHECKING:
    import pandas

    from streamgage.show.page import Data


class JoinedResults(Answer):
    """An answer with several results, and the rows of all of them."""

    rows_title: ClassVar[str]
    """The title above the rows."""

    @property
    @abstractmethod
    def _data(self) -> Data[Any]: ...

    @cached_property
    def rates(self) -> Rows:
        """A row per figure of all results, with the columns of ``--format csv``; GB/s."""
        data = self._data
        return Rows(data.keys, data.values(), self.rows_title)

    def to_csv(self) -> str:
        """The text of ``--format csv``."""
        return self.printed("csv")

    def to_markdown(self) -> str:
        """The text of ``--format markdown``."""
        return self.printed("markdown")

    def to_pandas(self) -> pandas.DataFrame:
        """``rates`` as a data frame. Raises ``UsageError`` if pandas is not installed."""
        return self.rates.to_pandas()


def joined(key: str, names: Sequence[str], tables: Sequence[Data[Any]]) -> Data[tuple[int, int]]:
    """The rows of all tables, with the name of each table in a first column ``key``.

    A column that only some tables have is empty for the others.
    """
    from streamgage.show.page import Data, Datum, Value

    digits = {each.key: each.digits for data in tables for each in data.columns}
    read = [{each.key: each.value for each in data.columns} for data in tables]

    def column(key: str) -> Datum[tuple[int, int]]:
        def value(place: tuple[int, int]) -> Value:
            number, row = place
            get = read[number].get(key)
            return None if get is None else get(tables[number].rows[row])

        return Datum(key, value, digits[key])

    rows = [(place, row) for place, data in enumerate(tables) for row in range(len(data.rows))]
    name: Datum[tuple[int, int]] = Datum(key, lambda place: names[place[0]])
    return Data((name, *map(column, digits)), rows)
