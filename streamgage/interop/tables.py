"""What a printed table of any benchmark says, and the records made from tables of one setting.

A text may hold the tables of many runs, one after the other; ``interop/settings.py`` says which of
them belong together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeVar

from streamgage.interop.kernels import KERNELS
from streamgage.records import AnyRecord, ElementType, BenchmarkOutput, ReportedRate, Tool, Variant
from streamgage.records.other_benchmark import UNKNOWN_STORES
from streamgage.units import SAME_SIZE

Convention = Literal["nominal", "hardware"]
T = TypeVar("T")


@dataclass(frozen=True)
class Row:
    """One line of a table; GB/s are 10^9 bytes per second. What it does not say is ``None``."""

    kernel: str
    gbps: float
    seconds: float | None = None
    mean_seconds: float | None = None
    worst_seconds: float | None = None
    store: str = UNKNOWN_STORES
    isa: str = ""
    code: str = ""
    convention: Convention = "nominal"
    rounding: float = 0.0
    """Rounding error of rate and time together, as a share."""


@dataclass(frozen=True)
class About:
    """What the output says of the benchmark."""

    tool: Tool
    version: str | None = None
    language: str | None = None
    processor: str | None = None


@dataclass(frozen=True)
class Table:
    """The table of one run, with what was printed next to it."""

    about: About
    rows: tuple[Row, ...]
    threads: int | None = None
    """Threads of all ranks together."""
    ranks: int | None = None
    array_bytes: int | None = None
    shares_size: bool = False
    """Whether the size that is asked for is that of all arrays of a kernel together, so that
    kernels of one setting have arrays of several sizes."""
    element_type: ElementType | None = None
    validated: bool | None = None
    """``True`` if the benchmark's own check passed; ``None`` if it does not say."""
    source: str = ""
    """The file that it is from."""
    line: int = 0
    """Line of its header."""
    heading: str | None = None
    """The heading that stands above it."""
    follows: bool = False
    """``True`` if the benchmark's own lines alone stand between the table before and it."""
    cut: str | None = None
    """What is missing because the output breaks off, and the reason that it gives."""
    corrections: tuple[str, ...] = ()
    """What the output contradicts itself in, and what its other figures prove."""
    clock_seconds: float | None = None
    """The granularity of the clock that the benchmark found."""
    repetitions: int | None = None
    """How often each kernel was run."""
    warnings: tuple[str, ...] = ()
    """What the benchmark itself warns of."""
    idle_latencies_ns: tuple[tuple[float, ...], ...] = ()
    """Latency from each node (row) to each node (column)."""


class VariantKey(NamedTuple):
    """What makes two rows those of one variant."""

    kernel: str
    store: str
    isa: str
    code: str
    type: ElementType


def keys_of(table: Table) -> list[VariantKey]:
    """The variant of each row."""
    element = table.element_type or "double"
    return [VariantKey(row.kernel, row.store, row.isa, row.code, element) for row in table.rows]


def records_of(tables: Sequence[Table]) -> tuple[AnyRecord, ...]:
    """The records of tables, one at least, of one setting: each is a run that repeats the first."""
    variants: dict[VariantKey, Variant] = {}
    seen: Counter[VariantKey] = Counter()
    rates: list[ReportedRate] = []
    for table in tables:
        keys = keys_of(table)
        number = max(seen[key] for key in keys)
        for row, key in zip(table.rows, keys, strict=True):
            seen[key] = number + 1
            variant = variants.setdefault(key, _variant(len(variants), key))
            rates.append(
                ReportedRate(
                    variant=variant.id,
                    table=number,
                    gbps=row.gbps,
                    convention=row.convention,
                    seconds=row.seconds,
                    mean_seconds=row.mean_seconds,
                    worst_seconds=row.worst_seconds,
                )
            )
    names = {variant.kernel for variant in variants.values()}
    kernels = [kernel for name, kernel in KERNELS.items() if name in names]
    return (reported_of(tables), *kernels, *variants.values(), *rates)


def reported_of(tables: Sequence[Table]) -> BenchmarkOutput:
    """What the tables, one at least, say of the benchmark and of its runs."""
    known = {each.threads for each in tables if each.threads is not None}
    seen = Counter(key for table in tables for key in keys_of(table))
    sizes = [each.array_bytes for each in tables if each.array_bytes]
    several = bool(sizes) and max(sizes) > min(sizes) * (1 + SAME_SIZE)
    return BenchmarkOutput(
        tool=tables[0].about.tool,
        version=_common(each.about.version for each in tables),
        language=_common(each.about.language for each in tables),
        threads=max(known, default=None),
        processor=_common(each.about.processor for each in tables),
        array_bytes=min(sizes, default=None),
        largest_array_bytes=max(sizes) if several else None,
        element_type=_common(each.element_type for each in tables),
        tables=max(seen.values()),
        validated=_together({each.validated for each in tables}),
        line=tables[0].line or None,
        heading=_common(each.heading for each in tables),
        cut_off=next((each.cut for each in tables if each.cut), None),
        corrections=list(dict.fromkeys(e for table in tables for e in table.corrections)),
        clock_seconds=max((e.clock_seconds for e in tables if e.clock_seconds), default=None),
        repetitions=min((e.repetitions for e in tables if e.repetitions), default=None),
        warnings=list(dict.fromkeys(e for table in tables for e in table.warnings)),
        idle_latencies_ns=[list(row) for row in tables[0].idle_latencies_ns],
    )


def _common(values: Iterable[T | None]) -> T | None:
    """The value that all have; ``None`` if they differ."""
    different = set(values)
    return different.pop() if len(different) == 1 else None


def _together(passed: set[bool | None]) -> bool | None:
    """Return whether all checks passed; ``None`` if not all say so."""
    if False in passed:
        return False
    return None if None in passed else True


def _variant(number: int, key: VariantKey) -> Variant:
    return Variant(
        id=number,
        kernel=key.kernel,
        store=key.store,
        type=key.type,
        isa=key.isa,
        code=key.code,
        purpose="rate",
        threads=None,
    )
