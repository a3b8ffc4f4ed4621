"""The figures of a comparison of compilers for ``compare``."""

from __future__ import annotations

from collections.abc import Iterator

from streamgage.results.comparable import Figure, of_rounds
from streamgage.results.compilers.document import Compilers


def figures(document: Compilers, *_: object) -> Iterator[Figure | None]:
    """Yield the rate of each row and kernel, named ``triad, gcc -O3``."""
    for each in document.rates:
        yield of_rounds((each.kernel, each.name), each.gbps, each.rounds, kernel=each.kernel)
