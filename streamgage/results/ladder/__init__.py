"""The kind ``ladder``: bandwidth over the size of the working set."""

from __future__ import annotations

from collections.abc import Iterator

from streamgage.records.other_benchmark import UNKNOWN_STORES
from streamgage.results.kind import Headline, Kind, checks, deferred, of_document
from streamgage.results.ladder.document import Ladder
from streamgage.results.settings import Settings
from streamgage.results.summary import SummaryRate, rate_of
from streamgage.units import count, format_bytes


def _headlines(ladder: Ladder) -> Iterator[Headline]:
    for each in ladder.curves:
        for step in each.steps[-1:]:
            what = f"{each.kernel} {each.store}, {step.level}, {each.mode}"
            gbps = step.gbps
            yield Headline(what, gbps.value, low=gbps.low, high=gbps.high)
        if ladder.reported is not None:
            last = each.points[-1]
            name = " ".join(filter(None, (each.kernel, each.store)))
            where = (
                f"arrays of {format_bytes(last.array_bytes)}"
                if last.array_bytes
                else f"working set of {format_bytes(last.bytes)}"
            )
            yield Headline(
                f"{name}, {where}", last.gbps.value, low=last.gbps.low, high=last.gbps.high
            )


def _rates(ladder: Ladder) -> Iterator[SummaryRate]:
    for each in ladder.curves:
        if each.steps and each.steps[-1].level == "memory":
            step = each.steps[-1]
            yield rate_of(each.kernel, each.store, each.threads, step.points, step.gbps)
        elif (last := each.points[-1]).array_bytes is not None:
            store = each.store or UNKNOWN_STORES
            yield rate_of(each.kernel, store, each.threads, last.rounds, last.gbps)


def _settings(ladder: Ladder) -> Settings:
    return Settings(
        device=None if ladder.device is None else ladder.device.title,
        threads=None if ladder.threads is None else count(ladder.threads, "thread"),
        cpus=ladder.cpus,
        rounds=ladder.rounds,
    )


KIND = Kind(
    name="ladder",
    document=Ladder,
    page=of_document("streamgage.results.ladder.page:page"),
    conclusions=deferred("streamgage.results.ladder.page:conclusions"),
    findings=checks("streamgage.results.ladder.findings:CHECKS"),
    headlines=_headlines,
    rates=_rates,
    threads=lambda ladder: ladder.threads,
    reported=lambda ladder: ladder.reported,
    settings=_settings,
    varied=frozenset({"size of each array"}),
    comparable=of_document("streamgage.results.ladder.comparable:figures"),
    gives=frozenset({"picture", "columns", "roofline"}),
    own={
        "roofline": of_document("streamgage.results.ladder.roofline_file:as_json_text"),
        "roofline-csv": of_document("streamgage.results.ladder.roofline_file:as_csv_text"),
    },
)
