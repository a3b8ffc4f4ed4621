"""The data about this environment that the checks look at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from streamgage.analysis.cores import cores_among
from streamgage.cpu_list import list_cpus
from streamgage.process.other_programs import BusyProgram, RunningProgram
from streamgage.records import Activity, Binding, Counters, Machine


@dataclass(frozen=True)
class Surroundings:
    """The environment of this process."""

    machine: Machine
    binding: Binding
    activity: Activity
    counters: Counters
    programs: tuple[RunningProgram, ...]
    """The programs of other processes that are visible from here."""
    variables: Mapping[str, str]
    """The environment's variables."""
    busy: tuple[BusyProgram, ...] = ()
    """The visible programs that used the CPUs meanwhile, the busiest first."""

    def why_unknown(self, *fields: str) -> str | None:
        """Why the machine's record lacks one of these fields; ``None`` if it has them all."""
        return next(
            (self.machine.unknown[each] for each in fields if each in self.machine.unknown), None
        )

    @property
    def inherited(self) -> set[int]:
        """The CPUs that this process was started with."""
        return set(list_cpus(self.binding.inherited_cpus or self.machine.allowed_cpus))

    @property
    def obtainable(self) -> set[int]:
        """The CPUs that a thread gets if it asks for all; if it may not ask, the inherited ones."""
        obtainable = self.binding.obtainable_cpus
        return self.inherited if obtainable is None else set(list_cpus(obtainable)) | self.inherited

    @property
    def online(self) -> set[int]:
        """The CPUs of the machine."""
        return set(list_cpus(self.machine.online_cpus))

    @property
    def united(self) -> set[int]:
        """The union of the threads' masks: the CPUs that an OpenMP program runs on."""
        return {cpu for thread in self.binding.threads for cpu in list_cpus(thread.mask)}

    def cores(self, cpus: set[int]) -> int:
        """The number of cores with these CPUs."""
        return len(cores_among(self.machine, cpus))
