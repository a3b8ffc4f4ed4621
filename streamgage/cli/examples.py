"""The examples of a command, at the end of its help.

A command's module keeps them in ``EXAMPLES``: a command line and what it does, for each. The manual
pages and the documentation show the same ones, and a test runs every line.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from typer.core import TyperCommand, TyperGroup

Examples = Sequence[tuple[str, str]]

PROGRAM = (
    ("streamgage", "Measure this machine's memory and say what the number means."),
    ("streamgage doctor", "Is this environment fit to measure?"),
    ("streamgage scale -o scale.svg", "How does bandwidth grow with the threads?"),
    ("streamgage pin S0:0-1 -- ./program", "Run a program with its threads on these cores."),
    ("streamgage explain write-allocate", "What does a finding mean?"),
)
_VERBATIM = "\b\n"
"""A mark that keeps click from joining the lines of a paragraph."""


class _Formatter(Protocol):
    def section(self, name: str) -> AbstractContextManager[None]: ...

    def write_text(self, text: str) -> None: ...


def as_text(examples: Examples) -> str:
    """Write each command line, and what it does below it."""
    return "\n".join(f"{line}\n    {does}" for line, does in examples)


class CommandWithExamples(TyperCommand):
    """A command whose epilog are its examples."""

    def format_epilog(self, ctx: object, formatter: _Formatter) -> None:
        """Write the examples as a section of their own."""
        if self.epilog:
            with formatter.section("Examples"):
                formatter.write_text(_VERBATIM + self.epilog)


class ProgramWithExamples(TyperGroup):
    """The program, with its own examples before its epilog."""

    def format_epilog(self, ctx: object, formatter: _Formatter) -> None:
        """Write the examples, then the epilog."""
        with formatter.section("Examples"):
            formatter.write_text(_VERBATIM + as_text(PROGRAM))
        super().format_epilog(ctx, formatter)  # type: ignore[arg-type]
