"""What the doctor prints, on terminals of several widths and as JSON."""

from __future__ import annotations

import json

import pytest
from example_environments import ACTIVITY, COUNTERS, changed, ran, surroundings
from example_records import MACHINE
from golden import approved
from schemas import validator

from streamgage.machine.doctor.checks import examine, examine_counters
from streamgage.machine.doctor.document import DoctorResult
from streamgage.machine.doctor.page import render
from streamgage.show.formats import as_json
from streamgage.show.symbols import ASCII, UNICODE, Symbols
from streamgage.show.terminal import Terminal


def spoiled() -> DoctorResult:
    """Under Open MPI on a guest with a quota, next to another benchmark."""
    return examine(
        surroundings(
            machine=changed(MACHINE, hypervisor="KVM", cpu_quota=1.5),
            binding=ran("0", "0", inherited="0", ratio=1.99, runtime=1, throttled=0.01),
            activity=changed(ACTIVITY, other_seconds=0.03, steal_seconds=0.31),
            programs=["bash", "likwid-bench"],
            OMP_NUM_THREADS="2",
            OMPI_COMM_WORLD_SIZE="1",
        )
    )


@pytest.mark.parametrize(
    ("name", "shown", "width", "symbols"),
    [
        ("doctor-fit-100", examine(surroundings()), 100, UNICODE),
        ("doctor-fit-details-100", examine(surroundings()), 100, UNICODE),
        ("doctor-spoiled-100", spoiled(), 100, UNICODE),
        ("doctor-spoiled-80", spoiled(), 80, UNICODE),
        ("doctor-spoiled-ascii-60", spoiled(), 60, ASCII),
        ("doctor-counters-100", examine_counters(COUNTERS), 100, UNICODE),
    ],
)
def test_the_page_is_as_reviewed(
    name: str, shown: DoctorResult, width: int, symbols: Symbols
) -> None:
    text = render(shown, Terminal(width, False, symbols), details="details" in name)
    approved(f"{name}.txt", text)
    assert all(len(line) <= width for line in text.splitlines())


def test_ascii_is_enough_where_nothing_else_is_to_be_had() -> None:
    assert render(spoiled(), Terminal(60, False, ASCII)).isascii()


def test_colour_adds_no_words() -> None:
    coloured = render(spoiled(), Terminal(100, True, UNICODE))
    assert "\x1b[" in coloured
    assert "binding" in coloured


@pytest.mark.parametrize("shown", [spoiled(), examine_counters(COUNTERS)])
def test_the_document_is_as_its_schema_says(shown: DoctorResult) -> None:
    document = json.loads(as_json(shown))
    validator("doctor").validate(document)
    assert document["fit"] is False
    assert [each["code"] for each in document["checks"]] == [check.code for check in shown.checks]
