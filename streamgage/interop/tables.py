"""What a printed table says, whichever benchmark printed it, and the records made of it.

A file may hold the tables of many runs, one after the other. Tables of fewer threads than the
others become variants of the purpose ``series``, so that they are never mixed with the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from streamgage.errors import UsageError
from streamgage.interop.kernels import KERNELS
from streamgage.records import (
    AnyRecord,
    ElementType,
    Purpose,
    Reported,
    ReportedRate,
    Tool,
    Variant,
)
from streamgage.units import format_bytes

SAME_SIZE = 0.01
"""Array sizes within this share of each other are one size: programs round them."""

Convention = Literal["nominal", "hardware"]


@dataclass(frozen=True)
class Row:
    """One line of a table; GB/s are 10^9 bytes a second. What it does not tell is null."""

    kernel: str
    gbps: float
    seconds: float | None = None
    mean_seconds: float | None = None
    worst_seconds: float | None = None
    store: str = "unknown"
    isa: str = ""
    code: str = ""
    convention: Convention = "nominal"


@dataclass(frozen=True)
class Table:
    """The table of one run, with what was printed next to it."""

    rows: tuple[Row, ...]
    threads: int | None = None
    array_bytes: int | None = None
    element_type: ElementType | None = None
    number: int | None = None
    """Where it is not simply the place among the tables."""


@dataclass(frozen=True)
class About:
    """What the output says of the benchmark as a whole."""

    tool: Tool
    version: str | None = None
    language: str | None = None
    processor: str | None = None
    validated: bool | None = None


@dataclass(frozen=True)
class Parsed:
    """Records, and sentences about what was left out of them."""

    records: tuple[AnyRecord, ...]
    notes: tuple[str, ...] = field(default=())


class _Key(NamedTuple):
    """What makes two rows those of one variant."""

    kernel: str
    store: str
    isa: str
    code: str
    type: ElementType
    threads: int | None


def parsed(about: About, tables: Sequence[Table], notes: Iterable[str] = ()) -> Parsed:
    """The records of ``tables``. Raises ``UsageError`` where these do not belong together."""
    most = _most_threads(tables)
    variants: dict[_Key, Variant] = {}
    sizes: dict[_Key, list[int]] = {}
    rates: list[ReportedRate] = []
    for place, table in enumerate(tables):
        part = table.threads if table.threads != most else None
        for row in table.rows:
            key = _Key(
                row.kernel, row.store, row.isa, row.code, table.element_type or "double", part
            )
            variant = variants.setdefault(key, _variant(len(variants), key))
            if table.array_bytes is not None:
                sizes.setdefault(key, []).append(table.array_bytes)
            rates.append(
                ReportedRate(
                    variant=variant.id,
                    table=place if table.number is None else table.number,
                    gbps=row.gbps,
                    convention=row.convention,
                    seconds=row.seconds,
                    mean_seconds=row.mean_seconds,
                    worst_seconds=row.worst_seconds,
                )
            )
    _refuse_several_sizes(sizes.values())
    types = {table.element_type for table in tables}
    reported = Reported(
        tool=about.tool,
        version=about.version,
        language=about.language,
        threads=most,
        processor=about.processor,
        array_bytes=min((min(each) for each in sizes.values()), default=None),
        element_type=types.pop() if len(types) == 1 else None,
        tables=1 + max(rate.table for rate in rates),
        validated=about.validated,
    )
    names = {variant.kernel for variant in variants.values()}
    kernels = [kernel for name, kernel in KERNELS.items() if name in names]
    return Parsed((reported, *kernels, *variants.values(), *rates), tuple(notes))


def _variant(number: int, key: _Key) -> Variant:
    purpose: Purpose = "rate" if key.threads is None else "series"
    return Variant(
        id=number,
        kernel=key.kernel,
        store=key.store,
        type=key.type,
        isa=key.isa,
        code=key.code,
        purpose=purpose,
        threads=key.threads,
    )


def _most_threads(tables: Sequence[Table]) -> int | None:
    """The most threads of a table; null where none says."""
    told = {table.threads for table in tables}
    known = {threads for threads in told if threads is not None}
    if len(known) > 1 and None in told:
        raise UsageError(
            "its runs had different numbers of threads, and one does not say how many: split the"
            " file, and interpret the parts one at a time."
        )
    if None in told and known:
        raise UsageError(
            "one of its runs does not say how many threads it had, and another does: split the"
            " file, and interpret the parts one at a time."
        )
    return max(known, default=None)


def _refuse_several_sizes(sizes: Iterable[Sequence[int]]) -> None:
    for each in sizes:
        least, most = min(each), max(each)
        if most > least * (1 + SAME_SIZE):
            raise UsageError(
                f"its runs had arrays of different sizes, {format_bytes(least)} to"
                f" {format_bytes(most)}: split the file, and interpret the parts one at a time."
            )
