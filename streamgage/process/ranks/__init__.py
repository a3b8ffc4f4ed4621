"""The engine as MPI ranks: which program, how it is started and watched, and how it fails."""

from __future__ import annotations

from streamgage.process.ranks.programs import launchers_built_for
from streamgage.process.ranks.request import Ranks
from streamgage.process.ranks.start import stream_rank_records

__all__ = ["Ranks", "launchers_built_for", "stream_rank_records"]
