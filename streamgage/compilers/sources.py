"""Where the sources of the plain kernels are: in the package, or in the source folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from streamgage.errors import StreamgageError


@dataclass(frozen=True)
class Sources:
    """The loops in C (which is C++ as well) and in Fortran, and the folder of their headers."""

    c: Path
    fortran: Path
    include: Path


def find_sources() -> Sources:
    """Raises ``StreamgageError`` where they were not installed."""
    package = Path(__file__).resolve().parent.parent
    for include in (package / "sources", package.parent / "engine"):
        plain = include / "kernels" / "plain"
        found = Sources(plain / "plain.c", plain / "plain.f90", include)
        if found.c.is_file() and found.fortran.is_file():
            return found
    raise StreamgageError(
        "The sources of the plain kernels are not in the Python package: install streamgage anew."
    )
