"""Makes results of invented programs on machines with known rates."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from example_scale import machine_of, places_of, point_records

from streamgage.analysis.cores import order_of
from streamgage.analysis.statistics.rounds import FreshRun
from streamgage.records.run import collect
from streamgage.results.program.document import Moved, Program, Step
from streamgage.results.program.judge import ProgramSetup, judge_program
from streamgage.results.study.judge import ProgramRun, RunKey

COUNTS = (1, 2, 4)
GIVEN = Moved(known_by="given", bytes=30_000_000_000, source=None)
PRINTED = Moved(known_by="printed", bytes=None, source=None)
COUNTED = Moved(known_by="counters", bytes=30_000_000_000, source="amd_umc")


def saturating(n: int) -> float:
    """GB/s of n threads of a memory that gives 60."""
    return min(30.0 * n, 60.0)


def triad(n: int) -> Mapping[tuple[str, str], float]:
    """A machine whose streaming stores are a third faster."""
    return {("triad", "plain"): saturating(n), ("triad", "streaming"): 4 / 3 * saturating(n)}


def three_mixes(n: int) -> Mapping[tuple[str, str], float]:
    """A machine on which reads alone are faster than the other mixes."""
    return {
        ("sum", "plain"): 1.2 * saturating(n),
        ("sum", "regular"): 1.5 * saturating(n),
        ("triad", "plain"): saturating(n),
        ("copy", "plain"): 0.9 * saturating(n),
        ("copy", "streaming"): 1.2 * saturating(n),
    }


def program_of(
    seconds: Callable[[int], float] | None,
    *,
    loops: Callable[[int], Mapping[tuple[str, str], float]] = triad,
    moved: Moved | None = GIVEN,
    step: Step | None = None,
    rate: Callable[[int], float] | None = None,
    busy: Callable[[int], float] = float,
    rounds: int = 6,
    counts: tuple[int, ...] = COUNTS,
    taken: float = 0.0,
    phase: str = "whole run",
    failures: Mapping[tuple[str, int], str] | None = None,
) -> Program:
    """The result of a program that takes so many seconds with n threads, or prints ``rate``.

    ``failures``: sentences, by ``stream`` or ``program`` and n.
    """
    machine = machine_of(1, 4)
    why = failures or {}
    stream: list[tuple[int, FreshRun]] = []
    program: list[ProgramRun] = []
    order: list[RunKey] = []
    for number in range(1, rounds + 1):
        for n in counts:
            places = places_of(machine, order_of("compact", machine)[:n])
            shaken = {key: gbps * (1 + 0.002 * (number % 3)) for key, gbps in loops(n).items()}
            run = collect(point_records(machine, places, 0.0, taken=taken, loops=shaken))
            failed = why.get(("stream", n))
            stream.append((n, FreshRun(f"compact, {n}", number, run, failed, None)))
            order.append(RunKey("stream", n, number))
            if seconds is None:
                continue
            failed = why.get(("program", n))
            took = seconds(n) * (1 + 0.002 * ((number + n) % 3))
            program.append(
                ProgramRun(
                    n,
                    number,
                    {} if failed else {phase: (took, None)},
                    failed,
                    None,
                    used=None if failed else (busy(n) * took, took),
                    rate=None if failed or rate is None else rate(n) * (1 + 0.001 * number),
                )
            )
            order.append(RunKey("program", n, number))
    setup = ProgramSetup(
        command=() if seconds is None else ("bin/solver", "-n", "{n}"),
        moved=moved,
        kernel="triad" if loops is triad else None,
        step=step,
        placement="compact",
        rounds=rounds,
        seed=7,
        counts=counts,
    )
    return judge_program(stream, program, order, setup, machine)
