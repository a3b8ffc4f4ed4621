"""``streamgage traffic --on``: counted, recorded, or by what the program prints."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from example_ladder import machine_of
from example_latency import latency_run
from example_traffic import NO_SOURCE, of_one
from programs import one_sentence, streamgage
from schemas import validator
from stub_traffic import traffic_engine

from streamgage.results.latency.judge import judge_latency
from streamgage.show.formats import as_json

FROM = ("--bytes-per-second-from", "([0-9.]+ GB/s)")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """With a curve: latency.json."""
    (tmp_path / "latency.json").write_text(as_json(judge_latency(latency_run(machine_of()))))
    return tmp_path


@pytest.fixture
def engine(folder: Path) -> Path:
    return traffic_engine(folder, of_one(10.0, 110.0))


def program(folder: Path, *lines: str) -> str:
    file = folder / "program"
    file.write_text("#!/bin/sh\n" + "".join(f"{line}\n" for line in lines))
    file.chmod(0o755)
    return "./program"


def test_counted_intervals_are_put_on_the_curve(folder: Path, engine: Path) -> None:
    on = ("--on", "latency.json", "--json", "t.json", "-o", "t.svg", "--", "true")
    run = streamgage("traffic", *on, folder=folder, engine=engine)
    assert run.returncode == 0
    assert "Bandwidth binds in 50 % of the time" in " ".join(run.stderr.split())
    document = json.loads((folder / "t.json").read_text())
    assert [each["state"] for each in document["curve"]["places"]] == ["free", "bound"]
    validator("traffic").validate(document)
    assert "on the curve of" in (folder / "t.svg").read_text()


def test_an_earlier_watch_is_put_on_the_curve(folder: Path, engine: Path) -> None:
    streamgage("traffic", "--json", "t.json", "--", "true", folder=folder, engine=engine)
    run = streamgage("traffic", "--on", "latency.json", "--recorded", "t.json", folder=folder)
    assert (run.returncode, run.stderr) == (0, "")
    assert "Bandwidth binds in 50 % of the time" in " ".join(run.stdout.split())
    assert "The curve is of another machine" in " ".join(run.stdout.split())


def test_what_the_program_prints_stands_for_counters(folder: Path) -> None:
    engine = traffic_engine(folder, [], counters=NO_SOURCE)
    there = program(folder, "echo begin", "echo now 110.0 GB/s", "echo end >&2", "exit 7")
    on = ("--on", "latency.json", *FROM, "--", there)
    run = streamgage("traffic", *on, folder=folder, engine=engine)
    assert run.returncode == 7
    assert run.stdout == "begin\nnow 110.0 GB/s\n"
    said = " ".join(run.stderr.split())
    assert "the program's own count" in said
    assert "The program reported these bytes" in said
    assert "counts reads and writes together" in said


def test_the_output_of_a_program_may_be_in_a_file(folder: Path) -> None:
    (folder / "out.txt").write_text("a 10 GB/s\nb 20 GB/s\n")
    run = streamgage("traffic", "--recorded", "out.txt", *FROM, folder=folder)
    assert (run.returncode, run.stderr) == (0, "")
    assert "each rate counts as one second" in " ".join(run.stdout.split())


def test_without_counters_it_says_what_is_missing(folder: Path) -> None:
    engine = traffic_engine(folder, [], counters=NO_SOURCE)
    run = streamgage("traffic", "--on", "latency.json", "--", "true", folder=folder, engine=engine)
    assert (run.returncode, run.stdout) == (1, "")
    assert "--bytes-per-second-from" in run.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--on", "none.json", "--", "touch", "ran"), "none.json"),
        (("--on", "idle.json", "--", "touch", "ran"), "has no latency under load"),
        (("--recorded", "latency.json"), "is not a file that `streamgage traffic --json` wrote"),
        (("--recorded", "none.json"), "none.json cannot be read"),
        (("--recorded", "latency.json", "--", "touch", "ran"), "leave one out"),
        (("--recorded", "latency.json", *FROM), "has no line"),
        (FROM, "needs a program"),
        (("--bytes-per-second-from", "(", "--", "touch", "ran"), "is not a regular expression"),
        (("--replay", "x", "--recorded", "y"), "leave out --recorded"),
    ],
)
def test_bad_usage_is_one_sentence_before_anything_runs(
    folder: Path, engine: Path, arguments: tuple[str, ...], words: str
) -> None:
    idle = judge_latency(latency_run(machine_of(), load=None))
    (folder / "idle.json").write_text(as_json(idle))
    run = streamgage("traffic", *arguments, folder=folder, engine=engine)
    assert (run.returncode, run.stdout) == (2, "")
    assert words in one_sentence(run.stderr)
    assert not (folder / "ran").exists()


def test_a_recorded_watch_that_was_changed_is_one_sentence(folder: Path, engine: Path) -> None:
    streamgage("traffic", "--json", "t.json", "--", "true", folder=folder, engine=engine)
    whole = (folder / "t.json").read_text()
    document = json.loads(whole)
    document["intervals"][0]["whole"]["total_gbps"] = 1e300
    few = json.loads(whole)
    few["intervals"][0]["domains"] = []
    for text in (whole[:-10], json.dumps(document), json.dumps(few), "[]", "\x00", "1e999"):
        (folder / "t.json").write_text(text)
        run = streamgage("traffic", "--recorded", "t.json", folder=folder)
        assert (run.returncode, run.stdout) == (2, "")
        assert "t.json is not a file" in one_sentence(run.stderr)
    (folder / "t.json").write_text(whole.replace("perf uncore_imc", "perf\\u001b[31m"))
    run = streamgage("traffic", "--recorded", "t.json", folder=folder)
    assert run.returncode == 0
    assert "\x1b" not in run.stdout


def test_a_program_without_rates_is_one_sentence(folder: Path, engine: Path) -> None:
    run = streamgage("traffic", *FROM, "--", "true", folder=folder, engine=engine)
    assert (run.returncode, run.stdout) == (1, "")
    assert "printed no line" in one_sentence(run.stderr)
