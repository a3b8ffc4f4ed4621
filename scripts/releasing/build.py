"""Builds the files of a release in a clone of the commit."""

from __future__ import annotations

import gzip
import os
import platform
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

from releasing.ready import Project, git


def build(root: Path, commit: str, clone: Path, about: Project, *, cached: bool = True) -> Path:
    """Clone a commit of ``root``, build everything in the clone, and return the folder of it.

    The tools are those of the checkout's environment. ``cached``: whether the compiler's cache is
    used. Raises ``CalledProcessError`` if a step fails.
    """
    clone_of(root, commit, clone)
    (clone / ".venv").symlink_to(root / ".venv")
    seconds = git(clone, "log", "-1", "--format=%ct") or "0"
    environment = {**os.environ, "SOURCE_DATE_EPOCH": seconds}
    if not cached:
        environment["CCACHE_DISABLE"] = "1"
    steps = [
        *(["scripts/portable", "engine", each] for each in processors(root)),
        ["scripts/portable", "wheel"],
        [".venv/bin/uv", "build", "--quiet", "--sdist", "--no-build-isolation"],
        [sys.executable, "scripts/recipes.py", "build/packaging"],
    ]
    for step in steps:
        print(f"release: {clone.name}: {' '.join(step)}", flush=True)
        subprocess.run(step, cwd=clone, env=environment, check=True)
    return _collected(clone, about, int(seconds))


def clone_of(root: Path, commit: str, clone: Path) -> None:
    """Clone a commit, whatever is committed meanwhile."""
    subprocess.run(["git", "clone", "--quiet", "--no-checkout", root, clone], check=True)
    subprocess.run(["git", "checkout", "--quiet", "--detach", commit], cwd=clone, check=True)


def processors(root: Path) -> list[str]:
    """The processors for which there is an engine: this one first."""
    this = platform.machine()
    others = {each.stem for each in (root / "cross" / "toolchains").glob("*.cmake")} - {this}
    return [this, *sorted(others)]


def _collected(clone: Path, about: Project, seconds: int) -> Path:
    """Put the files of the release into a folder, by the names that they have there."""
    out = clone / "release"
    out.mkdir()
    built = clone / "build"
    for each in (*built.glob("wheels/*.whl"), *clone.glob("dist/*.tar.gz")):
        shutil.copyfile(each, out / each.name)
    for processor in processors(clone):
        this = processor == platform.machine()
        name = f"{about.name}-engine-{about.version}-linux-{processor}"
        file = built / ("streamgage-engine" if this else f"streamgage-engine.{processor}")
        folder = built / ("wheel" if this else f"portable/{processor}")
        shutil.copy(file, out / name)
        shutil.copyfile(folder / "engine.cdx.json", out / f"{name}.cdx.json")
    shutil.copyfile(built / "wheel" / "NOTICES", out / "NOTICES")
    name = f"{about.name}-{about.version}-recipes"
    _pack(built / "packaging", out / f"{name}.tar.gz", name, seconds)
    return out


def _pack(folder: Path, file: Path, name: str, seconds: int) -> None:
    """Pack a folder so that the same files make the same bytes."""

    def plain(each: tarfile.TarInfo) -> tarfile.TarInfo:
        each.uid = each.gid = 0
        each.uname = each.gname = ""
        each.mtime = seconds
        return each

    with (
        file.open("wb") as raw,
        gzip.GzipFile("", "wb", fileobj=raw, mtime=seconds) as packed,
        tarfile.open(fileobj=packed, mode="w") as archive,
    ):
        for each in sorted(folder.rglob("*")):
            archive.add(each, f"{name}/{each.relative_to(folder)}", recursive=False, filter=plain)


def differences(first: Path, second: Path) -> list[str]:
    """The names of files that only one of the folders has, or that have other bytes there."""
    names = {each.name for folder in (first, second) for each in folder.iterdir()}
    return sorted(name for name in names if not _same(first / name, second / name))


def _same(one: Path, other: Path) -> bool:
    return one.is_file() and other.is_file() and one.read_bytes() == other.read_bytes()
