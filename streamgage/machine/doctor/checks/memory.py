"""Checks whether large enough arrays fit into memory, and how the kernel handles their pages."""

from __future__ import annotations

from streamgage.machine.doctor.checks.surroundings import Surroundings
from streamgage.machine.doctor.document import Check, State, unknown_check
from streamgage.records import Machine
from streamgage.units import count, format_bytes

_SYS_HIDDEN = "/sys is not mounted here"
ARRAYS = 4
"""The most arrays that a kernel needs, as in a = b + c*d."""
_LEAST_BYTES = 8_000_000
"""The least size of an array by STREAM's rules: 10^6 elements of eight bytes."""
_USED_SHARE = 0.9
"""The share of the free memory that the engine uses."""


def memory(surroundings: Surroundings) -> Check:
    """Compare the available memory with the 4x rule."""
    free, size = surroundings.machine.memory_available_bytes, surroundings.machine.memory_bytes
    if free is None or size is None:
        reason = surroundings.why_unknown("memory_available_bytes", "memory_bytes")
        return unknown_check("memory", reason or "the kernel does not report it")
    return _against_rule(
        surroundings,
        "memory",
        free,
        f"{format_bytes(free)} of {format_bytes(size)} are available",
        "end programs that use much memory (ps aux --sort=-rss), or measure only copy, which"
        " needs two arrays: streamgage measure --kernels copy",
    )


def memory_limit(surroundings: Surroundings) -> Check:
    """Compare the memory limit of the cgroup with the 4x rule."""
    machine = surroundings.machine
    limit, free = machine.memory_limit_bytes, machine.memory_limit_free_bytes
    reason = surroundings.why_unknown("memory_limit_bytes")
    if reason is not None:
        return unknown_check("memory-limit", reason)
    if limit is None or free is None:
        return Check(code="memory-limit", state="passed", seen="no memory limit")
    return _against_rule(
        surroundings,
        "memory-limit",
        free,
        f"the cgroup leaves {format_bytes(free)} of its limit of {format_bytes(limit)}",
        "docker update --memory=SIZE CONTAINER, Slurm's --mem=0, or MemoryMax= of the systemd unit",
    )


_WHY_CACHED = {
    False: "arrays smaller than 4 times the last-level caches in use stay partly in the caches, so"
    " figures are higher than those of memory",
    True: "arrays smaller than 4 times the memory-side caches stay partly in them, so figures are"
    " higher than those of the memory behind them",
}


def _against_rule(
    surroundings: Surroundings, code: str, free: int, seen: str, remedy: str
) -> Check:
    reason = surroundings.why_unknown("caches")
    caches = surroundings.machine.last_caches_before_memory(surroundings.obtainable)
    if reason is not None and caches == 0:
        return Check(
            code=code,
            state="unknown",
            seen=f"{seen}; it is unknown whether that is enough, because no caches are known:"
            f" {reason}",
        )
    each = max(4 * caches, _LEAST_BYTES)
    wanted = f"{ARRAYS} arrays of {format_bytes(each)}"
    if ARRAYS * each <= _USED_SHARE * free:
        return Check(code=code, state="passed", seen=f"{seen}: enough for {wanted} (the 4x rule)")
    return Check(
        code=code,
        state="spoils",
        seen=f"{seen}: too little for {wanted}",
        why=_WHY_CACHED[bool(surroundings.machine.memory_side_caches)],
        remedies=[remedy],
    )


def huge_pages(surroundings: Surroundings) -> Check:
    """Check whether arrays get transparent huge pages."""
    machine = surroundings.machine
    setting = machine.huge_pages
    if setting is None:
        reason = surroundings.why_unknown("huge_pages") or "the kernel does not report it"
        if reason == _SYS_HIDDEN:
            reason = f"{reason}; mount it"
        return unknown_check("huge-pages", reason)
    size = f", {format_bytes(machine.huge_page_bytes)} each" if machine.huge_page_bytes else ""
    if setting == "always":
        return Check(code="huge-pages", state="passed", seen=f"always{size}")
    switch = "/sys/kernel/mm/transparent_hugepage/enabled"
    why, remedies = {
        "madvise": (
            "only programs that ask for huge pages get them, as streamgage does; others have"
            f" pages of {format_bytes(machine.page_bytes or 4096)} and lose some bandwidth",
            [f"echo always > {switch}"],
        ),
        "never": (
            "looking up many small pages costs time: figures may be some percent low",
            [f"echo madvise > {switch}"],
        ),
        "unavailable": (
            "looking up many small pages costs time: figures may be some percent low",
            ["a kernel with CONFIG_TRANSPARENT_HUGEPAGE"],
        ),
    }[setting]
    state: State = "advice"
    return Check(
        code="huge-pages", state=state, seen=f"{setting}{size}", why=why, remedies=remedies
    )


def numa_balancing(surroundings: Surroundings) -> Check:
    """Check automatic NUMA balancing, which matters if there are several nodes."""
    machine: Machine = surroundings.machine
    reason = surroundings.why_unknown("numa_balancing")
    if reason is not None:
        return unknown_check("numa-balancing", reason)
    hidden = surroundings.why_unknown("numa_nodes")
    nodes = (
        f"the number of NUMA nodes is unknown ({hidden})"
        if hidden
        else count(len(machine.numa_nodes), "NUMA node")
    )
    if machine.numa_balancing is None:
        return Check(code="numa-balancing", state="unknown", seen=f"the kernel has none; {nodes}")
    on = "on" if machine.numa_balancing else "off"
    if hidden is not None and machine.numa_balancing:
        return unknown_check("numa-balancing", f"it is on, and {nodes}")
    if not machine.numa_balancing or len(machine.numa_nodes) < 2:
        return Check(code="numa-balancing", state="passed", seen=f"{on}; {nodes}")
    return Check(
        code="numa-balancing",
        state="advice",
        seen=f"{on}; {nodes}",
        why="the kernel regularly unmaps pages to find out which node uses them, and may move them",
        remedies=["sysctl kernel.numa_balancing=0"],
    )
