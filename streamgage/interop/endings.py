"""Finds the reason why an output ends: the last words of a run that failed or was stopped."""

from __future__ import annotations

import re

_REASONS = re.compile(
    r"^[^\n]{0,200}?\b(?:what\(\):|slurmstepd: error|srun: error|CANCELLED|DUE TO TIME LIMIT"
    r"|PBS: job killed|TERM_RUNLIMIT|Killed\b|[Oo]ut of [Mm]emory|\boom[-_ ]kill|OOM[ -][Kk]ill"
    r"|Segmentation fault|Bus error|Aborted|Illegal instruction|core dumped"
    r"|[Cc]annot allocate memory"
    r"|terminate called|(?<![\w-])[Ee][Rr][Rr][Oo][Rr]:|[Ff]atal)[^\n]{0,300}$",
    re.M,
)
_WHAT = re.compile(r"what\(\): *(\S[^\n]{0,200})")
_MEMORY = re.compile(
    r"memory for all|[Oo]ut of [Mm]emory|oom[-_ ]kill|OOM|[Cc]annot allocate memory|bad_alloc"
    r"|enough memory|^[^\n]{0,60}\bKilled\b",
    re.M,
)
_SHOWN = 160


def ending_of(text: str) -> str | None:
    """The reason that ``text`` gives for its own end, as it stands there.

    ``None`` if it gives none.
    """
    what = _WHAT.search(text)
    if what is not None:
        return " ".join(what[1].split())[:_SHOWN]
    found = [match[0] for match in _REASONS.finditer(text)]
    return " ".join(found[-1].split())[:_SHOWN] if found else None


def wants_memory(text: str) -> bool:
    """Return whether the run ended because memory was short."""
    return _MEMORY.search(text) is not None
