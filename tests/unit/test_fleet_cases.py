"""Fleets with a known truth are judged: what is slow is found, and a doubt is never called fine."""

from __future__ import annotations

from collections.abc import Callable
from math import log

import pytest
from fleet_cases import CASES, KnownFleet, lower_tail, normal, plain, rack, student

from streamgage.analysis.statistics.tails import shape_of
from streamgage.results.fleet.document import Fleet
from streamgage.results.fleet.judge import judge
from streamgage.results.fleet.words import effects_in_words, place_in_words, slow_places

SEEDS = (1, 2, 3)
ALL_FOUND = (
    "normal 1 %",
    "20 kernels, 4 BIOS, 4 microcodes",
    "15 kernels, 100 nodes",
    "a kernel costs 3 %",
    "class of 20, -25 %",
    "20 % slow",
    "33 % slow",
    "52 % slow, baseline",
    "all slow, baseline",
)


def judged(known: KnownFleet) -> Fleet:
    return judge(known.gathered(), known.rules)


@pytest.mark.parametrize("name", CASES)
def test_no_slow_node_is_called_fine_and_few_sound_ones_are_called_slow(name: str) -> None:
    accused = 0
    for seed in SEEDS:
        known = CASES[name](seed)
        verdicts = {each.host: each.verdict for each in judged(known).nodes}
        assert not [host for host in known.slow if verdicts[host] == "fine"]
        slow = {host for host, verdict in verdicts.items() if verdict == "slow"}
        accused += len(slow - known.slow)
        if name in ALL_FOUND:
            assert known.slow <= slow
    assert accused <= 1


@pytest.mark.parametrize("share", [1 / 8, 1 / 12])
def test_a_small_class_says_from_which_loss_on_it_would_show(share: float) -> None:
    nodes = round(1 / share)
    fleet = judged(plain(1, nodes=nodes, share=share, others=300))
    (small,) = [each for each in fleet.classes if each.nodes == nodes]
    (large,) = [each for each in fleet.classes if each.nodes == 300]
    assert small.found_from is not None and large.found_from is not None
    assert small.found_from > large.found_from
    alone = judged(plain(1, nodes=nodes, share=share))
    assert alone.classes[0].found_from == small.found_from  # unrelated nodes do not matter


def test_what_a_setting_costs_is_shown_and_makes_no_node_slow() -> None:
    known = plain(1, settings={"kernel": 4}, effect=0.03)
    fleet = judged(known)
    (effect,) = fleet.classes[0].effects
    assert (effect.name, effect.value) == ("kernel", "v0")
    assert effect.effect == pytest.approx(-0.03, abs=0.004)
    assert "kernel v0" in " ".join(effects_in_words(fleet))


def test_settings_without_an_effect_show_none() -> None:
    known = plain(1, settings={"kernel": 20, "bios": 4, "microcode": 4})
    assert judged(known).classes[0].effects == []


def test_a_slow_rack_is_said_once_and_its_nodes_are_not_drained_one_by_one() -> None:
    fleet = judged(rack(1))
    (place,) = slow_places(fleet)
    said = place_in_words(fleet, place)
    assert said.startswith("r03: ") and said.endswith("of its 40 nodes")
    assert not fleet.with_verdict("slow")
    assert {each.host[:3] for each in fleet.with_verdict("suspect")} == {"r03"}
    assert len(fleet.with_verdict("suspect")) >= 38  # of 4 %, one may be as fast as the others


@pytest.mark.parametrize(
    ("noise", "heavier"), [(student, True), (lower_tail, True), (normal, False)]
)
def test_heavy_tails_of_a_class_raise_the_loss_that_would_show(
    noise: Callable[..., float], heavier: bool
) -> None:
    import random

    draw = random.Random(1)
    shape = shape_of([noise(draw, 0.01) for _ in range(1000)], 1e-3)
    assert (shape.least_loss(1e-5) > 0.10) == heavier
    assert shape.lower_tail(log(0.5)) < 1e-3


def test_a_node_that_is_low_may_have_been_far_above_and_is_not_fine() -> None:
    """Such a node is rarely sound, and no suspect among a thousand."""
    known = CASES["normal 2 %"](14)
    fleet = judged(known)
    low = [each for each in fleet.nodes if -0.10 < (fleet.effect_of(each) or 0.0) < -0.07]
    assert low and not [each for each in low if each.verdict == "fine"]
