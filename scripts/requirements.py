"""Prints what the build and the programs need from PyPI, as pyproject.toml says, a line each.

``python3 scripts/requirements.py EXTRA ...`` adds what these extras need.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))
EXTRAS: dict[str, list[str]] = PROJECT["project"]["optional-dependencies"]


def of_extra(name: str) -> Iterator[str]:
    """The packages of an extra, including those of further extras that it names."""
    for requirement in EXTRAS[name]:
        others = re.fullmatch(r"streamgage\[(.*)\]", requirement)
        if others is None:
            yield requirement
            continue
        for other in others[1].split(","):
            yield from of_extra(other)


if __name__ == "__main__":
    print(*PROJECT["build-system"]["requires"], *PROJECT["project"]["dependencies"], sep="\n")
    for extra in sys.argv[1:]:
        print(*of_extra(extra), sep="\n")
