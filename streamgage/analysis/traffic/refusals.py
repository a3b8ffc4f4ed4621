"""Conditions under which nothing can be inferred: caches, steal time, two modes, scatter.

If memory is the limit, kernels that write and never write-allocate (update, daxpy, sdaxpy) have the
same bandwidth within about 10 %, in any mix of reads and writes. If it is not, times have little to
do with bytes, and a kernel with more streams gets more bandwidth: from update to sdaxpy 40 % more
on one thread of a Xeon E5-2660 v2, and 3 % on all ten (README of RRZE-HPC/TheBandwidthBenchmark).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from streamgage.analysis.machine.last_level_cache import cache_bytes_of
from streamgage.analysis.statistics.bootstrap import paired_ratios
from streamgage.analysis.statistics.intervals import median
from streamgage.analysis.statistics.modes import two_modes
from streamgage.analysis.traffic.reason import Reason, ReasonCode
from streamgage.analysis.traffic.timing import Times, Timing, avoids_read
from streamgage.analysis.user_facts import UserFacts
from streamgage.records import ElementType
from streamgage.records.run import ELEMENT_BYTES, Run

LEAST_ELEMENTS = 1_000_000
"""The least number of elements by STREAM's rule, for caches of any size."""
CACHE_BYTES_PER_GBPS = 1.5 * (1 << 20)
"""The last-level cache that may come with each GB/s of a nominal rate. Two EPYC 7002 have 512 MiB,
and 341 GB/s at 83 % of their peak of 409.6. Only processors with stacked caches have more."""
COMMON_CACHE_BYTES = 32 << 20
"""A last-level cache that processors of any bandwidth may have; servers have at least that."""
SLOW_GBPS = 1.0
"""The highest nominal rate of machines whose caches are at most ``SLOW_CACHE_BYTES``."""
SLOW_CACHE_BYTES = 16 << 20
"""The largest last-level cache of a processor below ``SLOW_GBPS``: twice the 8 MiB of workstations
of the 1990s. Boards with such rates have at most 2 MiB."""
GPU_CACHE_BYTES = 408 << 20
"""The largest last-level cache of a GPU: Intel's Max 1550 has 408 MiB (intel.com, Data Center GPU
Max 1550); AMD's MI300X has 256 MiB, and NVIDIA's have less."""
MOST_STEAL = 0.01
MODES_APART = 0.05
"""Two modes of a ratio that differ by less change alpha by no more than its systematic 0.15,
because (t_hi - t_lo) / t_hi is about a third."""
MOST_SPREAD = 0.25
"""The greatest (maximum - minimum) / median of repeated tables that still have one meaning."""
_SAME = 0.15
"""The greatest difference between those bandwidths that memory can explain."""
_ELEMENTS = {"update": 2, "daxpy": 3, "sdaxpy": 4, "bracket": 5}
"""The number of elements that one iteration moves."""


def small_arrays(run: Run, user_facts: UserFacts) -> Reason | None:
    """Why caches may have served a part of the data; ``None`` if nothing suggests it."""
    reported = run.reported.array_bytes if run.reported is not None else None
    measured = run.memory.array_bytes if run.memory is not None else None
    size = user_facts.array_bytes or reported or measured
    if size is None:
        return None
    least = least_bytes(run.reported.element_type if run.reported is not None else None)
    rule = run.memory.rule_bytes if run.memory is not None else least
    caches = known_caches(run, user_facts)
    if caches is not None:
        rule = max(4 * caches, least)
    if size < rule:
        return Reason(why=ReasonCode.SMALL_ARRAYS)
    possible = possible_caches(run, user_facts)
    if possible is not None and 2 * size < possible:
        return Reason(why=ReasonCode.MAY_BE_CACHED, bytes=possible)
    return None


def known_caches(run: Run, user_facts: UserFacts) -> int | None:
    """The last-level caches of another benchmark's run: as given, or by the processor's name."""
    if user_facts.last_level_cache_bytes is not None:
        return user_facts.last_level_cache_bytes
    if run.reported is None or run.reported.processor is None:
        return None
    return cache_bytes_of(run.reported.processor)


def possible_caches(run: Run, user_facts: UserFacts) -> int | None:
    """The last-level caches that an unknown processor with these rates may have, in bytes.

    The two arrays of copy must not fit into them. ``None`` if the processor or its caches are
    known.
    """
    if run.reported is None or run.reported.processor is not None:
        return None
    if user_facts.last_level_cache_bytes is not None:
        return None
    if run.reported.on_gpu:
        return GPU_CACHE_BYTES
    fastest = _fastest_gbps(run)
    if fastest is None:
        return None
    return max(common_caches(run), round(CACHE_BYTES_PER_GBPS * fastest))


def common_caches(run: Run) -> int:
    """The last-level caches that many processors with these rates have, in bytes."""
    fastest = _fastest_gbps(run)
    slow = fastest is not None and fastest < SLOW_GBPS
    return SLOW_CACHE_BYTES if slow else COMMON_CACHE_BYTES


def often_cached(run: Run) -> int:
    """The bytes of all arrays of a kernel that the caches of many such machines hold."""
    return 2 * common_caches(run)


def _fastest_gbps(run: Run) -> float | None:
    return max((rate.gbps for rates in run.rates.values() for rate in rates), default=None)


def least_bytes(element: ElementType | None) -> int:
    """The smallest array by STREAM's rule, in bytes, with elements of that type.

    ``None`` means double.
    """
    return LEAST_ELEMENTS * ELEMENT_BYTES[element or "double"]


def much_steal(run: Run) -> Reason | None:
    """Why the hypervisor spoils the times: steal above 1 % of the CPUs in use.

    ``None`` if it does not.
    """
    lost = [each.steal_seconds for each in run.disturbances if each.steal_seconds is not None]
    seconds = sum(each.seconds for each in run.disturbances) * (run.threads() or 0)
    if not lost or seconds <= 0 or sum(lost) / seconds <= MOST_STEAL:
        return None
    return Reason(why=ReasonCode.STEAL, share=sum(lost) / seconds, limit=MOST_STEAL)


def bimodal(times: Times, others: Sequence[Times]) -> Reason | None:
    """Why the times of a variant fall into two groups; ``None`` if they do not.

    The groups are searched in its ratios to the variants that it is compared with, block by block.
    What all of them do together (another placement of pages, another clock frequency) changes no
    ratio.
    """
    for other in others:
        modes = two_modes(paired_ratios(times, other))
        if modes is not None and modes.slow / modes.fast - 1 > MODES_APART:
            return Reason(why=ReasonCode.TWO_GROUPS, share=modes.slow / modes.fast - 1)
    return None


def scattered_tables(name: str, times: Times) -> Reason | None:
    """Why the times of repeated tables differ too much to be judged; ``None`` if they do not."""
    if len(times) < 2:
        return None
    ordered = sorted(times.values())
    spread = (ordered[-1] - ordered[0]) / median(ordered)
    if spread <= MOST_SPREAD:
        return None
    return Reason(why=ReasonCode.SCATTERED_TABLES, kernel=name, number=len(ordered), share=spread)


def not_memory_bound(timing: Timing, user_facts: UserFacts) -> Reason | None:
    """The evidence that memory did not limit another benchmark's run; ``None`` if there is none."""
    reported = timing.run.reported
    threads = user_facts.threads or (reported.threads if reported else None)
    cores = user_facts.cores or (reported.cores if reported else None)
    if threads == 1 and cores != 1:
        return Reason(why=ReasonCode.ONE_THREAD)
    rates = _rates_of_known_traffic(timing)
    return None if len(rates) < 2 else _apart(rates)


def device_not_memory_bound(timing: Timing) -> Reason | None:
    """Evidence against the memory of a device as the limit of its run; ``None``: it is the limit.

    On all of a device's compute units nothing but memory gives every mix of reads and writes the
    same bandwidth.
    """
    rates = _rates_of_known_traffic(timing)
    return Reason(why=ReasonCode.NOTHING_TO_COMPARE) if len(rates) < 3 else _apart(rates)


def _rates_of_known_traffic(timing: Timing) -> dict[str, float]:
    """Elements a second of the kernels that write and never write-allocate."""
    rates = {}
    for kernel, elements in _ELEMENTS.items():
        fastest = timing.fastest(kernel, lambda variant: not avoids_read(variant))
        if fastest is not None:
            rates[kernel] = elements / median(sorted(timing.of(fastest).values()))
    return rates


def _apart(rates: Mapping[str, float]) -> Reason | None:
    """The fastest and the slowest of these, if memory cannot explain the difference."""
    slow, fast = min(rates, key=lambda name: rates[name]), max(rates, key=lambda name: rates[name])
    apart = rates[fast] / rates[slow] - 1
    if apart <= _SAME:
        return None
    return Reason(why=ReasonCode.CORES, kernel=fast, kernels=[slow], share=apart)
