"""The warnings that the front and the engine alone both give: their thresholds and their words.

The engine alone knows less of a run, so it has only the most important warnings. The build of the
engine makes C++ from this file; ``{}`` stands for a value in both languages. A short form is the
reason in a list, and says in the line of a node what disturbed the run.
"""

from __future__ import annotations

from typing import Literal

MUCH_LOAD = 0.02
"""The share of the CPUs' time from which on a load by others counts."""
LITTLE_THROTTLING = 0.001
"""Stops by a quota do not matter below this share of the CPUs' time."""

WRONG = "Wrong results from {}: figures of a wrong computation mean nothing. Do not quote them. {}"
TEST_THE_PARTS = (
    "Test the memory and the {} of this machine; if they are sound, report it as a fault of"
    " streamgage."
)
DISTURBED = (
    "Every sample of {} was disturbed: the threads never had their CPUs at the same time for a"
    " millisecond. Such figures are too low and have no bounds. Stop other programs (see top), or"
    " measure longer: {}."
)
NOT_BOUND = (
    "The {} were not bound to CPUs, as --cpus none asks. The system may move them, two may share a"
    " core, and pages may lie far from the thread that uses them, so runs differ. Leave --cpus none"
    " out to bind one thread to each core."
)
FEWER_THREADS = (
    "{} were asked for but {} ran: the figures are those of {}. Look for OMP_THREAD_LIMIT, a"
    " launcher or a container that limits them, or ask for fewer with --threads."
)
FEWER_THREADS_SHORT = "{} of {} asked for ran"
CONFINED = (
    "This process may use {} of {} online CPUs ({}): a launcher, taskset or a container confined"
    " it, so the figures are of those CPUs and not of the whole machine. Start it without the"
    " confinement to measure all of it."
)
CONFINED_SHORT = "this process may use {} of {} CPUs"

QUOTA_TOO_SMALL = "The cgroup grants the time of {} to {}"
QUOTA_FELT = "A CPU quota{} stopped the threads for {:.2f} CPU-seconds"
QUOTA = "{}: throttled samples are too slow, and the binding of threads does not show it. {}"
FEWER_FOR_THE_QUOTA = "Use --threads {}, or have the container's quota raised."
RAISE_THE_QUOTA = "Have the container's quota raised, or stop what else runs in it."
QUOTA_TOO_SMALL_SHORT = "the CPU quota is {} for {}"
QUOTA_FELT_SHORT = "a CPU quota stopped the threads for {:.2f} CPU-seconds"

BELOW_RULE = (
    "Each array is {}, {}; STREAM's rule asks for {}. Part of the data may come from the {}, and"
    " the figures may be higher than the memory's. {}"
)
TIMES_THE_CACHE = "{} the last-level cache in use"
FEW_ELEMENTS = "below 10^6 elements"
LARGER_ARRAYS = "Leave --size out, or use --size {}MiB or more."
NO_LARGER_ARRAYS = "The memory does not hold larger ones{}."

QUIET_TIME = (
    "The figures count only the {} of the measured time in which all threads had their CPUs"
)
STEAL = (
    "The hypervisor took {} of the time of the CPUs in use ({:.1f} CPU-seconds of steal): other"
    " guests share them, and perhaps the memory too{} Measure again at a quieter time, or on an"
    " instance with CPUs of its own."
)
STEAL_SHORT = "the hypervisor took {} of the CPUs"
OTHER_LOAD = (
    "Other processes used {} of the CPUs in use ({:.1f} CPU-seconds). {}. If they use the memory"
    " from other CPUs meanwhile, the figures are too low. Stop them (see top) for certain figures."
)
OTHER_LOAD_SHORT = "other programs used {} of the CPUs"

SlowReason = Literal[
    "application-clocks",
    "power-cap",
    "hardware-slowdown",
    "sync-boost",
    "software-thermal",
    "hardware-thermal",
    "power-brake",
    "display-clocks",
]
"""What kept the clocks of a device below the highest, as its driver says it."""
SLOWED_BY: dict[SlowReason, str] = {
    "application-clocks": "clocks that an administrator set (nvidia-smi -q -d CLOCK)",
    "power-cap": "its power limit",
    "hardware-slowdown": "a slowdown by its hardware (temperature or power)",
    "sync-boost": "clocks that are synchronized with other GPUs",
    "software-thermal": "its temperature",
    "hardware-thermal": "its temperature, by the hardware",
    "power-brake": "the server's power supply",
    "display-clocks": "the clocks of a display",
}
IN_READINGS = "{} (in {} of {})"
DEVICE_SLOWED = (
    "The clocks of the device were kept low by {}. The memory's own clock seldom changes, so rates"
    " of memory may be the same; those of the caches are lower. {}"
)
DEVICE_SHARED = (
    "{} had the device open during the run. If they computed there, they used its memory, too, and"
    " the figures are a lower bound. nvidia-smi names them; end them, and measure again."
)
DEVICE_SHARED_SHORT = "{} had the device open"
