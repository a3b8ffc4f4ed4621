"""Reasons why the peak is unknown, as codes with values."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec

from streamgage.analysis.worded_code import WordedCode
from streamgage.records.quantities import Count, Positions, Rate


class WhyNoPeak(WordedCode):
    """A reason why the peak is unknown, with its words."""

    DEVICE = (
        "device",
        "neither the driver nor the device's name says how fast its memory is; give it with --peak",
    )
    SLICE = (
        "slice",
        "the device is a slice of a GPU ({processor}), and its share of the memory's speed is not"
        " known; give it with --peak",
    )
    SEVERAL_HOSTS = (
        "several-hosts",
        "the ranks ran on several hosts, and only the first of them is described",
    )
    BOUND_MEMORY = (
        "bound-memory",
        "memory was bound to {nodes:nodes}, and it is unknown which modules belong there",
    )

    EXCEEDED = (
        "exceeded",
        "this run moved more than the {gbps:.1f} GB/s that memory would have by {said}",
    )

    # Reasons about the memory modules that SMBIOS lists.
    NO_RECORD = "no-record", "there is no record of the machine"
    OF_GUEST = "of-guest", "the memory modules that a guest sees are made up"
    UNREADABLE = "unreadable", "{said}"
    NO_MODULE = "no-module", "SMBIOS lists no memory module"
    NO_MODULE_IN_USE = (
        "no-module-in-use",
        "SMBIOS lists no memory module of the package in use",
    )
    TWO_KINDS = (
        "two-kinds",
        "there are two kinds of memory, and it is unknown which is in use",
    )
    MADE_UP_MODULES = (
        "made-up-modules",
        "SMBIOS lists a module of {said} in {slot}, a size that nobody sells, so its list is made"
        " up",
    )
    NO_FIGURE = "no-figure", "SMBIOS does not give the {lacking} of the module in {slot}"
    NO_CHANNEL = "no-channel", "SMBIOS does not say which channel the slot {slot} is on"
    NO_PACKAGE = (
        "no-package",
        "SMBIOS does not say which package each memory slot belongs to",
    )
    SOME_PACKAGES = (
        "some-packages",
        "SMBIOS names the processor of only some memory slots",
    )
    SAME_NAMES = "same-names", "SMBIOS gives {number} memory slots the same name"
    MANY_SLOTS = (
        "many-slots",
        "SMBIOS gives {number} memory slots the letter or number {channel}, more than a channel"
        " has, so these names are not channels",
    )
    MANY_CHANNELS = (
        "many-channels",
        "SMBIOS names {number:channels}, but the processors have {most}",
    )

    # Reasons about the table of processor models.
    NO_PROCESSOR = (
        "no-processor",
        "the processor's model is unknown (give the peak with --peak)",
    )
    NOT_LISTED = (
        "not-listed",
        "{processor} is not in the table of processor models (give the peak with --peak)",
    )
    FAMILY_LISTED = (
        "family-listed",
        "{processor} is not in the table of processor models; {socket.words} (give the peak with"
        " --peak)",
    )
    OVERCLOCKED = (
        "overclocked",
        "{processor} takes {said} by its maker, but such memory is often overclocked (give the peak"
        " with --peak)",
    )
    DAMAGED_TABLE = "damaged-table", "{said} Or give the peak with --peak"
    NO_NUMBER = (
        "no-number",
        "the number of processors is unknown (give the peak with --peak)",
    )
    MADE_UP_PACKAGES = (
        "made-up-packages",
        "this guest shows {number} packages and {most:numa-nodes}, so its packages are made up"
        " (give the peak with --peak)",
    )


class SocketPeak(msgspec.Struct, frozen=True, kw_only=True):
    """The maximum of a socket, for a processor with a masked name, by its family and model."""

    family: Count
    model: Count
    name: str
    """The name of the generation, such as ``EPYC 7003 (Milan)``."""
    gbps: Rate
    channels: Count
    memory: str
    """The kind and rate of the memory, such as ``DDR4-3200``."""
    shared: bool
    """``True`` if guests share the socket; the host may then be newer than the hypervisor shows."""

    @property
    def words(self) -> str:
        """The maximum in words."""
        shared = (
            ", which guests share; the host may be newer than the hypervisor shows"
            if self.shared
            else ""
        )
        return (
            f"by family {self.family} and model {self.model} it is {self.name}:"
            f" at most {self.gbps:.1f} GB/s per socket ({self.channels} channels of"
            f" {self.memory}){shared}"
        )


class NoPeakReason(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A reason with its values; its code determines which values it has."""

    why: WhyNoPeak
    nodes: Positions = []
    slot: str | None = None
    """The memory slot, as the firmware names it."""
    channel: str | None = None
    lacking: Literal["transfer rate", "width"] | None = None
    number: Count | None = None
    most: Count | None = None
    processor: str | None = None
    said: str | None = None
    """The cause in the words of the engine or the system; a size or the source of a peak."""
    gbps: Rate | None = None
    """The peak that was exceeded."""
    socket: SocketPeak | None = None

    @property
    def words(self) -> str:
        """The reason in words. Raises ``ValueError`` if a value is missing."""
        return self.why.filled(lambda name: getattr(self, name))

    def consistent(self) -> None:
        """Raise ``ValueError`` if a value is missing."""
        self.why.filled(lambda name: getattr(self, name))


def in_words(reasons: Iterable[NoPeakReason]) -> str:
    """Join reasons in words: ``SMBIOS cannot be read; the processor's model is not known``."""
    return "; ".join(each.words for each in reasons)
