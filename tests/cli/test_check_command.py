"""``streamgage check`` on this machine: one line, an exit status, and a place in the store."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from programs import WAIT_SECONDS, real_engine, streamgage
from short_engine import write_engine
from time_limits import wait_until

from streamgage.analysis.statistics.next_value import FEWEST

MILLION = "triad=1000TB/s"
"""What no machine reaches: 1 where nothing disturbs the run, else 3."""
LITTLE = "triad=1MB/s"
"""What every machine reaches, whatever disturbs it."""


def check(
    folder: Path, *arguments: str, engine: Path | None = None
) -> subprocess.CompletedProcess[str]:
    return streamgage(
        *("check", "--glance", *arguments),
        folder=folder,
        engine=engine or write_engine(real_engine(), folder),
        STREAMGAGE_LOCK="none",
    )


def canned_engine(
    folder: Path,
    *figures: float,
    least: float | None = None,
    disturbance: str | None = None,
    other: Path | None = None,
) -> Path:
    """One that answers at once: each run has the next of these figures, and then the last.

    ``least`` is the limit of ``--expect triad=420GB/s,...``. What is no check is done by ``other``,
    or by the real engine.
    """
    for number, gbps in enumerate(figures):
        line = {
            **{"record": "node", "host": "n7", "time": f"2026-11-25T12:00:{number:02}Z"},
            "figures": [
                {"kernel": "triad", "gbps": gbps, "low": gbps * 0.99, "high": gbps * 1.01, "n": 9}
            ],
            **{"seconds": 0.1, "check_seconds": 60.0, "disturbance": disturbance},
        }
        if least is not None:
            limit = {"kernel": "triad", "expected_gbps": 420.0, "limit_gbps": least}
            line["expected"] = [limit]
        (folder / f"line-{number}").write_text(json.dumps(line) + "\n")
    path = folder / "canned-engine"
    path.write_text(
        f"""#!/bin/sh
case "$*" in *--check*) ;; *) exec {other or real_engine()} "$@" ;; esac
cd {folder}
n=$(cat turn 2>/dev/null || echo 0)
echo $((n + 1)) >turn
while ! test -e line-$n; do n=$((n - 1)); done
cat line-$n
"""
    )
    path.chmod(0o755)
    return path


def test_a_node_that_reaches_its_limit_is_fine(tmp_path: Path) -> None:
    done = check(tmp_path, "--expect", LITTLE)
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(r"ok: triad [0-9.]+ [GM]B/s, expected at least 1\.00 MB/s\n", done.stdout)


def test_a_node_that_does_not_is_slow_unless_something_disturbed_it(tmp_path: Path) -> None:
    done = check(tmp_path, "--expect", MILLION)
    word = {1: "slow", 3: "cannot tell"}[done.returncode]
    assert re.fullmatch(
        rf"{word}: .*triad [0-9.]+ [GM]B/s, expected at least 1000000.*\n", done.stdout
    )
    assert len(done.stdout) <= 200


def test_a_second_run_is_made_where_the_first_is_not_fine(tmp_path: Path) -> None:
    engine = canned_engine(tmp_path, 371.2, least=399.0)
    slow = check(tmp_path, "--expect", "triad=420GB/s,-5%", engine=engine)
    assert (slow.returncode, slow.stdout) == (
        1,
        "slow: triad 371.2 GB/s, expected at least 399.0 (420.0 - 5 %); measured twice\n",
    )
    (tmp_path / "turn").unlink()
    engine = canned_engine(tmp_path, 371.2, 410.0, least=399.0)
    fine = check(tmp_path, "--expect", "triad=420GB/s,-5%", engine=engine)
    assert fine.returncode == 0
    assert fine.stdout.startswith("ok: triad 410.0 GB/s") and "measured twice" in fine.stdout


def test_a_disturbed_run_says_by_what(tmp_path: Path) -> None:
    quota = "a CPU quota grants 1 CPUs to 2 threads"
    engine = canned_engine(tmp_path, 371.2, least=420.0, disturbance=quota)
    done = check(tmp_path, "--expect", "triad=420GB/s", engine=engine)
    assert done.returncode == 3
    assert done.stdout.startswith("cannot tell: a CPU quota grants 1 CPUs to 2 threads; triad")


def test_a_node_is_held_against_its_own_past(tmp_path: Path) -> None:
    # The engine calls the node as the machine is called, so that the store finds it.
    host = subprocess.run(
        [real_engine(), "--machine"], capture_output=True, text=True, check=True
    ).stdout
    name = json.loads(host)["host"]
    engine = canned_engine(tmp_path, 400.0, 402.0, 398.0, 401.0, 350.0)
    for path in tmp_path.glob("line-*"):
        path.write_text(path.read_text().replace('"n7"', json.dumps(name)))
    statuses = []
    for _ in range(FEWEST):
        done = check(tmp_path, engine=engine)
        statuses.append(done.returncode)
    assert statuses == [3] * FEWEST
    assert "there is nothing to compare it with" in done.stdout
    fine = check(tmp_path, engine=engine)
    assert fine.returncode == 0, fine.stdout
    assert "ok: triad 401.0 GB/s, expected at least 380.0" in fine.stdout
    slow = check(tmp_path, engine=engine)
    assert slow.returncode == 1
    assert "slow: triad 350.0 GB/s" in slow.stdout and "by its own past" in slow.stdout
    listed = streamgage("history", folder=tmp_path)
    assert listed.stdout.count(" check ") == FEWEST + 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--expect", "quad=1GB/s"), "no kernel 'quad'"),
        (("--expect", "triad=1"), "has no unit"),
        (("--expect", "triad=-1GB/s"), "not a rate from 1 byte/s to 1000 TB/s"),
        (("--expect", "triad"), "names no figure"),
        (("--expect", "triad=1e400GB/s"), "not a rate from 1 byte/s to 1000 TB/s"),
        (("--expect", "triad=1GB/s\n"), "not a figure with a limit"),
        (("--expect", "triad" * 99), "not a figure with a limit"),
        (
            ("--expect", LITTLE, "--expect", "sum streaming=1MB/s"),
            "no stores of the kind streaming",
        ),
        (("--expect", LITTLE, "--expect", "triad=2GB/s"), "names triad twice"),
        (("--expect", LITTLE, "--examine"), "exclude each other"),
        (("--limit", "2"), "not a share"),
        (("--baseline", "none.json"), "none.json cannot be read"),
        (("--baseline", "lines.jsonl"), "lines.jsonl is not a baseline"),
        (("--baseline", "newer.json"), "newer.json is a baseline of version 9"),
        (("--baseline", "other.json"), "a baseline for other hardware"),
        (("--store", "nowhere/at/all/s.sqlite"), "nowhere"),
    ],
)
def test_what_cannot_be_met_is_one_sentence(
    arguments: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    (tmp_path / "lines.jsonl").write_text("{}")
    (tmp_path / "newer.json").write_text('{"streamgage_baseline": 9}')
    group = {"name": "x", "properties": {"processor": "of nobody"}, "figures": []}
    other = {
        **{"streamgage_baseline": 1, "made": "2026-11-25T12:00:00Z", "limit": 0.03},
        "classes": [group],
    }
    (tmp_path / "other.json").write_text(json.dumps(other))
    done = check(tmp_path, *arguments)
    assert done.returncode == 2, done.stdout + done.stderr
    (line,) = done.stderr.splitlines()
    assert said in line
    assert done.stdout == ""


def test_a_check_waits_for_no_other_measurement(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    first = subprocess.Popen(
        [real_engine(), "--json", "--seconds", "3600", "--size", "4MiB"],
        env={"STREAMGAGE_LOCK": str(lock), "PATH": ""},
        stdout=subprocess.DEVNULL,
    )
    try:
        wait_until(lambda: (lock.exists() and lock.read_text() != "") or first.poll() is not None)
        assert first.poll() is None
        done = streamgage(
            *("check", "--glance", "--expect", LITTLE),
            folder=tmp_path,
            engine=real_engine(),
            STREAMGAGE_LOCK=str(lock),
        )
    finally:
        first.terminate()
        first.wait(WAIT_SECONDS)
    assert (done.returncode, done.stdout) == (3, "")
    assert "another measurement" in done.stderr


def test_a_check_that_is_not_over_in_time_says_nothing_of_the_node() -> None:
    done = subprocess.run(
        [real_engine(), "--check", "--glance", "--expect", LITTLE, "--spent", "4.5"],
        env={"STREAMGAGE_LOCK": "none"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (3, "")
    (line,) = done.stderr.splitlines()
    assert "the check did not end within 4.5 s" in line


def test_without_an_engine_nothing_is_known_of_the_node(tmp_path: Path) -> None:
    done = check(tmp_path, "--expect", LITTLE, engine=tmp_path / "none")
    assert done.returncode == 3
    assert "not a program that can be run" in done.stderr


def test_an_examination_measures_parts_and_latency(tmp_path: Path) -> None:
    done = streamgage(
        *("check", "--examine", "--expect", LITTLE, "--format", "json"),
        folder=tmp_path,
        engine=write_engine(real_engine(), tmp_path),
        STREAMGAGE_LOCK="none",
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["length"], found["verdict"]) == ("examine", "fine")
    assert found["latency_seconds"] > 0
    # What other programs disturb has no figure, and the command says so.
    assert found["parts"] or "they have no figures" in done.stderr


def test_an_environment_that_spoils_measurements_is_a_cause_of_a_slow_node(tmp_path: Path) -> None:
    for least, verdict in ((420.0, "slow"), (300.0, "fine")):
        folder = tmp_path / verdict
        folder.mkdir()
        few = write_engine(real_engine(), folder)
        done = streamgage(
            *("check", "--examine", "--expect", f"triad={least}GB/s", "--format", "json"),
            folder=folder,
            engine=canned_engine(folder, 371.2, least=least, other=few),
            STREAMGAGE_LOCK="none",
            OMP_NUM_THREADS=str(len(os.sched_getaffinity(0)) + 1),
        )
        found = json.loads(done.stdout)
        assert found["verdict"] == verdict, done.stderr
        unfit = [each["seen"] for each in found["causes"] if each["code"] == "unfit-environment"]
        if verdict == "fine":
            assert not unfit, "causes are those of a slow node"
        else:
            assert any("threads share" in each for each in unfit), found["causes"]
            shown = streamgage("show", "last", folder=folder)
            assert "threads share" in " ".join(shown.stdout.split())
