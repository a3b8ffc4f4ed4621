"""Measures bandwidth and latency from each NUMA node's CPUs to the memory of each node."""

from __future__ import annotations

from typing import Unpack

from streamgage.api.series import SeriesRun
from streamgage.measurement.measurement import Measurement, SeriesOptions, rounds_of
from streamgage.options.declaration import command
from streamgage.options.drawing import drawn
from streamgage.options.question import Question
from streamgage.options.values import Kernels, Number, Size, bytes_of, names_of
from streamgage.results.numa import KIND, experiment
from streamgage.results.numa.document import Numa
from streamgage.results.preset import make_plan
from streamgage.show.picture_file import PICTURES

ANSWERS = Question.PARTS
EXAMPLES = (
    ("streamgage numa", "Measure from the CPUs of each NUMA node to the memory of each."),
    ("streamgage numa --quick -o matrix.svg", "The same in a third of the time, with a heat map."),
    ("streamgage numa --format mlc", "Print it in Intel MLC's format, for scripts that read it."),
)


@command(drawn(KIND, f"Draw a heat map in {PICTURES}, with its data in FILE.{{data}}"))
def numa(
    *,
    kernels: Kernels | None = None,
    size: Size | None = None,
    quick: bool = False,
    rounds: Number = 1,
    **options: Unpack[SeriesOptions],
) -> SeriesRun[Numa]:
    """Measure from each NUMA node's CPUs to the memory of each.

    Both bandwidth and latency are measured.

    Args:
        kernels: Kernels to measure; default: sum,triad.
        size: Size of each array, e.g. 1GiB; default: 4x the last-level caches.
        quick: Measure each cell for a third of the time.
        rounds: Measure every cell this many times.
        **SeriesOptions

    Raises:
        UsageError: the request cannot be met.
        StreamgageError: no cell could be measured.
        MeasurementInterrupt: it was stopped; ``run`` has the cells measured before.
    """
    measurement = Measurement(options)
    how = rounds_of(rounds, options, give_way=options["give_way"])
    plan = make_plan(
        experiment.QUICK if quick else experiment.STANDARD,
        kernels=names_of("--kernels", kernels),
        stores=experiment.STORES,
        array_bytes=bytes_of("--size", size),
    )
    cells = experiment.cells_of_this_machine(plan)
    return measurement.returned(SeriesRun, measurement.in_rounds(experiment.numa, cells, how))
