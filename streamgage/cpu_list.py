"""Lists of CPUs, and of NUMA nodes, as Linux writes them: ``0-3,8``.

The numbers are those of the operating system.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from streamgage.advice import advice
from streamgage.errors import UsageError
from streamgage.units import shortened

HIGHEST_CPU = 8191
"""Linux is built for 8192 CPUs at most (``CONFIG_NR_CPUS``)."""

HIGHEST_NODE = 1023
"""Linux is built for 1024 NUMA nodes at most (``CONFIG_NODES_SHIFT``)."""

_PART = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9}))?", re.ASCII)


@dataclass(frozen=True)
class _Numbered:
    """What the numbers of a list mean, and the option with the list."""

    option: str
    name: str
    highest: int
    how: str
    listing: str


_CPUS = _Numbered(
    "--cpus",
    "CPU",
    HIGHEST_CPU,
    "write CPU numbers and ranges such as 0-3,8, or none",
    "`lscpu -e` lists the CPUs",
)
_NODES = _Numbered(
    "--memory-nodes",
    "node",
    HIGHEST_NODE,
    "write NUMA node numbers and ranges such as 0-1,3",
    f"{advice('topology')} lists the NUMA nodes",
)


def is_plain_list(text: str) -> bool:
    """Return whether ``text`` is a list of numbers, and not another placement expression."""
    return "@" not in text and ":" not in text and not text.strip()[:1].isalpha()


def cpu_numbers(cpus: str | Iterable[int]) -> list[int]:
    """Read the CPUs of ``0-3,8`` or ``[0, 1]``, in their order; a range may run down (``3-1``).

    Raises ``UsageError``, naming the offending part, for anything else and for a CPU named twice.
    """
    return _numbers(cpus, _CPUS)


def node_numbers(nodes: str | Iterable[int], option: str = _NODES.option) -> list[int]:
    """Read the NUMA nodes of ``0-1,3`` or ``[3, 0]``, and return them in ascending order.

    Raises ``UsageError`` as ``cpu_numbers`` does.
    """
    return sorted(_numbers(nodes, replace(_NODES, option=option)))


def _numbers(listed: str | Iterable[int], kind: _Numbered) -> list[int]:
    parts: Sequence[str | int] = listed.split(",") if isinstance(listed, str) else list(listed)
    text = listed if isinstance(listed, str) else ",".join(map(str, parts))
    if not parts:
        raise UsageError(f"{kind.option} (empty): a part is empty; {kind.how}.")
    numbers: list[int] = []
    seen: set[int] = set()
    for part in parts:
        for number in _part(part, text, kind):
            if number in seen:
                raise UsageError(
                    f"{kind.option} {_shorten(text)}: {kind.name} {number} is named twice; name"
                    f" each {kind.name} once."
                )
            seen.add(number)
            numbers.append(number)
    return numbers


def _ends(part: str | int, text: str, kind: _Numbered) -> tuple[int, int]:
    """The first and the last number of a part, as it was written."""
    if isinstance(part, str):
        match = _PART.fullmatch(part.strip())
        if match is not None:
            return int(match[1]), int(match[2] or match[1])
    elif part >= 0 and not isinstance(part, bool):
        return int(part), int(part)
    named = str(part).strip()
    what = (
        f"{_shorten(named)!r} is not a {kind.name} number or range" if named else "a part is empty"
    )
    raise UsageError(f"{kind.option} {_shorten(text) or '(empty)'}: {what}; {kind.how}.")


def _part(part: str | int, text: str, kind: _Numbered) -> Iterable[int]:
    first, last = _ends(part, text, kind)
    if max(first, last) > kind.highest:
        raise UsageError(
            f"{kind.option} {_shorten(text)}: {str(part).strip()} goes beyond {kind.name}"
            f" {kind.highest}, the highest that Linux knows; {kind.listing} of this machine."
        )
    return range(first, last + 1) if first <= last else range(first, last - 1, -1)


def _shorten(text: str) -> str:
    return shortened(text)


def format_cpu_list(cpus: Iterable[int]) -> str:
    """Write a collection of CPUs as ``0-3,8``: ascending, each CPU once."""
    runs: list[list[int]] = []
    for cpu in sorted(set(cpus)):
        if runs and cpu == runs[-1][1] + 1:
            runs[-1][1] = cpu
        else:
            runs.append([cpu, cpu])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)


def format_cpu_order(cpus: Sequence[int]) -> str:
    """Write CPUs as ``0,2,1`` or ``0-3,8``: in their order, consecutive ones as ranges."""
    runs: list[list[int]] = []
    for cpu in cpus:
        if runs and runs[-1][-1] == cpu - 1:
            runs[-1].append(cpu)
        else:
            runs.append([cpu])
    return ",".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def name_cpus(cpus: str) -> str:
    """Write a list as ``CPU 1`` or ``CPUs 0-1,3``."""
    return f"{'CPUs' if {',', '-'} & set(cpus) else 'CPU'} {cpus}"


def name_nodes(nodes: Sequence[int]) -> str:
    """Write nodes as ``node 1`` or ``nodes 0-1,3``."""
    return f"{'node' if len(nodes) == 1 else 'nodes'} {format_cpu_list(nodes)}"


def list_cpus(text: str) -> list[int]:
    """Return the CPUs of a list in a record; none for an empty list."""
    cpus: list[int] = []
    for part in filter(None, text.split(",")):
        first, _, last = part.partition("-")
        cpus.extend(range(int(first), int(last or first) + 1))
    return cpus


def count_cpus(text: str) -> int:
    """Return the number of CPUs of a list in a record; 0 for an empty list."""
    total = 0
    for part in filter(None, text.split(",")):
        first, _, last = part.partition("-")
        total += int(last or first) - int(first) + 1
    return total
