"""Finds the published values that apply to the hardware in use."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec

from streamgage.analysis.expected.doubt import Doubt
from streamgage.analysis.expected.hardware import Hardware
from streamgage.analysis.expected.table import known_values, plain_name
from streamgage.analysis.expected.value import ExpectedValue
from streamgage.analysis.peak.known_devices import KnownDevice, device_named

_LEAST_SHARE, _MOST_SHARE = 0.80, 1.12
"""The allowed ratio of the memory that the system shows to the nominal capacity. The system keeps a
part for itself, and 480 GB may mean GiB."""
_ORDER = ("at least", "about", "measured")


class Expectation(msgspec.Struct, frozen=True, kw_only=True):
    """The published values for the hardware in use.

    They are never a verdict on what was measured.
    """

    values: Sequence[ExpectedValue]
    """The values in the order to show them: limits by operators and makers, then what they call
    usual, then single measurements."""
    doubts: Sequence[Doubt] = ()
    """Reasons why the values may be for other hardware; empty if everything that the sources say
    applies."""

    @property
    def ambiguous(self) -> bool:
        """``True`` if values for different hardware match, and nothing shows which one it is."""
        return bool(self.doubts) and len({each.hardware for each in self.values}) > 1


def expected_of(
    hardware: Hardware,
    kernel: str,
    store: str = "plain",
    values: Iterable[ExpectedValue] | None = None,
) -> Expectation | None:
    """Find the published value for a kernel with these stores; ``None`` if nothing matches.

    Like is compared with like: the same kernel by STREAM's counting, the same kind of stores, as
    many processors with a thread on each core, and guests only with guests. ``values``: by default
    all that are known. Raises ``DamagedTableError`` if the list cannot be read.
    """
    if not hardware.every_core:
        return None
    matches = [
        (value, doubts)
        for value in (known_values() if values is None else values)
        if value.device == "cpu" and value.kernel == kernel and store in _stores(value)
        if (doubts := _doubts_of(value, hardware)) is not None
    ]
    if not matches:
        return None
    fewest = min(len(doubts) for _, doubts in matches)
    kept = [(value, doubts) for value, doubts in matches if len(doubts) == fewest]
    return Expectation(
        values=_in_order([value for value, _ in kept]),
        doubts=tuple(dict.fromkeys(doubt for _, doubts in kept for doubt in doubts)),
    )


def expected_of_device(
    device: KnownDevice, kernel: str, values: Iterable[ExpectedValue] | None = None
) -> Expectation | None:
    """Find the published values for a kernel on such a GPU; ``None`` if there are none.

    They are of the loop that everybody writes. ``values``: by default all that are known. Raises
    ``DamagedTableError`` if the list cannot be read.
    """
    found = [
        value
        for value in (known_values() if values is None else values)
        if value.device == "gpu"
        and value.kernel == kernel
        and device_named(value.hardware) == device
    ]
    return Expectation(values=_in_order(found)) if found else None


def _in_order(values: Sequence[ExpectedValue]) -> tuple[ExpectedValue, ...]:
    return tuple(sorted(values, key=lambda each: _ORDER.index(each.bound)))


def _stores(value: ExpectedValue) -> tuple[str, ...]:
    """The kinds of stores that a value may be compared with; if the compiler chose them, plain."""
    return ("plain", "streaming") if value.stores == "unknown" else (value.stores,)


_Condition = Callable[[ExpectedValue, Hardware], bool | Doubt]
"""A condition: ``True`` if it holds, or a doubt if that is unknown."""


def _doubts_of(value: ExpectedValue, hardware: Hardware) -> list[Doubt] | None:
    """The doubts whether a value applies to the hardware; ``None`` if it certainly does not."""
    answers = [condition(value, hardware) for condition in _CONDITIONS]
    if False in answers:
        return None
    return [*(each for each in answers if isinstance(each, Doubt)), *_of_the_source(value)]


def _of_the_source(value: ExpectedValue) -> Iterator[Doubt]:
    if value.stores == "unknown":
        yield Doubt.STORES_UNSAID
    if value.guest is None:
        yield Doubt.GUEST_UNSAID


def _same_processor(value: ExpectedValue, hardware: Hardware) -> bool | Doubt:
    if hardware.processor and _matches(value.processor, plain_name(hardware.processor)):
        return True
    masked = hardware.generation is not None and hardware.generation == value.generation
    return Doubt.MASKED if masked else False


def _same_system(value: ExpectedValue, hardware: Hardware) -> bool | Doubt:
    if not value.system:
        return True
    if hardware.system is None:
        return Doubt.NO_MAKER
    return _matches(value.system, hardware.system)


def _same_guest(value: ExpectedValue, hardware: Hardware) -> bool:
    return value.guest is None or value.guest == hardware.guest


def _same_packages(value: ExpectedValue, hardware: Hardware) -> bool | Doubt:
    if value.packages is None:
        return True
    if hardware.packages is None:
        return Doubt.NO_PACKAGES
    return value.packages == hardware.packages


def _same_cores(value: ExpectedValue, hardware: Hardware) -> bool:
    return value.cores is None or value.cores == hardware.cores


def _same_memory(value: ExpectedValue, hardware: Hardware) -> bool:
    """Return whether the kind of memory is the same, as far as SMBIOS shows.

    It calls LPDDR5X LPDDR5.
    """
    kind = hardware.memory_kind
    return kind is None or value.memory.startswith(kind)


def _same_capacity(value: ExpectedValue, hardware: Hardware) -> bool | Doubt:
    if value.memory_gb is None:
        return True
    if hardware.memory_bytes is None:
        return Doubt.NO_SIZE
    share = hardware.memory_bytes / (value.memory_gb * 1e9)
    return _LEAST_SHARE <= share <= _MOST_SHARE


def _matches(pattern: str, text: str) -> bool:
    return re.search(pattern, text, re.IGNORECASE) is not None


_CONDITIONS: Sequence[_Condition] = (
    _same_processor,
    _same_system,
    _same_guest,
    _same_packages,
    _same_cores,
    _same_memory,
    _same_capacity,
)
