"""The installed library, and programs that are run with it."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from programs import REPOSITORY

EXAMPLES = REPOSITORY / "examples" / "library"


@dataclass(frozen=True)
class InstalledLibrary:
    """The folders of the installed library."""

    prefix: Path

    @property
    def headers(self) -> Path:
        """The folder of its headers."""
        return self.prefix / "include" / "streamgage"

    @property
    def libraries(self) -> Path:
        """The folder of the libraries."""
        (found,) = self.prefix.rglob("libstreamgage-cpp.a")
        return found.parent

    def run(self, *words: str | Path, folder: Path, **variables: str) -> str:
        """Run a command that finds the packages, and return its output; it must succeed."""
        packages = {"PKG_CONFIG_PATH": str(self.libraries / "pkgconfig")}
        return run(*words, folder=folder, **(packages | variables))


def run(*words: str | Path, folder: Path, **variables: str) -> str:
    """Run a command, and return its output; it must succeed."""
    done = subprocess.run(
        [*map(str, words)],
        cwd=folder,
        env=os.environ | variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout
