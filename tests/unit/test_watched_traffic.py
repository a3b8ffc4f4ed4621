"""What is said of the traffic that was watched."""

from __future__ import annotations

from pathlib import PurePath

import msgspec
import pytest
from checked_runs import checked_run
from made_records import END, MACHINE, MEMORY, good_run, place, placement
from made_traffic import domain, interval, of_one, of_two

from streamgage.analysis.run import Run
from streamgage.analysis.summary import answer
from streamgage.analysis.watched import (
    Limits,
    Watch,
    ceiling_of,
    domain_names,
    watched_traffic,
    why_not_a_ceiling,
)
from streamgage.records import Interval
from streamgage.watched import Ceiling, Verdict, WatchedTraffic

change = msgspec.structs.replace

CEILING = Ceiling(
    gbps=100.0,
    kernel="triad",
    store="streaming",
    evidence="inferred",
    threads=2,
    time="2026-01-31T12:00:00Z",
    file="run.jsonl",
    limit="memory",
)


def watched(
    intervals: list[Interval], ceiling: Ceiling | None = CEILING, peak: float | None = None
) -> WatchedTraffic:
    watch = Watch(source="perf uncore_imc", replayed=False, intervals=intervals)
    return watched_traffic(watch, Limits(ceiling=ceiling, peak_gbps=peak, peak_detail="--peak"))


def verdict(seen: WatchedTraffic, question: str) -> Verdict:
    (found,) = [each for each in seen.verdicts if each.question == question]
    return found


def test_bytes_and_averages_are_over_the_whole_time() -> None:
    seen = watched(of_two((30.0, 6.0), (60.0, 12.0)))
    assert seen.seconds == 2.0
    assert seen.whole.bytes_total == pytest.approx(4 / 3 * 108e9)
    assert seen.whole.average.read_gbps == pytest.approx(54.0)
    assert seen.whole.average.written_gbps == pytest.approx(18.0)
    assert seen.whole.peak_gbps == pytest.approx(96.0)
    assert [each.name for each in seen.domains] == ["package 0", "package 1"]
    assert [each.share for each in seen.domains] == pytest.approx([5 / 6, 1 / 6])


def test_intervals_of_unlike_length_are_weighted_by_time() -> None:
    seen = watched(
        [
            interval(0.0, domain(0, 10.0, 0.0, 3.0), seconds=3.0),
            interval(3.0, domain(0, 50.0, 0.0, 1.0), seconds=1.0),
        ]
    )
    assert seen.whole.average.total_gbps == pytest.approx(20.0)


def test_a_short_rest_is_not_the_busiest_interval() -> None:
    rest = interval(2.0, domain(0, 500.0, 0.0, 1e-5), seconds=1e-5)
    seen = watched([*of_one(10.0, 20.0), rest])
    assert seen.whole.peak_gbps == pytest.approx(20.0)
    assert seen.whole.bytes_total == pytest.approx(30e9 + 5e6)


def test_what_was_lost_is_no_part_of_an_average_and_is_never_0() -> None:
    seen = watched(of_two((30.0, 30.0), (60.0, None), (30.0, 30.0)))
    lost = seen.domains[1]
    assert (lost.lost_seconds, lost.reason) == (1.0, "its CPU went offline")
    assert lost.average.read_gbps == pytest.approx(30.0)
    assert seen.intervals[1].whole.total_gbps is None
    assert seen.intervals[1].domains[0].total_gbps == pytest.approx(80.0)
    assert seen.whole.average.total_gbps == pytest.approx(80.0)
    assert seen.whole.lost_seconds == 1.0


def test_where_nothing_was_counted_nothing_is_said() -> None:
    seen = watched(of_one(None, None))
    assert seen.whole.bytes_total is None
    assert seen.whole.average.total_gbps is None
    assert verdict(seen, "bandwidth").answer == "cannot-tell"


def test_no_interval_at_all_can_be_shown() -> None:
    seen = watched([])
    assert (seen.seconds, seen.domains) == (0.0, [])
    assert verdict(seen, "bandwidth").answer == "cannot-tell"


def test_a_source_of_totals_alone_tells_no_reads() -> None:
    seen = watched([interval(0.0, domain(0, 40.0, None))])
    assert seen.whole.average.read_gbps is None
    assert seen.whole.average.total_gbps == pytest.approx(40.0)


def test_nodes_of_one_package_are_told_apart() -> None:
    nodes = [change(domain(0, 1.0, 1.0), node=number) for number in (0, 1)]
    assert domain_names(interval(0.0, *nodes)) == ["package 0 node 0", "package 0 node 1"]
    nowhere = domain(None, 1.0, 1.0)
    assert domain_names(interval(0.0, nowhere)) == ["the machine"]
    assert domain_names(interval(0.0, change(nowhere, node=3))) == ["node 3"]


@pytest.mark.parametrize(
    ("rates", "expected"),
    [
        ((90.0, 85.0, 10.0), "bound"),
        ((80.0, 10.0, 10.0), "partly"),
        ((79.0, 10.0, 10.0), "not-bound"),
        ((90.0, *([10.0] * 10)), "not-bound"),
    ],
)
def test_bandwidth_is_the_limit_where_most_of_the_time_is_near_the_ceiling(
    rates: tuple[float, ...], expected: str
) -> None:
    assert verdict(watched(of_one(*rates)), "bandwidth").answer == expected


def test_one_full_memory_is_a_limit_whatever_the_other_does() -> None:
    found = verdict(watched(of_two((33.0, 1.0), (33.0, 1.0))), "bandwidth")
    assert found.answer == "bound"
    assert found.text.endswith(
        "100 % of the time had at least 80 % of an equal share of the 100.0 GB/s that this machine"
        " was measured to give, in package 0."
    )


def test_without_a_ceiling_nothing_is_claimed() -> None:
    assert verdict(watched(of_one(500.0), ceiling=None), "bandwidth").answer == "cannot-tell"


def test_near_the_theoretical_peak_the_memory_is_the_limit_and_below_nothing_follows() -> None:
    near = watched(of_one(90.0, 90.0), ceiling=None, peak=100.0)
    assert verdict(near, "bandwidth").answer == "bound"
    below = watched(of_one(60.0, 60.0), ceiling=None, peak=100.0)
    assert verdict(below, "bandwidth").answer == "cannot-tell"


def test_a_ceiling_that_is_beaten_is_doubted() -> None:
    assert "run streamgage measure again" in verdict(watched(of_one(120.0)), "bandwidth").text
    assert "again" not in verdict(watched(of_one(104.0)), "bandwidth").text


def test_a_ceiling_of_cores_is_said_to_be_one() -> None:
    ceiling = change(CEILING, limit="cores")
    text = verdict(watched(of_one(90.0), ceiling), "bandwidth").text
    assert text.endswith("That run was limited by its cores: the memory may give more.")


@pytest.mark.parametrize(
    ("rates", "expected"),
    [
        ((30.0, 10.0), "unbalanced"),
        ((31.0, 19.0), "balanced"),
        ((20.0, 20.0), "balanced"),
        ((3.0, 0.1), "too-little"),
        ((3.0, None), "cannot-tell"),
    ],
)
def test_memory_domains_are_compared(rates: tuple[float, float | None], expected: str) -> None:
    assert verdict(watched(of_two(rates)), "numa").answer == expected


def test_one_domain_is_not_compared_with_itself() -> None:
    assert [each.question for each in watched(of_one(1.0)).verdicts] == ["bandwidth"]


def test_the_ceiling_is_the_greatest_hardware_rate_of_a_run() -> None:
    run = checked_run()
    found = ceiling_of(answer(run), PurePath("run.jsonl"))
    rates = [each.hardware_gbps for each in answer(run).result.kernels]
    assert found is not None
    assert found.gbps == max(each for each in rates if each is not None)
    assert found.file == "run.jsonl"


def test_a_run_without_a_known_hardware_rate_has_no_ceiling() -> None:
    assert ceiling_of(answer(Run()), PurePath("run.jsonl")) is None


def test_only_a_whole_run_of_this_machine_tells_its_ceiling() -> None:
    assert why_not_a_ceiling(good_run(), MACHINE) is None
    assert (
        why_not_a_ceiling(good_run(), change(MACHINE, host="node8")) == "it is of another machine"
    )
    packages = change(MACHINE, packages=2)

    def spoilt(**changed: object) -> str | None:
        run = good_run()
        for name, value in changed.items():
            setattr(run, name, value)
        return why_not_a_ceiling(run, run.machine or MACHINE)

    assert spoilt(end=None) == "it is not complete"
    assert spoilt(end=change(END, exit_status=1)) == "it is not complete"
    assert spoilt(machine=packages) == "it did not use every package"
    both = placement(place(0), change(place(1), package=1))
    assert spoilt(machine=packages, placement=both) is None
    small = change(MEMORY, array_bytes=MEMORY.rule_bytes // 2)
    assert spoilt(memory=small) == "its arrays are not four times as large as the caches"
