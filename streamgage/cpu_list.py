"""Lists of CPUs as Linux writes them: ``0-3,8``. Numbers are the operating system's."""

from __future__ import annotations

import re
from collections.abc import Iterable

from streamgage.errors import UsageError

HIGHEST_CPU = 8191
"""Linux is built for 8192 CPUs at most (``CONFIG_NR_CPUS``)."""

_PART = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9}))?", re.ASCII)
_HOW = "write CPU numbers and ranges such as 0-3,8"


def is_plain_list(text: str) -> bool:
    """Whether ``text`` is meant as a list of numbers, and is no other placement expression."""
    return "@" not in text and ":" not in text and not text.strip()[:1].isalpha()


def parse_cpu_list(text: str) -> list[int]:
    """CPUs of ``0-3,8`` in the order written; a range may run down (``3-1``).

    Raises ``UsageError``, naming the offending part, for anything else and for a CPU named twice.
    """
    cpus: list[int] = []
    seen: set[int] = set()
    for part in text.split(","):
        for cpu in _part(part.strip(), text):
            if cpu in seen:
                raise UsageError(
                    f"--cpus {_shorten(text)}: CPU {cpu} is named twice; name each CPU once."
                )
            seen.add(cpu)
            cpus.append(cpu)
    return cpus


def _part(part: str, text: str) -> Iterable[int]:
    match = _PART.fullmatch(part)
    if match is None:
        what = f"{_shorten(part)!r} is not a CPU number or range" if part else "a part is empty"
        raise UsageError(f"--cpus {_shorten(text) or '(empty)'}: {what}; {_HOW}, or none.")
    first = int(match[1])
    last = int(match[2]) if match[2] else first
    if max(first, last) > HIGHEST_CPU:
        raise UsageError(
            f"--cpus {_shorten(text)}: {part} goes beyond CPU {HIGHEST_CPU}, the highest that Linux"
            " knows; `lscpu -e` lists the CPUs of this machine."
        )
    return range(first, last + 1) if first <= last else range(first, last - 1, -1)


def _shorten(text: str) -> str:
    return text if len(text) <= 40 else text[:40] + "..."


def format_cpu_list(cpus: Iterable[int]) -> str:
    """``0-3,8`` for any collection of CPUs, ascending, each once."""
    runs: list[list[int]] = []
    for cpu in sorted(set(cpus)):
        if runs and cpu == runs[-1][1] + 1:
            runs[-1][1] = cpu
        else:
            runs.append([cpu, cpu])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)


def list_cpus(text: str) -> list[int]:
    """The CPUs of a list from a record; none for an empty one."""
    cpus: list[int] = []
    for part in filter(None, text.split(",")):
        first, _, last = part.partition("-")
        cpus.extend(range(int(first), int(last or first) + 1))
    return cpus


def count_cpus(text: str) -> int:
    """How many CPUs a list from a record holds; 0 for an empty one."""
    total = 0
    for part in filter(None, text.split(",")):
        first, _, last = part.partition("-")
        total += int(last or first) - int(first) + 1
    return total
