"""Limits of the environment: CPUs, CPU time and memory."""

from __future__ import annotations

from streamgage.analysis.faults import LITTLE_THROTTLING
from streamgage.analysis.finding import Finding, Passed
from streamgage.analysis.traffic.refusals import least_bytes
from streamgage.cpu_list import count_cpus, name_nodes
from streamgage.results.measure.findings.context import Context
from streamgage.results.measure.findings.outcome import Outcome
from streamgage.units import count, format_bytes, format_ratio


def confined(context: Context) -> Outcome:
    """Fewer CPUs allowed to this process than are online."""
    machine = context.run.machine
    if machine is None:
        return None
    allowed, online = count_cpus(machine.allowed_cpus), count_cpus(machine.online_cpus)
    if allowed >= online:
        return Passed("confined", f"all {count(online, 'online CPU')} may be used")
    return Finding(
        code="confined",
        severity="note",
        reason=f"this process may use {allowed} of {online} CPUs",
        text=f"This process may use {allowed} of {online} online CPUs ({machine.allowed_cpus}): a"
        " launcher, taskset or a container confined it, so the figures are of those CPUs and not"
        " of the whole machine. Start it without the confinement to measure all of it.",
    )


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
            return Passed("cpu-quota", "no CPU quota")
        return Passed(
            "cpu-quota",
            f"the quota of {count(quota, 'CPU')} is enough for {count(threads, 'thread')}",
        )
    text = f"The cgroup grants the time of {count(quota, 'CPU')}" if quota is not None else ""
    text += f" to {count(threads, 'thread')}" if short else ""
    if throttled:
        text = f"{text}, and its" if text else "The cgroup has a CPU quota, and its"
        text += f" CPUs were stopped for {stopped:.2f} CPU-seconds in all"
    most = max(1, int(quota)) if quota is not None else threads
    remedy = (
        f"Use --threads {most}, or have the container's quota raised."
        if most < threads
        else "Have the container's quota raised, or stop what else runs in it."
    )
    return Finding(
        code="cpu-quota",
        severity="spoiled" if throttled else "warning",
        reason=(
            f"a CPU quota stopped the threads for {stopped:.2f} CPU-seconds"
            if throttled
            else f"the CPU quota is {count(quota or 0.0, 'CPU')} for {count(threads, 'thread')}"
        ),
        text=(
            f"{text}: throttled samples are too slow, and the binding of threads does not show it."
            f" {remedy}"
        ),
    )


def memory_cap(context: Context) -> Outcome:
    """Arrays made smaller because memory would not hold them."""
    memory = context.run.memory
    if memory is None:
        return None
    if memory.capped_by is None:
        return Passed("memory-cap", "memory did not limit the arrays")
    by, remedy = {
        "cgroup": ("the cgroup's memory limit", "Have the container's memory limit raised"),
        "nodes": (
            f"what is free on {name_nodes(memory.nodes or [])}",
            "Free memory there, name more nodes",
        ),
        "available": (
            "the memory that is available",
            "Free memory, measure on a machine with more",
        ),
    }[memory.capped_by]
    wanted = memory.asked_bytes or memory.rule_bytes
    return Finding(
        code="memory-cap",
        severity="warning",
        reason=f"memory for arrays of {format_bytes(memory.array_bytes)} only",
        text=f"The arrays are {format_bytes(memory.array_bytes)} each instead of"
        f" {format_bytes(wanted)}: {by} allows no more for"
        f" {count(len(memory.arrays), 'array')}. {remedy}, or measure kernels with fewer"
        " arrays (--kernels copy).",
    )


def below_rule(context: Context) -> Outcome:
    """Arrays below four times the last-level caches in use."""
    memory = context.run.memory
    if memory is None:
        return _reported_below_rule(context)
    caches = memory.last_level_cache_bytes
    machine = context.run.machine
    cached = machine is not None and machine.memory_side_caches
    last = "memory-side cache" if cached else "last-level cache"
    ratio = (
        f"{format_ratio(memory.array_bytes / caches)} the {last} in use"
        if caches
        else "below 10^6 elements"
    )
    if memory.array_bytes >= memory.rule_bytes:
        return Passed(
            "below-4x-rule",
            f"the arrays are {ratio}" if caches else "the arrays hold 10^6 elements",
        )
    if memory.asked_bytes is not None and memory.capped_by is None:
        remedy = f"Leave --size out, or use --size {_at_least(memory.rule_bytes)} or more."
    else:
        remedy = "The memory does not hold larger ones (see memory-cap)."
    return Finding(
        code="below-4x-rule",
        severity="spoiled" if caches and memory.array_bytes < caches else "warning",
        reason=f"arrays are {ratio}, below STREAM's 4x rule",
        text=f"Each array is {format_bytes(memory.array_bytes)}, {ratio}; STREAM's rule asks for"
        f" {format_bytes(memory.rule_bytes)}. Part of the data may come from the cache, and the"
        f" figures may be higher than the memory's. {remedy}",
    )


def _reported_below_rule(context: Context) -> Outcome:
    """The same rule for another benchmark's arrays, if their size and the caches are known."""
    reported, given = context.run.reported, context.given
    size = given.array_bytes or (reported.array_bytes if reported is not None else None)
    caches = given.last_level_cache_bytes
    if reported is None or size is None:
        return None
    least = least_bytes(reported.element_type)
    if caches is None and size >= least:
        return None
    rule = max(4 * (caches or 0), least)
    seen = (
        f"{format_ratio(size / caches)} the last-level caches given with --llc"
        if caches
        else "below 10^6 elements"
    )
    if size >= rule:
        return Passed("below-4x-rule", f"the arrays are {seen}")
    return Finding(
        code="below-4x-rule",
        severity="spoiled" if caches and size < caches else "warning",
        reason=f"arrays are {seen}, below STREAM's 4x rule",
        text=f"Each array is {format_bytes(size)}, {seen}; STREAM's rule asks for"
        f" {format_bytes(rule)}. Part of the data may come from the caches, and the figures"
        f" may be higher than the memory's. Run {reported.tool} again with larger arrays.",
    )


def _at_least(size: int) -> str:
    """A size that --size takes, rounded up to whole MiB."""
    return f"{-(-size // (1 << 20))}MiB"
