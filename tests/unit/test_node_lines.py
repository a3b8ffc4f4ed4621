"""Lines of nodes are read from any mixture, and what is left out is counted and said."""

from __future__ import annotations

import json
from typing import Any

import pytest
from example_records import as_lines, good_records

from streamgage.records import End
from streamgage.records.node import (
    FleetRun,
    NodeLine,
    RecordedRun,
    SilentNode,
    as_line,
    read_node_lines,
)


def line_of(host: str, **others: object) -> bytes:
    fields = {
        "record": "node",
        "host": host,
        "time": "2026-11-25T12:00:00Z",
        "figures": [{"kernel": "triad", "gbps": 400.0}],
    }
    return json.dumps(fields | others).encode() + b"\n"


def read(*lines: bytes) -> tuple[list[Any], list[str]]:
    notes: list[str] = []
    return list(read_node_lines(lines, notes.append, "run.jsonl")), notes


def hosts(found: list[Any]) -> list[str]:
    return [each.host for each in found]


@pytest.mark.parametrize(
    "prefix", [b"", b"n12: ", b"0: ", b" 17: ", b"[3] ", b"[1,3]<stdout>:", b"[pod/a-0/engine] "]
)
def test_the_prefix_of_a_launcher_does_not_matter(prefix: bytes) -> None:
    found, notes = read(prefix + line_of("n12"))
    assert hosts(found) == ["n12"]
    assert not notes


def test_a_result_that_comes_twice_counts_once() -> None:
    found, notes = read(line_of("n1"), b"n1: " + line_of("n1"), line_of("n1", attempt=2))
    assert [each.attempt for each in found] == [1, 2]
    assert notes == ["Line 2 of run.jsonl repeats the result of a node and counts once: n1."]


def test_half_a_line_costs_no_other_line() -> None:
    half = line_of("n1")[:40]
    found, notes = read(half + b"\n", line_of("n2"), half)
    node, silent = found
    assert node.host == "n2"
    assert (silent.host, silent.why) == ("n1", "garbage")
    assert silent.reason.startswith("nothing readable: ")
    assert len(notes) == 1
    assert notes[0].startswith("2 lines of run.jsonl are cut off (n1); the first is line 1: n1: ")


def test_lines_that_ran_together_are_taken_apart() -> None:
    whole = line_of("n2").strip()
    found, notes = read(whole + line_of("n3"), line_of("n1")[:50] + line_of("n4"))
    assert hosts(found) == ["n2", "n3", "n4"]
    assert notes[0].startswith("2 lines of run.jsonl hold the lines of several nodes")


def test_garbage_is_counted_and_shown_without_control_characters() -> None:
    found, notes = read(b"n3: \x1b[31mBus error\x1b[0m\n", b"\xff\xfe\n", b"\n", line_of("n1"))
    assert hosts(found) == ["n1"]
    assert len(notes) == 1
    assert "2 lines of run.jsonl are not from nodes" in notes[0]
    assert "\x1b" not in notes[0]


@pytest.mark.parametrize(
    "wrong",
    [
        {"host": "n1; reboot"},
        {"host": "$(reboot)"},
        {"host": ""},
        {"time": "yesterday"},
        {"figures": [{"kernel": "triad", "gbps": -1.0}]},
        {"figures": [{"kernel": "triad", "gbps": 1e30}]},
        {"attempt": 0},
    ],
)
def test_values_that_no_node_can_have_are_refused(wrong: dict[str, Any]) -> None:
    found, notes = read(line_of(**{"host": "n1", **wrong}))
    names = {"n1; reboot": ["n1--reboot"], "$(reboot)": ["reboot-"], "": []}
    hosts_then = names[wrong["host"]] if "host" in wrong else ["n1"]
    assert [(each.host, each.why) for each in found] == [(each, "garbage") for each in hosts_then]
    assert notes[0].startswith("Line 1 of run.jsonl cannot be read: ")


def test_fields_of_a_later_engine_do_no_harm() -> None:
    found, notes = read(line_of("n1", shoe_size=43))
    assert hosts(found) == ["n1"]
    assert not notes


def test_silent_nodes_and_the_run_itself_are_lines_too() -> None:
    run = FleetRun(nodes="n[1-2]", time="2026-11-25T12:00:00Z")
    silent = SilentNode(host="n2", why="died", reason="signal 9")
    assert read(as_line(run), as_line(silent))[0] == [run, silent]


def test_records_of_whole_runs_are_kept_apart_by_their_prefixes() -> None:
    records = as_lines(good_records()).splitlines(keepends=True)
    mixed = [prefix + each for each in records for prefix in (b"n1: ", b"n2: ")]
    found, notes = read(*mixed)
    assert not notes
    assert [type(each) for each in found] == [RecordedRun, RecordedRun]
    assert [len(each.records) for each in found] == [len(records)] * 2
    assert isinstance(found[0].records[-1], End)
    cut, _ = read(*mixed[:-2])
    assert [len(each.records) for each in cut] == [len(records) - 1] * 2


def test_a_line_is_written_as_it_is_read() -> None:
    found, _ = read(line_of("n1"))
    assert isinstance(found[0], NodeLine)
    assert read(as_line(found[0]))[0] == found
