"""Transfers between the host and its devices: ``streamgage links``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from streamgage.results.kind import Headline, Kind, checks, deferred, of_document
from streamgage.results.links.document import RATE_UNIT, Links
from streamgage.results.links.ways import name_of
from streamgage.results.result import Result
from streamgage.results.settings import Settings

if TYPE_CHECKING:
    from streamgage.records.run import Run


def _headlines(links: Links) -> Iterator[Headline]:
    for test in links.tests:
        if test.unit != RATE_UNIT:
            continue
        for cell in test.cells:
            what = name_of(test.test, cell.row, cell.column)
            yield Headline(what, cell.value, low=cell.low, high=cell.high)


def _settings(links: Links) -> Settings:
    return Settings(
        device=", ".join(each.title for each in links.described) or None,
        array_bytes=links.copy_bytes,
        rounds=links.rounds,
    )


_links_of_run = deferred("streamgage.results.links.judge:links_of_run")


def _of_run(run: Run, *_: object) -> Result[Links] | None:
    if run.plan is None or not run.plan.copies:
        return None
    found = _links_of_run(run)
    return None if found is None else Result(KIND, found)


KIND = Kind(
    name="links",
    document=Links,
    page=of_document("streamgage.results.links.page:page"),
    conclusions=deferred("streamgage.results.links.page:conclusions"),
    findings=checks("streamgage.results.links.findings:CHECKS"),
    headlines=_headlines,
    reported=lambda links: links.reported,
    settings=_settings,
    comparable=of_document("streamgage.results.links.comparable:figures"),
    of_run=_of_run,
)
