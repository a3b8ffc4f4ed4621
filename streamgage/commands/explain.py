"""Explain findings, terms and everyday words, and answer questions."""

from __future__ import annotations

import re
import sys
from typing import Annotated

from streamgage.advice import advice
from streamgage.errors import UsageError
from streamgage.explanations import codes, names, page, summary, terms
from streamgage.options.declaration import Form, command
from streamgage.options.question import Question
from streamgage.show.brief import BELOW
from streamgage.show.terminal import terminal_for
from streamgage.show.wrap import hanging, say, width_of, wrapped
from streamgage.units import listed, shortened

ANSWERS = Question.MEANING
EXAMPLES = (
    ("streamgage explain", "List every finding and every term, with a line on each."),
    ("streamgage explain write-allocate", "A finding: what was seen, why it matters, what to do."),
    ("streamgage explain thp", "What people call it elsewhere leads to its page, too."),
    ("streamgage explain why is copy faster than triad", "A question."),
)


@command()
def explain(*words: Annotated[str, Form("[WORD]...", many=True, words=tuple(names()))]) -> int:
    """Explain a finding, a term or a word, or answer a question.

    For a finding it says what was seen, why it matters, and what to do. Other words are looked up
    in an index, and then in the text of all pages and of the documentation.

    Args:
        words: A finding, a term, or any words; without any, list them.
    """
    width = width_of(sys.stdout)
    text = " ".join(words)
    if not words:
        print(_every_page(width, terminal_for(None).lines))
        return 0
    if text in names():
        print(wrapped(page(text), width), end="")
        return 0
    print(_found(text, width), end="")
    return 0


def _found(text: str, width: int) -> str:
    """The page that explains the text, or the list of those that have its words."""
    from streamgage.explanations.search import search  # which takes longer to load than a page

    found = search(text)
    hardware = "" if found.exact else hanging("", _hardware(text), width)
    if not found.entries and not hardware:
        raise UsageError(
            f"No page explains {shortened(text)!r}. Try other words, or choose from the list:"
            f" {advice('explain')}."
        )
    for word, meant in found.corrected:
        say(f"No page has {word!r}: this is for {meant!r}.")
    if not found.in_part and not hardware and (found.exact or len(found.entries) == 1):
        return wrapped(found.entries[0].text, width)
    if hardware and (found.in_part or not found.entries):
        return f"{hardware}\n"
    lines = [
        "\n".join(
            [
                advice("explain", entry.name),
                *([hanging("  ", entry.summary, width)] * bool(entry.summary)),
            ]
        )
        for entry in found.entries
    ]
    title = f"Pages with {shortened(text)!r}, the best first:"
    if found.in_part:
        title = f"No page has all of {shortened(text)!r}. These have a part of it:"
    return "\n".join([*([hardware, ""] * bool(hardware)), title, "", *lines, ""])


def _hardware(text: str) -> str:
    """What shows the peak of the processor, device or cloud server that the text names.

    Empty if it names none that is known.
    """
    from streamgage.analysis.named_hardware import peaks_named, servers_named
    from streamgage.explanations.search import pieces

    for name in (*pieces(text), text):
        peaks = peaks_named(name)
        if peaks or servers_named(name):
            of = listed([each.title for each in peaks]) if peaks else "these cloud servers"
            shown = advice("expected", _product(name))
            return f"{shown} shows the peak of {of}, and what others measured."
    return ""


def _product(text: str) -> str:
    """The fewest words of a piece of a question that have the same peaks, and not only a number."""
    from streamgage.analysis.named_hardware import peaks_named
    from streamgage.explanations.search import pieces

    peaks = peaks_named(text)
    named = [piece for piece in pieces(text) if re.search("[A-Za-z]", piece)]
    return next((piece for piece in reversed(named) if peaks_named(piece) == peaks), text)


def _every_page(width: int, lines: int | None) -> str:
    """Every page with a line on it; on a terminal without room for that, the names that fit."""
    whole = "\n\n".join([_listed("Findings", codes(), width), _listed("Terms", terms(), width)])
    if lines is None or whole.count("\n") < lines - BELOW:
        return whole
    more = f"It takes any words, and questions. {advice('explain')} in a pager says a line on each."
    end = hanging("", more, width)
    room = lines - BELOW - end.count("\n") - 2
    shown = []
    for title, of in (("Terms", terms()), ("Findings", codes())):
        named = f"{title}:\n\n{hanging('  ', ', '.join(of), width)}\n"
        if named.count("\n") + 1 > room:
            named = f"{title}: {len(of)}, by the names that results give them.\n"
        shown.append(named)
        room -= named.count("\n") + 1
    return "\n".join([*shown, end])


def _listed(title: str, of: list[str], width: int) -> str:
    widest = max(len(name) for name in names())
    return "\n".join(
        [f"{title}:", "", *(hanging(f"{name:<{widest}}  ", summary(name), width) for name in of)]
    )
