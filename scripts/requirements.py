"""Prints what the build and the programs need from PyPI, as pyproject.toml says, a line each."""

from __future__ import annotations

import tomllib
from pathlib import Path

if __name__ == "__main__":
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))
    print(*project["build-system"]["requires"], *project["project"]["dependencies"], sep="\n")
