"""A machine among cloud servers: the document that ``streamgage world --format json`` prints.

Rates are GB/s (10^9 bytes per second); those per core are of as many cores as the guest shows.
"""

from __future__ import annotations

import msgspec

from streamgage.analysis.world.servers import Operation
from streamgage.analysis.world.standing import Standing
from streamgage.records import Machine
from streamgage.records.quantities import Amount, Members, Rate


class OwnPlace(msgspec.Struct, frozen=True, kw_only=True):
    """The figure of the own machine."""

    called: str
    """The result that it is of."""
    kernel: str
    store: str
    cores: Members
    gbps: Rate
    """Of copy each byte counted once."""
    gbps_per_core: Rate


class WorldGroup(msgspec.Struct, frozen=True, kw_only=True):
    """Server types that have something in common."""

    what: str
    per_core: Standing
    doubts: list[str]
    """Why they may not have it in common with the own machine."""


class World(msgspec.Struct, frozen=True, kw_only=True):
    """The whole answer."""

    operation: Operation
    source: str
    """Who measured the servers, and the licence of their figures."""
    groups: list[WorldGroup]
    """All, then those that are more and more like the own machine."""
    yours: OwnPlace | None
    yours_reason: str | None
    """Why there is no figure of the own machine."""
    machine: Machine | None
    """That of ``yours``."""
    taken: Amount | None
    """Share of the CPUs' time that others took from ``yours``; ``None`` where it is unknown."""
