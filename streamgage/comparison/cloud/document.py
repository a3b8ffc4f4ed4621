"""The document that ``streamgage expected --cloud`` prints as JSON: a machine among cloud servers.

Rates are GB/s (10^9 bytes per second). Rates per core use the number of cores that the guest shows.
"""

from __future__ import annotations

import msgspec

from streamgage.analysis.cloud.servers import Operation
from streamgage.analysis.cloud.standing import Standing
from streamgage.analysis.conclusion import Conclusion
from streamgage.analysis.expected.doubt import Doubt
from streamgage.analysis.trust import Trust
from streamgage.records import Machine
from streamgage.records.quantities import Amount, Members, Rate


class OwnPlace(msgspec.Struct, frozen=True, kw_only=True):
    """The figure of this machine, and the result that it comes from."""

    called: str
    """The name of the result."""
    kernel: str
    store: str
    cores: Members
    gbps: Rate
    """The rate in GB/s; for copy, each byte counts once."""
    gbps_per_core: Rate


class CloudGroup(msgspec.Struct, frozen=True, kw_only=True):
    """A group of server types, such as those with as many CPUs, and their rates."""

    what: str
    per_core: Standing
    doubts: list[Doubt]
    """Why this machine may not belong to the group."""


class Cloud(msgspec.Struct, frozen=True, kw_only=True):
    """Where a machine stands among cloud servers: ``streamgage expected --cloud``."""

    operation: Operation
    source: str
    """The source of the servers' figures, and their licence."""
    groups: list[CloudGroup]
    """All servers, then groups that resemble this machine more and more."""
    yours: OwnPlace | None
    yours_reason: str | None
    """Why this machine has no figure."""
    machine: Machine | None
    """The machine of ``yours``."""
    taken: Amount | None
    """Share of the CPUs' time that other programs took from ``yours``; ``None`` if unknown."""
    trust: Trust | None
    """How far ``yours`` can be trusted; ``None`` without it."""
    conclusions: list[Conclusion]
    """Where ``yours`` stands, no firmer than its result."""
