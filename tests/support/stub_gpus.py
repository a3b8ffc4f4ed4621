"""Makes fleets of stub nodes with four GPUs each; a few GPUs have a known fault."""

from __future__ import annotations

import random
from collections.abc import Mapping

from example_device import CUDA_DEVICE, DEVICE_STATE
from msgspec.structs import replace
from stub_fleet import AGAIN, DAY, TIME

from streamgage.records import SlowedBy
from streamgage.records.node import FleetRun, NodeFigure, NodeLine

NODES, GPUS = 100, 4
RATES = {"copy": 2900.0, "triad": 2970.0}
CAPPED = SlowedBy(reason="power-cap", readings=12)
"""What holds every GPU of the fleet, and so explains nothing."""
HOT = SlowedBy(reason="hardware-thermal", readings=10)
GPU = replace(CUDA_DEVICE, name="NVIDIA H100 80GB HBM3", memory_bytes=80 << 30)
STATE = replace(DEVICE_STATE, slowed_by=[CAPPED])
SLOW, THROTTLED, LACKING = ("node17", 2), ("node42", 1), "node63"


def gpu_line(
    host: str,
    number: int,
    factor: float = 1.0,
    changes: Mapping[str, object] | None = None,
    **of_line: object,
) -> NodeLine:
    """The line of one GPU of a node; ``changes`` are to its facts and its state."""
    changes = changes or {}
    facts = {name: each for name, each in changes.items() if hasattr(GPU, name)}
    state = {name: each for name, each in changes.items() if hasattr(STATE, name)}
    figures = [
        NodeFigure(kernel=kernel, gbps=rate * factor, low=None, high=None, n=20)
        for kernel, rate in RATES.items()
    ]
    fields = {
        "time": DAY + TIME,
        "engine": "0.1.0",
        "array_bytes": 1 << 30,
        "seconds": 10.0,
        "figures": figures,
        **of_line,
    }
    return NodeLine(
        host=host,
        device=replace(GPU, id=f"cuda:{number}", **facts),
        device_state=replace(STATE, **state),
        **fields,  # type: ignore[arg-type]
    )


def gpu_fleet(seed: int = 1, *, nodes: int = NODES, day: str = DAY) -> list[NodeLine | FleetRun]:
    """Nodes whose GPUs differ by 1 %, and their runs by a quarter of that.

    One GPU is slow, one is slow because it is hot, and one node lacks a GPU.
    """
    draw = random.Random(seed)
    lines: list[NodeLine | FleetRun] = [
        FleetRun(nodes=f"node[0-{nodes - 1}]", time=day + TIME, launcher="stub", deadline=60.0)
    ]
    for node in range(nodes):
        host = f"node{node}"
        own = [draw.gauss(1, 0.01) for _ in range(GPUS)]
        bad = {SLOW: 0.85, THROTTLED: 0.8}
        again = any((host, number) in bad for number in range(GPUS))
        for attempt in (1, 2) if again else (1,):
            for number in range(GPUS - (host == LACKING)):
                unit = (host, number)
                factor = own[number] * draw.gauss(1, 0.0025) * bad.get(unit, 1.0)
                changes = {"slowed_by": [CAPPED, HOT]} if unit == THROTTLED else {}
                time = day + (TIME if attempt == 1 else AGAIN)
                lines.append(gpu_line(host, number, factor, changes, attempt=attempt, time=time))
    return lines
