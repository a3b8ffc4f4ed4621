"""Reads the parts of this machine, which of them this process may use, and its devices."""

from __future__ import annotations

from dataclasses import dataclass

from streamgage.errors import StreamgageError
from streamgage.process.engine import EngineError, describe_machine, find_engine
from streamgage.process.this_machine import devices_of
from streamgage.records import Device, Machine


def topology() -> Machine:
    """The record of the machine, with the place of every CPU.

    Raises ``UsageError`` or ``EngineError`` with the engine's sentence.
    """
    engine = find_engine()
    machine = describe_machine(engine)
    if not machine.threads:
        raise EngineError(
            f"{engine} is older than streamgage and does not report the place of each CPU: install"
            " both again."
        )
    return machine


@dataclass(frozen=True)
class DevicesFound:
    """The devices that drivers list; ``failure``: why they could not be listed."""

    devices: tuple[Device, ...] = ()
    failure: str | None = None


NO_DEVICES = DevicesFound()


def devices_next_to(machine: Machine) -> DevicesFound:
    """The GPUs and other devices of this system; none of a machine that is not this one.

    A driver that crashes hides nothing of the machine itself.
    """
    if machine.described_by is not None:
        return NO_DEVICES
    try:
        return DevicesFound(tuple(devices_of("all").devices))
    except StreamgageError as error:
        return DevicesFound(failure=str(error))
