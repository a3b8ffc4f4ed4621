"""Limits of the environment: CPUs, CPU time and memory."""

from __future__ import annotations

from typing import Literal

from msgspec import field

from streamgage.analysis.finding import Finding
from streamgage.cpu_list import count_cpus, name_nodes
from streamgage.records import warnings
from streamgage.records.quantities import (
    Amount,
    ByteCount,
    Count,
    Duration,
    Members,
    MembersFrom0,
    NumberList,
    Positions,
)
from streamgage.results.measure.facts.base import Fact
from streamgage.units import MIB, count, format_bytes, format_ratio


class Confined(Fact, frozen=True, kw_only=True, tag="confined"):
    """Fewer CPUs were allowed to the process than were online."""

    allowed: NumberList
    online: MembersFrom0

    def finding(self) -> Finding:
        """The finding, in words."""
        may = count_cpus(self.allowed)
        return self.said(
            reason=warnings.CONFINED_SHORT.format(may, self.online),
            text=warnings.CONFINED.format(may, self.online, self.allowed),
        )


class CpuQuota(Fact, frozen=True, kw_only=True, tag="cpu-quota"):
    """A CPU quota was below the number of threads, or stopped them."""

    quota: Amount | None = None
    """CPUs; ``None``: it was felt, but is not known."""
    threads: Members
    stopped_seconds: Duration | None = None
    """CPU-seconds for which it stopped the threads; ``None``: it did not."""

    def finding(self) -> Finding:
        """The finding, in words."""
        quota, threads, stopped = self.quota, self.threads, self.stopped_seconds
        granted = "" if quota is None else count(quota, "CPU")
        most = threads if quota is None else max(1, int(quota))
        remedy = (
            warnings.FEWER_FOR_THE_QUOTA.format(most)
            if most < threads
            else warnings.RAISE_THE_QUOTA
        )
        if stopped is not None:
            seen = warnings.QUOTA_FELT.format(granted and f" of {granted}", stopped)
            reason = warnings.QUOTA_FELT_SHORT.format(stopped)
        else:
            seen = warnings.QUOTA_TOO_SMALL.format(granted, count(threads, "thread"))
            reason = warnings.QUOTA_TOO_SMALL_SHORT.format(granted, count(threads, "thread"))
        return self.said(reason=reason, text=warnings.QUOTA.format(seen, remedy))


class MemoryCap(Fact, frozen=True, kw_only=True, tag="memory-cap"):
    """Arrays were made smaller because memory would not hold them."""

    array_bytes: ByteCount
    wanted_bytes: ByteCount
    arrays: Count
    capped_by: Literal["available", "cgroup", "nodes"]
    nodes: Positions = field(default_factory=list)
    """The nodes that memory was bound to."""

    def finding(self) -> Finding:
        """The finding, in words."""
        by, remedy = {
            "cgroup": ("the cgroup's memory limit", "Have the container's memory limit raised"),
            "nodes": (
                f"what is free on {name_nodes(self.nodes)}",
                "Free memory there, name more nodes",
            ),
            "available": (
                "the memory that is available",
                "Free memory, measure on a machine with more",
            ),
        }[self.capped_by]
        return self.said(
            reason=f"memory for arrays of {format_bytes(self.array_bytes)} only",
            text=f"The arrays are {format_bytes(self.array_bytes)} each instead of"
            f" {format_bytes(self.wanted_bytes)}: {by} allows no more for"
            f" {count(self.arrays, 'array')}."
            f" {remedy}, or measure kernels with fewer arrays (--kernels copy).",
        )


class BelowRule(Fact, frozen=True, kw_only=True, tag="below-4x-rule"):
    """Arrays were below four times the last-level caches in use, or below 10^6 elements."""

    array_bytes: ByteCount
    rule_bytes: ByteCount
    cache_bytes: ByteCount = 0
    """0: not known."""
    memory_side: bool = False
    """Whether the last cache is one in front of the memory."""
    by_choice: bool = False
    """Whether the size was asked for, and not what memory left."""
    tool: str | None = None
    """The other benchmark whose arrays they were."""
    unknown_processor: bool = False
    """Whether ``cache_bytes`` is the most that an unknown processor with such rates may have."""
    on_gpu: bool = False
    """Whether that processor is a GPU, and ``cache_bytes`` the most that any of them has."""
    few_elements: bool = False
    """Whether they had fewer than 10^6 elements, too few for caches of any size."""
    by_name: bool = False
    """Whether ``cache_bytes`` is the most that processors of that name have."""

    def finding(self) -> Finding:
        """The finding, in words."""
        if self.unknown_processor:
            return self._may_be_cached()
        if self.by_name and self.tool is not None:
            return self._of_processor(self.tool)
        seen = ratio_to_cache(
            self.array_bytes, self.cache_bytes, memory_side=self.memory_side, tool=self.tool
        )
        if self.tool is not None and not self.cache_bytes:
            return self._of_unknown_caches(self.tool)
        if self.tool is not None:
            remedy = f"Run {self.tool} again with larger arrays."
        elif self.by_choice:
            remedy = warnings.LARGER_ARRAYS.format(_whole_mib(self.rule_bytes))
        else:
            remedy = warnings.NO_LARGER_ARRAYS.format(" (see memory-cap)")
        return self.said(
            reason=f"arrays are {seen}, below STREAM's 4x rule",
            text=warnings.BELOW_RULE.format(
                format_bytes(self.array_bytes),
                seen,
                format_bytes(self.rule_bytes),
                "cache" if self.tool is None else "caches",
                remedy,
            ),
        )

    def _of_processor(self, tool: str) -> Finding:
        """The finding on a processor whose family is known, but not its caches."""
        array, caches = format_bytes(self.array_bytes), format_bytes(self.cache_bytes)
        return self.said(
            reason=f"arrays of {array} may be below STREAM's 4x rule",
            text=f"Each array is {array}, and such processors have up to {caches} of last-level"
            " caches; STREAM's rule asks for 4 times what they have. Part of the data may come from"
            " the caches, and the figures may be higher than the memory's. Give the size of the"
            f" caches with --llc, or run {tool} again with arrays of"
            f" {format_bytes(self.rule_bytes)}.",
        )

    def _may_be_cached(self) -> Finding:
        array, caches = format_bytes(self.array_bytes), format_bytes(self.cache_bytes)
        return self.said(
            reason=f"arrays of {array} may lie in caches",
            text=f"Each array is {array}, and a"
            f" {'GPU' if self.on_gpu else 'processor with such rates'} may have {caches} of"
            " last-level caches, which hold the two arrays of copy. The rates may not be those of"
            " the memory. Give the size of the caches with --llc, or run it again with larger"
            " arrays.",
        )

    def _of_unknown_caches(self, tool: str) -> Finding:
        """The finding on another benchmark's arrays, on a machine whose caches are not known."""
        size = format_bytes(self.array_bytes)
        few = ", below 10^6 elements" if self.few_elements else ""
        return self.said(
            reason=f"arrays of {size} fit into the caches of many machines",
            text=f"Each array is {size}{few}, and the last-level caches of many machines hold such"
            " arrays. Then the figures are those of a cache. Give --llc, the size of these caches,"
            f" or run {tool} again with arrays of {format_bytes(self.rule_bytes)} or more.",
        )


def ratio_to_cache(array: int, caches: int, *, memory_side: bool, tool: str | None) -> str:
    """``2x the last-level cache in use``."""
    if not caches:
        return warnings.FEW_ELEMENTS
    ratio = format_ratio(array / caches)
    if tool is not None:
        return f"{ratio} the last-level caches in use"
    if memory_side:
        return f"{ratio} the memory-side cache in use"
    return warnings.TIMES_THE_CACHE.format(ratio)


def _whole_mib(size: int) -> int:
    """A size in MiB, rounded up."""
    return -(-size // MIB)
