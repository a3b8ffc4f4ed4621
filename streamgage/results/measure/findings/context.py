"""The data that a check may use: the records, and conclusions from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from streamgage.analysis.machine_states import MachineStates, in_main_state
from streamgage.analysis.peak.peak import Peak
from streamgage.analysis.saturation import Saturation
from streamgage.analysis.traffic.reading import Readings
from streamgage.analysis.traffic.reason import ReasonCode
from streamgage.analysis.user_facts import UserFacts
from streamgage.records.run import Run
from streamgage.results.measure.document import KernelResult

_IMPOSSIBLE = {
    ReasonCode.BEYOND_PEAK,
    ReasonCode.FAILED_CHECK,
    ReasonCode.MAY_BE_CACHED,
    ReasonCode.SMALL_ARRAYS,
}


@dataclass(frozen=True)
class LateRead:
    """An ordinary store whose own read comes too late to be overlapped."""

    kernel: str
    store: str
    excess: float
    """Seconds of the variant over those of its twin whose lines are prefetched for writing, minus
    1: what the late reads cost (0.2: 20 %)."""


@dataclass(frozen=True)
class Context:
    """A run, and what was concluded about it; unknown parts are ``None`` or empty."""

    run: Run
    given: UserFacts = field(default_factory=UserFacts)
    peak: Peak | None = None
    kernels: Sequence[KernelResult] = ()
    """Every variant, with its traffic and alpha if they are known."""
    headline: KernelResult | None = None
    """The figure that stands for the run."""
    states: MachineStates | None = None
    """The states of the machine's own speed; ``None`` if they were not looked for."""
    saturation: Saturation | None = None
    late_reads: Sequence[LateRead] = ()
    streaming_gains: Mapping[str, float] = field(default_factory=dict)
    """The seconds of each kernel with ordinary vector stores over those with streaming ones, each
    in its quickest shape; above 1 streaming gained."""
    readings: Readings | None = None
    """The possible meanings of another benchmark's table, if its rates do not decide it."""
    forced_reads: Mapping[str, float] = field(default_factory=dict)
    """The alpha of each kernel that times give for stores whose lines are certainly read; it should
    be 1."""

    @property
    def impossible(self) -> bool:
        """``True`` if another benchmark's rates are not those of the memory, or are wrong.

        The finding that says so is then the only one on what the rates mean.
        """
        codes = {reason.why for each in self.kernels for reason in each.alpha.reasons}
        return self.run.reported is not None and bool(codes & _IMPOSSIBLE)

    @property
    def spread(self) -> float | None:
        """The spread that no combination of stores explains; ``None`` if one does."""
        reasons = (reason for each in self.kernels for reason in each.alpha.reasons)
        return next((each.share for each in reasons if each.why is ReasonCode.NO_BANDWIDTH), None)

    @cached_property
    def in_main_state(self) -> Run:
        """The run as if the machine had stayed in its main state, to compare variants in."""
        return self.run if self.states is None else in_main_state(self.run, self.states)
