"""A program's time by the memory's: ratios, how far they spread, and what trackers read."""

from __future__ import annotations

import json
import math
import random
from itertools import pairwise

import jsonschema
import pytest
from schemas import validator

from streamgage.programs.ratio.against import OtherRuns
from streamgage.programs.ratio.document import RatioPair, TimeRatio
from streamgage.programs.ratio.judge import ProbedRuns, judge_ratio, momentary_gbps, spread_of
from streamgage.programs.ratio.page import page_of
from streamgage.programs.ratio.trackers import bencher, github_action_benchmark
from streamgage.records.node import NodeFigure, NodeLine
from streamgage.show.formats import as_json

MIB = 1 << 20
DAY = "2026-11-26T12:00:00Z"


def probe(gbps: float, samples: list[float] | None = None, **fields: object) -> NodeLine:
    return NodeLine(
        host="node7",
        time=DAY,
        figures=[NodeFigure(kernel="triad", gbps=gbps, samples=samples or [])],
        threads=2,
        array_bytes=128 * MIB,
        last_level_cache_bytes=32 * MIB,
        **fields,  # type: ignore[arg-type]
    )


def ruled(seconds: list[float], gbps: list[float], **fields: object) -> TimeRatio:
    probes = [probe(each, **fields) for each in gbps]
    return judge_ratio(ProbedRuns("sweep", ["./sweep", "-n"], probes, seconds, 0.3))


def test_a_ratio_is_what_triad_would_have_moved() -> None:
    found = ruled([2.0], [10.0, 40.0])
    (only,) = found.rounds
    assert (only.before_gbps, only.after_gbps) == (10.0, 40.0)
    assert only.ratio == pytest.approx(2.0 * 20.0)
    assert (found.seconds.value, found.seconds.low) == (2.0, None)


def test_a_machine_that_is_twice_as_slow_changes_the_time_and_not_the_ratio() -> None:
    speeds = [40.0, 40.0, 20.0, 20.0, 40.0, 20.0, 40.0, 20.0, 20.0]
    seconds = [12.0 / math.sqrt(a * b) for a, b in pairwise(speeds)]
    found = ruled(seconds, speeds)
    assert [each.ratio for each in found.rounds] == pytest.approx([12.0] * 8)
    assert found.seconds_spread.middle_half > 0.2
    assert found.ratio_spread.whole == pytest.approx(0, abs=1e-9)
    assert "spreads less than the plain time" in found.sentences[0]


def test_a_benchmark_that_memory_does_not_limit_is_said_to_have_the_wrong_ratio() -> None:
    found = ruled([1.0] * 8, [40.0, 40.0, 20.0, 20.0, 40.0, 40.0, 20.0, 20.0, 40.0])
    assert "spreads more than the plain time" in found.sentences[0]
    assert "does not limit this benchmark" in found.sentences[0]


def test_few_runs_show_no_spread() -> None:
    assert "cannot show how far" in ruled([1.0, 2.0], [10.0, 10.0, 10.0]).sentences[0]


def test_pauses_of_the_machine_count() -> None:
    assert momentary_gbps(probe(30.0, [30.0, 30.0, 10.0])) == pytest.approx(18.0)
    assert momentary_gbps(probe(30.0)) == pytest.approx(30.0)


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0.004, "starting the process"), (60.0, "the ratio does not show it")],
)
def test_a_run_that_the_probes_do_not_suit_is_said(seconds: float, said: str) -> None:
    assert said in ruled([seconds], [10.0, 10.0]).sentences[-1]
    assert said not in " ".join(ruled([1.0], [10.0, 10.0]).sentences)


def test_arrays_that_fit_a_cache_are_said() -> None:
    large = probe(50.0)
    caches = [type(large)(**{**_fields(large), "last_level_cache_bytes": 512 * MIB})] * 2
    found = judge_ratio(ProbedRuns("x", ["x"], caches, [1.0], 0.3))
    assert "Give a larger --size" in found.sentences[-1]


def _fields(line: NodeLine) -> dict[str, object]:
    return {name: getattr(line, name) for name in line.__struct_fields__}


def test_spreads_are_over_the_median() -> None:
    found = spread_of([4.0, 1.0, 2.0, 3.0, 5.0])
    assert (found.middle_half, found.whole) == (pytest.approx(3 / 3), pytest.approx(4 / 3))
    assert spread_of([2.0]).whole == 0


def test_bencher_gets_the_ratio_and_the_time_in_nanoseconds() -> None:
    found = ruled([0.5] * 6, [10.0] * 7)
    document = json.loads(bencher(found))
    schema = {  # that of https://bencher.dev/bmf.json
        "type": "object",
        "additionalProperties": {
            "type": "object",
            "additionalProperties": {
                "type": "object",
                "properties": {
                    name: {"type": "number"} for name in ("value", "lower_value", "upper_value")
                },
                "required": ["value"],
            },
        },
    }
    jsonschema.validate(document, schema)
    measures = document["sweep"]
    assert measures["memory-ratio"] == {"value": 5.0, "lower_value": 5.0, "upper_value": 5.0}
    assert measures["latency"]["value"] == pytest.approx(0.5e9)


def test_github_action_benchmark_gets_the_ratio_alone() -> None:
    (entry,) = json.loads(github_action_benchmark(ruled([0.5, 0.6], [10.0] * 3)))
    assert (entry["name"], entry["unit"]) == ("sweep", "GB of triad")
    assert entry["value"] == pytest.approx(5.5) and entry["range"].startswith("± ")
    (single,) = json.loads(github_action_benchmark(ruled([0.5], [10.0] * 2)))
    assert "range" not in single


def test_the_document_is_as_its_schema_says() -> None:
    found = ruled([0.5, 0.6], [10.0] * 3, taken=0.25)
    validator("ratio").validate(json.loads(as_json(found)))
    assert page_of(found).headline == "sweep: 5.50 GB of triad"


def against(
    ratios: list[float], cpu: list[float] | None = None, *, computes: float = 1.0
) -> TimeRatio:
    """The benchmark, which takes these times what the other program takes, pair by pair."""
    pairs = [
        RatioPair(
            first=bool(number % 2),
            seconds=ratio,
            cpu_seconds=computes * (ratio if cpu is None else cpu[number]),
            other_seconds=1.0,
            other_cpu_seconds=computes,
        )
        for number, ratio in enumerate(ratios)
    ]
    probes = [probe(20.0, taken=0.5) for _ in range(len(pairs) + 1)]
    seconds = [each.seconds for each in pairs]
    other = OtherRuns("old", ["./old"], 0.02, False, pairs)
    return judge_ratio(ProbedRuns("new", ["./new"], probes, seconds, 0.3, other))


def around(ratio: float, spread: float, number: int = 40) -> list[float]:
    """Ratios on both sides of one, the same at every call."""
    rng = random.Random(5)
    return [ratio * math.exp(rng.gauss(0, spread)) for _ in range(number)]


@pytest.mark.parametrize(
    ("ratios", "decision", "said"),
    [
        (around(1.1, 0.05), "slower", "new is slower than old: it takes"),
        (around(0.9, 0.05), "faster", "new is faster than old: it takes"),
        (around(1.0, 0.01), "equal", "new and old differ by less than 2 %"),
        (around(1.0, 0.2), "undecided", "It is not decided which is faster"),
        ([1.5] * 3, "undecided", "too few pairs for bounds"),
    ],
)
def test_a_comparison_says_what_its_pairs_decide(
    ratios: list[float], decision: str, said: str
) -> None:
    found = against(ratios)
    assert found.against is not None
    assert found.against.decision == decision
    assert found.sentences[0].startswith(said) or said in found.sentences[0]
    assert "the comparison holds" in found.sentences[-1]
    validator("ratio").validate(json.loads(as_json(found)))
    assert found.name in page_of(found).headline


def test_cpu_time_decides_where_the_clock_cannot() -> None:
    noisy = around(1.05, 0.5)
    found = against(noisy, around(1.05, 0.01))
    assert found.against is not None
    assert (found.against.decision, found.against.decided_by) == ("slower", "cpu")
    assert "more CPU time" in found.sentences[0]


def test_cpu_time_decides_nothing_for_programs_that_wait() -> None:
    found = against(around(1.0, 0.5), around(1.05, 0.001), computes=0.1)
    assert found.against is not None and found.against.decided_by is None


def test_a_ratio_lies_within_its_bounds() -> None:
    for spread in (0.01, 0.1, 0.5):
        found = against(around(1.03, spread)).against
        assert found is not None
        for ratio in (found.ratio, found.cpu_ratio):
            assert ratio.low is not None and ratio.high is not None
            assert ratio.low <= ratio.value <= ratio.high


def test_trackers_get_the_ratio_to_the_other_program() -> None:
    found = json.loads(bencher(against(around(1.1, 0.05))))
    assert 1.0 < found["new"]["ratio-to-other"]["value"] < 1.2
