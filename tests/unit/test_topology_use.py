"""What bars a process from CPUs and memory, in words."""

from __future__ import annotations

import example_topologies as made
import pytest
from example_topologies import Counts, regular
from msgspec.structs import replace

from streamgage.analysis.machine.use import offline_sentence, use_sentences
from streamgage.records import CpuSet, Machine

FILE = "/sys/fs/cgroup/cpuset.cpus.effective"


def four(allowed: str, *sets: CpuSet, isolated: str = "") -> Machine:
    """Four CPUs, of which those may be used."""
    return regular(Counts(cores=4), allowed_cpus=allowed, cpu_sets=[*sets], isolated_cpus=isolated)


def cgroup(cpus: str) -> CpuSet:
    return CpuSet(source="cgroup", cpus=cpus, file=FILE)


def mask(cpus: str) -> CpuSet:
    return CpuSet(source="affinity", cpus=cpus, file=None)


@pytest.mark.parametrize(
    ("machine", "sentence"),
    [
        (four("0-3", cgroup("0-3"), mask("0-3")), "This process may use all 4 CPUs, 0-3."),
        (regular(Counts()), "This process may use both CPUs, 0-1."),
        (regular(Counts(cores=1)), "This process may use its only CPU, 0."),
        (
            four("0-1", cgroup("0-1"), mask("0-1")),
            f"This process may use CPUs 0-1 of 0-3: its cgroup's cpuset ({FILE}) allows 0-1.",
        ),
        (
            four("2", cgroup("0-3"), mask("2")),
            "This process may use CPU 2 of 0-3: its affinity mask allows 2.",
        ),
        (
            four("2", cgroup("1-3"), mask("2")),
            f"This process may use CPU 2 of 0-3: its cgroup's cpuset ({FILE}) allows 1-3; its"
            " affinity mask allows 2.",
        ),
        (
            four("0-1", mask("0-1"), isolated="2-3"),
            "This process may use CPUs 0-1 of 0-3: its affinity mask allows 0-1; the kernel was"
            " started with 2-3 isolated.",
        ),
        (four("0-1"), "This process may use CPUs 0-1 of 0-3."),
        (
            replace(four("0-1"), described_by="HWLOC_XMLFILE='x'"),
            "That machine allows CPUs 0-1 of 0-3.",
        ),
    ],
)
def test_what_bars_from_cpus_is_named(machine: Machine, sentence: str) -> None:
    assert use_sentences(machine) == [sentence]


def test_other_limits_are_told() -> None:
    assert use_sentences(made.restricted())[1:] == [
        "Its cgroup's CPU quota grants it the time of 2.5 CPUs.",
        "It may only use memory of NUMA node 0 (of 0-1).",
        "Its cgroup limits its memory to 32 GiB, and 31 GiB are left.",
    ]


def test_another_machine_has_no_limits_of_this_process() -> None:
    described = replace(made.restricted(), described_by="HWLOC_XMLFILE='x'")
    assert use_sentences(described) == ["That machine allows CPUs 0-1,8-9 of 0-15."]


def test_offline_cpus_are_told() -> None:
    assert offline_sentence(made.restricted()) == "2 CPUs switched off: 16-17"
    assert offline_sentence(made.two_sockets()) is None


def test_limits_that_cannot_be_read_are_not_left_out() -> None:
    machine = regular(Counts(), unknown={"cpu_quota": "/sys is not mounted here"})
    assert use_sentences(machine)[1:] == [
        "It is unknown whether a cgroup limits its CPU time: /sys is not mounted here."
    ]
