"""An invented run with all that the interpretation needs: forced reads, thread series, epochs."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import msgspec
from example_records import (
    CLOCK,
    DISTURBANCE,
    END,
    FOUR_STREAMS,
    MACHINE,
    MEMORY,
    PLAN,
    place,
    placement,
    samples_of,
    tuning,
    validation,
    vector,
)
from traffic_runs import CATALOGUE, PREFETCHED

from streamgage.records import (
    AnyRecord,
    IdleLatency,
    Kernel,
    PlanRecord,
    Sample,
    Tuning,
    Validation,
    Variant,
)
from streamgage.records.run import Run, collect

BLOCKS = 24
EPOCH_BLOCKS = 3
ROUNDS = 11
"""Samples of each point of the thread series, after the blocks."""

GBPS = {
    "init": {"plain": 20.8, "regular": 25.4, "streaming": 50.9, "forced-read": 31.7},
    "sum": {"plain": 34.5, "regular": 36.4, "tuned": 42.1},
    "copy": {"plain": 28.1, "regular": 30.2, "streaming": 52.2, "forced-read": 35.2},
    "update": {"plain": 63.0, "regular": 69.3},
    "triad": {"plain": 29.7, "regular": 31.0, "streaming": 45.8, "forced-read": 34.4},
    "daxpy": {"plain": 52.1, "regular": 52.2},
    "sdaxpy": {"plain": 46.0, "regular": 46.3},
}
"""Nominal rates of two cores of a big processor, which are the limit and not its memory: ordinary
stores read every line, and read it too late."""
SERIES = {"sum": {1: 21.3, 2: 42.3}, "triad": {1: 15.6, 2: 31.0}}
"""Nominal rates by number of threads."""
EPOCH_SPREAD = 0.004
"""How far the speeds of two allocations are apart; samples on the same pages are closer."""


def checked_records() -> list[AnyRecord]:
    """All records of the run, in the order of the engine."""
    variants = [*_rates(), *_forced_reads()]
    variants += _series(variants)
    variants = [
        msgspec.structs.replace(variant, id=number) for number, variant in enumerate(variants)
    ]
    sampling = msgspec.structs.replace(PLAN.sampling, epoch_blocks=EPOCH_BLOCKS)
    records: list[AnyRecord] = [
        msgspec.structs.replace(MACHINE, hypervisor="KVM"),
        msgspec.structs.replace(PLAN, kernels=list(GBPS), checks=True, sampling=sampling),
        placement(place(0), place(1)),
        *(MEMORY, CLOCK),
        *(CATALOGUE[name] for name in GBPS),
        tuning("sum", "regular", shape=FOUR_STREAMS, ratio=(1.157, 1.15, 1.164)),
        *variants,
        IdleLatency(
            seconds=150e-9,
            minimum=149e-9,
            maximum=151e-9,
            repeats=5,
            bytes=1 << 30,
            loads=1 << 20,
            huge_share=1.0,
            cpu=0,
        ),
    ]
    records += [
        msgspec.structs.replace(MEMORY, epoch=epoch) for epoch in range(1, BLOCKS // EPOCH_BLOCKS)
    ]
    for variant in variants:
        records += _samples(variant)
    records += [validation(variant.id) for variant in variants]
    return [*records, DISTURBANCE, msgspec.structs.replace(END, blocks=BLOCKS)]


def checked_run() -> Run:
    """The run with these records."""
    return collect(checked_records())


def alone_records(kernel: str, evidence: Sequence[str]) -> list[AnyRecord]:
    """The same run, in which only ``kernel`` was requested, with those kernels as evidence."""
    records = checked_records()
    variants = [each for each in records if isinstance(each, Variant)]
    left = {
        each.id: each
        if each.kernel == kernel
        else msgspec.structs.replace(each, purpose="evidence")
        for each in variants
        if each.kernel == kernel
        or (each.kernel in evidence and (each.store, each.purpose) == ("regular", "rate"))
    }
    kept: list[AnyRecord] = []
    for record in records:
        match record:
            case PlanRecord():
                kept.append(
                    msgspec.structs.replace(record, kernels=[kernel], evidence=list(evidence))
                )
            case Variant():
                kept += [left[record.id]] if record.id in left else []
            case Tuning():
                kept += [msgspec.structs.replace(record, kernel=name) for name in evidence[:1]]
            case Kernel():
                kept += [record] if record.name in (kernel, *evidence) else []
            case Sample() | Validation():
                kept += [record] if record.variant in left else []
            case _:
                kept.append(record)
    return kept


def _rates() -> Iterator[Variant]:
    for kernel, ways in GBPS.items():
        for way in ways:
            if way == "plain":
                yield msgspec.structs.replace(
                    vector(kernel, "plain"), code="gcc -O3", shape=None, calls=[]
                )
            elif way == "tuned":
                yield vector(kernel, "regular", FOUR_STREAMS)
            elif way != "forced-read":
                yield vector(kernel, way)


def _forced_reads() -> Iterator[Variant]:
    for kernel, ways in GBPS.items():
        if "forced-read" in ways:
            forced = vector(kernel, "regular", PREFETCHED)
            yield msgspec.structs.replace(forced, purpose="forced-read")


def _series(variants: list[Variant]) -> list[Variant]:
    """The quickest regular variant of each kernel again, with ever more threads."""
    points = []
    for kernel, rates in SERIES.items():
        own = [
            each
            for each in variants
            if (each.kernel, each.store, each.purpose) == (kernel, "regular", "rate")
        ][-1]
        points += [
            msgspec.structs.replace(
                own, purpose="series", threads=threads, elements=MEMORY.elements // 8
            )
            for threads in rates
        ]
    return points


def _samples(variant: Variant) -> list[AnyRecord]:
    kernel = CATALOGUE[variant.kernel]
    if variant.purpose == "series":
        gbps = SERIES[variant.kernel][variant.threads or 0]
    else:
        way = variant.purpose if variant.purpose != "rate" else variant.store
        gbps = GBPS[variant.kernel]["tuned" if variant.shape == FOUR_STREAMS else way]
    moved = 8 * (kernel.loads + kernel.stores) * (variant.elements or MEMORY.elements)
    noise = random.Random(variant.id)
    in_series = variant.purpose == "series"
    seconds = []
    for block in range(ROUNDS if in_series else BLOCKS):
        # Pages are slow or quick for all variants alike.
        pages = random.Random(100 + block // EPOCH_BLOCKS).random() * EPOCH_SPREAD
        seconds.append(moved / gbps / 1e9 * (1 + pages + 0.001 * noise.random()))
    samples = samples_of(variant.id, seconds, cpus=range(variant.threads or 2))
    first = BLOCKS if in_series else 0
    last = BLOCKS // EPOCH_BLOCKS - 1
    return [
        msgspec.structs.replace(
            each,
            block=first + each.block,
            epoch=last if in_series else each.block // EPOCH_BLOCKS,
        )
        for each in samples
        if isinstance(each, Sample)
    ]
