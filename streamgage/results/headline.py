"""The one figure by which results of every kind are told apart at a glance."""

from __future__ import annotations

from streamgage.results.document import Document
from streamgage.results.kind import Headline
from streamgage.results.kinds import kind_of

_FIRST = "triad"


def headline(document: Document) -> Headline | None:
    """The best bandwidth, of triad where it was measured; of a latency that of memory.

    ``None`` where nothing was measured.
    """
    found = list(kind_of(document).headlines(document))
    of_triad = [each for each in found if each.what.startswith(_FIRST)]
    return max(of_triad or found, key=lambda each: each.value, default=None)
