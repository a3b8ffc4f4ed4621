"""From the runs of the devices to the tables of their links."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from streamgage.analysis.statistics.rounds import FreshRun, rounds_of
from streamgage.records import Device, LinkPath, Machine, Peer
from streamgage.records.run import Run
from streamgage.results.document import common
from streamgage.results.links.document import LinkCell, LinkRun, Links, LinkTest
from streamgage.results.links.ways import BETWEEN, BOTH_BETWEEN, OF_HOST, WAYS

MEMORIES = ("pageable", "pinned")
"""Kinds of the host's memory: as programs get it, and memory that the device reaches by itself."""
_STORE = "plain"


def pair_name(device: str, peer: str) -> str:
    """The name of the condition in which two devices are measured."""
    return f"{device} and {peer}"


def links_of_run(run: Run) -> Links | None:
    """The links of the device or the devices of a run; ``None`` if its records do not name any."""
    if run.device is None or run.plan is None:
        return None
    peer = None if run.peer is None else run.peer.id
    name = run.device.id if peer is None else pair_name(run.device.id, peer)
    alone = FreshRun(name, 1, run, None, None)
    return judge_links(
        [alone], [run.device], run.machine, rounds=1, seed=run.plan.seed, not_described=peer
    )


def judge_links(
    runs: Sequence[FreshRun],
    devices: Sequence[Device],
    machine: Machine | None,
    *,
    rounds: int,
    seed: int,
    not_described: str | None = None,
) -> Links:
    """The tables of ``runs``, whose conditions are the devices' ids and pairs; any may be missing.

    ``not_described``: the id of one more device.
    """
    good = [each for each in runs if each.failure is None]
    ids = [*(each.id for each in devices), *([not_described] if not_described else [])]
    return Links(
        **common((each.run for each in runs), machine, of_memory=False),
        devices=ids,
        described=list(devices),
        tests=[*_of_host(good, ids), *_between(good, ids)],
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


def _of_host(runs: Sequence[FreshRun], ids: Sequence[str]) -> Iterator[LinkTest]:
    for test in OF_HOST:
        cells = [
            cell
            for memory in MEMORIES
            for device in ids
            if (cell := _cell(f"{memory}-{test}", memory, device, _runs_of(device, runs)))
        ]
        if cells:
            yield _test(test, MEMORIES, ids, cells)


def _between(runs: Sequence[FreshRun], ids: Sequence[str]) -> Iterator[LinkTest]:
    one_way: list[LinkCell | None] = []
    both: list[LinkCell | None] = []
    for device, peer in combinations(ids, 2):
        own = _runs_of(pair_name(device, peer), runs)
        paths = next((each.run.peer for each in own if each.run.peer is not None), None)
        if paths is not None:
            one_way += [
                _cell("peer-from-device", device, peer, own, paths.to_peer),
                _cell("peer-to-device", peer, device, own, paths.from_peer),
            ]
            both.append(_cell("peer-both-ways", device, peer, own, _path_of_both(paths)))
    for test, found in ((BETWEEN, one_way), (BOTH_BETWEEN, both)):
        cells = [each for each in found if each is not None]
        if cells:
            yield _test(test, ids, ids, cells)


def _path_of_both(peer: Peer) -> LinkPath:
    """Straight only if both ways are."""
    return "through-host" if "through-host" in (peer.to_peer, peer.from_peer) else "peer-access"


def _test(
    name: str, rows: Sequence[str], columns: Sequence[str], cells: list[LinkCell]
) -> LinkTest:
    way = WAYS[name]
    return LinkTest(
        test=name,
        description=way.description,
        unit="GB/s",
        row_axis=way.rows,
        column_axis=way.columns,
        rows=list(rows),
        columns=list(columns),
        cells=cells,
    )


def _runs_of(condition: str, runs: Sequence[FreshRun]) -> list[FreshRun]:
    return [each for each in runs if each.condition == condition]


def _cell(
    copies: str, row: str, column: str, runs: Sequence[FreshRun], path: LinkPath | None = None
) -> LinkCell | None:
    """The figure of these copies, by the engine's name; ``None`` if no run has it."""
    found = rounds_of(copies, _STORE, runs)
    if found is None:
        return None
    rate = found.gbps()
    return LinkCell(
        row=row,
        column=column,
        value=rate.value,
        low=rate.low,
        high=rate.high,
        bounded_by=rate.bounded_by,
        n=found.samples if found.single is not None else len(found.times),
        path=path,
    )
