"""A study as rows of text: STREAM's table, then one a phase."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import floor, isclose, log10

from streamgage.analysis.statistics.bootstrap import FEWEST
from streamgage.analysis.statistics.estimate import Bounded
from streamgage.results.study.document import Phase, Study
from streamgage.show.symbols import Symbols
from streamgage.units import count, format_bytes, format_rate, format_share

DASH = "-"


@dataclass(frozen=True)
class Block:
    """One table: what it is of, its head, and its rows."""

    title: str
    heads: tuple[str, ...]
    rows: list[tuple[str, ...]]


def blocks(answer: Study, symbols: Symbols) -> Iterator[Block]:
    """STREAM, then each phase with STREAM's efficiency beside its own."""
    if answer.stream:
        yield Block(
            f"STREAM, {answer.kernel} {answer.store}",
            ("n", "GB/s", "speedup", "eff."),
            [
                (
                    str(each.n),
                    bounded(each.gbps, format_rate, symbols),
                    bounded(each.speedup, _two_digits, symbols),
                    share(each.efficiency),
                )
                for each in answer.stream
            ],
        )
    for phase in answer.phases:
        yield _phase(answer, phase, symbols)
    if answer.distribution:
        yield Block(
            "Handing the system to the server's ranks",
            ("n", "seconds", "share", "by"),
            [
                (
                    str(each.n),
                    bounded(each.seconds, format_seconds, symbols),
                    bounded(each.share, _percent, symbols),
                    each.case,
                )
                for each in answer.distribution
            ],
        )


def _phase(answer: Study, phase: Phase, symbols: Symbols) -> Block:
    stream = {each.n: each.efficiency for each in answer.stream}
    counted = any((each.count or 1) > 1 for each in phase.points)
    uneven = any(_differs(each.efficiency, each.each_efficiency) for each in phase.points)
    beside = any(each.over_first is not None for each in phase.points)
    heads = ["n", "seconds", "speedup", "eff.", "STREAM's"]
    if beside:
        heads.append(f"/ {answer.cases[0].name}")
    rows = []
    for each in phase.points:
        row = [
            str(each.n),
            bounded(each.seconds, format_seconds, symbols),
            bounded(each.speedup, _two_digits, symbols),
            share(each.efficiency),
            share(stream.get(each.n)),
        ]
        if beside:
            row.append(bounded(each.over_first, _two_digits, symbols))
        if counted:
            row.append(DASH if each.count is None else f"{each.count:g}")
        if uneven:
            row.append(share(each.each_efficiency))
        rows.append(tuple(row))
    if counted:
        heads.append("count")
    if uneven:
        heads.append("eff. of one")
    return Block(phase_name(phase), tuple(heads), rows)


def _differs(one: Bounded | None, other: Bounded | None) -> bool:
    """Whether calls change with the number of workers, so that one of them scales otherwise."""
    return other is not None and (one is None or not isclose(one.value, other.value))


def phase_name(phase: Phase) -> str:
    """With its case, where there are several."""
    return phase.name if phase.case is None else f"{phase.name}, {phase.case}"


def format_seconds(seconds: float) -> str:
    """Three digits."""
    decimals = 2 - floor(log10(seconds)) if seconds > 0 else 0
    return f"{seconds:.{max(0, decimals)}f}"


def share(figure: Bounded | None) -> str:
    """An efficiency."""
    return DASH if figure is None else format_share(figure.value)


def bounded(figure: Bounded | None, write: Callable[[float], str], symbols: Symbols) -> str:
    """A figure with half of its interval, where there is one."""
    if figure is None:
        return DASH
    low, high = figure.low, figure.high
    if low is None or high is None:
        return write(figure.value)
    half = max(high - figure.value, figure.value - low)
    written, _, unit = write(figure.value).partition(" ")
    if unit == "%":
        half *= 100
    decimals = len(written.partition(".")[2])  # as many as the figure itself
    return f"{written} {symbols.plus_minus}{half:.{decimals}f}{unit and f' {unit}'}"


def _percent(part: float) -> str:
    return f"{100 * part:.1f} %"


def _two_digits(value: float) -> str:
    return f"{value:.2f}"


def commands(answer: Study) -> Iterator[str]:
    """Each program's, after its name where there are several; of the later ones what is new."""
    first = answer.cases[0].command
    for case in answer.cases:
        if not case.command:
            continue
        if case.name is None:
            yield shlex.join(case.command)
        elif case is answer.cases[0]:
            yield f"{case.name}: {shlex.join(case.command)}"
        else:
            yield f"{case.name}, with: {shlex.join(_new_words(case.command, first))}"


def _new_words(command: list[str], first: list[str]) -> list[str]:
    """Those between what both begin with and what both end with."""
    most = min(len(command), len(first))
    start = next((i for i in range(most) if command[i] != first[i]), most)
    most -= start
    end = next((i for i in range(most) if command[-1 - i] != first[-1 - i]), most)
    return command[start : len(command) - end]


def solver_line(answer: Study) -> str | None:
    """PETSc, and the size of the system; null where it is not PETSc's."""
    solver = answer.solver
    if solver is None:
        return None
    line = f"PETSc {solver.petsc}{' (debugging on)' if solver.debug else ''}"
    if solver.mpi is not None:
        line += f", {solver.mpi}"
    if solver.unknowns is not None and solver.matrix_bytes is not None:
        line += f", {solver.unknowns:,} unknowns, matrix {format_bytes(solver.matrix_bytes)}"
    return line


def series(answer: Study, symbols: Symbols) -> str:
    """What ran, and how it was placed."""
    what = answer.workers if answer.launcher is None else f"ranks by {answer.launcher}"
    if answer.threads_per_worker > 1:
        what += f" of {answer.threads_per_worker} threads"
    rounds = count(answer.rounds, "round")
    if answer.seed is not None:
        rounds += f", STREAM and the program in mixed order (seed {answer.seed})"
    return symbols.separator.join([what, answer.binding, rounds])


def uncertainty(answer: Study) -> str:
    """What the bounds of a figure are."""
    if answer.rounds < FEWEST:
        return f"the extremes of {count(answer.rounds, 'round')}"
    return f"95 % interval of the median of {answer.rounds} rounds"


def foot(answer: Study, symbols: Symbols) -> str:
    """What the figures are."""
    return (
        f"Medians; {symbols.plus_minus}: {uncertainty(answer)}. GB/s of nominal bytes. Speedups are"
        " over one worker, paired round by round; eff.: speedup over n."
    )
