"""Makes a ``links`` result from the output of another benchmark."""

from __future__ import annotations

from collections.abc import Sequence

from streamgage.interop.charts import LinkTable, LinkTables
from streamgage.results.links.document import RATE_UNIT, LinkCell, Links, LinkTest
from streamgage.units import shortened

_LONGEST = 37
_LONGEST_TEST = 77
"""The lengths of names without the dots that show that more was cut off."""


def links_of(tables: LinkTables) -> Links:
    """Make the result; each figure is a single one."""
    return Links(
        machine=None,
        devices=list(tables.devices),
        tests=[_test(each) for each in tables.tests],
        waived=list(tables.waived),
        reported=tables.reported,
    )


def _test(table: LinkTable) -> LinkTest:
    rows, columns = _names(table.rows), _names(table.columns)
    factor = 1.0 if table.unit == RATE_UNIT else 1e-9
    return LinkTest(
        test=shortened(table.test, _LONGEST_TEST),
        description=table.description,
        unit="GB/s" if table.unit == RATE_UNIT else "s",
        row_axis=table.row_axis,
        column_axis=table.column_axis,
        rows=rows,
        columns=columns,
        cells=[
            LinkCell(row=row, column=column, value=value * factor)
            for row, values in zip(rows, table.cells, strict=True)
            for column, value in zip(columns, values, strict=True)
            if value is not None
        ],
    )


def _names(names: Sequence[str]) -> list[str]:
    """The names, shortened to what a document holds; all differ."""
    found = [shortened(each, _LONGEST) for each in names]
    if len(set(found)) == len(found):
        return found
    return [shortened(f"{number} {each}", _LONGEST) for number, each in enumerate(names, 1)]
