"""How much is shown beyond the answer itself."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Detail:
    """What to add to the table: the checks that passed, and how shapes were chosen."""

    verbose: bool = False
    explain: bool = False


PLAIN = Detail()
