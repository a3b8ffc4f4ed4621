"""Makes results of every kind, as reports take them."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from example_check import slow_check
from example_compilers import compared
from example_ladder import ladder_of
from example_ladder import machine_of as ladder_machine
from example_latency import latencies_of
from example_numa import machine_of as matrix_machine
from example_numa import matrix_of
from example_program import program_of
from example_records import (
    CLOCK,
    DISTURBANCE,
    END,
    KERNELS,
    MACHINE,
    MEMORY,
    PLAN,
    VARIANTS,
    as_lines,
    good_records,
    place,
    placement,
    samples_of,
    steady_times,
    tuned_records,
    validation,
)
from example_repeat import settings_of
from example_scale import machine_of, scaling_of
from example_study import ITERATIONS, study_of
from example_traffic import watched
from msgspec.structs import replace
from stub_fleet import faulty_fleet

from streamgage.analysis.finding import Finding
from streamgage.analysis.statistics.rounds import FreshRun
from streamgage.interop.charts import LinkTable, LinkTables
from streamgage.interop.tables import BenchmarkFacts
from streamgage.records import AnyRecord, Machine
from streamgage.records.run import collect
from streamgage.results.document import Document
from streamgage.results.links.document import Links
from streamgage.results.links.interpreted import links_of
from streamgage.results.repeat.document import Repeat
from streamgage.results.repeat.judge import judge_repeat
from streamgage.results.result import Result
from streamgage.show.formats import as_json
from streamgage.store.load import load_content


def ignore(_: str) -> None:
    """Take a note, and do nothing."""


def measured(records: Sequence[AnyRecord] | None = None, name: str = "run.jsonl") -> Result[Any]:
    """A run of ``measure``, from its records."""
    content = as_lines(good_records() if records is None else records)
    return load_content(content, name, name, ignore)


def with_findings(findings: Sequence[Finding], name: str) -> Result[Any]:
    """A run of a kind that finds these."""
    found = measured()
    kind = dataclasses.replace(found.kind, findings=lambda _: findings, facts=())
    return Result(kind, found.document, called=name)


def of_document(document: Document, name: str) -> Result[Any]:
    """A study, from its JSON."""
    return load_content(as_json(document).encode(), name, name, ignore)


def repeated(*more: AnyRecord, rounds: int = 5) -> Repeat:
    """Rounds of two placements, one of them slower and less steady; ``more``: in every run."""
    rates = {"compact": (40.0, 40.2, 40.1, 40.3, 40.2), "scatter": (30.0, 34.0, 31.0, 36.0, 33.0)}
    runs = []
    for round_ in range(1, rounds + 1):
        for name, figures in rates.items():
            seconds = 3 * MEMORY.array_bytes / (figures[round_ - 1] * 1e9)
            records: list[AnyRecord] = [
                MACHINE,
                PLAN,
                placement(place(0), place(1)),
                *(MEMORY, CLOCK, *KERNELS, VARIANTS[3]),
                *samples_of(3, [seconds * (1 + 0.001 * k) for k in range(5)]),
                END,
                *more,
            ]
            runs.append(FreshRun(name, round_, collect(records), None, None))
    return judge_repeat(runs, settings_of(*rates), rounds=rounds, seed=7)


def two_modes_records(machine: Machine = MACHINE) -> list[AnyRecord]:
    """A run in which triad is slower in every fifth sample, over three allocations."""
    times = [
        seconds * (1.5 if number % 5 == 4 else 1.0)
        for number, seconds in enumerate(steady_times(0.04, 60))
    ]
    triad = [replace(each, epoch=number // 20) for number, each in enumerate(samples_of(3, times))]
    return [
        machine,
        PLAN,
        placement(place(0), place(1)),
        *KERNELS,
        *VARIANTS,
        MEMORY,
        CLOCK,
        *samples_of(0, steady_times(0.01, 60)),
        *samples_of(1, steady_times(0.02, 60, seed=2)),
        *samples_of(2, steady_times(0.015, 60, seed=3)),
        *triad,
        *(validation(each.id) for each in VARIANTS),
        *(DISTURBANCE, END),
    ]


def transfers() -> Links:
    """Transfers between a host and two GPUs."""
    both = ("GPU 0", "GPU 1")
    text = "memcpy CE CPU(row) -> GPU(column) bandwidth (GB/s)"
    table = LinkTable(
        test="host_to_device_memcpy_ce",
        description=text,
        rows=("CPU 0",),
        columns=both,
        cells=((55.4, 27.4),),
        unit="GB/s",
        row_axis="from CPU",
        column_axis="to GPU",
    )
    return links_of(LinkTables(about=BenchmarkFacts("nvbandwidth", "0.8"), tests=(table,)))


def every_kind() -> list[Result[Any]]:
    """One result of each kind."""
    return [
        measured(tuned_records(), "tuned.jsonl"),
        measured(two_modes_records(), "two-modes.jsonl"),
        of_document(scaling_of(machine_of()), "scale.json"),
        of_document(ladder_of(ladder_machine()), "ladder.json"),
        of_document(latencies_of(), "latency.json"),
        of_document(repeated(), "repeat.json"),
        of_document(matrix_of(matrix_machine(4)), "numa.json"),
        of_document(compared(), "compilers.json"),
        of_document(study_of(lambda n: 10.0 / n, iterations=ITERATIONS), "study.json"),
        of_document(program_of(lambda n: 0.55 / min(n, 2)), "program.json"),
        of_document(faulty_fleet(), "fleet.json"),
        of_document(slow_check(), "check.json"),
        of_document(transfers(), "links.json"),
        of_document(watched(machine_of(), latencies_of()), "traffic.json"),
    ]
