"""What ``streamgage numa`` plans for cells, and what it makes of their records.

    python emulated/front_numa.py plans    < CELLS   prints a plan a cell
    python emulated/front_numa.py document < RECORDS prints the document and the table

Guests run the plans, and their records come back here. Both inputs are JSON: a list of
``{"cpus", "memory_node"}``, and a list of ``{"cpu_node", "memory_node", "records"}``, the records
as the engine printed them. The outputs are JSON, too.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import msgspec

from streamgage.analysis.statistics.rounds import FreshRun
from streamgage.records import AnyRecord, Sampling
from streamgage.records.run import collect
from streamgage.results.numa.experiment import KERNELS, STORES, cell_plan
from streamgage.results.numa.judge import cell_name, judge_numa, layout_of
from streamgage.results.numa.page import page
from streamgage.results.preset import Preset, make_plan
from streamgage.show.symbols import UNICODE
from streamgage.show.table import render
from streamgage.show.terminal import Terminal
from streamgage.units import MIB

BRIEF = Preset(KERNELS, Sampling(min_samples=1, look_every=1, max_samples=1, budget_seconds=5))
"""Times in an emulator mean nothing."""


def plans(cells: list[dict[str, Any]]) -> list[Any]:
    """The plan of each cell, as brief as can be."""
    plan = make_plan(BRIEF, stores=STORES, array_bytes=8 * MIB)
    return [
        msgspec.to_builtins(cell_plan(plan, cell["cpus"], cell["memory_node"])) for cell in cells
    ]


def document(cells: list[dict[str, Any]]) -> dict[str, Any]:
    """The document of the matrix, and the table as people see it."""
    decoder = msgspec.json.Decoder[AnyRecord](AnyRecord)
    runs = [
        FreshRun(
            cell_name(cell["cpu_node"], cell["memory_node"]),
            1,
            collect(decoder.decode(line) for line in cell["records"].splitlines()),
            None,
            None,
        )
        for cell in cells
    ]
    machine = runs[0].run.machine
    assert machine is not None
    answer = judge_numa(runs, layout_of(machine), machine, rounds=1, seed=0)
    table = render(page(answer), Terminal(100, False, UNICODE))
    return {"document": msgspec.to_builtins(answer), "table": table}


if __name__ == "__main__":
    work = {"plans": plans, "document": document}[sys.argv[1]]
    json.dump(work(json.load(sys.stdin)), sys.stdout)
