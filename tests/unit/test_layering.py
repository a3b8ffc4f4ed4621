"""Imports run one way."""

from __future__ import annotations

import re
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import grimp
import pytest
from programs import REPOSITORY

LIBRARY_LAYERS = (
    {"base"},
    {"topology", "clock", "memory", "statistics"},
    {"placement", "counters"},
    {"team"},
    {"streamgage.hpp", "streamgage.h", "kernel.h"},
    {"c"},
)
ENGINE_LAYERS = (
    {"base", "pin"},
    {"lock", "records"},
    {"kernels", "latency"},
    {"world"},
    {"measure", "mpi"},
    {"environment", "watch", "ranks", "devices"},
    {"node"},
    {"program"},
    {"main.cpp"},
)

NEIGHBOURS = {("memory", "topology"), ("statistics", "clock")}
"""Folders of one rank of which the first may include the second."""


def rank(name: str, layers: tuple[set[str], ...]) -> int:
    found = [number for number, layer in enumerate(layers) if name in layer]
    assert found, f"{name} has no place in the layers: give it one here and in the design"
    return found[0]


def test_no_imports_of_python_run_in_a_circle() -> None:
    graph = grimp.build_graph("streamgage", cache_dir=None, exclude_type_checking_imports=True)
    imports = {each: graph.find_modules_directly_imported_by(each) for each in graph.modules}
    TopologicalSorter(imports).prepare()  # its error names the circle


def test_analysis_starts_no_program_and_opens_no_file() -> None:
    for path in (REPOSITORY / "streamgage" / "analysis").rglob("*.py"):
        text = path.read_text("utf-8")
        assert not re.search(r"\bimport (os|subprocess|pathlib|sys)\b|\bopen\(", text), path


def includes(root: Path) -> Iterator[tuple[str, str, str]]:
    """File, its folder under the root, and the folder there of what it includes."""
    sources = [path for path in root.rglob("*") if path.suffix in {".cpp", ".hpp", ".h", ".c"}]
    for path in sorted(sources):
        part = path.relative_to(root).parts[0]
        for included in re.findall(r'^\s*#\s*include "([^"]+)"', path.read_text("utf-8"), re.M):
            if (root / included.removeprefix("streamgage/")).is_file():
                yield str(path), part, included.removeprefix("streamgage/").split("/")[0]


@pytest.mark.parametrize("tests", [False, True])
@pytest.mark.parametrize("root", ["engine", "library/streamgage"])
def test_includes_run_one_way(root: str, tests: bool) -> None:
    layers = ENGINE_LAYERS if root == "engine" else LIBRARY_LAYERS
    seen = [each for each in includes(REPOSITORY / root) if ("_test." in each[0]) == tests]
    assert seen
    for path, part, included in seen:
        below = rank(included, layers) <= rank(part, layers)
        assert below, f"{path} includes {included}/, which stands above it"
        apart = part != included and rank(included, layers) == rank(part, layers)
        known = (part, included) in NEIGHBOURS
        assert not apart or known, f"{path} includes {included}/, which stands beside it"


@pytest.mark.parametrize(("folder", "other"), [("drivers", "measure"), ("measure", "drivers")])
def test_what_measures_devices_knows_no_driver(folder: str, other: str) -> None:
    devices = REPOSITORY / "engine" / "devices"
    sources = [each for each in (devices / folder).rglob("*.?pp") if "_test." not in each.name]
    assert sources
    for path in sources:
        assert f'"devices/{other}/' not in path.read_text("utf-8"), path


def test_the_library_knows_nothing_of_the_engine() -> None:
    library = REPOSITORY / "library"
    for path in [*library.rglob("*.hpp"), *library.rglob("*.cpp")]:
        for included in re.findall(r'^\s*#\s*include "([^"]+)"', path.read_text("utf-8"), re.M):
            assert (library / included).is_file(), f"{path} includes {included}"


def test_neighbours_make_no_circle() -> None:
    assert not any((included, part) in NEIGHBOURS for part, included in NEIGHBOURS)
    roots = [REPOSITORY / "engine", REPOSITORY / "library" / "streamgage"]
    used = {(part, included) for root in roots for _, part, included in includes(root)}
    assert used >= NEIGHBOURS, "leave out what no file needs any more"
