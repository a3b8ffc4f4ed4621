"""From the options of ``program`` to its result: its time by the memory's, or by another's."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, TypedDict

from streamgage.api.benchmark import BenchmarkTime
from streamgage.cpu_list import format_cpu_order
from streamgage.errors import UsageError
from streamgage.measurement.notes import Notes
from streamgage.measurement.runs_of_program import RunsOptions, timeout_of
from streamgage.options.declaration import Default, Form
from streamgage.options.values import (
    MOST_THREADS,
    NAME,
    Command,
    Cpus,
    Duration,
    Number,
    Seconds,
    bytes_of,
    duration_of,
    ratio_of,
    seconds_within,
    whole_number,
    words_of,
)
from streamgage.programs.ratio.judge import judge_ratio
from streamgage.programs.ratio.run import AgainstRequest, RatioRequest, run_ratio
from streamgage.records.plain_text import one_line
from streamgage.results.placement import placement_of
from streamgage.results.study.applications.template import refuse_placeholders
from streamgage.units import shortened

_MOST_ROUNDS = 10_000
_MOST_WARMUPS = 1000
_SIZE = 128 << 20
_LEAST_SIZE = 1 << 20
_LONGEST_NAME = 200
_ROUNDS = 10
_MARGIN = 0.02
_MOST_MARGIN = 1.0
_WITHIN_SECONDS = 60.0


class BenchmarkOptions(TypedDict, total=False):
    """Options for runs between probes of the memory.

    Args:
        warmups: With --ratio and --against: number of runs before, which do not count.
        probe: With --ratio and --against: length of a probe of the memory, from 0.05 to 60. In
            Python seconds.
        name: With --ratio and --against: what the program is called in the result; default: the
            name of its file.
    """

    warmups: Annotated[Number, Default(1)]
    probe: Annotated[Seconds, Default(0.3)]
    name: Annotated[str | None, NAME]


class AgainstOptions(TypedDict, total=False):
    """Options for the comparison of two programs.

    Args:
        margin: With --against: smaller differences count as equal.
        within: With --against: the longest time to look for a difference.
    """

    margin: Annotated[float | str, Form("SHARE"), Default(_MARGIN)]
    within: Annotated[Duration, Default("60s")]


class RatioOptions(BenchmarkOptions, AgainstOptions, RunsOptions, total=False):
    """Options of these modes."""

    against: Command | None
    progress: bool


def measure_ratio(words: Sequence[str], options: RatioOptions) -> BenchmarkTime:
    """Run the program between probes of the memory, alone or next to another program.

    Raises ``UsageError``, and ``StreamgageError`` if a program fails or the memory cannot be
    probed.
    """
    if not words:
        raise UsageError("No program is named: write it after --, such as -- ./benchmark.")
    refuse_placeholders((*words, *words_of(options["against"])), "--ratio and --against")
    size = bytes_of("--size", options["size"])
    if size is not None and size < _LEAST_SIZE:
        raise UsageError("--size is the size of each array of a probe: give 1MiB or more.")
    threads = options["threads"]
    if not isinstance(threads, int | str | None):
        raise UsageError("--threads is one number here: the threads of a probe.")
    other = _other(options)
    rounds = whole_number("--rounds", options["rounds"], 1, _MOST_ROUNDS)
    number = whole_number("--threads", threads, 1, MOST_THREADS)
    request = RatioRequest(
        command=words,
        name=_name(options["name"], words[0]),
        rounds=rounds or (_ROUNDS if other is None else _MOST_ROUNDS),
        warmups=whole_number("--warmups", options["warmups"], 0, _MOST_WARMUPS) or 0,
        probe_seconds=seconds_within("--probe", options["probe"], 0.05, 60.0),
        array_bytes=_SIZE if size is None else size,
        threads=number,
        cpus=_cpus(options["cpus"], number),
        most_seconds=timeout_of(options),
        against=other,
    )
    notes = Notes(options["progress"])
    total = request.rounds if other is None else None
    with notes.bar() as shown:
        runs = run_ratio(request, lambda done, what: shown.show(what, completed=done, total=total))
    return BenchmarkTime(judge_ratio(runs), tuple(notes.sentences))


def _cpus(cpus: Cpus | None, threads: int | None) -> str | None:
    """The CPUs of a probe's threads; ``None``: one per core. Raises ``UsageError``."""
    placement = placement_of(cpus, threads)
    if placement.kind == "cores":
        return None
    if placement.kind == "none":
        return placement.kind
    return placement.expression or format_cpu_order(placement.cpus or [])


def _other(options: RatioOptions) -> AgainstRequest | None:
    """The other program. Raises ``UsageError``."""
    if options["against"] is None:
        return None
    words = words_of(options["against"])
    if not words:
        raise UsageError("--against names a program, such as --against './old --size 1000'.")
    return AgainstRequest(
        command=words,
        name=_name(None, words[0]),
        margin=ratio_of("--margin", options["margin"], _MOST_MARGIN, str(_MARGIN)),
        within_seconds=duration_of("--within", options["within"]) or 0.0,
    )


def _name(name: str | None, program: str) -> str:
    chosen = Path(program).name if name is None else name
    if not chosen or len(chosen) > _LONGEST_NAME or one_line(chosen) != chosen:
        raise UsageError(
            f"--name {shortened(chosen)!r} is not a name of one line with up to {_LONGEST_NAME}"
            " letters: give another."
        )
    return chosen
