"""Many nodes are measured: each gives a line or a reason, and one that fails costs no other."""

from __future__ import annotations

import os
import random
import signal
import sys
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from example_records import as_lines, good_records
from programs import WAIT_SECONDS
from stub_gpus import gpu_line
from stub_launchers import at_once, local, node_engine, node_line, printing, stub_program
from time_limits import wait_until

from streamgage.errors import StreamgageError, UsageError
from streamgage.process.fleet.launcher import Available, Call, Launcher, Task, refuse_missing
from streamgage.process.fleet.line_file import LineFile, earlier_file, new_file, read_earlier
from streamgage.process.fleet.node_names import folded
from streamgage.process.fleet.rounds import FleetPlan, measure_fleet
from streamgage.process.fleet.run import MOST_BARREN, Counts, Round, measure_nodes
from streamgage.records.node import FleetRun, NodeLine, SilentNode, as_line, read_node_lines

NODES = tuple(f"n{each}" for each in range(1, 9))


class RecordedProgress:
    """Keeps what is shown."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.counts: list[Counts] = []
        self.rounds: list[tuple[int, tuple[str, ...]]] = []

    def note(self, sentence: str) -> None:
        self.notes.append(sentence)

    def watch(self, counts: Counts) -> None:
        self.counts.append(counts)

    def begin(self, number: int, nodes: tuple[str, ...]) -> None:
        self.rounds.append((number, nodes))


def task_for(nodes: tuple[str, ...], engine: Path, seconds: float = WAIT_SECONDS) -> Task:
    return Task(nodes, engine, (), seconds, "token")


def measured(
    launcher: Launcher, task: Task, folder: Path, shown: RecordedProgress | None = None
) -> Round:
    shown = shown or RecordedProgress()
    with new_file(folder / "lines.jsonl") as file:
        return measure_nodes(launcher, task, file, shown.watch, shown.note)


def written(folder: Path) -> list[NodeLine | SilentNode | FleetRun]:
    """All that is in the file; nothing of it is left out."""
    notes: list[str] = []
    with (folder / "lines.jsonl").open("rb") as file:
        found = [*read_node_lines(file, notes.append)]
    assert not notes
    return [each for each in found if isinstance(each, NodeLine | SilentNode | FleetRun)]


def test_every_node_gives_a_line_or_a_reason(tmp_path: Path) -> None:
    engine = node_engine(
        tmp_path,
        "case $STREAMGAGE_NODE in\n"
        "n2) echo 'streamgage-engine: no memory is free' >&2; exit 1 ;;\n"
        "n3) kill -9 $$ ;;\n"
        "n4) echo what is this; exit 0 ;;\n"
        "n5) exec no-such-program ;;\n"
        'n6) printf \'{"record":"node","ho\'; exit 0 ;;\n'
        "esac",
    )
    shown = RecordedProgress()
    found = measured(local(), task_for(NODES, engine), tmp_path, shown)
    assert sorted(found.lines) == ["n1", "n7", "n8"]
    assert {host: each.why for host, each in found.silent.items()} == {
        "n2": "not-measured",
        "n3": "died",
        "n4": "garbage",
        "n5": "not-started",
        "n6": "garbage",
    }
    assert found.silent["n2"].reason == "no memory is free"
    assert "SIGKILL" in found.silent["n3"].reason
    said = written(tmp_path)
    assert {each.host for each in said if isinstance(each, NodeLine)} == {"n1", "n7", "n8"}
    assert {each.host for each in said if isinstance(each, SilentNode)} == {*NODES[1:6]}
    last = shown.counts[-1]
    assert (last.total, last.answered, last.running, last.failed, last.waiting) == (8, 3, 0, 5, 0)


def test_a_node_that_hangs_is_silent_from_the_deadline_on(tmp_path: Path) -> None:
    engine = node_engine(tmp_path, "exec sleep 1000")
    found = measured(local(), task_for(NODES[:2], engine, 1), tmp_path)
    assert {host: each.why for host, each in found.silent.items()} == {
        "n1": "no-answer",
        "n2": "no-answer",
    }
    assert found.silent["n1"].reason.startswith("no answer before the deadline of 1 s")
    assert {each.host for each in written(tmp_path)} == {"n1", "n2"}


def test_ten_thousand_nodes_with_garbage_and_duplicates_are_all_accounted_for(
    tmp_path: Path,
) -> None:
    draw = random.Random(4)
    nodes = tuple(f"r{each // 100:03d}n{each % 100:02d}" for each in range(10_000))
    dead = set(draw.sample(nodes, 20))
    lines = []
    for number, node in enumerate(nodes):
        if node in dead:
            continue
        text = b"@%s %s" % (node.encode(), node_line(node, str(datetime.now(UTC))))
        lines += [text, text] if number % 97 == 0 else [text]
        if number % 101 == 0:
            lines.append(text[: len(text) // 2] + b"\n")
        if number % 103 == 0:
            lines.append(b"\xff\x00 garbage \x1b[31m\n")
    draw.shuffle(lines)
    (tmp_path / "said").write_bytes(b"".join(lines))
    shown = RecordedProgress()
    found = measured(printing(tmp_path / "said"), task_for(nodes, tmp_path), tmp_path, shown)
    assert set(found.lines) == set(nodes) - dead
    assert set(found.silent) == dead
    assert {each.why for each in found.silent.values()} == {"not-started"}
    assert len(written(tmp_path)) == len(nodes)
    assert any("garbage" in each or "no line" in each for each in shown.notes)


@pytest.mark.parametrize("deadly", [False, True])
def test_a_node_that_ends_the_launcher_costs_no_other(deadly: bool, tmp_path: Path) -> None:
    launcher = at_once(deadly=["n3"]) if deadly else at_once(["n3"])
    found = measured(launcher, task_for(NODES, node_engine(tmp_path)), tmp_path)
    assert set(found.lines) == set(NODES) - {"n3"}
    assert set(found.silent) == {"n3"}
    assert found.silent["n3"].reason == (
        "the launcher was ended by SIGKILL" if deadly else "all: error: n3 is down"
    )


def test_a_launcher_that_never_works_is_not_tried_for_ever(tmp_path: Path) -> None:
    nodes = tuple(f"n{each}" for each in range(4096))
    calls: list[Call] = []

    def launch(task: Task) -> list[Call]:
        calls.append(Call(("sh", "-c", "echo no such account >&2; exit 1"), task.nodes))
        return calls[-1:]

    launcher = Launcher("broken", (), "", lambda _: Available(()), launch, divisible=True)
    found = measured(launcher, task_for(nodes, tmp_path), tmp_path)
    assert len(found.silent) == len(nodes)
    assert {each.reason for each in found.silent.values()} == {"no such account"}
    assert len(calls) <= 2 * MOST_BARREN


def test_a_launcher_that_cannot_start_is_a_reason(tmp_path: Path) -> None:
    launcher = Launcher(
        "gone", (), "", lambda _: Available(()), lambda task: [Call(("/no/launcher",), task.nodes)]
    )
    found = measured(launcher, task_for(NODES, tmp_path), tmp_path)
    assert {each.why for each in found.silent.values()} == {"not-started"}
    assert found.silent["n1"].reason == "launcher cannot be started: No such file or directory"


def test_what_came_before_ctrl_c_is_kept(tmp_path: Path) -> None:
    engine = node_engine(tmp_path, "case $STREAMGAGE_NODE in n[5-8]) exec sleep 1000 ;; esac")
    shown = RecordedProgress()

    def stop() -> None:
        wait_until(lambda: bool(shown.counts) and shown.counts[-1].answered == 4)
        os.kill(os.getpid(), signal.SIGINT)

    stopping = threading.Thread(target=stop)
    stopping.start()
    found = measured(local(), task_for(NODES, engine), tmp_path, shown)
    stopping.join()
    assert found.stopped == signal.SIGINT
    assert set(found.lines) == {*NODES[:4]}
    assert {each.reason.partition(",")[0] for each in found.silent.values()} == {
        "the run was stopped before it answered"
    }
    assert len(written(tmp_path)) == len(NODES)


def test_a_clock_that_is_wrong_is_said_and_costs_no_result(tmp_path: Path) -> None:
    now = datetime.now(UTC)
    times = {"n1": now, "n2": now + timedelta(days=2), "n3": now - timedelta(hours=3)}
    lines = [b"@%s %s" % (each.encode(), node_line(each, str(t))) for each, t in times.items()]
    (tmp_path / "said").write_bytes(b"".join(lines))
    shown = RecordedProgress()
    found = measured(printing(tmp_path / "said"), task_for(NODES[:3], tmp_path), tmp_path, shown)
    assert sorted(found.lines) == ["n1", "n2", "n3"]
    (note,) = shown.notes
    assert note.startswith("The clock of n[2-3] is wrong (n2 is 48 h ahead)")


def test_a_node_that_calls_itself_otherwise_is_kept_and_said(tmp_path: Path) -> None:
    (tmp_path / "said").write_bytes(b"@other " + node_line("other", str(datetime.now(UTC))))
    shown = RecordedProgress()
    found = measured(printing(tmp_path / "said"), task_for(NODES[:2], tmp_path), tmp_path, shown)
    assert sorted(found.lines) == ["other"]
    assert sorted(found.silent) == ["n1", "n2"]
    assert "not measured under that name" in shown.notes[0]


def test_a_domain_makes_no_difference(tmp_path: Path) -> None:
    lines = [b"@n1.site.org " + node_line("n1.site.org", str(datetime.now(UTC)))]
    lines += [b"@n2 " + node_line("n2", str(datetime.now(UTC)))]
    (tmp_path / "said").write_bytes(b"".join(lines))
    nodes = ("n1", "n2.site.org")
    found = measured(printing(tmp_path / "said"), task_for(nodes, tmp_path), tmp_path)
    assert sorted(found.lines) == ["n1", "n2.site.org"]
    assert [host for units in found.lines.values() for host in units] == sorted(found.lines)


def gpu_engine(folder: Path, *lines: NodeLine) -> Path:
    """An engine that says these lines for any node, except what fails on n2."""
    (folder / "gpus").write_bytes(b"".join(map(as_line, lines)))
    path = folder / "gpu-engine"
    path.write_text(
        "#!/bin/sh\n"
        f"case $STREAMGAGE_NODE in n2) head -n 1 {folder}/gpus;"
        " echo 'streamgage-engine: cuda:1 fell off the bus.' >&2; exit 1 ;; esac\n"
        f"cat {folder}/gpus\n"
    )
    path.chmod(0o755)
    return path


def test_a_node_gives_a_line_for_each_of_its_devices(tmp_path: Path) -> None:
    now = datetime.now(UTC).isoformat(timespec="seconds")
    engine = gpu_engine(tmp_path, *(gpu_line("n", gpu, time=now) for gpu in range(2)))
    shown = RecordedProgress()
    found = measured(local(), task_for(("n1", "n2"), engine), tmp_path, shown)
    assert {host: list(units) for host, units in found.lines.items()} == {
        "n1": ["n1 cuda:0", "n1 cuda:1"],
        "n2": ["n2 cuda:0"],
    }
    assert found.silent == {}
    lines = [each for each in written(tmp_path) if isinstance(each, NodeLine)]
    assert sorted(each.unit for each in lines) == ["n1 cuda:0", "n1 cuda:1", "n2 cuda:0"]
    assert shown.notes == [
        "1 node did not measure every device without a failure; the first is n2: cuda:1 fell off"
        " the bus."
    ]


def test_a_full_disk_is_one_sentence(tmp_path: Path) -> None:
    descriptor = os.open("/dev/full", os.O_WRONLY)
    shown = RecordedProgress()
    try:
        with pytest.raises(StreamgageError, match="No space left on device"):
            measure_nodes(
                local(),
                task_for(NODES[:1], node_engine(tmp_path)),
                LineFile(Path("/dev/full"), descriptor),
                shown.watch,
                shown.note,
            )
    finally:
        os.close(descriptor)


def test_suspects_are_measured_again_at_once_and_then_longer(tmp_path: Path) -> None:
    engine = node_engine(tmp_path, 'test "$1" = longer && RATE=20.5')
    shown = RecordedProgress()
    plan = FleetPlan(local(), task_for(NODES, engine), (("again",), ("longer",)), NODES)
    with new_file(tmp_path / "lines.jsonl") as file:
        outcome = measure_fleet(plan, file, lambda *_: ("n3", "n5"), (), shown)
    assert [(number, len(nodes)) for number, nodes in shown.rounds] == [(1, 8), (2, 2), (3, 2)]
    lines = [each for each in outcome.lines if isinstance(each, NodeLine)]
    of_n3 = {each.attempt: each.figures[0].gbps for each in lines if each.host == "n3"}
    assert of_n3 == {1: 40.5, 2: 40.5, 3: 20.5}
    first, *_, last = written(tmp_path)
    assert isinstance(first, FleetRun) and first.nodes == folded(NODES) and first.seconds is None
    assert isinstance(last, FleetRun) and last.seconds is not None


def test_a_round_without_suspects_is_the_last(tmp_path: Path) -> None:
    shown = RecordedProgress()
    plan = FleetPlan(local(), task_for(NODES[:2], node_engine(tmp_path)), (("again",),), NODES[:2])
    with new_file(tmp_path / "lines.jsonl") as file:
        measure_fleet(plan, file, lambda *_: (), (), shown)
    assert [number for number, _ in shown.rounds] == [1]


def test_a_file_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "lines.jsonl").write_text("mine")
    with (
        pytest.raises(UsageError, match="already exists: continue it with --resume"),
        new_file(tmp_path / "lines.jsonl"),
    ):
        pass
    assert (tmp_path / "lines.jsonl").read_text() == "mine"


def test_a_file_that_was_cut_off_goes_on_in_a_new_line(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    whole = node_line("n1", str(datetime.now(UTC)))
    path.write_bytes(whole + whole[:50])
    with earlier_file(path) as file:
        file.write(SilentNode(host="n2", why="no-answer"))
    notes: list[str] = []
    earlier = read_earlier(path, notes.append)
    assert earlier.nodes == ("n1", "n2")
    assert len(notes) == 1 and "cut off" in notes[0]


def test_what_is_no_earlier_run_is_refused(tmp_path: Path) -> None:
    damaged = node_line("n1", str(datetime.now(UTC))).replace(b'"figures":[', b'"figures":7,"x":[')
    for content in (b"nothing\n", damaged, as_lines(good_records()) + damaged):
        (tmp_path / "other").write_bytes(content)
        with pytest.raises(UsageError, match="has no line of a fleet"):
            read_earlier(tmp_path / "other", lambda _: None)


def test_a_launcher_next_to_this_python_is_found_without_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An environment that nobody activated has clush next to its Python, and not on the PATH."""
    stub_program(tmp_path / "bin", "clush", f"exec sh {node_engine(tmp_path)}")
    monkeypatch.setattr(sys, "executable", str(tmp_path / "bin" / "python"))
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    launcher = Launcher(
        "clush",
        ("clush",),
        "",
        lambda _: Available(()),
        lambda task: [Call(("clush",), task.nodes, variables={"STREAMGAGE_NODE": "n1"})],
    )
    refuse_missing(launcher)
    found = measured(launcher, task_for(("n1",), node_engine(tmp_path)), tmp_path)
    assert set(found.lines) == {"n1"}
