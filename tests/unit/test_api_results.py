"""What a result of Python can be made into."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from example_records import MACHINE, good_records
from example_results import every_kind, measured
from foreign_outputs import STREAM, STREAM_28, STREAM_56, THE_BANDWIDTH_BENCHMARK
from msgspec.structs import replace

import streamgage
from streamgage.api.run import Run
from streamgage.api.series import run_of
from streamgage.commands.compare import compare
from streamgage.commands.topology import Topology
from streamgage.errors import UsageError
from streamgage.results.kinds import command_of, words_of
from streamgage.results.render import render_result
from streamgage.results.result import Result

RESULTS = every_kind()
EACH = pytest.mark.parametrize("loaded", RESULTS, ids=[each.name for each in RESULTS])
HEAVY = {"msgspec", "rich", "typer", "numpy", "jinja2", "plotly", "matplotlib", "sqlite3", "pandas"}


def made_run() -> Run:
    run = run_of(measured())
    assert isinstance(run, Run)
    return run


@EACH
def test_texts_are_those_of_the_command(loaded: Result[Any]) -> None:
    run = run_of(loaded)
    file = Path("file")
    for form, text in (
        ("table", run.table()),
        ("json", run.to_json()),
        ("csv", run.to_csv()),
        ("markdown", run.to_markdown()),
    ):
        assert text == render_result(loaded, form, file=file)
    assert run.to_dict() == json.loads(run.to_json())
    assert str(run) == repr(run.table())


@EACH
def test_rows_and_data_frames_have_the_columns_of_the_csv(loaded: Result[Any]) -> None:
    run = run_of(loaded)
    header, *lines = run.to_csv().splitlines()
    frame = run.to_pandas()
    assert list(frame.columns) == header.split(",") == list(run.rates.columns)
    assert len(frame) == len(run.rates) == len(lines) > 0
    assert repr(run).startswith(f"<{run.name}, by streamgage {command_of(run.kind)}: ")


@EACH
def test_every_plot_of_the_report_is_a_figure_of_plotly(loaded: Result[Any]) -> None:
    run = run_of(loaded)
    assert run.plots
    for number, title in enumerate(run.plots):
        figure = run.plot(number)
        assert figure.layout.title.text.startswith(title)
        assert figure.data
        colours = re.findall(r'color":"([^"]*)"', figure.to_json())
        assert colours
        assert all(re.fullmatch(r"#[0-9a-f]{6}|rgba\(.*\)", each) for each in colours)
        assert run.plot(title) == figure


@EACH
def test_a_notebook_is_given_the_figures_and_no_script(loaded: Result[Any]) -> None:
    html = run_of(loaded)._repr_html_()
    assert html.startswith('<div class="streamgage">') and html.rstrip().endswith("</div>")
    assert "<script" not in html and "<table" in html
    for finding in words_of(loaded.document).findings:
        assert finding.code in html
    style = html[html.index("<style>") : html.index("</style>")]
    assert ":root" not in style and style.count("{") == style.count("}")


def test_markup_in_a_result_stays_text() -> None:
    hostile = replace(MACHINE, processor="<img src=x onerror=alert(1)>")
    run = run_of(measured([hostile, *good_records()[1:]]))
    assert "<img" not in run._repr_html_()
    assert "&lt;img" in run._repr_html_()


def test_samples_are_a_row_each() -> None:
    run = made_run()
    timed = run.result().run.timed_samples()
    assert len(run.samples) == len(timed) > 0
    assert {row["kernel"] for row in run.samples} == {"sum", "copy", "triad"}
    assert list(run.samples.to_pandas().columns) == list(run.samples.columns)
    assert run.valid is True
    assert run.quote is not None and run.quote.startswith("Triad ")


@pytest.mark.parametrize("which", [7, -1, "song"])
def test_a_plot_that_is_not_there_is_refused_with_those_that_are(which: int | str) -> None:
    run = made_run()
    with pytest.raises(UsageError, match="use one of: Bandwidth"):
        run.plot(which)


def test_a_drawing_is_chosen_by_name_or_place() -> None:
    run = made_run()
    assert run.plot("samples", "copy plain") != run.plot("samples", "triad plain")
    with pytest.raises(UsageError, match="has no drawing 'song': use "):
        run.plot("samples", "song")


def test_a_result_is_saved_in_the_form_that_the_name_says(tmp_path: Path) -> None:
    run = made_run()
    folder = tmp_path / "saved"
    folder.mkdir()
    for name, text in (
        ("r.txt", run.table()),
        ("r.json", run.to_json()),
        ("r.csv", run.to_csv()),
        ("r.md", run.to_markdown()),
    ):
        assert run.save(folder / name).read_text("utf-8") == text
    assert b"<svg" in run_of(RESULTS[2]).save(folder / "s.svg").read_bytes()
    for wrong in ("r.doc", "r", "r.svg"):
        with pytest.raises(UsageError):
            run.save(folder / wrong)
    assert "Triad" in run.report(folder / "page.html").read_text("utf-8")
    with pytest.raises(UsageError, match=r"No such file or directory; name another\.$"):
        run.save(folder / "none" / "r.csv")
    assert len(list(folder.iterdir())) == 6


def test_results_are_compared_as_they_are() -> None:
    one, other = (run_of(each) for each in RESULTS[:2])
    compared = compare(one, [other])
    assert [each.label for each in compared.document.sides] == ["A", "B"]
    assert compared.figures and compared.conclusions
    assert str(compared) == compared.table()
    assert len(compared.to_pandas()) == len(compared.rates) > 0
    assert "<table" in compared._repr_html_()
    assert compared.passed is None
    assert compare(one, one, fail_below=0.5).passed is True
    with pytest.raises(UsageError, match="One result is too little to compare"):
        compare(one)
    with pytest.raises(UsageError, match="twice on one side"):
        compare(one, [other, other])


def test_another_benchmarks_output_is_a_run(tmp_path: Path) -> None:
    (tmp_path / "stream.log").write_text(STREAM)
    found = streamgage.interpret(tmp_path / "stream.log", peak=921.6, llc="128MiB", cores=48)
    [run] = found
    assert isinstance(run, Run)
    assert str(found) == str(run) and found.to_json() == run.to_json()
    assert run.kind == "measure" and run.peak is not None and run.peak.gbps == 921.6
    assert isinstance(streamgage.load(tmp_path / "stream.log"), Run)
    assert len(run.samples) == 0


def test_outputs_of_another_benchmark_are_a_scaling(tmp_path: Path) -> None:
    for name, text in (("a", STREAM_28), ("b", STREAM_56), ("c", THE_BANDWIDTH_BENCHMARK)):
        (tmp_path / name).write_text(text)
    files = [tmp_path / name for name in "abc"]
    found = streamgage.interpret(files, progress=False)
    assert [each.kind for each in found] == ["scale", "measure"]
    assert found[0].rates.column("n") == [28, 56] * 4
    assert len(found.rates) == len(found[0].rates) + len(found[1].rates)
    assert len(found.to_pandas()) == len(found.rates)
    assert len(found.notes) == 1 and "These are 2 results" in found.notes[0]
    assert [each.kind for each in streamgage.interpret(*files, progress=False)] == [
        *("scale", "measure"),
    ]
    with pytest.raises(UsageError, match="interpret needs a file"):
        streamgage.interpret()


def test_a_topology_is_a_picture_in_a_notebook(tmp_path: Path) -> None:
    found = Topology(MACHINE)
    assert found._repr_svg_().lstrip().startswith("<?xml")
    assert "Example 9000" in found.table()
    assert found.to_dict()["cores"] == 2
    assert found.save(tmp_path / "m.json").read_text() == found.to_json()
    with pytest.raises(UsageError, match="no suffix that is known"):
        found.save(tmp_path / "m.gif")


def test_all_names_are_there_and_one_module_each() -> None:
    for name in streamgage.__all__:
        assert getattr(streamgage, name).__doc__
    assert set(streamgage.__all__) <= set(dir(streamgage))
    with pytest.raises(AttributeError, match="has no attribute 'song'"):
        streamgage.song  # type: ignore[attr-defined]  # noqa: B018


def test_no_function_is_hidden_by_a_module_of_its_name() -> None:
    package = Path(streamgage.__file__).parent
    modules = {path.stem for path in package.iterdir() if path.suffix == ".py" or path.is_dir()}
    assert modules.isdisjoint(streamgage.__all__)


def test_importing_the_package_imports_nothing_heavy() -> None:
    line = "import sys, streamgage; print(*{name.partition('.')[0] for name in sys.modules})"
    done = subprocess.run([sys.executable, "-c", line], capture_output=True, text=True, check=True)
    assert HEAVY.isdisjoint(done.stdout.split())


def test_the_package_says_that_it_is_typed() -> None:
    assert (Path(streamgage.__file__).parent / "py.typed").is_file()
