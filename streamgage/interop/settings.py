"""Groups tables that one program printed under one setting.

Tables that differ only in their number of threads are a scaling. Those that differ only in the size
of their arrays are a series over sizes. Tables with the same number of threads are runs of one
result if only the benchmark's own lines separate them, or if the user says so. Otherwise each is a
result of its own. Tables of different programs or machines, or with other text than numbers
between them, are never mixed.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import TypeVar

from streamgage.interop.kernels import KERNELS, arrays_of
from streamgage.interop.tables import Table, is_wrong, keys_of
from streamgage.units import SAME_SIZE, count, format_byte_range

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")


@dataclass(frozen=True)
class Setting:
    """One or more tables that differ only in their number of workers (threads or MPI ranks)."""

    tables: tuple[Table, ...]

    @property
    def counts(self) -> list[int]:
        """The numbers of workers, ascending; empty if they are not known."""
        return sorted({n for each in self.tables if (n := workers_in(each)) is not None})

    @property
    def of_ranks(self) -> bool:
        """``True`` if the workers are MPI ranks."""
        return self.tables[0].ranks is not None

    @property
    def threads_per_worker(self) -> int:
        """The number of threads per rank; 1 if the workers are threads."""
        return _threads_per_rank(self.tables[0]) or 1

    @property
    def files(self) -> list[str]:
        """The files of the tables, without repetitions."""
        return list(dict.fromkeys(each.source for each in self.tables))

    @property
    def sound(self) -> tuple[Table, ...]:
        """The tables without those whose own check failed."""
        return tuple(each for each in self.tables if not is_wrong(each))


@dataclass(frozen=True)
class SizeSeries:
    """Two or more settings that differ only in the size of their arrays, in ascending order."""

    settings: tuple[Setting, ...]
    first: Table
    """The first table in the text."""

    @property
    def largest(self) -> Setting:
        """The setting with the largest arrays, whose figures count for the machine."""
        return self.settings[-1]

    @property
    def whole(self) -> Setting:
        """All settings as one, for what they have in common."""
        return Setting(tuple(table for each in self.settings for table in each.tables))


def workers_in(table: Table) -> int | None:
    """The number of ranks, or of threads if there are no ranks; ``None`` if it is not known."""
    return table.ranks if table.ranks is not None else table.threads


def _threads_per_rank(table: Table) -> int | None:
    if table.ranks is None or table.threads is None:
        return None
    return table.threads // table.ranks


def settings_of(tables: Sequence[Table], *, runs: bool = False) -> list[Setting]:
    """The settings of the tables, in the order in which they first appear.

    ``runs``: tables of one setting count as its runs wherever they stand.
    """
    found = [
        each
        for item in settings_and_series(tables, runs=runs)
        for each in (item.settings if isinstance(item, SizeSeries) else (item,))
    ]
    order = _order(tables)
    return sorted(found, key=lambda each: order[id(each.tables[0])])


def settings_and_series(
    tables: Sequence[Table], *, runs: bool = False
) -> list[Setting | SizeSeries]:
    """Group tables into settings; settings that differ only in array size form a series."""
    programs = _split([tables], lambda e: (e.about, _threads_per_rank(e), e.ranks is None))
    programs = _split(programs, lambda each: workers_in(each) is None)
    if not runs:
        programs = _split(programs, lambda each: each.section)
    stretches = None if runs else _stretches(tables)
    return [
        item
        for program in programs
        for part in _by_code(program)
        for item in _over_sizes(_settings(part, stretches))
    ]


def _stretches(tables: Sequence[Table]) -> dict[int, int]:
    """The number of each table's stretch.

    Only the benchmark's own lines separate the tables of a stretch.
    """
    found: dict[int, int] = {}
    number, source = 0, ""
    for each in tables:
        number += not each.follows or each.source != source
        found[id(each)], source = number, each.source
    return found


def _settings(tables: Sequence[Table], stretches: Mapping[int, int] | None) -> list[Setting]:
    """The settings of one program, in the order of their first tables.

    Equal tables within a stretch are runs of one setting; without ``stretches``, wherever they
    stand.
    """
    groups = _by_size(tables)
    if stretches is not None:
        groups = [
            each
            for group in groups
            for part in _by_section(group, lambda table: table, workers_in)
            for each in _apart(part, stretches)
        ]
    order = _order(tables)
    return [Setting(tuple(each)) for each in sorted(groups, key=lambda each: order[id(each[0])])]


def _order(tables: Sequence[Table]) -> dict[int, int]:
    return {id(table): number for number, table in enumerate(tables)}


def _over_sizes(settings: Sequence[Setting]) -> Iterator[Setting | SizeSeries]:
    """Yield a series where each number of workers has several sizes, once or in turns.

    If it is not clear which settings belong together, each stays a setting of its own.
    """
    joined: dict[tuple[int, ...], list[Setting]] = {}
    for each in settings:
        single = len(each.counts) <= 1
        if single and each.sound and size_of(each.tables[0]) is not None:
            joined.setdefault(tuple(each.counts), []).append(each)
        else:
            yield each
    for group in joined.values():
        classes = size_classes(map(_size_of_setting, group))
        sized = [(classes[_size_of_setting(each)], each) for each in group]
        for part in _by_section(sized, lambda each: each[1].tables[0], lambda each: each[0]):
            turns = [[each for _, each in turn] for turn in _turns(part, lambda each: each[0])]
            if all(map(_is_series, turns)):
                yield from (
                    SizeSeries(tuple(sorted(turn, key=_size_of_setting)), turn[0].tables[0])
                    for turn in turns
                )
            else:
                yield from (each for _, each in part)


def _is_series(settings: Sequence[Setting]) -> bool:
    """Return whether there are several settings with a variant in common."""
    variants = ({key for table in each.sound for key in keys_of(table)} for each in settings)
    return len(settings) > 1 and bool(set.intersection(*variants))


def _turns(items: Sequence[T], key: Callable[[T], Hashable]) -> list[list[T]]:
    """Split the items before each one whose key has already occurred."""
    turns: list[list[T]] = [[]]
    seen: set[Hashable] = set()
    for each in items:
        if key(each) in seen:
            turns.append([])
            seen = set()
        turns[-1].append(each)
        seen.add(key(each))
    return turns


def _by_section(
    items: Sequence[T], first: Callable[[T], Table], key: Callable[[T], Hashable]
) -> list[list[T]]:
    """Split the items by heading if a heading has several values of ``key``: each has a series."""
    sections: dict[tuple[str, int, str | None], list[T]] = {}
    number, heading = 0, None
    for each in items:
        table = first(each)
        if table.heading is not None and table.heading != heading:
            number, heading = number + 1, table.heading
        sections.setdefault((table.source, number, heading), []).append(each)
    several = any(len(set(map(key, part))) > 1 for part in sections.values())
    return list(sections.values()) if several and len(sections) > 1 else [list(items)]


def _apart(tables: Sequence[Table], stretches: Mapping[int, int]) -> list[list[Table]]:
    """Split tables with the same number of workers unless they directly follow each other."""
    groups: list[list[Table]] = []
    seen: set[tuple[int | None, Hashable]] = set()
    for each in tables:
        keys = {(workers_in(each), key) for key in keys_of(each)}
        if not groups or (keys & seen and stretches[id(each)] != stretches[id(groups[-1][-1])]):
            groups.append([])
            seen = set()
        groups[-1].append(each)
        seen |= keys
    return groups


def _split(groups: Sequence[Sequence[Table]], key: Callable[[Table], K]) -> list[list[Table]]:
    found: list[list[Table]] = []
    for group in groups:
        parts: dict[K, list[Table]] = {}
        for each in group:
            parts.setdefault(key(each), []).append(each)
        found += parts.values()
    return found


def size_of(table: Table) -> int | None:
    """The size in bytes that distinguishes tables.

    It is that of each array, or of all arrays of the kernel.
    """
    if table.array_bytes is None or not table.shares_size:
        return table.array_bytes
    return table.array_bytes * arrays_of(table.rows[0].kernel)


def _size_of_setting(setting: Setting) -> int:
    return size_of(setting.tables[0]) or 0


def _by_size(tables: Sequence[Table]) -> list[list[Table]]:
    classes = size_classes(size for each in tables if (size := size_of(each)) is not None)
    return _split([tables], lambda each: classes.get(size_of(each) or 0))


def size_classes(sizes: Iterable[int]) -> dict[int, int]:
    """For each size, the smallest size that counts as the same."""
    classes: dict[int, int] = {}
    least = 0
    for each in sorted(set(sizes)):
        if each > least * (1 + SAME_SIZE):
            least = each
        classes[each] = least
    return classes


def _by_code(tables: Sequence[Table]) -> list[list[Table]]:
    """Split the tables by code if one kernel with one kind of stores occurs with different code."""
    codes: dict[tuple[str, str], set[Hashable]] = {}
    for each in tables:
        for key in keys_of(each):
            codes.setdefault((key.kernel, key.store), set()).add(key)
    if all(len(each) == 1 for each in codes.values()):
        return [list(tables)]
    return _split([tables], lambda each: frozenset((e.isa, e.code, e.type) for e in keys_of(each)))


def describe(setting: Setting) -> str:
    """Describe a setting in words: ``STREAM 5.10 (C), 1 to 16 threads, arrays of 76 MiB``."""
    first = setting.tables[0]
    about = first.about
    parts = [" ".join(filter(None, (about.tool, about.version)))]
    if about.language:
        parts[0] += f" ({about.language})"
    if about.processor:
        parts.append(about.processor)
    codes = {row.code for each in setting.tables for row in each.rows if row.code}
    if len(codes) == 1:
        parts.append(codes.pop().removeprefix(f"{about.tool} "))
    parts.append(_workers(setting))
    sizes = [each.array_bytes for each in setting.tables if each.array_bytes is not None]
    if sizes:
        parts.append(f"arrays of {format_byte_range(min(sizes), max(sizes))}")
    return ", ".join(parts)


def best_rates(setting: Setting) -> dict[str, float]:
    """The rate of each kernel in GB/s: the median of its runs.

    For a scaling it is the highest of these.
    """
    found: dict[str, dict[int | None, list[float]]] = {}
    for table in setting.tables:
        for row in table.rows:
            kernel = KERNELS[row.kernel]
            counted = kernel.loads + kernel.stores
            more = kernel.stores if kernel.write_allocates else 0
            nominal = counted / (counted + more) if row.convention == "hardware" else 1.0
            rates = found.setdefault(row.kernel, {}).setdefault(workers_in(table), [])
            rates.append(row.gbps * nominal)
    return {name: max(map(median, points.values())) for name, points in found.items()}


def place_in(source: str, line: int, heading: str | None, *, sources: bool) -> str:
    """Where a table stands: ``NPS1 (line 25)``. ``sources``: name its file, too."""
    place = f"line {line}" if line else ""
    if sources:
        place = f"{source}:{line}" if line else source
    return f"{heading} ({place})" if heading and place else heading or place


def place_of(tables: Sequence[Table], *, sources: bool) -> str:
    """Where tables stand: ``NPS1 (line 25)`` or ``lines 7 to 16``."""
    first = min(tables, key=lambda each: each.line)
    last = max(each.line for each in tables)
    if last == first.line or len({each.source for each in tables}) > 1:
        return place_in(first.source, first.line, first.heading, sources=sources)
    heading = first.heading if {each.heading for each in tables} <= {None, first.heading} else None
    source = f"{first.source}, " if sources else ""
    place = f"{source}lines {first.line} to {last}"
    return f"{heading} ({place})" if heading else place


def _workers(setting: Setting) -> str:
    counts = setting.counts
    if not counts:
        return "number of threads unknown"
    last = count(counts[-1], "rank" if setting.of_ranks else "thread")
    threads = count(setting.threads_per_worker, "thread")
    of_each = f" of {threads}" if setting.of_ranks else ""
    return f"{'' if len(counts) == 1 else f'{counts[0]} to '}{last}{of_each}"
