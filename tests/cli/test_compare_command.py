"""``streamgage compare`` as a user runs it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from example_ladder import ladder_of, machine_of
from example_records import as_lines
from example_sides import COPY, run_records
from foreign_outputs import LIKWID_BENCH, STREAM
from programs import one_sentence, streamgage

from streamgage.show.formats import as_json


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Runs of 20, 25, 19 and 20 GB/s, one of triad alone, what STREAM printed, and a ladder."""
    for name, gbps, seed in (("a", 20.0, 1), ("b", 25.0, 2), ("c", 19.0, 3), ("d", 20.0, 4)):
        records = run_records(gbps, seed=seed)
        (tmp_path / f"{name}.jsonl").write_bytes(as_lines(records))
    (tmp_path / "cut.jsonl").write_bytes(as_lines(run_records(whole=False)))
    (tmp_path / "wrong.jsonl").write_bytes(as_lines(run_records(valid=False)))
    triad = [
        each
        for each in run_records(seed=5)
        if each != COPY and getattr(each, "variant", None) != COPY.id
    ]
    (tmp_path / "triad.jsonl").write_bytes(as_lines(triad))
    (tmp_path / "stream.txt").write_text(STREAM, "utf-8")
    (tmp_path / "likwid.txt").write_text(LIKWID_BENCH, "utf-8")
    (tmp_path / "ladder.json").write_text(as_json(ladder_of(machine_of())), "utf-8")
    return tmp_path


def compare(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return streamgage("compare", *arguments, folder=folder)


def test_what_differs_stands_before_the_ratios(folder: Path) -> None:
    run = compare(folder, "a.jsonl", "stream.txt")
    assert (run.returncode, run.stderr) == (3, "")
    assert run.stdout.index("what differs") < run.stdout.index("B over A")
    assert "too noisy to say" in run.stdout


def test_a_document_is_written_to_a_file(folder: Path) -> None:
    run = compare(folder, "a.jsonl", "b.jsonl", "c.jsonl", "--format", "json", "-o", "out.json")
    assert (run.returncode, run.stdout) == (0, "")
    document = json.loads((folder / "out.json").read_text("utf-8"))
    assert [side["label"] for side in document["sides"]] == ["A", "B", "C"]
    assert document["figures"][0]["ratios"][0]["verdict"] == "faster"


def test_latex_has_the_sides_and_the_table(folder: Path) -> None:
    run = compare(folder, "a.jsonl", "b.jsonl", "--format", "latex")
    assert (run.returncode, run.stderr) == (0, "")
    assert "% A: a.jsonl" in run.stdout
    table = run.stdout[run.stdout.index("\\midrule") : run.stdout.index("\\bottomrule")]
    assert table.count("\n") > 2
    assert "faster" in table


def test_commas_pool_the_runs_of_a_side(folder: Path) -> None:
    run = compare(folder, "a.jsonl,d.jsonl", "b.jsonl,c.jsonl", "--format=json")
    figure = json.loads(run.stdout)["figures"][0]["figures"][0]
    assert (figure["n"], figure["of"]) == (2, "runs")


def test_runs_of_a_side_need_not_have_the_same_figures(folder: Path) -> None:
    run = compare(folder, "a.jsonl,triad.jsonl", "b.jsonl,c.jsonl")
    assert (run.returncode, run.stderr) == (3, "")
    assert "copy plain: only 1 of A's 2 results has it." in " ".join(run.stdout.split())


def test_a_file_whose_name_has_a_comma_is_that_file(folder: Path) -> None:
    (folder / "a,d.jsonl").write_bytes((folder / "a.jsonl").read_bytes())
    run = compare(folder, "a.jsonl", "a,d.jsonl")
    assert run.returncode == 0
    assert "same" in run.stdout


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["a.jsonl", "b.jsonl", "--fail-below", "0.97"], 0, ""),
        (["a.jsonl", "c.jsonl"], 0, ""),
        (["a.jsonl", "c.jsonl", "--fail-below", "0.97"], 1, "Failed: 2 of 2 ratios are below 0.97"),
        (["a.jsonl", "c.jsonl", "--fail-below", "0.94"], 0, ""),
        (["a.jsonl", "cut.jsonl", "--fail-below", "0.9"], 3, "is not complete"),
        (["a.jsonl", "wrong.jsonl", "--fail-below", "0.9"], 3, "has wrong results"),
        (["a.jsonl", "likwid.txt", "--fail-below", "0.9"], 3, "can be compared with A"),
        (
            ["a.jsonl", "triad.jsonl", "--fail-below", "0.9"],
            3,
            "lacks figures that A has: copy plain",
        ),
        (["triad.jsonl", "a.jsonl", "--fail-below", "0.9"], 0, ""),
        (
            ["a.jsonl", "stream.txt", "--kernel", "add", "--fail-below", "0.9"],
            3,
            "no figure of add",
        ),
    ],
)
def test_the_exit_status_accepts_or_fails(
    folder: Path, arguments: list[str], status: int, words: str
) -> None:
    run = compare(folder, *arguments)
    assert run.returncode == status
    assert run.stderr == ""
    assert words in " ".join(run.stdout.split())
    assert f"A  {arguments[0]}" in run.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "Nothing is too little to compare"),
        (["a.jsonl"], "One result is too little to compare"),
        (["a.jsonl", "there-is-none.jsonl"], "there-is-none.jsonl cannot be read"),
        (["a.jsonl", "a.jsonl,"], "has an empty name"),
        (["a.jsonl", "b.jsonl,b.jsonl"], "b.jsonl is twice on one side"),
        (["a.jsonl", ",".join(["none.jsonl"] * 80)], "none.jsonl cannot be read"),
        (["a.jsonl", "ladder.json"], "name results of one command"),
        (["a.jsonl", "b.jsonl", "--kernel", "nosuch"], "no result has a figure of nosuch"),
        (["a.jsonl", "b.jsonl", "--kernel", ","], "has an empty name"),
        (["a.jsonl", "b.jsonl", "--fail-below", "0"], "is not a number above 0 and up to 10"),
        (["a.jsonl", "b.jsonl", "--fail-below", "11"], "is not a number above 0 and up to 10"),
        (["a.jsonl", "b.jsonl", "--fail-below", "97%"], "is not a number above 0 and up to 10"),
        (["a.jsonl", "b.jsonl", "--margin", "nan"], "is not a number above 0 and up to 0.5"),
        (["a.jsonl", "b.jsonl", "--format", "pdf"], "is not known"),
        (["a.jsonl", "b.jsonl", "-o", "none/out"], "cannot be written"),
    ],
)
def test_mistakes_are_told_in_one_sentence(folder: Path, arguments: list[str], words: str) -> None:
    run = compare(folder, *arguments)
    assert run.returncode == 2
    assert words in one_sentence(run.stderr)
    assert run.stdout == ""
