"""Writes the files of an invented Cascade Lake machine, and recordings of its memory controller.

The content of the recordings is computed; everything that is read from them is marked as replayed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PMU = "uncore_imc_0"
EVENTS = {"cas_count_read": "event=0x04,umask=0x03", "cas_count_write": "event=0x04,umask=0x0c"}
_FOLDER = f"sys/bus/event_source/devices/{PMU}"
FILES = {
    "proc/cpuinfo": "processor : 0\nvendor_id : GenuineIntel\ncpu family : 6\nmodel : 85\n",
    "proc/sys/kernel/perf_event_paranoid": "4\n",
    "sys/devices/system/cpu/online": "0-1\n",
    f"{_FOLDER}/type": "14\n",
    f"{_FOLDER}/cpumask": "0\n",
    f"{_FOLDER}/format/event": "config:0-7\n",
    f"{_FOLDER}/format/umask": "config:8-15\n",
    **{f"{_FOLDER}/events/{event}": terms for event, terms in EVENTS.items()},
}
LINE = 64


def write_cascade_lake(folder: Path) -> Path:
    """Write its proc and sys to ``folder``."""
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def write_recording(folder: Path, lines: Iterable[dict[str, Any]]) -> Path:
    """Write a recording with these lines."""
    path = folder / "recording.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@dataclass(frozen=True)
class Span:
    """The traffic between two readings, in bytes."""

    read: float
    written: float
    seconds: float = 0.05


def readings(spans: Sequence[Span], *, running: float = 1.0) -> list[dict[str, Any]]:
    """Readings before and after each span; there is no traffic between two spans.

    ``running`` is the share of the time that the counters count.
    """
    lines = []
    read = written = seconds = 0.0
    for span in spans:
        for end in (False, True):
            if end:
                read += span.read
                written += span.written
                seconds += span.seconds
            for event, total in zip(EVENTS, (read, written), strict=True):
                counted = {
                    "value": round(total / LINE * running),
                    "enabled": round(seconds * 1e9),
                    "running": round(seconds * 1e9 * running),
                }
                lines.append({"pmu": PMU, "event": event, "cpu": 0} | counted)
    return lines


def trials(array_bytes: float) -> list[Span]:
    """The machine at rest, then one pass of each kernel of known traffic, as the engine tries them.

    The machine at rest reads a hundredth of the array in the time of a pass.
    """
    rest = 0.01 * array_bytes
    known = ((0.0, 1.0), (1.0, 0.0), (1.0, 1.0))  # init with streaming stores, sum, update
    return [Span(rest, 0.0)] + [
        Span(reads * array_bytes + rest, writes * array_bytes) for reads, writes in known
    ]
