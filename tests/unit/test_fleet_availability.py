"""Nodes that a scheduler does not give are left out with its reason; all others are measured."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from stub_launchers import node_engine, path_with, stub_program
from test_fleet_run import NODES, RecordedProgress, measured, task_for

from streamgage.errors import StreamgageError, UsageError
from streamgage.process.fleet.drained import drained_for
from streamgage.process.fleet.launcher import Available, Call, Failure, Launcher, Task
from streamgage.process.fleet.launchers.sbatch import SBATCH
from streamgage.process.fleet.launchers.slurm import (
    never_available,
    nodes,
    nodes_in_turn,
    unavailable,
)
from streamgage.process.fleet.on_node import shell_line

SINFO = """\
n1|idle|none
n1|idle|none
n2|idle*|none
n3|drained|bad DIMM | slot A1
n4|draining|see ticket 12
n5|down*|Not responding
n6|mixed|none
n7|allocated|none
n8|reserved|none
n9|idle~|none
n10|idle-|none
n11|idle|none
n12|maint|none
n13|fail|fans
"""


@pytest.fixture
def sinfo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A Slurm with nodes in every state; its calls are in the file ``calls``."""
    (tmp_path / "states").write_text(SINFO)
    stub_program(tmp_path / "bin", "sinfo", f'echo "$@" >>{tmp_path}/calls; cat {tmp_path}/states')
    monkeypatch.setenv("PATH", path_with(tmp_path / "bin"))
    monkeypatch.delenv("SLURM_JOB_NODELIST", raising=False)
    return tmp_path


def test_only_nodes_that_slurm_gives_now_are_measured(sinfo: Path) -> None:
    available = nodes(["-p", "debug"])
    assert available.nodes == ("n1", "n11")
    assert available.left_out == {
        "n2": "idle, not responding in Slurm",
        "n3": "drained in Slurm: bad DIMM | slot A1",
        "n4": "draining in Slurm: see ticket 12",
        "n5": "down, not responding in Slurm: Not responding",
        "n6": "mixed in Slurm",
        "n7": "allocated in Slurm",
        "n8": "reserved in Slurm",
        "n9": "idle, powered off in Slurm",
        "n10": "idle, planned for another job in Slurm",
        "n12": "maint in Slurm",
        "n13": "fail in Slurm: fans",
    }
    assert "-p debug" in (sinfo / "calls").read_text()
    assert unavailable([]) == available.left_out


def test_a_job_that_waits_gets_busy_nodes_and_a_reservation_has_its_own(sinfo: Path) -> None:
    assert sorted(never_available([])) == ["n12", "n13", "n2", "n3", "n4", "n5", "n8", "n9"]
    assert sorted(nodes_in_turn([]).nodes) == ["n1", "n10", "n11", "n6", "n7"]
    assert {"n8", "n12"} <= set(nodes(["--reservation=check"]).nodes)


def test_a_cluster_without_an_idle_node_says_why(sinfo: Path) -> None:
    (sinfo / "states").write_text("n1|drained|bad DIMM\nn2|allocated|none\nn3|allocated|none\n")
    with pytest.raises(UsageError, match=r"no node now \(2 allocated in Slurm; 1 drained"):
        nodes([])


def test_a_job_has_its_nodes_already(sinfo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLURM_JOB_NODELIST", "n[3-4]")
    assert nodes([]) == Available(("n3", "n4"))
    assert unavailable([]) == {}


def scheduled(states: Callable[[], dict[str, str]], calls: list[tuple[str, ...]]) -> Launcher:
    """One call for all nodes, which gives nothing where one of them is not available."""

    def launch(task: Task) -> list[Call]:
        calls.append(task.nodes)
        line = shell_line(str(task.engine), task.arguments)
        lines = [f"STREAMGAGE_NODE={node} {line}" for node in task.nodes]
        taken = " ".join(each for each in task.nodes if each in taken_meanwhile)
        if taken:
            lines = ["echo 'salloc: error: Unable to allocate resources' >&2; exit 1"]
        return [Call(("sh", "-c", "\n".join(lines)), task.nodes)]

    taken_meanwhile = {"n5"}
    return Launcher(
        "scheduled",
        (),
        "",
        lambda _: Available(()),
        launch,
        unavailable=lambda _: states(),
        divisible=True,
    )


def test_nodes_that_are_named_and_not_given_cost_no_other(tmp_path: Path) -> None:
    calls: list[tuple[str, ...]] = []
    asked: list[int] = []

    def states() -> dict[str, str]:
        asked.append(1)
        known = {"n3": "drained in Slurm: bad DIMM", "n99": "down in Slurm"}
        return known if len(asked) == 1 else known | {"n5": "allocated in Slurm"}

    found = measured(scheduled(states, calls), task_for(NODES, node_engine(tmp_path)), tmp_path)
    assert set(found.lines) == set(NODES) - {"n3", "n5"}
    assert {host: (each.why, each.reason) for host, each in found.silent.items()} == {
        "n3": ("not-available", "drained in Slurm: bad DIMM"),
        "n5": ("not-available", "allocated in Slurm"),
    }
    # The nodes are not divided: the scheduler said which one was taken.
    assert [len(each) for each in calls] == [7, 6]


def test_a_scheduler_that_does_not_answer_is_said_and_costs_no_node(tmp_path: Path) -> None:
    def states() -> dict[str, str]:
        raise StreamgageError("sinfo printed no list of nodes (timeout).")

    shown = RecordedProgress()
    launcher = scheduled(states, [])
    nodes_without = tuple(each for each in NODES if each != "n5")
    found = measured(launcher, task_for(nodes_without, node_engine(tmp_path)), tmp_path, shown)
    assert set(found.lines) == set(nodes_without)
    assert shown.notes == ["sinfo printed no list of nodes (timeout)."]


OF_PBS = """{"timestamp": 1, "nodes": {
  "n1": {"Mom": "n1.site", "state": "offline", "comment": "streamgage: triad 600 GB/s", "pcpus": 8},
  "n2": {"state": "down,offline", "comment": "bad DIMM"},
  "n3": {"state": "free", "comment": "streamgage: triad 600 GB/s"},
  "n4": {"state": "offline"}}}"""
OF_KUBERNETES = """{"kind": "List", "items": [
  {"metadata": {"name": "n1", "annotations": {"streamgage/reason": "streamgage: triad 600 GB/s"}},
   "spec": {"unschedulable": true, "taints": []}},
  {"metadata": {"name": "n2", "annotations": {"other/reason": "streamgage: "}},
   "spec": {"unschedulable": true}},
  {"metadata": {"name": "n3", "annotations": {"streamgage/reason": "streamgage: triad 600 GB/s"}},
   "spec": {}},
  {"metadata": {"name": "n4"}, "spec": {"unschedulable": true}}]}"""


@pytest.mark.parametrize(
    ("scheduler", "program", "printed"),
    [
        (
            "slurm",
            "sinfo",
            "n1|streamgage: triad 600\nn1|streamgage: triad 600\nn2|bad DIMM\nn3|none",
        ),
        ("pbs", "pbsnodes", OF_PBS),
        ("flux", "flux", "n1 streamgage: triad 600\nn[2-3] bad DIMM\nn4"),
        ("kubernetes", "kubectl", OF_KUBERNETES),
    ],
)
def test_only_nodes_that_were_drained_for_our_reason_are_known_as_ours(
    scheduler: str,
    program: str,
    printed: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "printed").write_text(f"{printed}\n")
    stub_program(tmp_path / "bin", program, f"cat {tmp_path}/printed")
    monkeypatch.setenv("PATH", path_with(tmp_path / "bin"))
    assert drained_for(scheduler, "streamgage") == ["n1"]


@pytest.mark.parametrize(("scheduler", "program"), [("pbs", "pbsnodes"), ("kubernetes", "kubectl")])
def test_a_scheduler_that_prints_something_else_is_one_sentence(
    scheduler: str, program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stub_program(tmp_path / "bin", program, "echo no")
    monkeypatch.setenv("PATH", path_with(tmp_path / "bin"))
    with pytest.raises(StreamgageError, match="printed no list of nodes that can be read"):
        drained_for(scheduler, "streamgage")
    stub_program(tmp_path / "bin", program, "echo refused >&2; exit 1")
    with pytest.raises(StreamgageError, match=r"\(refused\): run this where its commands work"):
        drained_for(scheduler, "streamgage")


def test_what_slurm_says_of_the_job_of_a_node_is_the_reason_of_that_node() -> None:
    said = [*SBATCH.collect("n9: its job waits: Resources")]
    assert said == [Failure("n9", "its job waits: Resources")]
