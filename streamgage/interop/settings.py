"""Groups tables that one program printed under one setting.

Tables that differ in their number of threads alone are a scaling. Tables with the same number of
threads are runs of one result where the benchmark's own lines alone stand between them, or where
the user says so; else each is a result of its own. Tables of different programs, machines or arrays
are never mixed.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import TypeVar

from streamgage.interop.kernels import KERNELS
from streamgage.interop.tables import Table, keys_of
from streamgage.units import count, format_bytes

SAME_SIZE = 0.01
"""Array sizes within this share of each other are one size: programs round them."""
K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True)
class Setting:
    """Tables, one at least, that differ in nothing but their number of workers."""

    tables: tuple[Table, ...]

    @property
    def counts(self) -> list[int]:
        """The numbers of workers, ascending; none if they are not known."""
        return sorted({n for each in self.tables if (n := workers_in(each)) is not None})

    @property
    def of_ranks(self) -> bool:
        """``True`` if the workers are MPI ranks."""
        return self.tables[0].ranks is not None

    @property
    def threads_per_worker(self) -> int:
        """1 for threads."""
        return _threads_per_rank(self.tables[0]) or 1

    @property
    def files(self) -> list[str]:
        """The files of the tables, each once."""
        return list(dict.fromkeys(each.source for each in self.tables))


def workers_in(table: Table) -> int | None:
    """The number of ranks, or without ranks of threads; ``None`` if the program does not say."""
    return table.ranks if table.ranks is not None else table.threads


def _threads_per_rank(table: Table) -> int | None:
    if table.ranks is None or table.threads is None:
        return None
    return table.threads // table.ranks


def settings_of(tables: Sequence[Table], *, runs: bool = False) -> list[Setting]:
    """The settings of the tables, in the order in which they first appear.

    ``runs``: tables of one setting are runs of it, wherever they stand.
    """
    found = _split([tables], lambda each: (each.about, _threads_per_rank(each), each.ranks is None))
    found = _split(found, lambda each: workers_in(each) is None)
    parts = [part for group in found for part in _by_size(group)]
    groups = [each for part in parts for each in _by_code(part)]
    if not runs:
        groups = [each for group in groups for part in _by_section(group) for each in _apart(part)]
    order = {id(table): number for number, table in enumerate(tables)}
    return [Setting(tuple(each)) for each in sorted(groups, key=lambda each: order[id(each[0])])]


def _by_section(tables: Sequence[Table]) -> list[list[Table]]:
    """Separate headings that have several numbers of workers: each heading has its scaling."""
    sections: dict[tuple[str, int, str | None], list[Table]] = {}
    number, heading = 0, None
    for each in tables:
        if each.heading is not None and each.heading != heading:
            number, heading = number + 1, each.heading
        sections.setdefault((each.source, number, heading), []).append(each)
    several = any(len({workers_in(e) for e in part}) > 1 for part in sections.values())
    return list(sections.values()) if several and len(sections) > 1 else [list(tables)]


def _apart(tables: Sequence[Table]) -> list[list[Table]]:
    """Separate tables with the same number of workers, unless they follow each other."""
    groups: list[list[Table]] = []
    seen: set[tuple[int | None, Hashable]] = set()
    for each in tables:
        keys = {(workers_in(each), key) for key in keys_of(each)}
        if not groups or (keys & seen and not _is_next_run(each, groups[-1][-1])):
            groups.append([])
            seen = set()
        groups[-1].append(each)
        seen |= keys
    return groups


def _is_next_run(table: Table, before: Table) -> bool:
    """Return whether the text between two tables does not distinguish them."""
    return table.follows and table.source == before.source


def _split(groups: Sequence[Sequence[Table]], key: Callable[[Table], K]) -> list[list[Table]]:
    found: list[list[Table]] = []
    for group in groups:
        parts: dict[K, list[Table]] = {}
        for each in group:
            parts.setdefault(key(each), []).append(each)
        found += parts.values()
    return found


def _by_size(tables: Sequence[Table]) -> list[list[Table]]:
    """Separate tables in which one variant has arrays of several sizes.

    Different tests of likwid-bench may have different arrays in one setting.
    """
    sizes: dict[Hashable, set[int | None]] = {}
    for each in tables:
        for key in keys_of(each):
            sizes.setdefault(key, set()).add(each.array_bytes)
    if all(len(set(_classes(each).values())) == 1 for each in sizes.values()):
        return [list(tables)]
    classes = _classes({each.array_bytes for each in tables})
    return _split([tables], lambda each: classes[each.array_bytes])


def _classes(sizes: set[int | None]) -> dict[int | None, int | None]:
    """The smallest size that counts as the same, for each size."""
    classes: dict[int | None, int | None] = {None: None} if None in sizes else {}
    least = 0
    for each in sorted(size for size in sizes if size is not None):
        if each > least * (1 + SAME_SIZE):
            least = each
        classes[each] = least
    return classes


def _by_code(tables: Sequence[Table]) -> list[list[Table]]:
    """Apart where several tables have one kernel with one kind of stores in different code."""
    codes: dict[tuple[str, str], set[Hashable]] = {}
    for each in tables:
        for key in keys_of(each):
            codes.setdefault((key.kernel, key.store), set()).add(key)
    if all(len(each) == 1 for each in codes.values()):
        return [list(tables)]
    return _split([tables], lambda each: frozenset((e.isa, e.code, e.type) for e in keys_of(each)))


def describe(setting: Setting) -> str:
    """The description of a setting: ``STREAM 5.10 (C), 1 to 16 threads, arrays of 76 MiB``."""
    first = setting.tables[0]
    about = first.about
    parts = [" ".join(filter(None, (about.tool, about.version)))]
    if about.language:
        parts[0] += f" ({about.language})"
    if about.processor:
        parts.append(about.processor)
    codes = {row.code for each in setting.tables for row in each.rows if row.code}
    if len(codes) == 1:
        parts.append(codes.pop())
    parts.append(_workers(setting))
    sizes = {each.array_bytes for each in setting.tables if each.array_bytes is not None}
    if sizes:
        parts.append(f"arrays of {format_bytes(min(sizes))}")
    return ", ".join(parts)


def best_rates(setting: Setting) -> dict[str, float]:
    """GB/s of each kernel as printed: the median of its runs; of a scaling that of the best."""
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
    """The place of a table: ``NPS1 (line 25)``, after its file if there are several."""
    place = f"line {line}" if line else ""
    if sources:
        place = f"{source}:{line}" if line else source
    return f"{heading} ({place})" if heading and place else heading or place


def _workers(setting: Setting) -> str:
    counts = setting.counts
    if not counts:
        return "number of threads unknown"
    last = count(counts[-1], "rank" if setting.of_ranks else "thread")
    each = count(setting.threads_per_worker, "thread")
    of_each = f" of {each}" if setting.of_ranks else ""
    return f"{'' if len(counts) == 1 else f'{counts[0]} to '}{last}{of_each}"
