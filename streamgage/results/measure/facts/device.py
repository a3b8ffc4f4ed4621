"""What is known of a device alone: its clock, what kept it slow, and who shared it."""

from __future__ import annotations

from streamgage.analysis.finding import Finding
from streamgage.records import SlowedBy, warnings
from streamgage.records.device import kept_low_by
from streamgage.records.quantities import CountFrom1, Members, Seconds
from streamgage.results.measure.facts.base import Fact
from streamgage.units import count


class HostTimed(Fact, frozen=True, kw_only=True, tag="device-clock"):
    """The host's clock timed the samples of a device."""

    has_stamps: bool
    """Whether the device gives stamps, which the host's clock then contradicts."""
    launch_seconds: Seconds

    def finding(self) -> Finding:
        """In words."""
        seen = (
            "The device's own time stamps and the host's clock disagree"
            if self.has_stamps
            else "The device gives no time stamps"
        )
        return self.said(
            reason="samples were timed by the host's clock",
            text=f"{seen}, so samples were timed by the host's clock: each has a launch of"
            f" {self.launch_seconds * 1e6:.3g} us in it. Larger arrays (--size) make that a smaller"
            " part.",
        )


class DeviceSlowed(Fact, frozen=True, kw_only=True, tag="device-slowed"):
    """Something kept the clocks of a device low."""

    slowed_by: list[SlowedBy]
    readings: CountFrom1

    def finding(self) -> Finding:
        """In words."""
        return self.said(
            reason="the device's clocks were kept low",
            text=warnings.DEVICE_SLOWED.format(
                kept_low_by(self.slowed_by, self.readings),
                "streamgage report shows the clocks under load.",
            ),
        )


class DeviceShared(Fact, frozen=True, kw_only=True, tag="device-shared"):
    """Other processes had the device open."""

    processes: Members

    def finding(self) -> Finding:
        """In words."""
        others = count(self.processes, "other process", "other processes")
        return self.said(
            reason=warnings.DEVICE_SHARED_SHORT.format(others),
            text=warnings.DEVICE_SHARED.format(others),
        )
