"""Memory of chosen NUMA nodes, with the nodes that this machine has."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from engine_runs import of_kind, records, refusal, run_engine
from msgspec.structs import replace
from programs import one_sentence, streamgage
from schemas import validator

from streamgage.cpu_list import list_cpus
from streamgage.plan import Plan
from streamgage.records import Sampling

PLAN = Plan(
    kernels=["sum"],
    array_bytes=8 << 20,
    sampling=Sampling(min_samples=1, look_every=1, max_samples=1, budget_seconds=5),
)


def nodes_of(machine: dict[str, Any]) -> list[int]:
    """The nodes with memory that this process may use."""
    allowed = list_cpus(machine["allowed_nodes"])
    found = [each["node"] for each in machine["numa_nodes"] if each["bytes"] != 0]
    return [node for node in found if node in allowed]


def test_pages_are_on_the_node_that_is_asked_for(engine: Path, machine: dict[str, Any]) -> None:
    for node in nodes_of(machine):
        lines = records(engine, replace(PLAN, memory_nodes=[node], idle_latency=True))
        for record in lines:
            validator("records").validate(record)
        (plan,) = of_kind(lines, "plan")
        assert (plan["memory_nodes"], plan["idle_latency"], plan["checks"]) == ([node], True, False)
        (memory,) = of_kind(lines, "memory")
        assert memory["nodes"] == [node]
        assert all(each["checked_pages"] > 0 for each in memory["arrays"])
        assert all(each["remote_pages"] == 0 for each in memory["arrays"])
        (latency,) = of_kind(lines, "latency")
        assert latency["nodes"] == [node]
        assert {variant["purpose"] for variant in of_kind(lines, "variant")} == {"rate"}


def test_without_nodes_nothing_is_bound(engine: Path) -> None:
    lines = records(engine, PLAN)
    assert of_kind(lines, "plan")[0]["memory_nodes"] is None
    assert of_kind(lines, "memory")[0]["nodes"] is None
    assert of_kind(lines, "latency") == []


def test_a_node_that_is_not_there_is_refused_with_those_that_are(
    engine: Path, machine: dict[str, Any]
) -> None:
    said = refusal(engine, replace(PLAN, memory_nodes=[1023]))
    assert said.startswith("memory of NUMA node 1023 is not available, because there is no such")
    assert said.endswith(f"{nodes_of(machine)[-1]}.")


def test_the_machine_tells_what_of_a_node_is_available(machine: dict[str, Any]) -> None:
    for node in machine["numa_nodes"]:
        assert 0 < node["free_bytes"] <= node["available_bytes"] <= node["bytes"]


def test_measure_takes_memory_from_nodes(
    few: Path, machine: dict[str, Any], tmp_path: Path
) -> None:
    nodes = nodes_of(machine)
    options = ["--memory-nodes", ",".join(map(str, nodes)), "--quick", "--no-tune"]
    options += ["--kernels", "sum", "--size", "8MiB", "--records", "run.jsonl", "--details"]
    run = streamgage("measure", *options, folder=tmp_path, engine=few)
    assert run.returncode == 0, run.stderr
    assert f"all on node{'s' if len(nodes) > 1 else ''} " in " ".join(run.stdout.split())
    lines = (tmp_path / "run.jsonl").read_text("utf-8").splitlines()
    assert of_kind([json.loads(line) for line in lines], "memory")[0]["nodes"] == nodes


def test_measure_refuses_a_node_that_is_not_there(engine: Path, tmp_path: Path) -> None:
    run = streamgage("measure", "--memory-nodes", "1023", folder=tmp_path, engine=engine)
    assert (run.returncode, run.stdout) == (2, "")
    assert "there is no such node" in one_sentence(run.stderr)


def test_an_empty_list_of_nodes_is_refused(engine: Path) -> None:
    done = run_engine(engine, b'{"schema": 1, "kernels": ["sum"], "memory_nodes": []}')
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"at least one NUMA node number" in done.stderr
