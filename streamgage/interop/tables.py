"""The printed table of any benchmark, and the records made from tables of one setting.

A text may hold the tables of many runs, one after the other. ``interop/settings.py`` decides which
of them belong together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple, TypeVar

from streamgage.interop.kernels import KERNELS
from streamgage.interop.places import Place
from streamgage.records import (
    AnyRecord,
    BenchmarkOutput,
    ElementType,
    FailedCheck,
    ReportedRate,
    Variant,
)
from streamgage.records.other_benchmark import UNKNOWN_STORES, Printed
from streamgage.units import SAME_SIZE

Convention = Literal["nominal", "hardware"]
T = TypeVar("T")


@dataclass(frozen=True)
class Row:
    """One line of a table. Rates are GB/s of 10^9 bytes per second; unknown facts are ``None``."""

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
    """The rounding error of rate and time together, as a share."""
    step: float | None = None
    """One unit of the last digit of its times, in seconds; ``None`` if there is none."""


@dataclass(frozen=True)
class BenchmarkFacts:
    """The benchmark, as its output describes it."""

    tool: str
    version: str | None = None
    language: str | None = None
    processor: str | None = None
    on_gpu: bool = False
    """``True`` if the output says that it ran on a GPU."""
    prints: Printed = "best"
    """What its rates are."""


@dataclass(frozen=True)
class Table:
    """The table of one run, with what was printed around it."""

    about: BenchmarkFacts
    rows: tuple[Row, ...]
    threads: int | None = None
    """The number of threads of all ranks together."""
    ranks: int | None = None
    array_bytes: int | None = None
    shares_size: bool = False
    """``True`` if the chosen size is that of all arrays of a kernel together. The arrays then have
    different sizes for the kernels of one setting."""
    element_type: ElementType | None = None
    validated: bool | None = None
    """``True`` if the benchmark's own check passed; ``None`` if it does not say, or if ``failures``
    has the parts that did not pass."""
    failures: tuple[FailedCheck, ...] = ()
    """The parts of the check that did not pass, if they are named."""
    source: str = ""
    """The file that holds the output."""
    line: int = 0
    """The line number of its header."""
    heading: str | None = None
    """The heading above the table."""
    follows: bool = False
    """``True`` if only the benchmark's own lines separate it from the table before."""
    section: int = 0
    """Tables of one text with different numbers are not members of one series: other text than
    numbers differs between them."""
    cut: str | None = None
    """What is missing because the output breaks off, with the reason that it gives."""
    corrections: tuple[str, ...] = ()
    """Sentences on contradictions in the output, and on what its other figures prove."""
    clock_seconds: float | None = None
    """The granularity of the clock, as the benchmark measured it."""
    repetitions: int | None = None
    """How often each kernel was run."""
    warnings: tuple[str, ...] = ()
    """Warnings that the benchmark itself printed."""
    methods: Mapping[str, float] = field(default_factory=dict)
    """GB/s of each way in which the run did the same work, by its name, if there are several."""
    idle_latencies_ns: tuple[tuple[float, ...], ...] = ()
    """The latency from each node (row) to the memory of each node (column)."""


def is_wrong(table: Table) -> bool:
    """Return whether a result was wrong, beyond rounding."""
    return table.validated is False or any(not each.is_rounding for each in table.failures)


def put(table: Table, place: Place) -> Table:
    """Return the table with its place in the text."""
    return replace(
        table,
        line=place.line,
        heading=place.heading,
        follows=place.follows,
        section=place.section,
    )


class VariantKey(NamedTuple):
    """The properties that rows of one variant have in common."""

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
    """Make the records of one or more tables of one setting; each table is a run of the same."""
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
    """Describe the benchmark and its runs, from one or more tables."""
    known = {each.threads for each in tables if each.threads is not None}
    seen = Counter(key for table in tables for key in keys_of(table))
    sizes = [each.array_bytes for each in tables if each.array_bytes]
    several = bool(sizes) and max(sizes) > min(sizes) * (1 + SAME_SIZE)
    return BenchmarkOutput(
        tool=tables[0].about.tool,
        prints=tables[0].about.prints,
        version=_common(each.about.version for each in tables),
        language=_common(each.about.language for each in tables),
        threads=max(known, default=None),
        processor=_common(each.about.processor for each in tables),
        on_gpu=all(each.about.on_gpu for each in tables),
        array_bytes=min(sizes, default=None),
        largest_array_bytes=max(sizes) if several else None,
        element_type=_common(each.element_type for each in tables),
        tables=max(seen.values()),
        validated=_all_passed({each.validated for each in tables}),
        failures=_each_once(e for table in tables for e in table.failures),
        line=tables[0].line or None,
        heading=_common(each.heading for each in tables),
        cut_off=next((each.cut for each in tables if each.cut), None),
        corrections=list(dict.fromkeys(e for table in tables for e in table.corrections)),
        clock_seconds=max((e.clock_seconds for e in tables if e.clock_seconds), default=None),
        printed_seconds=max((r.step for e in tables for r in e.rows if r.step), default=None),
        repetitions=min((e.repetitions for e in tables if e.repetitions), default=None),
        warnings=list(dict.fromkeys(e for table in tables for e in table.warnings)),
        methods=dict(tables[0].methods),
        idle_latencies_ns=[list(row) for row in tables[0].idle_latencies_ns],
    )


def _common(values: Iterable[T | None]) -> T | None:
    """The value that all have; ``None`` if they differ."""
    different = set(values)
    return different.pop() if len(different) == 1 else None


def _each_once(items: Iterable[T]) -> list[T]:
    found: list[T] = []
    for each in items:
        if each not in found:
            found.append(each)
    return found


def _all_passed(passed: set[bool | None]) -> bool | None:
    """Return whether all checks passed; ``None`` if not all tables say so."""
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
