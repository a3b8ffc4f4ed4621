"""``streamgage measure --runs``, with engines that tell made records and with the real one."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path

import pytest
from example_records import as_lines, good_records
from programs import (
    WAIT_SECONDS,
    misbehaving_engine,
    one_sentence,
    real_engine,
    start_streamgage,
    streamgage,
)
from store_results import kept_files

COUNT = "echo x >> turns; n=$(wc -l < turns)\n"
"""Shell: the number of this run."""


def engine_that(folder: Path, body: str) -> Path:
    (folder / "lines").write_bytes(as_lines(good_records()))
    return misbehaving_engine(folder, f"{COUNT}{body}\ncat {folder}/lines")


def test_every_run_is_a_process_with_records_of_its_own(tmp_path: Path) -> None:
    engine = engine_that(tmp_path, "cat > plan-$n")
    run = streamgage("measure", "--runs", "3", "--format", "json", folder=tmp_path, engine=engine)
    assert run.returncode == 0, run.stderr
    document = json.loads(run.stdout)
    assert len(document["runs"]) == 6
    assert {each["setting"] for each in document["runs"]} == {"none", "cores"}
    kept = kept_files(tmp_path)
    files = {each["records"] for each in document["runs"]}
    assert len(files) == 6
    assert all(kept[file] == as_lines(good_records()) for file in files)
    words = {name: document.pop(name) for name in ("conclusions", "findings", "trust")}
    assert words["conclusions"]
    assert json.loads(kept["repeat.json"]) == document
    plans = [json.loads((tmp_path / f"plan-{each}").read_bytes()) for each in range(1, 7)]
    assert {plan["placement"]["kind"] for plan in plans} == {"none", "cores"}
    free = next(plan for plan in plans if plan["placement"]["kind"] == "none")
    assert free["placement"]["threads"] == 2
    assert [(plan["tuning"], plan["checks"]) for plan in plans] == [(None, False)] * 6
    assert "To see this again: streamgage show 1" in run.stderr


def test_a_run_that_fails_is_told_and_left_out(tmp_path: Path) -> None:
    engine = engine_that(tmp_path, 'if test "$n" = 3; then echo broken >&2; exit 1; fi')
    run = streamgage("measure", "--runs", "3", "--format", "json", folder=tmp_path, engine=engine)
    assert run.returncode == 1
    document = json.loads(run.stdout)
    assert [each["failure"] for each in document["runs"]].count("broken") == 1
    assert "streamgage: Run 3 (" in run.stderr
    assert sum(len(each["rates"]) for each in document["kernels"]) == 5 * 4


def test_a_first_run_that_measures_nothing_ends_it(tmp_path: Path) -> None:
    engine = misbehaving_engine(tmp_path, f"{COUNT}echo broken >&2; exit 1")
    run = streamgage("measure", "--runs", "3", folder=tmp_path, engine=engine)
    assert (run.returncode, run.stdout) == (1, "")
    assert one_sentence(run.stderr) == "broken"
    assert (tmp_path / "turns").read_text() == "x\n"


def test_a_signal_shows_what_was_measured_until_then(tmp_path: Path) -> None:
    body = f'if test "$n" = 4; then touch {tmp_path}/fourth; exec sleep 1000; fi'
    engine = engine_that(tmp_path, body)
    run = start_streamgage(
        "measure", "--runs", "3", "--format", "json", folder=tmp_path, engine=engine
    )
    wait_for(tmp_path / "fourth", run)
    run.send_signal(signal.SIGINT)
    out, said = run.communicate(timeout=WAIT_SECONDS)
    assert run.returncode == 130, said
    failures = [each["failure"] for each in json.loads(out)["runs"]]
    assert failures == [None, None, None, "It was stopped."]
    assert "Traceback" not in said


def wait_for(file: Path, run: subprocess.Popen[str]) -> None:
    end = time.monotonic() + WAIT_SECONDS
    while not file.exists():
        assert time.monotonic() < end
        assert run.poll() is None
        time.sleep(0.02)


def test_the_picture_is_drawn_beside_the_table(tmp_path: Path) -> None:
    engine = engine_that(tmp_path, ":")
    run = streamgage("measure", "--runs", "2", "-o", "runs.svg", folder=tmp_path, engine=engine)
    assert run.returncode == 0, run.stderr
    assert "placement" in run.stdout
    assert "fresh runs" in (tmp_path / "runs.svg").read_text("utf-8")
    assert (tmp_path / "runs.csv").read_text("utf-8").startswith("kernel,placement")


def test_other_formats_go_to_the_file(tmp_path: Path) -> None:
    engine = engine_that(tmp_path, ":")
    options = ["--format", "csv", "-o", "runs.csv"]
    run = streamgage("measure", "--runs", "2", *options, folder=tmp_path, engine=engine)
    assert (run.returncode, run.stdout) == (0, "")
    assert (tmp_path / "runs.csv").read_text().startswith("kernel,placement,pages,round,gbps")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["0"], "--runs '0' is not a whole number from 1"),
        (["many"], "--runs 'many' is not a whole number"),
        (["2", "--cpus", "none,"], "--cpus 'none,' has an empty placement"),
        (["2", "--cpus", "none,0-x"], "0-x"),
        (["2", "-o", "runs.gif"], "runs.gif is no picture that can be written"),
        (["2", "--format", "stream"], "use table, json, csv, "),
        (["2", "--kernels", "a,,b"], "--kernels"),
        (["2", "--cpus", "0-1;none", "--threads", "4"], "does not go with --cpus 0-1"),
        (["2", "--allow-oversubscribe"], "--allow-oversubscribe needs --cpus: name the CPUs"),
        (
            ["2", "--thorough"],
            "--thorough cannot be combined with --runs, which repeats whole runs: leave one of"
            " them out",
        ),
    ],
)
def test_what_is_refused_is_refused_before_any_run(
    tmp_path: Path, options: list[str], words: str
) -> None:
    run = streamgage(
        "measure", "--runs", *options, folder=tmp_path, engine=engine_that(tmp_path, ":")
    )
    assert (run.returncode, run.stdout) == (2, "")
    assert words in one_sentence(run.stderr)
    assert not (tmp_path / "turns").exists()


def test_threads_may_share_the_cpus_that_a_placement_names(tmp_path: Path) -> None:
    engine = engine_that(tmp_path, "cat > plan-$n")
    options = ("--cpus", "none;0,0", "--allow-oversubscribe", "--format", "csv")
    run = streamgage("measure", "--runs", "1", *options, folder=tmp_path, engine=engine)
    assert run.returncode == 0, run.stderr
    plans = [json.loads((tmp_path / f"plan-{each}").read_bytes()) for each in (1, 2)]
    shared = {plan["placement"]["expression"]: plan["placement"]["oversubscribe"] for plan in plans}
    assert shared == {None: False, "0,0": True}


def test_kinds_of_pages_are_compared_with_the_same_placement(tmp_path: Path) -> None:
    engine = engine_that(tmp_path, "cat > plan-$n")
    options = ["--runs", "3", "--pages", "4k,2m", "--format", "json"]
    run = streamgage("measure", *options, folder=tmp_path, engine=engine)
    assert run.returncode == 0, run.stderr
    document = json.loads(run.stdout)
    assert [(each["name"], each["placement"], each["pages"]) for each in document["settings"]] == [
        ("4k", "cores", "4k"),
        ("2m", "cores", "2m"),
    ]
    plans = [json.loads(file.read_text()) for file in tmp_path.glob("plan-*")]
    assert sorted(plan.get("pages", "2m") for plan in plans) == ["2m"] * 3 + ["4k"] * 3
    assert {plan["placement"]["kind"] for plan in plans} == {"cores"}


@pytest.mark.parametrize("command", ["measure", "ladder", "scale", "compilers"])
def test_several_kinds_of_pages_need_a_number_of_runs(tmp_path: Path, command: str) -> None:
    run = streamgage(command, "--pages", "4k,2m", folder=tmp_path)
    assert run.returncode == 2
    assert one_sentence(run.stderr) == (
        "--pages names 2 kinds, and a run has one: leave the others out, or compare them with"
        " `streamgage measure --runs 20 --pages 4k,2m`."
    )


def test_several_placements_need_a_number_of_runs(tmp_path: Path) -> None:
    run = streamgage("measure", "--cpus", "none,cores", folder=tmp_path)
    assert run.returncode == 2
    assert one_sentence(run.stderr) == (
        "--cpus 'none;cores' names 2 placements: name one. Several are compared by scale, and by"
        " measure with --runs."
    )


def test_the_real_engine_runs_under_every_placement(tmp_path: Path) -> None:
    options = ["--cpus", "none,cores", "--kernels", "sum,triad", "--size", "1MiB", "--quick"]
    run = streamgage(
        "measure",
        "--runs",
        "2",
        *options,
        "--format",
        "json",
        folder=tmp_path,
        engine=real_engine(),
    )
    assert run.returncode == 0, run.stderr
    document = json.loads(run.stdout)
    assert [(each["kernel"], each["setting"]) for each in document["kernels"]] == [
        *(("sum plain", "none"), ("sum plain", "cores")),
        *(("triad plain", "none"), ("triad plain", "cores")),
    ]
    assert all(len(each["rates"]) == 2 for each in document["kernels"])
    bound = {each["setting"]: each["bound"] for each in document["runs"]}
    assert bound["cores"] is True
