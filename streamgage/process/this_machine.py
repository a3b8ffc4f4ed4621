"""Asks the engine about this machine: its parts, and the CPUs that an expression names."""

from __future__ import annotations

from streamgage.errors import UsageError
from streamgage.process.engine import ask, describe_machine, find_engine
from streamgage.records import Catalogue, Devices, Expansion, Machine


def describe_this_machine() -> Machine:
    """Describe this machine. Raises ``UsageError`` if HWLOC_* variables describe another."""
    machine = describe_machine(find_engine())
    if machine.described_by is not None:
        raise UsageError(
            f"{machine.described_by} describes another machine, which cannot be measured here:"
            " unset it."
        )
    return machine


def catalogue() -> Catalogue:
    """Ask for the names of the engine's kernels and store modes. Raises ``EngineError``."""
    return ask(find_engine(), ["--catalogue"], Catalogue)


def devices_of(name: str) -> Devices:
    """The devices that ``name`` stands for: ``opencl:0``, ``gpu`` or ``all``.

    Raises ``UsageError`` with the engine's sentence if there is none; for ``all`` there may be.
    """
    if not name.strip() or "\0" in name:
        raise UsageError("The name of the device is empty: write one such as opencl:0.")
    return ask(find_engine(), [f"--devices={name}"], Devices)


def expand(expression: str, *, oversubscribe: bool = False) -> Expansion:
    """Find the CPUs of ``expression``, on this machine or on the one that HWLOC_* describe.

    Raises ``UsageError`` with the engine's sentence for an expression that cannot be met.
    """
    if not expression.strip() or "\0" in expression:
        raise UsageError(
            "The placement is empty: write CPUs such as 0-3,8, or a domain such as S0."
        )
    permission = ["--allow-oversubscribe"] if oversubscribe else []
    return ask(find_engine(), [f"--expand={expression}", *permission], Expansion)
