"""The rack or switch of each node: by Slurm's topology.conf, or by a pattern of names."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from streamgage.errors import UsageError
from streamgage.records.foreign import read_file
from streamgage.results.fleet.nodes import unfolded

Place = Callable[[str], str | None]
"""Gives the rack or switch of a node; ``None`` if it is not known."""
_MOST_BYTES = 1 << 26
_FIELD = re.compile(r"\{([a-z][a-z0-9_]*)\}")
_PAIR = re.compile(r"(\w+)=(\S+)")
_HEADS = ("switchname", "blockname")


def topology_of(given: str) -> Place:
    """``r{rack}n{node}``, or the path of a topology.conf.

    Raises ``UsageError`` if it is neither.
    """
    if _FIELD.search(given):
        return _by_pattern(given)
    path = Path(given)
    try:
        text = read_file(path, _MOST_BYTES).decode("utf-8", "replace")
    except OSError as error:
        raise UsageError(
            f"--topology {given} cannot be read: {error.strerror}; name Slurm's topology.conf, or"
            " give a pattern of names such as 'r{rack}n{node}'."
        ) from error
    return _by_switches(text, given)


def _by_pattern(pattern: str) -> Place:
    """Read places by a pattern: all fields except the last name the place."""
    fields = _FIELD.findall(pattern)
    if len(fields) < 2:
        raise UsageError(
            f"--topology {pattern!r} names no place: give at least two fields, such as"
            " 'r{rack}n{node}'; all but the last name the rack."
        )
    if len(set(fields)) < len(fields):
        raise UsageError(f"--topology {pattern!r} has a field twice: give each its own name.")
    parts = _FIELD.split(pattern)
    # A run of digits, or of letters: so that {rack}{node} of a12 are a and 12.
    text = "".join(
        f"(?P<{part}>[0-9]+|[A-Za-z]+)" if number % 2 else re.escape(part)
        for number, part in enumerate(parts)
    )
    matcher = re.compile(text)

    def place(host: str) -> str | None:
        found = matcher.fullmatch(host)
        return None if found is None else host[: found.end(fields[-2])]

    return place


def _by_switches(text: str, name: str) -> Place:
    """Leaves of the tree, or blocks: the lines that name nodes."""
    places: dict[str, str] = {}
    joined = re.sub(r"\\\s*\n", " ", text)
    for line in joined.splitlines():
        pairs = {key.lower(): value for key, value in _PAIR.findall(line.partition("#")[0])}
        switch = next((pairs[head] for head in _HEADS if head in pairs), None)
        if switch is not None and "nodes" in pairs:
            places |= dict.fromkeys(unfolded(name, pairs["nodes"]), switch)
    if not places:
        raise UsageError(
            f"--topology {name} has no line such as SwitchName=s1 Nodes=n[1-32]: name Slurm's"
            " topology.conf, or give a pattern of names such as 'r{rack}n{node}'."
        )
    return places.get
