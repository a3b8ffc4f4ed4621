"""Makes lines of nodes from the tables that another benchmark printed on many nodes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from streamgage.errors import UsageError
from streamgage.interop.tables import Table, is_wrong
from streamgage.records.node import NodeFigure, NodeLine, SilentNode
from streamgage.results.fleet.gather import INVALID
from streamgage.results.fleet.nodes import unfolded

_DIGITS = re.compile(r"[0-9]+")
_LONGEST_REASON = 300
_EXTENSION = re.compile(r"\.(?:log|out|txt|err|stdout|output|dat|csv|md|res|result|o[0-9]*)$")
_HOST = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,252}")
_TASK = re.compile(r"[0-9][0-9,]*")
_FOLDED = re.compile(r"[A-Za-z0-9].*\[[0-9,-]+\].*|[\w.-]+(?:,[\w.-]+)+")


def lines_of(
    tables: Sequence[Table], time: str, left_out: Mapping[str, str] | None = None
) -> Iterator[NodeLine | SilentNode]:
    """Yield a line for each table of a node; the tables of a node are its attempts.

    ``time``: the moment of all of them. The name of a node is the table's heading, which is its
    label in the output, or what differs between the names of the files.

    ``left_out``: why the output of a label or a file has no table. Where the others have names like
    it, it is a node without a result, and no word of a launcher.
    """
    names, others = _names(tables, left_out or {})
    named = {host for hosts in names for host in hosts}
    alike = {_DIGITS.sub("0", host) for host in named}
    for host, why in others.items():
        if host not in named and _DIGITS.sub("0", host) in alike:
            yield SilentNode(host=host, why="garbage", reason=why[:_LONGEST_REASON])
    attempts: Counter[str] = Counter()
    for table, hosts in zip(tables, names, strict=True):
        figures = [
            NodeFigure(kernel=row.kernel, gbps=row.gbps, best=row.gbps) for row in table.rows
        ]
        for host in hosts:
            attempts[host] += 1
            yield NodeLine(
                host=host,
                time=time,
                attempt=attempts[host],
                figures=figures,
                threads=table.threads,
                array_bytes=table.array_bytes,
                type=table.element_type,
                processor=table.about.processor,
                warnings=[INVALID] if is_wrong(table) else [],
            )


def _names(
    tables: Sequence[Table], left_out: Mapping[str, str]
) -> tuple[list[list[str]], dict[str, str]]:
    """The nodes of each table, and of what was left out.

    Raises ``UsageError`` if a table has no name that a node may have.
    """
    by_heading = [each.heading or "" for each in tables]
    if len(set(by_heading)) < 2:
        by_heading = [each.source for each in tables]
    short = _short({*by_heading, *left_out})
    found = []
    for table, name in zip(tables, by_heading, strict=True):
        hosts = _hosts(short[name])
        if not hosts:
            raise UsageError(
                f"the table at line {table.line} of {table.source} names no node: put the name of"
                " each node before its lines, as srun -l, pdsh and grep -H do."
            )
        found.append(hosts)
    others = {host: why for name, why in left_out.items() for host in _hosts(short[name])}
    return found, others


def _hosts(name: str) -> list[str]:
    if _TASK.fullmatch(name):
        return [f"task-{name.replace(',', '.')}"]
    if _FOLDED.fullmatch(name):
        return list(unfolded("The label", name))
    return [name] if _HOST.fullmatch(name) else []


def _short(names: Iterable[str]) -> Mapping[str, str]:
    """The part of each path that tells it from all others; the name of the file comes first."""
    parts = {each: each.split("/") for each in names}
    for place in range(1, max(map(len, parts.values()), default=0) + 1):
        chosen = {
            name: _EXTENSION.sub("", of[-place] if place <= len(of) else "")
            for name, of in parts.items()
        }
        if len(set(chosen.values())) == len(chosen) and all(chosen.values()):
            return chosen
    return {each: each for each in parts}
