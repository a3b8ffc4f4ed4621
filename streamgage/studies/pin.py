"""Pin: which CPUs an expression stands for here."""

from __future__ import annotations

from streamgage.engine import ask, find_engine
from streamgage.errors import UsageError
from streamgage.records import Expansion


def expand(expression: str, *, oversubscribe: bool = False) -> Expansion:
    """The CPUs of ``expression``, on this machine or on the one that HWLOC_* variables ask for.

    Raises ``UsageError`` with the engine's sentence for an expression that cannot be had.
    """
    if not expression.strip() or "\0" in expression:
        raise UsageError(
            "The placement is empty: write CPUs such as 0-3,8, or a domain such as S0."
        )
    permission = ["--allow-oversubscribe"] if oversubscribe else []
    return ask(find_engine(), [f"--expand={expression}", *permission], Expansion)
