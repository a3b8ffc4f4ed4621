"""Runs the engine as MPI ranks: starts and watches them, and explains their failures."""

from __future__ import annotations

from streamgage.process.ranks.request import Ranks
from streamgage.process.ranks.start import stream_rank_records

__all__ = ["Ranks", "stream_rank_records"]
