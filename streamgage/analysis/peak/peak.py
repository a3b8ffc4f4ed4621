"""The theoretical peak of the memory in use, and its source."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from streamgage.analysis.peak.reason import NoPeakReason, WhyNoPeak
from streamgage.analysis.thread_places import places_of

if TYPE_CHECKING:  # imported for types only: a list of results must not load the records
    from streamgage.records.run import Run

PeakSource = Literal["given", "smbios", "model", "driver"]
_FEW_REMOTE = 0.01
"""Below this share of remote pages, the memory of other packages is not in use."""


@dataclass(frozen=True)
class Peak:
    """A theoretical peak: channels x transfer rate x width, in GB/s (10^9 bytes per second)."""

    gbps: float
    source: PeakSource
    """Where it comes from: ``given`` on the command line, the modules in SMBIOS, the table of
    processor models, or a device's driver. The table has the most that a model takes, not what is
    plugged in."""
    detail: str
    """Details to show next to the figure, such as ``8 channels of DDR4-2666``."""
    at_most: bool = False
    """``True`` if this memory may have less, because something was not read from its parts."""


@dataclass(frozen=True)
class NoPeak:
    """The reasons why the peak is unknown."""

    reasons: tuple[NoPeakReason, ...]


def no_peak(why: WhyNoPeak, **values: Any) -> NoPeak:  # noqa: ANN401 - the fields of a reason
    """Make a ``NoPeak`` with one reason and its values."""
    return NoPeak((NoPeakReason(why=why, **values),))


def channel_gbps(megatransfers: int, width_bits: int) -> float:
    """The GB/s of one channel.

    It is transfers per second x bytes per transfer (10^6/s x bits / 8 / 10^9).
    """
    return megatransfers * width_bits / 8 / 1000


def packages_in_use(run: Run) -> frozenset[int] | None:
    """The logical numbers of the packages whose memory holds the arrays; ``None`` means all.

    Pages lie next to the thread that touched them first, so bound threads use the memory of their
    own packages. All packages count if threads are not bound, if the machine interleaves memory
    over packages (fewer NUMA nodes than packages), if pages are bound to nodes, or if they may not
    be local. A peak that is too high misleads less than one that is too low.
    """
    machine, placement, places = run.machine, run.placement, places_of(run)
    if machine is None or placement is None or places is None:
        return None
    if not placement.bound or _is_bound(run):
        return None
    nodes = sum(bool(node.cpus) for node in machine.numa_nodes)
    used = frozenset(place.package for place in places.usual)
    if nodes < machine.packages or len(used) >= machine.packages or min(used, default=-1) < 0:
        return None
    return used if _are_local(run) else None


def words_for(used: frozenset[int] | None) -> str:
    """Words for a peak that covers only some packages; empty if it covers the whole machine."""
    if used is None:
        return ""
    return " of the package in use" if len(used) == 1 else f" of the {len(used)} packages in use"


def _is_bound(run: Run) -> bool:
    return run.memory is not None and run.memory.nodes is not None


def _are_local(run: Run) -> bool:
    arrays = run.memory.arrays if run.memory is not None else []
    checked = sum(array.checked_pages for array in arrays)
    remote = sum(array.remote_pages for array in arrays)
    return checked > 0 and remote <= _FEW_REMOTE * checked
