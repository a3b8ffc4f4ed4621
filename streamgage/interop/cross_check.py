"""Checks every figure of a table against the others: rate x time is a number of bytes.

A row's rate times its time, divided by the words that its kernel moves, is the size of an array.
All rows of a table must give the same size, which must be the one that the output names. If one
figure is wrong, the others may prove what it should be. Then it is corrected, and a sentence says
so. If nothing is proved, the row is refused by its name.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from streamgage.errors import UsageError
from streamgage.interop.kernels import KERNELS
from streamgage.interop.tables import Convention, Row, Table
from streamgage.units import LARGEST_SIZE, capitalised, format_bytes, format_gbps, listed

TOLERANCE = 0.03
"""The difference that is allowed within a row, in addition to the rounding of its figures."""
ROUGH = 0.05
"""Figures that are rounded more coarsely than this prove nothing."""
_FINE = 0.005
"""Figures that are rounded more finely than this give a reliable size."""
_SMALL = 8_000_000
"""Arrays below this many bytes hold fewer elements than STREAM's rule asks for."""
_PROOF = 2
"""The number of rows that must agree before they prove another one wrong."""
_SCALES = {
    2**20 / 1e6: "MiB/s",
    2**30 / 1e9: "GiB/s",
    1e6 / 2**20: "MB/s",
    1e9 / 2**30: "GB/s",
}
"""The possible units of rates, by the ratio of the printed size to the size from rate x time."""
_MOST_TIMES = 50
"""The largest multiple of the printed size that can be distinguished from other factors."""
_TIMES = {1e3: "milliseconds", 1e6: "microseconds", 1e9: "nanoseconds"}


@dataclass(frozen=True)
class _RowSize:
    """A row, and the array size that its figures give, for each way of counting bytes."""

    row: Row
    by: Mapping[Convention, float]

    def agrees(self, size: float, convention: Convention) -> bool:
        return abs(self.by[convention] / size - 1) <= TOLERANCE + self.row.rounding


def prove_themselves(rows: Mapping[str, tuple[float, float, float]]) -> bool:
    """Return whether rates and times can belong to the kernels that the rows name.

    ``rows``: for each kernel, the rate in bytes per second, the best time in seconds, and the
    rounding of the time.
    """
    sizes = []
    for name, (rate, seconds, rounding) in rows.items():
        size = rate * seconds / _words(name, "nominal")
        if not (size > 0 and math.isfinite(size)) or rounding > ROUGH:
            return False
        sizes.append((size, rounding))
    middle = median(size for size, _ in sizes)
    return all(abs(size / middle - 1) <= TOLERANCE + rounding for size, rounding in sizes)


def fits(table: Table, size: int) -> bool:
    """Return whether the rates and times of a table fit arrays of ``size`` bytes."""
    sized = [
        found
        for row in table.rows
        if row.rounding <= ROUGH and (found := _row_size(row)) is not None
    ]
    return bool(sized) and all(each.agrees(size, "nominal") for each in sized)


def cross_checked(table: Table) -> Table:
    """Correct a table by its own figures. Raises ``UsageError`` if no row is left."""
    table = _ordered_times(table)
    every = [found for row in table.rows if (found := _row_size(row)) is not None]
    sized = [each for each in every if each.row.rounding <= ROUGH]
    if not sized:
        return _with_most(table, every)
    convention = _convention_of(sized, table.array_bytes)
    if convention != "nominal":
        rows = tuple(replace(row, convention=convention) for row in table.rows)
        table = replace(table, rows=rows)
    size = _size(sized, table.array_bytes, convention)
    if size is None:
        return table
    agreeing = [each for each in sized if each.agrees(size, convention)]
    if len(agreeing) == len(every):
        return _with_size(table, sized, convention)
    if not agreeing and len(sized) > 1 and table.array_bytes is not None:
        return _of_another_unit(table, sized, convention, table.array_bytes)
    if len(agreeing) < _PROOF:
        return table
    wrong = [each for each in every if not each.agrees(size, convention)]
    return _with_size(_with_rows_proved(table, wrong, size, convention), agreeing, convention)


def _words(kernel: str, convention: Convention) -> int:
    """The number of elements that one iteration moves."""
    facts = KERNELS[kernel]
    allocated = facts.stores if convention == "hardware" and facts.write_allocates else 0
    return facts.loads + facts.stores + allocated


def _row_size(row: Row) -> _RowSize | None:
    if row.seconds is None or row.kernel not in KERNELS:
        return None
    moved = row.gbps * 1e9 * row.seconds
    return _RowSize(
        row,
        {
            "nominal": moved / _words(row.kernel, "nominal"),
            "hardware": moved / _words(row.kernel, "hardware"),
        },
    )


def _convention_of(sized: Sequence[_RowSize], named: int | None) -> Convention:
    """How the rates count bytes: with or without the lines that stores read."""
    if not any(KERNELS[each.row.kernel].write_allocates for each in sized) or len(sized) < _PROOF:
        return "nominal"
    score = {}
    for convention in ("nominal", "hardware"):
        size = named or median(each.by[convention] for each in sized)
        score[convention] = sum(each.agrees(size, convention) for each in sized)
    if named is None and score["nominal"] == score["hardware"] < len(sized):
        return "nominal"
    return "hardware" if score["hardware"] > max(score["nominal"], len(sized) / 2) else "nominal"


def _size(sized: Sequence[_RowSize], named: int | None, convention: Convention) -> float | None:
    """The bytes of an array, as the output names them or as most rows give them."""
    if named is not None:
        return float(named)
    if len(sized) <= _PROOF:
        return None
    return median(each.by[convention] for each in sized)


def _with_size(table: Table, sized: Sequence[_RowSize], convention: Convention) -> Table:
    """Add the array size that rate x time gives, if the output names none."""
    fine = [each.by[convention] for each in sized if each.row.rounding <= _FINE]
    if table.array_bytes is not None or len(fine) < _PROOF or not 1 <= median(fine) <= LARGEST_SIZE:
        return table
    return replace(table, array_bytes=round(median(fine)))


def _with_most(table: Table, rough: Sequence[_RowSize]) -> Table:
    """Add the array size that coarse times give, if they allow only small arrays."""
    most = max((each.by["nominal"] * (1 + each.row.rounding) for each in rough), default=math.inf)
    if table.array_bytes is not None or not 1 <= most < _SMALL:
        return table
    return replace(table, array_bytes=round(median(each.by["nominal"] for each in rough)))


def _ordered_times(table: Table) -> Table:
    """Remove times that do not ascend from best over mean to worst."""
    rows, unordered = [], []
    for row in table.rows:
        times = [t for t in (row.seconds, row.mean_seconds, row.worst_seconds) if t is not None]
        slack = 1 + TOLERANCE + row.rounding
        if all(first <= second * slack for first, second in pairwise(times)):
            rows.append(row)
            continue
        unordered.append(row.kernel)
        # The best time stays if it is the smallest, because the rate is compared with it.
        best = row.seconds if row.seconds is not None and row.seconds <= min(times) else None
        rows.append(replace(row, seconds=best, mean_seconds=None, worst_seconds=None))
    if not unordered:
        return table
    which = listed([each.capitalize() for each in unordered])
    sentence = f"{which}: best, mean and worst time do not ascend, so these times are not used"
    return replace(table, rows=tuple(rows), corrections=(*table.corrections, sentence))


def _with_rows_proved(
    table: Table, wrong: Sequence[_RowSize], size: float, convention: Convention
) -> Table:
    """Correct or remove the rows ``wrong``, by the size on which the other rows agree."""
    rows = {row.kernel: row for row in table.rows}
    sentences = []
    for each in wrong:
        row = each.row
        assert row.seconds is not None
        bytes_each = _words(row.kernel, convention) * size
        by_time = bytes_each / row.seconds / 1e9
        name = row.kernel.capitalize()
        product = (
            f"{name} says {format_gbps(row.gbps)} and {row.seconds:.4g} s, which is"
            f" {row.gbps * row.seconds * 1e3:.4g} MB; its arrays hold {bytes_each / 1e6:.4g} MB"
        )
        if row.mean_seconds is not None and row.seconds <= row.mean_seconds < 2 * row.seconds:
            rows[row.kernel] = replace(row, gbps=by_time)
            sentences.append(f"{product}. By its times, which agree, it had {format_gbps(by_time)}")
        elif _near(row.mean_seconds, bytes_each / row.gbps / 1e9):
            rows[row.kernel] = replace(row, seconds=None)
            sentences.append(
                f"{product}. Its mean time confirms the rate, so its best time is wrong"
            )
        else:
            del rows[row.kernel]
            sentences.append(f"{product}. Nothing shows which is right, so the row is left out")
    return replace(table, rows=tuple(rows.values()), corrections=(*table.corrections, *sentences))


def _near(seconds: float | None, expected: float) -> bool:
    return seconds is not None and 1 - TOLERANCE <= seconds / expected < 2


def _of_another_unit(
    table: Table, sized: Sequence[_RowSize], convention: Convention, named: int
) -> Table:
    """Correct a table whose rows all miss ``named``, the printed size, by the same factor."""
    sizes = [each.by[convention] for each in sized]
    middle = median(sizes)
    mismatch = (
        f"rate x time gives arrays of {format_bytes(middle)}, and the output names"
        f" {format_bytes(named)}"
    )
    fine = max(each.row.rounding for each in sized) <= _FINE * 2
    if all(each.agrees(middle, convention) for each in sized):
        factor = named / middle
        for unit, name in _SCALES.items():
            if fine and abs(factor / unit - 1) <= _FINE:
                rows = tuple(replace(row, gbps=row.gbps * unit) for row in table.rows)
                sentence = f"Its rates are in {name}: {mismatch}"
                return replace(table, rows=rows, corrections=(*table.corrections, sentence))
        for unit, name in _TIMES.items():
            if abs(factor * unit - 1) <= ROUGH:
                return _with_times(table, unit, f"Its times are in {name}: {mismatch}")
        whole = round(max(factor, 1 / factor))
        exact = abs(max(factor, 1 / factor) / whole - 1) <= _FINE
        if exact and 1 < whole <= _MOST_TIMES:
            sentence = (
                f"{capitalised(mismatch)}; the size on which its {len(sized)} rows agree is used"
            )
            return replace(
                table, array_bytes=round(middle), corrections=(*table.corrections, sentence)
            )
    raise UsageError(
        f"its figures contradict each other: {mismatch}. Nothing shows which is right: use the"
        " output as the benchmark wrote it."
    )


def _with_times(table: Table, unit: float, sentence: str) -> Table:
    def scaled(seconds: float | None) -> float | None:
        return None if seconds is None else seconds / unit

    rows = tuple(
        replace(
            row,
            seconds=scaled(row.seconds),
            mean_seconds=scaled(row.mean_seconds),
            worst_seconds=scaled(row.worst_seconds),
        )
        for row in table.rows
    )
    return replace(table, rows=rows, corrections=(*table.corrections, sentence))
