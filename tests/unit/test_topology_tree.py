"""The nest of boxes, and what is said of each part."""

from __future__ import annotations

import example_topologies as made
import pytest
from example_topologies import Counts, cache, regular
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from streamgage.analysis.machine.places import count_dies, kinds, nodes, packages
from streamgage.analysis.machine.tree import Box, machine_tree, private_caches
from streamgage.records import Machine, NumaNode


def every(box: Box) -> list[Box]:
    """The box and all inside it."""
    return [box, *(inner for child in box.children for inner in every(child))]


def chain(box: Box) -> list[str]:
    """Kinds of the first of each level, from outside in."""
    return [box.kind, *(chain(box.children[0]) if box.children else [])]


def test_parts_of_an_epyc_lie_in_each_other() -> None:
    tree = machine_tree(made.two_epyc_7451())
    assert chain(tree) == ["machine", "package", "die", "node", "cache", "core"]
    boxes = every(tree)
    numbers = {kind: sum(box.kind == kind for box in boxes) for kind in chain(tree)}
    assert numbers == {
        "machine": 1,
        "package": 2,
        "die": 8,
        "node": 8,
        "cache": 16,
        "core": 48,
    }
    assert [box.cpus for box in boxes if box.kind == "core"][1] == (1, 49)


def test_a_node_of_several_packages_is_around_them() -> None:
    machine = regular(Counts(packages=2))
    one = replace(machine, numa_nodes=[NumaNode(node=0, cpus="0-3", bytes=None)])
    assert chain(machine_tree(one)) == ["machine", "node", "package", "cache", "core"]


def test_a_cache_of_several_nodes_is_around_them() -> None:
    machine = regular(Counts(nodes=2, cores=2))
    shared = replace(machine, caches=[cache(3, "unified", 1 << 20, [0, 1, 2, 3])])
    assert chain(machine_tree(shared)) == ["machine", "package", "cache", "node", "core"]


def test_a_part_that_crosses_another_is_left_out() -> None:
    machine = regular(Counts(nodes=2, cores=2))
    crossing = replace(machine, caches=[cache(3, "unified", 1 << 20, [1, 2])])
    assert "cache" not in {box.kind for box in every(machine_tree(crossing))}


def test_memory_alone_stands_beside_the_node_that_is_nearest() -> None:
    tree = machine_tree(made.memory_only())
    assert [(box.kind, box.number) for box in tree.children] == [("package", 0), ("node", 8)]
    inside = [(box.number, box.cpus) for box in tree.children[0].children]
    assert inside == [(0, (0, 1)), (1, (2, 3)), (2, ()), (3, ())]


def test_memory_alone_of_which_no_distance_is_told_is_the_machines() -> None:
    tree = machine_tree(replace(made.memory_only(), numa_distances=None))
    assert [box.number for box in tree.children if box.kind == "node"] == [2, 3, 8]


def test_private_caches_are_the_cores_own() -> None:
    tree = machine_tree(made.hybrid())
    labels = [(each.level, each.bytes >> 10) for each in private_caches(tree)]
    assert labels == [(1, 48), (1, 32), (2, 2048)]
    core = next(box for box in every(tree) if box.kind == "core")
    assert [each.level for each in core.caches] == [2, 1]


@given(
    st.builds(
        Counts,
        packages=st.integers(1, 3),
        dies=st.integers(1, 2),
        nodes=st.integers(1, 2),
        l3=st.integers(1, 3),
        cores=st.integers(1, 4),
        smt=st.integers(1, 3),
        adjacent=st.booleans(),
    )
)
def test_every_cpu_is_in_one_core(counts: Counts) -> None:
    machine = regular(counts)
    cores = [box for box in every(machine_tree(machine)) if box.kind == "core"]
    cpus = [cpu for core in cores for cpu in core.cpus]
    assert sorted(cpus) == sorted(thread.cpu for thread in machine.threads)
    for box in every(machine_tree(machine)):
        inside = [cpu for child in box.children for cpu in child.cpus]
        assert not inside or inside == list(box.cpus)


def test_packages_and_nodes_are_counted() -> None:
    machine = made.two_epyc_7451()
    assert count_dies(machine) == 8
    second = packages(machine)[1]
    assert (second.dies, second.nodes, second.cores) == (4, "4-7", 24)
    assert second.cpus == "24-47,72-95"
    assert nodes(machine)[1].cores == 6


def test_nodes_that_are_barred_are_told() -> None:
    assert [each.may_use for each in nodes(made.memory_only())] == [True] * 4 + [False]


@pytest.mark.parametrize("machine", [made.two_sockets()])
def test_older_records_bar_no_node(machine: Machine) -> None:
    assert all(each.may_use for each in nodes(replace(machine, allowed_nodes="")))


def test_kinds_are_counted_the_fastest_first() -> None:
    found = [(each.kind.name, each.cores) for each in kinds(made.hybrid())]
    assert found == [("IntelCore", 2), ("IntelAtom", 4), ("IntelLowPower", 2)]
    assert kinds(made.two_sockets()) == []
