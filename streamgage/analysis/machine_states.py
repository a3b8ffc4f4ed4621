"""The states of the machine's own speed in a run, and the run as if it had stayed in one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import msgspec

from streamgage.analysis.statistics.states import (
    Speeds,
    SpeedState,
    TimedSample,
    find_speeds,
    own_speeds,
)
from streamgage.records import Sample
from streamgage.records.run import Run


@dataclass(frozen=True)
class MachineStates:
    """The common speed of all variants over the time of a run."""

    speeds: Speeds
    samples: Sequence[Sample]
    """All timed samples in the order measured."""

    @property
    def states(self) -> Sequence[SpeedState]:
        """The states, fastest first; empty if there are not two."""
        return self.speeds.states

    @property
    def drift(self) -> tuple[float, float] | None:
        """The lowest and highest speed of a machine that drifts, over its median speed."""
        return self.speeds.drift

    @property
    def main(self) -> int:
        """The state with the largest share of the measured time."""
        return max(range(len(self.states)), key=lambda number: self.states[number].share)

    @cached_property
    def changes(self) -> list[float]:
        """When the state changed, in seconds from the start; empty if that is unknown."""
        when = [self.samples[place].at_seconds for place in self.speeds.changes]
        return [at for at in when if at is not None] if None not in when else []

    @cached_property
    def _state_of(self) -> Mapping[int, int]:
        return {
            id(sample): state
            for sample, state in zip(self.samples, self.speeds.state_of, strict=False)
        }

    def of(self, sample: Sample) -> int | None:
        """The state in which a sample of the run was taken; ``None`` without states."""
        return self._state_of.get(id(sample))


def machine_states(run: Run) -> MachineStates:
    """The states of the machine over the timed samples of all variants."""
    samples = in_order(run)
    return MachineStates(
        find_speeds(
            [
                TimedSample(
                    variant=each.variant,
                    block=each.block,
                    epoch=each.epoch,
                    seconds=each.seconds_a_pass,
                    measured_seconds=each.seconds,
                )
                for each in samples
            ]
        ),
        samples,
    )


def in_order(run: Run) -> list[Sample]:
    """The timed samples in the order measured, without those that a coarse clock gave no time."""
    samples = [each for each in run.timed_samples() if each.seconds_a_pass > 0]
    if any(each.at_seconds is None for each in samples):
        return sorted(samples, key=lambda each: each.block)
    return sorted(samples, key=lambda each: each.at_seconds or 0.0)


def in_main_state(run: Run, found: MachineStates) -> Run:
    """The run as if the machine had stayed in its main state, or at its median speed.

    The times of a variant are corrected by what it does itself in each state, where it has enough
    samples there; else by the common speed. So kernels that were measured at different times can be
    compared, and what still changes is not the machine's own speed.
    """
    if not found.speeds.speed_of:
        return run
    times: dict[int, dict[int, list[float]]] = {}
    if found.states:
        for sample, state in zip(found.samples, found.speeds.state_of, strict=True):
            own = times.setdefault(sample.variant, {})
            own.setdefault(state, []).append(sample.seconds_a_pass)
    own_of = {variant: own_speeds(own, found.states) for variant, own in times.items()}
    samples: dict[int, list[Sample]] = {
        variant: [each for each in own if each.seconds_a_pass <= 0]
        for variant, own in run.samples.items()
    }
    for place, sample in enumerate(found.samples):
        speed = (
            own_of[sample.variant][found.speeds.state_of[place]]
            if found.states
            else found.speeds.speed_of[place]
        )
        samples[sample.variant].append(
            msgspec.structs.replace(sample, pass_seconds=sample.seconds_a_pass * speed)
        )
    return replace(run, samples=samples)
