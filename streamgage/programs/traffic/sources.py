"""Explains why nothing can be counted: the sources that were tried, and what each needs."""

from __future__ import annotations

import textwrap

from streamgage.records import Counters


def render(counters: Counters, width: int, *, command: bool) -> str:
    """List the sources that were tried; ``command`` is true if a program should have run."""
    left_out = ": the program was not run" if command else ""
    paragraphs = [
        ("streamgage: ", f"no source of memory traffic can be read here{left_out}. Tried:")
    ]
    for source in counters.sources:
        paragraphs.append((f"  {source.source}: ", f"{source.reason or source.state}."))
        if source.remedy is not None:
            paragraphs.append(("    needed: ", f"{source.remedy}."))
    return "".join(
        textwrap.fill(
            text,
            width,
            initial_indent=lead,
            subsequent_indent=" " * 4,
            break_on_hyphens=False,
            break_long_words=False,
        )
        + "\n"
        for lead, text in paragraphs
    )
