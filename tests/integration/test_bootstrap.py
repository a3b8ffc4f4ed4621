"""The bootstrap script, where packages are missing and nobody may install them."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[2] / "scripts"
NOBODY = 65534
INSTALL = "sudo apt-get install --no-install-recommends"


@pytest.fixture
def folder() -> Iterator[Path]:
    """A copy of the script that any user may run, beside a system on which nothing is installed."""
    top = Path(tempfile.mkdtemp(prefix="streamgage-bootstrap-"))
    (top / "scripts").mkdir()
    for name in ("bootstrap", "environment.sh"):
        shutil.copy(SCRIPTS / name, top / "scripts")
        (top / "scripts" / name).chmod(0o755)
    tools = top / "tools"
    tools.mkdir()
    (tools / "dpkg-query").write_text("#!/bin/sh\nexit 1\n")
    for name in ("bash", "dirname", "env"):
        (tools / name).symlink_to(shutil.which(name) or name)
    for path in (top, top / "scripts", tools, tools / "dpkg-query"):
        path.chmod(0o755)
    yield top
    shutil.rmtree(top)


def run(folder: Path, *what: str) -> subprocess.CompletedProcess[str]:
    """The script without root, without sudo, without a terminal."""
    return subprocess.run(
        [folder / "scripts" / "bootstrap", *what],
        env={"PATH": str(folder / "tools")},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        user=NOBODY if os.geteuid() == 0 else None,
    )


@pytest.mark.parametrize(
    ("what", "package"),
    [
        ("build", "libhwloc-dev"),
        ("test", "libgtest-dev"),
        ("lint", "shellcheck"),
        ("check", "clang-tidy-14"),
    ],
)
def test_missing_packages_are_named_in_one_command(folder: Path, what: str, package: str) -> None:
    done = run(folder, what)
    assert done.returncode == 1
    assert done.stdout == ""
    command = done.stderr.splitlines()[-1]
    assert not (folder / ".venv").exists()
    listed = run(folder, "list", what)
    assert (listed.returncode, listed.stderr) == (0, "")
    assert package in listed.stdout.splitlines()
    assert command == f"bootstrap:   {INSTALL} {' '.join(listed.stdout.split())}"
    assert run(folder, "packages", what).stderr == done.stderr


def test_an_unknown_part_is_refused(folder: Path) -> None:
    done = run(folder, "everything")
    assert done.returncode == 2
    assert "usage: scripts/bootstrap [packages|list] build|test|" in done.stderr


def test_a_system_other_than_debian_is_asked_for_what_it_lacks(folder: Path) -> None:
    (folder / "tools" / "dpkg-query").unlink()
    (folder / "tools" / "cmake").symlink_to("bash")
    done = run(folder, "build")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        "bootstrap: not found: c++ pkg-config; install them with your package manager, then make"
        " again"
    )
