"""What a matrix shows that somebody should look at, and what its intervals leave open."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from example_numa import fast_memory, machine_of, matrix_of, usual, with_memory_only
from example_topologies import Counts, regular
from msgspec.structs import replace

from streamgage.records import Machine, MemorySideCache, NumaDistances
from streamgage.results.kinds import words_of
from streamgage.results.numa.document import Numa, NumaCell
from streamgage.results.numa.findings import CHECKS
from streamgage.results.reported import OF_OUTPUT
from streamgage.results.run_findings import OF_RUNS


def poor_home(cpu_node: int, memory_node: int) -> tuple[float, float]:
    """Node 1's own memory is slower than node 0's is for it."""
    return (190.0, 90.0) if memory_node == 1 else (205.0, 145.0 if cpu_node == 1 else 90.0)


def late_home(cpu_node: int, memory_node: int) -> tuple[float, float]:
    """Node 1's own memory answers later than node 0's."""
    return (200.0, 170.0) if (cpu_node, memory_node) == (1, 1) else usual(cpu_node, memory_node)


def one_channel_lost(cpu_node: int, memory_node: int) -> tuple[float, float]:
    """All that is in node 2 is slower, locally too."""
    gbps, latency = usual(cpu_node, memory_node)
    return (0.75 * gbps, latency) if memory_node == 2 else (gbps, latency)


def far_is_near(cpu_node: int, memory_node: int) -> tuple[float, float]:
    """From node 0, node 1 answers later than nodes 2 and 3."""
    gbps, latency = usual(cpu_node, memory_node)
    return (gbps, 180.0) if (cpu_node, memory_node) == (0, 1) else (gbps, latency)


def cached(machine: Machine) -> Machine:
    """16 GiB of fast memory in front of each node's memory."""
    nodes = [str(each.node) for each in machine.numa_nodes]
    cache = MemorySideCache(bytes=16 << 30, instances=len(nodes), line_bytes=64, nodes=nodes)
    return replace(machine, memory_side_caches=[cache])


def two_packages_of_two() -> Machine:
    """Nodes 0 and 1 are in one package, 2 and 3 in another."""
    return regular(Counts(packages=2, nodes=2, cores=2, smt=2))


CASES: list[tuple[str, str, Callable[[], Numa], str]] = [
    (
        "slower-local",
        "warning",
        lambda: matrix_of(machine_of(2), poor_home),
        "than another's in 2 pairs of cells: from CPUs of node 1 sum gets 189.8 GB/s from their own"
        " node's memory and 204.8 from node 0's. First",
    ),
    (
        "slower-local",
        "warning",
        lambda: matrix_of(machine_of(2), late_home),
        "than another's: from CPUs of node 1 a load takes 170 ns in their own node's memory and 149"
        " in node 0's. First",
    ),
    (
        "weak-node",
        "warning",
        lambda: matrix_of(machine_of(4), one_channel_lost),
        "Node 2 gives its own CPUs 149.9 GB/s in sum, 75 % of what other nodes with as many threads"
        " give theirs (199.8). ",
    ),
    (
        "distance-order",
        "note",
        lambda: matrix_of(two_packages_of_two(), far_is_near),
        "distances in 2 pairs of cells: from node 0, memory of node 1 at distance 16 takes 180 ns,"
        " and memory of node 2 at distance 32 takes 153. ",
    ),
    (
        "memory-only",
        "note",
        lambda: matrix_of(with_memory_only(), fast_memory),
        "Node 2 has only memory: sum from CPUs of node 0 gets 419.6 GB/s, 2.10 times their own"
        " memory's; ",
    ),
    (
        "memory-side-cache",
        "warning",
        lambda: matrix_of(cached(machine_of(2))),
        "working set, 256 MiB, fits in the memory-side cache of 16 GiB: none of the latencies"
        " belong to the memory behind it. ",
    ),
    (
        "other-load",
        "spoiled",
        lambda: replace(matrix_of(machine_of(2)), taken=0.3),
        "took 30 % of the CPUs' time from this measurement",
    ),
]


def codes(matrix: Numa) -> list[str]:
    return [each.code for each in words_of(matrix).findings]


@pytest.mark.parametrize(
    ("code", "severity", "make", "text"), CASES, ids=[f"{c[0]}-{k}" for k, c in enumerate(CASES)]
)
def test_each_finding_tells_what_was_seen(
    code: str, severity: str, make: Callable[[], Numa], text: str
) -> None:
    found = {each.code: each for each in words_of(make()).findings}
    assert list(found) == [code]
    assert found[code].severity == severity
    assert text in found[code].text
    assert found[code].text.isascii() and found[code].text.endswith(".")
    assert "  " not in found[code].text


def test_every_check_has_a_case() -> None:
    shared = dict((*OF_RUNS, *OF_OUTPUT))
    assert {case[0] for case in CASES} == {code for code, _ in CHECKS if code not in shared}


@pytest.mark.parametrize("nodes", [1, 2, 4])
def test_a_usual_machine_has_no_finding(nodes: int) -> None:
    assert codes(matrix_of(machine_of(nodes))) == []


def widened(matrix: Numa) -> Numa:
    """The same medians, each with an interval that reaches over all others."""

    def wide(cell: NumaCell) -> NumaCell:
        return replace(cell, low=0.4 * cell.median, high=2.5 * cell.median)

    return replace(
        matrix,
        kernels=[replace(k, cells=[wide(cell) for cell in k.cells]) for k in matrix.kernels],
        latency=[wide(cell) for cell in matrix.latency],
    )


def without_intervals(matrix: Numa) -> Numa:
    def bare(cell: NumaCell) -> NumaCell:
        return replace(cell, low=None, high=None)

    return replace(
        matrix,
        kernels=[replace(k, cells=[bare(cell) for cell in k.cells]) for k in matrix.kernels],
        latency=[bare(cell) for cell in matrix.latency],
    )


@pytest.mark.parametrize("blur", [widened, without_intervals])
@pytest.mark.parametrize("make", [case[2] for case in CASES[:4]], ids=[c[0] for c in CASES[:4]])
def test_what_the_intervals_leave_open_is_not_told(
    blur: Callable[[Numa], Numa], make: Callable[[], Numa]
) -> None:
    assert codes(make()) != []
    assert set(codes(blur(make()))) <= {"not-converged"}


def test_small_differences_are_not_told() -> None:
    def nearly(cpu_node: int, memory_node: int) -> tuple[float, float]:
        return (100.0, 104.0) if cpu_node == memory_node else (103.0, 101.0)

    assert codes(matrix_of(two_packages_of_two(), nearly)) == []


def test_fast_memory_alone_is_no_fault_of_a_nodes_own() -> None:
    assert codes(matrix_of(with_memory_only(), fast_memory)) == ["memory-only"]


def test_nodes_with_fewer_threads_are_not_called_weak() -> None:
    matrix = matrix_of(replace(machine_of(4), allowed_cpus="0-4,6-7"), one_channel_lost)
    assert [len(each.cpus) for each in matrix.cpu_nodes] == [2, 2, 1, 2]
    assert codes(matrix) == []


def test_without_distances_there_is_no_order_to_follow() -> None:
    machine = replace(two_packages_of_two(), numa_distances=None)
    assert codes(matrix_of(machine, far_is_near)) == []
    alike = NumaDistances(nodes=[0, 1, 2, 3], rows=[[20] * 4] * 4)
    assert codes(matrix_of(replace(machine, numa_distances=alike), far_is_near)) == []
