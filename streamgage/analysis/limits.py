"""The possible limits of bandwidth, and the reasons why the limit may be unknown."""

from __future__ import annotations

from typing import Literal

Limit = Literal["cores", "memory", "quota"]
OpenReason = Literal[
    "other-load",
    "throttled",
    "moved",
    "falls",
    "rows-differ",
    "kernels-differ",
    "two-modes",
    "few-samples",
    "noise",
    "coarse",
]
"""Why it is unknown what the limit is: other programs had the CPUs; a quota stopped threads;
threads changed their CPUs; all threads together have far less than fewer of them; the series is far
from the same kernel's row; only some kernels show a full memory, in a guest; samples fall into two
groups; there are too few of them; they scatter too much; or nothing was measured that would show
it."""
