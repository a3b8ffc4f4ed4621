"""How firm a sentence about a result is."""

from __future__ import annotations

from typing import Literal, get_args

Grade = Literal["sound", "undecided", "none", "fact"]
"""``sound``: the figures decide it. ``undecided``: it says what the figures leave open, and why.
``none``: the run is not quotable, so nothing follows from it; the sentence gives the reason, or
what would follow if that had no influence. ``fact``: it concludes nothing from figures, but says
what was done, such as which runs failed."""
GRADES: tuple[Grade, ...] = get_args(Grade)
