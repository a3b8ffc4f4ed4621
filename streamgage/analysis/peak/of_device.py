"""The peak of a device's memory: the clock and the width of its bus, which the driver reports."""

from __future__ import annotations

from streamgage.analysis.peak.peak import NoPeak, Peak, no_peak
from streamgage.analysis.peak.reason import WhyNoPeak
from streamgage.records import Device

_TRANSFERS = 2
"""In a clock: drivers report that of memory with a double data rate, of GDDR and HBM the same."""


def peak_of_device(device: Device) -> Peak | NoPeak:
    """Transfers per second x width; 3352 GB/s for 5120 bits at 2619 MHz (H100 SXM)."""
    if device.memory_clock_hertz is None or device.memory_bus_bits is None:
        return no_peak(WhyNoPeak.DEVICE)
    if device.slice is not None:
        return no_peak(WhyNoPeak.SLICE, processor=device.slice)
    gbps = device.memory_clock_hertz * _TRANSFERS * device.memory_bus_bits / 8 / 1e9
    megahertz = device.memory_clock_hertz / 1e6
    return Peak(gbps, "driver", f"{device.memory_bus_bits} bits at {megahertz:.0f} MHz, doubled")
