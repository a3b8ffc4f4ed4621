"""What disturbed the runs of a unit, unless it disturbs most units of its class."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from streamgage.records.node import NodeLine
from streamgage.records.warnings import MUCH_LOAD
from streamgage.results.fleet.causes import KeptLow
from streamgage.units import count, format_share

_Said = TypeVar("_Said", str, int)
_QUOTA = "cpu-quota"
_SHARED = "device-shared"
KEPT_LOW = "device-slowed"
_DISTURBING = {
    _QUOTA: "a CPU quota stopped the threads",
    "other-load": "other programs used the CPUs",
    "steal": "the hypervisor took the CPUs",
    "confined": "the process had only some of the CPUs",
    "fewer-cpus": "there were fewer threads than asked for",
    "unfinished": "the run ended early",
    _SHARED: "another process had the device open",
}
"""Codes of findings of a run that says nothing of its node."""


@dataclass(frozen=True)
class Usual:
    """What holds most units of a class, and so disturbs no comparison with these."""

    codes: set[str]
    """Of warnings."""
    reasons: set[str]
    """Why the clocks of devices were low."""
    threads: int | None = None
    """The number of threads of most; ``None``: no number is that of most."""
    cores: int | None = None

    @classmethod
    def of(cls, lines: Sequence[NodeLine]) -> Usual:
        """Count them in the first runs of a class."""
        threads = _most(lines, lambda each: [] if each.threads is None else [each.threads])
        cores = _most(
            lines, lambda each: [] if each.processor_cores is None else [each.processor_cores]
        )
        return cls(
            _most(lines, _codes),
            _most(lines, _reasons),
            next(iter(threads), None),
            next(iter(cores), None),
        )

    def disturbance(self, line: NodeLine) -> str | None:
        """What made a run meaningless for its node; a setting comes before a load."""
        if line.disturbance is not None and not self._means(line):
            return line.disturbance
        unusual = [c for c in _codes(line) if c not in self.codes and c in _DISTURBING]
        if _QUOTA in unusual and line.cpu_quota is not None and line.threads:
            return f"a CPU quota of {line.cpu_quota:g} for {count(line.threads, 'thread')}"
        if line.taken is not None and line.taken > MUCH_LOAD:
            return f"other programs or the hypervisor took {format_share(line.taken)} of the CPUs"
        if unusual:
            return _DISTURBING[unusual[0]]
        return self._few_threads(line)

    def _few_threads(self, line: NodeLine) -> str | None:
        """A run with fewer threads than most. Fewer cores are another hardware, and no setting."""
        if self.threads is None or line.threads is None or line.threads >= self.threads:
            return None
        if line.processor_cores != self.cores:
            return None
        return f"it ran {count(line.threads, 'thread')}, and most others {self.threads}"

    def _means(self, line: NodeLine) -> bool:
        """Whether the engine may mean a warning that most nodes of the class have."""
        return any(code in self.codes and code in _DISTURBING for code in _codes(line))

    def kept_low(self, lines: Sequence[NodeLine]) -> KeptLow | None:
        """What kept the clocks low in the newest run in which something unusual did."""
        for line in reversed(lines):
            state = line.device_state
            unusual = [e for e in state.slowed_by if e.reason not in self.reasons] if state else []
            if state is not None and unusual:
                return KeptLow(slowed_by=unusual, readings=state.readings)
        return None


def _most(lines: Sequence[NodeLine], read: Callable[[NodeLine], Iterable[_Said]]) -> set[_Said]:
    counts = Counter(each for line in lines for each in dict.fromkeys(read(line)))
    return {each for each, number in counts.items() if number > len(lines) / 2}


def _codes(line: NodeLine) -> list[str]:
    quota = line.cpu_quota is not None and line.threads and line.cpu_quota < line.threads
    shared = line.device_state is not None and line.device_state.other_processes
    if not quota and not shared:
        return line.warnings
    return list(
        dict.fromkeys(
            [*line.warnings, *([_QUOTA] if quota else []), *([_SHARED] if shared else [])]
        )
    )


def _reasons(line: NodeLine) -> list[str]:
    return [] if line.device_state is None else [e.reason for e in line.device_state.slowed_by]
