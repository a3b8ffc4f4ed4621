"""The peak of a device's memory: by the clock and the width that the driver reports, else by name.

Drivers of AMD's GPUs and OpenCL do not say how fast the memory is, nor do those of integrated GPUs.
"""

from __future__ import annotations

from streamgage.analysis.facts_file import DamagedTableError
from streamgage.analysis.peak.known_devices import KnownDevice, device_named
from streamgage.analysis.peak.peak import NoPeak, Peak, no_peak
from streamgage.analysis.peak.reason import WhyNoPeak
from streamgage.records import Device

_TRANSFERS = 2
"""In a clock: drivers report that of memory with a double data rate, of GDDR and HBM the same."""


def peak_of_device(device: Device) -> Peak | NoPeak:
    """Transfers per second x width; 3352 GB/s for 5120 bits at 2619 MHz (H100 SXM)."""
    if device.slice is not None:
        return no_peak(WhyNoPeak.SLICE, processor=device.slice)
    if device.memory_clock_hertz is None or device.memory_bus_bits is None:
        return _by_name(device)
    gbps = device.memory_clock_hertz * _TRANSFERS * device.memory_bus_bits / 8 / 1e9
    megahertz = device.memory_clock_hertz / 1e6
    return Peak(gbps, "driver", f"{device.memory_bus_bits} bits at {megahertz:.0f} MHz, doubled")


def listed_device(device: Device) -> KnownDevice | None:
    """The row of a GPU that is whole; ``None`` if there is none. Raises ``DamagedTableError``."""
    if device.kind != "gpu" or device.slice is not None:
        return None
    return device_named(device.name)


def _by_name(device: Device) -> Peak | NoPeak:
    try:
        row = listed_device(device)
    except DamagedTableError:
        row = None
    if row is None:
        return no_peak(WhyNoPeak.DEVICE)
    width = f"{row.bits // row.devices} bits of {row.memory}"
    return Peak(row.gbps / row.devices, "model", width)
