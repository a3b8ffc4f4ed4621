"""The memory policies that ``pin --memory`` stands for, on a machine with several NUMA nodes."""

from __future__ import annotations

from pathlib import Path

import pytest

from streamgage.errors import UsageError
from streamgage.programs.pin.memory import MemoryPolicy, Mode, memory_policy_of
from streamgage.records import Expansion, HardwareThread

ALLOWED = [
    HardwareThread(cpu=cpu, core=cpu, smt=0, package=0, die=0, node=node)
    for cpu, node in enumerate((0, 0, 2, 2, 3, 3))
]


def of_cpus(*cpus: int) -> Expansion:
    return Expansion(
        expression=",".join(map(str, cpus)),
        cpus=list(cpus),
        this_system=True,
        online_cpus="0-5",
        allowed=ALLOWED,
    )


def test_local_memory_has_no_nodes(tmp_path: Path) -> None:
    assert memory_policy_of("local", of_cpus(0), tmp_path) == MemoryPolicy(Mode.LOCAL)


def test_pages_are_interleaved_over_the_nodes_of_the_cpus(tmp_path: Path) -> None:
    policy = memory_policy_of("interleave", of_cpus(5, 0, 1), tmp_path / "no-weights")
    assert policy == MemoryPolicy(Mode.INTERLEAVE, (0, 3))
    assert str(policy) == "page by page over nodes 0,3"


def test_weights_count_where_the_kernel_has_them(tmp_path: Path) -> None:
    for node, weight in ((0, 3), (2, 5), (3, 1)):
        (tmp_path / f"node{node}").write_text(f"{weight}\n")
    policy = memory_policy_of("interleave", of_cpus(4, 0), tmp_path)
    assert policy == MemoryPolicy(Mode.WEIGHTED_INTERLEAVE, (0, 3), ("3", "1"))
    assert str(policy) == "page by page over nodes 0,3 with weights 3:1"


@pytest.mark.parametrize(
    "text", ["", "locally", "local:0", "interleave:", "1-", "0,0", "5000", "M0"]
)
def test_anything_else_is_one_sentence(text: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"^--memory "):
        memory_policy_of(text, of_cpus(0), tmp_path)
