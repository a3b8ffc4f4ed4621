"""Makes checks of an invented node: lines of runs with any figures, and the resulting checks."""

from __future__ import annotations

from collections.abc import Sequence

from example_scale import machine_of

from streamgage.records.node import NodeFigure, NodeLine
from streamgage.results.check.document import Check, CheckLimit, Source
from streamgage.results.check.judge import deciding, judge_run, settle, slow_parts
from streamgage.results.fleet.causes import Changed

TIME = "2026-11-25T12:00:00Z"


def node_run(
    gbps: float = 400.0,
    *,
    width: float = 0.01,
    disturbance: str | None = None,
    valid: bool | None = True,
    time: str = TIME,
    **others: object,
) -> NodeLine:
    """A run of triad: ``width`` is half of its interval, as a share."""
    figure = NodeFigure(
        kernel="triad",
        gbps=gbps,
        low=gbps * (1 - width),
        high=gbps * (1 + width),
        n=50,
        best=gbps * 1.02,
        valid=valid,
        samples=[gbps * share for share in (0.99, 1.0, 1.01, 1.0)],
    )
    fields: dict[str, object] = {
        "host": "n7",
        "time": time,
        "figures": [figure],
        "engine": "0.1.0",
        "threads": 192,
        "bound": True,
        "array_bytes": 8 << 30,
        "seconds": 2.0,
        "check_seconds": 4.5,
        "disturbance": disturbance,
        "processor": "AMD EPYC 9654 96-Core Processor",
        "packages": 2,
        "processor_cores": 192,
        "numa_nodes": 8,
        "modules": "24 x 32 GiB DDR5-4800",
        "bios": "1.8",
    }
    return NodeLine(**(fields | others))  # type: ignore[arg-type]


def limit_of(
    gbps: float = 420.0, percent: float = 5.0, source: Source = "given", kernel: str = "triad"
) -> CheckLimit:
    """A limit: the expected rate, and the share that may be missing."""
    return CheckLimit(
        kernel=kernel,
        source=source,
        expected_gbps=gbps,
        limit_gbps=gbps * (1 - percent / 100),
        why="given by --expect",
    )


def check_of(
    runs: Sequence[NodeLine], limits: Sequence[CheckLimit] = (), *, domains: Sequence[float] = ()
) -> Check:
    """Make the check with these runs."""
    known = deciding(limits)
    verdict = settle(judge_run(runs[-1], known))
    parts = slow_parts([(f"NUMA domain {n}", each) for n, each in enumerate(domains)])
    return Check(
        machine=machine_of(),
        host=runs[0].host,
        time=runs[0].time,
        length="examine" if parts else "standard",
        verdict=verdict,
        seconds=4.2 * len(runs),
        limits=known,
        runs=list(runs),
        causes=[Changed(name="BIOS", before="1.8", now="1.9")] if verdict == "slow" else [],
        parts=parts,
    )


def slow_check() -> Check:
    """A node with a slow NUMA domain, measured twice."""
    return check_of(
        [node_run(372.0), node_run(371.2)],
        [limit_of(), limit_of(418.0, 4.0, "history")],
        domains=[105.0, 104.0, 106.0, 58.0],
    )
