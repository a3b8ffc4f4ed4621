"""``program --ratio`` and ``--against``, with engines whose probes are made."""

from __future__ import annotations

import csv
import io
import json
import signal
import time
from pathlib import Path

import pytest
from programs import WAIT_SECONDS, misbehaving_engine, one_sentence, start_streamgage, streamgage

RATIO = ("program", "--ratio")
PROBE = (
    '{"record":"node","host":"node7","time":"2026-11-26T12:00:00Z","figures":'
    '[{"kernel":"triad","gbps":20.0,"valid":%s}],"threads":2,"array_bytes":134217728}'
)


def engine_of(folder: Path, *, valid: str = "true") -> Path:
    """An engine whose every probe has 20 GB/s, and that writes down what it was asked."""
    (folder / "line").write_text(PROBE % valid)
    return misbehaving_engine(folder, f'echo "$@" >>{folder}/asked; cat {folder}/line; echo')


def test_probes_stand_between_the_runs(tmp_path: Path) -> None:
    engine = engine_of(tmp_path)
    count = f"echo run >>{tmp_path}/asked"
    options = ["--rounds", "2", "--size", "64MiB", "--threads", "2", "--format", "json"]
    run = streamgage(*RATIO, *options, "--", "sh", "-c", count, folder=tmp_path, engine=engine)
    assert run.returncode == 0, run.stderr
    document = json.loads(run.stdout)
    assert (document["name"], document["command"]) == ("sh", ["sh", "-c", count])
    assert len(document["rounds"]) == 2
    for each in document["rounds"]:
        assert each["ratio"] == pytest.approx(20 * each["seconds"])
    asked = (tmp_path / "asked").read_text().splitlines()
    assert [each == "run" for each in asked] == [True, False, True, False, True, False]
    assert all("--kernels triad" in each for each in asked if each != "run")
    assert all(f"--size {64 << 20} --threads 2" in each for each in asked if each != "run")


def test_every_format_has_the_runs_or_the_ratio(tmp_path: Path) -> None:
    engine = engine_of(tmp_path)

    def printed(form: str) -> str:
        options = ["--rounds", "3", "--warmups", "0", "--name", "my sweep", "--format", form]
        run = streamgage(*RATIO, *options, "--", "true", folder=tmp_path, engine=engine)
        assert run.returncode == 0, run.stderr
        return run.stdout

    assert "ratio, GB of triad" in printed("table")
    rows = list(csv.DictReader(io.StringIO(printed("csv"))))
    assert [(row["name"], row["run"]) for row in rows] == [("my sweep", n) for n in "123"]
    assert set(json.loads(printed("bencher"))["my sweep"]) == {"memory-ratio", "latency"}
    assert json.loads(printed("github-action-benchmark"))[0]["unit"] == "GB of triad"
    assert "ratio, GB of triad" in printed("markdown")


@pytest.mark.parametrize(
    ("command", "status", "said"),
    [
        (["sh", "-c", "echo no data; exit 3"], 3, "status 3 in warm-up 1"),
        (["sh", "-c", "echo no data; kill -9 $$"], 137, "signal 9"),
        (["./there-is-none"], 127, "was not found"),
        (["/etc/passwd"], 126, "cannot be run"),
    ],
)
def test_a_benchmark_that_fails_has_no_time(
    tmp_path: Path, command: list[str], status: int, said: str
) -> None:
    run = streamgage(*RATIO, "--", *command, folder=tmp_path, engine=engine_of(tmp_path))
    assert (run.returncode, run.stdout) == (status, "")
    sentence = one_sentence(run.stderr)
    assert said in sentence
    assert ("no data" in sentence) == (command[0] == "sh")


def test_a_benchmark_that_hangs_is_ended(tmp_path: Path) -> None:
    options = ["--timeout", "0.2", "--", "sleep", "1000"]
    run = streamgage(*RATIO, *options, folder=tmp_path, engine=engine_of(tmp_path))
    assert (run.returncode, run.stdout) == (124, "")
    assert "give a longer --timeout" in one_sentence(run.stderr)


def test_a_probe_that_fails_is_one_sentence(tmp_path: Path) -> None:
    broken = misbehaving_engine(tmp_path, "echo 'streamgage-engine: It broke.' >&2; exit 1")
    run = streamgage(*RATIO, "--", "true", folder=tmp_path, engine=broken)
    assert (run.returncode, run.stdout) == (3, "")
    assert "It broke." in one_sentence(run.stderr)
    wrong = engine_of(tmp_path, valid="false")
    run = streamgage(*RATIO, "--", "true", folder=tmp_path, engine=wrong)
    assert run.returncode == 1 and "computed wrong results" in one_sentence(run.stderr)


def test_ctrl_c_ends_the_benchmark(tmp_path: Path) -> None:
    script = f"echo $$ >{tmp_path}/pid.new; mv {tmp_path}/pid.new {tmp_path}/pid; exec sleep 1000"
    run = start_streamgage(
        *RATIO, "--", "sh", "-c", script, folder=tmp_path, engine=engine_of(tmp_path)
    )
    end = time.monotonic() + WAIT_SECONDS
    while not (tmp_path / "pid").exists():
        assert run.poll() is None and time.monotonic() < end
        time.sleep(0.02)
    run.send_signal(signal.SIGINT)
    _, said = run.communicate(timeout=WAIT_SECONDS)
    assert run.returncode == 130 and "Traceback" not in said
    assert not Path(f"/proc/{(tmp_path / 'pid').read_text().strip()}").exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "write it after --"),
        (["--rounds", "0", "--", "true"], "--rounds"),
        (["--warmups", "x", "--", "true"], "--warmups"),
        (["--probe", "0", "--", "true"], "--probe"),
        (["--size", "1KiB", "--", "true"], "--size is the size of each array"),
        (["--size", "x", "--", "true"], "--size"),
        (["--timeout", "-1", "--", "true"], "--timeout"),
        (["--name", "", "--", "true"], "--name is empty"),
        (["--name", "a\nb", "--", "true"], "is not a name"),
        (["--format", "xml", "--", "true"], "--format"),
        (
            ["--format", "dat", "--", "true"],
            "--format dat cannot be combined with --ratio: use table, json, csv, markdown, bencher",
        ),
        (["--threads", "1,2", "--", "true"], "--threads '1,2' is not a whole number"),
        (["--cpus", "omp-close", "--", "true"], "is no placement here: use compact, scatter"),
        (["--bytes", "1GB", "--", "true"], "--bytes cannot be combined with --ratio"),
        (["--no-store", "--", "true"], "--no-store cannot be combined with --ratio"),
        (["--seed", "1", "--", "true"], "--seed cannot be combined with --ratio"),
        (
            ["--refine", "2", "--", "true"],
            "--refine needs --petsc: add it, or leave --refine out",
        ),
        (["--ranks", "2", "--", "true"], "--ranks needs {mpiexec} or --petsc: add one of them"),
        (
            ["--", "./app", "-t{n}"],
            "{n} is not filled in with --ratio and --against: write what it",
        ),
        (["--", "./app", ">{log}"], "{log} is not filled in with --ratio and --against"),
        (["--", "{mpiexec}", "true"], "{mpiexec} and --ratio ask for different things"),
        (["--scaling", "--", "true"], "--scaling and --ratio ask for different things"),
        (["--petsc", "3.18", "--against", "x"], "--petsc and --against ask for different things"),
        (["--format", "json", "-o", "no/x.json", "--", "true"], "cannot be written"),
    ],
)
def test_bad_usage_is_one_sentence(tmp_path: Path, options: list[str], said: str) -> None:
    run = streamgage(*RATIO, *options, folder=tmp_path, engine=tmp_path / "none")
    assert (run.returncode, run.stdout) == (2, ""), run.stderr
    assert said in one_sentence(run.stderr)


def test_the_slower_of_two_programs_is_found_and_is_exit_status_1(tmp_path: Path) -> None:
    engine = engine_of(tmp_path)
    quick, slow = "sh -c 'exec sleep 0.02'", ["sh", "-c", "exec sleep 0.5"]
    options = ["--against", quick, "--within", "5m", "--name", "new", "--format", "json"]
    run = streamgage("program", *options, "--", *slow, folder=tmp_path, engine=engine)
    assert run.returncode == 1, run.stderr
    document = json.loads(run.stdout)
    found = document["against"]
    assert (found["decision"], found["decided_by"], found["name"]) == ("slower", "time", "sh")
    assert found["ratio"]["low"] > 1
    assert 8 <= len(found["pairs"]) < 100
    assert {each["first"] for each in found["pairs"]} == {True, False}
    assert "new is slower than sh" in document["conclusions"][0]["text"]


def test_the_table_goes_to_the_named_file(tmp_path: Path) -> None:
    options = ["--rounds", "1", "--warmups", "0", "-o", "time.txt"]
    run = streamgage(*RATIO, *options, "--", "true", folder=tmp_path, engine=engine_of(tmp_path))
    assert (run.returncode, run.stdout) == (0, ""), run.stderr
    assert "ratio, GB of triad" in (tmp_path / "time.txt").read_text("utf-8")


def test_what_is_not_decided_in_time_is_exit_status_3(tmp_path: Path) -> None:
    engine = engine_of(tmp_path)
    options = ["--against", "true", "--within", "0.1s", "--rounds", "3"]
    run = streamgage("program", *options, "--", "true", folder=tmp_path, engine=engine)
    assert run.returncode == 3, run.stderr
    assert "It is not decided which is faster" in " ".join(run.stdout.split())


@pytest.mark.parametrize(
    ("options", "status", "said"),
    [
        (["--margin", "0.1"], 2, "--margin needs --against: add it, or leave --margin out."),
        (["--within", "9s"], 2, "--within needs --against: add it, or leave --within out."),
        (["--against", ""], 2, "--against"),
        (["--against", "x", "--margin", "-1"], 2, "--margin '-1' is not a number above 0"),
        (["--against", "no-such-program"], 127, "no-such-program was not found"),
        (["--against", "false"], 4, "false ended with status 1 in warm-up 1"),
    ],
)
def test_a_comparison_that_cannot_be_made_is_one_sentence(
    tmp_path: Path, options: list[str], status: int, said: str
) -> None:
    engine = engine_of(tmp_path)
    run = streamgage("program", *options, "--", "true", folder=tmp_path, engine=engine)
    assert (run.returncode, run.stdout) == (status, "")
    assert said in one_sentence(run.stderr)
