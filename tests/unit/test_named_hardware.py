"""A processor, device or cloud server by any usual name: its peak, and what others reach."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from streamgage.analysis.cloud.servers import known_servers
from streamgage.analysis.facts_file import DamagedTableError
from streamgage.analysis.named_hardware import (
    maker_of,
    peak_named,
    peaks_named,
    servers_named,
    servers_with,
    with_most_bandwidth,
)
from streamgage.analysis.peak import known_devices
from streamgage.analysis.peak.known_devices import device_named, read_devices
from streamgage.analysis.peak.known_devices import known_devices as all_devices
from streamgage.analysis.peak.of_model import known_models
from streamgage.analysis.peak.spoken_names import known_spoken_names
from streamgage.analysis.peak.usual import known_usual_shares
from streamgage.commands.expected import expected
from streamgage.comparison.expected import expected_of, page_of
from streamgage.errors import UsageError
from streamgage.show.symbols import UNICODE
from streamgage.show.table import render
from streamgage.show.terminal import Terminal
from streamgage.units import format_gbps, format_share


@pytest.mark.parametrize(
    ("name", "gbps", "memory"),
    [
        ("EPYC 9654", 460.8, "12 channels of DDR5-4800"),
        ("AMD EPYC 9654 96-Core Processor", 460.8, "12 channels of DDR5-4800"),
        ("EPYC 9575F", 614.4, "12 channels of DDR5-6400"),
        ("EPYC-Genoa", 460.8, "12 channels of DDR5-4800"),
        ("AMD EPYC-Milan Processor", 204.8, "8 channels of DDR4-3200"),
        ("EPYC-Rome", 204.8, "8 channels of DDR4-3200"),
        ("EPYC-Turin", 614.4, "12 channels of DDR5-6400"),
        ("Skylake-Server", 128.0, "6 channels of DDR4-2666"),
        ("Intel Xeon Processor (Cascadelake)", 140.8, "6 channels of DDR4-2933"),
        ("Icelake-Server", 204.8, "8 channels of DDR4-3200"),
        ("SapphireRapids", 307.2, "8 channels of DDR5-4800"),
        ("EPYC 4585PX", 89.6, "2 channels of DDR5-5600"),
        ("Xeon 6960P", 844.8, "12 channels of MRDIMM-8800"),
        ("xeon 6787p", 512.0, "8 channels of MRDIMM-8000"),
        ("Xeon 6780E", 409.6, "8 channels of DDR5-6400"),
        ("Xeon Platinum 8480+", 307.2, "8 channels of DDR5-4800"),
        ("Intel(R) Xeon(R) Gold 6148 CPU @ 2.40GHz", 128.0, "6 channels of DDR4-2666"),
        ("Xeon Max 9480", 1638.4, "4096 bits of HBM2e"),
        ("Ryzen 9 9950X", 89.6, "2 channels of DDR5-5600"),
        ("Ryzen AI Max+ 395", 256.0, "8 channels of LPDDR5X-8000"),
        ("Strix Halo", 256.0, "8 channels of LPDDR5X-8000"),
        ("Core i9-14900K", 89.6, "2 channels of DDR5-5600"),
        ("Apple M4 Max", 546.1, "32 channels of LPDDR5X-8533"),
        ("Apple M5 Pro", 307.2, "16 channels of LPDDR5X-9600"),
        ("Apple M5 Max", 614.4, "32 channels of LPDDR5X-9600"),
        ("Loongson-3A6000", 51.2, "2 channels of DDR4-3200"),
        ("Raspberry Pi 5", 17.07, "1 channel of LPDDR4X-4267"),
        ("Graviton4", 537.6, "12 channels of DDR5-5600"),
        ("Graviton5", 844.8, "12 channels of DDR5-8800"),
        ("Grace", 546.1, "32 channels of LPDDR5X-8533"),
        ("A64FX", 1024.0, "4 stacks of HBM2-2000"),
        ("MI300X", 5325, "8192 bits of HBM3"),
        ("AMD Instinct MI210", 1638, "4096 bits of HBM2e"),
        ("H100", 3352, "5120 bits of HBM3"),
        ("H100 PCIe", 2039, "5120 bits of HBM2e"),
        ("NVIDIA A100-SXM4-80GB", 2039, "5120 bits of HBM2e"),
        ("NVIDIA A100-SXM4-40GB", 1555, "5120 bits of HBM2"),
        ("GB200", 8184, "8192 bits of HBM3e"),
        ("NVIDIA A800-SXM4-80GB", 2039, "5120 bits of HBM2e"),
        ("NVIDIA H800 PCIe", 2039, "5120 bits of HBM2e"),
        ("RTX 5090 D", 1792, "512 bits of GDDR7"),
        ("AMD Radeon PRO W7800 48GB", 864, "384 bits of GDDR6"),
        ("Intel Arc Pro B60", 456, "192 bits of GDDR6"),
    ],
)
def test_hardware_is_known_by_its_usual_names(name: str, gbps: float, memory: str) -> None:
    peak = peak_named(name)
    assert peak is not None
    assert (peak.gbps, peak.memory) == (pytest.approx(gbps, abs=0.1), memory)
    assert peak.source


@pytest.mark.parametrize(
    "name", ["Pentium", "", "EPYC", "Xeon", "Neoverse-V2", "9654", "QEMU", "Skylake"]
)
def test_names_that_do_not_say_which_are_not_guessed(name: str) -> None:
    assert peak_named(name) is None


@pytest.mark.parametrize(
    ("name", "gbps"),
    [
        ("epyc9654", 460.8),
        ("AMD 9654", 460.8),
        ("9654", 460.8),
        ("6960P", 844.8),
        ("8480+", 307.2),
        ("xeon 6248", 140.8),
        ("E5-2680 v3", 68.3),
        ("E5-2697v2", 59.7),
        ("Xeon E5-2690", 51.2),
        ("w9-3495X", 307.2),
        ("9950X", 89.6),
        ("Ryzen 9950X3D", 89.6),
        ("i9 14900k", 89.6),
        ("285K", 102.4),
        ("M3 Max", 409.6),
        ("M5 Max", 614.4),
        ("Graviton 3", 307.2),
        ("rpi5", 17.07),
        ("Power 10", 409.6),
        ("Skylake-SP", 128.0),
        ("Skylake-Server-noTSX-IBRS", 128.0),
        ("Cascade Lake-AP", 281.6),
        ("Genoa", 460.8),
        ("EPYC-Genoa-v2", 460.8),
        ("SPR-HBM", 1638.4),
        ("Ampere Altra Max", 204.8),
        ("AmpereOne M", 537.6),
        ("H100 NVL", 3938),
        ("A100 80GB PCIe", 1935),
        ("V100S", 1134),
        ("L4", 300),
        ("A10", 600),
        ("Tesla T4", 320),
        ("4090", 1008),
        ("7900 XTX", 960),
        ("Gaudi 3", 3700),
        ("Standard_HB176rs_v4", 460.8),
        ("Standard_ND96isr_H100_v5", 3352),
        ("p5.48xlarge", 3352),
    ],
)
def test_what_people_call_it_leads_to_one_peak(name: str, gbps: float) -> None:
    assert [peak.gbps for peak in peaks_named(name)] == [pytest.approx(gbps, abs=0.1)]


@pytest.mark.parametrize(
    ("name", "some"),
    [
        ("Sapphire Rapids", {"Xeon Max 9400 with its HBM; its DDR5 has 307.2 GB/s"}),
        ("Haswell-noTSX", {"Xeon E5-2600 v3 (Haswell)", "Core of the fourth generation (Haswell)"}),
        ("Zen 4 EPYC", {"EPYC 9004 (Genoa)", "EPYC 8004 (Siena)", "EPYC 4004"}),
        ("Neoverse V2", {"AWS Graviton4", "NVIDIA Grace"}),
        ("7960X", {"Threadripper 7000", "Core X of 2017 and 2018 (Skylake-X)"}),
        ("A100", {"NVIDIA A100 SXM with 40 GB", "NVIDIA A100 PCIe with 80 GB"}),
    ],
)
def test_a_name_of_several_has_the_peaks_of_all(name: str, some: set[str]) -> None:
    assert some <= {peak.title for peak in peaks_named(name)}
    document = expected(name, rate=100).document
    rates = [member.gbps for member in document.members]
    assert document.peak is None and rates == sorted(rates) and len(rates) > 1
    assert f"at most {format_gbps(rates[0]).split()[0]} to" in screen(name)
    assert f"is {format_share(100 / rates[0])} of it" in screen(name, 100)


@pytest.mark.parametrize("name", ["", "Pentium", "2024", "1234", "triad", "z16", "Gaudi", "v4"])
def test_numbers_that_no_maker_uses_have_no_peak(name: str) -> None:
    assert peaks_named(name) == []


@pytest.mark.parametrize("name", ["Xeon 6726P-B", "Intel(R) Xeon(R) 6563P-B", "6716P-B"])
def test_a_system_on_a_chip_has_not_the_memory_of_its_series(name: str) -> None:
    assert peaks_named(name) == []


def test_every_member_of_a_spoken_name_has_a_peak() -> None:
    members = {
        each.strip() for row in known_spoken_names() for each in row.members.split(";") if each
    }
    assert {name for name in members if peak_named(name) is None} == set()
    assert all(servers_with(row.servers) for row in known_spoken_names() if row.servers)


def test_a_processor_known_only_by_cloud_servers_has_these() -> None:
    assert {each.vendor for each in servers_with("Azure Cobalt 100")} == {"azure"}
    assert "The peak of Axion is not in the tables." in screen("Axion")


def test_a_name_is_no_part_of_a_longer_number() -> None:
    assert servers_with("A10") == []
    assert all("GH200" not in each.hardware for each in expected("H200").values)


def test_what_is_usual_is_said_with_its_source() -> None:
    few_lines, most = peak_named("Xeon Max 9480"), peak_named("EPYC 9654")
    assert few_lines is not None and most is not None
    assert (few_lines.usual_low, few_lines.usual_high) == (0.43, 0.68)
    assert "McCalpin" in (few_lines.usual_source or "")
    assert (most.usual_low, most.usual_reason, most.usual_source) == (0.70, None, None)


@pytest.mark.parametrize("name", ["m7i.metal", "M7I.METAL", "aws m7i.metal"])
def test_cloud_servers_are_known_by_type_or_its_beginning(name: str) -> None:
    assert {each.server for each in servers_named(name)} == {"m7i.metal-24xl", "m7i.metal-48xl"}


def test_a_whole_name_of_a_type_is_that_type_alone() -> None:
    assert [each.server for each in servers_named("c8i.large")] == ["c8i.large"]
    assert servers_named("c") == []


def test_servers_are_found_by_processor_or_else_by_its_family() -> None:
    assert {each.processor for each in servers_with("EPYC 9R14")} == {
        "AMD EPYC 9R14",
        "AMD EPYC 9R14 96-Core Processor",
    }
    assert any("9R14" in each.processor for each in servers_with("EPYC 9654"))
    assert servers_with("Pentium") == servers_with("") == []


def test_the_fastest_servers_come_first() -> None:
    fastest = with_most_bandwidth(known_servers(), 3)
    rates = [each.rate("read") or 0 for each in fastest]
    assert rates == sorted(rates, reverse=True) and rates[-1] > 1000


def screen(name: str, rate: float | None = None) -> str:
    found = expected(name, rate=rate)
    return " ".join(render(found.page, Terminal(200, False, UNICODE)).split())


@pytest.mark.parametrize(
    ("name", "rate", "said"),
    [
        ("EPYC 9654", 387.0, "387.0 GB/s is 84 % of it (as usual), and 42 % of two processors'"),
        ("EPYC 9654", 440.0, "95 % of it (more than is usual)"),
        ("EPYC 9654", 700.0, "152 % of it, which only two processors or more, or a cache can give"),
        ("H100", 3400.0, "101 % of it, which only a cache can give"),
        ("H100", 1000.0, "30 % of it (less than is usual)."),
        ("Ryzen 9 9950X", 60.0, "It is often overclocked."),
    ],
)
def test_a_rate_is_placed_in_the_peak(name: str, rate: float, said: str) -> None:
    assert said in screen(name, rate)


def test_a_servers_peak_is_that_of_its_sockets() -> None:
    text = screen("c8a.metal-48xl")
    assert "EPYC 9005 (Turin): at most 614.4 GB/s for one processor" in text
    assert "aws c8a.metal-48xl" in text


def test_a_server_whose_processor_is_not_known_has_no_peak() -> None:
    (a1,) = servers_named("a1.metal")
    assert "peak of a1.metal is not in the tables" in screen("a1.metal")
    assert expected_of("a1.metal", 10.0, [], [a1]).rate_share is None
    assert page_of(expected_of("a1.metal", None, [], [a1])).tables


def test_graviton_is_known_by_its_maker() -> None:
    (server,) = servers_named("r8g.48xlarge")
    assert maker_of(server) == "Amazon EC2"
    peak = expected_of("r8g.48xlarge", None, [], [server]).peak
    assert peak is not None and peak.title == "AWS Graviton4"


def test_every_row_of_the_tables_has_a_source() -> None:
    rows = [*known_models(), *all_devices(), *known_usual_shares()]
    assert all(row.source for row in rows)
    assert all(row.read is None or row.read.year == 2026 for row in rows)


def test_every_device_has_its_own_peak_by_its_own_name() -> None:
    """The words behind a comma or ``with`` only explain a row, and several names share one."""
    wrong = []
    for row in all_devices():
        name = row.name.split(";")[0].partition(", one of")[0].partition(", for ")[0]
        for each in re.split(r", | and ", re.sub(r" with its.*", "", name).replace(" with ", " ")):
            maker = "" if each.startswith(("NVIDIA", "AMD", "Intel")) else name.split()[0] + " "
            found = device_named(maker + each) or device_named(each)
            if found is not None and found.gbps != row.gbps:
                wrong.append((each, row.gbps, found.name))
        rate = row.gbps * 8000 / row.bits
        assert 700 < rate < 37000, (row.name, rate)
    assert wrong == []


def test_what_nobody_knows_is_one_sentence() -> None:
    with pytest.raises(UsageError, match=r"^Nothing is known of 'Pentium': [^.]*\.$"):
        expected("Pentium")


DEVICES = Path(known_devices.__file__).with_name("devices.csv").read_text("utf-8")


def test_a_damaged_list_of_devices_is_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "devices.csv"
    file.write_text(DEVICES.replace("bA40", "b(A40", 1), "utf-8")
    with pytest.raises(DamagedTableError, match="damaged in line"):
        read_devices(file)


@pytest.mark.parametrize(("name", "said"), [("EPYC 9654", False), ("AmpereOne M", True)])
def test_a_source_that_nobody_opened_is_named_as_such(name: str, said: bool) -> None:
    peak = peak_named(name)
    assert peak is not None and peak.looked_up is not said
    lines = " ".join(page_of(expected_of(name, None, [], [])).lines)
    assert ("not looked up" in lines) is said


@pytest.mark.parametrize(
    "name", ["NVIDIA GeForce RTX 4070 Laptop GPU", "RTX 2070 Max-Q", "RTX 5070 Ti Laptop"]
)
def test_a_gpu_of_a_notebook_is_not_the_card(name: str) -> None:
    assert peak_named(name) is None


@pytest.mark.parametrize(
    ("name", "gbps"),
    [
        ("RTX 4070", 504),
        ("RTX 4070 Ti SUPER", 672),
        ("NVIDIA RTX 4000 SFF Ada Generation", 280),
        ("RTX 3080 12GB", 912),
        ("RTX 3080 Ti", 912),
        ("GeForce GTX 1060 6GB", 192),
        ("RX 9070 GRE", 432),
        ("RX 7900 GRE", 576),
        ("7800 XT", 624),
        ("Max 1100", 1229),
        ("Snapdragon X Elite", 136.5),
        ("Rock 5B", 34.1),
        ("7840U", 120.0),
        ("Ryzen AI 9 HX 370", 128.0),
        ("TR 7970X", 166.4),
        ("Jetson Orin Nano", 102.4),
        ("GTX 680", 192.3),
        ("Tesla K20Xm", 249.6),
        ("NVIDIA TITAN X (Pascal)", 480.4),
        ("R9 Fury X", 512),
        ("RTX 4090 D", 1008),
        ("PlayStation 5", 448),
        ("Steam Deck", 88),
        ("Xeon E7-8890 v3", 102.4),
        ("Xeon E7-4870 v2", 85.3),
        ("Opteron 6276", 51.2),
        ("Phytium S2500", 204.8),
        ("Loongson-3C6000/S", 102.4),
    ],
)
def test_cards_of_one_number_have_their_own_memory(name: str, gbps: float) -> None:
    assert [peak.gbps for peak in peaks_named(name)] == [pytest.approx(gbps, abs=0.1)]
