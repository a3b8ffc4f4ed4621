"""Whether a node is slow: the rule, the limits, and the line that says it."""

from __future__ import annotations

import msgspec
import pytest
from example_check import TIME, check_of, limit_of, node_run, slow_check
from example_device import CUDA_DEVICE
from example_records import MACHINE
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from prometheus_client.parser import text_string_to_metric_families

from streamgage.errors import UsageError
from streamgage.records.node import NodeLimit
from streamgage.records.verdict import LONGEST_REASON
from streamgage.results.check.document import Check
from streamgage.results.check.judge import (
    deciding,
    judge_run,
    needs_second,
    settle,
    slow_parts,
)
from streamgage.results.check.limits import (
    changed_since,
    of_baseline,
    of_expectation,
    of_history,
    of_published,
)
from streamgage.results.check.words import line_of
from streamgage.results.fleet.baseline import (
    Baseline,
    BaselineClass,
    BaselineFigure,
    BaselineFile,
)
from streamgage.results.fleet.causes import Changed
from streamgage.results.fleet.classes import properties_of
from streamgage.results.kinds import result_of
from streamgage.results.render import render_result

LIMITS = deciding([limit_of()])
"""Triad must reach 399 GB/s."""


@pytest.mark.parametrize(
    ("gbps", "width", "disturbance", "found"),
    [
        (399.0, 0.01, None, "fine"),
        (500.0, 0.5, None, "fine"),
        (399.0, 0.01, "other programs", "fine"),  # what is fast enough even so
        (398.0, 0.01, None, "undecided"),
        (398.0, 0.001, None, "slow"),
        (300.0, 0.01, None, "slow"),
        (300.0, 0.01, "other programs", "cannot-tell"),
        (398.0, 0.01, "other programs", "cannot-tell"),
    ],
)
def test_a_node_is_slow_only_where_its_whole_interval_is_below_the_limit(
    gbps: float, width: float, disturbance: str | None, found: str
) -> None:
    assert judge_run(node_run(gbps, width=width, disturbance=disturbance), LIMITS) == found


def test_a_wrong_result_is_worse_than_any_speed() -> None:
    assert judge_run(node_run(900.0, valid=False), LIMITS) == "wrong"


def test_without_a_limit_nothing_can_be_told() -> None:
    assert judge_run(node_run(), []) == "cannot-tell"
    assert not needs_second("cannot-tell", [])
    assert "there is nothing to compare it with" in line_of(check_of([node_run()]))


def test_a_second_run_decides() -> None:
    assert [needs_second(each, LIMITS) for each in ("slow", "undecided", "cannot-tell")] == [
        True,
        True,
        True,
    ]
    assert not needs_second("fine", LIMITS) and not needs_second("wrong", LIMITS)
    assert settle("undecided") == "cannot-tell"
    assert settle("slow") == "slow"
    assert settle("fine") == "fine"
    assert check_of([node_run(300.0), node_run(410.0)], [limit_of()]).verdict == "fine"
    assert check_of([node_run(398.0), node_run(300.0)], [limit_of()]).verdict == "slow"


def test_the_line_can_be_the_reason_of_a_drain() -> None:
    found = slow_check()
    assert line_of(found) == (
        "slow: triad 371.2 GB/s, expected at least 399.0 (420.0 - 5 %); NUMA domain 3 has 58.0 of"
        " 104.5 GB/s; measured twice"
    )
    disturbed = check_of([node_run(300.0, disturbance="steal")], [limit_of()])
    assert line_of(disturbed).startswith("cannot tell: steal; triad 300.0 GB/s, expected")


@given(st.text(max_size=300), st.lists(st.floats(0.001, 1e6), min_size=1, max_size=9))
def test_no_line_is_long_or_more_than_plain_text(text: str, rates: list[float]) -> None:
    limits = deciding(limit_of(rate, kernel=f"k{n}") for n, rate in enumerate(rates))
    line = node_run(disturbance=text[:200])
    for verdict in ("fine", "slow", "wrong", "cannot-tell"):
        check = replace(check_of([line, line], limits), verdict=verdict)
        said = line_of(check)
        assert len(said) < LONGEST_REASON
        assert said.isascii() and not set(said) & set('"`$\\\n;&|'.replace(";", ""))


def test_a_figure_that_was_not_measured_is_named_and_no_other_reason_is_given() -> None:
    for runs in (1, 2):
        check = check_of([replace(node_run(), figures=[])] * runs, [limit_of()])
        assert check.verdict == "cannot-tell"
        assert line_of(check).startswith("cannot tell: triad was not measured, expected at least")


def test_the_first_source_that_has_a_limit_decides() -> None:
    published = msgspec.structs.replace(limit_of(source="expected"), limit_gbps=None)
    found = deciding([limit_of(source="history"), published, limit_of(source="baseline")])
    assert [each.source for each in found if each.decides] == ["baseline"]
    assert not any(each.decides for each in deciding([published]))
    other = limit_of(source="history", kernel="copy")
    assert [e.kernel for e in deciding([limit_of(), other]) if e.decides] == ["triad", "copy"]


def test_the_limits_that_are_given_are_those_that_the_engine_read() -> None:
    asked = NodeLimit(kernel="triad streaming", expected_gbps=420.0, limit_gbps=399.0)
    (found,) = of_expectation(node_run(expected=[asked]))
    assert (found.kernel, found.source, found.decides) == ("triad streaming", "given", False)
    assert (found.expected_gbps, found.limit_gbps) == (420.0, 399.0)
    assert of_expectation(node_run()) == []


def past(*rates: float, **others: object) -> list[Check]:
    """Fine checks, the newest first."""
    runs = [node_run(each, time=f"2026-11-{24 - n:02}T12:00:00Z", **others)  # type: ignore[arg-type]
            for n, each in enumerate(rates)]  # fmt: skip
    return [check_of([each], [limit_of(1.0)]) for each in runs]


def test_a_nodes_own_past_is_the_median_of_enough_checks() -> None:
    assert of_history(past(400.0, 400.0), node_run(), 0.05) == ([], 2)
    (found,), number = of_history(past(398.0, 400.0, 402.0), node_run(), 0.05)
    assert (number, found.source) == (3, "history")
    assert found.expected_gbps == pytest.approx(400.0, rel=1e-4)
    assert found.limit_gbps == pytest.approx(380.0, rel=1e-4)
    assert "3 earlier checks of this node since 2026-11-22" in found.why
    assert found.chance_gbps == pytest.approx(334, rel=0.01)


def test_a_short_past_does_not_make_a_node_slow_that_chance_may_have_made_so() -> None:
    for earlier, verdict in ((3, "cannot-tell"), (6, "cannot-tell"), (18, "slow")):
        limits, _ = of_history(past(*[398.0, 400.0, 402.0] * (earlier // 3)), node_run(), 0.05)
        check = check_of([node_run(372.0, width=0.002)] * 2, limits)
        assert check.verdict == verdict
        assert ("by chance it may be as low as" in line_of(check)) == (earlier < 18)
    far = node_run(300.0, width=0.002)
    assert check_of([far] * 2, of_history(past(*[400.0] * 3), far, 0.05)[0]).verdict == "slow"


def test_a_node_that_fell_does_not_lower_its_own_limit() -> None:
    fallen = [383.0, 384.0, 382.0] * 4  # each of them was above the limit
    (found,), number = of_history(past(*fallen, *[400.0, 401.0, 399.0] * 2), node_run(), 0.05)
    assert (number, found.expected_gbps) == (18, pytest.approx(400.0, rel=1e-4))
    assert "6 earlier checks of this node since 2026-11-07" in found.why
    # A single fast check is no level.
    (found,), _ = of_history(past(400.0, 480.0, 400.0, 400.0, 400.0, 400.0), node_run(), 0.05)
    assert found.expected_gbps == pytest.approx(400.0, rel=0.006)
    assert found.chance_gbps is not None and found.chance_gbps > 350


def test_a_past_that_scatters_explains_more() -> None:
    (found,), _ = of_history(past(380.0, 390.0, 400.0, 410.0, 420.0), node_run(), 0.05)
    (quiet,), _ = of_history(past(*[400.0] * 5), node_run(), 0.05)
    assert found.chance_gbps is not None and quiet.chance_gbps is not None
    assert found.chance_gbps < 0.9 * quiet.chance_gbps
    assert found.limit_gbps == pytest.approx(quiet.limit_gbps, rel=0.002)


def test_slow_disturbed_and_other_checks_are_no_past() -> None:
    slow = check_of([node_run(300.0)], [limit_of()])
    disturbed = check_of([node_run(disturbance="steal")], [limit_of()])
    others = past(400.0, 400.0, threads=96) + past(400.0, array_bytes=1 << 30)
    other_host = past(400.0, 400.0, 400.0, host="n70")
    assert of_history([slow, disturbed, *others, *other_host], node_run(), 0.05) == ([], 0)


def test_what_changed_since_the_last_fine_check_is_named() -> None:
    assert changed_since(past(400.0, bios="1.7"), node_run()) == [
        Changed(name="BIOS", before="1.7", now="1.8")
    ]
    assert changed_since([], node_run()) == []


def baseline_of(**changes: str) -> Baseline:
    known = {name: text for name, text in properties_of(node_run()).items() if text is not None}
    figure = BaselineFigure(kernel="triad", median_gbps=420.0, scale=0.01, low_gbps=410.0, n=120)
    group = BaselineClass(name="2x EPYC 9654", properties=known | changes, figures=[figure])
    file = BaselineFile(streamgage_baseline=1, made=TIME, limit=0.03, classes=[group])
    return Baseline(file, "baseline.json")


def test_a_baseline_gives_the_limit_of_the_class() -> None:
    (found,), differ = of_baseline(baseline_of(), node_run(), 0.05)
    assert (found.source, found.expected_gbps, differ) == ("baseline", 420.0, [])
    assert found.limit_gbps == pytest.approx(399.0)
    assert found.why == "baseline.json: 2x EPYC 9654, median of 120 nodes"
    _, differ = of_baseline(baseline_of(BIOS="1.7"), node_run(), 0.05)
    assert [each.words for each in differ] == ["BIOS 1.8, not 1.7 as in its class"]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"processor": "Intel Xeon"}, "a baseline for other hardware: processor AMD EPYC 9654"),
        ({"engine": "0.0.9"}, "was measured in another way: engine 0.1.0, not 0.0.9"),
        ({"array size": "1 GiB"}, "was measured in another way: array size 8 GiB, not 1 GiB"),
    ],
)
def test_a_baseline_of_something_else_is_refused(changes: dict[str, str], said: str) -> None:
    with pytest.raises(UsageError) as refused:
        of_baseline(baseline_of(**changes), node_run(), 0.05)
    assert said in str(refused.value)


def test_a_slow_part_stands_out_from_the_others() -> None:
    assert [e.slow for e in slow_parts([("a", 100.0), ("b", 99.0), ("c", 50.0)])] == [
        *(False, False, True),
    ]
    assert not any(each.slow for each in slow_parts([("a", 100.0)]))
    assert not any(each.slow for each in slow_parts([("a", 9.0), ("b", 1.0), ("c", 1.0)]))
    assert slow_parts([]) == []


def test_every_format_shows_the_line_or_the_limit() -> None:
    found = slow_check()
    assert render_result(result_of(found), "line") == f"{line_of(found)}\n"
    table = render_result(result_of(found), "table")
    assert "399.0" in table and "for comparison" in table and "NUMA domain 3" in table
    assert "BIOS 1.8 -> 1.9" in table
    assert "n7,slow,triad,371.2" in render_result(result_of(found), "csv")


def test_collectors_of_files_read_the_metrics() -> None:
    text = render_result(result_of(slow_check()), "openmetrics")
    families = {each.name: each for each in text_string_to_metric_families(text)}
    verdicts = families["streamgage_check_verdict"].samples
    assert {e.labels["verdict"]: e.value for e in verdicts} == {
        **{"fine": 0.0, "slow": 1.0, "wrong": 0.0, "cannot-tell": 0.0},
    }
    (bandwidth,) = families["streamgage_check_bandwidth_bytes_per_second"].samples
    assert bandwidth.value == pytest.approx(371.2e9)
    (limit,) = families["streamgage_check_limit_bytes_per_second"].samples
    assert limit.labels["source"] == "given"
    assert text.endswith("# EOF\n")


def test_a_published_value_of_a_device_is_shown_and_decides_nothing() -> None:
    line = replace(node_run(2000.0), device=replace(CUDA_DEVICE, name="NVIDIA H200"))
    (limit,) = of_published(MACHINE, line)
    assert (limit.kernel, limit.expected_gbps, limit.limit_gbps) == ("triad", 4150, None)
    assert "Microsoft" in limit.why
    assert not any(each.decides for each in deciding([limit]))
    sliced = replace(CUDA_DEVICE, name="NVIDIA H200", slice="MIG 1g.18gb")
    assert of_published(MACHINE, replace(line, device=sliced)) == []
