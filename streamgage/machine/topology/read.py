"""Reads the parts of this machine, and which of them this process may use."""

from __future__ import annotations

from streamgage.process.engine import EngineError, describe_machine, find_engine
from streamgage.records import Machine


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
