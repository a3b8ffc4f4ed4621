"""Ranks a result of ``streamgage measure`` among cloud servers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from streamgage.advice import advice, command_name
from streamgage.analysis.cloud.guest import guest_of, like
from streamgage.analysis.cloud.servers import KERNELS, SOURCE, Operation, ServerType
from streamgage.analysis.cloud.standing import standing_among
from streamgage.analysis.conclusion import no_firmer, sound
from streamgage.analysis.expected.doubt import Doubt
from streamgage.analysis.thread_places import places_of
from streamgage.comparison.cloud.document import Cloud, CloudGroup, OwnPlace
from streamgage.errors import UsageError
from streamgage.records import Machine
from streamgage.results.measure.document import Measure
from streamgage.results.measure.standing import figure_of
from streamgage.results.result import Result
from streamgage.units import count, format_share


def cloud_of(servers: Sequence[ServerType], operation: Operation, loaded: Result[Any]) -> Cloud:
    """Compare the result ``loaded`` with the server types that have a figure for ``operation``.

    Raises ``UsageError`` if it is not a result of ``measure``.
    """
    found = _own_place(loaded, operation)
    yours = found if isinstance(found, OwnPlace) else None
    machine = loaded.document.machine
    groups = list(_groups(servers, operation, yours, machine))
    trust = None if yours is None else loaded.trust
    return Cloud(
        operation=operation,
        source=SOURCE,
        groups=groups,
        yours=yours,
        yours_reason=found if isinstance(found, str) else None,
        machine=machine,
        taken=loaded.document.taken,
        trust=trust,
        conclusions=no_firmer(map(sound, _ranks(groups)), trust),
    )


def _ranks(groups: Sequence[CloudGroup]) -> Iterator[str]:
    """``Yours has more per core than 84 % of the 439 server types with 2 CPUs.``."""
    for each in groups[-1:]:
        among = each.per_core
        if among.below is not None:
            share = format_share(among.below / among.types)
            types = count(among.types, "server type")
            yield f"Yours has more per core than {share} of {types} ({each.what})."


def per_core(server: ServerType, operation: Operation) -> float | None:
    """The bandwidth per core in GB/s; ``None`` if the server has no figure for ``operation``."""
    rate = server.rate(operation)
    return None if rate is None else rate / server.cores


def _own_place(loaded: Result[Any], operation: Operation) -> OwnPlace | str:
    """The place of this machine, or the reason why it has none."""
    result = loaded.document
    if not isinstance(result, Measure):
        raise UsageError(
            f"{loaded.name} is a result of {loaded.kind.command}, not of {command_name('measure')}:"
            " name another with --result, or leave --result out to take the newest."
        )
    figure = figure_of(result.kernels, operation)
    if figure is None:
        kernel = KERNELS[operation]
        return (
            f"{loaded.name} has no figure of {kernel} with ordinary stores: run"
            f" {advice('measure', '--kernels', kernel)}, or name another result with --result"
        )
    cores = _cores(loaded)
    if cores is None:
        return f"{loaded.name} does not say how many cores it used"
    return OwnPlace(
        called=loaded.name,
        kernel=figure.kernel,
        store=figure.store,
        cores=cores,
        gbps=figure.gbps,
        gbps_per_core=figure.gbps / cores,
    )


def _cores(loaded: Result[Any]) -> int | None:
    """The cores that had a thread; those of the machine if the placement is unknown."""
    places = None if loaded.records is None else places_of(loaded.records)
    machine = loaded.document.machine
    if places is not None:
        return places.cores
    return None if machine is None else machine.cores


def _groups(
    servers: Sequence[ServerType],
    operation: Operation,
    yours: OwnPlace | None,
    machine: Machine | None,
) -> Iterator[CloudGroup]:
    def group(
        what: str, some: Sequence[ServerType], doubts: Sequence[Doubt] = ()
    ) -> Iterator[CloudGroup]:
        rates = [rate for each in some if (rate := per_core(each, operation)) is not None]
        among = standing_among(rates, None if yours is None else yours.gbps_per_core)
        if among is not None:
            yield CloudGroup(what=what, per_core=among, doubts=list(doubts))

    yield from group("all", servers)
    if machine is None:
        return
    guest = guest_of(machine, servers)
    same = [each for each in servers if each.architecture == guest.architecture]
    yield from group(f"{guest.architecture}", same)
    yield from group(f"{guest.cpus} CPUs", [each for each in servers if each.cpus == guest.cpus])
    likeness = like(guest, servers)
    if likeness is not None:
        yield from group(likeness.shared.words, likeness.servers, likeness.doubts)
