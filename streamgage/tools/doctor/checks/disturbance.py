"""What else goes on: other programs, other guests, other benchmarks."""

from __future__ import annotations

import re

from streamgage.cpu_list import count_cpus
from streamgage.tools.doctor.checks.surroundings import Surroundings
from streamgage.tools.doctor.document import Check, State
from streamgage.units import count, format_share

_LITTLE = 0.01
_MUCH = 0.05
"""Shares of the CPUs' time."""
_HALF_A_CPU = 0.5
"""One thread that gets half of its CPU keeps all others waiting."""
_MOST_NAMED = 5

_BENCHMARKS = re.compile(
    r"""stream([._-].*|[0-9].*|c|f)?    # STREAM as people name it; not streamlit or streamgage
    |babelstream.*|(acc|cuda|futhark|hc|hip|kokkos|ocl|omp|raja|serial|std-(data|indices|ranges)
    |sycl|sycl2020-(acc|usm)|tbb|thrust)-stream  # BabelStream's, by programming model
    |likwid-bench|mlc|mlc_avx512|bw_?bench.*|sysbench|stress|stress-ng.*|streamgage-engine(-mpi.*)?
    |mbw|pmbw|tinymembench|bw_mem|lat_mem_rd|membw|multichase|multiload|xhpcg|memtester""",
    re.VERBOSE | re.IGNORECASE,
)
"""Whole names of programs that fill the memory bus."""


def load(surroundings: Surroundings) -> Check:
    """CPU time of other programs."""
    seconds = surroundings.activity.other_seconds
    if seconds is None:
        return Check(code="load", state="unknown", seen="the kernel does not tell of busy CPUs")
    return _taken(
        surroundings,
        max(0.0, seconds),
        "load",
        by="other programs used",
        why="a thread that has to share its CPU keeps all others waiting",
        remedy="end them (top shows them), or leave their CPUs out: streamgage --cpus LIST",
    )


def steal(surroundings: Surroundings) -> Check:
    """CPU time that the hypervisor gave to others."""
    seconds = surroundings.activity.steal_seconds
    if seconds is None:
        return Check(code="steal", state="unknown", seen="the kernel does not tell of steal time")
    return _taken(
        surroundings,
        seconds,
        "steal",
        by="the hypervisor took",
        why="other guests share these CPUs, and perhaps the memory: figures are a lower bound",
        remedy="measure at a quieter time, or on an instance with CPUs of its own",
    )


def benchmarks(surroundings: Surroundings) -> Check:
    """Programs that fill the memory bus on purpose, by their names."""
    found = [each for each in surroundings.programs if _BENCHMARKS.fullmatch(each.name)]
    seen = count(len(surroundings.programs), "process", "processes")
    if not found:
        return Check(
            code="benchmarks",
            state="passed",
            seen=f"no other benchmark among the {seen} that can be seen",
        )
    named = ", ".join(f"{each.name} (process {each.pid})" for each in found[:_MOST_NAMED])
    more = f" and {len(found) - _MOST_NAMED} more" if len(found) > _MOST_NAMED else ""
    return Check(
        code="benchmarks",
        state="spoils",
        seen=f"running now: {named}{more}",
        why="they take the very bandwidth that is to be measured, on whatever CPUs they run",
        remedies=["wait for them to end, or: kill " + " ".join(str(each.pid) for each in found)],
    )


def _taken(
    surroundings: Surroundings, cpu_seconds: float, code: str, *, by: str, why: str, remedy: str
) -> Check:
    """How bad it is that CPUs were taken for so long."""
    activity = surroundings.activity
    cpus = max(1, count_cpus(activity.cpus))
    in_cpus = cpu_seconds / activity.seconds if activity.seconds > 0 else 0.0
    share = min(1.0, in_cpus / cpus)  # ticks are coarse
    seen = (
        f"{by} {format_share(share)} of {'CPU' if cpus == 1 else 'CPUs'} {activity.cpus} in"
        f" {activity.seconds:.1f} s ({cpu_seconds:.2f} CPU-seconds)"
    )
    much = share > _MUCH or in_cpus >= _HALF_A_CPU
    if not much and share <= _LITTLE:
        return Check(code=code, state="passed", seen=seen)
    state: State = "spoils" if much else "advice"
    return Check(code=code, state=state, seen=seen, why=why, remedies=[remedy])
