"""The engine as MPI ranks: how it is started and watched, and how it fails."""

from __future__ import annotations

from streamgage.process.ranks.request import Ranks
from streamgage.process.ranks.start import stream_rank_records

__all__ = ["Ranks", "stream_rank_records"]
