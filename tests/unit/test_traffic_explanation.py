"""What the hardware does to leave lines unread: said, and never a reason for a verdict."""

from __future__ import annotations

import msgspec
import pytest
from example_records import MACHINE

from streamgage.analysis.traffic.explanation import read_avoidance


@pytest.mark.parametrize(
    ("architecture", "processor", "word"),
    [
        ("aarch64", None, "write streaming"),
        ("aarch64", "Neoverse-N1", "write streaming"),
        ("aarch64", "Fujitsu A64FX", None),
        ("x86_64", "Intel(R) Xeon(R) Platinum 8380 CPU @ 2.30GHz", "SpecI2M"),
        ("x86_64", "INTEL(R) XEON(R) GOLD 6548N", "SpecI2M"),
        ("x86_64", "Intel(R) Xeon(R) Gold 6148 CPU @ 2.40GHz", None),
        ("x86_64", "AMD EPYC 7451 24-Core Processor", None),
        ("x86_64", None, None),
    ],
)
def test_only_what_is_known_of_a_processor_is_said(
    architecture: str, processor: str | None, word: str | None
) -> None:
    machine = msgspec.structs.replace(MACHINE, architecture=architecture, processor=processor)
    found = read_avoidance(machine)
    assert (found is None) if word is None else (found is not None and word in found.words)
    assert read_avoidance(None) is None
