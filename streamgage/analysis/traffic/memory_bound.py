"""Whether a table by itself shows that memory, and not the cores, was the limit.

Where memory is the limit, kernels that write and never write-allocate (update, daxpy, sdaxpy) have
the same bandwidth within about 10 %, whatever their mix. Where it is not, the time has little to do
with the bytes, and a kernel with more streams gets more: 40 % more from update to sdaxpy on one
thread of a Xeon E5-2660 v2, 3 % on all ten (README of RRZE-HPC/TheBandwidthBenchmark).
"""

from __future__ import annotations

from streamgage.analysis.statistics.intervals import median
from streamgage.analysis.traffic.timing import Timing, avoids_read
from streamgage.analysis.user_facts import Given
from streamgage.units import format_share

ALIKE = 0.15
"""Greatest difference of those bandwidths that memory can explain."""
_ELEMENTS = {"update": 2, "daxpy": 3, "sdaxpy": 4, "bracket": 5}
"""Elements that one iteration moves."""


def not_memory_bound(timing: Timing, given: Given) -> str | None:
    """What speaks against memory as the limit of another benchmark's run; null: nothing."""
    reported = timing.run.reported
    threads = given.threads or (reported.threads if reported else None)
    cores = given.cores or (reported.cores if reported else None)
    if threads == 1 and cores != 1:
        return "one thread rarely uses up the memory's bandwidth, and nothing shows that this did"
    rates = {}
    for kernel, elements in _ELEMENTS.items():
        fastest = timing.fastest(kernel, lambda variant: not avoids_read(variant))
        if fastest is not None:
            rates[kernel] = elements / median(sorted(timing.of(fastest).values()))
    if len(rates) < 2:
        return None
    slow, fast = min(rates, key=lambda name: rates[name]), max(rates, key=lambda name: rates[name])
    apart = rates[fast] / rates[slow] - 1
    if apart <= ALIKE:
        return None
    return (
        f"{fast} has {format_share(apart)} more bandwidth than {slow}, though neither reads"
        " anything because of a store: the cores were the limit, not the memory"
    )
