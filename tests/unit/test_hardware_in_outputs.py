"""The peak and the published values of the processor or device that a text names."""

from __future__ import annotations

from pathlib import Path

import pytest
from foreign_outputs import BABELSTREAM, STREAM, stream_table

from streamgage.analysis.user_facts import UserFacts
from streamgage.comparison.interpret import interpret
from streamgage.interop.formats import parse_output
from streamgage.results.measure.document import Measure

LSCPU = """\
Architecture:            x86_64
CPU(s):                  192
Model name:              AMD EPYC 9654 96-Core Processor
BIOS Model name:         AMD EPYC 9654 96-Core Processor  Unknown CPU @ 2.4GHz
Thread(s) per core:      1
Core(s) per socket:      96
Socket(s):               2
L3 cache:                768 MiB (24 instances)
"""


def named(text: str) -> str | None:
    (table,) = parse_output(text).tables
    return table.about.processor


def read(path: Path, text: str, facts: UserFacts = UserFacts()) -> tuple[Measure, list[str]]:  # noqa: B008 - frozen
    path.write_text(text, "utf-8")
    notes: list[str] = []
    (only,) = interpret([path], facts, notes.append).results
    document = only.result.document
    assert isinstance(document, Measure)
    return document, notes


def test_lscpu_next_to_an_output_gives_the_peak(tmp_path: Path) -> None:
    document, notes = read(tmp_path / "a.log", f"{LSCPU}\n{STREAM}")
    assert document.peak is not None
    assert document.peak.gbps == pytest.approx(2 * 460.8)
    assert document.peak.at_most
    said = next(each for each in notes if "460.8 GB/s for one processor" in each)
    assert "12 channels of DDR5-4800" in said
    assert "streamgage expected 'AMD EPYC 9654 96-Core Processor'" in said


def test_the_peak_of_a_laptop_excludes_a_reading_of_the_rates(tmp_path: Path) -> None:
    # Figures: STREAM by icc with streaming stores, a public course report on an i5-9300H. Had all
    # stores read what they overwrite, 42.1 GB/s would have crossed the bus, 99 % of its peak.
    table = stream_table(28.0616, 28.1220, 31.3675, 31.3348, elements=80_000_000, threads=8)
    text = f"- Model: Intel(R) Core(TM) i5-9300H CPU\n\n{table}"
    document, _ = read(tmp_path / "a.log", text)
    assert document.peak is not None
    assert document.peak.gbps == pytest.approx(42.7, abs=0.1)
    (readings,) = [each for each in document.findings if each.code == "two-readings"]
    assert "most probable (90 %) is that copy, scale, add and triad read none" in (
        readings.finding().text
    )


def test_what_others_published_is_named(tmp_path: Path) -> None:
    _, notes = read(tmp_path / "a.log", f"CPU: 2x AMD EPYC 7742\n\n{STREAM}")
    assert any("others published triad about 220 GB/s" in each and "CSCS" in each for each in notes)


def test_the_caches_of_a_family_are_at_most_those_of_the_processor(tmp_path: Path) -> None:
    # An E5-2680 v3 has 30 MiB; the largest of its family has 45 MiB, and two of them 90 MiB.
    table = stream_table(50.0, 50.0, 55.0, 55.0, elements=10_000_000)
    text = f"Model name: Intel(R) Xeon(R) CPU E5-2680 v3 @ 2.50GHz\n\n{table}"
    document, _ = read(tmp_path / "a.log", text)
    (below,) = [each for each in document.findings if each.code == "below-4x-rule"]
    assert below.severity == "warning"
    said = below.finding().text
    assert "such processors have up to 90 MiB of last-level caches" in said
    assert "--llc" in said


def test_a_peak_that_was_given_comes_first(tmp_path: Path) -> None:
    document, notes = read(tmp_path / "a.log", f"{LSCPU}\n{STREAM}", UserFacts(peak_gbps=800))
    assert document.peak is not None
    assert document.peak.gbps == 800
    assert not any("at most" in each for each in notes)


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("model name\t: Intel(R) Xeon(R) Platinum 8360Y CPU @ 2.40GHz",
         "Intel(R) Xeon(R) Platinum 8360Y CPU"),
        ("Processor: Raspberry Pi 5 (BCM2712)", "Raspberry Pi 5 (BCM2712)"),
        ("| CPU | AMD Ryzen 9 7950X |", "AMD Ryzen 9 7950X"),
        ("**CPU:** Dual Intel Xeon Gold 6248R", "Dual Intel Xeon Gold 6248R"),
        ("- Processor: 2x Ampere Altra Max M128-30", "2x Ampere Altra Max M128-30"),
        ("machdep.cpu.brand_string: Apple M2 Max", "Apple M2 Max"),
        ("Chip: Apple M4", "Apple M4"),
        ("Model name: AMD Ryzen 7 5800U with Radeon Graphics",
         "AMD Ryzen 7 5800U with Radeon Graphics"),
        ("\tVersion: Intel(R) Xeon(R) Gold 6430", "Intel(R) Xeon(R) Gold 6430"),
        ("座：                 2\n型号名称：        Hygon C86 7285", "Hygon C86 7285"),
        ("型号名称：  AMD EPYC 7T83\n座：  1", "1 x AMD EPYC 7T83"),
        ("Nom de modèle :  Intel(R) Core(TM) i7-8565U CPU", "Intel(R) Core(TM) i7-8565U CPU"),
        ('Detected Intel(R) Xeon(R) Silver 4216 CPU @ 2.10GHz "Intel(r) microarchitecture"',
         "Intel(R) Xeon(R) Silver 4216 CPU"),
    ],
)  # fmt: skip
def test_lines_that_name_a_processor(line: str, name: str) -> None:
    assert named(f"{line}\n\n{STREAM}") == name


@pytest.mark.parametrize(
    "line",
    [
        "CPU: 96 cores at 2.4 GHz",
        "Model: server 7",
        "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-1)",
        "Device: NVIDIA A100",
        "Version: 5.10",
        "Graphics card: AMD Radeon RX 7900 XTX",
        "Processor: unknown",
    ],
)
def test_lines_that_name_nothing_that_ran_stream(line: str) -> None:
    assert named(f"{line}\n\n{STREAM}") is None


def test_a_device_counts_if_the_benchmark_ran_on_one() -> None:
    text = BABELSTREAM.replace("Implementation: OpenMP", "Implementation: CUDA")
    assert "CUDA" in text
    assert named(f"{LSCPU}GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-1)\n{text}") == (
        "NVIDIA H100 80GB HBM3"
    )
    assert named(f"{LSCPU}{text}") is None  # the processor did not run it


@pytest.mark.parametrize(("nodes", "sockets"), [(1, ""), (8, "8 x ")])
def test_sockets_that_a_hypervisor_made_up_are_not_counted(nodes: int, sockets: str) -> None:
    # As lscpu shows a guest of VMware in a public bug report: 8 sockets with a core each.
    lines = (
        "Model name:           Intel(R) Xeon(R) CPU E5-2673 v4 @ 2.30GHz\nCore(s) per socket: 1\n"
        f"Socket(s):            8\nHypervisor vendor:    VMware\nNUMA node(s):         {nodes}\n"
    )
    assert named(f"{lines}\n{STREAM}") == f"{sockets}Intel(R) Xeon(R) CPU E5-2673 v4"


def test_the_last_name_before_a_table_counts() -> None:
    one, other = (f"CPU: AMD EPYC {model}\n\n" for model in ("9654", "7742"))
    text = f"{one}{stream_table(1, 1, 1, 1)}\n{other}{stream_table(2, 2, 2, 2)}"
    assert [each.about.processor for each in parse_output(text).tables] == [
        "AMD EPYC 9654",
        "AMD EPYC 7742",
    ]


def test_each_label_has_its_own_processor() -> None:
    lines = [f"{LSCPU}\n{STREAM}", f"{LSCPU.replace('9654', '7742')}\n{STREAM}"]
    text = "".join(f"n{n}: {line}\n" for n, of in enumerate(lines) for line in of.splitlines())
    assert [each.about.processor for each in parse_output(text).tables] == [
        "2 x AMD EPYC 9654 96-Core Processor",
        "2 x AMD EPYC 7742 96-Core Processor",
    ]
