"""`make measure` builds and installs once, and again only when a source has changed."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from programs import REPOSITORY

SOURCES = ("library/a.cpp", "engine/b.cpp", "streamgage/c.py", "apps/poisson/d.c")
FILES = (*SOURCES, "CMakeLists.txt", "pyproject.toml")
STEPS = ("scripts/bootstrap", "scripts/install", ".venv/bin/streamgage")
"""What the Makefile starts, here programs that only note it."""
ALL = ["bootstrap build", "install", "streamgage measure"]


@pytest.fixture(name="folder")
def fixture_folder(tmp_path: Path) -> Path:
    for name in (*FILES, *STEPS):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{name}\n", "utf-8")
    for name in STEPS:
        path = tmp_path / name
        path.write_text('#!/bin/sh\necho "$(basename "$0")${1:+ $1}" >>steps\n', "utf-8")
        path.chmod(0o755)
    shutil.copy(REPOSITORY / "Makefile", tmp_path)
    return tmp_path


def steps(folder: Path) -> list[str]:
    """What `make measure` starts."""
    noted = folder / "steps"
    noted.unlink(missing_ok=True)
    subprocess.run(["make", "--silent", "measure"], cwd=folder, check=True)
    return noted.read_text("utf-8").splitlines()


def install_an_hour_ago(folder: Path) -> None:
    """Times of files that are written at once may be the same."""
    assert steps(folder) == ALL
    for age, names in ((7200, (*FILES, *STEPS)), (3600, (".venv/installed",))):
        for name in names:
            path = folder / name
            long_ago = path.stat().st_mtime - age
            os.utime(path, (long_ago, long_ago))


def test_the_second_time_nothing_is_built_or_installed(folder: Path) -> None:
    assert steps(folder) == ALL
    assert steps(folder) == ["streamgage measure"]


@pytest.mark.parametrize("source", FILES)
def test_a_source_that_changed_is_built_and_installed(folder: Path, source: str) -> None:
    install_an_hour_ago(folder)
    (folder / source).write_text("changed\n", "utf-8")
    assert steps(folder) == ALL
    assert steps(folder) == ["streamgage measure"]


def test_a_source_that_is_only_newer_is_not_built_again(folder: Path) -> None:
    install_an_hour_ago(folder)
    (folder / "engine" / "b.cpp").touch()
    assert steps(folder) == ["streamgage measure"]


def test_an_installation_that_failed_is_tried_again(folder: Path) -> None:
    install = folder / "scripts" / "install"
    works = install.read_text("utf-8")
    install.write_text("#!/bin/sh\nexit 1\n", "utf-8")
    failed = subprocess.run(["make", "--silent", "measure"], cwd=folder, check=False)
    assert failed.returncode != 0
    install.write_text(works, "utf-8")
    assert steps(folder) == ALL
