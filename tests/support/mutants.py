"""Results with one thing changed, and every way in which a result can be shown."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from example_results import ignore

from streamgage.api.report_file import ReportFormat
from streamgage.api.report_file import page_of as report_of
from streamgage.comparison.compare.comparison import comparison
from streamgage.comparison.compare.page import page_of as compared_page
from streamgage.errors import StreamgageError
from streamgage.html.content import content
from streamgage.programs.predict.judge import predicted
from streamgage.programs.predict.page import page_of as predicted_page
from streamgage.results.render import draw_result, render_result
from streamgage.results.result import Result
from streamgage.results.scale.document import Scale
from streamgage.results.summarise import summary_of
from streamgage.results.summary import Summary
from streamgage.show.formats import FORMATS, ResultToWrite
from streamgage.store import Store
from streamgage.store.export import (
    FIGURE_COLUMNS,
    SAMPLE_COLUMNS,
    ResultToExport,
    as_csv,
    export_document,
    figure_rows,
    sample_rows,
)
from streamgage.store.history import page_of as history_of
from streamgage.store.openmetrics import render as openmetrics

Json = Any
Steps = tuple[str | int, ...]
"""The path of a place in JSON."""


OTHER_TYPES: tuple[Any, ...] = ("all", 7, 0.5, True, None, [], {}, [[]], [None], {"a": 1})
SMALL: tuple[Any, ...] = (0, 1, 2, -1, 0.0, 1e-9, 1.0, 3.7)
LARGE: tuple[Any, ...] = (1 << 17, 1 << 53, 1 << 60, 1 << 63, 1e9, 1e12, 1e30, 1e308, -1e308)
TEXTS = ("", "0-9999999999", "3-1", "0-131071", "\x00\x1b[2J", "\u202e", "x" * 5000, "9999-12-31")


def places(value: Json, path: Steps = ()) -> Iterator[Steps]:
    """The path of every field, and of the first and last item of every list."""
    if path:
        yield path
    if isinstance(value, dict):
        for name, each in value.items():
            yield from places(each, (*path, name))
    elif isinstance(value, list) and value:
        for place in sorted({0, len(value) - 1}):
            yield from places(value[place], (*path, place))


def at(value: Json, path: Steps) -> Json:
    """The value at ``path``."""
    for step in path:
        value = value[step]
    return value


GONE = object()
_FROM_ELSEWHERE = 0.2
_DEEPER = 0.9
"""How often a place within a value is taken, and not the value."""


def changed(document: Json, path: Steps, new: Json) -> Json:
    """A copy of ``document`` with ``new`` at ``path``, or without it."""
    made = copy.deepcopy(document)
    holder = at(made, path[:-1])
    if new is GONE:
        del holder[path[-1]]
    else:
        holder[path[-1]] = new
    return made


def instead_of(value: Json) -> Iterator[Json]:
    """Values to put in place of ``value``: of other types, and the ends of all ranges."""
    yield GONE
    yield from OTHER_TYPES
    if isinstance(value, int | float) and not isinstance(value, bool):
        yield from SMALL
        yield from LARGE
        yield -value
    elif isinstance(value, str):
        yield from TEXTS
    elif isinstance(value, list) and value:
        yield value[:1]
        yield [*value, *value]
        yield value[::-1]
    elif isinstance(value, bool):
        yield not value


def mutated(document: Json, source: random.Random) -> None:
    """Change ``document`` at a place that ``source`` draws, or put there what is elsewhere."""
    holder, step = _drawn_place(document, source)
    if holder is None:
        return
    new = source.choice(list(instead_of(holder[step])))
    if source.random() < _FROM_ELSEWHERE:
        other, place = _drawn_place(document, source)
        new = copy.deepcopy(other[place])
    if new is GONE:
        del holder[step]
    else:
        holder[step] = new


def _drawn_place(document: Json, source: random.Random) -> tuple[Json, Any]:
    """A dictionary or list with a key of it; ``None`` where there is none."""
    holder, step, value = None, None, document
    while isinstance(value, dict | list) and value:
        if holder is not None and source.random() > _DEEPER:
            break
        keys = list(value) if isinstance(value, dict) else range(len(value))
        holder, step = value, source.choice(keys)
        value = holder[step]
    return holder, step


@dataclass(frozen=True)
class Mutant:
    """A result in which one place is changed; ``make`` gives its content."""

    what: str
    make: Callable[[], bytes]


def mutants_of(name: str, content: bytes) -> list[Mutant]:
    """Every change of every field of a file of that name."""
    if name.endswith(".jsonl"):
        return list(_of_records(content.splitlines()))
    return list(_of_document(json.loads(content)))


def _of_document(document: Json, before: str = "") -> Iterator[Mutant]:
    for path in places(document):
        for new in instead_of(at(document, path)):
            text = "gone" if new is GONE else repr(new)[:40]
            name = ".".join(map(str, path))
            yield Mutant(f"{before}{name}: {text}", partial(_written, document, path, new))


def _written(document: Json, path: Steps, new: Json) -> bytes:
    return json.dumps(changed(document, path, new)).encode()


def _of_records(lines: list[bytes]) -> Iterator[Mutant]:
    """Of the first record of each type; and each of these twice, or gone."""
    seen = set()
    for number, line in enumerate(lines):
        record = json.loads(line)
        kind = record["record"]
        if kind in seen:
            continue
        seen.add(kind)
        yield Mutant(f"{kind} gone", partial(_joined, lines, number, bytes))
        yield Mutant(f"{kind} twice", partial(_joined, [*lines, line], number, line.strip))
        for each in _of_document(record, f"{kind}."):
            yield Mutant(each.what, partial(_joined, lines, number, each.make))


def _joined(lines: list[bytes], number: int, make: Callable[[], bytes]) -> bytes:
    return b"\n".join([*lines[:number], make(), *lines[number + 1 :], b""])


def shown_in_every_way(
    loaded: Result[Any], other: Result[Any], folder: Path, *, fully: bool
) -> None:
    """Write it in every format, report and compare it, and list it in a store at ``folder``.

    ``fully``: draw it and lay out its page, too, which takes longer. Each may end with a sentence.
    """
    for show in ways_to_show(loaded, other, folder, fully=fully):
        with suppress(StreamgageError):
            show()


def ways_to_show(
    loaded: Result[Any], other: Result[Any], folder: Path, *, fully: bool
) -> Iterator[Callable[[], object]]:
    """What ``shown_in_every_way`` does, one by one."""
    document = loaded.document
    for form in loaded.kind.formats:
        yield partial(render_result, loaded, form, details=True)
    yield partial(render_result, loaded, "table")
    yield partial(content, loaded, 1)
    yield partial(report_of, [loaded, other], ReportFormat.MD, "")
    if fully:
        yield partial(draw_result, loaded, Path("a.svg"))
        yield partial(report_of, [loaded, other], ReportFormat.HTML, "")
    if loaded.kind == other.kind:
        yield lambda: compared_page(comparison([[loaded], [other]], fail_below=0.5))
        yield lambda: compared_page(comparison([[other], [loaded]]))
        yield lambda: compared_page(comparison([[loaded, other], [other]]))
    if isinstance(document, Scale):
        for n in {each.n for curve in document.curves for each in curve.points}:
            yield partial(_predicted, document, n)
    summary = summary_of(loaded)
    chosen = [ResultToExport("1", summary, lambda: loaded)]
    yield lambda: as_csv(FIGURE_COLUMNS, figure_rows(chosen))
    yield lambda: as_csv(SAMPLE_COLUMNS, sample_rows(chosen))
    yield lambda: msgspec.json.encode(export_document(chosen, ignore))
    yield lambda: openmetrics([summary])
    yield lambda: _listed(summary, loaded, folder)


def _predicted(document: Scale, n: int) -> None:
    predicted_page(predicted(document, n))


def _listed(summary: Summary, loaded: Result[Any], folder: Path) -> None:
    with Store(folder / "store.sqlite", create=True) as store:
        number = store.add(summary, loaded.files)
        entries = store.entries(ignore)
        assert number in {each.id for each in entries}, "what was added is listed"
        history = history_of(entries, None)
        store.remove([number])
    for each in FORMATS:
        if not each.needs:
            each.write(ResultToWrite(entries, lambda: history))
