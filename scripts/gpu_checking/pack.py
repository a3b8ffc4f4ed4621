"""Packs what a machine without a compiler and a network needs for scripts/gpu_check."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Sequence
from pathlib import Path

from gpu_checking.kernels import CATALOGUE, ROOT

NAME = "streamgage-gpu-check"
"""The folder in the archive."""
CARRIED = (
    "streamgage",
    "scripts/gpu_check",
    "scripts/gpu_checking",
    "examples/kernels",
    str(CATALOGUE.relative_to(ROOT)),
    "LICENSE",
    "pyproject.toml",
)
_PLATFORM = "x86_64-manylinux_2_28"


class PackError(Exception):
    """Something that must be packed is missing; the text is one sentence."""


def pack(file: Path, engine: Path, pythons: Sequence[str]) -> None:
    """Write the archive: sources, engine, and for each Python the packages that the front needs.

    Raises ``PackError`` if the packages cannot be fetched.
    """
    with tempfile.TemporaryDirectory() as folder, tarfile.open(file, "w:gz") as archive:
        for name in CARRIED:
            archive.add(ROOT / name, f"{NAME}/{name}", filter=_without_caches)
        archive.add(engine, f"{NAME}/build/streamgage-engine")
        for python in pythons:
            site = Path(folder) / f"site-{python}"
            _install(site, python)
            archive.add(site, f"{NAME}/{site.name}", filter=_without_caches)


def running_python() -> str:
    """The version of this Python, such as 3.11."""
    return f"{sys.version_info.major}.{sys.version_info.minor}"


def _install(site: Path, python: str) -> None:
    """Fetch the wheels of the runtime's dependencies, and unpack them."""
    uv = shutil.which("uv", path=f"{ROOT / '.venv/bin'}{os.pathsep}{os.environ.get('PATH', '')}")
    if uv is None:
        raise PackError("uv is missing, which fetches the packages: run `make dev`")
    words = [
        *(uv, "pip", "install", "--quiet", "--target", str(site)),
        *("--python-version", python, "--python-platform", _PLATFORM, "--only-binary", ":all:"),
        *("--constraint", str(ROOT / "constraints.txt")),
        *("--requirement", str(ROOT / "pyproject.toml")),
    ]
    if subprocess.run(words, check=False).returncode != 0:
        raise PackError(f"the packages for Python {python} could not be fetched")


def _without_caches(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
    return None if "__pycache__" in member.name else member
