"""A comparison of runs whose rates alone were judged is that of runs that were judged wholly."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from checked_runs import checked_records
from example_counters import calibration
from example_records import MACHINE, MEMORY, as_lines
from example_sides import COPY, run_records
from foreign_outputs import STREAM
from msgspec.structs import replace
from store_results import keep

from streamgage.comparison.compare.document import Comparison
from streamgage.comparison.compare.sides import compare, load_sides
from streamgage.records import AnyRecord, DomainTraffic, Sample, Traffic
from streamgage.results.kinds import result_of
from streamgage.results.measure.document import Measure
from streamgage.results.result import Result
from streamgage.store.load import load_content

RUN = as_lines(run_records(20.0))


def slower(records: list[AnyRecord]) -> list[AnyRecord]:
    """Every sample a little longer, and later ones more."""
    return [
        replace(each, seconds=each.seconds * (1.01 + 0.001 * each.block))
        if isinstance(each, Sample)
        else each
        for each in records
    ]


def replayed() -> list[AnyRecord]:
    """A run whose copy was counted, but on another day."""
    size = float(MEMORY.array_bytes)
    domain = DomainTraffic(bytes_read=10 * size, bytes_written=5 * size, bytes_total=15 * size)
    counted = Traffic(
        variant=COPY.id,
        block=0,
        samples=5,
        passes=5,
        seconds=1.0,
        source="perf uncore_imc",
        domains=[domain],
        running_share=1.0,
        replayed=True,
    )
    return [*run_records(seed=9), calibration(replayed=True), counted]


def beyond() -> list[AnyRecord]:
    """A run that is faster than the memory of its machine can be."""
    return run_records(900.0, seed=5, machine=replace(MACHINE, processor="AMD EPYC 9654"))


RUNS: dict[str, Callable[[], bytes]] = {
    "slower": lambda: as_lines(run_records(19.0, seed=2)),
    "itself": lambda: RUN + b"\n",
    "cut off": lambda: as_lines(run_records(21.0, seed=3, whole=False)),
    "wrong": lambda: as_lines(run_records(21.0, seed=4, valid=False)),
    "beyond its memory": lambda: as_lines(beyond()),
    "replayed": lambda: as_lines(replayed()),
    "STREAM": STREAM.encode,
    "empty": lambda: as_lines([MACHINE]),
}


def both(first: bytes, second: bytes) -> tuple[Comparison, Comparison]:
    """The comparison of runs that were judged wholly, and of their rates alone."""

    def load(content: bytes, name: str) -> tuple[Result[Any], Result[Any]]:
        whole = load_content(content, name, "x.jsonl", print)
        return whole, load_content(content, name, "x.jsonl", print, rates_alone=True)

    (one, one_alone), (other, other_alone) = load(first, "A"), load(second, "B")
    return compare([[one], [other]]), compare([[one_alone], [other_alone]])


def without_errors(answer: Comparison) -> Comparison:
    sides = [
        replace(side, results=[replace(each, errors=[], trust=None) for each in side.results])
        for side in answer.sides
    ]
    remarks = [each for each in answer.remarks if "` says why." not in each]
    return replace(answer, sides=sides, remarks=remarks)


@pytest.mark.parametrize("name", RUNS)
def test_nothing_but_errors_is_lost(name: str) -> None:
    whole, alone = both(RUN, RUNS[name]())
    assert [each.figures for each in alone.figures] == [each.figures for each in whole.figures]
    assert alone.differences == whole.differences


def test_forced_reads_and_series_are_no_figures_of_it_either() -> None:
    records = checked_records()
    whole, alone = both(as_lines(records), as_lines(slower(records)))
    assert whole.figures
    assert without_errors(alone) == without_errors(whole)


def test_a_run_is_the_same_however_it_was_judged() -> None:
    whole = load_content(RUN, "A", "a.jsonl", print)
    alone = load_content(RUN, "B", "b.jsonl", print, rates_alone=True)
    document = whole.document
    assert isinstance(document, Measure) and isinstance(alone.document, Measure)
    assert whole.words.quote is not None and alone.words.quote is None
    for answer in (compare([[whole], [alone]]), compare([[result_of(document, "A")], [alone]])):
        assert any("is on both A and B" in each for each in answer.remarks)


def test_errors_of_a_stored_result_are_told(tmp_path: Path) -> None:
    store = tmp_path / "store.sqlite"
    keep(store, run_records(), beyond())
    result = compare(load_sides(["1", "2"], store, print)).sides[1].results[0]
    assert len(result.errors) == 1 and "No memory exceeds its peak" in result.errors[0]
    assert result.trust == "not-quotable"
