"""What cloud servers have in common with a machine, in a form that is stored."""

from __future__ import annotations

import msgspec

from streamgage.records.quantities import Members
from streamgage.units import count


class SharedTraits(msgspec.Struct, frozen=True, kw_only=True):
    """What some server types have in common with a machine."""

    cpus: Members
    """The number of their CPUs, as the system counts them."""
    generation: str | None = None
    """The generation of their processors, where the machine's own masks its name; ``None``: they
    have the same processor."""
    same_cloud: bool = False
    """``True`` if they are the machine's cloud's own."""

    @property
    def words(self) -> str:
        """Such as ``same cloud, same processor, 8 CPUs``."""
        cloud = ["same cloud"] if self.same_cloud else []
        return ", ".join([*cloud, self.generation or "same processor", count(self.cpus, "CPU")])
