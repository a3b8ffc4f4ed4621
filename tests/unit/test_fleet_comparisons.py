"""What a node is compared with: runs of the same hour, and nodes that measured the same."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest
from msgspec.structs import replace

from streamgage.analysis.statistics.tails import shape_of
from streamgage.records.node import NodeFigure, NodeLine
from streamgage.results.fleet.baseline import Baseline, baseline_of, read_baseline
from streamgage.results.fleet.document import Fleet
from streamgage.results.fleet.gather import gather
from streamgage.results.fleet.judge import Rules, judge
from streamgage.results.fleet.words import (
    headline,
    place_in_words,
    setting_in_words,
    slow_places,
    slow_settings,
    why_unknown,
)

KERNELS = {"copy": 0.9, "triad": 1.0}
COLD = 0.88


def line(host: str, level: float, attempt: int = 1, **others: object) -> NodeLine:
    figures = [NodeFigure(kernel=name, gbps=400 * level * of) for name, of in KERNELS.items()]
    found = NodeLine(
        host=host,
        time=f"2026-10-03T02:{10 * attempt:02d}:00Z",
        attempt=attempt,
        figures=figures,
        processor="P",
        packages=2,
        processor_cores=64,
        threads=64,
        modules="16 x 32 GiB DDR5-4400",
        array_bytes=1 << 30,
    )
    return replace(found, **others)


def levels(nodes: int, scatter: float = 0.008, seed: int = 1) -> dict[str, float]:
    chance = random.Random(seed)
    return {f"n{number:03d}": 1 + chance.gauss(0, scatter) for number in range(nodes)}


def twice(nodes: Mapping[str, float], first: float = 1.0, second: float = 1.0) -> list[NodeLine]:
    return [
        line(host, level * of, attempt)
        for host, level in nodes.items()
        for attempt, of in ((1, first), (2, second))
    ]


def judged(lines: Iterable[NodeLine], baseline: Baseline | None = None, **rules: object) -> Fleet:
    return judge(gather(lines), Rules(baseline=baseline, **rules))  # type: ignore[arg-type]


def verdicts(fleet: Fleet) -> dict[str, str]:
    return {each.host: each.verdict for each in fleet.nodes}


@pytest.fixture
def baseline(tmp_path: Path) -> Baseline:
    file = tmp_path / "baseline.json"
    file.write_bytes(baseline_of(judged(twice(levels(100, seed=2)))))
    return read_baseline(file)


def test_a_night_on_which_all_nodes_warmed_up_shows_no_node_as_flapping() -> None:
    nodes = levels(100) | {"n007": 0.87}
    fleet = judged(twice(nodes, first=COLD))
    assert verdicts(fleet) == dict.fromkeys(nodes, "fine") | {"n007": "slow"}
    (note,) = fleet.notes
    assert note.startswith("Nearly all of 2x P, 16 x 32 GiB DDR5-4400 changed by +13.6 % from one")


def test_nodes_that_change_from_run_to_run_are_flapping_though_they_are_most() -> None:
    nodes = levels(100)
    some = set(list(nodes)[:60])
    lines = [
        replace(line(host, level * (0.85 if host in some else 1)), attempt=2)
        for host, level in nodes.items()
    ]
    found = verdicts(judged([*(line(*each) for each in nodes.items()), *lines]))
    assert {host for host, verdict in found.items() if verdict == "flapping"} == some


def test_a_baseline_is_compared_with_what_was_measured(baseline: Baseline) -> None:
    fleet = judged(twice(levels(100), first=COLD), baseline)
    assert not fleet.with_verdict("slow")


def test_a_node_that_measured_nothing_of_what_others_did_is_not_judged() -> None:
    other = line("odd", 1.0, figures=[NodeFigure(kernel="read", gbps=90.0)])
    fleet = judged([*twice(levels(60)), other])
    assert verdicts(fleet)["odd"] == "not-judged"
    assert not fleet.all_fine()


def test_a_run_with_fewer_threads_than_most_cannot_show_that_its_node_is_slow() -> None:
    lines = [line("few", 0.6, attempt, threads=32) for attempt in (1, 2)]
    fleet = judged([*twice(levels(60)), *lines])
    (node,) = fleet.with_verdict("cannot-tell")
    assert node.host == "few"
    assert node.runs[0].disturbed == "it ran 32 threads, and most others 64"
    lines = [line("half", 0.6, each, threads=32, processor_cores=32) for each in (1, 2)]
    assert verdicts(judged([*twice(levels(60)), *lines]))["half"] == "slow"


@pytest.mark.parametrize("known", ["modules", "memory_bytes"])
def test_a_few_nodes_with_less_memory_are_suspects_if_that_costs_a_tenth(known: str) -> None:
    words = {"modules": "14 x 32 GiB DDR5-4400"} if known == "modules" else {"modules": None}
    most = [replace(each, memory_bytes=512 << 30) for each in twice(levels(150))]
    if known == "memory_bytes":
        most = [replace(each, modules=None) for each in most]
    for level, verdict in ((0.82, "suspect"), (0.99, "fine")):
        few = {f"m{number}": level * of for number, of in enumerate(levels(12).values())}
        lines = [replace(each, memory_bytes=448 << 30, **words) for each in twice(few)]
        found = verdicts(judged([*most, *lines]))
        assert {found[host] for host in few} == {verdict}


def test_a_unit_that_no_noise_explains_says_nothing_of_the_others() -> None:
    values = [0.008 * each for each in levels(60, scatter=1.0).values()]
    assert shape_of([*values, 1.0], 1e-3).weights == pytest.approx(
        shape_of([*values, max(values)], 1e-3).weights, abs=0.2
    )
    nodes = levels(60) | {"fast": 2.5}
    assert set(verdicts(judged(twice(nodes))).values()) == {"fine"}


def test_groups_in_one_kernel_count_where_the_baseline_has_another(baseline: Baseline) -> None:
    file = baseline.file
    (group,) = file.classes
    copy = [each for each in group.figures if each.kernel == "copy"]
    only_copy = Baseline(replace(file, classes=[replace(group, figures=copy)]), "base.json")
    lines = twice(levels(100))
    for each in lines:
        if int(each.host[1:]) < 50:
            each.figures[1] = replace(each.figures[1], gbps=0.8 * each.figures[1].gbps)
    found = judged(lines, only_copy)
    assert len(found.with_verdict("cannot-tell")) == 50


def test_what_the_baseline_decides_nothing_for_is_said(baseline: Baseline) -> None:
    other = [replace(each, host=f"m{each.host}", processor="Q") for each in twice(levels(60))]
    notes = judged([*twice(levels(100)), *other], baseline).notes
    assert notes[-1] == "baseline.json decides nothing for 2x Q, 16 x 32 GiB DDR5-4400."
    assert "other hardware: processor Q, not P" in notes[-2]
    reads = [
        replace(each, figures=[replace(each.figures[1], kernel="read")])
        for each in twice(levels(60))
    ]
    (note,) = judged(reads, baseline).notes
    assert "it has only triad and copy, which these nodes did not measure" in note


def test_only_nodes_that_are_low_themselves_are_blamed_for_their_rack() -> None:
    nodes = {f"r{number // 10}n{number}": of for number, of in enumerate(levels(100).values())}
    slow = [host for host in nodes if host.startswith("r3")][:7]
    fleet = judged(
        twice(nodes | {host: 0.85 * nodes[host] for host in slow}), place=lambda host: host[:2]
    )
    assert {each.host for each in fleet.with_verdict("suspect")} == set(slow)
    (place,) = slow_places(fleet)
    assert place_in_words(fleet, place).endswith("7 of its 10 nodes")


def test_a_setting_that_costs_bandwidth_is_on_the_first_screen() -> None:
    lines = [
        replace(each, bios="2.3" if int(each.host[1:]) < 30 else "2.1")
        for each in twice({h: of * (0.94 if h < "n030" else 1) for h, of in levels(100).items()})
    ]
    fleet = judged(lines)
    (effect,) = slow_settings(fleet)
    assert setting_in_words(effect).startswith("BIOS 2.3: 5.")
    assert setting_in_words(effect).endswith(" % slower (30 nodes)")


def test_a_headline_says_no_more_than_is_known() -> None:
    once = [line(*each) for each in (levels(100) | {"n007": 0.7}).items()]
    assert headline(judged(once)).endswith("none is known to be slow, 1 suspect")
    assert headline(judged(twice(levels(100)))).endswith("none is slow")
    noisy = judged(twice(levels(12, scatter=0.05)))
    assert headline(noisy).endswith("none could be judged")
    assert why_unknown(noisy.nodes) == "too few nodes, or too different"
