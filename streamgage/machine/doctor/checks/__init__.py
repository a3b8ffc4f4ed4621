"""Makes every check of whether this environment is fit to measure."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from streamgage.machine.doctor.checks.binding import binding
from streamgage.machine.doctor.checks.confinement import cpu_quota, cpuset
from streamgage.machine.doctor.checks.counters import counters, each_source, paranoia
from streamgage.machine.doctor.checks.disturbance import benchmarks, load, steal
from streamgage.machine.doctor.checks.launcher import launcher
from streamgage.machine.doctor.checks.memory import huge_pages, memory, memory_limit, numa_balancing
from streamgage.machine.doctor.checks.openmp import openmp
from streamgage.machine.doctor.checks.processor import frequency, smt, virtual_machine
from streamgage.machine.doctor.checks.surroundings import Surroundings
from streamgage.machine.doctor.document import Check, DoctorResult
from streamgage.records import Counters
from streamgage.units import listed

__all__ = ["CHECKS", "Surroundings", "examine", "examine_counters"]

CHECKS: tuple[Callable[[Surroundings], Check], ...] = (
    *(binding, launcher, openmp, cpuset, cpu_quota, smt),
    *(benchmarks, load, steal),
    *(memory, memory_limit, huge_pages, numa_balancing),
    *(frequency, virtual_machine, counters),
)


def examine(surroundings: Surroundings) -> DoctorResult:
    """Make every check. The environment is fit if nothing found spoils a measurement."""
    checks = [check(surroundings) for check in CHECKS]
    spoiling = [check.code for check in checks if check.state == "spoils"]
    return DoctorResult(
        machine=surroundings.machine,
        fit=not spoiling,
        verdict=_verdict(spoiling, sum(check.state == "advice" for check in checks)),
        checks=checks,
    )


def _verdict(spoiling: Sequence[str], advice: int) -> str:
    if spoiling:
        verb = "spoils" if len(spoiling) == 1 else "spoil"
        return f"Not fit to measure: {listed(spoiling)} {verb} what would be measured now."
    if advice:
        return f"Fit to measure, with {advice} to note."
    return "Fit to measure."


def examine_counters(found: Counters) -> DoctorResult:
    """Check only the sources of memory traffic. The environment is fit if one of them works."""
    return DoctorResult(
        machine=None,
        fit=found.source is not None,
        verdict=f"Traffic can be counted with {found.source}."
        if found.source is not None
        else "Nothing here can count memory traffic.",
        checks=[paranoia(found), *each_source(found)],
    )
