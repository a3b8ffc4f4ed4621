"""Checks the processor: its hardware threads, its clock, and whether it is virtual."""

from __future__ import annotations

from streamgage.cpu_list import format_cpu_list
from streamgage.machine.doctor.checks.surroundings import Surroundings
from streamgage.machine.doctor.document import Check, unknown_check
from streamgage.records import Frequency
from streamgage.units import count

_WHOLE_CLOCK = 0.99
"""Above this share of the highest frequency, the clock counts as not limited."""
_EMULATORS = {"TCG"}


def smt(surroundings: Surroundings) -> Check:
    """Check whether CPUs that are left to this process share a core."""
    machine = surroundings.machine
    reason = surroundings.why_unknown("cores")
    if reason is not None:
        return unknown_check("smt", reason)
    if machine.hardware_threads == machine.cores:
        return Check(
            code="smt",
            state="passed",
            seen=f"{count(machine.cores, 'core')}, one hardware thread each",
        )
    cpus, cores = len(surroundings.inherited), surroundings.cores(surroundings.inherited)
    seen = (
        f"{count(machine.hardware_threads, 'hardware thread')} on {count(machine.cores, 'core')};"
        f" the {count(cpus, 'CPU')} left to this process"
        f" ({format_cpu_list(surroundings.inherited)}) are on {count(cores, 'core')}"
    )
    return Check(
        code="smt",
        state="advice" if cpus > cores else "passed",
        seen=seen,
        why="OpenMP by itself starts a thread for each of them, and threads of one core share its"
        " path to memory (streamgage measure uses one of each core)"
        if cpus > cores
        else None,
        remedies=[f"export OMP_NUM_THREADS={cores} OMP_PLACES=cores OMP_PROC_BIND=spread"]
        if cpus > cores
        else [],
    )


def frequency(surroundings: Surroundings) -> Check:
    """Check the governor, the limit and the boost of the clock."""
    found = surroundings.machine.frequency
    reason = surroundings.why_unknown("frequency")
    if reason is not None:
        return unknown_check("frequency", reason)
    if found is None:
        return Check(
            code="frequency",
            state="unknown",
            seen="the kernel does not control the clock here, as in most guests",
        )
    remedies = list(_faults(found))
    if not remedies:
        return Check(code="frequency", state="passed", seen=_clock(found))
    return Check(
        code="frequency",
        state="advice",
        seen=_clock(found),
        why="figures of the caches, and others that the cores limit, are lower in proportion",
        remedies=remedies,
    )


def _clock(found: Frequency) -> str:
    boost = {True: ", boost on", False: ", boost off", None: ""}[found.boost]
    return (
        f"governor {found.governor}, up to {found.limit_hertz / 1e9:.2f} of"
        f" {found.hardware_hertz / 1e9:.2f} GHz{boost}"
    )


def _faults(found: Frequency) -> list[str]:
    """Commands that remove the limits of the clock."""
    remedies = []
    if found.governor == "powersave" or found.limit_hertz < _WHOLE_CLOCK * found.hardware_hertz:
        remedies.append(
            f"cpupower frequency-set --governor performance --max {found.hardware_hertz // 1000}"
        )
    if found.boost is False:
        remedies.append(
            "echo 1 > /sys/devices/system/cpu/cpufreq/boost (or 0 >"
            " /sys/devices/system/cpu/intel_pstate/no_turbo)"
        )
    return remedies


def virtual_machine(surroundings: Surroundings) -> Check:
    """Check whether this is a guest of a hypervisor."""
    hypervisor = surroundings.machine.hypervisor
    reason = surroundings.why_unknown("hypervisor")
    if reason is not None:
        return unknown_check("virtual-machine", reason)
    if hypervisor is None:
        return Check(code="virtual-machine", state="passed", seen="no hypervisor was found")
    if hypervisor in _EMULATORS:
        return Check(
            code="virtual-machine",
            state="spoils",
            seen=f"an emulated processor ({hypervisor})",
            why="times in an emulator say nothing about the speed of memory",
            remedies=["measure on a real machine, or on a guest with hardware virtualisation"],
        )
    return Check(
        code="virtual-machine",
        state="advice",
        seen=f"a guest of {hypervisor}",
        why="other guests may share cores, caches and memory without being visible, and the"
        " reported caches and NUMA nodes may not be the real ones",
        remedies=["repeat the measurement at other times, or take a dedicated or bare-metal host"],
    )
