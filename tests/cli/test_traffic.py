"""``streamgage traffic``: the engine is a script on purpose, the programs beside it are real."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import signal
import time
from pathlib import Path

import pytest
from example_records import MACHINE, as_lines
from example_traffic import NO_SOURCE, of_two
from programs import (
    WAIT_SECONDS,
    misbehaving_engine,
    one_sentence,
    start_streamgage,
    streamgage,
)
from schemas import validator
from stub_traffic import traffic_engine

INTERVALS = of_two((30.0, 3.0), (30.0, 15.0))
STORED = "streamgage: To see this again: streamgage show 1\n"
"""What the engine says here is always the same, so there is one result."""


@pytest.fixture
def engine(tmp_path: Path) -> Path:
    """Watches two seconds, whatever runs."""
    return traffic_engine(tmp_path, INTERVALS)


def wait_for(file: Path) -> None:
    end = time.monotonic() + WAIT_SECONDS
    while not file.exists():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_a_programs_output_and_status_are_its_own(tmp_path: Path, engine: Path) -> None:
    script = "echo out; echo err >&2; exit 7"
    run = streamgage("traffic", "--", "sh", "-c", script, folder=tmp_path, engine=engine)
    assert (run.returncode, run.stdout) == (7, "out\n")
    assert run.stderr.startswith("err\n NOT CALIBRATED: perf uncore_imc was not calibrated on this")
    assert f"\n Memory traffic during sh -c {script} · perf uncore_imc" in run.stderr
    said = " ".join(run.stderr.split())
    assert "run streamgage measure once, which compares it with kernels of known traffic." in said
    assert "no measurement of this machine is stored: run streamgage measure." in said


def test_a_program_that_a_signal_ended_gives_a_shells_status(tmp_path: Path, engine: Path) -> None:
    run = streamgage("traffic", "--", "sh", "-c", "kill -9 $$", folder=tmp_path, engine=engine)
    assert run.returncode == 128 + signal.SIGKILL


@pytest.mark.parametrize(
    ("name", "status", "words"),
    [
        ("./no-such-program", 127, "was not found"),
        ("./not-executable", 126, "cannot be run: Permission denied"),
        ("/", 126, "cannot be run"),
    ],
)
def test_a_program_that_cannot_be_started_gives_a_shells_status(
    tmp_path: Path, engine: Path, name: str, status: int, words: str
) -> None:
    (tmp_path / "not-executable").write_text("#!/bin/sh\n")
    run = streamgage("traffic", "--", name, folder=tmp_path, engine=engine)
    assert (run.returncode, run.stdout) == (status, "")
    said = one_sentence(run.stderr)
    assert said.startswith(name)
    assert words in said


def test_signals_are_passed_on_to_the_program(tmp_path: Path, engine: Path) -> None:
    script = f"trap 'echo passed on; exit 3' TERM; touch {tmp_path}/up; while :; do sleep 0.1; done"
    run = start_streamgage("traffic", "--", "sh", "-c", script, folder=tmp_path, engine=engine)
    wait_for(tmp_path / "up")
    run.send_signal(signal.SIGTERM)
    out, said = run.communicate(timeout=WAIT_SECONDS)
    assert (run.returncode, out) == (3, "passed on\n")
    assert "Memory traffic during sh" in said


def test_the_program_does_not_inherit_what_is_blocked_or_ignored_here(
    tmp_path: Path, engine: Path
) -> None:
    run = streamgage(
        "traffic",
        "--",
        "sed",
        "-n",
        "/^SigBlk\\|^SigIgn/p",
        "/proc/self/status",
        folder=tmp_path,
        engine=engine,
    )
    masks = {line.split()[0]: int(line.split()[1], 16) for line in run.stdout.splitlines()}
    ours = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGCHLD)
    assert not [each for each in ours if masks["SigBlk:"] >> each - 1 & 1]
    ignored_by_python = (signal.SIGPIPE, signal.SIGXFSZ)
    assert not [each for each in ignored_by_python if masks["SigIgn:"] >> each - 1 & 1]


def test_what_was_watched_is_stored_listed_shown_and_reported(tmp_path: Path, engine: Path) -> None:
    watch = ("traffic", "--label", "solver", "--json", "t.json", "--", "true")
    run = streamgage(*watch, folder=tmp_path, engine=engine)
    assert run.stderr.endswith(f"{STORED}streamgage: Wrote t.json.\n")
    listed = streamgage("history", folder=tmp_path).stdout
    assert re.search(r"1 .* traffic +solver ", listed)
    for name in ("1", "t.json"):
        again = streamgage("show", name, folder=tmp_path)
        assert again.returncode == 0
        assert "Memory traffic of node7: 52.0 GB/s (average across the memory bus)" in again.stdout
        assert "▲ not-calibrated" in again.stdout
    stored = json.loads(streamgage("show", "1", "--format", "json", folder=tmp_path).stdout)
    assert stored == json.loads((tmp_path / "t.json").read_text())
    report = streamgage("report", "1", "-o", "r.html", folder=tmp_path)
    assert report.returncode == 0
    page = (tmp_path / "r.html").read_text("utf-8")
    assert "Memory traffic over time" in page and "package 1" in page


def test_what_need_not_or_cannot_be_stored_is_not(tmp_path: Path, engine: Path) -> None:
    run = streamgage(
        "traffic", "--no-store", "--json", "t.json", "--", "true", folder=tmp_path, engine=engine
    )
    assert "To see this again" not in run.stderr
    streamgage("traffic", "--recorded", "t.json", folder=tmp_path, engine=engine)
    assert not list(tmp_path.rglob("*.sqlite"))
    run = streamgage(
        "traffic", "--store", "/nowhere/s", "--", "touch", "ran", folder=tmp_path, engine=engine
    )
    assert run.returncode == 2
    assert "/nowhere" in one_sentence(run.stderr)
    assert not (tmp_path / "ran").exists()


def test_a_damaged_document_is_one_sentence(tmp_path: Path, engine: Path) -> None:
    streamgage("traffic", "--json", "t.json", "--", "true", folder=tmp_path, engine=engine)
    document = json.loads((tmp_path / "t.json").read_text())
    document["intervals"][0]["domains"].pop()
    (tmp_path / "t.json").write_text(json.dumps(document))
    for command in (("show", "t.json"), ("traffic", "--recorded", "t.json")):
        run = streamgage(*command, folder=tmp_path, engine=engine)
        assert run.returncode == 2
        assert "rates and a reason for each domain" in one_sentence(run.stderr)


def test_documents_are_written_beside_a_program(tmp_path: Path, engine: Path) -> None:
    run = streamgage(
        *("traffic", "--csv", "t.csv", "--json", "t.json", "-o", "t.png", "--peak", "200"),
        *("--", "true"),
        folder=tmp_path,
        engine=engine,
    )
    assert (run.returncode, run.stdout) == (0, "")
    rows = list(csv.DictReader(io.StringIO((tmp_path / "t.csv").read_text())))
    assert [row["total_gbps"] for row in rows] == ["40", "4", "40", "20"]
    document = json.loads((tmp_path / "t.json").read_text())
    validator("traffic").validate(document)
    assert (document["command"], document["exit_status"]) == (["true"], 0)
    assert document["peak_gbps"] == 200
    assert (document["source_trust"]["state"], document["by_asker"]) == ("not-calibrated", False)
    assert (tmp_path / "t.png").read_bytes().startswith(b"\x89PNG")


def test_without_a_program_it_prints_a_line_an_interval_until_ctrl_c(tmp_path: Path) -> None:
    engine = traffic_engine(
        tmp_path, INTERVALS, after=f"cat {tmp_path}/rest; touch {tmp_path}/up; exec sleep 1000"
    )
    run = start_streamgage("traffic", "--interval", "0.1", folder=tmp_path, engine=engine)
    assert run.stdout is not None
    assert run.stdout.readline() == (
        "NOT CALIBRATED 1.00 s:"
        " package 0 40.0 GB/s (reads 30.0, writes 10.0; 75 % reads, 25 % writes);"
        " package 1 4.00 GB/s (reads 3.00, writes 1.00; 75 % reads, 25 % writes);"
        " together 44.0 GB/s (reads 33.0, writes 11.0; 75 % reads, 25 % writes)\n"
    )
    run.send_signal(signal.SIGINT)
    out, said = run.communicate(timeout=WAIT_SECONDS)
    assert "Memory traffic · perf uncore_imc · 2 s · 2 intervals" in out
    assert "Counting ended early: streamgage-engine --traffic was ended by signal 15." in out
    assert (run.returncode, said) == (1, STORED)


def test_ctrl_c_is_how_a_watch_is_meant_to_end(tmp_path: Path) -> None:
    stay = f"trap 'exit 0' TERM; cat {tmp_path}/rest; while :; do sleep 0.05; done"
    engine = traffic_engine(tmp_path, INTERVALS, after=stay)
    for number, status in ((signal.SIGINT, 0), (signal.SIGTERM, 143)):
        run = start_streamgage("traffic", "--interval", "0.1", folder=tmp_path, engine=engine)
        assert run.stdout is not None
        assert run.stdout.readline()
        run.send_signal(number)
        out, said = run.communicate(timeout=WAIT_SECONDS)
        assert "2 intervals" in out
        assert (run.returncode, said) == (status, STORED)


def test_csv_has_stdout_for_itself(tmp_path: Path) -> None:
    engine = traffic_engine(tmp_path, INTERVALS, after=f"cat {tmp_path}/rest; exit 0")
    run = streamgage("traffic", "--csv", "-", folder=tmp_path, engine=engine)
    assert run.returncode == 0
    assert len(list(csv.DictReader(io.StringIO(run.stdout)))) == 4
    assert run.stderr.startswith(" NOT CALIBRATED: ")


def test_a_source_that_dies_ends_the_watch_but_not_the_program(tmp_path: Path) -> None:
    dies = (
        f"cat {tmp_path}/rest; echo 'streamgage-engine: perf no longer reports traffic: EIO.' >&2"
    )
    # The front asks it to end as soon as the program has ended.
    after = f"trap '' TERM; {dies}; touch {tmp_path}/said; exit 1"
    engine = traffic_engine(tmp_path, INTERVALS, after=after)
    program = "while ! test -e said; do sleep 0.02; done; exit 5"
    run = streamgage("traffic", "--", "sh", "-c", program, folder=tmp_path, engine=engine)
    assert run.returncode == 5
    assert "Counting ended early: perf no longer reports traffic: EIO." in run.stderr
    assert streamgage("traffic", folder=tmp_path, engine=engine).returncode == 1


def test_without_a_source_the_program_is_not_run(tmp_path: Path) -> None:
    engine = traffic_engine(tmp_path, [], counters=NO_SOURCE, after="exit 1")
    run = streamgage("traffic", "--", "touch", "ran", folder=tmp_path, engine=engine)
    assert (run.returncode, run.stdout) == (1, "")
    assert not (tmp_path / "ran").exists()
    text = " ".join(run.stderr.split())
    assert "no source of memory traffic can be read here: the program was not run" in text
    assert "this is a guest of KVM" in text
    assert "needed: the bare machine" in text


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--interval", "0.001"], "--interval '0.001' is not a number of seconds from 0.01"),
        (["--interval", "nan"], "--interval 'nan' is not a number"),
        (["--interval", "soon"], "--interval 'soon' is not a number"),
        (["-o", "plot.gif"], "plot.gif is no picture that can be written"),
        (["-o", "no-folder/plot.svg"], "cannot be written"),
        (["--csv", "no-folder/t.csv"], "name another with --csv"),
        (["--peak", "0"], "--peak '0' is not a number of GB/s"),
        (["--csv", "-", "--json", "-"], "both go to stdout"),
        (["--csv", "a.svg", "-o", "./a.svg"], "name the same file"),
        (["--replay", "recording"], "There is no recording recording"),
    ],
    ids=" ".join,
)
def test_bad_usage_is_told_before_anything_runs(
    tmp_path: Path, engine: Path, options: list[str], words: str
) -> None:
    command = [] if "--replay" in options else ["--", "touch", "ran"]
    run = streamgage("traffic", *options, *command, folder=tmp_path, engine=engine)
    assert (run.returncode, run.stdout) == (2, "")
    assert words in one_sentence(run.stderr)
    assert not (tmp_path / "ran").exists()


def test_no_program_runs_beside_a_recording(tmp_path: Path, engine: Path) -> None:
    run = streamgage(
        "traffic", "--replay", "x", "--", "touch", "ran", folder=tmp_path, engine=engine
    )
    assert run.returncode == 2
    assert "--replay shows a recording" in one_sentence(run.stderr)
    assert not (tmp_path / "ran").exists()


def test_an_engine_that_fails_is_told_in_a_sentence(tmp_path: Path) -> None:
    for body, status, words in (
        ("kill -SEGV $$", 1, "was ended by signal 11"),
        ("exit 0", 1, "ended without its records"),
        ("echo 'streamgage-engine: No.' >&2; exit 2", 2, "No."),
    ):
        engine = misbehaving_engine(tmp_path, body)
        run = streamgage("traffic", "--", "touch", "ran", folder=tmp_path, engine=engine)
        assert (run.returncode, run.stdout) == (status, "")
        assert words in one_sentence(run.stderr)
        assert not (tmp_path / "ran").exists()


def test_a_kept_run_that_tells_no_ceiling_is_said_to_be_none(tmp_path: Path, engine: Path) -> None:
    folder = tmp_path / "state" / "streamgage" / "runs"
    folder.mkdir(parents=True)
    left = folder / "20260131T120000Z-node7-1.jsonl"
    left.write_bytes(as_lines([MACHINE]))
    os.utime(left, (0, 0))  # of another host, which has forgotten it
    (folder / "20260131T120001Z-node7-1.jsonl").write_text("nonsense\n")
    run = streamgage("traffic", "--", "true", folder=tmp_path, engine=engine)
    assert "(the newest: it is not complete)" in " ".join(run.stderr.split())


def test_more_than_the_peak_is_not_believed_while_it_is_watched(tmp_path: Path) -> None:
    engine = traffic_engine(tmp_path, INTERVALS, after=f"cat {tmp_path}/rest; exit 0")
    run = streamgage("traffic", "--peak", "50", folder=tmp_path, engine=engine)
    said = " ".join(run.stdout.split())
    assert "NOT BELIEVED 2.00 s: package 0 40.0 GB/s" in said
    assert "NOT BELIEVED: perf uncore_imc shows 60.0 GB/s, above the theoretical peak" in said
