"""The memory that a name says is used where it leaves nothing open, and is called named."""

from __future__ import annotations

import pytest

from streamgage.analysis.named_hardware import peaks_named
from streamgage.analysis.named_memory import NamedMemory, memory_in
from streamgage.comparison.expected import expected_of, page_of


@pytest.mark.parametrize(
    ("name", "memory"),
    [
        ("Ryzen 9 7950X3D DDR5-6000", ("DDR5", 6000, None)),
        ("Xeon Gold 6148 with 6 channels DDR4-2666", ("DDR4", 2666, 6)),
        ("i9-13900K DDR5-7200 dual channel", ("DDR5", 7200, 2)),
        ("EPYC 9654, 8 x DDR5-4800", ("DDR5", 4800, 8)),
        ("2S Epyc 9000 (12xDDR5-4800/S)", ("DDR5", 4800, 12)),
        ("EPYC 9135*2 , 24*48G DDR5 6400", ("DDR5", 6400, None)),
        ("Dual Xeon Gold 6248R 12x32GB 2666", (None, 2666, None)),
        ("2x EPYC 7763, 8x DDR4-3200", ("DDR4", 3200, None)),
        ("EPYC 9654 with 8 channels", (None, None, 8)),
    ],
)
def test_a_name_says_kind_rate_and_channels(
    name: str, memory: tuple[str | None, int | None, int | None]
) -> None:
    kind, rate, channels = memory
    assert memory_in(name) == NamedMemory(kind=kind, megatransfers=rate, channels=channels)


@pytest.mark.parametrize(
    "name", ["EPYC 7713 (DDR4-3200, running DDR4-2667)", "EPYC 9654", "Ryzen 5 5600 with 32GB RAM"]
)
def test_two_rates_or_none_leave_it_open(name: str) -> None:
    assert memory_in(name) is None


@pytest.mark.parametrize(
    ("name", "gbps"),
    [
        ("EPYC 9374F with 8 channels of DDR5-4800", 307.2),
        ("Ryzen 7 5800X with 32GB DDR4-3600", 57.6),
        ("i9-13900K DDR4-3200", 51.2),
        ("Xeon 6980P DDR5-6400", 614.4),
        ("N100 single channel DDR4-3200", 25.6),
        ("Xeon Gold 6148 with 4 channels DDR4-2400", 76.8),
        # Modules that are faster than the processor takes run at its own rate.
        ("EPYC 9654 DDR5-5600", 460.8),
        # More channels than it has are those of two processors, or a mistake.
        ("EPYC 7742, 16 channels", 204.8),
        ("RTX 4090 with DDR5-6000", 1008),
    ],
)
def test_the_peak_is_that_of_the_named_memory(name: str, gbps: float) -> None:
    assert [peak.gbps for peak in peaks_named(name)] == [pytest.approx(gbps, abs=0.1)]


def test_the_answer_calls_it_named_and_says_what_the_processor_takes() -> None:
    (line, *_) = page_of(expected_of("Ryzen 7 5800X with DDR4-3600", None, [], [])).lines
    assert "57.6 GB/s for one processor at the named 2 channels of DDR4-3600" in line
    assert "(by itself: 2 channels of DDR4-3200)" in line
    (line, *_) = page_of(expected_of("EPYC 9654 DDR5-4800", None, [], [])).lines
    assert "named" not in line
