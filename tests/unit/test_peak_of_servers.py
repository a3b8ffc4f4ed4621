"""The peaks of 85 real servers, by what their firmware says about their memory modules.

The data are in the folder of the cloud servers, whose licence they share.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from example_machines import machine, module
from programs import REPOSITORY

from streamgage.analysis.peak.find import look_for_peak
from streamgage.analysis.peak.of_modules import population_of
from streamgage.analysis.peak.peak import NoPeak
from streamgage.analysis.user_facts import UserFacts
from streamgage.records import Machine, MemoryModule
from streamgage.records.run import collect

SLOTS = REPOSITORY / "cloud" / "tests" / "memory_slots.jsonl"
SERVERS = [json.loads(line) for line in SLOTS.read_text("utf-8").splitlines()]


FIELDS = ("kind", "rated", "rate", "width")


def slot(locator: str, bank: str | None, gibibytes: int, *facts: Any) -> MemoryModule:  # noqa: ANN401
    return module(locator, bank, gibibytes=gibibytes, **dict(zip(FIELDS, facts, strict=False)))


def machine_of(server: dict[str, Any]) -> Machine:
    return machine(
        [slot(*each) for each in server["slots"]],
        processor=server["processor"],
        system=server["system"],
        packages=server["packages"],
        nodes=server["numa_nodes"],
    )


@pytest.mark.parametrize("server", SERVERS, ids=lambda server: server["server"])
def test_the_peak_is_that_of_the_channels_that_modules_fill(server: dict[str, Any]) -> None:
    found = look_for_peak(collect([machine_of(server)]), UserFacts())
    if server["channels"] is None:
        assert isinstance(found, NoPeak)
        return
    assert not isinstance(found, NoPeak)
    truth = server["channels"] * server["megatransfers"] * 8 / 1000
    assert found.gbps == pytest.approx(truth)
    assert (found.source, found.at_most) == ("smbios", False), found.detail


@pytest.mark.parametrize("server", SERVERS, ids=lambda server: server["server"])
def test_nobody_is_sent_to_fill_channels_that_are_full(server: dict[str, Any]) -> None:
    population = population_of(collect([machine_of(server)]))
    assert population is None or not (population.empty or population.missing)
