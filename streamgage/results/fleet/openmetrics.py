"""A fleet for a monitoring system: what node_exporter's textfile collector reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import datetime

from streamgage.results.fleet.document import VERDICTS, Fleet, FleetNode


def render(fleet: Fleet) -> str:
    """The text of the exposition format 1.0.0, which needs no package. Rates are bytes per second.

    The verdict of a node is one sample, with its name as a label: 10,000 nodes are many already.
    """
    return "".join(f"{each}\n" for each in _lines(fleet))


def _labels(node: FleetNode) -> str:
    return f'host="{node.host}"' + ("" if node.device is None else f',device="{node.device}"')


def _lines(fleet: Fleet) -> Iterator[str]:
    yield "# TYPE streamgage_fleet_nodes gauge"
    yield "# HELP streamgage_fleet_nodes How many units have each verdict; silent: no result."
    counts = Counter(each.verdict for each in fleet.nodes)
    for verdict in VERDICTS:
        yield f'streamgage_fleet_nodes{{verdict="{verdict}"}} {counts[verdict]}'
    yield f'streamgage_fleet_nodes{{verdict="silent"}} {len(fleet.unanswered())}'
    yield "# TYPE streamgage_fleet_verdict gauge"
    yield "# HELP streamgage_fleet_verdict What the newest fleet says of a node."
    for node in fleet.nodes:
        yield f'streamgage_fleet_verdict{{{_labels(node)},verdict="{node.verdict}"}} 1'
    for silent in fleet.unanswered():
        yield f'streamgage_fleet_verdict{{host="{silent.host}",verdict="silent"}} 1'
    yield "# TYPE streamgage_fleet_bandwidth_bytes_per_second gauge"
    yield "# UNIT streamgage_fleet_bandwidth_bytes_per_second bytes_per_second"
    yield "# HELP streamgage_fleet_bandwidth_bytes_per_second Median by STREAM's counting."
    for node in fleet.nodes:
        figure = node.figure(fleet.kernel) if fleet.kernel else None
        if figure is not None:
            labels = f'{_labels(node)},kernel="{figure.kernel}"'
            value = figure.gbps * 1e9
            yield f"streamgage_fleet_bandwidth_bytes_per_second{{{labels}}} {value:.6g}"
    if fleet.time is not None:
        yield "# TYPE streamgage_fleet_timestamp_seconds gauge"
        yield "# UNIT streamgage_fleet_timestamp_seconds seconds"
        yield "# HELP streamgage_fleet_timestamp_seconds Start of the newest fleet, since 1970."
        start = datetime.fromisoformat(fleet.time).timestamp()
        yield f"streamgage_fleet_timestamp_seconds {start:.0f}"
    yield "# EOF"
