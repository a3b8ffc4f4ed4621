"""Makes a Python environment with streamgage and its dependencies, but without extras.

Its packages are links to those of the environment that runs the tests.
"""

from __future__ import annotations

import sys
import venv
from collections.abc import Iterator
from importlib.metadata import Distribution, distribution
from pathlib import Path

from packaging.requirements import Requirement

PROGRAM = "#!{python}\nfrom streamgage.__main__ import main\nmain()\n"


def make_core_environment(folder: Path) -> Path:
    """Make the environment, and return the path of its ``streamgage``."""
    venv.create(folder, symlinks=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    for each in {e.metadata["Name"]: e for e in _with_dependencies("streamgage")}.values():
        for name in _top_level(each):
            (packages / name).symlink_to(str(each.locate_file(name)))
    programs = folder / "bin"
    for engine in Path(sys.executable).parent.glob("streamgage-engine*"):
        (programs / engine.name).symlink_to(engine)
    program = programs / "streamgage"
    program.write_text(PROGRAM.format(python=programs / "python"), "utf-8")
    program.chmod(0o755)
    return program


def _with_dependencies(name: str) -> Iterator[Distribution]:
    found = distribution(name)
    yield found
    for each in map(Requirement, found.requires or ()):
        if each.marker is None or each.marker.evaluate({"extra": ""}):
            yield from _with_dependencies(each.name)


def _top_level(of: Distribution) -> set[str]:
    """The names that a package has in the folder of packages."""
    tops = {each.parts[0] for each in of.files or ()}
    return {name for name in tops if name not in ("..", "__pycache__")}
