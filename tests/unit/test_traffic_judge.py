"""What is said of the traffic that was watched."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from checked_runs import checked_records, checked_run
from example_records import END, MACHINE, MEMORY, good_run, place, placement, series_records
from example_traffic import SOURCE, calibration, domain, interval, of_one, of_two
from store_results import keep

from streamgage.programs.traffic.ceiling import ceiling_of, why_not_a_ceiling
from streamgage.programs.traffic.earlier_runs import look_back
from streamgage.programs.traffic.judge import Limits, Watch, traffic_of
from streamgage.programs.traffic.rates import domain_names
from streamgage.programs.traffic.trust import Trial, trial_of
from streamgage.records import AnyRecord, Calibration, Interval, NumaNode
from streamgage.records.run import Run, collect
from streamgage.results.measure.judge import judge_measure
from streamgage.results.traffic.document import Ceiling, TrafficResult, Verdict

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
    intervals: list[Interval],
    ceiling: Ceiling | None = CEILING,
    peak: float | None = None,
    *,
    source: str = SOURCE,
    trial: Trial | None = None,
) -> TrafficResult:
    watch = Watch(source=source, replayed=False, intervals=intervals)
    limits = Limits(ceiling=ceiling, peak_gbps=peak, peak_detail="--peak", trial=trial)
    return traffic_of(watch, limits)


def verdict(seen: TrafficResult, question: str) -> Verdict:
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
    assert text.endswith("That measurement was limited by its cores: the memory may give more.")


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
    found = ceiling_of(judge_measure(run), "run.jsonl")
    rates = [each.hardware_gbps for each in judge_measure(run).document.kernels]
    assert found is not None
    assert found.gbps == max(each for each in rates if each is not None)
    assert found.file == "run.jsonl"


def test_a_run_without_a_known_hardware_rate_has_no_ceiling() -> None:
    assert ceiling_of(judge_measure(Run()), "run.jsonl") is None


def test_only_a_whole_run_of_this_machine_tells_its_ceiling() -> None:
    assert why_not_a_ceiling(good_run(), MACHINE) is None
    assert (
        why_not_a_ceiling(good_run(), change(MACHINE, host="node8"))
        == "it comes from another machine"
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


def on_cores(seconds: dict[int, float], cores: int) -> Run:
    """A run with that many threads and such a series, on a machine of ``cores`` cores."""
    records = series_records(max(seconds), {"triad": seconds})
    return collect(change(each, cores=cores) if each is records[0] else each for each in records)


def why_not(run: Run) -> str | None:
    assert run.machine is not None
    return why_not_a_ceiling(run, run.machine)


def test_a_run_on_a_few_cores_tells_no_ceiling_unless_more_would_gain_nothing() -> None:
    one = good_run()
    one.placement = placement(place(0))
    assert why_not(one) == "it used 1 of 2 cores, and does not show that more would gain nothing"
    rising = {1: 0.04, 2: 0.02, 4: 0.01}
    assert why_not(on_cores(rising, cores=4)) is None
    assert why_not(on_cores(rising, cores=8)) == (
        "it used 4 of 8 cores, and does not show that more would gain nothing"
    )
    full = {1: 0.04, 2: 0.0201, 4: 0.02}
    assert why_not(on_cores(full, cores=8)) is None
    shared = on_cores(full, cores=8)
    shared.placement = placement(*(place(cpu, core=cpu // 2) for cpu in range(4)))
    assert why_not(shared) == "it used 2 of 8 cores, with several threads on some of them"


def test_a_run_beside_one_of_two_memories_tells_no_ceiling() -> None:
    machine = change(
        MACHINE,
        numa_nodes=[
            NumaNode(node=0, cpus="0", bytes=4 << 30),
            NumaNode(node=1, cpus="1", bytes=4 << 30),
            NumaNode(node=2, cpus="", bytes=4 << 30),
        ],
    )
    run = good_run()
    run.machine = machine
    assert why_not(run) == "it did not use every NUMA node"
    run.placement = placement(place(0), place(1, node=1))
    assert why_not(run) is None


def test_the_sum_of_several_hosts_is_no_ceiling_of_one() -> None:
    run = good_run()
    assert run.placement is not None
    one, other = run.placement.threads
    on_two = [change(one, host="node7"), change(other, host="node8")]
    run.placement = change(run.placement, threads=on_two)
    assert why_not(run) == "its ranks ran on several hosts"
    on_one = [change(each, host="node7") for each in on_two]
    run.placement = change(run.placement, threads=on_one)
    assert why_not(run) is None


def with_record(record: AnyRecord) -> list[AnyRecord]:
    *records, end = checked_records()
    return [*records, record, end]


def with_one_thread() -> list[AnyRecord]:
    """A newer run that is no ceiling."""
    return [
        placement(place(0)) if each.__class__.__name__ == "PlacementRecord" else each
        for each in checked_records()
    ]


def test_an_older_run_tells_the_ceiling_where_the_newest_used_one_thread(tmp_path: Path) -> None:
    store = keep(tmp_path / "store", checked_records(), with_one_thread())
    found = look_back(store, MACHINE, SOURCE).ceiling
    assert isinstance(found, Ceiling)
    assert found.file == "run 1"


def test_without_an_older_run_it_is_said_why_there_is_no_ceiling(tmp_path: Path) -> None:
    found = look_back(keep(tmp_path / "store", with_one_thread()), MACHINE, SOURCE).ceiling
    assert isinstance(found, str)
    assert "the newest: it used 1 of 2 cores, and does not show" in found


def test_what_asked_for_the_bytes_does_not_tell_which_memory_gave_them() -> None:
    seen = watched(of_two((33.0, 1.0), (33.0, 1.0)), source="resctrl")
    assert seen.by_asker
    numa = verdict(seen, "numa")
    assert numa.answer == "cannot-tell"
    assert "not which memory delivered it" in numa.text
    bandwidth = verdict(seen, "bandwidth")
    assert bandwidth.answer == "cannot-tell"
    assert "does not show whether one of the memories was saturated" in bandwidth.text


@pytest.mark.parametrize(
    ("rates", "expected"),
    [((40.0, 25.0), "bound"), ((20.0, 5.0), "not-bound"), ((30.0, 5.0), "cannot-tell")],
)
def test_all_packages_together_are_judged_whatever_asked(
    rates: tuple[float, float], expected: str
) -> None:
    seen = watched(of_two(rates, rates), source="resctrl")
    assert verdict(seen, "bandwidth").answer == expected


def test_one_package_that_asked_is_the_whole_machine() -> None:
    seen = watched(of_one(90.0, 90.0), source="resctrl")
    assert verdict(seen, "bandwidth").answer == "bound"
    assert verdict(watched(of_one(30.0), source="resctrl"), "bandwidth").answer == "not-bound"


def trial(tried: Calibration) -> Trial:
    return Trial(tried, "2026-01-31T12:00:00Z", "run.jsonl")


def test_a_source_that_was_never_tried_is_said_not_to_be_calibrated() -> None:
    seen = watched(of_one(90.0))
    assert seen.source_trust.state == "not-calibrated"
    assert "run streamgage measure" in seen.source_trust.text
    assert verdict(seen, "bandwidth").answer == "bound"


def test_a_source_that_was_accepted_is_believed() -> None:
    seen = watched(of_one(90.0), trial=trial(calibration()))
    assert seen.source_trust.state == "calibrated"
    assert "known traffic of sum to within 1.2 % (2026-01-31T12:00:00Z, run.jsonl)" in (
        seen.source_trust.text
    )


def test_of_a_source_that_was_rejected_nothing_follows() -> None:
    seen = watched(of_two((90.0, 1.0)), trial=trial(calibration("reads of sum are 7 GB")))
    assert seen.source_trust.state == "rejected"
    assert "is not believed: reads of sum are 7 GB." in seen.source_trust.text
    assert {each.answer for each in seen.verdicts} == {"cannot-tell"}


def test_more_than_the_theoretical_peak_is_not_believed() -> None:
    seen = watched(of_one(90.0, 101.0), peak=100.0, trial=trial(calibration()))
    assert seen.source_trust.state == "impossible"
    assert "shows 101.0 GB/s, above the theoretical peak of 100.0 GB/s" in seen.source_trust.text
    assert verdict(seen, "bandwidth").answer == "cannot-tell"
    assert (
        watched(of_one(99.0), peak=100.0, trial=trial(calibration())).source_trust.state
        == "calibrated"
    )
    rest = interval(1.0, domain(0, 500.0, 0.0, 1e-5), seconds=1e-5)
    assert watched([*of_one(90.0), rest], peak=100.0).source_trust.state == "not-calibrated"
    lost = watched(of_two((101.0, None)), peak=100.0)
    assert lost.source_trust.state == "impossible", "one package alone"


def test_the_newest_run_that_tried_the_source_tells_whether_it_is_believed(tmp_path: Path) -> None:
    old, new = with_record(calibration("it was wrong")), with_record(calibration())
    store = keep(tmp_path / "store", old, new)
    found = look_back(store, MACHINE, SOURCE).trial
    assert found is not None
    assert found.calibration.accepted
    assert look_back(keep(tmp_path / "other", new, old), MACHINE, SOURCE).trial != found
    assert look_back(store, MACHINE, "resctrl").trial is None
    assert look_back(store, change(MACHINE, cores=3), SOURCE).trial is None


def test_a_source_that_was_not_tried_on_known_traffic_is_not_calibrated() -> None:
    run = good_run()
    run.calibration = calibration("arrays lie in the caches")
    assert trial_of(run, SOURCE, "x") is not None
    run.memory = change(MEMORY, array_bytes=MEMORY.rule_bytes // 2)
    assert trial_of(run, SOURCE, "x") is None
    run.memory = MEMORY
    run.calibration = change(calibration(), replayed=True)
    assert trial_of(run, SOURCE, "x") is None
