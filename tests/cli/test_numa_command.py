"""``streamgage numa``, with engines that tell made records and with the real one."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path

import pytest
from example_numa import latency_record, machine_of
from example_records import MACHINE, MEMORY, as_lines, good_records
from msgspec.structs import replace
from programs import (
    WAIT_SECONDS,
    misbehaving_engine,
    one_sentence,
    real_engine,
    start_streamgage,
    streamgage,
)
from store_results import kept_files

from streamgage.records import Machine

COUNT = "echo x >> turns; n=$(wc -l < turns); cat > plan-$n\n"
"""Shell: the number of this run, and its plan in a file."""
MEMORY_OF = "node=$(grep -o '\"memory_nodes\":[^,]*' plan-$n | grep -o '[0-9]' | head -1)\n"
"""Shell: the node whose memory the plan asks for."""


def engine_of(folder: Path, machine: Machine, body: str = ":") -> Path:
    """An engine of that machine, which tells a good run with memory on the node of its plan."""
    for node in machine.numa_nodes:
        bound = [
            *good_records()[:-1],
            replace(MEMORY, nodes=[node.node]),
            latency_record(1e-7, [node.node]),
            good_records()[-1],
        ]
        (folder / f"lines-{node.node}").write_bytes(as_lines(bound))
    (folder / "machine").write_bytes(as_lines([machine]))
    return misbehaving_engine(
        folder,
        f"{COUNT}{MEMORY_OF}{body}\ncat {folder}/lines-${{node:-0}}",
        machine=f"cat '{folder}/machine'",
    )


def test_every_cell_is_a_process_with_a_plan_of_its_own(tmp_path: Path) -> None:
    engine = engine_of(tmp_path, machine_of(2))
    run = streamgage("numa", "--format", "json", folder=tmp_path, engine=engine)
    assert run.returncode == 0, run.stderr
    document = json.loads(run.stdout)
    assert len(document["runs"]) == 4
    plans = [json.loads((tmp_path / f"plan-{each}").read_bytes()) for each in range(1, 5)]
    asked = sorted((plan["placement"]["cpus"], plan["memory_nodes"]) for plan in plans)
    assert asked == [([0, 1], [0]), ([0, 1], [1]), ([2, 3], [0]), ([2, 3], [1])]
    assert all(plan["idle_latency"] and not plan["checks"] for plan in plans)
    files = {each["records"] for each in document["runs"]}
    assert len(files) == 4 and {*files, "numa.json"} == kept_files(tmp_path).keys()
    assert len(document["latency"]) == 4
    assert "To see this again: streamgage show 1" in run.stderr


def test_the_order_of_the_cells_is_mixed_and_its_seed_repeats_it(tmp_path: Path) -> None:
    engine = engine_of(tmp_path, machine_of(2))

    def order(seed: str) -> list[tuple[int, int]]:
        options = ["--rounds", "3", "--format", "json", "--seed", seed]
        run = streamgage("numa", *options, folder=tmp_path, engine=engine)
        return [(each["cpu_node"], each["memory_node"]) for each in json.loads(run.stdout)["runs"]]

    first, again, other = order("1"), order("1"), order("2")
    assert first == again != other
    assert (
        sorted(first) == sorted(other) == [(i, j) for i in (0, 1) for j in (0, 1) for _ in range(3)]
    )


def test_rounds_measure_every_cell_so_many_times(tmp_path: Path) -> None:
    engine = engine_of(tmp_path, machine_of(2))
    options = ["--rounds", "3", "--format", "json"]
    run = streamgage("numa", *options, folder=tmp_path, engine=engine)
    document = json.loads(run.stdout)
    assert len(document["runs"]) == 12
    assert {each["n"] for each in document["latency"]} == {3}


def test_one_node_needs_nothing_to_be_bound(tmp_path: Path) -> None:
    run = streamgage("numa", folder=tmp_path, engine=engine_of(tmp_path, MACHINE))
    assert run.returncode == 0, run.stderr
    assert json.loads((tmp_path / "plan-1").read_bytes())["memory_nodes"] is None
    assert "one NUMA node, so there is nothing to compare" in " ".join(run.stdout.split())


REFUSE = "echo 'streamgage-engine: It does not fit on node 1.' >&2; exit 2"


@pytest.mark.parametrize("failing", [REFUSE, REFUSE.replace("exit 2", "exit 1")])
def test_a_node_that_cannot_be_measured_leaves_its_column_empty(
    tmp_path: Path, failing: str
) -> None:
    body = f'if test "$node" = 1; then {failing}; fi'
    engine = engine_of(tmp_path, machine_of(2), body)
    run = streamgage("numa", "--format", "json", folder=tmp_path, engine=engine)
    assert run.returncode == 1
    document = json.loads(run.stdout)
    assert {each["memory_node"] for each in document["latency"]} == {0}
    failures = [each["failure"] for each in document["runs"] if each["memory_node"] == 1]
    assert failures == ["It does not fit on node 1."] * 2
    assert run.stderr.count("is left out: It does not fit on node 1.") == 2
    shown = streamgage("numa", folder=tmp_path, engine=engine)
    assert shown.returncode == 1
    assert "It does not fit on node 1." in " ".join(shown.stdout.split())


@pytest.mark.parametrize("status", [1, 2])
def test_what_every_cell_fails_of_is_told_once(tmp_path: Path, status: int) -> None:
    engine = engine_of(tmp_path, machine_of(2), f"echo 'Broken.' >&2; exit {status}")
    run = streamgage("numa", folder=tmp_path, engine=engine)
    assert (run.returncode, run.stdout) == (status, "")
    assert one_sentence(run.stderr) == "Broken."


def test_memory_that_is_elsewhere_is_no_figure(tmp_path: Path) -> None:
    engine = engine_of(tmp_path, machine_of(2), "node=0")
    run = streamgage("numa", "--format", "json", folder=tmp_path, engine=engine)
    assert run.returncode == 1
    document = json.loads(run.stdout)
    assert {each["memory_node"] for each in document["latency"]} == {0}
    assert all(
        ("not on node 1" in (each["failure"] or "")) == (each["memory_node"] == 1)
        for each in document["runs"]
    )


def test_a_signal_shows_the_cells_that_were_measured_until_then(tmp_path: Path) -> None:
    body = f'if test "$n" = 3; then touch {tmp_path}/third; exec sleep 1000; fi'
    engine = engine_of(tmp_path, machine_of(2), body)
    run = start_streamgage("numa", "--format", "json", folder=tmp_path, engine=engine)
    end = time.monotonic() + WAIT_SECONDS
    while not (tmp_path / "third").exists():
        assert time.monotonic() < end
        with pytest.raises(subprocess.TimeoutExpired):
            run.wait(0.02)
    run.send_signal(signal.SIGINT)
    out, said = run.communicate(timeout=WAIT_SECONDS)
    assert run.returncode == 130, said
    document = json.loads(out)
    assert len(document["latency"]) == 2
    assert [each["failure"] for each in document["runs"]] == [None, None, "It was stopped."]
    assert "Traceback" not in said


def test_the_heat_map_is_drawn_beside_the_table(tmp_path: Path) -> None:
    engine = engine_of(tmp_path, machine_of(2))
    run = streamgage("numa", "-o", "matrix.svg", folder=tmp_path, engine=engine)
    assert run.returncode == 0, run.stderr
    assert "memory of node" in run.stdout
    assert "idle latency, ns" in (tmp_path / "matrix.svg").read_text("utf-8")
    assert (tmp_path / "matrix.csv").read_text("utf-8").startswith("figure,kernel")


@pytest.mark.parametrize(
    ("form", "start"), [("csv", "figure,kernel"), ("markdown", "Example"), ("json", "{")]
)
def test_other_formats_go_to_the_file(tmp_path: Path, form: str, start: str) -> None:
    engine = engine_of(tmp_path, machine_of(2))
    options = ["--format", form, "-o", "matrix.txt"]
    run = streamgage("numa", *options, folder=tmp_path, engine=engine)
    assert (run.returncode, run.stdout) == (0, "")
    assert start in (tmp_path / "matrix.txt").read_text()[:200]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--rounds", "0"], "--rounds '0' is not a whole number from 1"),
        (["--rounds", "many"], "--rounds 'many' is not a whole number"),
        (["--kernels", "a,,b"], "--kernels 'a,,b' has an empty name"),
        (["--size", "1XB"], "'1XB' is not a size"),
        (["--seed", "x"], "--seed 'x' is not"),
        (["--format", "stream"], "use table, json, csv, "),
        (["-o", "matrix.gif"], "matrix.gif is no picture that can be written"),
        (["-o", "no/folder/x.svg"], "no/folder/x.svg cannot be written"),
        (["surplus"], "surplus"),
    ],
)
def test_what_is_refused_is_refused_before_any_run(
    tmp_path: Path, options: list[str], words: str
) -> None:
    engine = engine_of(tmp_path, machine_of(2))
    run = streamgage("numa", *options, folder=tmp_path, engine=engine)
    assert (run.returncode, run.stdout) == (2, "")
    assert words in one_sentence(run.stderr)
    assert not (tmp_path / "turns").exists()


@pytest.mark.parametrize(
    ("machine", "words"),
    [
        (replace(machine_of(2), described_by="HWLOC_SYNTHETIC=pack:2"), "HWLOC_SYNTHETIC"),
        (replace(machine_of(2), allowed_nodes="7"), "may not use both CPUs and memory"),
    ],
)
def test_machines_of_which_nothing_can_be_measured_are_refused(
    tmp_path: Path, machine: Machine, words: str
) -> None:
    run = streamgage("numa", folder=tmp_path, engine=engine_of(tmp_path, machine))
    assert (run.returncode, run.stdout) == (2, "")
    assert words in one_sentence(run.stderr)


def test_the_real_engine_measures_this_machine(tmp_path: Path) -> None:
    options = ["--quick", "--size", "1MiB", "--format", "json"]
    run = streamgage("numa", *options, folder=tmp_path, engine=real_engine())
    assert run.returncode == 0, run.stderr
    document = json.loads(run.stdout)
    number = len(document["cpu_nodes"]) * len(document["memory_nodes"])
    assert number >= 1
    assert [each["kernel"] for each in document["kernels"]] == ["sum", "triad"]
    for cells in (*(each["cells"] for each in document["kernels"]), document["latency"]):
        assert len(cells) == number
        assert all(cell["median"] > 0 for cell in cells)
