"""The same kernels many times, bound and unbound in turn."""

from __future__ import annotations

from streamgage.api.endings import returned
from streamgage.api.kept_series import ending_of, given_rounds, in_rounds
from streamgage.api.notes import Notes
from streamgage.api.series import RepeatRun, just_measured
from streamgage.api.storing import OWN, Place, keeping_in
from streamgage.api.values import (
    MOST_THREADS,
    Names,
    Number,
    Size,
    as_list,
    as_placements,
    as_size,
    whole_number,
)
from streamgage.results.measure.experiment import Request
from streamgage.results.placement_names import placement_names
from streamgage.results.repeat import experiment as study

MOST_ROUNDS = 10_000


def repeat(
    rounds: Number = 10,
    *,
    placements: Names = ("none", "cores"),
    kernels: Names | None = None,
    stores: Names = "plain",
    threads: Number | None = None,
    size: Size | None = None,
    quick: bool = False,
    seed: Number | None = None,
    no_wait: bool = False,
    store: Place = OWN,
    progress: bool = True,
    give_way: bool = False,
) -> RepeatRun:
    """Run the same kernels many times, bound and unbound in turn: ``streamgage repeat``.

    Args:
        rounds: runs of each placement.
        placements: placements to compare: ``none`` (not bound), ``cores``, or what ``cpus`` of
            ``measure`` takes.
        kernels: kernels; default: copy, scale, add and triad.
        stores: store modes.
        threads: number of threads; default: one a core.
        size: size of each array; default: 4x the last-level caches.
        quick: half as many samples in a run.
        seed: seed of the order of measuring.
        no_wait: fail where another measurement runs, rather than wait.
        store: where to keep the result; see ``measure``.
        progress: draw a bar and print sentences; see ``measure``.
        give_way: give this process the lowest priority for its last run; see ``measure``.

    Raises:
        UsageError: the request cannot be met.
        StreamgageError: the first run measured nothing.
        Interrupted: it was stopped; ``run`` has the runs that ended until then.
    """
    notes = Notes(progress)
    keeping = keeping_in(store, notes)
    how = given_rounds(rounds, seed, no_wait=no_wait, give_way=give_way, option="N")
    request = Request(
        kernels=as_list(kernels),
        stores=as_list(stores),
        threads=whole_number("--threads", threads, 1, MOST_THREADS),
        size=as_size(size),
        tune="never",
        preset=study.QUICK if quick else study.STANDARD,
        checks=False,
    )
    names = placement_names(as_placements(placements), "--placements")
    compared = study.conditions(request, names)
    done = in_rounds(study.repeat, compared, how, notes)
    ending = ending_of(done, keeping, notes)
    return returned(RepeatRun(just_measured(done.answer, ending), ending), ending)
