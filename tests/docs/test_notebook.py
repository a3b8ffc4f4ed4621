"""The notebook of the examples: it is run, and has no outputs of somebody's machine in it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from in_process import measure_in
from nbclient import NotebookClient
from programs import REPOSITORY, WAIT_SECONDS
from store_results import kept_entries

PATH = REPOSITORY / "examples" / "notebook" / "streamgage.ipynb"
_OF_LOAD = re.compile(r"^streamgage: (?:\d+ runs? (?:was|were) disturbed|Other programs use)")
"""What is said where other programs run, as they may while the tests do."""


def code_cells(notebook: Any) -> list[Any]:  # noqa: ANN401 - of nbformat, which has no types
    return [each for each in notebook.cells if each.cell_type == "code"]


@pytest.fixture(scope="module")
def executed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Path]:
    """The notebook after a run, and the folder that it ran in."""
    folder = tmp_path_factory.mktemp("notebook")
    notebook = nbformat.read(PATH, as_version=4)
    for cell in code_cells(notebook):  # below STREAM's rule, whatever caches there are
        cell.source = cell.source.replace("16MiB", "4MiB")
    with pytest.MonkeyPatch.context() as monkeypatch:
        measure_in(folder, monkeypatch)
        monkeypatch.setenv("PYTHONPATH", str(REPOSITORY))
        monkeypatch.setenv("IPYTHONDIR", str(folder / "ipython"))
        resources = {"metadata": {"path": str(folder)}}
        NotebookClient(notebook, timeout=WAIT_SECONDS, resources=resources).execute()
    return notebook, folder


def shown(cell: Any) -> dict[str, str]:  # noqa: ANN401
    """What a cell displays, by its MIME type; text that it prints as ``stdout``."""
    found: dict[str, str] = {}
    for output in cell.outputs:
        assert output.output_type != "error"
        if output.output_type == "stream":
            found[output.name] = found.get(output.name, "") + output.text
        for kind, content in output.get("data", {}).items():
            found[kind] = found.get(kind, "") + str(content)
    return found


def cell_with(executed: tuple[Any, Path], text: str) -> dict[str, str]:
    (cell,) = [each for each in code_cells(executed[0]) if text in each.source]
    return shown(cell)


def test_every_cell_but_the_import_shows_something(executed: tuple[Any, Path]) -> None:
    first, *others = code_cells(executed[0])
    assert first.source == "import streamgage as sg" and not first.outputs
    assert len(others) > 10
    for cell in others:
        found = shown(cell)
        assert found and any(found.values()), cell.source
        assert all(_OF_LOAD.search(line) for line in found.get("stderr", "").splitlines())


@pytest.mark.parametrize(
    ("source", "kind", "words"),
    [
        ("sg.topology()", "image/svg+xml", "core 0"),
        ("run = sg.measure", "text/html", "To quote:"),
        ("run.findings", "text/plain", "below-4x-rule"),
        ("frame = run.to_pandas()", "text/html", "median_gbps"),
        ("describe()", "text/html", "count"),
        ("sg.compare(", "text/html", "B over A"),
        ("scaling.conclusions", "stdout", "triad plain"),
        ("sg.history(", "text/html", "triad plain"),
        ("sg.report(", "text/plain", "report.html"),
    ],
)
def test_cells_show_what_the_text_says(
    executed: tuple[Any, Path], source: str, kind: str, words: str
) -> None:
    assert words in cell_with(executed, source)[kind]


@pytest.mark.parametrize("source", ["run.plot()", "run.plot(", "scaling.plot("])
def test_plots_are_drawn_inline(executed: tuple[Any, Path], source: str) -> None:
    drawn = [each for each in code_cells(executed[0]) if source in each.source]
    assert drawn
    assert all("GB/s of nominal bytes" in str(each.outputs) for each in drawn)


def test_the_bar_is_gone_when_the_work_is_done(executed: tuple[Any, Path]) -> None:
    assert "<progress" not in str([each.outputs for each in code_cells(executed[0])])


def test_results_are_kept_and_the_page_is_written(executed: tuple[Any, Path]) -> None:
    kinds = [each.kind for each in kept_entries(executed[1])]
    assert sorted(kinds) == ["measure", "measure", "scale"]
    assert (executed[1] / "report.html").stat().st_size > 100_000


def test_the_notebook_as_it_is_given_out_has_no_outputs() -> None:
    notebook = nbformat.read(PATH, as_version=4)
    nbformat.validate(notebook)
    for cell in code_cells(notebook):
        assert (cell.outputs, cell.execution_count) == ([], None)
    assert all(not cell.metadata for cell in notebook.cells)
    assert set(notebook.metadata) == {"kernelspec", "language_info"}
