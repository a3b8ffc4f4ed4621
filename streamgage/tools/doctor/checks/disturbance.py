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
    activity = surroundings.activity
    if activity.other_seconds is None:
        return Check(code="load", state="unknown", seen="the kernel does not tell of busy CPUs")
    busy = max(0.0, activity.other_seconds)
    state, share = _judged(surroundings, busy)
    seen = (
        f"other programs used {format_share(share)} of {_cpus(activity.cpus)} in"
        f" {activity.seconds:.1f} s ({busy:.2f} CPU-seconds)"
    )
    if state == "passed":
        return Check(code="load", state=state, seen=seen)
    return Check(
        code="load",
        state=state,
        seen=seen,
        why="a thread that has to share its CPU keeps all others waiting",
        remedies=["end them (top shows them), or leave their CPUs out: streamgage --cpus LIST"],
    )


def steal(surroundings: Surroundings) -> Check:
    """CPU time that the hypervisor gave to others."""
    activity = surroundings.activity
    if activity.steal_seconds is None:
        return Check(code="steal", state="unknown", seen="the kernel does not tell of steal time")
    state, share = _judged(surroundings, activity.steal_seconds)
    seen = (
        f"the hypervisor took {format_share(share)} of {_cpus(activity.cpus)} in"
        f" {activity.seconds:.1f} s ({activity.steal_seconds:.2f} CPU-seconds)"
    )
    if state == "passed":
        return Check(code="steal", state=state, seen=seen)
    return Check(
        code="steal",
        state=state,
        seen=seen,
        why="other guests share these CPUs, and perhaps the memory: figures are a lower bound",
        remedies=["measure at a quieter time, or on an instance with CPUs of its own"],
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


def _cpus(cpus: str) -> str:
    return f"{'CPU' if count_cpus(cpus) == 1 else 'CPUs'} {cpus}"


def _judged(surroundings: Surroundings, cpu_seconds: float) -> tuple[State, float]:
    """How bad that is, and what share of the CPUs' time it is."""
    activity = surroundings.activity
    cpus = max(1, count_cpus(activity.cpus))
    in_cpus = cpu_seconds / activity.seconds if activity.seconds > 0 else 0.0
    share = min(1.0, in_cpus / cpus)  # ticks are coarse
    if share > _MUCH or in_cpus >= _HALF_A_CPU:
        return "spoils", share
    return ("advice" if share > _LITTLE else "passed"), share
