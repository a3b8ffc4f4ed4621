"""Makes results to compare: runs of known speed and noise on invented machines."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from example_records import (
    CLOCK,
    END,
    KERNELS,
    MACHINE,
    MEMORY,
    PLAN,
    VARIANTS,
    as_lines,
    place,
    placement,
    samples_of,
    validation,
)
from foreign_outputs import STREAM
from msgspec.structs import replace

from streamgage.records import AnyRecord, Machine, PlacementRecord, Sample
from streamgage.results.document import Document
from streamgage.results.kinds import result_of
from streamgage.results.result import Result
from streamgage.store.load import load_content

EPOCH_BLOCKS = 3
BLOCKS = 24
COPY, TRIAD = VARIANTS[1], VARIANTS[3]
ON_TWO = placement(place(0), place(1))
_LOADS_AND_STORES = {"copy": 2, "triad": 3}


def noisy_times(
    seconds: float,
    seed: int,
    *,
    within: float = 0.004,
    between: float = 0.004,
    blocks: int = BLOCKS,
) -> list[list[float]]:
    """Times of each allocation: these differ by ``between``, the samples of one by ``within``."""
    source = random.Random(seed)
    epochs = []
    for _ in range(0, blocks, EPOCH_BLOCKS):
        here = seconds * (1 + source.gauss(0, between))
        epochs.append([here * (1 + source.gauss(0, within)) for _ in range(EPOCH_BLOCKS)])
    return epochs


def run_records(
    gbps: float = 20.0,
    *,
    seed: int = 1,
    noise: float = 0.004,
    machine: Machine = MACHINE,
    places: PlacementRecord = ON_TWO,
    valid: bool = True,
    array: int = MEMORY.array_bytes,
    whole: bool = True,
) -> list[AnyRecord]:
    """A run in which copy and triad with plain stores give ``gbps``."""
    memory = replace(MEMORY, array_bytes=array, elements=array // 8)
    records: list[AnyRecord] = [machine, PLAN, places, memory, CLOCK, *KERNELS, COPY, TRIAD]
    for variant in (COPY, TRIAD):
        seconds = _LOADS_AND_STORES[variant.kernel] * array / (gbps * 1e9)
        epochs = noisy_times(seconds, 100 * seed + variant.id, within=noise, between=noise)
        taken = samples_of(variant.id, [time for epoch in epochs for time in epoch])
        records += [
            replace(each, epoch=number // EPOCH_BLOCKS)
            for number, each in enumerate(taken)
            if isinstance(each, Sample)
        ]
        records.append(validation(variant.id, valid=valid))
    return [*records, END] if whole else records


def run_result(gbps: float = 20.0, *, name: str = "a.jsonl", **setting: Any) -> Result[Any]:  # noqa: ANN401
    """The same run, as if loaded from a file of this name."""
    return load_content(as_lines(run_records(gbps, **setting)), name, name, print)


def stream_result(factor: float = 1.0, *, tables: int = 1, name: str = "stream.txt") -> Result[Any]:
    """The output of STREAM on 96 cores; each table a little apart from the others."""
    text = "".join(
        STREAM.replace("718799.1", f"{718799.1 * factor * (1 + 0.001 * number):.1f}")
        for number in range(tables)
    )
    return load_content(text.encode(), name, name, print)


def document_result(document: Document, name: str = "a.json") -> Result[Any]:
    """A document as it is loaded."""
    return result_of(document, name)


def group(gbps: Sequence[float], **setting: Any) -> list[Result[Any]]:  # noqa: ANN401 - of run_records
    """A run of each speed, pooled as one side."""
    return [
        run_result(each, name=f"{number}.jsonl", seed=10 * number + 1, **setting)
        for number, each in enumerate(gbps, start=1)
    ]
