"""Names of hardware as systems, hypervisors and people write them: with more than the model."""

from __future__ import annotations

import pytest

from streamgage.analysis.machine.name_parts import sockets_in
from streamgage.analysis.named_hardware import peaks_named
from streamgage.comparison.expected import expected_of, page_of


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("2x EPYC 7763", 2),
        ("2 \u00d7 Intel Xeon 8470", 2),
        ("1 x W-3235", 1),
        ("8S Xeon Platinum 8280", 8),
        ("2P EPYC 9654", 2),
        ("2p epyc 9654", 2),
        ("EPYC 9654 2-socket", 2),
        ("EPYC 9135*2 , 24*48G DDR5 6400", 2),
        ("Xeon Platinum 8168 x2", 2),
        ("Dual AMD EPYC 9654", 2),
        ("dual-socket EPYC Genoa", 2),
        ("AMD EPYC 9274F 24-Core Processor Dual Socket", 2),
        ("Dual-Core AMD Opteron(tm) Processor 2218", None),
        ("AMD Athlon(tm) 64 X2 Dual Core Processor 5200+", None),
        ("ThunderX2", None),
        ("Snapdragon X2 Elite", None),
        ("i9-12900K (8 P-cores and 8 E-cores)", None),
        ("EPYC 9654, 12x32GB", None),
        ("EPYC 9654 with 2x16GB DDR5", None),
        ("EPYC 9654, 8 x DDR5-4800", None),
        ("Ryzen 5 5600 dual channel", None),
        ("EPYC 9654", None),
    ],
)
def test_the_number_of_processors_is_read_from_a_name(name: str, number: int | None) -> None:
    assert sockets_in(name) == number


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("2x EPYC 7763", "at most 204.8 GB/s for one processor, 409.6 GB/s for 2"),
        ("EPYC 7763", "at most 204.8 GB/s for one processor ("),
        ("8 x RTX 3080 10G", "at most 760.0 GB/s for one device ("),
    ],
)
def test_as_many_processors_as_the_name_says_have_their_peak(name: str, said: str) -> None:
    assert said in " ".join(page_of(expected_of(name, None, [], [])).lines)


@pytest.mark.parametrize(
    "name",
    [
        "NVIDIA H20-3e",
        "RTX 2070 Max-Q",
        "GeForce RTX 2080 Super with Max-Q Design",
        "M4 Max (binned)",
        "NVIDIA GeForce ...",
        "Genuine Intel(R) CPU 0000 @ 1.70GHz",
        "QEMU Virtual CPU version 2.5+",
    ],
)
def test_nothing_is_left_out_that_makes_it_other_hardware(name: str) -> None:
    assert peaks_named(name) == []


def test_grace_hopper_is_a_processor_and_a_device() -> None:
    titles = {peak.title for peak in peaks_named("Grace Hopper")}
    assert titles == {"NVIDIA Grace", "NVIDIA GH200 with 96 GB"}
