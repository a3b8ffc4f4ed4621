"""Counts what crosses the memory bus: for a program, the whole machine, or in a recording."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from streamgage.analysis.peak.find import look_for_peak
from streamgage.analysis.peak.peak import Peak
from streamgage.analysis.user_facts import UserFacts
from streamgage.errors import FAILED, TERMINATED, UsageError
from streamgage.process.engine import describe_machine, find_engine
from streamgage.process.signals import handled
from streamgage.process.terminal import run_in_foreground
from streamgage.process.traffic_engine import TrafficEngine, WatchPlan, watching_traffic
from streamgage.programs.traffic.earlier_runs import look_back
from streamgage.programs.traffic.judge import Limits, Watch, traffic_of
from streamgage.programs.traffic.rates import seen_interval
from streamgage.programs.traffic.trust import held_against_peak, trust_in
from streamgage.records import Counters, Interval, Machine
from streamgage.records.address import StorePlace
from streamgage.records.reader import Note
from streamgage.records.run import Run
from streamgage.results.traffic.document import Ceiling, TrafficResult, Trust

RECORDING = "recording.jsonl"
"""The recording's file in the folder of a recorded machine, next to ``proc`` and ``sys``."""
_LONGEST_WAIT = 0.25
"""The most seconds until Ctrl-C is noticed."""

Show = Callable[[Counters, Sequence[Interval], Trust], None]
"""A function that gets the source, new intervals, and the trust in the source so far."""


@dataclass(frozen=True)
class WatchRequest:
    """A request for a watch: what to count."""

    plan: WatchPlan
    peak_gbps: float | None = None
    store: StorePlace | None = None
    """The store of earlier measurements; ``None``: the user's own store."""

    @property
    def machine(self) -> Machine | None:
        """The watched machine; ``None`` for a recording or another root."""
        if self.plan.recording is not None or self.plan.root is not None:
            return None
        return this_machine()


@dataclass(frozen=True)
class WatchOutcome:
    """The outcome of a watch; ``traffic`` is ``None`` if there is no source."""

    counters: Counters
    traffic: TrafficResult | None
    exit_status: int


def make_plan(interval: float, root: Path | None, replay: Path | None) -> WatchPlan:
    """Make the plan; ``replay`` is a recording, or a folder with one and its machine.

    Raises ``UsageError`` if ``replay`` does not exist.
    """
    if replay is None:
        return WatchPlan(interval, root)
    if os.path.isdir(replay):  # noqa: PTH112 - raises nothing, as the next
        root, replay = root or replay, replay / RECORDING
    if not os.path.exists(replay):  # noqa: PTH110
        raise UsageError(f"There is no recording {replay}: name one, or a folder with one.")
    return WatchPlan(interval, root, replay)


def watch_command(
    request: WatchRequest, command: Sequence[str], note: Note, output: int | None = None
) -> WatchOutcome:
    """Run ``command``, and count from just before its start to just after its end.

    ``output``: the file descriptor that gets what it prints; ``None``: this process's. The outcome
    has its exit status. Without a source it is not run. Raises ``NotStartedError`` if it cannot be
    started.
    """
    machine = request.machine
    with watching_traffic(find_engine(), request.plan, note) as engine:
        if engine.counters.source is None:
            return WatchOutcome(engine.counters, None, FAILED)
        status = run_in_foreground(command, output=output)
        engine.stop()
        watch = _watch(engine, engine.fetch(), machine, command, status)
        limits = _limits(request, engine, machine)
        return WatchOutcome(engine.counters, traffic_of(watch, limits), status)


def watch_machine(request: WatchRequest, note: Note, show: Show) -> WatchOutcome:
    """Count until Ctrl-C or SIGTERM, or to the end of a recording; ``show`` gets new intervals."""
    machine = request.machine
    with (
        watching_traffic(find_engine(), request.plan, note) as engine,
        _ending_signals() as signals,
    ):
        if engine.counters.source is None:
            return WatchOutcome(engine.counters, None, FAILED)
        limits = _limits(request, engine, machine)
        trust = trust_in(engine.counters.source, limits.trial, replayed=_is_replayed(engine))
        intervals: list[Interval] = []
        for new in _as_they_come(engine, request.plan, signals):
            intervals += new
            trust = held_against_peak(
                trust,
                engine.counters.source,
                _highest(new, request.plan.interval / 2),
                limits.peak_gbps,
            )
            show(engine.counters, new, trust)
        watch = _watch(engine, intervals, machine)
    status = FAILED if watch.failure else TERMINATED if signal.SIGTERM in signals else 0
    return WatchOutcome(engine.counters, traffic_of(watch, limits), status)


def _highest(intervals: Sequence[Interval], least_seconds: float) -> float | None:
    """The highest rate in GB/s in an interval that is long enough to show one."""
    seen = [seen_interval(each) for each in intervals if each.seconds >= least_seconds]
    rates = [each.total_gbps for one in seen for each in (one.whole, *one.domains)]
    return max((each for each in rates if each is not None), default=None)


def _as_they_come(
    engine: TrafficEngine, plan: WatchPlan, signals: Sequence[int]
) -> Iterator[list[Interval]]:
    if plan.recording is not None:
        engine.wait()
    while not engine.has_ended() and not signals:
        time.sleep(min(plan.interval / 2, _LONGEST_WAIT))
        if new := engine.fetch():
            yield new
    if not engine.has_ended():
        engine.stop()
    if new := engine.fetch():
        yield new


@contextmanager
def _ending_signals() -> Iterator[list[int]]:
    """Collect the signals that end the watch. Without a program, Ctrl-C is the normal end."""
    received: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield received  # only the main thread can set handlers
        return

    def handle(number: int, _frame: FrameType | None) -> None:
        received.append(number)

    with handled(dict.fromkeys((signal.SIGINT, signal.SIGTERM), handle)):
        yield received


def this_machine() -> Machine:
    """Ask the engine to describe this machine."""
    return describe_machine(find_engine())


def _watch(
    engine: TrafficEngine,
    intervals: list[Interval],
    machine: Machine | None,
    command: Sequence[str] | None = None,
    status: int | None = None,
) -> Watch:
    counters = engine.counters
    return Watch(
        source=counters.source or "",
        replayed=_is_replayed(engine),
        intervals=intervals,
        command=command,
        exit_status=status,
        failure=engine.failure(),
        machine=machine,
    )


def _is_replayed(engine: TrafficEngine) -> bool:
    return engine.counters.replayed or engine.counters.root is not None


def _limits(request: WatchRequest, engine: TrafficEngine, machine: Machine | None) -> Limits:
    """Find the limits of the memory; for another machine, only those that the user gave."""
    given = UserFacts(peak_gbps=request.peak_gbps)
    trial = None
    if machine is None:
        peak = look_for_peak(Run(), given) if request.peak_gbps is not None else None
        ceiling: Ceiling | str = "a replayed recording is not of this machine"
    else:
        peak = look_for_peak(Run(machine=machine), given)
        earlier = look_back(request.store, machine, engine.counters.source or "")
        ceiling, trial = earlier.ceiling, earlier.trial
    known = peak if isinstance(peak, Peak) else None
    return Limits(
        ceiling=None if isinstance(ceiling, str) else ceiling,
        ceiling_reason=ceiling if isinstance(ceiling, str) else None,
        peak_gbps=known.gbps if known else None,
        peak_detail=known.detail if known else None,
        trial=trial,
    )
