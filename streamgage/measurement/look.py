"""Looks at the machine before a measurement, and finds what keeps its CPUs busy."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from streamgage.analysis.activity import CpuLoss, cpu_loss
from streamgage.errors import StreamgageError
from streamgage.process.engine import find_engine
from streamgage.process.other_programs import BusyProgram, SystemActivity, watch_programs
from streamgage.records.reader import Note
from streamgage.units import format_duration, format_share

OFF = "none"
"""The value that switches ``STREAMGAGE_LOAD_CHECK`` and ``STREAMGAGE_LOCK`` off."""
_MOST_NAMED = 3
_SECONDS_BETWEEN_NOTES = 10.0
_IDLE_LOOKS = 3
"""The idle looks in a row that are needed after a busy one, because programs may pause."""


@dataclass(frozen=True)
class Look:
    """The use of the CPUs by other programs and other guests."""

    other: CpuLoss
    steal: CpuLoss
    programs: tuple[BusyProgram, ...] = ()
    """The visible programs that use the CPUs, busiest first."""

    @property
    def benchmarks(self) -> tuple[BusyProgram, ...]:
        """Programs that fill the memory bus, on any CPUs."""
        return tuple(each for each in self.programs if each.fills_memory_bus)

    @property
    def busy(self) -> bool:
        """``True`` if a measurement would suffer now."""
        return self.other.much or self.steal.much or bool(self.benchmarks)

    @property
    def seen(self) -> str:
        """The cause, as a clause of a sentence."""
        return " and ".join(self._parts())

    @property
    def remedy(self) -> str:
        """The remedy, as a clause of a sentence."""
        return "stop them" if self.other.much or self.benchmarks else "measure at a quieter time"

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the programs in the sentence ``seen``."""
        return tuple(sorted({each.name for each in self._named()}))

    def _parts(self) -> Iterator[str]:
        if self.other.much:
            yield f"other programs use {format_share(self.other.share)} of the CPUs{self._who()}"
        elif self.benchmarks:
            yield f"other programs use the memory{self._who()}"
        if self.steal.much:
            yield f"the hypervisor takes {format_share(self.steal.share)} of the CPUs for others"

    def _named(self) -> tuple[BusyProgram, ...]:
        return (self.programs if self.other.much else self.benchmarks)[:_MOST_NAMED]

    def _who(self) -> str:
        named = ", ".join(f"{each.name} (pid {each.pid})" for each in self._named())
        everyone = len(self.programs if self.other.much else self.benchmarks)
        more = f" and {everyone - _MOST_NAMED} more" if everyone > _MOST_NAMED else ""
        return f": {named}{more}" if named else ""


def look(environment: Mapping[str, str] = os.environ) -> Look | None:
    """Watch other programs for one second; ``None`` if they cannot be seen."""
    try:
        seen = watch_programs(find_engine())
    except (StreamgageError, OSError):
        return None
    if seen.activity.other_seconds is None:  # the kernel does not say
        return None
    return look_of(seen, locked=environment.get("STREAMGAGE_LOCK") != OFF)


def look_of(seen: SystemActivity, *, locked: bool) -> Look:
    """Sort the activity. With a lock, engines are left out, because the engine waits for them."""
    waited_for = sum(each.cpu_seconds for each in seen.engines) if locked else 0.0
    programs = seen.programs
    if not locked:
        both = (*seen.programs, *seen.engines)
        programs = tuple(sorted(both, key=lambda each: -each.cpu_seconds))
    activity = seen.activity
    return Look(
        cpu_loss(activity, (activity.other_seconds or 0.0) - waited_for),
        cpu_loss(activity, activity.steal_seconds or 0.0),
        programs,
    )


def warn_if_busy(note: Note, looked: Callable[[], Look | None] = look) -> bool:
    """Return whether the machine is busy; ``note`` then gets a sentence that names the cause."""
    found = looked()
    if found is None or not found.busy:
        return False
    note(f"{_capital(found.seen)}. The figures will suffer; {found.remedy}, or add --wait-idle 5m.")
    return True


ShowWait = Callable[[str, float, float], None]
"""A function that gets what is waited for, the seconds so far, and the most seconds."""


def wait_until_idle(
    most_seconds: float,
    note: Note,
    looked: Callable[[], Look | None] = look,
    clock: Callable[[], float] = time.monotonic,
    show: ShowWait = lambda *_: None,
) -> None:
    """Wait until the CPUs are idle; report the busy programs to ``note``, and the time to ``show``.

    Raises ``StreamgageError`` if they are still busy after ``most_seconds``.
    """
    start = clock()
    named: tuple[str, ...] | None = None
    last = start
    idle = 0
    while True:
        show("waiting for idle CPUs", min(clock() - start, most_seconds), most_seconds)
        found = looked()
        if found is None:
            note("This system does not show whether the machine is idle: measuring without a wait.")
            return
        idle = 0 if found.busy else idle + 1
        if idle and (named is None or idle >= _IDLE_LOOKS):
            if named is not None:
                note(f"The machine is idle after {format_duration(clock() - start)}.")
            return
        if found.busy and clock() - start >= most_seconds:
            raise StreamgageError(
                f"The machine did not become idle within {format_duration(most_seconds)}, and"
                f" nothing was measured: {found.seen}. {_capital(found.remedy)}, or give"
                " --wait-idle a longer time."
            )
        changed = found.names != named and clock() - last >= _SECONDS_BETWEEN_NOTES
        if found.busy and (named is None or changed):
            still = "Waiting" if named is None else "Still waiting"
            note(f"{still} for an idle machine: {found.seen}.")
            named, last = found.names, clock()


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
