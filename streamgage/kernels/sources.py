"""Finds the sources to compile: in the installed package, or in the source folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from streamgage.errors import StreamgageError


@dataclass(frozen=True)
class Sources:
    """The plain loops in C (also valid C++) and in Fortran, and the folder of their headers."""

    c: Path
    fortran: Path
    include: Path


def find_sources() -> Sources:
    """Find the sources. Raises ``StreamgageError`` if they were not installed."""
    package = Path(__file__).resolve().parent.parent
    for include in (package / "sources", package.parent / "engine"):
        plain = include / "kernels" / "plain"
        found = Sources(plain / "plain.c", plain / "plain.f90", include)
        if found.c.is_file() and found.fortran.is_file():
            return found
    raise StreamgageError(
        "The sources of the plain kernels are not in the Python package: install streamgage again."
    )


@dataclass(frozen=True)
class KernelSources:
    """The sources that a user's own kernel is compiled with."""

    include: Path
    """The folder that has ``streamgage/kernel.h``."""
    fortran: Path
    """The module with the same types."""


def find_kernel_sources() -> KernelSources:
    """Find the sources. Raises ``StreamgageError`` if they were not installed."""
    package = Path(__file__).resolve().parent.parent
    for include in (package / "sources" / "include", package.parent / "library"):
        found = KernelSources(include, include / "streamgage" / "streamgage_kernel.f90")
        if (include / "streamgage" / "kernel.h").is_file() and found.fortran.is_file():
            return found
    raise StreamgageError(
        "streamgage/kernel.h is not in the Python package: install streamgage again."
    )
