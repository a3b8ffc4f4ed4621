"""Shapes and instruction sets from the command line, with the real engine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from programs import one_sentence, streamgage

from streamgage.process.engine import describe_machine
from streamgage.results.measure.tunings import file_of, identity_of

SMALL = ("--quick", "--size", "16KiB", "--kernels", "copy", "--no-tune")


@pytest.fixture(name="engine", scope="session")
def fixture_engine(few: Path) -> Path:
    return few


def records_in(folder: Path, kind: str) -> list[dict[str, Any]]:
    lines = (folder / "run.jsonl").read_bytes().splitlines()
    return [record for record in map(json.loads, lines) if record["record"] == kind]


def refused(folder: Path, engine: Path, *options: str) -> str:
    """The one sentence with which a measurement is refused, nothing being left of it."""
    run = streamgage("measure", *options, folder=folder, engine=engine)
    assert (run.returncode, run.stdout) == (2, "")
    assert [path for path in folder.rglob("*") if path.is_file()] == []
    return one_sentence(run.stderr)


def test_a_shape_that_does_not_exist_is_refused_with_those_that_do(
    engine: Path, tmp_path: Path
) -> None:
    said = refused(tmp_path, engine, "--shape", "streams=3")
    assert said == "there is no shape of 3 streams: choose 1, 2, 4 or 8."
    said = refused(tmp_path, engine, "--shape", "streams=2,block=5000")
    assert "there is no interleave block of 5000 bytes: choose a power of two" in said


@pytest.mark.parametrize(
    "options",
    [
        ["--shape", "streams=1"],
        ["--shape", "block=4KiB"],
        ["--shape", "streams=4", "--stores", "plain,libc", "--kernels", "copy"],
    ],
    ids=" ".join,
)
def test_a_shape_that_changes_nothing_is_refused(
    engine: Path, tmp_path: Path, options: list[str]
) -> None:
    said = refused(tmp_path, engine, *options)
    assert said.startswith("the shape has no effect")


def test_an_unknown_instruction_set_is_refused_with_the_list(
    engine: Path,
    tmp_path: Path,
    isas: list[str],
) -> None:
    for name in ("SSE1", "avx-1024"):
        said = refused(tmp_path, engine, "--isa", name, "--no-tune")
        assert said == f"there is no instruction set '{name}' here; choose from {', '.join(isas)}."


def test_two_instruction_sets_are_compared(
    engine: Path,
    tmp_path: Path,
    isas: list[str],
) -> None:
    names = ",".join(isas[::-1][:2])
    options = ["--isa", names, "--format", "json", "--stores", "plain,regular", "--details"]
    run = streamgage(*SMALL, *options, folder=tmp_path, engine=engine)
    assert run.returncode == 0, run.stderr
    document = json.loads(run.stdout)
    vector = [each["isa"] for each in document["kernels"] if each["store"] == "regular"]
    assert vector == names.split(",")
    assert "Copy " in document["quote"]
    assert f"GB/s plain, {document['kernels'][0]['isa']}" in document["quote"]


def test_a_shape_by_hand_is_shown_beside_the_default_one(engine: Path, tmp_path: Path) -> None:
    options = ["--quick", "--size", "16KiB", "--kernels", "copy", "--stores", "regular"]
    shape = ["--shape", "streams=2,block=1KiB", "--details"]
    run = streamgage(*options, *shape, folder=tmp_path, engine=engine)
    assert run.returncode == 0, run.stderr
    assert "copy regular  2 streams 1 KiB apart: given by --shape" in run.stdout
    assert list((tmp_path / "cache").rglob("*")) == []


UNDISTURBED = r's/"\(other\|steal\)_seconds":[^,]*/"\1_seconds":0/g'
"""For sed: shapes that raced while others had the CPUs, as other tests have them, are not kept."""


@pytest.fixture(name="undisturbed", scope="module")
def fixture_undisturbed(engine: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The engine as on a machine on which nothing else runs."""
    path = tmp_path_factory.mktemp("undisturbed") / "streamgage-engine"
    path.write_text(f"#!/bin/bash\nset -o pipefail\n'{engine}' \"$@\" | sed '{UNDISTURBED}'\n")
    path.chmod(0o755)
    return path


@pytest.fixture(scope="module")
def course(
    undisturbed: Path,
    tmp_path_factory: pytest.TempPathFactory,
    above_the_caches: int,
) -> dict[str, Any]:
    """Four runs after each other, from a damaged file on: what they said and recorded."""
    folder = tmp_path_factory.mktemp("course")
    file = file_of(
        identity_of(describe_machine(undisturbed)), folder / "cache" / "streamgage/tuning"
    )
    file.parent.mkdir(parents=True)
    file.write_bytes(b"\x00 no JSON")
    summary = {"file": file}
    options = [
        *("--quick", "--kernels", "copy", "--stores", "regular", "--threads", "1"),
        *("--size", str(above_the_caches), "--records", "run.jsonl", "--details"),
    ]
    runs = (("first", []), ("second", []), ("retune", ["--retune"]), ("no-tune", ["--no-tune"]))
    for name, more in runs:
        run = streamgage(*options, *more, folder=folder, engine=undisturbed)
        assert run.returncode == 0, run.stderr
        *said, _ = (e for e in run.stderr.splitlines() if "The next run here" not in e)
        summary[name] = {
            "said": said,
            "shown": run.stdout,
            "tunings": records_in(folder, "tuning"),
            "variants": records_in(folder, "variant"),
            "kept": file.read_bytes(),
        }
    return summary


def test_the_first_run_races_and_mends_the_damaged_file(course: dict[str, Any]) -> None:
    first = course["first"]
    (said,) = first["said"]
    assert said.startswith(f"streamgage: The tuning file {course['file']} is damaged (")
    assert [each["source"] for each in first["tunings"]] == ["raced"]
    (entry,) = json.loads(first["kept"])["entries"]
    assert entry["tuning"] | first["tunings"][0] == entry["tuning"]  # which has what is usual, too
    assert entry["conditions"]["threads"] == 1
    assert " shapes in " in " ".join(first["shown"].split())


def test_the_second_run_knows_and_does_not_race(course: dict[str, Any]) -> None:
    first, second = course["first"], course["second"]
    assert second["said"] == []
    (tuning,) = second["tunings"]
    assert (tuning["source"], tuning["samples"], tuning["seconds"]) == ("known", 0, 0)
    assert tuning["shape"] == first["tunings"][0]["shape"]
    assert second["variants"] == first["variants"]
    assert second["kept"] == first["kept"]
    assert "found by an earlier run on this machine" in " ".join(second["shown"].split())


def test_retune_races_again_and_keeps_one_decision(course: dict[str, Any]) -> None:
    retune = course["retune"]
    assert [each["source"] for each in retune["tunings"]] == ["raced"]
    (entry,) = json.loads(retune["kept"])["entries"]
    assert entry["tuning"] | retune["tunings"][0] == entry["tuning"]
    assert retune["said"] == []


def test_no_tune_measures_standard_shapes_alone(course: dict[str, Any]) -> None:
    without = course["no-tune"]
    assert (without["tunings"], without["said"]) == ([], [])
    assert not any(each["tuned"] for each in without["variants"] if each["purpose"] == "rate")
    assert without["kept"] == course["retune"]["kept"]
    assert "access shapes" not in without["shown"]
