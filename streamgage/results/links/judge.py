"""From the runs of the devices to the tables of their links."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from streamgage.analysis.statistics.rounds import FreshRun, rounds_of
from streamgage.records import Device, Machine
from streamgage.records.run import Run
from streamgage.results.document import common
from streamgage.results.links.document import LinkCell, LinkRun, Links, LinkTest
from streamgage.results.links.ways import WAYS

MEMORIES = ("pageable", "pinned")
"""Kinds of the host's memory: as programs get it, and memory that the device reaches by itself."""
_STORE = "plain"


def links_of_run(run: Run) -> Links | None:
    """The links of the one device of a run; ``None`` if its records do not name it."""
    if run.device is None or run.plan is None:
        return None
    alone = FreshRun(run.device.id, 1, run, None, None)
    return judge_links([alone], [run.device], run.machine, rounds=1, seed=run.plan.seed)


def judge_links(
    runs: Sequence[FreshRun],
    devices: Sequence[Device],
    machine: Machine | None,
    *,
    rounds: int,
    seed: int,
) -> Links:
    """The tables of ``runs``, whose conditions are the devices' ids; any may be missing."""
    good = [each for each in runs if each.failure is None]
    return Links(
        **common((each.run for each in runs), machine, of_memory=False),
        devices=[each.id for each in devices],
        described=list(devices),
        tests=list(_tests(good, devices)),
        waived=[],
        copy_bytes=next((e.run.memory.array_bytes for e in good if e.run.memory), None),
        rounds=rounds,
        seed=seed,
        runs=[
            LinkRun(
                round=each.round,
                device=each.condition,
                failure=each.failure,
                records=each.records,
            )
            for each in runs
        ],
    )


def _tests(runs: Sequence[FreshRun], devices: Sequence[Device]) -> Iterator[LinkTest]:
    for test, way in WAYS.items():
        cells = [
            cell
            for memory in MEMORIES
            for device in devices
            if (cell := _cell(memory, test, device, runs)) is not None
        ]
        if cells:
            yield LinkTest(
                test=test,
                description=way.description,
                unit="GB/s",
                row_axis=way.rows,
                column_axis=way.columns,
                rows=list(MEMORIES),
                columns=[each.id for each in devices],
                cells=cells,
            )


def _cell(memory: str, test: str, device: Device, runs: Sequence[FreshRun]) -> LinkCell | None:
    own = [each for each in runs if each.condition == device.id]
    found = rounds_of(f"{memory}-{test}", _STORE, own)
    if found is None:
        return None
    rate = found.gbps()
    return LinkCell(
        row=memory,
        column=device.id,
        value=rate.value,
        low=rate.low,
        high=rate.high,
        bounded_by=rate.bounded_by,
        n=found.samples if found.single is not None else len(found.times),
    )
