"""A program beside STREAM."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from streamgage.api.kept_series import given_rounds
from streamgage.api.notes import Notes
from streamgage.api.ranks import given_ranks
from streamgage.api.series import StudyRun
from streamgage.api.storing import OWN, Place, keeping_in
from streamgage.api.studying import COMPACT, ROUNDS, Stream, imported, seconds_of, studied
from streamgage.api.values import (
    MOST_THREADS,
    Command,
    Number,
    PathLike,
    Size,
    choose,
    whole_number,
    words_of,
)
from streamgage.errors import UsageError
from streamgage.results.ranks import find_ranks
from streamgage.results.study.applications import Source, parse_template
from streamgage.results.study.applications.case import case_of, reader_of
from streamgage.results.study.experiment import StudyRequest


def study(
    command: Command | None = None,
    *,
    n: str | int | Iterable[int] | None = None,
    binding: str = COMPACT,
    time: str = "auto",
    time_regex: str | None = None,
    check_regex: str | None = None,
    kernel: str = "triad",
    threads: Number | None = None,
    size: Size | None = None,
    launcher: str | None = None,
    hosts: PathLike | None = None,
    timeout: Number | None = None,
    rounds: Number = ROUNDS,
    seed: Number | None = None,
    no_wait: bool = False,
    store: Place = OWN,
    import_: PathLike | None = None,
    progress: bool = True,
) -> StudyRun:
    """Compare how a program scales with how bandwidth does: ``streamgage study``.

    Args:
        command: the program with its arguments, in a list, or as one types them. ``{mpiexec}``:
            what starts its ranks; ``{n}``: their number, or that of threads; ``{log}``: a file to
            which it writes its times.
        n: numbers of workers, as ``counts`` of ``scale``; default: up to the cores.
        binding: ``compact``, ``scatter``, ``smt``, ``none``, ``omp-close``, ``omp-spread``,
            ``launcher``, or a placement expression.
        time: where its times come from: ``petsc`` (its log as CSV), ``json`` (lines), ``wall`` (the
            clock); ``auto``: what ``{log}`` holds, else the clock.
        time_regex: its time is what the one match's first group says.
        check_regex: a run is good where this matches what it prints.
        kernel: STREAM's kernel.
        threads: with ``{mpiexec}``: threads of each rank.
        size: of each array of STREAM; default: 4x the caches.
        launcher: with ``{mpiexec}``: what starts the ranks.
        hosts: with ``{mpiexec}``: a file that names a host a line.
        timeout: seconds that one run may take (3600).
        rounds: run STREAM and the program so many times at each number of workers.
        seed: seed of the order of running.
        no_wait: fail where another measurement runs, rather than wait.
        store: where to keep the result; see ``measure``.
        import_: run nothing, and read the files of a folder: ``stream-N[-ROUND].jsonl``, or
            ``.txt`` of another benchmark, with ``program-N[-ROUND].log`` and ``.txt`` for what it
            printed. It is not kept.
        progress: draw a bar and print sentences; see ``measure``.

    Raises:
        UsageError: the request cannot be met.
        StreamgageError: no point could be measured. Runs that fail are gaps, and ``exit_status`` is
            1.
        Interrupted: it was stopped; ``run`` has what was measured until then.
    """
    words = words_of(command)
    notes = Notes(progress)
    source = choose(Source, "--time", time)
    pattern = _pattern("--time-regex", time_regex)
    check = _pattern("--check-regex", check_regex)
    if import_ is not None:
        of_runs = {
            "a command": words or None,
            "--n": n,
            "--size": size,
            "--threads": threads,
            "--launcher": launcher,
            "--hosts": hosts,
            "--timeout": timeout,
            "--seed": seed,
            "--binding": None if binding == COMPACT else binding,
            "--rounds": None if str(rounds) == str(ROUNDS) else rounds,
            "--no-wait": no_wait or None,
            "--store": None if store in (None, OWN) else store,
            "--no-store": True if store is None else None,
        }
        given = next((name for name, value in of_runs.items() if value is not None), None)
        if given is not None:
            raise UsageError(f"--import runs nothing: leave out {given}.")
        read = reader_of(source, pattern, check, wants_log=False)
        return imported(Path(import_), read, kernel, notes)
    keeping = keeping_in(store, notes)
    how = given_rounds(rounds, seed, no_wait=no_wait, give_way=False)
    template = parse_template(words)
    of_ranks = {"--threads": threads, "--launcher": launcher, "--hosts": hosts}
    alone = [name for name, value in of_ranks.items() if value is not None]
    if alone and not template.has_ranks:
        raise UsageError(
            f"{alone[0]} is for MPI ranks: write {{mpiexec}} before the program, or leave it out."
        )
    by_ranks = given_ranks(
        "1" if template.has_ranks else None, launcher, hosts, None, oversubscribe=False
    )
    of_each = whole_number("--threads", threads, 1, MOST_THREADS)
    stream = Stream(kernel, size, n, binding).request(
        None if by_ranks is None else find_ranks(by_ranks, of_each)
    )
    case = case_of(template, source, pattern, check)
    return studied(StudyRequest((case,), stream, seconds_of(timeout)), how, keeping, notes)


def _pattern(option: str, text: str | None) -> re.Pattern[str] | None:
    if text is None:
        return None
    try:
        return re.compile(text, re.MULTILINE)
    except re.error as error:
        raise UsageError(f"{option} {text!r} is no regular expression: {error}.") from error
