"""Engines that die, talk nonsense or do not listen: these are shell scripts on purpose."""

from __future__ import annotations

import csv
import io
import json
import signal
import subprocess
import time
from pathlib import Path

import msgspec
import pytest
from example_records import END, as_lines, good_records, validation
from programs import (
    WAIT_SECONDS,
    misbehaving_engine,
    one_sentence,
    start_streamgage,
    streamgage,
)
from store_results import kept_entries, kept_files

from streamgage.records import End

WITHOUT_END = [record for record in good_records() if not isinstance(record, End)]


@pytest.fixture
def lines(tmp_path: Path) -> Path:
    """The records of a good run, without their end."""
    file = tmp_path / "lines"
    file.write_bytes(as_lines(WITHOUT_END))
    return file


def left(folder: Path) -> list[Path]:
    return list((folder / "state").rglob("*.jsonl"))


def test_an_engine_that_dies_leaves_its_samples_and_its_last_words(
    tmp_path: Path, lines: Path
) -> None:
    engine = misbehaving_engine(tmp_path, f"cat {lines}\necho first >&2\necho last >&2\nkill -9 $$")
    run = streamgage("--format", "json", folder=tmp_path, engine=engine)
    assert run.returncode == 1
    document = json.loads(run.stdout)
    assert [kernel["n"] for kernel in document["kernels"]] == [20] * 4
    assert document["findings"][0]["code"] == "unfinished"
    said = run.stderr.splitlines()
    assert said[0].startswith("streamgage: streamgage-engine died: it was ended by SIGKILL")
    assert said[1:3] == ["  first", "  last"]
    (entry,) = kept_entries(tmp_path)
    assert said[3] == f"streamgage: To see this again: streamgage show {entry.id}"
    assert entry.state == "partial"
    assert list(kept_files(tmp_path).values()) == [lines.read_bytes()]
    assert left(tmp_path) == []


def test_an_engine_that_dies_at_once_is_told_in_a_sentence(tmp_path: Path) -> None:
    engine = misbehaving_engine(tmp_path, "kill -SEGV $$")
    run = streamgage(folder=tmp_path, engine=engine)
    assert (run.returncode, run.stdout) == (1, "")
    assert one_sentence(run.stderr) == "streamgage-engine died: it was ended by SIGSEGV."
    assert (kept_entries(tmp_path), left(tmp_path)) == ([], [])


def test_a_failure_that_the_engine_explains_is_passed_on(tmp_path: Path) -> None:
    engine = misbehaving_engine(tmp_path, "echo 'streamgage-engine: No memory left.' >&2\nexit 1")
    run = streamgage(folder=tmp_path, engine=engine)
    assert (run.returncode, run.stdout) == (1, "")
    assert one_sentence(run.stderr) == "No memory left."


def test_a_refusal_of_the_engine_is_passed_on(tmp_path: Path) -> None:
    body = "echo 'streamgage-engine: No kernel foo; there is copy.' >&2\nexit 2"
    run = streamgage(folder=tmp_path, engine=misbehaving_engine(tmp_path, body))
    assert (run.returncode, run.stdout) == (2, "")
    assert one_sentence(run.stderr) == "No kernel foo; there is copy."


def test_a_refusal_costs_no_earlier_run(tmp_path: Path) -> None:
    (tmp_path / "kept.jsonl").write_text("earlier")
    (tmp_path / "out").write_text("earlier")
    engine = misbehaving_engine(tmp_path, "echo 'streamgage-engine: No.' >&2\nexit 2")
    options = ["--records", "kept.jsonl", "-o", "out"]
    assert streamgage(*options, folder=tmp_path, engine=engine).returncode == 2
    assert (tmp_path / "kept.jsonl").read_text() == "earlier"
    assert (tmp_path / "out").read_text() == "earlier"


def test_an_engine_that_talks_nonsense(tmp_path: Path) -> None:
    engine = misbehaving_engine(tmp_path, "seq 1 5; echo '{\"record\": 3}'; printf '{\"rec'")
    run = streamgage(folder=tmp_path, engine=engine)
    assert (run.returncode, run.stdout) == (1, "")
    assert "Traceback" not in run.stderr
    assert "Line 1 of the records is not a record and was left out" in run.stderr
    assert "ended without its last record (exit status 0)" in run.stderr


def test_a_wrong_result_is_shown_and_ends_with_1(tmp_path: Path) -> None:
    wrong = msgspec.structs.replace(END, exit_status=1)
    file = tmp_path / "lines"
    file.write_bytes(as_lines([*WITHOUT_END, validation(3, valid=False), wrong]))
    engine = misbehaving_engine(tmp_path, f"cat {file}\nexit 1")
    run = streamgage("--format", "csv", folder=tmp_path, engine=engine)
    assert run.returncode == 1
    assert "triad,plain,false,2,double,20,5.03" in run.stdout
    valid = [row["valid"] for row in csv.DictReader(io.StringIO(run.stdout))]
    assert valid == ["true", "true", "true", "false"]


def test_an_engine_that_says_a_great_deal_on_stderr_does_not_block(
    tmp_path: Path, lines: Path
) -> None:
    end = as_lines([END]).decode()
    body = f"yes warning | head -200000 >&2\ncat {lines}\nprintf '%s' '{end}'"
    run = streamgage("--format", "csv", folder=tmp_path, engine=misbehaving_engine(tmp_path, body))
    assert run.returncode == 0
    assert run.stdout.count("\n") == 5


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path, lines: Path) -> None:
    end = as_lines([END]).decode()
    engine = misbehaving_engine(tmp_path, f"cat {lines}\nprintf '%s' '{end}'")
    run = start_streamgage("--format", "json", folder=tmp_path, engine=engine)
    assert run.stdout is not None and run.stderr is not None
    run.stdout.close()
    said = run.stderr.read()
    assert run.wait(WAIT_SECONDS) == 0
    assert said.startswith("streamgage: To see this again:")
    assert "rror" not in said
    run.stderr.close()


def deaf_engine(folder: Path, lines: Path) -> Path:
    """Prints its lines, then goes on for ever, whatever SIGINT and SIGTERM ask for."""
    return misbehaving_engine(
        folder,
        f"trap 'touch {folder}/asked' INT TERM\ncat {lines}\ntouch {folder}/ready\n"
        "while :; do sleep 0.1; done",
    )


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_second_signal_kills_an_engine_that_does_not_listen(
    tmp_path: Path, lines: Path, number: signal.Signals, status: int
) -> None:
    run = start_streamgage("--format", "csv", folder=tmp_path, engine=deaf_engine(tmp_path, lines))
    wait_for(tmp_path / "ready", run)
    wait_until_it_listens(run)
    run.send_signal(number)
    wait_for(tmp_path / "asked", run)
    run.send_signal(number)
    out, said = run.communicate(timeout=WAIT_SECONDS)
    assert run.returncode == status
    assert out.count("\n") == 5
    assert "was stopped at once by the second signal" in said


def wait_until_it_listens(run: subprocess.Popen[str]) -> None:
    """The front takes both signals a moment after the engine has started."""
    caught = {signal.SIGINT, signal.SIGTERM}
    end = time.monotonic() + WAIT_SECONDS
    while not caught <= caught_signals(run.pid):
        assert run.poll() is None and time.monotonic() < end
        time.sleep(0.02)


def caught_signals(process: int) -> set[int]:
    """By the kernel's mask of signals that have a handler."""
    status = Path(f"/proc/{process}/status").read_text("utf-8")
    mask = int(status.partition("SigCgt:")[2].split()[0], 16)
    return {each for each in range(1, 65) if mask >> (each - 1) & 1}


def wait_for(file: Path, run: subprocess.Popen[str]) -> None:
    """Wait until ``file`` is there; fail where the program ends before."""
    end = time.monotonic() + WAIT_SECONDS
    while not file.exists():
        assert time.monotonic() < end
        with pytest.raises(subprocess.TimeoutExpired):
            run.wait(0.05)
