"""How the kernels of a run were set up: the facts that belong to every figure."""

from __future__ import annotations

from streamgage.analysis.arrays import common_arrays
from streamgage.analysis.thread_places import places_of
from streamgage.cpu_list import format_cpu_list
from streamgage.records.run import Run
from streamgage.results.measure.document import Setup


def setup_of(run: Run) -> Setup | None:
    """The facts of ``run``; ``None`` where it did not come as far as to place its threads."""
    placement, memory, places = run.placement, run.memory, places_of(run)
    if memory is not None and run.device is not None:
        return Setup(
            threads=0,
            ranks=0,
            hosts=1,
            cores=None,
            cpus=None,
            arrays=len(common_arrays(memory)),
            array_bytes=memory.array_bytes,
            nodes=None,
            isas_named=False,
        )
    if placement is None or memory is None:
        return None
    bound = places if placement.bound else None
    return Setup(
        threads=len(placement.threads),
        ranks=len(placement.ranks or ()),
        hosts=max(1, len(placement.hosts)),
        cores=None if bound is None else bound.cores,
        cpus=None if bound is None else format_cpu_list(place.cpu for place in bound.usual),
        arrays=len(common_arrays(memory)),
        array_bytes=memory.array_bytes,
        nodes=memory.nodes,
        isas_named=run.plan is not None and run.plan.isas is not None,
    )
