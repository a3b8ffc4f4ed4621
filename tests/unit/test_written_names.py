"""Names of hardware as systems, hypervisors and people write them: with more than the model."""

from __future__ import annotations

import pytest

from streamgage.analysis.machine.name_parts import bare_name, sockets_in
from streamgage.analysis.named_hardware import are_other_sizes, peaks_named, servers_named
from streamgage.comparison.expected import expected_of, page_of


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("2x EPYC 7763", 2),
        ("2 \u00d7 Intel Xeon 8470", 2),
        ("1 x W-3235", 1),
        ("2x 4090", 2),
        ("2x 4800MHz", None),
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
        # GNOME writes the number of threads behind the name.
        ("AMD Ryzen 5 3550h with radeon vega mobile gfx \u00d7 8", None),
        ("Intel Core i5-6500 CPU @ 3.20GHz \u00d7 4", None),
        ("EPYC 9654 \u00d7 2", 2),
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
        "RTX 6000 Blackwell",
        "EPYC 8480",
        "Genoa 7763",
        "NVIDIA GeForce ...",
        "Genuine Intel(R) CPU 0000 @ 1.70GHz",
        "QEMU Virtual CPU version 2.5+",
        "Intel(R) Core(TM) i5 CPU M 999",
        # Slices, cars, special editions and other lines of one number.
        "NVIDIA H100 80GB HBM3 MIG 1g.10gb",
        "DRIVE A100 PROD",
        "Quadro RTX 6000 Passive",
        "GeForce GTX 1080 11Gbps",
        "RTX A2000 Embedded",
        "Mobility Radeon HD 5870",
        "GeForce RTX 4070 GDDR6",
        "Kunpeng 920 7285Z",
    ],
)
def test_nothing_is_left_out_that_makes_it_other_hardware(name: str) -> None:
    assert peaks_named(name) == []


def test_grace_hopper_is_a_processor_and_a_device() -> None:
    titles = {peak.title for peak in peaks_named("Grace Hopper")}
    assert titles == {"NVIDIA Grace", "NVIDIA GH200 with 96 GB"}


def test_a_series_of_two_generations_has_both() -> None:
    titles = {peak.title for peak in peaks_named("2S Epyc 9000")}
    assert titles == {"EPYC 9004 (Genoa)", "EPYC 9005 (Turin)"}


@pytest.mark.parametrize(
    ("written", "bare"),
    [
        ("2x EPYC 7763", "EPYC 7763"),
        ("Dual Xeon Gold 6248R 12x32GB 2933", "Xeon Gold 6248R"),
        ("EPYC 9135*2 , 24*48G DDR5 6400", "EPYC 9135"),
        ("2 x Intel Gold 6438Y+ (32-core) CPUs", "Intel Gold 6438Y+ CPUs"),
        ("AMD 5700G with 32GB RAM", "AMD 5700G"),
        ("Ryzen 9 7950X3D DDR5-6000", "Ryzen 9 7950X3D"),
        ("Xeon 8470, 2.0 GHz, 52-Core", "Xeon 8470"),
        ("2S Xeon Max (HBM)", "Xeon Max"),
        ("RTX 3080 12GB", "RTX 3080 12GB"),
        ("A100 80GB PCIe", "A100 80GB PCIe"),
        ("M4 Max (binned)", "M4 Max (binned)"),
        ("Xeon Gold 5218", "Xeon Gold 5218"),
    ],
)
def test_the_name_is_what_is_left_without_memory_cores_and_clock(written: str, bare: str) -> None:
    assert bare_name(written) == bare


@pytest.mark.parametrize(
    ("name", "gbps"),
    [
        # Written with the number of processors, their memory, or their code name.
        ("2 x Intel Gold 6438Y+ (32-core) CPUs", 307.2),
        ("2 \u00d7 Intel Xeon 8470 (Sapphire Rapids), 2.0 GHz, 52-Core", 307.2),
        ("AMD 5700G with 32GB RAM", 51.2),
        ("1 x W3235", 140.8),
        ("E5620", 25.6),
        ("Skylake E3-1245v5", 34.1),
        ("2S Xeon Max (HBM)", 1638.4),
        ("2S Xeon E5 v4", 76.8),
        ("Mac Studio M3 Ultra", 819.2),
        ("MacBook Pro M2 Max", 409.6),
        ("4th Gen Intel Xeon Scalable", None),
        # As the system names the first Core processors, Core Extreme, Atom and parts of makers.
        ("Intel(R) Core(TM) i5 CPU       M 460  @ 2.53GHz", 17.1),
        ("Intel(R) Core(TM) i7 CPU       Q 720  @ 1.60GHz", 21.3),
        ("Intel(R) Core(TM) i7 CPU         920  @ 2.67GHz", 25.6),
        ("Intel(R) Core(TM) i7-3960X CPU @ 3.30GHz", 51.2),
        ("Intel(R) Atom(TM) Processor E3950 @ 1.60GHz", 38.4),
        ("Intel(R) Xeon(R) Platinum P-8136 CPU @ 2.00GHz", 128.0),
        ("Icestorm-M1", 68.3),
        ("Avalanche-M2-Pro", 204.8),
        # As hypervisors name their models.
        ("Intel Xeon Phi Processor (Knights Mill)", 115.2),
        ("Westmere E56xx/L56xx/X56xx (IBRS update)", 32.0),
        ("AMD EPYC Processor (with IBPB)", 170.6),
        ("Intel Xeon Processor (Skylake, IBRS)", 128.0),
        # Cards without a blank, or with the other letter.
        ("1050ti", 112),
        ("2x 4090", 1008),
        ("6800XT", 512),
        ("GTX3070", 448),
        ("RTX 1080 Ti", 484),
        # Servers of clouds.
        ("A3 Ultra", 4916),
        ("NCads H100 v5", 3938),
        ("NC A100 v4", 1935),
        ("VM.Standard.E3.Flex", 204.8),
        ("VM.Standard.E5.Flex", 460.8),
        ("BM.Standard.E6.256", 614.4),
        ("VM.Standard3.Flex", 204.8),
        ("VM.Standard2.4", 128.0),
        ("BM.GPU.A100-v2.8", 2039),
        ("g3.8xlarge", 160.4),
        ("Standard_NV12s_v3", 160.4),
        ("Standard_NC24rs_v3", 900),
        # As the system writes them: how POWER runs, what SMBIOS lacks, hyphens with blanks.
        ("POWER10 (architected), altivec supported", 409.6),
        ("11th Gen Intel(R) Core(TM) i7-1165G7 @ 2.80GHz None CPU", 68.3),
        ("AMD Ryzen 5 3500U with Radeon Vega Mobile Gfx   NULL CPU @ 2.1GHz", 38.4),
        ("Intel(R) Xeon(R) CPU E7- 4807  @ 1.87GHz", 25.6),
        ("AMD FX(tm)-8370 Eight-Core Processor", 29.9),
        ("AMD A10-7850K Radeon R7, 12 Compute Cores 4C+8G", 34.1),
        ("AMD Opteron(tm) Processor 6174", 42.7),
        # Questions in prose.
        ("what is the peak bandwidth of an M2 Ultra?", 819.2),
        ("what's the memory bandwidth of the M4 Max", 546.1),
        # Cards of one number in several lines and with several memories.
        ("Quadro 6000", 143.4),
        ("Tesla M4", 88),
        ("Radeon Pro 580", 217),
        ("Arc Pro A40", 192),
        ("RTX 3060 8GB", 240),
        ("A30X", 1220),
    ],
)
def test_what_stands_around_a_name_hides_no_peak(name: str, gbps: float | None) -> None:
    peaks = [peak.gbps for peak in peaks_named(name)]
    assert peaks if gbps is None else peaks == [pytest.approx(gbps, abs=0.1)]


@pytest.mark.parametrize(
    ("name", "some"),
    [
        ("Intel Core Processor (Haswell, no TSX, IBRS)", "Core of the fourth generation (Haswell)"),
        ("Intel Xeon E312xx (Sandy Bridge, IBRS update)", "Xeon E5-2600 (Sandy Bridge)"),
        ("Intel Xeon Processor (SierraForest)", "Xeon 6700E (Sierra Forest)"),
        ("Firestorm-M1-Max", "Apple M1 Ultra"),
        ("dual Xeon E5", "Xeon E5-2600 v4 (Broadwell)"),
        ("GeForce GT 1030", "NVIDIA GeForce GT 1030 with DDR4"),
        ("TITAN X", "NVIDIA TITAN X (Pascal)"),
        ("6276", "Opteron 6200 (Interlagos)"),
    ],
)
def test_a_name_that_does_not_say_which_has_all(name: str, some: str) -> None:
    titles = [peak.title for peak in peaks_named(name)]
    assert len(titles) > 1 and some in titles


@pytest.mark.parametrize(
    ("name", "server"),
    [
        ("db.m5.large", "m5.large"),
        ("X1e instances", "x1e.16xlarge"),
        ("Ddsv5-series", "Standard_D16ds_v5"),
        ("Dpsv6", "Standard_D2ps_v6"),
        ("Tau T2A (Ampere)", "t2a-standard-1"),
        ("u-6tb1.metal", "u-6tb1.56xlarge"),
    ],
)
def test_types_of_cloud_servers_are_known_as_people_write_them(name: str, server: str) -> None:
    assert server in [each.server for each in servers_named(name)]


def test_another_size_of_the_family_is_said_to_be_one() -> None:
    others = servers_named("u-6tb1.metal")
    assert are_other_sizes("u-6tb1.metal", others)
    assert not are_other_sizes("db.m5.large", servers_named("db.m5.large"))
    lines = page_of(expected_of("u-6tb1.metal", None, [], others)).lines
    assert lines[0].startswith("u-6tb1.metal is not in the list.")
    assert servers_named("Kunpeng.metal") == []
