"""Latency of each cache and of memory."""

from __future__ import annotations

from streamgage.api.endings import Ending, returned
from streamgage.api.notes import Notes
from streamgage.api.series import LatencyRun, just_measured
from streamgage.api.storing import OWN, Place, keeping_in
from streamgage.api.values import (
    LARGEST_SEED,
    MOST_THREADS,
    Cpus,
    Names,
    Number,
    PathLike,
    Size,
    as_list,
    as_path,
    bytes_of,
    whole_number,
)
from streamgage.errors import UsageError
from streamgage.plan import Mix
from streamgage.results.latency import experiment as study
from streamgage.show.progress import StepsWatcher

MOST_ROUNDS = 1_000
MOST_STEPS = 32


def latency(
    *,
    from_: Size | None = None,
    to: Size | None = None,
    steps: Number = 2,
    mixes: Names = ("reads", "2:1", "1:1"),
    threads: Number | None = None,
    cpus: Cpus | None = None,
    quick: bool = False,
    rounds: Number = 5,
    seed: Number | None = None,
    records: PathLike | None = None,
    no_wait: bool = False,
    store: Place = OWN,
    progress: bool = True,
    give_way: bool = False,
) -> LatencyRun:
    """Measure latency, idle and while other threads load the memory: ``streamgage latency``.

    Args:
        from_: smallest working set; default: 8 KiB.
        to: largest; default: 4x the last-level cache, at most 1 GiB.
        steps: working sets for each doubling of the size.
        mixes: reads and writes of the load: ``reads``, ``2:1`` (reads to writes), ``1:1``;
            ``"none"`` or ``[]``: no load.
        threads: threads, one of which walks while the others load; default: one a core.
        cpus: CPUs to bind threads to; the first one's walks.
        quick: fewer paces of the load.
        rounds: measure everything so many times.
        seed: seed of the order of the measurements.
        records: keep the records in that file.
        no_wait: fail where another measurement runs, rather than wait.
        store: where to keep the result; see ``measure``.
        progress: draw a bar and print sentences; see ``measure``.
        give_way: give this process the lowest priority before measuring; see ``measure``.

    Raises:
        UsageError: the request cannot be met.
        NothingMeasuredError: the measurement failed before there was anything to return.
        Interrupted: it was stopped; ``run`` has what was measured until then.
    """
    notes = Notes(progress)
    keeping = keeping_in(store, notes)
    asked = study.LatencyRequest(
        low=bytes_of("--from", from_),
        high=bytes_of("--to", to),
        steps_an_octave=whole_number("--steps", steps, 1, MOST_STEPS) or 1,
        mixes=_mixes(mixes),
        shares=study.FEW_SHARES if quick else study.SHARES,
        threads=whole_number("--threads", threads, 1, MOST_THREADS),
        cpus=as_list(cpus),
        rounds=whole_number("--rounds", rounds, 1, MOST_ROUNDS) or 1,
        seed=whole_number("--seed", seed, 0, LARGEST_SEED),
    )
    planned = study.plan_of_this_machine(asked)
    with notes.bar() as shown:
        done = study.measure_latencies(
            planned,
            records_file=as_path("--records", records),
            watch=StepsWatcher(shown),
            note=notes,
            wait=not no_wait,
            keeping=keeping,
            last=give_way,
        )
    sentences = tuple(notes.sentences)
    ending = Ending(done.exit_status, done.failure, done.kept, keeping, sentences)
    run = None if done.answer is None else LatencyRun(just_measured(done.answer, ending), ending)
    return returned(run, ending)


def _mixes(given: Names) -> tuple[Mix, ...]:
    text = given if isinstance(given, str) else ",".join(given) or "none"
    if text.strip() == "none":
        return ()
    names = [name.strip() for name in text.split(",")]
    wrong = [name for name in names if name not in study.MIXES]
    if wrong:
        raise UsageError(
            f"--mixes {text!r} has {wrong[0]!r}: write some of {', '.join(study.MIXES)}, with"
            " commas between, or none."
        )
    return tuple(mix for mix in study.MIXES if mix in names)
