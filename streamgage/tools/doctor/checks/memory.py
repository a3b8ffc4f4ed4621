"""Whether memory holds arrays large enough, and what the kernel does with their pages."""

from __future__ import annotations

from streamgage.cpu_list import list_cpus
from streamgage.records import Machine
from streamgage.tools.doctor.checks.surroundings import Surroundings
from streamgage.tools.doctor.document import Check, State
from streamgage.units import count, format_bytes

ARRAYS = 4
"""Arrays of the kernel that needs the most: a = b + c*d."""
_LEAST_BYTES = 8_000_000
"""STREAM's 10^6 elements of eight bytes."""
_USED_SHARE = 0.9
"""The share of the free memory that the engine uses."""


def memory(surroundings: Surroundings) -> Check:
    """The available memory, compared with the 4x rule."""
    free = surroundings.machine.memory_available_bytes
    return _against_rule(
        surroundings,
        "memory",
        free,
        f"{format_bytes(free)} of {format_bytes(surroundings.machine.memory_bytes)} are available",
        "end what uses the memory (ps aux --sort=-rss), or streamgage measure --kernels copy,"
        " which needs two arrays",
    )


def memory_limit(surroundings: Surroundings) -> Check:
    """A cgroup's memory limit, compared with the 4x rule."""
    machine = surroundings.machine
    limit, free = machine.memory_limit_bytes, machine.memory_limit_free_bytes
    if limit is None or free is None:
        return Check(code="memory-limit", state="passed", seen="no memory limit")
    return _against_rule(
        surroundings,
        "memory-limit",
        free,
        f"the cgroup leaves {format_bytes(free)} of its limit of {format_bytes(limit)}",
        "docker update --memory=SIZE CONTAINER, Slurm's --mem=0, or MemoryMax= of the systemd unit",
    )


def _against_rule(
    surroundings: Surroundings, code: str, free: int, seen: str, remedy: str
) -> Check:
    each = max(4 * _last_level_cache_bytes(surroundings), _LEAST_BYTES)
    wanted = f"{ARRAYS} arrays of {format_bytes(each)}"
    if ARRAYS * each <= _USED_SHARE * free:
        return Check(code=code, state="passed", seen=f"{seen}: enough for {wanted} (the 4x rule)")
    return Check(
        code=code,
        state="spoils",
        seen=f"{seen}: too little for {wanted}",
        why="arrays below 4 times the last-level caches in use come partly from the caches, and"
        " figures are higher than the memory's",
        remedies=[remedy],
    )


def _last_level_cache_bytes(surroundings: Surroundings) -> int:
    """Sum of the last-level caches of the available CPUs."""
    return sum(
        cache.bytes
        for cache in surroundings.machine.last_level_caches
        for cpus in cache.cpus
        if surroundings.obtainable & set(list_cpus(cpus))
    )


def huge_pages(surroundings: Surroundings) -> Check:
    """Transparent huge pages."""
    machine = surroundings.machine
    setting = machine.huge_pages
    size = f", {format_bytes(machine.huge_page_bytes)} each" if machine.huge_page_bytes else ""
    if setting == "always":
        return Check(code="huge-pages", state="passed", seen=f"always{size}")
    switch = "/sys/kernel/mm/transparent_hugepage/enabled"
    why, remedies = {
        "madvise": (
            "only programs that ask for them get them, as streamgage does; others have pages of"
            f" {format_bytes(machine.page_bytes)}, with which some bandwidth is lost",
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
    """Automatic NUMA balancing, which matters where there are several nodes."""
    machine: Machine = surroundings.machine
    nodes = count(len(machine.numa_nodes), "NUMA node")
    if machine.numa_balancing is None:
        return Check(code="numa-balancing", state="unknown", seen=f"the kernel has none; {nodes}")
    on = "on" if machine.numa_balancing else "off"
    if not machine.numa_balancing or len(machine.numa_nodes) < 2:
        return Check(code="numa-balancing", state="passed", seen=f"{on}; {nodes}")
    return Check(
        code="numa-balancing",
        state="advice",
        seen=f"{on}; {nodes}",
        why="the kernel unmaps pages now and then to see who uses them, and may move them",
        remedies=["sysctl kernel.numa_balancing=0"],
    )
