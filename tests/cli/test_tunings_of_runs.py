"""What the program keeps of shapes between runs, with an engine that tells made records."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from example_environments import ACTIVITY, changed
from example_records import DISTURBANCE, MACHINE, TUNINGS, as_lines, tuned_records
from msgspec.structs import replace as change
from programs import misbehaving_engine, streamgage

from streamgage.results.measure.tunings import file_of, identity_of

WATCHED = {"STREAMGAGE_LOAD_CHECK": "", "STREAMGAGE_LOCK": "none"}
"""Without a lock, so that the time of another test's engine is not taken off what others use."""
RACED = [tuning for tuning in TUNINGS if tuning.source == "raced"]


@pytest.fixture
def engine(tmp_path: Path) -> Path:
    """Keeps the plan that it is given and tells of a tuned run."""
    (tmp_path / "lines").write_bytes(as_lines(tuned_records()))
    return misbehaving_engine(tmp_path, f"cat > '{tmp_path}/plan'\ncat '{tmp_path}/lines'")


def kept(folder: Path) -> Path:
    return file_of(identity_of(MACHINE), folder / "cache" / "streamgage" / "tuning")


def planned(folder: Path) -> dict[str, Any]:
    """What the plan of the last run says of tuning."""
    plan = json.loads((folder / "plan").read_bytes())
    assert isinstance(plan, dict)
    return plan


def measure(folder: Path, engine: Path, *options: str, **variables: str) -> list[str]:
    """What a run that works says on stderr, but for where its records are."""
    run = streamgage(*options, folder=folder, engine=engine, **variables)
    assert (run.returncode, "Triad" in run.stdout) == (0, True), run.stderr
    *said, again = run.stderr.splitlines()
    assert again.startswith("streamgage: To see this again: ")
    return said


def test_shapes_that_were_found_are_handed_to_the_next_run(tmp_path: Path, engine: Path) -> None:
    assert measure(tmp_path, engine) == []
    assert planned(tmp_path)["tuning"] == {"budget_seconds": 20, "known": [], "first": False}
    assert list((tmp_path / "cache").rglob("*.json")) == [kept(tmp_path)]
    assert measure(tmp_path, engine) == []
    known = planned(tmp_path)["tuning"]["known"]
    assert [(each["kernel"], each["store"]) for each in known] == [
        (each.kernel, each.store) for each in RACED
    ]
    assert known[0]["shape"]["streams"] == 4


def test_retune_knows_nothing_and_keeps_what_it_finds(tmp_path: Path, engine: Path) -> None:
    measure(tmp_path, engine)
    before = kept(tmp_path).read_bytes()
    lines = as_lines(tuned_records()).replace(b'"ratio":1.082', b'"ratio":1.5')
    (tmp_path / "lines").write_bytes(lines)
    assert measure(tmp_path, engine, "--retune") == []
    assert planned(tmp_path)["tuning"]["known"] == []
    after = kept(tmp_path).read_bytes()
    assert before != after
    ratios = [entry["tuning"]["ratio"] for entry in json.loads(after)["entries"]]
    assert sorted(each for each in ratios if each) == [1.002, 1.08, 1.5]


@pytest.mark.parametrize("options", [["--no-tune"], ["--shape", "streams=2"]])
def test_without_a_search_nothing_is_read_or_kept(
    tmp_path: Path, engine: Path, options: list[str]
) -> None:
    kept(tmp_path).parent.mkdir(parents=True)
    kept(tmp_path).write_text("damaged")
    assert measure(tmp_path, engine, *options) == []
    assert planned(tmp_path)["tuning"] is None
    assert kept(tmp_path).read_text() == "damaged"


def test_a_damaged_file_is_told_and_written_anew(tmp_path: Path, engine: Path) -> None:
    kept(tmp_path).parent.mkdir(parents=True)
    kept(tmp_path).write_text("{")
    (said,) = measure(tmp_path, engine)
    assert said.startswith(f"streamgage: The tuning file {kept(tmp_path)} is damaged (")
    assert measure(tmp_path, engine) == []
    assert len(planned(tmp_path)["tuning"]["known"]) == len(RACED)


def test_a_cache_that_cannot_be_written_costs_a_note(tmp_path: Path, engine: Path) -> None:
    (tmp_path / "file").touch()
    said = measure(tmp_path, engine, XDG_CACHE_HOME=str(tmp_path / "file"))
    assert [each.partition(" (")[2] for each in said] == [
        "Not a directory): shapes are searched for again.",
        "Not a directory): the next run searches again.",
    ]


def test_without_the_variable_shapes_are_kept_in_the_home(tmp_path: Path, engine: Path) -> None:
    measure(tmp_path, engine, XDG_CACHE_HOME="", HOME=str(tmp_path / "home"))
    (file,) = (tmp_path / "home").rglob("*.json")
    assert file.parent == tmp_path / "home" / ".cache" / "streamgage" / "tuning"


@pytest.mark.parametrize("home", ["", "relative"])
def test_a_user_without_a_home_measures_all_the_same(
    tmp_path: Path, engine: Path, home: str
) -> None:
    run = streamgage(folder=tmp_path, engine=engine, XDG_CACHE_HOME="", HOME=home)
    assert run.returncode == 0, run.stderr
    assert run.stderr.startswith("streamgage: To see this again: ")
    assert planned(tmp_path)["tuning"]["known"] == []


def test_an_engine_of_another_version_is_told_before_measuring(tmp_path: Path) -> None:
    body = f'test "$1" = --version || touch {tmp_path}/started'
    engine = misbehaving_engine(tmp_path, body, machine="echo '{}'")
    run = streamgage(folder=tmp_path, engine=engine)
    assert (run.returncode, run.stdout) == (1, "")
    assert "different versions; install both again." in run.stderr
    assert not (tmp_path / "started").exists()


def test_the_choice_is_explained_where_asked_and_again_by_show(
    tmp_path: Path, engine: Path
) -> None:
    explained = streamgage("--details", folder=tmp_path, engine=engine)
    assert "How the access shapes were chosen" in explained.stdout
    assert "4 streams 4 KiB apart: the quickest of 26 shapes" in explained.stdout
    assert streamgage("show", "--details", folder=tmp_path).stdout == explained.stdout
    assert "access shapes" not in streamgage("show", folder=tmp_path).stdout


def watching(folder: Path, other_seconds: float) -> Path:
    """The same engine, which sees others use two CPUs for so long before it measures."""
    record = changed(ACTIVITY, other_seconds=other_seconds)
    (folder / "lines").write_bytes(as_lines(tuned_records()))
    (folder / "activity").write_bytes(as_lines([record]))
    body = f"if test \"$1\" = --activity; then cat '{folder}/activity'; exit; fi\n"
    return misbehaving_engine(folder, f"{body}cat > '{folder}/plan'\ncat '{folder}/lines'")


@pytest.mark.parametrize("options", [[], ["--retune"]])
def test_on_a_busy_machine_no_shapes_race(tmp_path: Path, options: list[str]) -> None:
    busy, note = measure(tmp_path, watching(tmp_path, 1.0), *options, **WATCHED)
    assert busy.startswith("streamgage: Other programs use 50 % of the CPUs")
    assert note == (
        "streamgage: The machine is busy, so streamgage does not search for faster shapes and"
        " measures the default ones."
    )
    assert planned(tmp_path)["tuning"] is None
    assert not kept(tmp_path).exists()


def test_on_an_idle_machine_they_do(tmp_path: Path) -> None:
    assert measure(tmp_path, watching(tmp_path, 0.02), STREAMGAGE_LOAD_CHECK="") == []
    assert planned(tmp_path)["tuning"]["budget_seconds"] == 20
    assert kept(tmp_path).exists()


def test_without_a_search_nothing_is_said_of_shapes(tmp_path: Path) -> None:
    engine = watching(tmp_path, 1.0)
    (busy,) = measure(tmp_path, engine, "--no-tune", **WATCHED)
    assert busy.startswith("streamgage: Other programs use 50 % of the CPUs")


def test_shapes_that_raced_while_others_had_the_cpus_are_not_kept(
    tmp_path: Path, engine: Path
) -> None:
    disturbed = change(DISTURBANCE, first_block=20, last_block=39, other_seconds=4.0)
    (tmp_path / "lines").write_bytes(as_lines([*tuned_records(), disturbed]))
    (note,) = measure(tmp_path, engine)
    assert note == (
        "streamgage: Other programs or the hypervisor took 10 % of the CPUs' time: the shapes found"
        " are not stored, and the next run searches again."
    )
    assert not kept(tmp_path).exists()
    (tmp_path / "lines").write_bytes(as_lines(tuned_records()))
    assert measure(tmp_path, engine) == []
    before = kept(tmp_path).read_bytes()
    (tmp_path / "lines").write_bytes(as_lines([*tuned_records(), disturbed]))
    assert measure(tmp_path, engine) == [note]
    assert kept(tmp_path).read_bytes() == before
