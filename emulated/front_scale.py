"""What ``streamgage scale`` plans for points, and what it makes of their records.

    python emulated/front_scale.py plans    < POINTS  prints a plan a point
    python emulated/front_scale.py document < RECORDS prints the document and the table

Guests run the plans, as those of front_numa.py. Both inputs are JSON: a list of ``{"cpus"}``,
and a list of ``{"placement", "n", "records"}``, the records as the engine printed them.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import msgspec

from streamgage.analysis.cores import order_of
from streamgage.analysis.statistics.rounds import FreshRun
from streamgage.plan import Placement
from streamgage.records import AnyRecord, Sampling
from streamgage.records.run import collect
from streamgage.results.preset import Preset, make_plan
from streamgage.results.scale.document import PlacedWorkers
from streamgage.results.scale.experiment import KERNELS
from streamgage.results.scale.judge import Point, ScaleSetup, judge_scale
from streamgage.results.scale.page import page
from streamgage.show.symbols import UNICODE
from streamgage.show.table import render
from streamgage.show.terminal import Terminal
from streamgage.units import MIB

BRIEF = Preset(KERNELS, Sampling(min_samples=1, look_every=1, max_samples=1, budget_seconds=5))
"""Times in an emulator mean nothing."""


def plans(points: list[dict[str, Any]]) -> list[Any]:
    """The plan of each point, as brief as can be.

    On small pages: of such small arrays several threads would share a huge one, which can be local
    to one of them only.
    """
    brief = make_plan(BRIEF, stores=["plain"], array_bytes=8 * MIB)
    plan = msgspec.structs.replace(brief, pages="4k")
    placed = [
        Placement(kind="cpus", cpus=point["cpus"], threads=len(point["cpus"])) for point in points
    ]
    return [msgspec.to_builtins(msgspec.structs.replace(plan, placement=each)) for each in placed]


def document(answers: list[dict[str, Any]]) -> dict[str, Any]:
    """The document, the table as people see it, and the orders that the front would use there."""
    decoder = msgspec.json.Decoder[AnyRecord](AnyRecord)
    points = [Point(each["placement"], each["n"]) for each in answers]
    runs = [
        FreshRun(
            point.name,
            1,
            collect(decoder.decode(line) for line in each["records"].splitlines()),
            None,
            None,
        )
        for point, each in zip(points, answers, strict=True)
    ]
    machine = runs[0].run.machine
    assert machine is not None
    names = list(dict.fromkeys(point.placement for point in points))
    setup = ScaleSetup(
        workers="threads",
        threads_per_worker=1,
        launcher=None,
        rounds=1,
        seed=0,
        counts=tuple(sorted({point.n for point in points})),
        placements=tuple(PlacedWorkers(name=each, way=each, workers="threads") for each in names),
    )
    answer = judge_scale(runs, points, setup, machine)
    return {
        "document": msgspec.to_builtins(answer),
        "table": render(page(answer), Terminal(100, False, UNICODE)),
        "orders": {name: order_of(name, machine) for name in names},
    }


if __name__ == "__main__":
    work = {"plans": plans, "document": document}[sys.argv[1]]
    json.dump(work(json.load(sys.stdin)), sys.stdout)
