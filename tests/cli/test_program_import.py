"""``streamgage program --import``: what others ran, by the names of the files."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from example_records import as_lines
from example_scale import machine_of, places_of, point_records
from foreign_outputs import STREAM_AFTER, STREAM_BEFORE, STREAM_HEADER
from programs import REPOSITORY, one_sentence, streamgage

from streamgage.analysis.cores import order_of

MACHINE = machine_of(1, 4)
DATA = REPOSITORY / "tests" / "data" / "petsc"


def records(n: int, gbps: float) -> bytes:
    places = places_of(MACHINE, order_of("compact", MACHINE)[:n])
    return as_lines(point_records(MACHINE, places, gbps))


def stream_output(threads: int, triad: float) -> str:
    """What STREAM prints, with the other kernels a tenth slower."""
    rows = "".join(
        f"{name:<12}{rate:.1f}  0.5  0.5  0.5\n"
        for name, rate in (
            *((each, 0.9 * triad) for each in ("Copy:", "Scale:", "Add:")),
            ("Triad:", triad),
        )
    )
    return STREAM_BEFORE.replace("96", str(threads)) + STREAM_HEADER + rows + STREAM_AFTER


def logged(seconds: float) -> str:
    return json.dumps({"phase": "solve", "seconds": seconds, "count": 10}) + "\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two rounds with 1, 2 and 4 threads, as a batch system might have left them."""
    kept = tmp_path / "kept"
    kept.mkdir()
    for number in (1, 2):
        for n in (1, 2, 4):
            (kept / f"stream-{n}-{number}.jsonl").write_bytes(records(n, min(20 * n, 40) + number))
            (kept / f"program-{n}-{number}.log").write_text(logged(8 / n), "utf-8")
    return kept


def imported(folder: Path, *options: str, status: int = 0) -> tuple[dict[str, Any], str]:
    run = streamgage(
        "program", "--import", folder.name, "--format", "json", *options, folder=folder.parent
    )
    assert run.returncode == status, run.stderr
    assert "Traceback" not in run.stderr
    return json.loads(run.stdout), run.stderr


def test_files_are_runs_by_their_names(folder: Path) -> None:
    document, said = imported(folder)
    assert said == ""
    assert [each["gbps"]["value"] for each in document["stream"]] == pytest.approx(
        [21.5, 41.5, 41.5], rel=0.01
    )
    (solve,) = document["phases"]
    assert [each["seconds"]["value"] for each in solve["points"]] == [8, 4, 2]
    assert (document["workers"], document["rounds"], document["counts"]) == (
        "threads",
        2,
        [1, 2, 4],
    )
    assert solve["comparison"]["verdict"] == "better"


def test_output_of_stream_and_a_pattern_serve_too(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    for n in (1, 2):
        (kept / f"stream-{n}.txt").write_text(stream_output(threads=n, triad=10_000.0 * n), "utf-8")
        (kept / f"program-{n}.txt").write_text(f"Time: {6 / n} s\ngood\n", "utf-8")
    document, _ = imported(kept, "--time-regex", r"Time: ([\d.]+)", "--check-regex", "good")
    assert (document["kernel"], [e["gbps"]["value"] for e in document["stream"]]) == (
        "triad",
        pytest.approx([10, 20]),
    )
    assert document["phases"][0]["comparison"]["mean"] == pytest.approx(0, abs=1e-9)
    copy, _ = imported(kept, "--time-regex", r"Time: ([\d.]+)", "--kernel", "copy")
    assert copy["kernel"] == "copy"


def test_petscs_logs_are_of_ranks_and_the_servers_are_read_as_such(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    for name, source in (
        ("direct-1", "3.26.1-1"),
        ("direct-2", "3.26.1-2"),
        ("server-shared-2", "3.26.1-server-shared"),
    ):
        (kept / f"{name}.csv").write_bytes(
            gzip.decompress((DATA / f"{source}.csv.gz").read_bytes())
        )
        (kept / f"{name}.txt").write_bytes((DATA / f"{source}.txt").read_bytes())
    for n in (1, 2):
        (kept / f"stream-{n}.jsonl").write_bytes(records(n, 20.0 * n))
    document, _ = imported(kept)
    assert document["workers"] == "ranks"
    assert [each["name"] for each in document["cases"]] == ["direct", "server shared"]
    assert [each["case"] for each in document["distribution"]] == ["server shared"]
    served = [each for each in document["phases"] if each["case"] == "server shared"]
    assert [each["name"] for each in served] == ["PCSetUp", "KSPSolve", "MatMult", "PCApply"]
    assert (document["solver"]["petsc"], document["solver"]["unknowns"]) == ("3.26.1", 25**3)
    assert document["solver"]["debug"] is False
    text = (kept / "direct-2.txt").read_text("utf-8")
    bad = text.replace('"error": 6.34e-06', '"error": 0.5').replace("false", "true")
    assert bad.count("true") == 1 and "0.5" in bad
    (kept / "direct-2.txt").write_text(bad, "utf-8")
    document, _ = imported(kept, status=1)
    (failure,) = {each["failure"] for each in document["runs"] if each["failure"]}
    assert "The solution is wrong" in failure
    (kept / "direct-2.txt").write_text(bad.replace("0.5", "6e-6"), "utf-8")
    document, _ = imported(kept)
    assert "debug-build" in [each["code"] for each in document["findings"]]
    (kept / "server-shared-2.txt").write_bytes((DATA / "3.26.1-too-small.txt").read_bytes())
    document, _ = imported(kept, status=1)
    (failure,) = {each["failure"] for each in document["runs"] if each["failure"]}
    assert "no solve by 2 ranks" in failure


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("program-2-1.log", "", "wrote nothing to {log}"),
        ("program-2-1.log", '{"phase": "sol', "cut short"),
        ("program-2-1.log", '{"phase": "a", "seconds": 0}\n', "too little to compare"),
        ("program-2-1.log", "hello\n", "neither CSV of PETSc nor JSON lines"),
        ("stream-2-1.jsonl", records(2, 40.0).decode().rsplit("\n", 2)[0], "It did not finish."),
        ("stream-2-1.jsonl", records(4, 40.0).decode(), "Its name says 2, and it ran with 4"),
        ("stream-1-1.jsonl", records(4, 40.0).decode(), "Its name says 1, and it ran with 4"),
        ("stream-2-1.jsonl", "", "has no records"),
    ],
)
def test_a_file_that_is_not_whole_is_a_gap(
    name: str, content: str, said: str, folder: Path
) -> None:
    (folder / name).write_text(content, "utf-8")
    document, stderr = imported(folder, status=1)
    (failed,) = [each for each in document["runs"] if each["failure"] is not None]
    assert said in failed["failure"] and said in stderr
    assert (failed["n"], failed["round"]) == (int(name.split("-")[1]), 1)
    # The other round stands for that number.
    assert [each["n"] for each in document["stream"]] == [1, 2, 4]
    assert [each["n"] for each in document["phases"][0]["points"]] == [1, 2, 4]


def test_a_file_that_is_not_there_is_a_gap(folder: Path) -> None:
    for number in (1, 2):
        (folder / f"program-4-{number}.log").unlink()
    document, _ = imported(folder, status=1)
    (lacks,) = document["left_out"]
    assert (lacks["reason"], lacks["name"]) == ("no-files", "program")
    assert lacks["runs"] == [{"n": 4, "round": 1}, {"n": 4, "round": 2}]
    assert [each["n"] for each in document["phases"][0]["points"]] == [1, 2]


def test_what_has_another_name_is_told(folder: Path) -> None:
    for name in ("slurm-4711.err", "notes.log", "program-0.log", "x-1-2-3.log"):
        (folder / name).write_text("x", "utf-8")
    document, said = imported(folder)
    assert len(document["phases"]) == 1
    assert said.startswith("streamgage: These files are no runs (program-N.log, stream-N.jsonl): ")
    assert all(name in said for name in ("notes.log", "program-0.log", "slurm-4711.err"))


def test_what_holds_no_study_is_one_sentence(folder: Path) -> None:
    def refused(*options: str | Path, said: str) -> None:
        run = streamgage("program", "--import", *options, folder=folder.parent)
        assert (run.returncode, run.stdout) == (2, "")
        assert said in one_sentence(run.stderr)

    refused("nowhere", said="cannot be read")
    for option, value in (("--threads", "2"), ("--size", "1MB"), ("--label", "x")):
        refused(folder, option, value, said=f"{option} cannot be combined with --import")
    refused(folder, "--launcher", "mpich", said="--launcher needs {mpiexec} or --petsc")
    refused(folder, "--kernel", "traid", said="--kernel traid is not in these files")
    refused(folder, "--rounds", "9", said="--rounds cannot be combined with --import")
    refused(folder, "--time", "json", "--time-regex", "x", said="leave one out")
    refused(folder, "--", "true", said="leave out the command")
    refused(folder, "--time", "x", said="--time")
    (folder / "stream-1-1.txt").write_text("", "utf-8")
    (folder / "program-1-1.csv").write_text("", "utf-8")
    refused(folder, said="and another file describe the same run")
    (folder / "program-1-1.csv").unlink()
    for file in folder.glob("program-*"):
        file.unlink()
    refused(folder, said="holds no files of a program's (program-N.log)")
    for file in folder.glob("stream-*"):
        file.unlink()
    refused(folder, said="holds no files of STREAM's (stream-N.jsonl)")
