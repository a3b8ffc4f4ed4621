"""``streamgage latency``, with engines that tell made records."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from example_ladder import machine_of
from example_latency import latency_records
from example_records import as_lines
from example_topologies import Counts, regular
from programs import misbehaving_engine, one_sentence, streamgage
from store_results import kept_files

from streamgage.records import Machine

KIB = 1 << 10


def engine_of(folder: Path, machine: Machine, body: str = ":", *, records: int = -1) -> Path:
    """An engine of that machine, which keeps its plan and tells a good run."""
    lines = latency_records(machine_of())
    (folder / "lines").write_bytes(as_lines(lines if records < 0 else lines[:records]))
    (folder / "machine").write_bytes(as_lines([machine]))
    body = f"cat > plan\n{body}\ncat {folder}/lines"
    return misbehaving_engine(folder, body, machine=f"cat '{folder}/machine'")


def plan_in(folder: Path) -> dict[str, Any]:
    plan: dict[str, Any] = json.loads((folder / "plan").read_bytes())
    return plan


def test_everything_is_measured_by_one_plan(tmp_path: Path) -> None:
    engine = engine_of(tmp_path, machine_of())
    run = streamgage("latency", "--format", "json", "--seed", "3", folder=tmp_path, engine=engine)
    assert run.returncode == 0, run.stderr
    plan = plan_in(tmp_path)
    assert (plan["measure"], plan["rounds"], plan["seed"]) == ("latency", 3, 3)
    assert plan["placement"]["cpus"] == [0, 1, 2, 3]
    assert plan["load"]["mixes"] == ["reads", "3:1", "2:1", "1:1", "streaming"]
    shares = plan["load"]["shares"]
    assert shares[0] == 0 and shares[-1] == 1 and shares == sorted(shares) and len(shares) == 17
    sizes = plan["chain_bytes"]
    assert sizes[0] == 8 * KIB and sizes[-1] == 32768 * KIB
    assert all(size % 128 == 0 for size in sizes)
    document = json.loads(run.stdout)
    assert [each["level"] for each in document["steps"]] == ["L1", "L2", "L3", "memory"]
    assert [each["mix"] for each in document["loaded"]] == ["reads", "1:1"]
    assert "To see this again: streamgage show 1" in run.stderr
    assert "latency.json" in kept_files(tmp_path)


def test_parts_can_be_left_out(tmp_path: Path) -> None:
    engine = engine_of(tmp_path, machine_of())
    run = streamgage("latency", "--mixes", "none", folder=tmp_path, engine=engine)
    assert run.returncode == 0, run.stderr
    assert plan_in(tmp_path)["load"] is None
    options = ["--mixes", "1:1,reads", "--quick", "--rounds", "2", "--threads", "2"]
    options += ["--from", "1MiB", "--to", "2MiB", "--steps", "1"]
    run = streamgage("latency", *options, folder=tmp_path, engine=engine)
    assert run.returncode == 0, run.stderr
    plan = plan_in(tmp_path)
    assert plan["load"]["mixes"] == ["reads", "1:1"] and len(plan["load"]["shares"]) == 8
    assert plan["chain_bytes"] == [1024 * KIB, 2048 * KIB]
    assert plan["placement"]["cpus"] == [0, 1] and plan["rounds"] == 2


def test_one_cpu_measures_the_idle_latency_and_says_so(tmp_path: Path) -> None:
    engine = engine_of(tmp_path, regular(Counts(cores=1)))
    run = streamgage("latency", folder=tmp_path, engine=engine)
    assert run.returncode == 0, run.stderr
    assert plan_in(tmp_path)["load"] is None
    assert "One CPU cannot measure and load the memory at once" in " ".join(run.stdout.split())


def test_a_run_that_dies_shows_what_it_measured(tmp_path: Path) -> None:
    engine = engine_of(tmp_path, machine_of(), records=20)
    run = streamgage("latency", "--records", "kept.jsonl", folder=tmp_path, engine=engine)
    assert run.returncode == 1
    assert "idle latency" in run.stdout
    assert "ended without its last record" in run.stderr
    assert len((tmp_path / "kept.jsonl").read_bytes().splitlines()) == 20


@pytest.mark.parametrize("status", [1, 2])
def test_a_failure_is_one_sentence(tmp_path: Path, status: int) -> None:
    engine = engine_of(tmp_path, machine_of(), f"echo 'Broken.' >&2; exit {status}")
    run = streamgage("latency", folder=tmp_path, engine=engine)
    assert (run.returncode, run.stdout) == (status, "")
    assert "Broken." in run.stderr and "Traceback" not in run.stderr


def test_a_picture_has_its_data_beside_it(tmp_path: Path) -> None:
    engine = engine_of(tmp_path, machine_of())
    run = streamgage("latency", "-o", "latency.svg", folder=tmp_path, engine=engine)
    assert run.returncode == 0, run.stderr
    assert "under load" in run.stdout and "reads alone" in run.stdout
    assert (tmp_path / "latency.svg").read_bytes().startswith(b"<?xml")
    assert (tmp_path / "latency.dat").read_text().startswith("# streamgage latency: ns")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--from", "63"], "--from 63 bytes is less than a cache line of 64 bytes"),
        (["--to", "10"], "--to 10 bytes is less than a cache line of 64 bytes"),
        (["--to", "4KiB"], "--to 4 KiB is less than 8 KiB, the smallest size"),
        (["--from", "2MiB", "--to", "1MiB"], "--from 2 MiB is more than --to 1 MiB: swap them."),
        (["--mixes", "4:1"], "--mixes '4:1' has '4:1': choose from reads, 3:1, 2:1, 1:1"),
        (["--threads", "9"], "9 threads are asked for, but this process may use 4 CPUs"),
        (["--rounds", "0"], "--rounds"),
        (["-o", "x.gif"], "x.gif is no picture"),
        (["--format", "xml"], "--format"),
    ],
)
def test_bad_usage_is_one_sentence(tmp_path: Path, options: list[str], said: str) -> None:
    engine = engine_of(tmp_path, machine_of())
    run = streamgage("latency", *options, folder=tmp_path, engine=engine)
    assert (run.returncode, run.stdout) == (2, ""), run.stderr
    assert said in one_sentence(run.stderr)
    assert not (tmp_path / "plan").exists()
