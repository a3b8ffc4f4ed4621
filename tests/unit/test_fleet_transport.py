"""Sixteen nodes end at the same moment: none gets another's figures, and none is lost.

Every number of node k lies between 1000 k and 1000 k + 999, so a mixture shows.
"""

from __future__ import annotations

import os
import random
import subprocess
from pathlib import Path

import pytest
from stub_transports import SRUN_BLOCK, TRANSPORTS, cut_at, interleaved, srun

from streamgage.process.fleet.on_node import node_message, shell_words
from streamgage.records.frames import FRAME_BYTES, FrameReader
from streamgage.records.node import NodeFigure, NodeLine, SilentNode, as_line, read_node_lines

HOSTS = tuple(f"n{number}" for number in range(1, 17))
ROUNDS = int(os.environ.get("STREAMGAGE_TEST_ROUNDS", "60"))
"""A thousand rounds take some minutes."""
FEWER_ROUNDS = {"blocks of 1,000": 10, "blocks of 700": 10, "blocks of 300": 2}
"""Frames that are cut take longer to put together, and no launcher has such blocks."""
KERNELS = ("sum", "copy", "scale", "add", "triad", "copy streaming", "scale streaming", "dot")


def line_of(host: str, draw: random.Random) -> NodeLine:
    """A line of about 3,000 bytes with figures of this node alone."""
    first = 1000.0 * int(host[1:])

    def own() -> float:
        return round(first + draw.random() * 999, 2)

    figures = [
        NodeFigure(
            kernel=kernel,
            gbps=own(),
            low=own(),
            high=own(),
            n=24,
            samples=[own() for _ in range(24)],
        )
        for kernel in KERNELS
    ]
    return NodeLine(host=host, time="2026-11-25T12:00:00Z", figures=figures)


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What each node prints through the lines of shell that run there."""
    folder = tmp_path_factory.mktemp("nodes")
    draw = random.Random(1)
    found = {}
    for host in HOSTS:
        file = folder / host
        file.write_bytes(as_line(line_of(host, draw)))
        assert file.stat().st_size > 2 * SRUN_BLOCK
        found[host] = subprocess.run(
            shell_words("cat", (str(file),)),
            env={"STREAMGAGE_NODE": host, "PATH": "/usr/bin:/bin"},
            capture_output=True,
            check=True,
        ).stdout
    return found


def results(found: list[object]) -> set[str]:
    """The nodes with a result, which has no other's figures."""
    lines = [each for each in found if isinstance(each, NodeLine)]
    for line in lines:
        first = 1000.0 * int(line.host[1:])
        numbers = [rate for each in line.figures for rate in (each.gbps, *each.samples)]
        assert all(first <= number <= first + 999 for number in numbers), line.host
    return {line.host for line in lines}


def test_blocks_of_all_launchers_end_where_a_frame_ends(outputs: dict[str, bytes]) -> None:
    for output in outputs.values():
        assert not len(output) % FRAME_BYTES
        assert {len(line) for line in output.splitlines(keepends=True)} == {FRAME_BYTES}


@pytest.mark.parametrize("name", TRANSPORTS)
def test_no_node_gets_the_figures_of_another_and_none_is_lost(
    name: str, outputs: dict[str, bytes]
) -> None:
    for number in range(FEWER_ROUNDS.get(name, ROUNDS)):
        stream = interleaved(outputs, TRANSPORTS[name], random.Random(number))
        reader = FrameReader()
        messages = [each for line in stream.split(b"\n") for each in reader.feed(line) or ()]
        messages += reader.repair()
        texts = [each.text + b"\n" for each in messages if each.text.startswith(b"{")]
        assert results([*read_node_lines(texts, pytest.fail)]) == set(HOSTS), number
        ended = {node_message(each).names[0] for each in messages if each.text == b"= 0"}
        assert ended == set(HOSTS), number


def test_a_file_of_such_a_stream_is_judged_as_well(outputs: dict[str, bytes]) -> None:
    for number in range(20):
        stream = interleaved(outputs, cut_at(700), random.Random(number))
        found = [*read_node_lines(stream.splitlines(keepends=True), pytest.fail)]
        assert results(list(found)) == set(HOSTS)
        assert not [each for each in found if isinstance(each, SilentNode)]


@pytest.mark.parametrize("size", [SRUN_BLOCK, 700, 4096])
def test_whole_lines_that_were_mixed_are_no_results_and_each_node_is_named(size: int) -> None:
    draw = random.Random(2)
    lines = {host: as_line(line_of(host, draw)) for host in HOSTS}
    cut = srun if size == SRUN_BLOCK else cut_at(size)
    lost = 0
    for number in range(ROUNDS // 2):
        stream = interleaved(lines, cut, random.Random(number))
        notes: list[str] = []
        found = [*read_node_lines(stream.splitlines(keepends=True), notes.append)]
        answered = results(list(found))
        silent = {each.host: each.reason for each in found if isinstance(each, SilentNode)}
        assert answered.isdisjoint(silent)
        # A node of which not even the first block is whole is not known from the file.
        assert all(reason.startswith("nothing readable: ") for reason in silent.values())
        lost += len(HOSTS) - len(answered)
        assert (len(answered) == len(HOSTS)) or notes
    assert (lost == 0) == (size > max(map(len, lines.values())))


@pytest.mark.parametrize("at_once", [1, 3])
def test_a_frame_that_is_lost_costs_its_node_alone_and_is_said(
    at_once: int, outputs: dict[str, bytes]
) -> None:
    draw = random.Random(3)
    frames = [line for output in outputs.values() for line in output.splitlines(keepends=True)]
    of_n6 = [frame for frame in frames if frame.startswith(b"@n6 ") and b"/3" in frame[:16]]
    for lost in draw.sample(of_n6, at_once):
        frames.remove(lost)
    draw.shuffle(frames)
    notes: list[str] = []
    found = [*read_node_lines(frames, notes.append)]
    assert results(list(found)) == set(HOSTS) - {"n6"}
    (silent,) = [each for each in found if isinstance(each, SilentNode)]
    assert (silent.host, silent.why) == ("n6", "garbage")
    assert "bytes came" in silent.reason
    assert len(notes) == 1 and "did not come whole" in notes[0]


def test_a_frame_with_another_nodes_bytes_is_not_taken(outputs: dict[str, bytes]) -> None:
    one, other = (outputs[host].splitlines() for host in ("n6", "n7"))
    mixed = [a[:120] + b[120:] for a, b in zip(one, other, strict=False)]
    mixed += [a[:60] + b[60:200] + a[200:] for a, b in zip(one, other, strict=False)]
    reader = FrameReader()
    for line in mixed:
        assert not [each for each in reader.feed(line) or () if each.text.startswith(b"{")]
    assert not [each for each in reader.repair() if b"n7" in each.text and each.host == "n6"]


def test_a_message_without_a_checksum_counts_if_it_is_short() -> None:
    reader = FrameReader()
    messages = reader.feed(b"n6: @n6 no memory is free @n6")
    assert messages is not None
    (message,) = messages
    assert (message.host, message.label, message.text) == ("n6", "n6", b"no memory is free")
    assert reader.feed(b"@n6 " + b"x" * 600 + b" @n6") == []
    assert reader.feed(b"@n6 no memory @n7") == []


@pytest.mark.parametrize("line", [b"", b"n3: text", b'{"record": "node"}', b"@", b"\xff\xfe\x00"])
def test_other_lines_are_of_no_node(line: bytes) -> None:
    assert FrameReader().feed(line) is None


@pytest.mark.parametrize("change", [b'"gbps":1', b'"host":"n'])
def test_a_line_that_was_changed_is_refused_and_says_why(change: bytes, tmp_path: Path) -> None:
    line = as_line(line_of("n1", random.Random(1)))
    notes: list[str] = []
    found = [*read_node_lines([line.replace(change, change + b"1", 1)], notes.append)]
    assert not results(list(found))
    assert len(notes) == 1
    assert "leave out its field end" in notes[0] or "ends as one of" in notes[0]
