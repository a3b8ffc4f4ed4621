"""Single processors by their numbers: their own memory, not that of their family."""

from __future__ import annotations

import pytest

from streamgage.analysis.named_hardware import peak_named, peaks_named, servers_with
from streamgage.analysis.peak.of_model import known_models, model_of
from streamgage.analysis.peak.of_number import known_numbers, names_of, row_of_number
from streamgage.analysis.peak.peak import channel_gbps


@pytest.mark.parametrize(
    ("name", "memory"),
    [
        ("Xeon Silver 4210", "6 channels of DDR4-2400"),
        ("Intel(R) Xeon(R) Gold 5218 CPU @ 2.30GHz", "6 channels of DDR4-2666"),
        ("Xeon Gold 6248", "6 channels of DDR4-2933"),
        ("Xeon Silver 4314", "8 channels of DDR4-2666"),
        ("Xeon Gold 6330", "8 channels of DDR4-2933"),
        ("INTEL(R) XEON(R) GOLD 6530", "8 channels of DDR5-4800"),
        ("Intel(R) Xeon(R) CPU E5-2640 0 @ 2.50GHz", "4 channels of DDR3-1333"),
        ("Intel(R) Xeon(R) CPU E5-2640 v4 @ 2.40GHz", "4 channels of DDR4-2133"),
        ("Intel(R) Xeon(R) CPU E5-2690 v4 @ 2.60GHz", "4 channels of DDR4-2400"),
        ("AMD EPYC 7282 16-Core Processor", "4 channels of DDR4-2666"),
        ("AMD Ryzen Threadripper 1950X 16-Core Processor", "4 channels of DDR4-2666"),
        ("AMD Ryzen 7 PRO 5850U with Radeon Graphics", "2 channels of LPDDR4-4266"),
        ("12th Gen Intel(R) Core(TM) i7-1260P", "2 channels of LPDDR5-5200"),
        ("Intel(R) Atom(TM) CPU  C2750  @ 2.40GHz", "2 channels of DDR3-1600"),
        ("Pentium Gold 6405U", "2 channels of DDR4-2400"),
    ],
)
def test_a_slower_processor_has_its_own_memory(name: str, memory: str) -> None:
    peak = peak_named(name)
    assert peak is not None and (peak.memory, peak.looked_up) == (memory, True)


@pytest.mark.parametrize(
    ("name", "gbps"),
    [
        ("5218", 128.0),
        ("4410Y", 256.0),
        ("2620 v3", 59.7),
        ("i7-9750H", 42.7),
        ("N5105", 46.9),
        ("5900HX", 68.3),
        ("9900K", 42.7),
        ("9980X", 204.8),
    ],
)
def test_a_number_alone_has_one_peak(name: str, gbps: float) -> None:
    assert [peak.gbps for peak in peaks_named(name)] == [pytest.approx(gbps, abs=0.1)]


@pytest.mark.parametrize(
    "name", ["P6000", "Pentium Gold 6999", "RTX 3080 Ti Laptop GPU", "E5-2640 v9"]
)
def test_a_number_of_other_hardware_is_not_taken(name: str) -> None:
    assert row_of_number(name) is None
    assert peak_named(name) is None


def test_every_processor_is_found_by_its_own_name() -> None:
    for row in known_numbers():
        for name in names_of(row):
            found = row_of_number(name)
            assert found is not None, name
            rate = channel_gbps(found[1].megatransfers, 64) * found[1].channels
            assert rate == channel_gbps(row.megatransfers, 64) * row.channels, name


def test_every_row_has_a_source_that_was_read() -> None:
    assert all(row.source and row.read is not None for row in known_numbers())


def test_no_processor_is_faster_than_its_family() -> None:
    for row in known_numbers():
        for name in names_of(row):
            model = model_of(name, None)
            family = next(
                (each for each in known_models() if model and each.name == model.family), None
            )
            if model is not None and family is not None and family.name != model.name:
                assert model.gbps <= family.gbps, name


def test_a_processor_has_the_cloud_servers_of_its_family() -> None:
    assert {each.processor for each in servers_with("Xeon Silver 4210")} == {
        each.processor for each in servers_with("Xeon Gold 6248")
    }
