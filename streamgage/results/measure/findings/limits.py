"""Limits of the environment: CPUs, CPU time and memory."""

from __future__ import annotations

from streamgage.analysis.finding import PassedCheck
from streamgage.analysis.peak.gates import HIGHEST
from streamgage.analysis.traffic.refusals import (
    known_caches,
    least_bytes,
    often_cached,
    possible_caches,
)
from streamgage.cpu_list import count_cpus
from streamgage.interop.kernels import arrays_of
from streamgage.records.warnings import LITTLE_THROTTLING
from streamgage.results.measure.facts.limits import (
    BelowRule,
    Confined,
    CpuQuota,
    MemoryCap,
    ratio_to_cache,
)
from streamgage.results.measure.findings.context import Context
from streamgage.results.measure.findings.outcome import Outcome
from streamgage.units import count


def confined(context: Context) -> Outcome:
    """Fewer CPUs allowed to this process than are online."""
    machine = context.run.machine
    if machine is None:
        return None
    allowed, online = count_cpus(machine.allowed_cpus), count_cpus(machine.online_cpus)
    if allowed >= online:
        return PassedCheck("confined", f"all {count(online, 'online CPU')} may be used")
    return Confined(severity="note", allowed=machine.allowed_cpus, online=online)


def cpu_quota(context: Context) -> Outcome:
    """A CPU quota below the number of threads, or one that stopped them."""
    run = context.run
    machine, threads = run.machine, run.threads()
    if machine is None or threads is None:
        return None
    if run.placement is not None and len(run.placement.hosts) > 1:
        threads = sum(place.host == machine.host for place in run.placement.threads)
    quota = machine.cpu_quota
    stopped = sum(each.throttled_seconds or 0.0 for each in run.disturbances)
    wall = sum(each.seconds for each in run.disturbances)
    throttled = stopped > LITTLE_THROTTLING * wall * threads
    short = quota is not None and quota < threads
    if not throttled and not short:
        if "cpu_quota" in machine.unknown:
            return None  # nothing was felt, and nobody can say that there is none
        if quota is None:
            return PassedCheck("cpu-quota", "no CPU quota")
        return PassedCheck(
            "cpu-quota",
            f"the quota of {count(quota, 'CPU')} is enough for {count(threads, 'thread')}",
        )
    return CpuQuota(
        severity="spoiled" if throttled else "warning",
        quota=quota,
        threads=threads,
        stopped_seconds=stopped if throttled else None,
    )


def memory_cap(context: Context) -> Outcome:
    """Arrays made smaller because memory would not hold them."""
    memory = context.run.memory
    if memory is None:
        return None
    if memory.capped_by is None:
        return PassedCheck("memory-cap", "memory did not limit the arrays")
    return MemoryCap(
        severity="warning",
        array_bytes=memory.array_bytes,
        wanted_bytes=memory.asked_bytes or memory.rule_bytes,
        arrays=len(memory.arrays),
        capped_by=memory.capped_by,
        nodes=memory.nodes or [],
    )


def below_rule(context: Context) -> Outcome:
    """Arrays below four times the last-level caches in use."""
    memory = context.run.memory
    if memory is None:
        return _reported_below_rule(context)
    caches = memory.last_level_cache_bytes
    machine = context.run.machine
    cached = machine is not None and bool(machine.memory_side_caches)
    if memory.array_bytes >= memory.rule_bytes:
        ratio = ratio_to_cache(memory.array_bytes, caches, memory_side=cached, tool=None)
        return PassedCheck(
            "below-4x-rule",
            f"the arrays are {ratio}" if caches else "the arrays hold 10^6 elements",
        )
    return BelowRule(
        severity="spoiled" if caches and memory.array_bytes < caches else "warning",
        array_bytes=memory.array_bytes,
        rule_bytes=memory.rule_bytes,
        cache_bytes=caches,
        memory_side=cached,
        by_choice=memory.asked_bytes is not None and memory.capped_by is None,
    )


def beyond_peak(context: Context) -> bool:
    """Return whether a rate exceeds the peak."""
    rates = [each.median_gbps for each in context.kernels if each.median_gbps is not None]
    return context.peak is not None and max(rates, default=0.0) > HIGHEST * context.peak.gbps


def _reported_below_rule(context: Context) -> Outcome:
    """The same rule for another benchmark's arrays, if their size and the caches are known."""
    reported, given = context.run.reported, context.given
    size = given.array_bytes or (reported.array_bytes if reported is not None else None)
    if reported is None or size is None:
        return None
    caches = known_caches(context.run, given)
    by_name = caches is not None and given.last_level_cache_bytes is None
    least = least_bytes(reported.element_type)
    if caches is None:
        arrays = max((arrays_of(each.kernel) for each in context.run.shown()), default=1)
        least = max(least, often_cached(context.run) // arrays)
    rule = max(4 * (caches or 0), least)
    possible = possible_caches(context.run, given)
    if size >= rule and possible is not None and 2 * size < possible:
        if beyond_peak(context):
            return None  # that says it
        return BelowRule(
            severity="warning",
            array_bytes=size,
            rule_bytes=possible // 2,
            cache_bytes=possible,
            tool=reported.tool,
            unknown_processor=True,
            on_gpu=reported.on_gpu,
        )
    if caches is None and size >= rule:
        return None
    if size >= rule:
        ratio = ratio_to_cache(size, caches or 0, memory_side=False, tool=reported.tool)
        least_ratio = f"at least {ratio}" if by_name else ratio
        return PassedCheck("below-4x-rule", f"the arrays are {least_ratio}")
    return BelowRule(
        severity="spoiled" if caches and size < caches and not by_name else "warning",
        array_bytes=size,
        rule_bytes=rule,
        cache_bytes=caches or 0,
        by_name=by_name,
        tool=reported.tool,
        few_elements=size < least_bytes(reported.element_type),
    )
