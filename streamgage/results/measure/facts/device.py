"""What is known of a device alone: its clock."""

from __future__ import annotations

from streamgage.analysis.finding import Finding
from streamgage.records.quantities import Seconds
from streamgage.results.measure.facts.base import Fact


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
