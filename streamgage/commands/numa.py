"""Bandwidth and latency from each NUMA node's CPUs to the memory of each."""

from __future__ import annotations

from typing import Unpack

from streamgage.api.declaration import command
from streamgage.api.drawing import drawn
from streamgage.api.measurement import Measurement, SeriesOptions, rounds_of
from streamgage.api.series import SeriesRun
from streamgage.api.values import Names, Number, Size, as_list, as_size
from streamgage.results.numa import KIND
from streamgage.results.numa import experiment as study
from streamgage.results.numa.document import Numa

EXAMPLES = (
    ("streamgage numa", "CPUs of each NUMA node, memory of each."),
    ("streamgage numa --quick -o matrix.svg", "In a third of the time, with a heat map."),
)


@command(drawn(KIND, "Draw a heat map in FILE.svg or FILE.png, with its data in FILE.{data}"))
def numa(
    *,
    kernels: Names | None = None,
    size: Size | None = None,
    quick: bool = False,
    rounds: Number = 1,
    **options: Unpack[SeriesOptions],
) -> SeriesRun[Numa]:
    """Measure bandwidth and latency from the CPUs of each NUMA node to the memory of each.

    Args:
        kernels: Kernels; default: sum,triad.
        size: Size of each array, e.g. 1GiB; default: 4x the last-level caches.
        quick: A third of the time for a cell.
        rounds: Measure every cell so many times.
        **SeriesOptions

    Raises:
        UsageError: the request cannot be met.
        StreamgageError: no cell could be measured.
        Interrupted: it was stopped; ``run`` has the cells that were measured until then.
    """
    measurement = Measurement(options)
    how = rounds_of(rounds, options, give_way=options["give_way"])
    preset = study.QUICK if quick else study.STANDARD
    request = study.request_of(kernels=as_list(kernels), size=as_size(size), preset=preset)
    cells = study.cells_of_this_machine(request)
    return measurement.returned(SeriesRun, measurement.in_rounds(study.numa, cells, how))
