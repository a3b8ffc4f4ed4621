"""Intervals of traffic on a curve of latency, and the rates that programs print."""

from __future__ import annotations

import json
import math

import msgspec
import pytest
from example_ladder import machine_of
from example_latency import MEMORY, PEAK, latency_run, queueing
from example_traffic import SOURCE, of_one

from streamgage.errors import UsageError
from streamgage.programs.traffic.judge import Limits, Watch, traffic_of
from streamgage.programs.traffic.on_curve import doubts_of, on_curve
from streamgage.programs.traffic.own_rates import Line, OwnRate, Pattern, intervals_of
from streamgage.programs.traffic.plot import draw
from streamgage.programs.traffic.rates import seen_interval
from streamgage.programs.traffic.summary import render
from streamgage.records import Interval
from streamgage.results.latency.document import Latency
from streamgage.results.latency.judge import judge_latency
from streamgage.results.traffic.data import data_of
from streamgage.results.traffic.document import CurvePlace, OnCurve, TrafficResult
from streamgage.results.traffic.words import of_state
from streamgage.show.csv import render as csv_text
from streamgage.show.picture import picture_bytes
from streamgage.show.symbols import UNICODE

change = msgspec.structs.replace
NS = 1e-9


@pytest.fixture(scope="module")
def curve() -> Latency:
    """Reads alone reach 120 GB/s, one read per write 96; latency is 100 ns without a load."""
    return judge_latency(latency_run(machine_of()))


def watched(intervals: list[Interval]) -> TrafficResult:
    return traffic_of(Watch(source=SOURCE, replayed=False, intervals=intervals), Limits())


def placed(intervals: list[Interval], latency: Latency) -> OnCurve:
    found = on_curve([seen_interval(each) for each in intervals], latency, "latency.json")
    assert isinstance(found, OnCurve)
    return found


def test_an_interval_at_a_point_of_the_curve_sees_its_latency(curve: Latency) -> None:
    gbps, ns = queueing(0.5)
    (place,) = placed(of_one(gbps), curve).places
    assert place.mix == "reads"
    assert place.latency_low == pytest.approx(ns * NS, rel=0.01)
    assert place.share_low == pytest.approx(0.5, rel=0.01)


def test_between_two_points_latency_is_between_theirs(curve: Latency) -> None:
    (low, slow), (high, slower) = queueing(0.75), queueing(0.9)
    (place,) = placed(of_one((low + high) / 2), curve).places
    assert place.latency_low == pytest.approx((slow + slower) / 2 * NS, rel=0.02)


def test_latency_never_falls_as_bandwidth_rises(curve: Latency) -> None:
    places = placed(of_one(*(float(gbps) for gbps in range(0, 121, 5))), curve).places
    latencies = [each.latency_low or math.nan for each in places]
    assert latencies == sorted(latencies)


def test_the_curve_is_that_of_the_nearest_mix(curve: Latency) -> None:
    (place,) = placed(of_one(30.0, written=30.0), curve).places
    assert place.mix == "1:1"
    assert place.share_low == pytest.approx(60 / 96, rel=0.01)


def together(*rates: float) -> list[Interval]:
    """Of a source that does not count reads and writes apart."""
    return intervals_of([OwnRate(rate * 1e9, 1.0) for rate in rates])[0]


def test_without_the_mix_it_is_a_range_over_all_mixes_and_said(curve: Latency) -> None:
    found = placed(together(60.0), curve)
    (place,) = found.places
    assert place.mix is None
    assert (place.share_low, place.share_high) == pytest.approx((60 / 120, 60 / 96), rel=0.01)
    assert place.latency_low is not None
    assert place.latency_high is not None
    assert place.latency_low < place.latency_high
    assert "reads alone and 1 read per write" in found.missing[0]
    assert not placed(of_one(60.0), curve).missing


@pytest.mark.parametrize(
    ("gbps", "state"),
    [(1.0, "free"), (92.0, "slowed"), (100.0, "bound"), (PEAK, "bound"), (130.0, "beyond")],
)
def test_states_follow_bandwidth_and_latency(curve: Latency, gbps: float, state: str) -> None:
    (place,) = placed(of_one(gbps), curve).places
    assert place.state == state
    assert (place.latency_low is None) == (state == "beyond")


def test_what_only_one_mix_would_bind_is_not_called_bound(curve: Latency) -> None:
    assert placed(together(80.0), curve).places[0].state != "bound"
    assert placed(together(98.0), curve).places[0].state == "bound"


def test_phases_are_intervals_of_one_state_in_a_row(curve: Latency) -> None:
    found = placed(of_one(1.0, 2.0, 110.0, 112.0, None, 3.0), curve)
    assert [(each.state, each.start, each.seconds) for each in found.phases] == [
        ("free", 0.0, 2.0),
        ("bound", 2.0, 2.0),
        ("unknown", 4.0, 1.0),
        ("free", 5.0, 1.0),
    ]
    assert found.phases[1].gbps == pytest.approx(111.0)


@pytest.mark.parametrize(
    ("rates", "words"),
    [
        ((1.0, 2.0), "about as long as without a load"),
        ((92.0, 1.0), "in 50 % of the time loads take at least 1.5 times"),
        ((110.0, 1.0), "Bandwidth binds in 50 % of the time"),
        ((200.0, 1.0), "50 % of the time is above the curve, at up to 200.0 GB/s"),
        ((None,), "nothing was counted"),
    ],
)
def test_it_says_what_it_comes_to(
    curve: Latency, rates: tuple[float | None, ...], words: str
) -> None:
    assert words in placed(of_one(*rates), curve).text


def test_a_result_without_a_load_is_no_curve() -> None:
    idle = judge_latency(latency_run(machine_of(), load=None))
    reason = on_curve([], idle, "latency.json")
    assert isinstance(reason, str)
    assert "latency.json has no latency under load" in reason


def test_a_curve_of_another_machine_is_doubted(curve: Latency) -> None:
    seen = change(watched(of_one(1.0)), machine=curve.machine)
    assert doubts_of(seen, curve) == []
    assert curve.machine is not None
    other = change(curve.machine, processor="another")
    assert "another machine" in doubts_of(change(seen, machine=other), curve)[0]
    assert "do not name their machine" in doubts_of(change(seen, machine=None), curve)[0]
    assert "recording" in doubts_of(change(seen, replayed=True, machine=None), curve)[0]


def whole(curve: Latency) -> TrafficResult:
    intervals = of_one(1.0, 92.0, 110.0, 130.0, None)
    return change(watched(intervals), curve=placed(intervals, curve))


def test_the_summary_has_states_shares_and_latencies(curve: Latency) -> None:
    text = render(whole(curve), 100, UNICODE)
    rows = [line.split() for line in text.splitlines()]
    (bound,) = (row for row in rows if row[:1] == ["bound"])
    assert bound[1:] == ["20", "%", "110.0", "92", "%", bound[-1]]
    assert float(bound[-1]) > 2 * MEMORY
    assert "Phases: slowed from 1 to 2 s (92.0 GB/s); bound from 2 to 3 s (110.0 GB/s)" in text
    assert max(map(len, text.splitlines())) <= 100


def test_the_data_have_the_place_of_each_interval(curve: Latency) -> None:
    lines = csv_text(data_of(whole(curve))).splitlines()
    assert lines[0].endswith("curve_state,share_low,share_high,latency_low_ns,latency_high_ns")
    assert [line.split(",")[-5] for line in lines[1:]] == [
        *("free", "slowed", "bound", "beyond", "unknown"),
    ]


def test_the_picture_has_the_curve_below_the_course(curve: Latency, tmp_path: object) -> None:
    from pathlib import Path

    figure = draw(whole(curve))
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    assert any("on the curve of latency.json" in title for title in titles)
    assert picture_bytes(figure, Path("traffic.svg")).startswith(b"<?xml")


def rates(pattern: str, *texts: str) -> list[float]:
    return [each.bytes_per_second for each in Pattern(pattern).rates([Line(e) for e in texts])]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12.5 GB/s", 12.5e9),
        ("12.5e9", 12.5e9),
        ("800 MBytes/s", 8e8),
        ("2 GiB/s", 2 * 1024**3),
        ("3 kB/s", 3e3),
    ],
)
def test_a_rate_has_a_unit_or_is_bytes_per_second(text: str, expected: float) -> None:
    assert rates("moved (.*) now", f"step: moved {text} now", "nothing") == [expected]


def test_bytes_and_cache_lines_are_divided_by_their_seconds() -> None:
    assert rates(r"(?P<bytes>\d+) in (?P<seconds>[\d.]+)", "800 in 0.5") == [1600]
    assert rates(r"PAPI_L3_TCM (?P<lines>\d+) (?P<seconds>\S+)", "PAPI_L3_TCM 100 2") == [3200]
    assert rates(r"(?P<bytes>\d+) in (?P<seconds>[\d.]+)", "800 in 0") == []


def test_lines_of_json_have_such_names() -> None:
    texts = (
        '{"bytes_per_second": 5e9, "seconds": 2}',
        '{"bytes": 800, "seconds": 0.5}',
        '{"bytes": 800}',
        '{"bytes_per_second": true}',
        '{"bytes_per_second": -1}',
        "[1, 2]",
        "{",
        "\ud800",
    )
    assert rates("json", *texts) == [5e9, 1600]


# In the form of likwid-perfctr's tables, group MEM, with made-up figures.
LIKWID = """\
Region copy, Group 1: MEM
+-----------------------------------+------------+------------+
|               Metric              | HWThread 0 | HWThread 1 |
+-----------------------------------+------------+------------+
|        Runtime (RDTSC) [s]        |     0.5000 |     0.4900 |
|    Memory bandwidth [MBytes/s]    | 30000.5000 |          0 |
|    Memory data volume [GBytes]    |    15.0003 |          0 |
+-----------------------------------+------------+------------+

+----------------------------------------+------------+-----+------------+------------+
|                 Metric                 |     Sum    | Min |     Max    |     Avg    |
+----------------------------------------+------------+-----+------------+------------+
|        Runtime (RDTSC) [s] STAT        |     0.9900 | 0.4 |     0.5000 |     0.4950 |
|    Memory bandwidth [MBytes/s] STAT    | 30000.5000 |   0 | 30000.5000 | 15000.2500 |
+----------------------------------------+------------+-----+------------+------------+
Region sum, Group 1: MEM
|        Runtime (RDTSC) [s]        |     0.2000 |
|    Memory bandwidth [MBytes/s]    | 10000.0000 |
"""


def test_each_table_of_likwid_is_an_interval_with_its_runtime() -> None:
    found = Pattern("likwid").rates([Line(each) for each in LIKWID.splitlines()])
    assert [(each.bytes_per_second, each.seconds) for each in found] == [
        (30000.5e6, 0.5),
        (10000e6, 0.2),
    ]


def test_a_real_row_of_40_threads_is_their_sum() -> None:
    """Of likwid-perfctr -g MEM on two sockets of a Xeon E5-2630 v4, from public notes."""
    row = "|    Memory bandwidth [MBytes/s] STAT    | 92518.6320 |  0  | 46313.3549 | 2312.9658 |"
    assert rates("likwid", row) == [92518.6320e6]


def papi(regions: dict[str, dict[str, object]], *more: dict[str, dict[str, object]]) -> str:
    """As PAPI 7 writes it with ``PAPI_REPORT``: each value is text, and each stands on a line."""
    threads = {str(n): {"regions": each} for n, each in enumerate((regions, *more))}
    whole = {"papi_version": "7.2.0.0", "cpu_info": "Example 9000", "threads": threads}
    return f"done {{\n\n\nPAPI-HL Output:\n{json.dumps(whole, indent=2)}\n\n"


def region(name: str, nanoseconds: int, parent: int = -1, **events: object) -> dict[str, object]:
    of_all = {"name": name, "parent_region_id": str(parent), "cycles": "1364391136"}
    return {**of_all, "real_time_nsec": str(nanoseconds), **events}


def test_each_outer_region_of_papi_is_an_interval_of_all_its_threads() -> None:
    first = {
        "0": region("copy", 500_000_000, PAPI_L3_TCM="100000000"),
        "1": region("inner", 1_000, 0, PAPI_L3_TCM="1000000"),
        "2": region("copy", 250_000_000, PAPI_L3_TCM={"region_value": "7", "read_1": "3"}),
    }
    second = {"0": region("copy", 400_000_000, PAPI_L3_TCM="50000000")}
    found = Pattern("papi").rates([Line(each) for each in papi(first, second).splitlines()])
    assert [(each.bytes_per_second, each.seconds) for each in found] == [
        (150e6 * 64 / 0.5, 0.5),
        (7 * 64 / 0.25, 0.25),
    ]


def test_memory_controllers_that_each_thread_reads_count_once() -> None:
    reads, writes = (f"skx_unc_imc0::UNC_M_CAS_COUNT:{e}:cpu=0" for e in ("RD", "WR"))
    events: dict[str, object] = {reads: "3000000", writes: "1000000", "PAPI_L3_TCM": "9"}
    one = {"0": region("triad", 1_000_000_000, **events)}
    assert rates("papi", *papi(one, one).splitlines()) == [4e6 * 64]


def test_power_counts_bytes() -> None:
    events: dict[str, object] = {"pcp:::perfevent.hwcounters.nest_mba0.PM_MBA0_READ_BYTES": "8000"}
    text = papi({"0": region("triad", 1_000_000, **events)})
    assert rates("papi", *text.splitlines()) == [pytest.approx(8e6)]


def test_papi_that_counted_no_traffic_says_what_to_count() -> None:
    """The counts of a public file of PAPI 7.2 (github.com/icl-utk-edu/papi: papi_hl.c)."""
    events: dict[str, object] = {"PAPI_FP_OPS": "20971520", "PAPI_L1_DCA": "38637435"}
    text = papi({"0": region("daxpy", 427_162_799, **events)})
    with pytest.raises(UsageError, match="PAPI counted PAPI_FP_OPS, PAPI_L1_DCA, which is no"):
        rates("papi", *text.splitlines())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{" * 5000,
        '{"threads": {"0": 3, "1": {"regions": [1]}, "2": {"regions": {"0": 7}}}}',
        papi({"0": region("copy", 0, PAPI_L3_TCM="5")}),
        papi({"0": region("copy", 5, PAPI_L3_TCM="-5")}),
        papi({"0": region("copy", 5, PAPI_L3_TCM="5")})[:-30],
    ],
)
def test_what_is_not_whole_of_papi_has_no_rate(text: str) -> None:
    assert rates("papi", *text.splitlines()) == []


def test_a_rate_holds_since_the_one_before_it() -> None:
    intervals, known = intervals_of([OwnRate(1e9, at=0.5), OwnRate(2e9, at=2.0)])
    assert [(each.start, each.seconds) for each in intervals] == [(0, 0.5), (0.5, 1.5)]
    assert intervals[1].domains[0].bytes_total == 3e9
    assert known


def test_without_times_each_rate_counts_as_a_second() -> None:
    intervals, known = intervals_of([OwnRate(1e9), OwnRate(2e9)])
    assert [(each.start, each.seconds) for each in intervals] == [(0, 1), (1, 1)]
    assert not known


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("(", "is not a regular expression"),
        ("rate", "does not say which part is the rate"),
        ("(a)(b)", "does not say which part is the rate"),
        ("(?P<bytes>a)", "does not say which part is the rate"),
    ],
)
def test_a_pattern_that_finds_no_rate_is_refused(given: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        Pattern(given)


def test_a_curve_that_never_saturates_binds_nothing(curve: Latency) -> None:
    loaded = [
        change(each, unloaded_seconds=10 * (each.unloaded_seconds or 0.0)) for each in curve.loaded
    ]
    weak = change(curve, loaded=loaded)
    found = placed([*of_one(100.0), *of_one(PEAK)], weak)
    assert {each.state for each in found.places} <= {"free", "slowed"}
    assert {each.share_low for each in found.places} == {None}
    assert found.places[0].latency_low is not None
    assert "it is unknown how near saturation" in found.text
    assert any("did not saturate the memory" in each for each in found.missing)
    assert placed(of_one(130.0), weak).places[0].state == "beyond"


def test_a_curve_without_a_nameable_onset_binds_nothing(curve: Latency) -> None:
    wide = [
        change(
            each,
            points=[
                change(point, seconds=change(point.seconds, low=1e-9, high=1e-3))
                for point in each.points
            ],
        )
        for each in curve.loaded
    ]
    found = placed(of_one(PEAK), change(curve, loaded=wide))
    assert "bound" not in {each.state for each in found.places}
    assert any("no onset can be named" in each for each in found.missing)


def test_one_end_of_the_range_of_a_latency_is_shown_alone() -> None:
    place = CurvePlace(start=0.0, seconds=1.0, state="slowed", latency_low=1e-7)
    assert of_state([place], 2.0)[-1] == of_state([place, place], 2.0)[-1] == "100"
