"""Peaks where firmware says what cannot be: forms that github.com/linuxhw/DMI collects."""

from __future__ import annotations

import pytest
from example_machines import machine, module

from streamgage.analysis.peak.find import look_for_peak
from streamgage.analysis.peak.of_modules import data_bits
from streamgage.analysis.peak.peak import NoPeak, Peak
from streamgage.analysis.user_facts import UserFacts
from streamgage.records import MemoryModule
from streamgage.records.run import collect


def peak_of(*modules: MemoryModule, processor: str | None = None) -> Peak | NoPeak:
    return look_for_peak(collect([machine(modules, processor=processor)]), UserFacts())


@pytest.mark.parametrize(
    ("bits", "data"),
    [
        (64, 64),
        (72, 64),
        (80, 64),
        (32, 32),
        (36, 32),
        (40, 32),
        (16, 16),
        (128, 128),
        (1024, 1024),
    ],
)
def test_a_width_may_have_the_bits_of_ecc(bits: int, data: int) -> None:
    assert data_bits(module("A", kind=None, width=bits)) == data


@pytest.mark.parametrize("bits", [2, 4, 130, 196, 2048, 2178, 2244, 3584, 42048, 65284, 65508])
def test_what_is_no_width_is_not_multiplied(bits: int) -> None:
    assert data_bits(module("A", kind=None, width=bits)) == 0
    assert data_bits(module("A", kind="DDR3", width=bits)) == 64
    found = peak_of(
        module("DIMM0", "BANK 0", kind="DDR3", width=bits, rate=None, rated=1067),
        module("DIMM1", "BANK 1", kind="DDR3", width=bits, rate=None, rated=1067),
    )
    assert isinstance(found, Peak) and found.gbps == pytest.approx(2 * 1.067 * 8)
    assert isinstance(peak_of(module("A0", kind=None, width=bits, rated=400)), NoPeak)


def test_a_rate_that_no_memory_has_is_not_believed() -> None:
    found = peak_of(
        module("A1_DIMM0", "A1_BANK0", kind="DDR3", rate=None, rated=1333),
        module("A1_DIMM2", "A1_BANK2", kind="DDR3", rate=58785, rated=1333),
        processor="Intel(R) Core(TM) i3-2120 CPU @ 3.30GHz",
    )
    assert isinstance(found, Peak) and found.gbps == pytest.approx(2 * 1.333 * 8)
    assert found.at_most


@pytest.mark.parametrize(
    ("kind", "set_to", "rated", "runs"),
    [
        ("DDR4", 933, 1866, 1866),  # the clock, which is half of the rate
        ("DDR4", 1067, 2400, 2134),
        ("DDR4", 1600, 3200, 1600),
        ("DDR3", 667, 1333, 1334),
        ("DDR5", 2400, 4800, 4800),
        ("LPDDR5", 1600, 6400, 1600),
    ],
)
def test_a_clock_below_every_rate_is_half_of_the_rate(
    kind: str, set_to: int, rated: int, runs: int
) -> None:
    assert module("A", kind=kind, rate=set_to, rated=rated).rate == runs


def test_modules_without_their_rate_run_as_the_slowest() -> None:
    known = [module(f"PROC 1 DIMM {n}", rate=1866, rated=2133) for n in (1, 2, 4)]
    found = peak_of(
        *known,
        module("PROC 1 DIMM 3", rate=None, rated=2133),
        processor="Intel(R) Xeon(R) CPU E5-2609 v4 @ 1.70GHz",
    )
    assert isinstance(found, Peak)
    assert (found.gbps, found.detail) == (
        pytest.approx(4 * 1.866 * 8),
        "at most 4 channels of DDR4-1866",
    )
    mixed = [
        module(f"DIMM_A{n}", kind="DDR3", rate=None, rated=rate)
        for n, rate in ((1, 1333), (2, 1333), (3, 1066), (4, 1066))
    ]
    found = peak_of(*mixed, processor="Intel(R) Xeon(R) CPU           E5640  @ 2.67GHz")
    assert isinstance(found, Peak) and found.gbps == pytest.approx(3 * 1.066 * 8)


def test_one_place_of_two_modules_says_no_channel() -> None:
    found = peak_of(
        module("SODIMM1", "Channel 0 Slot 0", rate=3200),
        module("SODIMM2", "Channel 0 Slot 0", rate=3200),
        processor="11th Gen Intel(R) Core(TM) i7-1165G7 @ 2.80GHz",
    )
    assert isinstance(found, Peak) and found.gbps == pytest.approx(51.2)


def test_two_modules_of_one_channel_are_one_channel() -> None:
    found = peak_of(
        module("DIMM 0", "P0 CHANNEL B", rate=2666),
        module("DIMM 1", "P0 CHANNEL B", rate=2666),
        processor="AMD Ryzen 5 2400G with Radeon Vega Graphics",
    )
    assert isinstance(found, Peak) and found.gbps == pytest.approx(2.666 * 8)
