"""A program with its threads on given CPUs."""

from __future__ import annotations

import sys
from typing import Annotated

from streamgage.api.declaration import Form, command
from streamgage.api.values import Command, Output, as_path, words_of
from streamgage.errors import UsageError
from streamgage.process.this_machine import expand
from streamgage.show.output import open_output
from streamgage.tools.pin import run as study

EXAMPLES = (
    ("streamgage pin S0:0-1 --show", "Which CPUs these are, drawn."),
    ("streamgage pin S0:0-1 -v -- ./program", "Run there, and say where each thread was."),
    ("streamgage pin E:N:2:1:2 -- ./program", "A thread on every other hardware thread."),
)
EXIT_STATUSES = {
    "0": "The CPUs were shown; with a program, any status is the program's own.",
    "126, 127": "The program cannot be run; there is no such program.",
    "128 + n": "The program was ended by signal n.",
}


@command()
def pin(
    expression: Annotated[str, Form("EXPR")],
    program: Annotated[Command | None, Form("[-- CMD ...]", many=True)] = None,
    *,
    show: bool = False,
    skip: Annotated[str | None, Form("LIST|MASK")] = None,
    allow_oversubscribe: bool = False,
    verbose: Annotated[bool, Form("", flags=("-v", "--verbose"))] = False,
    output: Output = None,
) -> int:
    """Run a program with its threads on given CPUs, or show which CPUs these are.

    Args:
        expression: CPUs, e.g. 0-3,8 or S0:0-3 or E:N:8:1:2.
        program: Program to run there.
        show: Draw the machine with these CPUs marked; run nothing.
        skip: Threads not to bind, from 0 as they are made: 0,2 or 0x5, or main.
        allow_oversubscribe: Let several threads share a CPU that is named.
        verbose: Say on stderr where each thread ran.
        output: Write that to FILE, not to stderr.
    """
    words = words_of(program)
    if show == bool(words):
        raise UsageError(
            "pin shows CPUs or runs a program there: give either --show, or -- and a command such"
            " as -- ./program."
        )
    skipped = study.parse_skip(skip)
    if show:
        return _show(expression, allow_oversubscribe)
    if output is not None:
        with open_output(as_path("-o", output)) as out:
            outcome = study.run(expression, words, skip=skipped, oversubscribe=allow_oversubscribe)
            out.write(_report(outcome))
    else:
        outcome = study.run(expression, words, skip=skipped, oversubscribe=allow_oversubscribe)
        if verbose:
            print(_report(outcome), end="", file=sys.stderr)
    _warn(outcome)
    return outcome.exit_status


def _show(expression: str, oversubscribe: bool) -> int:
    from streamgage.show.terminal import terminal_for
    from streamgage.tools.pin.map import render

    with open_output(None) as out:
        expansion = expand(expression, oversubscribe=oversubscribe)
        out.write(render(expansion, terminal_for(None)))
    return 0


def _report(outcome: study.Outcome) -> str:
    from streamgage.tools.pin.page import render

    return render(outcome)


def _warn(outcome: study.Outcome) -> None:
    from streamgage.tools.pin.page import warnings

    for sentence in warnings(outcome):
        print(f"streamgage: {sentence}", file=sys.stderr)
