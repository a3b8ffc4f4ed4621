"""Explain findings and terms."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Annotated

from streamgage.advice import advice
from streamgage.errors import UsageError
from streamgage.explanations import codes, names, page, summary, terms
from streamgage.options.declaration import Form, command
from streamgage.show.wrap import hanging, width_of, wrapped
from streamgage.units import shortened

_MOST_CHARACTERS = 40
EXAMPLES = (
    ("streamgage explain", "List every finding and every term, with a line on each."),
    ("streamgage explain write-allocate", "A finding: what was seen, why it matters, what to do."),
    ("streamgage explain triad", "A term: what it means."),
)


def _nearest(code: str, known: Sequence[str]) -> str:
    """Return the known code with the most similar letters; prefer one that contains the word."""
    typed = code[:_MOST_CHARACTERS].strip().lower().replace("_", "-").replace(" ", "-")

    def likeness(name: str) -> tuple[bool, float]:
        has_word = bool(typed) and any(word.startswith(typed) for word in name.split("-"))
        return has_word, SequenceMatcher(None, name, typed).ratio()

    return max(known, key=likeness)


@command()
def explain(code: Annotated[str | None, Form("NAME", words=tuple(names()))] = None) -> int:
    """Explain a finding or a term.

    For a finding it says what was seen, why it matters, and what to do.

    Args:
        code: A finding or a term; default: list them.
    """
    known = names()
    width = width_of(sys.stdout)
    if code is None:
        print(_listed("Findings", codes(), width), _listed("Terms", terms(), width), sep="\n\n")
        return 0
    code = "-".join(code.lower().split())
    if code not in known:
        shown = shortened(code)
        raise UsageError(
            f"{shown!r} is neither a finding nor a term: the nearest is {_nearest(code, known)}."
            f" {advice('explain')} lists them all."
        )
    print(wrapped(page(code), width), end="")
    return 0


def _listed(title: str, of: list[str], width: int) -> str:
    widest = max(len(name) for name in names())
    return "\n".join(
        [f"{title}:", "", *(hanging(f"{name:<{widest}}  ", summary(name), width) for name in of)]
    )
