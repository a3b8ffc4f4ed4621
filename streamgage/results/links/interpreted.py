"""Makes a ``links`` result from the output of another benchmark."""

from __future__ import annotations

from streamgage.interop.charts import LinkTable, LinkTables
from streamgage.results.links.document import RATE_UNIT, LinkCell, Links, LinkTest


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
    factor = 1.0 if table.unit == RATE_UNIT else 1e-9
    return LinkTest(
        test=table.test,
        description=table.description,
        unit="GB/s" if table.unit == RATE_UNIT else "s",
        row_axis=table.row_axis,
        column_axis=table.column_axis,
        rows=list(table.rows),
        columns=list(table.columns),
        cells=[
            LinkCell(row=row, column=column, value=value * factor)
            for row, values in zip(table.rows, table.cells, strict=True)
            for column, value in zip(table.columns, values, strict=True)
            if value is not None
        ],
    )
