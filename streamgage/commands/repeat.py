"""Measures the same kernels many times, bound and unbound in turn."""

from __future__ import annotations

from typing import Unpack

from streamgage.api.series import SeriesRun
from streamgage.measurement.measurement import Measurement, SeriesOptions, rounds_of
from streamgage.options.arrays import ArrayOptions, array_setup
from streamgage.options.declaration import command
from streamgage.options.drawing import drawn
from streamgage.options.question import Question
from streamgage.options.values import (
    MOST_THREADS,
    Kernels,
    Names,
    Number,
    Size,
    Stores,
    bytes_of,
    names_of,
    whole_number,
)
from streamgage.results.placement import placement_names
from streamgage.results.preset import make_plan
from streamgage.results.repeat import KIND, experiment
from streamgage.results.repeat.document import Repeat
from streamgage.show.picture_file import PICTURES

ANSWERS = Question.MEMORY
EXAMPLES = (
    ("streamgage repeat 20 -o runs.svg", "Make 20 bound and 20 unbound runs, with a picture."),
    ("streamgage repeat 5 --quick --kernels triad", "Get a first impression with one kernel."),
)
_DOTS = f"Draw every run as a dot in {PICTURES}, with the data in FILE.{{data}}"


class Options(ArrayOptions, SeriesOptions, total=False):
    """Options that ``repeat`` shares with other commands."""


@command(drawn(KIND, _DOTS))
def repeat(
    rounds: Number = 10,
    *,
    placements: Names = ("none", "cores"),
    kernels: Kernels | None = None,
    stores: Stores = "plain",
    threads: Number | None = None,
    size: Size | None = None,
    quick: bool = False,
    **options: Unpack[Options],
) -> SeriesRun[Repeat]:
    """Run kernels many times, bound and unbound, and compare.

    Bound and unbound runs take turns.

    Args:
        rounds: Number of runs with each placement, e.g. 50.
        placements: Placements to compare: none (not bound), cores, or any value of --cpus of
            measure; separate them with semicolons if one has commas in it.
        kernels: Kernels to measure; default: copy,scale,add,triad.
        stores: Store modes: plain, regular, streaming, ...
        threads: Number of threads; default: one per core.
        size: Size of each array, e.g. 1GiB; default: 4x the last-level caches.
        **ArrayOptions
        quick: Take half as many samples per run.
        **SeriesOptions

    Raises:
        UsageError: the request cannot be met.
        StreamgageError: the first run measured nothing.
        MeasurementInterrupt: it was stopped; ``run`` has the runs that ended before.
    """
    measurement = Measurement(options)
    how = rounds_of(rounds, options, give_way=options["give_way"], option="N")
    plan = make_plan(
        experiment.QUICK if quick else experiment.STANDARD,
        kernels=names_of("--kernels", kernels),
        stores=names_of("--stores", stores),
        arrays=array_setup(options),
        array_bytes=bytes_of("--size", size),
    )
    names = placement_names(placements, "--placements")
    number = whole_number("--threads", threads, 1, MOST_THREADS)
    conditions = experiment.conditions(plan, names, number)
    return measurement.returned(
        SeriesRun, measurement.in_rounds(experiment.repeat, conditions, how)
    )
