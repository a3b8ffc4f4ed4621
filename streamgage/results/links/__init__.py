"""The kind ``links``: transfers between the host and its GPUs.

It only comes from ``interpret``, from the output of nvbandwidth.
"""

from __future__ import annotations

from collections.abc import Iterator

from streamgage.results.kind import Headline, Kind, checks, deferred, of_document
from streamgage.results.links.document import RATE_UNIT, Links
from streamgage.results.settings import Settings


def _headlines(links: Links) -> Iterator[Headline]:
    for test in links.tests:
        if test.unit != RATE_UNIT:
            continue
        for cell in test.cells:
            yield Headline(f"{test.test}, {cell.row} and {cell.column}", cell.value)


KIND = Kind(
    name="links",
    document=Links,
    page=of_document("streamgage.results.links.page:page"),
    verdict=deferred("streamgage.results.links.page:verdict"),
    findings=checks("streamgage.results.links.findings:CHECKS"),
    headlines=_headlines,
    reported=lambda links: links.reported,
    settings=lambda _: Settings(rounds=1),
    comparable=of_document("streamgage.results.links.comparable:figures"),
)
