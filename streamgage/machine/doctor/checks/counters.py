"""Checks which sources of memory traffic are available, and why others are not."""

from __future__ import annotations

from streamgage.machine.doctor.checks.surroundings import Surroundings
from streamgage.machine.doctor.document import Check, unknown_check
from streamgage.records import Counters, TrafficSource
from streamgage.units import count

_LEVEL = {
    -1: "all events are allowed to everyone",
    0: "events of the whole system are allowed",
    1: "events of the whole system need CAP_PERFMON",
    2: "events of the whole system, and of the kernel, need CAP_PERFMON",
}


def counters(surroundings: Surroundings) -> Check:
    """Report all sources in one line."""
    found = surroundings.counters
    available = [each for each in found.sources if each.state == "available"]
    if available:
        return Check(
            code="counters",
            state="passed",
            seen=f"{available[0].source} counts memory traffic"
            f" ({count(len(available[0].counters), 'counter')})",
        )
    seen = "; ".join(f"{each.source}: {each.reason or each.state}" for each in found.sources)
    return Check(
        code="counters",
        state="unknown",
        seen=seen or "no source is known for this processor",
        why="without counters, memory traffic is inferred from times, if possible",
        remedies=[f"{each.source}: {each.remedy}" for each in found.sources if each.remedy],
    )


def paranoia(found: Counters) -> Check:
    """Check who may count events of the whole system, such as those of memory controllers."""
    level = found.perf_event_paranoid
    if level is None:
        return unknown_check(
            "paranoid",
            "kernel.perf_event_paranoid cannot be read (a kernel without perf events, or a hidden"
            " /proc)",
        )
    open_to_all = level <= 0 or found.source is not None
    meaning = _LEVEL.get(level, "no events are allowed without CAP_PERFMON")
    return Check(
        code="paranoid",
        state="passed" if open_to_all else "unknown",
        seen=f"kernel.perf_event_paranoid is {level}: {meaning}",
    )


def each_source(found: Counters) -> list[Check]:
    """Make one check per source, in the order of preference."""
    return [_of_source(each) for each in found.sources]


def _of_source(source: TrafficSource) -> Check:
    notes = [source.machine, "reads and writes together"] if source.total_only else [source.machine]
    remarks = "; ".join(note for note in [*notes, *source.notes] if note)
    if source.state == "available":
        opened = f"opens and reads, {count(len(source.counters), 'counter')}"
        return Check(
            code=source.source,
            state="passed",
            seen=f"{opened} ({remarks})" if remarks else opened,
        )
    seen = source.reason or source.state
    return Check(
        code=source.source,
        state="unknown",
        seen=f"{seen} ({remarks})" if remarks else seen,
        remedies=[source.remedy] if source.remedy else [],
    )
