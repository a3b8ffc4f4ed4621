"""Run a program with its threads on given CPUs."""

from __future__ import annotations

import os
import sys
from functools import partial
from typing import Annotated

from streamgage.errors import UsageError
from streamgage.options.declaration import Form, command
from streamgage.options.question import Question
from streamgage.options.values import (
    MOST_THREADS,
    Command,
    Number,
    Output,
    PathLike,
    as_path,
    whole_number,
    words_of,
)
from streamgage.process.this_machine import expand
from streamgage.programs.pin import run as pinned_run
from streamgage.programs.pin.memory import memory_policy_of
from streamgage.programs.pin.ranks import Share, share_of
from streamgage.show.output import open_output
from streamgage.show.wrap import say

ANSWERS = Question.PROGRAM
EXAMPLES = (
    ("streamgage pin S0:0-1 --show", "Draw the machine with these CPUs marked."),
    (
        "streamgage pin S0:0-1 -v -- ./program",
        "Run the program there, and say where each thread ran.",
    ),
    ("streamgage pin E:N:2:1:2 -- ./program", "Two threads, on every other hardware thread."),
    (
        "mpiexec -n 2 --bind-to none streamgage pin N --threads 1 -- ./program",
        "Two MPI ranks, each on its own CPU.",
    ),
    (
        "streamgage pin N --memory interleave -- ./program",
        "Spread its pages over the NUMA nodes, one after the other.",
    ),
)
EXIT_STATUSES = {
    "0": "Success. If you gave a program, the exit status is that of the program.",
    "126, 127": "The program cannot be run; there is no such program.",
    "128 + n": "The program was ended by signal n.",
}


@command()
def pin(
    expression: Annotated[str, Form("EXPR")],
    program: Annotated[Command | None, Form("[-- CMD ...]", many=True)] = None,
    *,
    show: bool = False,
    threads: Number | None = None,
    memory: Annotated[str | None, Form("local|NODES|interleave")] = None,
    skip: Annotated[str | None, Form("LIST|MASK")] = None,
    allow_oversubscribe: bool = False,
    verbose: Annotated[bool, Form("", flags=("-v", "--verbose"))] = False,
    output: Output = None,
) -> int:
    """Run a program with its threads on given CPUs.

    Without a program it shows which CPUs these are.

    Args:
        expression: CPUs, e.g. 0-3,8 or S0:0-3 or E:N:8:1:2.
        program: Program to run there.
        show: Only draw the machine with these CPUs marked; run nothing.
        threads: Number of CPUs for the program, or for each MPI rank, from the start of the list;
            default for ranks: OMP_NUM_THREADS, or equal parts of the list.
        memory: Where memory comes from. local: the node of the CPU that first uses it; 0-1: only
            these NUMA nodes; interleave: the nodes of the CPUs in turn; interleave:0-1: these
            nodes in turn; default: as inherited, which is local unless numactl changed it.
        skip: Threads to leave unbound, by their number in order of creation, from 0: 0,2 or 0x5;
        or main.
        allow_oversubscribe: Let several threads share a CPU.
        verbose: Say on stderr where each thread ran.
        output: Write where each thread ran to FILE, not to stderr; %r in the name is the MPI
        rank's number.
    """
    words = words_of(program)
    if show == bool(words):
        raise UsageError(
            "pin shows CPUs or runs a program there: give either --show, or -- and a command such"
            " as -- ./program."
        )
    skipped = pinned_run.parse_skip(skip)
    number = whole_number("--threads", threads, 1, MOST_THREADS)
    if show:
        if number is not None or memory is not None:
            raise UsageError(
                "--threads and --memory only apply to a program: leave them out with --show."
            )
        return _show(expression, allow_oversubscribe)
    share = share_of(expression, number, oversubscribe=allow_oversubscribe)
    policy = None if memory is None else memory_policy_of(memory, share.expansion)
    run = partial(
        pinned_run.run,
        *(share, words),
        threads=number,
        skip=skipped,
        oversubscribe=allow_oversubscribe,
        policy=policy,
    )
    if output is not None:
        with open_output(as_path("-o", _name_of_rank(output, share)), quiet=True) as out:
            _announce(share)
            outcome = run()
            out.write(_report(outcome))
    else:
        _announce(share)
        outcome = run()
        if verbose:
            print(_report(outcome), end="", file=sys.stderr)
    _warn(outcome)
    return outcome.exit_status


def _announce(share: Share) -> None:
    if share.sentence is not None:
        say(share.sentence)


def _name_of_rank(output: PathLike, share: Share) -> PathLike:
    """The file's name, with the rank's number in place of ``%r``."""
    if share.rank is None:
        return output
    if "%r" not in os.fspath(output) and share.rank.of != 1:
        raise UsageError(
            f"-o {os.fspath(output)}: every rank writes its own file, so put %r, which becomes"
            " the rank's number, into the name, such as -o threads-%r.txt."
        )
    return os.fspath(output).replace("%r", str(share.rank.number))


def _show(expression: str, oversubscribe: bool) -> int:
    from streamgage.programs.pin.map import render
    from streamgage.show.terminal import terminal_for

    with open_output(None) as out:
        expansion = expand(expression, oversubscribe=oversubscribe)
        out.write(render(expansion, terminal_for(None)))
    return 0


def _report(outcome: pinned_run.PinnedRun) -> str:
    from streamgage.programs.pin.page import render

    return render(outcome)


def _warn(outcome: pinned_run.PinnedRun) -> None:
    from streamgage.programs.pin.page import warnings

    for sentence in warnings(outcome):
        say(sentence)
