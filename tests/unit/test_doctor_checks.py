"""Each check of the doctor on an environment that is fit, and on one that is not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from example_environments import (
    ACTIVITY,
    BINDING,
    COUNTERS,
    PERF,
    RESCTRL,
    changed,
    ran,
    surroundings,
    two_nodes,
)
from example_records import MACHINE

from streamgage.machine.doctor.checks import CHECKS, Surroundings, examine, examine_counters
from streamgage.machine.doctor.checks.confinement import cpu_quota, cpuset
from streamgage.machine.doctor.checks.counters import counters
from streamgage.machine.doctor.checks.disturbance import benchmarks, load, steal
from streamgage.machine.doctor.checks.memory import huge_pages, memory, memory_limit, numa_balancing
from streamgage.machine.doctor.checks.processor import frequency, smt, virtual_machine
from streamgage.machine.doctor.document import Check
from streamgage.records import CpuTimeTrial, Frequency, HardwareThread, MemorySideCache

GIB = 1 << 30
CLOCK = Frequency(
    governor="performance", limit_hertz=3_000_000_000, hardware_hertz=3_000_000_000, boost=True
)


def on(**fields: Any) -> Surroundings:  # noqa: ANN401 - any field of the machine
    return surroundings(machine=changed(MACHINE, **fields))


def watched(**fields: Any) -> Surroundings:  # noqa: ANN401 - any field of the activity
    return surroundings(activity=changed(ACTIVITY, **fields))


CASES: list[tuple[Callable[[Surroundings], Check], Surroundings, str, str]] = [
    (cpu_quota, surroundings(), "passed", "no CPU quota"),
    (cpu_quota, on(cpu_quota=2.0), "passed", "grants the time of 2 CPUs for 2 cores"),
    (cpu_quota, on(cpu_quota=1.5), "spoils", "grants the time of 1.5 CPUs for 2 cores"),
    (smt, surroundings(), "passed", "2 cores, one hardware thread each"),
    (
        smt,
        surroundings(
            machine=two_nodes(2), binding=ran("0-15", inherited="0-15", obtainable="0-15")
        ),
        "advice",
        "16 hardware threads on 8 cores; the 16 CPUs left to this process (0-15) are on 8 cores",
    ),
    (
        smt,
        surroundings(machine=two_nodes(2), binding=ran("0-7", inherited="0-7", obtainable="0-15")),
        "passed",
        "the 8 CPUs left to this process (0-7) are on 8 cores",
    ),
    (load, surroundings(), "passed", "used 0 % of CPUs 0-1 in 1.0 s (0.00 CPU-seconds)"),
    (load, watched(other_seconds=0.08), "advice", "used 4 % of CPUs 0-1"),
    (load, watched(other_seconds=0.2), "spoils", "used 10 % of CPUs 0-1"),
    (load, watched(other_seconds=0.6, cpus="0-63"), "spoils", "used 0.9 % of CPUs 0-63"),
    (load, watched(other_seconds=None), "unknown", "does not report"),
    (load, watched(other_seconds=1.01, cpus="0"), "spoils", "used 100 % of CPU 0 in 1.0 s"),
    (steal, surroundings(), "passed", "took 0 % of CPUs 0-1"),
    (steal, watched(steal_seconds=0.05), "advice", "took 2.5 % of CPUs 0-1"),
    (steal, watched(steal_seconds=0.4), "spoils", "took 20 % of CPUs 0-1"),
    (steal, watched(steal_seconds=None), "unknown", "does not report"),
    (benchmarks, surroundings(), "passed", "none of the 2 processes that can be seen"),
    (memory, surroundings(), "passed", "7 GiB of 8 GiB are available: enough for 4 arrays of 64"),
    (memory, on(memory_available_bytes=200 << 20), "spoils", "too little for 4 arrays of 64 MiB"),
    (
        memory,
        surroundings(machine=two_nodes(), binding=ran("0-7", inherited="0-7", obtainable="0-15")),
        "passed",
        "enough for 4 arrays of 128 MiB",
    ),
    (memory, on(caches=[]), "passed", "4 arrays of 7812 KiB"),
    (memory_limit, surroundings(), "passed", "no memory limit"),
    (
        memory_limit,
        on(memory_limit_bytes=2 * GIB, memory_limit_free_bytes=GIB),
        "passed",
        "leaves 1 GiB of its limit of 2 GiB: enough",
    ),
    (
        memory_limit,
        on(memory_limit_bytes=256 << 20, memory_limit_free_bytes=128 << 20),
        "spoils",
        "leaves 128 MiB of its limit of 256 MiB: too little",
    ),
    (huge_pages, surroundings(), "passed", "always, 2 MiB each"),
    (huge_pages, on(huge_pages="madvise"), "advice", "madvise, 2 MiB each"),
    (huge_pages, on(huge_pages="never", huge_page_bytes=None), "advice", "never"),
    (huge_pages, on(huge_pages="unavailable", huge_page_bytes=None), "advice", "unavailable"),
    (numa_balancing, surroundings(), "passed", "off; 1 NUMA node"),
    (numa_balancing, on(numa_balancing=True), "passed", "on; 1 NUMA node"),
    (numa_balancing, on(numa_balancing=None), "unknown", "the kernel has none; 1 NUMA node"),
    (
        numa_balancing,
        surroundings(machine=changed(two_nodes(), numa_balancing=True)),
        "advice",
        "on; 2 NUMA nodes",
    ),
    (frequency, surroundings(), "unknown", "does not control the clock"),
    (
        frequency,
        on(frequency=CLOCK),
        "passed",
        "governor performance, up to 3.00 of 3.00 GHz, boost on",
    ),
    (frequency, on(frequency=changed(CLOCK, boost=False)), "advice", "boost off"),
    (frequency, on(frequency=changed(CLOCK, governor="powersave")), "advice", "powersave"),
    (
        frequency,
        on(frequency=changed(CLOCK, limit_hertz=2_000_000_000, boost=None)),
        "advice",
        "up to 2.00 of 3.00 GHz",
    ),
    (virtual_machine, surroundings(), "passed", "no hypervisor"),
    (virtual_machine, on(hypervisor="KVM"), "advice", "a guest of KVM"),
    (virtual_machine, on(hypervisor="TCG"), "spoils", "an emulated processor (TCG)"),
    (
        counters,
        surroundings(),
        "unknown",
        "perf uncore_imc: this is a guest; resctrl: it is not mounted",
    ),
    (
        counters,
        surroundings(counters=changed(COUNTERS, sources=[])),
        "unknown",
        "no source is known for this processor",
    ),
    (
        counters,
        surroundings(
            counters=changed(
                COUNTERS, source="resctrl", sources=[PERF, changed(RESCTRL, state="available")]
            )
        ),
        "passed",
        "resctrl counts memory traffic",
    ),
]


@pytest.mark.parametrize(
    ("check", "there", "state", "words"),
    CASES,
    ids=[f"{check.__name__}-{state}-{words[:30]}" for check, _, state, words in CASES],
)
def test_a_check(
    check: Callable[[Surroundings], Check], there: Surroundings, state: str, words: str
) -> None:
    found = check(there)
    assert found.state == state
    assert words in found.seen
    if state in ("advice", "spoils"):
        assert found.remedies
        assert found.why


@pytest.mark.parametrize("there", [surroundings(), on(hypervisor="KVM"), on(cpu_quota=0.5)])
def test_what_passes_needs_no_remedy(there: Surroundings) -> None:
    for check in examine(there).checks:
        assert check.state != "passed" or (check.why, check.remedies) == (None, [])


def test_a_quota_below_one_cpu_has_no_number_of_threads() -> None:
    assert len(cpu_quota(on(cpu_quota=0.5)).remedies) == 1
    assert cpu_quota(on(cpu_quota=1.5)).remedies[1] == "streamgage measure --threads 1"


def test_a_quota_is_proved_by_the_time_that_it_stopped_threads() -> None:
    machine = changed(MACHINE, cpu_quota=0.5)
    proof = ran("0-1", "0-1", seen=["0", "1"], throttled=0.1)
    found = cpu_quota(surroundings(machine=machine, binding=proof))
    assert "2 threads computing were stopped for 0.10 CPU-seconds" in found.seen


@pytest.mark.parametrize(
    "name",
    [
        *("stream", "stream.exe", "stream_c.exe", "stream-omp", "stream5.10", "stream.icc"),
        *("omp-stream", "std-data-stream", "babelstream", "likwid-bench", "mlc", "bwBench-GCC"),
        *("bwbench", "sysbench", "stress-ng", "stress-ng-vm", "mbw", "streamgage-engine", "STREAM"),
    ],
)
def test_a_bandwidth_benchmark_is_known_by_its_name(name: str) -> None:
    found = benchmarks(surroundings(programs=["bash", name]))
    assert found.state == "spoils"
    assert found.seen == f"running now: {name} (process 101)"
    assert found.remedies == ["wait for them to end, or: kill 101"]


@pytest.mark.parametrize(
    "name",
    [
        "streamgage",
        "streamlit",
        "streamlink",
        "upstream",
        "mlconvert",
        "python3",
        "bench",
        "mjpg-stream",
    ],
)
def test_others_are_not(name: str) -> None:
    assert benchmarks(surroundings(programs=[name])).state == "passed"


def test_many_benchmarks_are_counted() -> None:
    found = benchmarks(surroundings(programs=["stream"] * 7))
    assert found.seen.endswith("stream (process 104) and 2 more")


def test_nothing_spoils_a_fit_environment() -> None:
    found = examine(surroundings())
    assert (found.fit, found.verdict) == (True, "Fit to measure.")
    assert len(found.checks) == len(CHECKS)
    assert len({check.code for check in found.checks}) == len(CHECKS)


def test_advice_spoils_nothing() -> None:
    found = examine(on(hypervisor="KVM", huge_pages="madvise"))
    assert (found.fit, found.verdict) == (True, "Fit to measure, with 2 to note.")


def test_one_thing_that_spoils_is_enough() -> None:
    found = examine(on(cpu_quota=0.5, huge_pages="always"))
    assert not found.fit
    assert found.verdict == "Not fit to measure: cpu-quota spoils what would be measured now."


def test_all_that_spoils_is_named() -> None:
    found = examine(
        surroundings(
            machine=changed(MACHINE, cpu_quota=0.5), programs=["stream"], OMP_THREAD_LIMIT="1"
        )
    )
    assert "openmp, cpu-quota and benchmarks spoil" in found.verdict


def test_counters_alone_decide_where_they_are_asked_for() -> None:
    found = examine_counters(COUNTERS)
    assert (found.fit, found.machine) == (False, None)
    assert found.verdict == "Nothing here can count memory traffic."
    assert [check.code for check in found.checks] == ["paranoid", "perf uncore_imc", "resctrl"]
    assert found.checks[0].seen == (
        "kernel.perf_event_paranoid is 2: events of the whole system, and of the kernel, need"
        " CAP_PERFMON"
    )
    assert found.checks[1].seen == "this is a guest (Intel server; a note)"
    assert found.checks[2].seen == "it is not mounted (reads and writes together)"
    assert found.checks[2].remedies == ["mount -t resctrl resctrl /sys/fs/resctrl"]


def test_a_source_that_opens_is_enough() -> None:
    sources = [PERF, changed(RESCTRL, state="available", reason=None, remedy=None)]
    found = examine_counters(changed(COUNTERS, source="resctrl", sources=sources))
    assert found.fit
    assert found.verdict == "Traffic can be counted with resctrl."
    assert found.checks[2].state == "passed"


@pytest.mark.parametrize(("level", "words"), [(4, "no events"), (-1, "to everyone"), (0, "whole")])
def test_the_level_of_paranoia_is_told_with_what_it_means(level: int, words: str) -> None:
    found = examine_counters(changed(COUNTERS, perf_event_paranoid=level))
    assert words in found.checks[0].seen
    assert found.checks[0].state == ("passed" if level <= 0 else "unknown")


def test_a_kernel_without_perf_is_told() -> None:
    found = examine_counters(changed(COUNTERS, perf_event_paranoid=None))
    assert found.checks[0].state == "unknown"


HIDDEN = "/sys is not mounted here"


def without(*fields: str, **values: Any) -> Surroundings:  # noqa: ANN401 - fields of the machine
    """A machine whose record cannot tell these fields."""
    return on(unknown=dict.fromkeys(fields, HIDDEN), **values)


@pytest.mark.parametrize(
    ("check", "found"),
    [
        (cpu_quota, without("cpu_quota")),
        (memory_limit, without("memory_limit_bytes", "memory_limit_free_bytes")),
        (memory, without("memory_available_bytes", memory_available_bytes=None)),
        (huge_pages, without("huge_pages", huge_pages=None)),
        (numa_balancing, without("numa_balancing", numa_balancing=None)),
        (numa_balancing, without("numa_nodes", numa_balancing=True)),
        (frequency, without("frequency")),
        (virtual_machine, without("hypervisor")),
        (smt, without("cores")),
        (cpuset, without("online_cpus")),
    ],
)
def test_what_cannot_be_read_is_not_passed(
    check: Callable[[Surroundings], Check], found: Surroundings
) -> None:
    check_made = check(found)
    assert check_made.state == "unknown"
    assert check_made.seen.startswith("unknown: ")
    assert HIDDEN in check_made.seen
    assert check_made.remedies == []


def test_memory_is_not_held_against_caches_that_are_not_known() -> None:
    check_made = memory(without("caches", caches=[]))
    assert check_made.state == "unknown"
    assert "no caches are known: /sys is not mounted here" in check_made.seen


def test_a_memory_side_cache_counts_by_the_4x_rule() -> None:
    cache = MemorySideCache(bytes=16 * GIB, instances=1, line_bytes=64, nodes=["0"])
    threads = [
        HardwareThread(cpu=cpu, core=cpu, smt=0, package=0, die=0, node=0) for cpu in range(2)
    ]
    check_made = memory(on(memory_side_caches=[cache], threads=threads))
    assert check_made.state == "spoils"
    assert "too little for 4 arrays of 64 GiB" in check_made.seen
    assert "memory-side caches" in (check_made.why or "")


def felt(cpu_seconds: float, idle_seconds: float | None) -> Check:
    """The quota check of two threads that computed for a second, where no quota can be read."""
    trial = CpuTimeTrial(threads=2, seconds=1.0, cpu_seconds=cpu_seconds, idle_seconds=idle_seconds)
    machine = changed(MACHINE, unknown={"cpu_quota": HIDDEN})
    return cpu_quota(surroundings(machine=machine, binding=changed(BINDING, cpu_time=trial)))


def test_a_quota_that_cannot_be_read_is_felt() -> None:
    check_made = felt(0.5, 1.4)
    assert check_made.state == "spoils"
    assert "2 threads computing for 1.0 s got 0.50 CPU-seconds" in check_made.seen
    assert "grants the time of 0.5 CPUs" in check_made.seen
    assert HIDDEN in check_made.seen


def test_time_that_others_took_is_no_quota() -> None:
    for check_made in (felt(1.0, 0.05), felt(1.95, 0.05), felt(0.5, None)):
        assert check_made.state == "unknown"
        assert check_made.seen.startswith(f"unknown: {HIDDEN}")
