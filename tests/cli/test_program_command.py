"""``streamgage program``, with programs of a few lines and an engine that tells made records."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from example_models import write_gguf
from example_scale import machine_of
from programs import one_sentence, streamgage
from test_scale_command import engine_of, plans_in

SOLVER = """#!/bin/sh
echo "$OMP_NUM_THREADS $OMP_PLACES" >> calls
echo "time: 2.0 s, rate: 6.0 GB/s, 3.0 steps/s"
"""


def solver(folder: Path, body: str = SOLVER) -> str:
    file = folder / "solver"
    file.write_text(body, "utf-8")
    file.chmod(0o755)
    return "./solver"


def ran(folder: Path, *options: str, status: int = 0, body: str = SOLVER) -> dict[str, Any]:
    run = streamgage(
        *("program", "--threads", "1,2", "--rounds", "2", "--format", "json", *options),
        *("--", solver(folder, body), "{n}"),
        folder=folder,
        engine=engine_of(folder, machine_of(1, 4)),
    )
    assert run.returncode == status, run.stderr
    document: dict[str, Any] = json.loads(run.stdout)
    return document


def test_the_program_and_the_loops_run_in_turn_with_the_same_places(tmp_path: Path) -> None:
    document = ran(tmp_path, "--bytes", "12GB", "--time-regex", "time: ([0-9.]+)")
    assert document["command"] == ["./solver", "{n}"]
    assert [each["gbps"]["value"] for each in document["points"]] == [6, 6]
    assert [each["seconds"]["value"] for each in document["points"]] == [2, 2]
    assert set((tmp_path / "calls").read_text().splitlines()) == {"1 {0}", "2 {0},{1}"}
    runs = [(each["what"], each["n"], each["round"]) for each in document["runs"]]
    assert sorted(runs) == sorted(
        (what, n, number) for what in ("stream", "program") for n in (1, 2) for number in (1, 2)
    )
    _, *plans = plans_in(tmp_path)
    assert {tuple(each["kernels"]) for each in plans} == {("sum", "triad", "copy")}
    assert {tuple(each["stores"]) for each in plans} == {("plain", "regular", "streaming")}
    again = streamgage("show", "last", folder=tmp_path)
    assert again.returncode == 0 and "solver" in again.stdout


def test_a_rate_that_it_prints_is_what_it_moves(tmp_path: Path) -> None:
    document = ran(tmp_path, "--rate", "rate: ([0-9.]+ GB/s)", "--kernel", "triad")
    assert [each["gbps"]["value"] for each in document["points"]] == [6, 6]
    assert document["moved"]["known_by"] == "printed"
    (share,) = document["points"][0]["shares"]
    given = document["points"][0]["machine"][0]["gbps"]["value"]
    assert share["share"]["value"] == pytest.approx(6 / given)


def test_steps_that_it_prints_are_compared_with_the_most(tmp_path: Path) -> None:
    document = ran(tmp_path, "--bytes-per-step", "1GB", "--rate", "([0-9.]+) steps/s")
    assert [each["steps"]["value"] for each in document["points"]] == [3, 3]
    assert [each["gbps"]["value"] for each in document["points"]] == [3, 3]


def test_no_program_need_run_for_the_most_steps(tmp_path: Path) -> None:
    engine = engine_of(tmp_path, machine_of(1, 4))
    options = ["--bytes-per-step", "1GB", "--reached", "3", "--rounds", "1", "--threads", "1,2"]
    run = streamgage("program", *options, folder=tmp_path, engine=engine)
    assert run.returncode == 0, run.stderr
    assert "At most" in run.stdout and "Your 3.00 steps/s are" in run.stdout


def test_a_model_has_a_ceiling_of_tokens(tmp_path: Path) -> None:
    write_gguf(tmp_path / "small.gguf")
    engine = engine_of(tmp_path, machine_of(1, 4))
    options = ["--threads", "1,2", "--rounds", "1", "--model", "small.gguf", "--context", "10"]
    asked = ["program", *options, "--reached", "9", "--format", "json"]
    run = streamgage(*asked, folder=tmp_path, engine=engine)
    assert run.returncode == 0, run.stderr
    document = json.loads(run.stdout)
    step = document["step"]
    assert (step["name"], step["model"], step["reached"]) == ("token", "small.gguf", 9)
    assert sum(each["bytes"] for each in step["parts"]) == step["bytes"]
    for point in document["points"]:
        most = max(each["gbps"]["value"] for each in point["machine"])
        assert point["most_steps"]["value"] == pytest.approx(most * 1e9 / step["bytes"])
    _, *plans = plans_in(tmp_path)
    assert {tuple(each["kernels"]) for each in plans} == {("sum",)}


def test_a_run_that_fails_is_a_gap(tmp_path: Path) -> None:
    body = SOLVER + '[ "$OMP_NUM_THREADS" = 1 ] || exit 3\n'
    document = ran(tmp_path, "--bytes", "12GB", status=1, body=body)
    assert [each["seconds"] is None for each in document["points"]] == [False, True]
    text = streamgage("show", "last", "--details", folder=tmp_path).stdout
    assert "status 3" in text


def test_a_rate_that_nothing_matches_is_said(tmp_path: Path) -> None:
    document = ran(tmp_path, "--rate", "speed ([0-9.]+)", status=1)
    failures = {each["failure"] for each in document["runs"] if each["what"] == "program"}
    assert failures == {"--rate matches no rate above 0 in what the program printed."}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "No program is named"),
        (["--bytes", "1GB"], "No program is named"),
        (["--bytes", "1GB", "--rate", "(x)", "--", "true"], "leave one of them out"),
        (["--bytes", "1GB", "--bytes-per-step", "1GB", "--", "true"], "leave one of them out"),
        (["--counters", "--rate", "(x)", "--", "true"], "leave one of them out"),
        (["--bytes-per-step", "1GB", "--time-regex", "x"], "about a program"),
        (["--bytes-per-step", "1GB", "--timeout", "5"], "about a program"),
        (["--reached", "5", "--", "true"], "about steps"),
        (["--context", "5", "--bytes-per-step", "1GB"], "about a language model"),
        (["--model", "no.gguf"], "no.gguf cannot be read (No such file or directory): name"),
        (["--model", "no.gguf", "--bytes-per-step", "1GB"], "leave one of them out"),
        (["--bytes-per-step", "1GB", "--reached", "nan"], "above 0"),
        (["--bytes-per-step", "1GB", "--reached", "fast"], "not a number"),
        (["--rate", "(", "--", "true"], "--rate '(' is not a regular expression"),
        (["--rate", "x", "--", "true"], "which part is the rate"),
        (["--time-regex", "(", "--", "true"], "not a regular expression"),
        (["--bytes", "1GB", "--", "{mpiexec}", "./x"], "--bytes cannot be combined with {mpiexec}"),
        (["--kernel", "sum,copy", "--", "true"], "one kernel"),
        (["--cpus", "compact,scatter", "--", "true"], "names 2 placements: name one"),
        (["--threads", "64", "--", "true"], "CPUs for 4"),
        (["--", "./no-such-program"], "cannot be started"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_sentence(
    tmp_path: Path, arguments: list[str], words: str
) -> None:
    engine = engine_of(tmp_path, machine_of(1, 4))
    run = streamgage("program", *arguments, folder=tmp_path, engine=engine)
    assert run.returncode == 2, run.stderr
    assert words in one_sentence(run.stderr)


def test_counters_that_cannot_be_read_are_said_before_anything_runs(tmp_path: Path) -> None:
    """The made engine has no counters, so the program is not run either."""
    engine = engine_of(tmp_path, machine_of(1, 4))
    options = ["--counters", "--threads", "1"]
    run = streamgage("program", *options, "--", solver(tmp_path), folder=tmp_path, engine=engine)
    assert run.returncode == 1
    assert "Traceback" not in run.stderr
    assert not (tmp_path / "calls").exists()
