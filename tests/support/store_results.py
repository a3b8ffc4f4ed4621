"""Reads and fills the store in a test's folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

import msgspec
from example_records import as_lines

from streamgage.records import AnyRecord
from streamgage.records.address import Address, StorePlace
from streamgage.records.run import collect
from streamgage.results.measure.judge import judge_measure
from streamgage.results.summarise import summary_of
from streamgage.results.summary import Entry, Summary, SummaryRate
from streamgage.store import Store

Where = TypeVar("Where", Path, Address, StorePlace)
TRIAD = SummaryRate(kernel="triad", store="plain", median_gbps=50.0, low_gbps=49.0, high_gbps=51.5)


def made_summary(**fields: object) -> Summary:
    """The summary of a run on node7, with these ``fields`` changed."""
    base = Summary(
        kind="measure",
        started="2026-11-22T12:00:00Z",
        host="node7",
        processor="A Processor 100%",
        tool=None,
        threads=2,
        array_bytes=1 << 20,
        state="complete",
        rates=[TRIAD],
    )
    return msgspec.structs.replace(base, **fields)


def store_of(folder: Path) -> Path:
    """The store of a program that ``programs.streamgage`` runs in ``folder``."""
    return folder / "data" / "streamgage" / "store.sqlite"


def kept_entries(folder: Path) -> list[Entry]:
    """All stored results, the newest first."""
    if not store_of(folder).exists():
        return []
    with Store(store_of(folder), create=False) as store:
        return store.entries(print)


def kept_files(folder: Path, number: int | None = None) -> dict[str, bytes]:
    """The files of the result of that number; ``None``: of the newest one."""
    with Store(store_of(folder), create=False) as store:
        return store.files(store.numbers()[-1] if number is None else number)


def keep(place: Where, *runs: Sequence[AnyRecord]) -> Where:
    """The store at ``place`` with those runs of ``measure``, in that order."""
    with Store(place, create=True) as store:
        for records in runs:
            found = judge_measure(collect(records))
            summary = summary_of(found, partial=False)
            store.add(summary, {"run.jsonl": as_lines(list(records))})
    return place
