"""The answers about a program: what it moves, whether memory is its limit, what would help."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from streamgage.analysis.conclusion import Conclusion, fact, sound, undecided
from streamgage.analysis.grade import Grade
from streamgage.analysis.saturation import ENOUGH, SCALING
from streamgage.analysis.statistics.estimate import Estimate
from streamgage.results.program.document import Gain, Mix, Program, ProgramPoint
from streamgage.results.program.judge import STREAMING
from streamgage.units import (
    count,
    format_figure,
    format_half_width,
    format_range,
    format_rate,
    format_share,
    format_volume,
    listed,
)

NEAR = 0.80
"""From this share of what the machine gives on, memory is the limit."""
FAR = 0.50
"""Up to this share, memory bandwidth is not the limit of the whole run."""
ABOVE = 1.10
"""Above this share, some of the counted bytes did not come from memory."""
_WORTH = 1.02
"""A smaller gain of streaming stores is not worth a word."""
_IDLE = 0.15
"""A program that leaves this share of its threads' CPUs idle does not use them all."""


@dataclass(frozen=True)
class Answer:
    """One answer on the first screen, under a short name."""

    name: str
    conclusion: Conclusion


def conclusions(program: Program) -> list[Conclusion]:
    """Everything that follows from the figures, in sentences."""
    return [each.conclusion for each in answers(program)]


def answers(program: Program) -> list[Answer]:
    """The answers, in the order of the screen."""
    best = program.best
    found = [] if best is None else [Answer("Moves", _moves(program, best))]
    if best is None:
        return found
    if program.step is not None:
        found += [Answer("At most", each) for each in _reach(program)]
    if best.shares:
        found.append(Answer("Limit", _limit(program, best)))
    found += [Answer("Bus", each) for each in _bus(program)]
    found += [Answer("Threads", each) for each in _threads(program)]
    found += [Answer("Would help", each) for each in _help(program, best)]
    return [*found, Answer("Not known", fact(_unknown(program)))]


def headline(program: Program) -> str:
    """The answer in one line, as its figures alone give it: ``triad: memory is the limit``."""
    best = program.best
    if best is None:
        return f"{program.called}: nothing was measured"
    if not best.shares:
        if best.most_steps is not None:
            what = f"{_figure(best.most_steps)} {_steps(program)}/s"
            return f"{program.called}: at most {what} with {count(best.n, 'thread')}"
        return f"{program.called}: what it moves is not known"
    verdict = {
        "memory": "memory is the limit",
        "other": "memory bandwidth is not the limit",
        "above": "it moves more than memory gives",
        "open": "not clear whether memory is the limit",
    }[verdict_of(best)]
    enough = _enough(program)
    if enough is None or enough[1] != "sound":
        return f"{program.called}: {verdict}"
    need = "is" if enough[0].n == 1 else "are"
    most = program.counts[-1]
    worth = "enough" if enough[0].n < most else "worth using"
    return f"{program.called}: {verdict}; {count(enough[0].n, 'thread')} {need} {worth}"


def verdict_of(point: ProgramPoint) -> str:
    """``memory``, ``other``, ``above``, or ``open``, over all mixes that may be the program's.

    Each share counts by its bounds, so that noise decides nothing; without bounds it is open.
    """
    if any(each.share.low is None for each in point.shares):
        return "open"
    low, high = share_range(point)
    if low > ABOVE:
        return "above"
    if low >= NEAR:
        return "memory"
    return "other" if high <= FAR else "open"


def share_range(point: ProgramPoint) -> tuple[float, float]:
    """The least and the greatest share over all mixes, with their bounds."""
    bounds = [_bounds(each.share) for each in point.shares]
    return min(low for low, _ in bounds), max(high for _, high in bounds)


def mix_words(mix: Mix) -> str:
    """``2 reads, 1 write``."""
    parts = [
        count(number, word)
        for number, word in ((mix.reads, "read"), (mix.writes, "write"))
        if number
    ]
    return ", ".join(parts)


def _moves(program: Program, best: ProgramPoint) -> Conclusion:
    if program.moved is None:
        if program.step is not None:
            step = program.step
            of = f" of {step.model}" if step.model else ""
            return fact(f"{format_volume(step.bytes)} for each {step.name}{of}.")
        return fact(
            "Unknown. Give --bytes (those of a run), --rate (what it prints), or on a machine that"
            " counts them --counters."
        )
    threads = count(best.n, "thread")
    if best.gbps is None:
        return fact("Unknown, because no run of it succeeded.")
    rate = f"{_rate(best.gbps)} with {threads}"
    volume = "" if program.moved.bytes is None else format_volume(program.moved.bytes)
    match program.moved.known_by:
        case "given":
            of = "its own time" if program.timed == "printed" else "the whole run"
            return fact(f"{rate}: the {volume} that you gave, in the time of {of}.")
        case "printed":
            return fact(f"{rate}, by the rate that it prints.")
        case "counters":
            return fact(
                f"{rate}: {volume} crossed the memory bus in one run ({program.moved.source}),"
                " with what other programs moved in that time."
            )


def _limit(program: Program, best: ProgramPoint) -> Conclusion:
    low, high = share_range(best)
    threads = count(best.n, "thread")
    given = _given(program, best)
    one = len(best.shares) == 1
    shares = _share_words(best.shares[0].share) if one else range_of_shares(low, high)
    reaches = f"It reaches {shares} of {given} that this machine gives {threads}"
    reaches += "" if one else ", depending on its mix of reads and writes"
    match verdict_of(best):
        case "above":
            return sound(
                f"{reaches}. So part of these bytes comes from caches, or the count is too high:"
                " it does not show whether memory is the limit."
            )
        case "memory":
            return sound(f"{reaches}: memory is the limit.")
        case "other":
            whole = "" if program.timed == "printed" else " of the whole run; a part of it may be"
            end = f"{whole} at the limit" if whole else ""
            return sound(f"{reaches}: memory bandwidth is not the limit{end}.")
        case _:
            why = "it is neither near nor far"
            if best.rounds < 2:
                why = "one round does not show its noise"
            elif not one:
                why = "its mix is not known (--kernel)"
            return undecided(f"{reaches}. Whether memory is the limit is not clear: {why}.")


def _given(program: Program, best: ProgramPoint) -> str:
    """What the machine gives: ``12.4 ±0.2 GB/s (triad)`` or ``11.1 to 23.4 GB/s``."""
    rates = {(each.kernel, each.store): each.gbps for each in best.machine}
    used = [rates[each.kernel, each.store] for each in best.shares]
    if len(used) > 1:
        return f"the {format_range(min(e.value for e in used), max(e.value for e in used))}"
    mix = next(each for each in program.mixes if each.kernel == best.shares[0].kernel)
    return f"the {_rate(used[0])} ({mix.kernel}: {mix_words(mix)})"


def _reach(program: Program) -> Iterator[Conclusion]:
    step = program.step
    points = [each for each in program.points if each.most_steps is not None]
    if step is None or not points:
        return
    name = _steps(program)
    best = max(points, key=lambda each: each.most_steps.value if each.most_steps else 0.0)
    assert best.most_steps is not None
    text = f"{_figure(best.most_steps)} {name}/s with {count(best.n, 'thread')}"
    others = [
        f"{_figure(each.most_steps)} with {each.n}"
        for each in points
        if each is not best and each.most_steps
    ]
    more = f" ({', '.join(others)})" if others else ""
    decided = sound if best.most_steps.low is not None else undecided
    yield decided(f"{text}{more}: what the memory gives, over {format_volume(step.bytes)} a step.")
    if step.reached is not None:
        low, high = _bounds(best.most_steps)
        shares = range_of_shares(step.reached / high, step.reached / low)
        text = f"Your {format_figure(step.reached)} {name}/s are {shares} of that"
        if step.reached > high * ABOVE:
            text += ": more than memory gives, so fewer bytes are read for it"
        yield decided(f"{text}.")


def _bus(program: Program) -> Iterator[Conclusion]:
    """Say so if the bus is not full, in each mix that was measured and over all bounds.

    The rule is that of ``saturation``: the bandwidth rises by more than half of what perfect
    scaling would give, from the second highest number of threads to the highest.
    """
    measured = [each for each in program.points if each.machine]
    if len(measured) < 2:
        return
    fewer, most = measured[-2:]
    rises = []
    before = _ordinary_rates(fewer)
    for kernel, after in _ordinary_rates(most).items():
        start = before.get(kernel)
        if start is None or not start.low or start.high is None:
            return
        if after.low is None or after.high is None:
            return
        rises.append((after.low / start.high, after.high / start.low))
    if not rises:
        return
    low, high = min(low for low, _ in rises), max(high for _, high in rises)
    if low <= 0 or math.log(low) <= SCALING * math.log(most.n / fewer.n):
        return
    rise = " to ".join(dict.fromkeys(f"{each:.2f}" for each in (low, high)))
    yield sound(
        f"Not full: {most.n} threads get {rise} times the bandwidth of {fewer.n}. So the cores are"
        " the limit here, not the bus that they share: each draws what it can."
    )


def _ordinary_rates(point: ProgramPoint) -> dict[str, Estimate]:
    """The rate of each kernel with its faster kind of ordinary store."""
    found: dict[str, Estimate] = {}
    for each in sorted(point.machine, key=lambda each: each.gbps.value):
        if each.store != STREAMING:
            found[each.kernel] = each.gbps
    return found


def _threads(program: Program) -> Iterator[Conclusion]:
    timed = [each for each in program.points if each.seconds is not None]
    if not timed:
        yield from _threads_of_machine(program)
        return
    found = _enough(program)
    speeds = [f"{each.n}: {format_share(each.speed.value)}" for each in timed if each.speed]
    if found is None:
        yield fact(f"Only {count(timed[0].n, 'thread')} ran; --threads names more.")
    else:
        point, grade = found
        of = f" of the best speed ({', '.join(speeds)})"
        if point.n == timed[0].n:
            need = "is" if point.n == 1 else "are"
            text = f"{count(point.n, 'thread')} {need} enough: more bring 10 % at most"
        else:
            text = f"{count(point.n, 'thread')} are worth using: fewer have less than 90 %"
        yield Conclusion(grade=grade, text=f"{text}{of}.")
    idle = [
        each
        for each in timed
        if each.n > 1 and each.busy is not None and _bounds(each.busy)[1] < each.n * (1 - _IDLE)
    ]
    if idle:
        last = idle[-1]
        assert last.busy is not None
        yield sound(
            f"It kept {format_figure(last.busy.value)} CPUs busy with {last.n} threads: it does not"
            " use all of them all the time, or it ignores OMP_NUM_THREADS (write {n} where it"
            " takes the number)."
        )


def _threads_of_machine(program: Program) -> Iterator[Conclusion]:
    """Say how many threads the memory needs, if no program ran."""
    best = {
        each.n: max(each.machine, key=lambda one: one.gbps.value).gbps
        for each in program.points
        if each.machine
    }
    if len(best) < 2:
        return
    most = max(best.values(), key=lambda each: each.value)
    n = next(n for n, each in best.items() if each.value >= ENOUGH * most.value)
    sure = _bounds(best[n])[0] >= ENOUGH * _bounds(most)[1]
    before = [each for number, each in best.items() if number < n]
    sure = sure or (best[n] is most and all(_bounds(e)[1] < _bounds(most)[0] for e in before))
    rates = ", ".join(f"{number}: {format_rate(each.value)}" for number, each in best.items())
    text = f"{count(n, 'thread')}: the fewest with 90 % of the best bandwidth ({rates} GB/s)."
    yield (sound if sure else undecided)(text)


def _enough(program: Program) -> tuple[ProgramPoint, Grade] | None:
    """The fewest threads with 90 % of the best speed, and how sure that is.

    ``None`` unless the program ran with several numbers of threads.
    """
    timed = [each for each in program.points if each.speed is not None]
    if len(timed) < 2:
        return None
    point = next(each for each in timed if each.speed and each.speed.value >= ENOUGH)
    fewer = [each.speed for each in timed if each.n < point.n and each.speed]
    known = program.rounds > 1
    sure = all(_bounds(each)[1] < ENOUGH for each in fewer)
    own = point.speed is not None and _bounds(point.speed)[0] >= ENOUGH
    return point, "sound" if known and sure and own else "undecided"


def _help(program: Program, best: ProgramPoint) -> Iterator[Conclusion]:
    if program.moved is None or not best.shares:
        return
    verdict = verdict_of(best)
    if verdict == "memory":
        gains = [each for each in best.gains if _bounds(each.ratio)[0] > _WORTH]
        if gains:
            yield sound(_streaming(gains))
        yield undecided("Fewer bytes for each step: smaller types, fused loops, blocks in cache.")
    elif verdict == "other":
        yield undecided(
            "Not fewer bytes alone: what holds it is computing, waiting for single loads, or time"
            " without work. A profiler shows where its time goes."
        )


def _streaming(gains: list[Gain]) -> str:
    parts = [f"{_times(each.ratio)} as fast as ordinary ones in {each.kernel}" for each in gains]
    return (
        f"Streaming stores are {listed(parts)} here: they help if its stores overwrite what it does"
        " not read."
    )


def _unknown(program: Program) -> str:
    parts = []
    if program.moved is None or program.moved.known_by != "counters":
        parts.append("what really crossed the bus (no counters were read)")
    if program.command and program.kernel is None and program.step is None:
        parts.append("its mix of reads and writes (--kernel names one)")
    if program.command and program.timed == "run":
        parts.append("its start, its end and its single parts (--time-regex takes its own time)")
    if program.step is not None and program.step.model is not None:
        parts.append("what prompts cost: many of their tokens share one read of the weights")
    text = "; ".join(parts)
    return f"{text[:1].upper()}{text[1:]}."


def _steps(program: Program) -> str:
    return "steps" if program.step is None else f"{program.step.name}s"


def _bounds(each: Estimate) -> tuple[float, float]:
    return (
        each.value if each.low is None else each.low,
        each.value if each.high is None else each.high,
    )


def _figure(each: Estimate | None) -> str:
    """``14.1 (13.6 to 14.5)``; the figure alone if it has no bounds."""
    if each is None:
        return "unknown"
    value, *bounds = map(format_figure, (each.value, *_bounds(each)))
    return value if set(bounds) == {value} else f"{value} ({' to '.join(bounds)})"


def _rate(each: Estimate) -> str:
    """``12.4 ±0.2 GB/s``, or ``12.4 (11.0 to 13.0) GB/s`` if the bounds are lopsided."""
    if each.low is None or each.high is None or each.value < 1:
        return f"{format_range(each.value, each.value)}"
    half = max(each.high - each.value, each.value - each.low)
    return f"{format_rate(each.value)} ±{format_half_width(half, each.value)} GB/s"


def _share_words(each: Estimate) -> str:
    value, bounds = format_share(each.value), range_of_shares(*_bounds(each))
    return value if value == bounds else f"{value} ({bounds})"


def range_of_shares(low: float, high: float) -> str:
    """``93 to 95 %``; one figure if both look the same."""
    one, other = round(100 * low), round(100 * high)
    return f"{one} %" if one == other else f"{one} to {other} %"


def _times(each: Estimate) -> str:
    value, *bounds = (f"{one:.2f}" for one in (each.value, *_bounds(each)))
    return f"{value} times" if set(bounds) == {value} else f"{value} times ({' to '.join(bounds)})"
