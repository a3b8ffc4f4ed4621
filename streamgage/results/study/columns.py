"""``--format csv`` and ``dat``: a study's figures as columns."""

from __future__ import annotations

import csv as csv_module
import io
from collections.abc import Iterator

from streamgage.analysis.statistics.estimate import Bounded
from streamgage.results.study.document import Study
from streamgage.results.study.rows import commands, phase_name, series, solver_line, uncertainty
from streamgage.show.machine_lines import line_of_machine
from streamgage.show.symbols import ASCII

_BOUNDS = ("", "_low", "_high")
COLUMNS = (
    *("case", "phase", "n"),
    *(f"gbps{bound}" for bound in _BOUNDS),
    *(f"seconds{bound}" for bound in _BOUNDS),
    "count",
    *(f"speedup{bound}" for bound in _BOUNDS),
    *(f"efficiency{bound}" for bound in _BOUNDS),
    *(f"each_efficiency{bound}" for bound in _BOUNDS),
    *(f"over_first{bound}" for bound in _BOUNDS),
    *(f"share{bound}" for bound in _BOUNDS),
)
STREAM, DISTRIBUTION = "STREAM", "ServerDist"


def csv(answer: Study) -> str:
    """A header line, STREAM's points, those of the phases, and what handing a system over takes.

    What is not known is empty.
    """
    text = io.StringIO()
    writer = csv_module.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for each in answer.stream:
        figures = [each.gbps, None, each.speedup, each.efficiency, None, None, None]
        writer.writerow(_line("", STREAM, each.n, "", figures))
    for phase in answer.phases:
        for point in phase.points:
            count = "" if point.count is None else f"{point.count:g}"
            figures = [
                None,
                point.seconds,
                point.speedup,
                point.efficiency,
                point.each_efficiency,
                point.over_first,
                None,
            ]
            writer.writerow(_line(phase.case or "", phase.name, point.n, count, figures))
    for handed in answer.distribution:
        figures = [None, handed.seconds, None, None, None, None, handed.share]
        writer.writerow(_line(handed.case, DISTRIBUTION, handed.n, "", figures))
    return text.getvalue()


def _line(case: str, name: str, n: int, count: str, figures: list[Bounded | None]) -> list[str]:
    gbps, seconds, *rest = ([*map(_text, _three(each))] for each in figures)
    return [case, name, str(n), *gbps, *seconds, count, *(cell for three in rest for cell in three)]


def _three(figure: Bounded | None) -> tuple[float | None, ...]:
    return (None,) * 3 if figure is None else (figure.value, figure.low, figure.high)


def _text(value: float | None) -> str:
    return "" if value is None else f"{value:.6g}"


def dat(answer: Study) -> str:
    """Columns for gnuplot: a block for STREAM, then one a phase, two empty lines apart."""
    return "\n".join(_lines(answer)) + "\n"


def _lines(answer: Study) -> Iterator[str]:
    yield from (f"# streamgage study: {command}" for command in commands(answer))
    if (solver := solver_line(answer)) is not None:
        yield f"# {solver}"
    if answer.machine is not None:
        yield f"# {line_of_machine(answer.machine, ASCII)}"
        yield f"# {answer.machine.host}, {answer.machine.time}"
    yield f"# {series(answer, ASCII)}"
    yield f"# low, high: {uncertainty(answer)}"
    yield f"# index 0: STREAM, {answer.kernel} {answer.store}"
    yield _row("nt", ("GB/s", "low", "high", "speedup", "efficiency"), comment=True)
    for each in answer.stream:
        yield _row(str(each.n), (*_cells(each.gbps), *_first(each.speedup, each.efficiency)))
    for number, phase in enumerate(answer.phases, 1):
        yield from ("", "", f"# index {number}: {phase_name(phase)}")
        heads = ("seconds", "low", "high", "speedup", "efficiency", "of_one")
        yield _row("nt", heads, comment=True)
        for point in phase.points:
            of_one = point.each_efficiency
            ratios = _first(point.speedup, point.efficiency, of_one)
            yield _row(str(point.n), (*_cells(point.seconds), *ratios))


def _row(first: str, rest: tuple[str, ...], *, comment: bool = False) -> str:
    lead = f"#{first:>7}" if comment else f"{first:>8}"
    return f"{lead} {' '.join(f'{each:>12}' for each in rest)}"


def _cells(figure: Bounded) -> tuple[str, ...]:
    return tuple(_text(each) or "NaN" for each in _three(figure))


def _first(*figures: Bounded | None) -> tuple[str, ...]:
    return tuple("NaN" if each is None else _text(each.value) for each in figures)
