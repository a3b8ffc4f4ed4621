"""Each command says which files it wrote, on stderr; what is parsed stays as it is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from example_records import as_lines, good_records
from example_results import every_kind
from example_scale import machine_of, scaling_of
from programs import misbehaving_engine, one_sentence, streamgage
from store_results import keep, store_of
from test_scale_command import engine_of

from streamgage.results.kinds import KINDS, kind_of, result_of
from streamgage.results.render import draw_result
from streamgage.show.formats import as_json
from streamgage.show.picture_data import with_digest
from streamgage.show.picture_file import Width


def lines_of(stderr: str) -> list[str]:
    return [each.removeprefix("streamgage: ") for each in stderr.splitlines()]


def test_a_picture_and_its_data_are_named(tmp_path: Path) -> None:
    engine = engine_of(tmp_path, machine_of(1, 2))
    options = ["--rounds", "1", "--format", "table", "--cpus", "compact"]
    drawn = ["-o", "scale.pdf", "--width", "85mm"]
    run = streamgage("scale", *options, *drawn, folder=tmp_path, engine=engine)
    assert run.returncode == 0, run.stderr
    assert lines_of(run.stderr)[-1] == "Wrote scale.pdf and scale.dat."
    assert (tmp_path / "scale.pdf").read_bytes().startswith(b"%PDF")
    assert "Wrote" not in run.stdout


def test_an_earlier_result_is_drawn_for_a_paper(tmp_path: Path) -> None:
    scale = scaling_of(machine_of())
    (tmp_path / "scale.json").write_text(as_json(scale), "utf-8")
    (tmp_path / "run.jsonl").write_bytes(as_lines(good_records()))
    drawn = ["-o", "paper.pdf", "--width", "85mm"]
    run = streamgage("show", "scale.json", *drawn, folder=tmp_path)
    assert lines_of(run.stderr)[-1] == "Wrote paper.pdf and paper.csv."
    picture = draw_result(result_of(scale), Path("x.pdf"), Width(85, "mm"))
    data = (tmp_path / "paper.csv").read_bytes()
    assert (tmp_path / "paper.pdf").read_bytes() == with_digest(picture, Path("x.pdf"), data)
    assert "compact" in run.stdout
    run = streamgage("show", "run.jsonl", "-o", "run.svg", folder=tmp_path)
    assert run.returncode == 2
    assert run.stdout == ""
    assert one_sentence(run.stderr).startswith(
        "There is no picture of a result of measure: write it as .txt, .json, .csv, .md, .tex,"
    )
    assert not (tmp_path / "run.svg").exists()


DRAWN = {
    kind_of(each.document).name: each.document
    for each in every_kind()
    if "picture" in kind_of(each.document).gives
}
"""An example of every kind that has a picture."""


def test_there_is_an_example_of_every_kind_that_has_a_picture() -> None:
    assert {each.name for each in KINDS if "picture" in each.gives} == DRAWN.keys()


@pytest.mark.parametrize("name", DRAWN)
def test_an_earlier_result_of_any_kind_is_drawn_again(tmp_path: Path, name: str) -> None:
    (tmp_path / f"{name}.json").write_text(as_json(DRAWN[name]), "utf-8")
    run = streamgage("show", f"{name}.json", "-o", "again.svg", folder=tmp_path)
    assert run.returncode == 0, run.stderr
    assert lines_of(run.stderr)[-1] == "Wrote again.svg and again.csv."
    drawn = draw_result(result_of(DRAWN[name]), Path("x.svg"))
    data = (tmp_path / "again.csv").read_bytes()
    assert (tmp_path / "again.svg").read_bytes() == with_digest(drawn, Path("x.svg"), data)
    run = streamgage("show", f"{name}.json", "-o", "again.pdf", folder=tmp_path)
    assert run.returncode == 0, "the same data may be drawn in several formats"


def test_a_suffix_says_in_which_format_an_earlier_result_is_written(tmp_path: Path) -> None:
    (tmp_path / "run.jsonl").write_bytes(as_lines(good_records()))
    for suffix, begin in ((".json", "{"), (".csv", "kernel,"), (".md", "**"), (".txt", " ")):
        run = streamgage("show", "run.jsonl", "-o", f"a{suffix}", folder=tmp_path)
        assert run.returncode == 0, run.stderr
        assert (tmp_path / f"a{suffix}").read_text("utf-8").startswith(begin)
    run = streamgage("show", "run.jsonl", "-o", "a.docx", folder=tmp_path)
    assert run.returncode == 2
    assert one_sentence(run.stderr) == (
        "a.docx: a result is not written as .docx; end the name in .txt, .json, .csv, .md, .dat,"
        " .tex, .bib, .prom, or for a picture in .svg, .png, .pdf or .eps."
    )
    assert not (tmp_path / "a.docx").exists()


def test_what_has_no_picture_is_refused_before_the_engine_starts(tmp_path: Path) -> None:
    engine = misbehaving_engine(tmp_path, "touch started")
    run = streamgage("measure", "-o", "run.svg", folder=tmp_path, engine=engine)
    assert run.returncode == 2
    assert "this result has no picture; `streamgage report` draws" in one_sentence(run.stderr)
    assert not (tmp_path / "started").exists()


def test_a_width_without_a_picture_is_refused_before_the_engine_starts(tmp_path: Path) -> None:
    engine = engine_of(tmp_path, machine_of(1, 2), "touch started")
    run = streamgage("scale", "--width", "85mm", folder=tmp_path, engine=engine)
    assert run.returncode == 2
    assert "--width applies to pictures: name a file with -o" in one_sentence(run.stderr)
    assert not (tmp_path / "started").exists()


@pytest.mark.parametrize(
    ("arguments", "file"),
    [
        (["show", "run.jsonl", "-o", "a.txt"], "a.txt"),
        (["show", "run.jsonl", "--format", "json", "-o", "a.json"], "a.json"),
        (["history", "--format", "csv", "-o", "a.csv"], "a.csv"),
        (["results", "export", "-o", "a.csv"], "a.csv"),
        (["report", "run.jsonl", "-o", "a.html"], "a.html"),
        (["compare", "run.jsonl", "1", "-o", "a.md", "--format", "markdown"], "a.md"),
    ],
)
def test_every_command_names_its_file(tmp_path: Path, arguments: list[str], file: str) -> None:
    (tmp_path / "run.jsonl").write_bytes(as_lines(good_records()))
    store = store_of(tmp_path)
    store.parent.mkdir(parents=True)
    keep(store, good_records())
    run = streamgage(*arguments, folder=tmp_path)
    assert run.stdout == ""
    assert lines_of(run.stderr)[-1] == f"Wrote {file}."
    assert (tmp_path / file).stat().st_size > 0


@pytest.mark.parametrize("output", ["-", "/dev/stdout"])
def test_nothing_is_said_of_standard_output(tmp_path: Path, output: str) -> None:
    (tmp_path / "run.jsonl").write_bytes(as_lines(good_records()))
    run = streamgage("show", "run.jsonl", "--format", "json", "-o", output, folder=tmp_path)
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout)["machine"]["host"]
    assert "Wrote" not in run.stderr
    assert not (tmp_path / "-").exists()


def test_python_says_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from streamgage import load

    (tmp_path / "run.jsonl").write_bytes(as_lines(good_records()))
    load(tmp_path / "run.jsonl").save(tmp_path / "a.txt")
    assert capsys.readouterr().err == ""
