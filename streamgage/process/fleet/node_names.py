"""Reads names of nodes as sites write them, and folds them into short lists."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

from ClusterShell.NodeSet import RESOLVER_NOGROUP, NodeSet, NodeSetException

from streamgage.errors import UsageError
from streamgage.records.foreign import open_foreign
from streamgage.units import shortened

MOST_NODES = 200_000
"""More nodes than any cluster has; the limit only catches typing errors before a launch."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,252}")
_LAST_NUMBER = re.compile(r"(.*?)([0-9]{1,9})([^0-9]*)")
_RANGE = re.compile(r"([0-9]{1,9})-([0-9]{1,9})(?:/([0-9]{1,9}))?")
_BRACKETS = re.compile(r"\[([^\]]*)\]")
_OUTER_COMMA = re.compile(r",(?![^\[]*\])")
_MOST_BYTES = 16 << 20


def folded(names: Iterable[str]) -> str:
    """Fold names into text such as ``n[1-4,17]``, which tools such as clush and Slurm read."""
    return str(NodeSet.fromlist(_in_ranges(names), resolver=RESOLVER_NOGROUP))


def _in_ranges(names: Iterable[str]) -> list[str]:
    """The names with ranges of their last numbers: ClusterShell is slow with many names."""
    found: list[str] = []
    by_form: dict[tuple[str, str, int], list[int]] = {}
    for name in dict.fromkeys(names):
        match = _LAST_NUMBER.fullmatch(name)
        if match is None:
            found.append(name)
        else:
            head, digits, tail = match.groups()
            by_form.setdefault((head, tail, len(digits)), []).append(int(digits))
    for (head, tail, width), numbers in by_form.items():
        numbers.sort()
        parts = []
        for _, run in groupby(enumerate(numbers), lambda each: each[1] - each[0]):
            members = [number for _, number in run]
            first, last = f"{members[0]:0{width}}", f"{members[-1]:0{width}}"
            parts.append(first if len(members) == 1 else f"{first}-{last}")
        text = ",".join(parts)
        found.append(f"{head}[{text}]{tail}" if len(numbers) > 1 else f"{head}{text}{tail}")
    return found


def read_nodes(option: str, text: str) -> tuple[str, ...]:
    """Read the nodes of ``n[1-4],m7``, or of a file with such names, in their order.

    Raises ``UsageError``, naming ``option``, if there is none, one is named twice, or one is no
    name of a node.
    """
    path = Path(text)
    if "/" in text or ("[" not in text and "," not in text and _is_file(path)):
        return parse_nodes(f"The file {text} of {option}", _content(option, path))
    return parse_nodes(option, text)


def parse_nodes(source: str, text: str) -> tuple[str, ...]:
    """Read nodes from text: names separated by spaces or commas; ``#`` begins a comment."""
    words = [
        word
        for line in text.splitlines()
        for part in line.partition("#")[0].split()
        for word in _OUTER_COMMA.split(part)
        if word
    ]
    if not words:
        raise UsageError(f"{source} names no node: give names such as n[1-4],m7.")
    nodes: dict[str, None] = {}
    for word in words:
        for name in _names(source, word):
            if name in nodes:
                raise UsageError(f"{source} names {name} twice: name each node once.")
            nodes[name] = None
        if len(nodes) > MOST_NODES:
            raise UsageError(f"{source} names more than {MOST_NODES} nodes: name fewer.")
    return tuple(nodes)


def _names(source: str, word: str) -> list[str]:
    if _NAME.fullmatch(word):
        return [word]
    shown = shortened(word)
    wrong = UsageError(
        f"{source} has {shown!r}, which is not a name of nodes: write n7, or n[1-4,17]."
    )
    # NodeSet makes every name at once.
    if math.prod(_many(each) for each in _BRACKETS.findall(word)) > MOST_NODES:
        raise UsageError(f"{source}: {shown!r} is more than {MOST_NODES} nodes: name fewer.")
    if any(each in word for each in "@!&^*?"):  # groups and operators, which are not looked up
        raise wrong
    try:
        names = [str(each) for each in NodeSet(word, resolver=RESOLVER_NOGROUP)]
    except NodeSetException as error:
        raise wrong from error
    if not all(map(_NAME.fullmatch, names)):
        raise wrong
    return names


def _many(ranges: str) -> int:
    """Return an upper bound of the count of numbers in a pair of brackets."""
    total = 0
    for each in ranges.split(","):
        found = _RANGE.fullmatch(each)
        total += int(found[2]) - int(found[1]) + 1 if found else 1
    return max(total, 1)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _content(option: str, path: Path) -> str:
    try:
        with open_foreign(path) as file:
            content = file.read(_MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise UsageError(
            f"The file {path} of {option} cannot be read: {why}; name another, or the nodes."
        ) from error
    if len(content) > _MOST_BYTES:
        raise UsageError(f"{path} of {option} has more than 16 MiB, so it lists no nodes.")
    return content.decode("utf-8", "replace")
