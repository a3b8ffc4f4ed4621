"""A guest's place among similar cloud servers: a comparison, not a verdict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from streamgage.analysis.cloud.guest import guest_of, like
from streamgage.analysis.cloud.servers import (
    COUNTS_TWICE,
    KERNELS,
    OPERATIONS,
    SHORT,
    STORES,
    Operation,
    known_servers,
)
from streamgage.analysis.cloud.standing import standing_among
from streamgage.analysis.expected.doubt import in_words
from streamgage.analysis.expected.hardware import hardware_of
from streamgage.analysis.facts_file import DamagedTableError
from streamgage.records import Machine
from streamgage.records.run import Run
from streamgage.results.measure.document import KernelResult, Measure, StandingResult
from streamgage.results.measure.headline import standard
from streamgage.units import count, format_gbps, format_range, format_rate


def standings(run: Run, kernels: Sequence[KernelResult]) -> tuple[list[StandingResult], str | None]:
    """Reading first; why the list of servers cannot be read.

    Empty where the data package is not installed, the machine is no guest and of no cloud, not all
    of its cores had a thread, or no server is like it.
    """
    machine = run.machine
    if machine is None or not _is_whole(run, machine):
        return [], None
    try:
        servers = known_servers()
        guest = guest_of(machine, servers)
        likeness = like(guest, servers)
    except DamagedTableError as error:
        return [], str(error)
    if likeness is None or (machine.hypervisor is None and guest.itself is None):
        return [], None
    found = []
    for operation in OPERATIONS:
        ours = figure_of(kernels, operation)
        rates = [rate for each in likeness.servers if (rate := each.rate(operation)) is not None]
        among = standing_among(rates, None if ours is None else ours.gbps)
        if ours is not None and among is not None:
            found.append(
                StandingResult(
                    operation=operation,
                    kernel=ours.kernel,
                    store=ours.store,
                    gbps=ours.gbps,
                    shared=likeness.shared,
                    among=among,
                    server=None if guest.itself is None else guest.itself.server,
                    server_gbps=None if guest.itself is None else guest.itself.rate(operation),
                    doubts=list(likeness.doubts),
                )
            )
    return found, None


def _is_whole(run: Run, machine: Machine) -> bool:
    """Return whether every core of the machine had a thread."""
    hardware = hardware_of(run)
    return hardware is not None and hardware.every_core and hardware.cores == machine.cores


@dataclass(frozen=True)
class Ours:
    """A figure of a run, as the servers' are counted."""

    kernel: str
    store: str
    gbps: float


def figure_of(kernels: Sequence[KernelResult], operation: Operation) -> Ours | None:
    """The figure of the kernel with that operation and ordinary stores; ``None``: not measured.

    It is the one that the run itself shows for that kernel.
    """
    stores = STORES[operation]
    usable = [e for e in kernels if e.store in stores and e.type == "double" and not e.tuned]
    found = standard(usable, KERNELS[operation], stores)
    if found is None:
        return None
    gbps = (found.in_main_state.median_gbps or 0.0) / COUNTS_TWICE.get(operation, 1.0)
    return Ours(found.kernel, found.store, gbps)


def standing_line(result: Measure) -> str | None:
    """``Same processor, 8 CPUs: 20 to 56 GB/s read in 9 server types; yours 41``."""
    return _sentences(result.standings[0], brief=True) if result.standings else None


def standing_pairs(result: Measure) -> Iterator[tuple[str, str]]:
    """Each operation, and what others have."""
    for each in result.standings:
        counted = ", each byte once" if each.operation in COUNTS_TWICE else ""
        yield f"{each.operation} ({each.kernel} {each.store}{counted})", _sentences(each)


_DONE = {"read": "read", "write": "written", "copy": "copied"}


def _sentences(standing: StandingResult, *, brief: bool = False) -> str:
    among = standing.among
    shared, ours = standing.shared.words, format_rate(standing.gbps)
    start = f"{shared[:1].upper()}{shared[1:]}"
    rates = format_range(among.least, among.most) if among.types > 1 else format_gbps(among.most)
    types = count(among.types, "server type")
    middle = f", median {format_rate(among.middle)}" if among.types > 1 else ""
    done = _DONE[standing.operation]
    text = f"{start}: {rates} {done} in {types}{middle}; yours {ours} ({SHORT})."
    if not brief and standing.server is not None and standing.server_gbps is not None:
        text += f" Its own type, {standing.server}, had {format_rate(standing.server_gbps)}."
    if standing.doubts:
        text += f" Compare with care: {in_words(standing.doubts)}."
    return text
