"""The possible meanings of a table whose rates do not show which stores read their lines."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from streamgage.records.quantities import RateFrom0
from streamgage.units import format_range, format_share, listed


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """One meaning of a table: which kernels read their lines, and the real traffic if they do."""

    alphas: dict[str, Annotated[float, Meta(ge=0, le=1)]]
    """The share of its lines that each kernel reads because of its stores."""
    gbps: dict[str, RateFrom0]
    """The real traffic of each kernel in GB/s."""
    spread: RateFrom0
    """The share by which the greatest traffic exceeds the least, without copy, which may be a call
    of the C library."""
    probability: Annotated[float, Meta(ge=0, le=1)]
    """The share of the evidence for it."""

    @property
    def crossed(self) -> str:
        """The real traffic of its kernels in words: ``115 to 123 GB/s``."""
        return format_range(min(self.gbps.values()), max(self.gbps.values()))

    @property
    def combination(self) -> str:
        """The combination of stores: ``copy reads none and scale, add and triad read all``."""
        words = {0.0: "none", 1.0: "all"}
        parts = []
        for alpha in sorted(set(self.alphas.values())):
            names = [name for name, each in self.alphas.items() if each == alpha]
            share = words.get(alpha, format_share(alpha))
            parts.append(f"{listed(names)} {'reads' if len(names) == 1 else 'read'} {share}")
        return " and ".join(parts)


class Readings(msgspec.Struct, frozen=True, kw_only=True):
    """The meanings of a table: that no line is read, that all are, and the most probable one."""

    none: Reading
    full: Reading
    best: Reading
    with_known: bool = False
    """Whether the table has kernels that read what they overwrite anyway."""
    peak_below_gbps: RateFrom0 | None = None
    """A theoretical peak below this excludes that all lines are read; null if the peak is known."""

    @property
    def evidence(self) -> str:
        """The strength of the evidence, in words."""
        loops = [name for name in self.none.gbps if name not in ("copy", "init")]
        names = loops if len(loops) > 1 or self.with_known else list(self.none.gbps)
        if self.with_known:
            names = [*names, "the kernels of known traffic"]
        agree = (
            f"{listed(names)} agree within {format_share(self.full.spread)} if their stores read"
            f" what they overwrite, and within {format_share(self.none.spread)} if not"
        )
        share = "more than 99 %" if self.best.probability > 0.99 else None
        share = share or format_share(self.best.probability)
        return f"{agree}; most probable ({share}) is that {self.best.combination} of it"
