"""Every command that measures looks at the machine first, with an engine that finds it busy."""

from __future__ import annotations

import signal
import time
from pathlib import Path

import pytest
from example_environments import ACTIVITY, changed
from example_records import as_lines, good_records
from example_scale import machine_of
from programs import (
    WAIT_SECONDS,
    misbehaving_engine,
    one_sentence,
    start_streamgage,
    streamgage,
)

import streamgage as package
from streamgage.records import Activity

BUSY: Activity = changed(ACTIVITY, other_seconds=1.28)
ALL_COUNT = {"STREAMGAGE_LOCK": "none"}
"""Without a lock, engines that other tests run at the time are not taken off the others' share."""
SEEN = "streamgage: Other programs use 64 % of the CPUs"
MEASURING = [
    ["measure"],
    ["scale", "1"],
    ["ladder", "--to", "64KiB"],
    ["latency"],
    ["numa"],
    ["measure", "--runs", "1"],
    ["compilers"],
    ["program", "--scaling", "--threads", "1", "--", "true"],
]


def engine_of(folder: Path, activity: Activity = BUSY) -> Path:
    """Finds what else goes on as it is told to; measures a good run."""
    (folder / "lines").write_bytes(as_lines(good_records()))
    (folder / "activity").write_bytes(as_lines([activity]))
    (folder / "machine").write_bytes(as_lines([machine_of(1, 2)]))
    looks = f"echo x >> {folder}/looks; cat {folder}/activity; exit"
    return misbehaving_engine(
        folder,
        f'if test "$1" = --activity; then {looks}; fi\ncat > {folder}/plan; cat {folder}/lines',
        machine=f"cat {folder}/machine",
    )


@pytest.mark.parametrize("command", MEASURING, ids=lambda each: each[0])
def test_every_command_that_measures_waits_for_an_idle_machine(
    tmp_path: Path, command: list[str]
) -> None:
    name, *options = command
    engine = engine_of(tmp_path)
    run = streamgage(
        *(name, "--wait-idle", "0.01s", *options), folder=tmp_path, engine=engine, **ALL_COUNT
    )
    assert (run.returncode, run.stdout) == (1, ""), run.stderr
    # A look that takes longer than the wait itself is followed by no other.
    said = run.stderr.splitlines()[-1]
    assert said.removeprefix("streamgage: ").startswith(
        "The machine did not become idle within 0.01 s, and nothing was measured: other programs"
        " use 64 % of the CPUs"
    )
    assert not (tmp_path / "plan").exists()
    assert streamgage("history", folder=tmp_path).stdout.count("\n") <= 1


@pytest.mark.parametrize("command", [["measure"], ["measure", "--runs", "1"]], ids=" ".join)
def test_a_busy_machine_is_told_at_once_and_measured_all_the_same(
    tmp_path: Path, command: list[str]
) -> None:
    engine = engine_of(tmp_path)
    run = streamgage(
        *command, folder=tmp_path, engine=engine, STREAMGAGE_LOAD_CHECK="", **ALL_COUNT
    )
    assert run.returncode == 0, run.stderr
    assert run.stderr.startswith(SEEN)
    assert "The figures will suffer; stop them, or add --wait-idle 5m.\n" in run.stderr
    assert (tmp_path / "looks").read_text() == "x\n"


def test_an_idle_machine_is_measured_without_a_word(tmp_path: Path) -> None:
    engine = engine_of(tmp_path, ACTIVITY)
    for options in ([], ["--wait-idle", "5m"]):
        run = streamgage(
            "measure", *options, folder=tmp_path, engine=engine, STREAMGAGE_LOAD_CHECK=""
        )
        assert run.returncode == 0, run.stderr
        assert one_sentence(run.stderr).startswith("To see this again")
    assert (tmp_path / "looks").read_text() == "x\nx\n"


def test_the_look_may_be_left_out(tmp_path: Path) -> None:
    engine = engine_of(tmp_path)
    run = streamgage("measure", folder=tmp_path, engine=engine, STREAMGAGE_LOAD_CHECK="none")
    assert one_sentence(run.stderr).startswith("To see this again")
    assert not (tmp_path / "looks").exists()


def test_ctrl_c_ends_the_wait(tmp_path: Path) -> None:
    engine = engine_of(tmp_path)
    run = start_streamgage("measure", "--wait-idle", "1h", folder=tmp_path, engine=engine)
    while not (tmp_path / "looks").exists() or (tmp_path / "looks").read_text().count("x") < 2:
        assert run.poll() is None, run.communicate()
        time.sleep(0.02)
    run.send_signal(signal.SIGINT)
    out, said = run.communicate(timeout=WAIT_SECONDS)
    assert (run.returncode, out) == (130, "")
    assert one_sentence(said).startswith("Waiting for an idle machine: ")
    assert not (tmp_path / "plan").exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--wait-idle", "soon"], "--wait-idle 'soon' is not a time above 0 and up to a week"),
        (
            ["--kernel-file", "x.c", "--check", "--wait-idle", "5m"],
            "--check measures nothing, so it does not wait",
        ),
    ],
)
def test_a_wait_that_cannot_be_is_refused(tmp_path: Path, options: list[str], said: str) -> None:
    run = streamgage("measure", *options, folder=tmp_path, engine=engine_of(tmp_path))
    assert (run.returncode, run.stdout) == (2, "")
    assert one_sentence(run.stderr).startswith(said)


def test_what_is_imported_waits_for_nothing(tmp_path: Path) -> None:
    run = streamgage("program", "--import", ".", "--wait-idle", "5m", folder=tmp_path)
    assert one_sentence(run.stderr) == (
        "--wait-idle cannot be combined with --import, which runs nothing: leave one of them out."
    )


def test_the_note_is_in_the_result_of_python_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STREAMGAGE_ENGINE", str(engine_of(tmp_path)))
    monkeypatch.setenv("STREAMGAGE_LOAD_CHECK", "")
    monkeypatch.setenv("STREAMGAGE_LOCK", "none")
    run = package.measure(runs=1, store=None, progress=False)
    assert run.notes[0].startswith(SEEN.removeprefix("streamgage: "))
    with pytest.raises(package.StreamgageError, match=r"not become idle within 0\.01 s"):
        package.measure(runs=1, store=None, progress=False, wait_idle=0.01)


@pytest.mark.parametrize("command", ["measure", "latency"])
def test_a_records_file_that_cannot_be_written_is_found_before_waiting(
    tmp_path: Path, command: str
) -> None:
    engine = engine_of(tmp_path)
    wait = (command, "--wait-idle", "5m", "--records")
    run = streamgage(*wait, "no/run.jsonl", folder=tmp_path, engine=engine)
    assert run.returncode == 2
    assert "The records file no/run.jsonl cannot be written" in one_sentence(run.stderr)
    assert not (tmp_path / "looks").exists()
    run = streamgage(
        command, "--wait-idle", "0.01s", "--records", "run.jsonl", folder=tmp_path, engine=engine
    )
    assert run.returncode == 1
    assert not (tmp_path / "run.jsonl").exists(), "nothing was measured"


@pytest.mark.parametrize("arguments", MEASURING, ids=" ".join)
def test_what_the_engine_refuses_is_said_alone(arguments: list[str], tmp_path: Path) -> None:
    """A wrong name hides among warnings, so they wait until the engine has taken the plan."""
    (tmp_path / "activity").write_bytes(as_lines([BUSY]))
    (tmp_path / "machine").write_bytes(as_lines([machine_of(1, 2)]))
    refuses = "echo \"streamgage-engine: there is no kernel 'tirad'; the kernels are copy, triad.\""
    engine = misbehaving_engine(
        tmp_path,
        f'if test "$1" = --activity; then cat {tmp_path}/activity; exit; fi\n{refuses} >&2; exit 2',
        machine=f"cat {tmp_path}/machine",
    )
    done = streamgage(*arguments, folder=tmp_path, engine=engine, **ALL_COUNT)
    assert done.returncode == 2, done.stderr
    said = " ".join(done.stderr.split())
    assert "there is no kernel 'tirad'; the kernels are copy, triad. Did you mean triad?" in said
    assert "Other programs" not in said
