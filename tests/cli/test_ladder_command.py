"""``streamgage ladder``, with engines that tell made records."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from example_ladder import KIB, machine_of, rung_records
from example_records import as_lines
from example_topologies import Counts, regular
from programs import (
    WAIT_SECONDS,
    misbehaving_engine,
    one_sentence,
    start_streamgage,
    streamgage,
)

from streamgage.records import Machine
from streamgage.results.ladder.judge import Rung

COUNT = "echo x >> turns; n=$(wc -l < turns); cat > plan-$n\n"
"""Shell: the number of this run, and its plan in a file."""
FEW = ("--from", "64KiB", "--to", "1MiB", "--steps", "1")


def engine_of(folder: Path, machine: Machine, body: str = ":") -> Path:
    """An engine of that machine, which tells the same good run whatever it is asked."""
    records = rung_records(Rung("sequential", "triad", 96 * KIB), machine, 50.0)
    (folder / "lines").write_bytes(as_lines(records))
    (folder / "machine").write_bytes(as_lines([machine]))
    body = f"{COUNT}{body}\ncat {folder}/lines"
    return misbehaving_engine(folder, body, machine=f"cat '{folder}/machine'")


def plans_in(folder: Path) -> list[dict[str, Any]]:
    numbers = range(1, 1 + len(list(folder.glob("plan-*"))))
    return [json.loads((folder / f"plan-{each}").read_bytes()) for each in numbers]


def test_every_point_is_a_process_with_a_working_set_of_its_own(tmp_path: Path) -> None:
    engine = engine_of(tmp_path, machine_of())
    options = ["--rounds", "1", "--format", "json"]
    run = streamgage("ladder", *FEW, *options, folder=tmp_path, engine=engine)
    assert run.returncode == 0, run.stderr
    document = json.loads(run.stdout)
    modes = ["sequential", "worksharing", "throughput"]
    assert [each["mode"] for each in document["curves"]] == modes
    plans = plans_in(tmp_path)
    assert len(plans) == len(document["runs"]) == sum(len(c["points"]) for c in document["curves"])
    for each, plan in zip(document["runs"], plans, strict=True):
        threads = 1 if each["mode"] == "sequential" else 4
        assert plan["placement"]["cpus"] == list(range(threads))
        together = each["bytes"] * (threads if each["mode"] == "throughput" else 1)
        assert (plan["working_set_bytes"], plan["array_bytes"]) == (together, None)
        assert (plan["kernels"], plan["stores"]) == (["triad"], ["regular"])
        assert plan["core_clock"] and not plan["checks"] and plan["tuning"] is None
    sizes = {each["bytes"] for each in document["runs"]}
    assert 60 * KIB < min(sizes) < 70 * KIB and 1000 * KIB < max(sizes) <= 1024 * KIB


def test_the_sizes_go_from_the_first_cache_to_four_times_the_last(tmp_path: Path) -> None:
    engine = engine_of(tmp_path, machine_of())
    options = ["--steps", "1", "--rounds", "1", "--format", "json"]
    run = streamgage("ladder", *options, folder=tmp_path, engine=engine)
    runs = json.loads(run.stdout)["runs"]
    last = {each["mode"]: each["bytes"] for each in json.loads(run.stdout)["levels"]}
    for mode, cache in last.items():
        sizes = [each["bytes"] for each in runs if each["mode"] == mode]
        assert 3.5 * cache < max(sizes) <= 4 * cache
        assert min(sizes) < 33 * KIB


def test_kernels_are_points_of_their_own(tmp_path: Path) -> None:
    engine = engine_of(tmp_path, machine_of())
    options = ["--kernels", "sum,triad", "--modes", "sequential", "--rounds", "1"]
    run = streamgage("ladder", *FEW, *options, folder=tmp_path, engine=engine)
    assert run.returncode == 0, run.stderr
    assert {tuple(plan["kernels"]) for plan in plans_in(tmp_path)} == {("sum",), ("triad",)}


def test_with_one_thread_there_is_one_mode(tmp_path: Path) -> None:
    engine = engine_of(tmp_path, regular(Counts(cores=1)))
    run = streamgage("ladder", *FEW, folder=tmp_path, engine=engine)
    assert run.returncode == 0, run.stderr
    said = " ".join(run.stdout.split())
    assert "With one thread worksharing and throughput would be the same as sequential" in said


def test_a_point_that_fails_is_a_gap(tmp_path: Path) -> None:
    body = 'if test "$n" = 2; then echo "It broke." >&2; exit 1; fi'
    engine = engine_of(tmp_path, machine_of(), body)
    options = ["--modes", "sequential", "--rounds", "1"]
    run = streamgage("ladder", *FEW, *options, folder=tmp_path, engine=engine)
    assert run.returncode == 1
    assert "It broke." in " ".join(run.stdout.split())
    assert "is left out: It broke." in run.stderr


def test_a_signal_shows_what_was_measured_until_then(tmp_path: Path) -> None:
    body = f'if test "$n" = 3; then touch {tmp_path}/third; exec sleep 1000; fi'
    engine = engine_of(tmp_path, machine_of(), body)
    run = start_streamgage("ladder", *FEW, "--format", "json", folder=tmp_path, engine=engine)
    wait_for(tmp_path / "third", run)
    run.send_signal(signal.SIGINT)
    out, said = run.communicate(timeout=WAIT_SECONDS)
    assert run.returncode == 130, said
    failures = [each["failure"] for each in json.loads(out)["runs"]]
    assert failures == [None, None, "It was stopped."]
    assert "Traceback" not in said


def wait_for(file: Path, run: subprocess.Popen[str]) -> None:
    end = time.monotonic() + WAIT_SECONDS
    while not file.exists():
        assert run.poll() is None and time.monotonic() < end
        time.sleep(0.02)


def test_a_picture_has_its_data_beside_it(tmp_path: Path) -> None:
    engine = engine_of(tmp_path, machine_of())
    options = ["--modes", "sequential", "-o", "ladder.png"]
    run = streamgage("ladder", *FEW, *options, folder=tmp_path, engine=engine)
    assert run.returncode == 0, run.stderr
    assert (tmp_path / "ladder.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "ladder.dat").read_text().startswith("# streamgage ladder: GB/s")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--from", "32"], "--from 32 bytes is less than a cache line of 64 bytes"),
        (["--to", "10"], "--to 10 bytes is less than a cache line of 64 bytes"),
        (["--to", "4KiB"], "--to 4 KiB is less than 8 KiB, the smallest size"),
        (["--from", "2MiB", "--to", "1MiB"], "--from 2 MiB is more than --to 1 MiB: swap them."),
        (["--from", "x"], "--from 'x' is not a size"),
        (["--to", "1 parsec"], "--to '1 parsec' is not a size"),
        (["--modes", "sideways"], "--modes 'sideways' has 'sideways': choose from sequential"),
        (["--modes", ""], "--modes is empty"),
        (["--threads", "5"], "5 threads are asked for, but this process may use 4 CPUs"),
        (["--steps", "0"], "--steps"),
        (["--rounds", "x"], "--rounds"),
        (["-o", "x.gif"], "x.gif is no picture"),
        (["-o", "no/where.svg"], "no/where.svg cannot be written"),
        (["--format", "xml"], "--format"),
    ],
)
def test_bad_usage_is_one_sentence(tmp_path: Path, options: list[str], said: str) -> None:
    engine = engine_of(tmp_path, machine_of())
    run = streamgage("ladder", *options, folder=tmp_path, engine=engine)
    assert (run.returncode, run.stdout) == (2, ""), run.stderr
    assert said in one_sentence(run.stderr)
    assert not list(tmp_path.glob("plan-*"))
