"""What the doctor finds here, and under masks and variables that spoil a measurement."""

from __future__ import annotations

import json
import os
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from doctor_runs import (
    OF_OPENMP,
    check,
    cores_of,
    cores_of_machine,
    doctor,
    own_cpus,
    replaying_engine,
)
from programs import WAIT_SECONDS, misbehaving_engine, one_sentence, streamgage
from schemas import validator

from streamgage.machine.doctor.checks import CHECKS
from streamgage.machine.doctor.collect import examine_environment
from streamgage.process.other_programs import running_programs

FIRST = str(min(own_cpus()))
SEVERAL_CORES = cores_of_machine() > 1
ON_ONE_CORE = "spoils" if SEVERAL_CORES else "passed"
"""What a process is told that may use one core; on a machine of one there is no other."""


def ask(engine: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [engine, *arguments], capture_output=True, text=True, timeout=WAIT_SECONDS, check=False
    )


@pytest.mark.parametrize("arguments", [["--binding"], ["--activity", "0.1"]], ids=" ".join)
def test_the_engine_prints_one_record_of_the_schema(engine: Path, arguments: list[str]) -> None:
    done = ask(engine, *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    (line,) = done.stdout.splitlines()
    validator("records").validate(json.loads(line))


@pytest.mark.parametrize("seconds", ["nan", "0", "-1", "1e9", "soon"])
def test_activity_is_watched_for_a_time_that_makes_sense(engine: Path, seconds: str) -> None:
    done = ask(engine, f"--activity={seconds}")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("option", ["--binding", "--activity=1"])
def test_each_goes_with_no_other_option(engine: Path, option: str) -> None:
    done = ask(engine, option, "--machine")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1


def test_every_check_is_told_and_decides_the_exit_status(engine: Path, tmp_path: Path) -> None:
    document, status = doctor(folder=tmp_path, engine=engine)
    assert len(document["checks"]) == len(CHECKS)
    assert document["fit"] == all(each["state"] != "spoils" for each in document["checks"])
    assert status == (0 if document["fit"] else 1)
    for each in document["checks"]:
        assert each["seen"]
        if each["state"] in ("advice", "spoils"):
            assert each["why"]


def test_the_page_begins_with_the_verdict(engine: Path, tmp_path: Path) -> None:
    run = streamgage("doctor", "--details", folder=tmp_path, engine=engine)
    assert run.stderr == ""
    assert run.returncode in (0, 1)
    for code in ("binding", "launcher", "cpu-quota", "huge-pages", "counters"):
        assert f" {code} " in run.stdout
    first = "\n".join(run.stdout.splitlines()[:2])
    assert ("Not fit" in first) == (run.returncode == 1)
    assert "it to measure" in first


def test_a_mask_of_one_cpu_is_proved_by_running_threads_under_it(
    engine: Path, tmp_path: Path
) -> None:
    document, status = doctor("taskset", "-c", FIRST, folder=tmp_path, engine=engine)
    binding = check(document, "binding")
    assert binding["state"] == ON_ONE_CORE
    if SEVERAL_CORES:
        assert status == 1
        assert f"may run on CPU {FIRST} alone" in binding["seen"]


def test_the_command_that_it_names_lifts_the_mask(engine: Path, tmp_path: Path) -> None:
    narrow, _ = doctor("taskset", "-c", FIRST, folder=tmp_path, engine=engine)
    commands = [each.partition("first: ")[2] for each in check(narrow, "binding")["remedies"]]
    wide = ["taskset", "-c", FIRST, "sh", "-c"]
    lifted = "; ".join([f"{each} >&2" for each in commands if each] + ['exec "$@"'])
    document, _ = doctor(*wide, lifted, "sh", folder=tmp_path, engine=engine)
    if cores_of(own_cpus()) > 1:
        assert (len(commands), check(narrow, "binding")["state"]) == (1, "spoils")
        assert check(document, "binding")["state"] != "spoils"
    else:
        assert check(document, "binding")["seen"]


def test_variables_of_openmp_that_share_a_cpu_are_found(engine: Path, tmp_path: Path) -> None:
    document, _ = doctor(folder=tmp_path, engine=engine, GOMP_CPU_AFFINITY=FIRST)
    assert check(document, "binding")["state"] == ON_ONE_CORE
    assert f"GOMP_CPU_AFFINITY={FIRST}" in check(document, "openmp")["seen"]


def test_a_limit_of_threads_is_found(engine: Path, tmp_path: Path) -> None:
    document, _ = doctor(folder=tmp_path, engine=engine, OMP_THREAD_LIMIT="1")
    assert (check(document, "openmp")["state"] == "spoils") == (cores_of(own_cpus()) > 1)


def test_another_benchmark_is_found_while_it_runs(tmp_path: Path) -> None:
    other = subprocess.Popen(
        ["likwid-bench", str(WAIT_SECONDS)], executable="/bin/sleep", stdin=subprocess.DEVNULL
    )
    try:
        # The kernel tells the arguments of a program that it has just started a little later.
        end = time.monotonic() + WAIT_SECONDS
        while (other.pid, "likwid-bench") not in [
            (each.pid, each.name) for each in running_programs(Path("/proc"))
        ]:
            assert time.monotonic() < end
            time.sleep(0.02)
    finally:
        other.kill()
        other.wait()
    assert other.pid not in [each.pid for each in running_programs(Path("/proc"))]


def test_programs_are_those_of_a_folder_that_tell_their_name(tmp_path: Path) -> None:
    for pid, text in {"7": b"/opt/stream_c.exe\0-n\0", "8": b"", "9": None}.items():
        (tmp_path / pid).mkdir()
        if text is not None:
            (tmp_path / pid / "cmdline").write_bytes(text)
    (tmp_path / "self").mkdir()
    assert [(each.pid, each.name) for each in running_programs(tmp_path)] == [(7, "stream_c.exe")]


def test_a_benchmark_beside_spoils_a_measurement(
    engine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STREAMGAGE_ENGINE", str(engine))
    (tmp_path / "7").mkdir()
    (tmp_path / "7" / "cmdline").write_bytes(b"/opt/stream_c.exe\0")
    document = examine_environment(tmp_path)
    assert not document.fit
    assert "benchmarks" in document.verdict


def test_counters_alone_end_with_1_where_there_is_no_source(engine: Path, tmp_path: Path) -> None:
    document, status = doctor(folder=tmp_path, engine=engine, options=["--counters"])
    record = json.loads(ask(engine, "--counters").stdout)
    assert status == (1 if record["source"] is None else 0)
    assert [each["code"] for each in document["checks"][1:]] == [
        each["source"] for each in record["sources"]
    ]


def test_a_fit_environment_ends_with_0(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Records of this machine, but for what other tests that run beside this one do to it."""
    for name in [each for each in os.environ if each.startswith(OF_OPENMP)]:
        monkeypatch.delenv(name)
    cpus = {"online_cpus": "0-1", "allowed_cpus": "0-1", "cores": 2, "hardware_threads": 2}
    room = {"cpu_quota": None, "memory_available_bytes": 1 << 40, "memory_limit_bytes": None}
    threads = [{"mask": "0-1", "cpus_seen": str(cpu)} for cpu in range(2)]
    proof = {"inherited_cpus": "0-1", "obtainable_cpus": "0-1", "threads": threads}
    changes: dict[str, dict[str, Any]] = {
        "--machine": {**cpus, **room, "hypervisor": None, "caches": []},
        "--binding": {**proof, "serial_seconds": 0.02, "parallel_seconds": 0.02},
        "--activity": {"steal_seconds": 0.0, "other_seconds": 0.0},
    }
    monkeypatch.setenv("STREAMGAGE_ENGINE", str(replaying_engine(tmp_path, changes)))
    (tmp_path / "proc").mkdir()
    document = examine_environment(tmp_path / "proc")
    assert document.fit, document.verdict


def test_an_engine_of_another_version_is_one_sentence(tmp_path: Path) -> None:
    run = streamgage("doctor", folder=tmp_path, engine=misbehaving_engine(tmp_path, "echo old"))
    assert run.returncode == 1
    assert "--activity printed no record of type activity" in one_sentence(run.stderr)
