"""The files of a call, for as long as it runs."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from streamgage.process.launch.job import CommandLine


@dataclass(frozen=True)
class Call:
    """What ``subprocess`` takes."""

    arguments: tuple[str, ...]
    environment: Mapping[str, str]


@contextmanager
def prepared(line: CommandLine, environment: Mapping[str, str] = os.environ) -> Iterator[Call]:
    """``line`` as a call within ``environment``; its files are there until the block ends."""
    with tempfile.TemporaryDirectory(prefix="streamgage-") as folder:
        paths = {}
        for variable, text in line.files.items():
            path = Path(folder) / variable.lower()
            path.write_text(text, "utf-8")
            paths[variable] = str(path)
        yield Call(line.arguments, {**environment, **line.variables, **paths})
