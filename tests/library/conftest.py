"""The library as it is installed, in a folder that is not where it was installed to."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from installed_library import EXAMPLES, InstalledLibrary, run
from programs import REPOSITORY


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> InstalledLibrary:
    """Built without the engine, installed, and moved."""
    folder = REPOSITORY / "build" / "library"
    run(
        *("cmake", "-S", REPOSITORY, "-B", folder, "-G", "Ninja"),
        "-DSTREAMGAGE_ENGINE=OFF",  # otherwise as the wheel, whose objects ccache has
        folder=REPOSITORY,
    )
    run("cmake", "--build", folder, folder=REPOSITORY)
    first = tmp_path_factory.mktemp("first") / "prefix"
    run("cmake", "--install", folder, "--prefix", first, folder=REPOSITORY)
    moved = tmp_path_factory.mktemp("moved") / "prefix"
    shutil.move(first, moved)
    return InstalledLibrary(moved)


@pytest.fixture(scope="session")
def containing() -> Path:
    """The examples built by a project that contains the source of the library.

    Kept, so that only what has changed is built again; for the session, while the user's compiler
    cache is still at hand.
    """
    folder = REPOSITORY / "build" / "library-inside"
    examples = Path(shutil.copytree(EXAMPLES, folder / "examples", dirs_exist_ok=True))
    lists = examples / "CMakeLists.txt"
    contains = rf"\g<0>\nenable_testing()\nadd_subdirectory({REPOSITORY} streamgage)"
    lists.write_text(re.sub(r"(?m)^project\(.*\)$", contains, lists.read_text("utf-8")))
    build = folder / "build"
    run(
        *("cmake", "-S", examples, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"),
        folder=folder,
    )
    run("cmake", "--build", build, folder=folder)
    return build


@pytest.fixture
def examples(tmp_path: Path) -> Path:
    """The examples' sources in a folder outside of the project."""
    return Path(shutil.copytree(EXAMPLES, tmp_path / "examples"))
