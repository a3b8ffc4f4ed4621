"""The machine that is measured, for studies that plan by what it has."""

from __future__ import annotations

from streamgage.errors import UsageError
from streamgage.process.engine import describe_machine, find_engine
from streamgage.records import Machine


def describe_this_machine() -> Machine:
    """The machine as the engine sees it. Raises ``UsageError`` where HWLOC_* describe another."""
    machine = describe_machine(find_engine())
    if machine.described_by is not None:
        raise UsageError(
            f"{machine.described_by} describes another machine, of which nothing can be measured"
            " here: unset it."
        )
    return machine
