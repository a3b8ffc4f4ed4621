"""Fleets of many shapes are judged: whatever the noise, no sound node is drained for it."""

from __future__ import annotations

import pytest
from fleet_cases import plain
from msgspec.structs import replace
from other_fleets import (
    KERNELS,
    NOISES,
    SHAPES,
    OtherFleet,
    firmware,
    hours,
    many_slow,
    mixture,
    one_hardware,
    own_nights,
    racks,
    units,
)

from streamgage.analysis.statistics.tails import excess_of, shape_of
from streamgage.results.fleet.document import Fleet
from streamgage.results.fleet.gather import gather
from streamgage.results.fleet.judge import judge
from streamgage.results.kinds import words_of

SEEDS = (1, 2)


def judged(known: OtherFleet) -> Fleet:
    return judge(known.gathered(), known.rules)


def by_verdict(fleet: Fleet) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for each in fleet.nodes:
        found.setdefault(each.verdict, set()).add(each.host)
    return found


@pytest.mark.parametrize("name", SHAPES)
def test_no_slow_node_is_fine_and_nearly_no_sound_one_is_slow(name: str) -> None:
    accused = 0
    for seed in SEEDS:
        known = SHAPES[name](seed)
        found = by_verdict(judged(known))
        slow, fine = found.get("slow", set()), found.get("fine", set())
        assert not known.slow & fine
        assert not known.mistaken & (slow | fine)
        accused += len(slow - known.slow - known.open)
    assert accused <= 1


def test_a_tail_without_a_gap_belongs_to_the_noise_and_what_is_beyond_one_does_not() -> None:
    near = [number * 0.2 for number in range(1, 60)]  # up to 11.8 scales, without a gap
    assert excess_of(near, 200).tail(12.0) > 1e-3
    apart = [each for each in near if each < 3] + [11.6, 11.7, 11.8]
    assert excess_of(apart, 200).tail(11.6) < 1e-5


def test_nodes_that_scatter_more_than_the_others_are_not_drained_for_it() -> None:
    known = one_hardware(5, mixture, slow=0)
    assert not judged(known).with_verdict("slow")


def test_the_faster_of_two_groups_shows_the_noise() -> None:
    values = [0.0002 * number for number in range(-30, 30)]
    both = shape_of([*values, *(each - 0.16 for each in values[::2])], 1e-3)
    assert both.scale < 0.01
    assert both.middle == pytest.approx(0.0, abs=0.002)


def test_a_group_with_one_speed_is_said_and_not_drained_node_by_node() -> None:
    known = firmware(1, share=0.25, cost=0.05, recorded=False)
    fleet = judged(known)
    found = by_verdict(fleet)
    assert found["slow"] == known.slow  # they are far below the group that they are in
    assert known.open <= found["suspect"]
    assert "of its class near" in fleet.with_verdict("suspect")[0].causes[-1].words


def test_without_a_clear_majority_nobody_is_sound_or_slow_until_a_baseline_says_so() -> None:
    found = by_verdict(judged(many_slow(1, share=0.45, baseline=False)))
    assert len(found["cannot-tell"]) >= 130 and len(found.get("slow", ())) < 5
    known = many_slow(1, share=0.45, baseline=True)
    assert by_verdict(judged(known))["slow"] == known.slow


def test_a_setting_that_costs_a_tenth_makes_no_node_fine() -> None:
    known = plain(1, share=0.0, settings={"kernel": 4}, effect=0.12)
    fleet = judge(gather(known.lines))
    (effect,) = fleet.classes[0].effects
    assert effect.effect == pytest.approx(-0.12, abs=0.005)
    suspects = fleet.with_verdict("suspect")
    assert len(suspects) == effect.nodes
    assert suspects[0].causes[0].words.startswith("most with kernel v0 are 12 % slower")


def test_units_that_are_mistaken_are_named_and_counted_once() -> None:
    known = units(1)
    fleet = judged(known)
    assert {each.host for each in fleet.unanswered()} == known.mistaken
    (note,) = [each for each in fleet.notes if "impossible" in each]
    assert note.startswith("12 runs were left out as impossible (cn[")


def test_a_rack_that_lost_much_hides_no_slow_node_elsewhere() -> None:
    known = racks(1, cost=0.15)
    assert by_verdict(judged(known))["slow"] == known.slow


@pytest.mark.parametrize(("nights", "since"), [(4, 1), (10, 1), (10, 6), (8, 4)])
def test_a_node_that_fell_some_nights_ago_is_found_by_the_level_that_it_held(
    nights: int, since: int
) -> None:
    known = own_nights(3, nights=nights, since=since, loss=0.075)
    fleet = judged(known)
    assert by_verdict(fleet)["slow"] == known.slow
    for each in fleet.with_verdict("slow"):
        assert each.drift is not None
        assert each.drift.since.startswith(f"2027-02-{3 + nights - since:02d}")
        assert each.effect == pytest.approx(each.drift.effect)
        assert each.drift.effect == pytest.approx(-0.075, abs=0.02)


def test_a_class_below_its_baseline_is_said_and_is_not_quotable() -> None:
    fleet = judged(many_slow(1, share=1.0, baseline=True))
    words = words_of(fleet)
    assert words.trust.verdict == "with-care"
    assert "is below its baseline" in words.trust.words
    assert all(each.effect is not None and each.effect < -0.1 for each in fleet.nodes)
    # Where a half of it is sound, the class as a whole is not below.
    half = words_of(judged(many_slow(1, share=0.45, baseline=True)))
    assert "below its baseline" not in half.trust.words


def test_that_there_is_no_healthy_majority_is_said() -> None:
    said = words_of(judged(many_slow(1, share=0.5, baseline=False))).trust.words
    assert "two groups, without a healthy majority" in said
    assert "majority" not in words_of(judged(many_slow(1, share=0.2, baseline=False))).trust.words


ROME: dict[str, object] = {
    "processor": "AMD EPYC 7742 64-Core Processor",
    "processor_cores": 128,
    "threads": 128,
    "modules": "16 x 16 GiB DDR4-3200",
    "memory_bytes": 256 << 30,
}
"""CSCS expects 220 GB/s of triad from it, and lets a sound one have a tenth less."""


def half_of(gbps: float, **machine: object) -> dict[str, set[str]]:
    """Judge nodes: half of them have that triad, the others a fifth less."""
    known = many_slow(1, share=0.5, baseline=False)
    scale = gbps / KERNELS["triad"]
    for place, line in enumerate(known.lines):
        figures = [replace(each, gbps=each.gbps * scale) for each in line.figures]
        known.lines[place] = replace(line, figures=figures, **machine)
    return by_verdict(judged(known)) | {"known": known.slow}


def test_where_there_is_no_majority_a_published_value_decides() -> None:
    found = half_of(222.0, **ROME)
    assert found["slow"] == found["known"]
    assert len(found["fine"]) == 150
    # Both halves reach it, or neither does: it decides nothing.
    assert not half_of(260.0, **ROME).get("slow")
    assert not half_of(180.0, **ROME).get("slow")
    assert not half_of(222.0, **ROME | {"processor": "AMD EPYC 7002"}).get("slow")


def test_where_there_is_no_majority_the_peak_of_the_modules_makes_suspects() -> None:
    modules = {"processor": "a processor", "modules": "8 x 16 GiB DDR4-3200"}  # 204.8 GB/s
    found = half_of(112.0, **modules)  # and 94: 105 would be 70 % of the peak with all reads
    assert found["suspect"] >= found["known"] and not found.get("slow")
    assert not half_of(140.0, **modules).get("suspect", set()) & half_of(140.0, **modules)["known"]


def test_a_class_below_its_published_value_is_said() -> None:
    known = many_slow(1, share=0.0, baseline=False)
    known.lines = [replace(line, **ROME) for line in known.lines]
    said = words_of(judged(known)).trust.words
    assert "below what is expected" in said


@pytest.mark.parametrize("seed", [2008, 2009, 2010])
def test_groups_that_only_some_kernels_show_accuse_nobody(seed: int) -> None:
    known = hours(seed)
    assert by_verdict(judged(known))["slow"] == known.slow


@pytest.mark.parametrize("name", ["normal", "Laplace"])
def test_sound_fleets_with_short_tails_have_no_slow_node(name: str) -> None:
    fleets = [one_hardware(seed, NOISES[name], nodes=300, slow=0) for seed in range(8)]
    assert not any(judged(each).with_verdict("slow") for each in fleets)


def test_a_few_slow_nodes_far_from_each_other_are_no_tail_of_the_noise() -> None:
    noise = [number * 0.1 for number in range(1, 24)]  # up to 2.3 scales
    slow = [8.6, 11.0, 20.0, 40.0, 80.0]
    assert excess_of([*noise, *slow], 300).tail(8.6) < 1e-5
    tail = [2.3 * 1.35**number for number in range(1, 13)]  # as heavy, and without a gap
    assert excess_of([*noise, *tail], 300).tail(8.6) > 1e-3
