"""Bandwidth and latency from each NUMA node's CPUs to the memory of each."""

from __future__ import annotations

from streamgage.api.endings import returned
from streamgage.api.kept_series import ending_of, given_rounds, in_rounds
from streamgage.api.notes import Notes
from streamgage.api.series import NumaRun, just_measured
from streamgage.api.storing import OWN, Place, keeping_in
from streamgage.api.values import Names, Number, Size, as_list, as_size
from streamgage.results.numa import experiment as study


def numa(
    *,
    kernels: Names | None = None,
    size: Size | None = None,
    quick: bool = False,
    rounds: Number = 1,
    seed: Number | None = None,
    no_wait: bool = False,
    store: Place = OWN,
    progress: bool = True,
    give_way: bool = False,
) -> NumaRun:
    """Measure from the CPUs of each NUMA node to the memory of each: ``streamgage numa``.

    Args:
        kernels: kernels; default: sum and triad.
        size: size of each array; default: 4x the last-level caches.
        quick: a third of the time for a cell.
        rounds: measure every cell so many times.
        seed: seed of the order of measuring.
        no_wait: fail where another measurement runs, rather than wait.
        store: where to keep the result; see ``measure``.
        progress: draw a bar and print sentences; see ``measure``.
        give_way: give this process the lowest priority for its last run; see ``measure``.

    Raises:
        UsageError: the request cannot be met.
        StreamgageError: no cell could be measured.
        Interrupted: it was stopped; ``run`` has the cells that were measured until then.
    """
    notes = Notes(progress)
    keeping = keeping_in(store, notes)
    how = given_rounds(rounds, seed, no_wait=no_wait, give_way=give_way)
    preset = study.QUICK if quick else study.STANDARD
    request = study.request_of(kernels=as_list(kernels), size=as_size(size), preset=preset)
    cells = study.cells_of_this_machine(request)
    done = in_rounds(study.numa, cells, how, notes)
    ending = ending_of(done, keeping, notes)
    return returned(NumaRun(just_measured(done.answer, ending), ending), ending)
