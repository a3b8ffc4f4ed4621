"""What the help shows: questions, everyday options, examples; with ``--help-all`` everything.

A command's module keeps its examples in ``EXAMPLES``: a command line and what it does, for each.
The manual pages and the documentation show the same ones, and a test runs every line. ``ANSWERS``
is the question that it answers.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from copy import copy
from typing import Any, Protocol

from typer.core import TyperCommand, TyperGroup

Examples = Sequence[tuple[str, str]]

HELP_ALL = "--help-all"
"""Shows every option, command and example; ``--help`` only the everyday ones, in short."""
PROGRAM = (
    ("streamgage", "Measure this machine's memory and say what the number means."),
    ("streamgage doctor", "Is this environment fit to measure?"),
    ("streamgage scale -o scale.svg", "How does bandwidth grow with the threads?"),
    ("streamgage pin S0:0-1 -- ./program", "Run a program with its threads on these cores."),
    ("streamgage explain write-allocate", "What does a finding mean?"),
)
_VERBATIM = "\b\n"
"""A mark that keeps click from joining the lines of a paragraph."""
_EVERYDAY = frozenset(
    (
        *("device", "kernels", "kernel", "stores", "threads", "cpus", "size", "quick", "thorough"),
        *("n", "rounds", "from_", "to", "time_regex", "asm", "names"),
        *("expect", "baseline", "limit", "nodes", "page", "rows", "drain", "since", "fail_below"),
        *("format", "output", "details", "wait_idle"),
    )
)
"""Options that a command's short help shows, if it has more than fit on a screen."""
_FEW = 12
"""So many options are all shown."""
_MOST_EXAMPLES = 2
"""So many examples are shown next to everyday options."""
_WIDTH = 80
_LINE = 46
"""So many letters of an option's text fit on a line."""
_CLAUSE = re.compile(r"(?<!e\.g)[.;](?= )")
"""Where a text can be cut."""
_ALL: ContextVar[bool] = ContextVar("all", default=False)


@contextmanager
def whole_help() -> Iterator[None]:
    """Show everything in the help that is printed in this context."""
    before = _ALL.set(True)
    try:
        yield
    finally:
        _ALL.reset(before)


class _Formatter(Protocol):
    def section(self, name: str) -> AbstractContextManager[None]: ...

    def write_text(self, text: str) -> None: ...

    def write(self, string: str) -> None: ...


def as_text(examples: Examples) -> str:
    """Write each command line, and what it does below it."""
    return "\n".join(f"{line}\n    {does}" for line, does in examples)


class CommandWithExamples(TyperCommand):
    """A command whose epilog are its examples."""

    examples: Examples = ()
    everyday: Collection[str] = ()
    """Options of its own that are everyday ones."""

    def format_options(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - of click
        """Write the everyday options in short, or all of them."""
        everything = self.params
        if not _ALL.get():
            rare = self._rare()
            self.params = [_in_short(each) for each in everything if each not in rare]
        try:
            super().format_options(ctx, formatter)
        finally:
            self.params = everything

    def format_epilog(self, ctx: object, formatter: _Formatter) -> None:
        """Write the examples as a section of their own."""
        rare = [] if _ALL.get() else self._rare()
        shown = self.examples[:_MOST_EXAMPLES] if rare else self.examples
        if shown:
            with formatter.section("Examples"):
                formatter.write_text(_VERBATIM + as_text(shown))
        more = [f"lists {len(rare)} more options"] if rare else []
        if any(_is_cut(each) for each in self.params if each not in rare):
            more.append("says more of these")
        if more and not _ALL.get():
            formatter.write(f"\n{HELP_ALL} {' and '.join(more)}.\n")

    def _rare(self) -> list[Any]:
        """The options that only the whole help shows."""
        options = [
            each
            for each in self.params
            if each.param_type_name == "option" and not getattr(each, "hidden", False)
        ]
        if len(options) <= _FEW:
            return []
        return [each for each in options if each.name not in {*_EVERYDAY, *self.everyday}]


def _in_short(parameter: Any) -> Any:  # noqa: ANN401 - of click
    """The parameter with a help of its first clauses: all that fit on a line, at least one."""
    short = copy(parameter)
    whole = short.help or ""
    ends = [each.start() for each in _CLAUSE.finditer(whole)]
    if len(whole) > 2 * _LINE and ends:
        end = max((end for end in ends if end <= _LINE), default=ends[0])
        short.help = f"{whole[:end].rstrip('. ,')}."
    return short


def _is_cut(parameter: Any) -> bool:  # noqa: ANN401 - of click
    is_shown = not getattr(parameter, "hidden", False)
    return is_shown and _in_short(parameter).help != parameter.help


class ProgramWithExamples(TyperGroup):
    """The program: its commands by question, or all commands with examples."""

    questions: Mapping[str, Sequence[str]] = {}
    """The commands that answer each question."""

    def format_options(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - of click
        """Write options and commands, or only which command answers which question."""
        if _ALL.get():
            super().format_options(ctx, formatter)
            return
        first = max(map(len, self.questions)) + 3
        formatter.write("\n")
        for question, names in self.questions.items():
            lines = textwrap.wrap(
                ", ".join(each.replace(" ", "\0") for each in names),
                _WIDTH - first - 1,
                break_long_words=False,
            )
            for number, line in enumerate(lines):
                start = question if number == 0 else ""
                formatter.write(f" {start:<{first}}{line}\n".replace("\0", " "))

    def format_epilog(self, ctx: object, formatter: _Formatter) -> None:
        """Write the examples, then the epilog; or where more is to be read."""
        if not _ALL.get():
            formatter.write(f"\n {_SHORT_EPILOG}\n")
            return
        with formatter.section("Examples"):
            formatter.write_text(_VERBATIM + as_text(PROGRAM))
        super().format_epilog(ctx, formatter)  # type: ignore[arg-type]


_SHORT_EPILOG = (
    "streamgage alone is streamgage measure. --help behind a command shows its\n"
    f" everyday options, {HELP_ALL} all; {HELP_ALL} alone lists every command."
)
