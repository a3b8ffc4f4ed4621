"""Programs next to what the machine gives: shares, verdicts, words and every format."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from example_program import (
    COUNTED,
    COUNTS,
    PRINTED,
    program_of,
    saturating,
    three_mixes,
    triad,
)
from example_traffic import of_one
from golden import approved
from msgspec.structs import replace
from schemas import validator

from streamgage.errors import StreamgageError
from streamgage.measurement.program import counted, printed_rate
from streamgage.programs.traffic.judge import Limits, Watch, traffic_of
from streamgage.programs.traffic.own_rates import Pattern
from streamgage.programs.traffic.watch import WatchOutcome
from streamgage.results.kinds import decode_document, result_of, words_of
from streamgage.results.program import KIND
from streamgage.results.program.document import Moved, Program, Step
from streamgage.results.program.words import answers, headline
from streamgage.results.render import draw_result, render_result
from streamgage.results.scale.placements import Way
from streamgage.results.study.applications.case import Case
from streamgage.results.study.applications.template import Template
from streamgage.results.study.applications.times import TimesError
from streamgage.results.study.experiment import StudyPlan, StudyRequest
from streamgage.results.summarise import summary_of
from streamgage.results.traffic.document import TrafficResult
from streamgage.show import table
from streamgage.show.formats import as_json
from streamgage.show.symbols import ASCII, UNICODE, Symbols
from streamgage.show.terminal import Terminal

BYTES = 30.0
STEP = Step(name="step", bytes=4_000_000_000, model=None, parts=[], reached=11.0)


def at_the_limit(n: int) -> float:
    """Seconds of a program that moves 95 % of what the memory gives."""
    return BYTES / (0.95 * saturating(n))


def far_below(n: int) -> float:
    return BYTES / (0.2 * saturating(1) * n)


PROGRAMS = {
    "at-the-limit": program_of(at_the_limit),
    "far-below": program_of(far_below),
    "unknown-mix": program_of(at_the_limit, loops=three_mixes),
    "unknown-bytes": program_of(at_the_limit, moved=None, loops=three_mixes),
    "printed": program_of(
        at_the_limit, moved=PRINTED, rate=lambda n: 0.95e9 * saturating(n), phase="time"
    ),
    "counted": program_of(at_the_limit, moved=COUNTED),
    "above": program_of(lambda n: BYTES / (2 * saturating(n))),
    "serial": program_of(lambda n: BYTES / 28, busy=lambda n: 1.0),
    "steps": program_of(None, step=STEP, moved=None, loops=three_mixes),
    "disturbed": program_of(at_the_limit, taken=0.5),
    "one-round": program_of(at_the_limit, rounds=1),
    "gaps": program_of(
        at_the_limit, failures={("program", 4): "It ended.", ("stream", 2): "It was stopped."}
    ),
    "nothing": program_of(at_the_limit, counts=()),
    "limit-of-cores": program_of(at_the_limit, counts=(1, 2), loops=three_mixes),
}


def said(program: Program) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for each in answers(program):
        found.setdefault(each.name, []).append(each.conclusion.text)
    return found


def grades(program: Program) -> dict[str, str]:
    return {each.name: each.conclusion.grade for each in reversed(answers(program))}


def test_the_share_is_the_programs_rate_over_the_machines_round_by_round() -> None:
    program = PROGRAMS["at-the-limit"]
    assert [each.n for each in program.points] == list(COUNTS)
    for point in program.points:
        (share,) = point.shares
        assert (share.kernel, share.store) == ("triad", "plain")
        assert share.share.value == pytest.approx(0.95, rel=0.01)
        assert point.gbps is not None
        assert point.gbps.value == pytest.approx(0.95 * saturating(point.n), rel=0.01)
    rates = {(each.kernel, each.store): each.gbps.value for each in program.points[1].machine}
    assert rates == pytest.approx(dict(triad(2)), rel=0.01)


def test_with_other_arguments_it_is_another_figure_of_the_series_of_results() -> None:
    program = PROGRAMS["at-the-limit"]
    small, large = (
        next(iter(KIND.rates(replace(program, command=["./solver", "-n", size]))))
        for size in ("10", "20")
    )
    assert (small.kernel, small.store) == ("program", "./solver -n 10")
    assert (large.kernel, large.store) == ("program", "./solver -n 20")
    best = max(each.gbps.value for each in program.points if each.gbps is not None)
    assert summary_of(result_of(program)).rates[0].median_gbps == best


def test_memory_is_the_limit_of_a_program_that_is_near_what_the_machine_gives() -> None:
    program = PROGRAMS["at-the-limit"]
    assert headline(program) == "solver: memory is the limit; 2 threads are enough"
    assert grades(program)["Limit"] == "sound"
    assert "(triad: 2 reads, 1 write)" in said(program)["Limit"][0]
    assert said(program)["Would help"][0].startswith("Streaming stores are 1.33 times")
    assert "2 threads are worth using: fewer have less than 90 %" in said(program)["Threads"][0]


def test_memory_is_not_the_limit_of_a_program_that_is_far_below() -> None:
    program = PROGRAMS["far-below"]
    assert headline(program) == (
        "solver: memory bandwidth is not the limit; 4 threads are worth using"
    )
    # Of the whole run: a part of it may be.
    assert said(program)["Limit"][0].endswith("a part of it may be at the limit.")
    assert not any("Streaming" in text for text in said(program)["Would help"])


def test_between_near_and_far_nothing_is_concluded() -> None:
    program = program_of(lambda n: BYTES / (0.65 * saturating(n)))
    assert grades(program)["Limit"] == "undecided"
    assert "not clear whether memory is the limit" in headline(program)


def test_an_unknown_mix_decides_only_what_holds_for_every_mix() -> None:
    program = PROGRAMS["unknown-mix"]
    best = program.best
    assert best is not None
    # Of the faster ordinary stores, never of streaming ones.
    assert [(each.kernel, each.store) for each in best.shares] == [
        ("sum", "regular"),
        ("triad", "plain"),
        ("copy", "plain"),
    ]
    assert grades(program)["Limit"] == "undecided"  # 63 % of reads, 106 % of copies
    assert "--kernel" in said(program)["Limit"][0]
    surely_far = program_of(far_below, loops=three_mixes)
    assert grades(surely_far)["Limit"] == "sound"


def test_more_than_memory_gives_shows_no_limit() -> None:
    program = PROGRAMS["above"]
    assert "comes from caches, or the count is too high" in said(program)["Limit"][0]
    assert "Would help" not in said(program)


def test_without_bytes_there_is_no_share_and_no_verdict() -> None:
    program = PROGRAMS["unknown-bytes"]
    assert headline(program) == "solver: what it moves is not known"
    assert "Limit" not in said(program)
    assert "--bytes" in said(program)["Moves"][0]


def test_it_says_how_the_bytes_are_known() -> None:
    texts = {name: said(PROGRAMS[name])["Moves"][0] for name in ("printed", "counted")}
    assert texts["printed"].endswith("by the rate that it prints.")
    assert "30.0 GB crossed the memory bus in one run (amd_umc)" in texts["counted"]
    assert "that you gave" in said(PROGRAMS["at-the-limit"])["Moves"][0]
    assert "no counters" not in said(PROGRAMS["counted"])["Not known"][0]


def test_a_program_with_one_busy_cpu_does_not_use_its_threads() -> None:
    program = PROGRAMS["serial"]
    assert said(program)["Threads"][0].startswith("1 thread is enough")
    assert "1.00 CPUs busy with 4 threads" in said(program)["Threads"][1]
    assert all("busy" not in each for each in said(PROGRAMS["at-the-limit"])["Threads"])


def test_cores_are_the_limit_where_each_thread_brings_its_full_rate() -> None:
    program = program_of(at_the_limit, counts=(1, 2))
    assert grades(program)["Bus"] == "sound"
    (text,) = said(program)["Bus"]
    assert re.match(
        r"Not full: 2 threads get (2\.00|1\.99 to 2\.01) times the bandwidth of 1\.", text
    )
    without = program_of(None, step=STEP, moved=None, loops=three_mixes, counts=(1, 2))
    assert "Bus" in said(without)


@pytest.mark.parametrize(
    "rates",
    [
        pytest.param(lambda n: 30.0 * n**0.45, id="less than half of perfect scaling"),
        pytest.param(lambda n: 30.0 * n**0.502, id="half of it lies within the bounds"),
        pytest.param(lambda _: 30.0, id="full with one thread"),
        pytest.param(lambda n: 60.0 / n, id="slower with more threads"),
    ],
)
def test_the_bus_may_be_full_where_threads_bring_less(rates: Callable[[int], float]) -> None:
    def loops(n: int) -> dict[tuple[str, str], float]:
        return {("triad", "plain"): rates(n), ("triad", "streaming"): 30.0 * n}

    assert "Bus" not in said(program_of(at_the_limit, loops=loops, counts=(1, 2)))


def test_one_mix_that_fills_the_bus_or_one_round_leaves_it_open() -> None:
    def loops(n: int) -> dict[tuple[str, str], float]:
        return {("sum", "plain"): 30.0, ("triad", "plain"): 30.0 * n, ("copy", "plain"): 30.0 * n}

    assert "Bus" not in said(program_of(at_the_limit, loops=loops, counts=(1, 2)))
    assert "Bus" not in said(program_of(at_the_limit, counts=(1, 2), rounds=1))
    assert "Bus" not in said(program_of(at_the_limit, counts=(2,)))
    assert "Bus" not in said(PROGRAMS["at-the-limit"])  # full from 2 threads on


def test_steps_have_a_ceiling_by_the_fastest_loop_that_reads() -> None:
    program = PROGRAMS["steps"]
    most = [each.most_steps for each in program.points]
    assert [each.value for each in most if each] == pytest.approx(
        [1.5 * saturating(n) / 4 for n in COUNTS], rel=0.01
    )
    assert headline(program).startswith("a program: at most 22.5 ")
    reached = said(program)["At most"]
    assert re.match(r"22\.5 \([^)]*\) steps/s with 2 threads \(11\.3 ", reached[0])
    assert "Your 11.0 steps/s are 49 % of that" in reached[1]


def test_a_disturbed_run_concludes_nothing() -> None:
    result = result_of(PROGRAMS["disturbed"])
    assert result.trust.verdict == "not-quotable"
    grades = {each.grade for each in result.words.conclusions}
    assert grades == {"none", "fact"}
    text = table.render(result.page, Terminal(80, False, UNICODE))
    assert "no conclusion" in text.splitlines()[0] or "NOT QUOTABLE" in text.splitlines()[0]
    assert "memory is the limit" not in " ".join(text.split()).partition("If that had no")[0]


def test_one_round_shows_no_noise_and_is_never_sure_of_threads() -> None:
    program = PROGRAMS["one-round"]
    assert grades(program)["Threads"] == grades(program)["Limit"] == "undecided"
    assert headline(program) == "solver: not clear whether memory is the limit"
    steps = program_of(None, step=STEP, moved=None, loops=three_mixes, rounds=1)
    assert grades(steps)["At most"] == "undecided"
    assert all(each.seconds and each.seconds.low is None for each in program.points)


def test_gaps_leave_the_rest() -> None:
    program = PROGRAMS["gaps"]
    by_n = {each.n: each for each in program.points}
    assert by_n[4].seconds is None and by_n[4].machine
    assert by_n[2].seconds is not None and not by_n[2].machine and not by_n[2].shares
    text = render_result(result_of(program), "markdown")
    assert "It ended." in text and "It was stopped." in text


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("symbols", [UNICODE, ASCII])
def test_the_first_screen_fits(name: str, symbols: Symbols) -> None:
    page = result_of(PROGRAMS[name]).page
    text = table.render(page, Terminal(80, False, symbols))
    assert len(text.splitlines()) <= 24, text
    assert all(len(line) <= 80 for line in text.splitlines())


@pytest.mark.parametrize("name", ["at-the-limit", "unknown-mix", "steps", "disturbed"])
def test_the_screen_is_as_approved(name: str) -> None:
    approved(
        f"program/{name}-80.txt",
        table.render(result_of(PROGRAMS[name]).page, Terminal(80, False, UNICODE)),
    )


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_program_has_every_format(name: str) -> None:
    result = result_of(PROGRAMS[name])
    document = json.loads(render_result(result, "json"))
    validator("program").validate(document)
    assert decode_document(as_json(PROGRAMS[name]).encode(), "a file") == PROGRAMS[name]
    rows = list(csv.DictReader(io.StringIO(render_result(result, "csv"))))
    machine = sum(max(1, len(each.machine)) for each in PROGRAMS[name].points)
    assert len(rows) == machine
    for form in ("markdown", "latex", "table"):
        assert render_result(result, form).strip()
    if PROGRAMS[name].points:
        assert draw_result(result, Path("file.svg")).startswith(b"<?xml")


def test_the_conclusions_are_in_the_document_with_their_grades() -> None:
    words = words_of(PROGRAMS["at-the-limit"])
    assert [each.grade for each in words.conclusions][:2] == ["fact", "sound"]


def test_the_printed_rate_is_the_median_of_what_matches() -> None:
    text = "warm-up 1 GB/s\nrate: 10.0 GB/s\nrate: 30 GB/s\nrate: 12 GB/s\n"
    assert printed_rate(text, Pattern("rate: ([0-9.]+ GB/s)", "--rate")) == 12e9
    with pytest.raises(TimesError, match="--rate matches no rate"):
        printed_rate(text, Pattern("speed: ([0-9.]+ GB/s)", "--rate"))


def counted_as(
    monkeypatch: pytest.MonkeyPatch, traffic: TrafficResult | None, status: int = 0
) -> tuple[Moved, list[str]]:
    """What is counted where the engine sees this traffic, and the command that it watches."""
    watched: list[str] = []

    def watch_command(_: object, command: list[str], *__: object, **___: object) -> WatchOutcome:
        watched.extend(command)
        return WatchOutcome(cast("Any", None), traffic, status)

    monkeypatch.setattr("streamgage.programs.traffic.watch.watch_command", watch_command)
    case = Case(None, Template(("./solver", "{n}")), cast("Any", None))
    plan = StudyPlan(
        StudyRequest((case,), cast("Any", None)),
        cast("Any", SimpleNamespace(counts=[1, 2])),
        Way("compact", "cpus", 2, (0, 1)),
    )
    return counted(plan, lambda _: None), watched


def seen(source: str = "amd_umc") -> TrafficResult:
    return traffic_of(Watch(source=source, replayed=False, intervals=of_one(2.0, 20.0)), Limits())


def test_counters_count_one_run_with_the_most_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    traffic = seen()
    moved, watched = counted_as(monkeypatch, traffic)
    assert moved.known_by == "counters"
    assert moved.bytes == traffic.whole.bytes_total
    assert watched[0] == "env" and watched[-2:] == ["./solver", "2"]
    assert "OMP_NUM_THREADS=2" in watched and "OMP_PLACES={0},{1}" in watched


@pytest.mark.parametrize(
    ("traffic", "status", "words"),
    [
        (None, 1, "no counter of memory traffic can be read here"),
        (seen(), 3, "ended with status 3"),
        (replace(seen(), whole=replace(seen().whole, bytes_total=None)), 0, "too short"),
        (
            replace(
                seen(), source_trust=replace(seen().source_trust, state="rejected", text="It lies.")
            ),
            0,
            "is not trusted: It lies.",
        ),
    ],
)
def test_what_was_not_counted_is_said(
    monkeypatch: pytest.MonkeyPatch, traffic: TrafficResult | None, status: int, words: str
) -> None:
    with pytest.raises(StreamgageError, match=words):
        counted_as(monkeypatch, traffic, status)
