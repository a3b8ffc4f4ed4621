"""What a line cannot be is left out, with the name of its node, and a node has one name."""

from __future__ import annotations

import json

import pytest

from streamgage.records.node import NodeLine, read_node_lines
from streamgage.results.fleet.document import Fleet
from streamgage.results.fleet.gather import gather
from streamgage.results.fleet.judge import judge

SOUND = {"processor": "P", "packages": 2, "modules": "24 x 32 GiB DDR5-4800"}


def line(host: str, gbps: object = 740.0, **others: object) -> bytes:
    """A line that a person or another program wrote."""
    fields = {
        "record": "node",
        "host": host,
        "time": "2026-11-25T12:00:00Z",
        "figures": [{"kernel": "triad", "gbps": gbps}],
        **SOUND,
    }
    return json.dumps(fields | others).encode() + b"\n"


def fleet_of(*lines: bytes) -> tuple[Fleet, list[str]]:
    notes: list[str] = []
    sound = [line(f"n{number}", 740.0 + number % 5) for number in range(10, 40)]
    gathered = gather(read_node_lines([*sound, *lines], notes.append))
    fleet = judge(gathered)
    return fleet, [*notes, *fleet.notes]


@pytest.mark.parametrize("gbps", [0, -5, float("nan"), None, "fast", 1e308, 1480.0])
def test_a_figure_that_cannot_be_names_its_node_and_is_no_result(gbps: object) -> None:
    fleet, notes = fleet_of(line("n1", gbps))
    assert "n1" not in {each.host for each in fleet.nodes}
    (silent,) = fleet.unanswered()
    assert (silent.host, silent.why) == ("n1", "garbage")
    assert fleet.asked == 31
    assert any("n1" in each for each in notes)
    assert not fleet.all_fine()


def test_a_node_with_a_good_run_next_to_an_impossible_one_is_judged_by_it() -> None:
    fleet, notes = fleet_of(line("n1", 1480.0), line("n1", 741.0, attempt=2))
    (node,) = [each for each in fleet.nodes if each.host == "n1"]
    assert [each.attempt for each in node.runs] == [2]
    assert any("above the peak of its memory modules" in each for each in notes)


@pytest.mark.parametrize("modules", [None, "24 x 32 GiB", "4 x 16 GiB DDR5-4800 + 4 x 16 GiB"])
def test_without_the_speed_of_every_module_no_peak_is_known(modules: str | None) -> None:
    fleet, _ = fleet_of(line("n1", 1480.0, modules=modules))
    assert "n1" in {each.host for each in fleet.nodes}


def test_the_short_and_the_full_name_are_one_node() -> None:
    fleet, _ = fleet_of(
        line("n10.cluster.example.org", 741.0, attempt=2),
        line("n11.cluster.example.org", 741.0),
        line("m1.a.org"),
        line("m1.b.org"),
    )
    hosts = [each.host for each in fleet.nodes]
    assert fleet.asked == 32 and len(hosts) == 32
    assert {"m1.a.org", "m1.b.org"} <= set(hosts)
    runs = {each.host: len(each.runs) for each in fleet.nodes}
    assert (runs["n10"], runs["n11"]) == (2, 1)  # the second line of n11 is a duplicate


def test_a_run_of_an_earlier_night_is_no_second_run() -> None:
    night = [line(f"n{number}", 742.0, time="2026-11-26T12:00:00Z") for number in range(11, 40)]
    fleet, notes = fleet_of(*night, line("n10", 640.0, time="2026-11-26T12:00:00Z"))
    verdicts = {each.host: each.verdict for each in fleet.nodes}
    assert verdicts["n10"] == "suspect"  # and not flapping
    assert any("only the last night is judged" in each for each in notes)


def test_what_the_engine_calls_a_disturbance_is_one() -> None:
    fleet, _ = fleet_of(line("n1", 600.0, disturbance="another program used the memory"))
    (node,) = [each for each in fleet.nodes if each.host == "n1"]
    assert node.verdict == "cannot-tell"
    assert node.runs[0].disturbed == "another program used the memory"


def test_a_line_is_what_it_says() -> None:
    (found,) = read_node_lines([line("n1")], pytest.fail)
    assert isinstance(found, NodeLine) and found.host == "n1"


@pytest.mark.parametrize("name", ["fe80::1", "n\u0153ud1", "-n1", "n 1"])
def test_a_node_whose_name_no_node_may_have_is_one_without_a_result(name: str) -> None:
    fleet, notes = fleet_of(line(name), line(name, attempt=2))
    (silent,) = fleet.unanswered()
    assert silent.why == "garbage" and f"its host is {name}" in silent.reason
    assert any(f"its host is {name}; a name has letters" in each for each in notes)
    assert not fleet.all_fine()


def test_lines_of_one_time_are_several_runs_if_their_figures_differ() -> None:
    fleet, notes = fleet_of(line("n1", 600.0), line("n1", 601.0), line("n1", 601.0))
    (node,) = [each for each in fleet.nodes if each.host == "n1"]
    assert (len(node.runs), node.verdict) == (2, "slow")
    assert any("repeats the result of a node" in each for each in notes)


def test_a_node_that_ran_in_an_earlier_night_alone_gave_no_result_in_the_last() -> None:
    night = [line(f"n{number}", 742.0, time="2026-11-26T12:00:00Z") for number in range(12, 40)]
    fleet, notes = fleet_of(*night)
    assert [each.host for each in fleet.unanswered()] == ["n10", "n11"]
    assert "No run of the last night, 2026-11-26: n[10-11]." in notes


def test_a_node_whose_clock_is_wrong_is_judged_with_the_last_night() -> None:
    night = [line(f"n{number}", 742.0, time="2026-11-26T12:00:00Z") for number in range(10, 40)]
    fleet, _ = fleet_of(*night, line("n1", 741.0, time="1970-01-01T00:00:00Z"))
    assert not fleet.unanswered() and fleet.clocks == ["n1"]


def test_nodes_whose_unit_no_node_has_do_not_make_the_others_impossible() -> None:
    lines = [line(f"m{number}", 740_000.0, modules=None) for number in range(40)]
    fleet, _ = fleet_of(*lines)
    assert len(fleet.nodes) == 30 and len(fleet.unanswered()) == 40
