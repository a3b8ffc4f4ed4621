"""A processor, device or type of cloud server by its usual name: its peak, and what is usual.

Names are those of makers (``EPYC 9654``, ``MI300X``), of the system (``AMD EPYC 9654 96-Core
Processor``), of hypervisors' models (``EPYC-Genoa``) and of clouds (``m7i.metal``).
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from streamgage.analysis.cloud.servers import ServerType, known_servers
from streamgage.analysis.expected.table import has_words, plain_name
from streamgage.analysis.machine.name_parts import bare_name
from streamgage.analysis.named_memory import NamedMemory, memory_in, with_named_memory
from streamgage.analysis.peak.known_devices import device_named
from streamgage.analysis.peak.of_family import Family, family_named
from streamgage.analysis.peak.of_model import ProcessorModel, known_models, model_of
from streamgage.analysis.peak.peak import channel_gbps
from streamgage.analysis.peak.spoken_names import (
    branded,
    code_name_in,
    hypervisors_name,
    members_of,
    servers_of,
    spellings,
)
from streamgage.analysis.peak.usual import USUAL, Usual, row_named, usual_named
from streamgage.records.quantities import Rate, Share

_CLOUD_MAKERS = {
    "aws": "Amazon EC2",
    "azure": "Microsoft",
    "gcp": "Google",
    "hcloud": "Hetzner",
    "alicloud": "Alibaba",
}
"""The maker of the computer in SMBIOS, for clouds whose processors are known by it."""
_WIDTH_BITS = 64


class NamedPeak(msgspec.Struct, frozen=True, kw_only=True):
    """The theoretical peak of one processor or device, and the share of it that is usual."""

    title: str
    """The family of the processor, or the device."""
    device: bool
    gbps: Rate
    """At most: with slower memory or empty channels it is less."""
    memory: str
    """Such as ``12 channels of DDR5-4800``."""
    named: str | None = None
    """The memory that the name says, of which the peak is then; ``None``: it says no other."""
    overclocked: bool = False
    """``True`` if users often run this memory faster."""
    source: str
    read: datetime.date | None = None
    """The day on which the source was read; ``None`` if it is not recorded."""
    looked_up: bool = True
    """``False`` if the source is named, but was not opened when the value was written down."""
    usual_low: Share
    usual_high: Share
    usual_reason: str | None = None
    """Why the usual share is not that of most processors."""
    usual_source: str | None = None

    @property
    def usual(self) -> Usual:
        """The range of shares that is usual."""
        return Usual(self.usual_low, self.usual_high, self.usual_reason)


def peak_named(
    name: str,
    system: str | None = None,
    *,
    written: str | None = None,
    memory: NamedMemory | None = None,
) -> NamedPeak | None:
    """The peak of a processor or device by its usual name; ``None`` if it is not known.

    ``system``: the maker of the computer, for cores that several makers sell. ``written``: the
    whole name as somebody wrote it, if ``name`` is a spelling of it or a part. ``memory``: what it
    says of the memory. Raises ``DamagedTableError``.
    """
    device = device_named(name, written)
    if device is not None:
        return _peak(
            name,
            title=device.name,
            device="Xeon" not in device.name,
            gbps=device.gbps,
            memory=f"{device.bits} bits of {device.memory}",
            source=device.source,
            read=device.read,
            looked_up=device.read is not None,
        )
    model = model_of(name, system)
    if model is not None:
        return _of_model(name, model, memory)
    family = family_named(plain_name(name))
    return None if family is None else _of_family(name, family, memory)


def peaks_named(name: str) -> list[NamedPeak]:
    """The peaks of all processors or devices that are called so; empty if none is known.

    Families, kinds of cores and numbers that several makers use have several. What people write
    around a name, such as its memory, is left out only if the whole name is not known. Raises
    ``DamagedTableError``.
    """
    memory = memory_in(name)
    for names, written in _readings(name):
        peaks = (peak_named(each, written=written, memory=memory) for each in names)
        found = {peak.title: peak for peak in peaks if peak is not None}
        if found:
            return [*found.values()]
    code = code_name_in(bare_name(name))
    if code is None:
        return []
    # A code name next to a number must fit it: an "RTX 6000 Blackwell" is no Quadro RTX 6000.
    of_code_name = {peak.title for peak in peaks_named(code[0])}
    return [peak for peak in peaks_named(code[1]) if peak.title in of_code_name]


def _readings(name: str) -> Iterator[tuple[Iterable[str], str | None]]:
    """What a name may mean, the surest first, each with the names of all that it then is.

    With them comes the name as it was written, if they are not those of a table.
    """
    for text in dict.fromkeys((name, bare_name(name))):
        yield members_of(text), None
        for names in ([text], spellings(text), branded(text)):
            yield names, name
    yield members_of(hypervisors_name(name)), None


def _of_model(name: str, model: ProcessorModel, memory: NamedMemory | None) -> NamedPeak:
    gbps, named = model.gbps, None
    if memory is not None:
        found = with_named_memory(
            memory,
            bits=model.bits,
            kind=model.kind,
            megatransfers=model.megatransfers,
            overclocked=model.overclocked,
        )
        gbps, named = found or (gbps, None)
    return _peak(
        name,
        title=model.name,
        device=False,
        gbps=gbps,
        memory=model.most,
        named=named,
        overclocked=model.overclocked,
        source=model.source,
        read=model.read,
        looked_up=model.read is not None,
    )


def _of_family(name: str, family: Family, memory: NamedMemory | None) -> NamedPeak | None:
    if family.channels is None or family.megatransfers is None:
        same = (model for model in known_models() if model.name == family.name)
        model = next(same, None) or model_of(family.name, None)
        return None if model is None else _of_model(name, model, memory)
    gbps, named = family.channels * channel_gbps(family.megatransfers, _WIDTH_BITS), None
    if memory is not None:
        found = with_named_memory(
            memory,
            bits=family.channels * _WIDTH_BITS,
            kind=family.kind or "",
            megatransfers=family.megatransfers,
            overclocked=False,
        )
        gbps, named = found or (gbps, None)
    return _peak(
        name,
        title=family.name,
        device=False,
        gbps=gbps,
        named=named,
        memory=f"{family.channels} channels of {family.kind}-{family.megatransfers}",
        source=family.source_of_memory,
    )


def _peak(name: str, *, title: str, gbps: float, **facts: object) -> NamedPeak:
    row = row_named(f"{name} {title}", gbps)
    usual = usual_named(f"{name} {title}", gbps)
    found = {"usual_low": usual.low, "usual_high": usual.high, "usual_reason": usual.reason}
    if row is not None and usual != USUAL:
        found["usual_source"] = row.source
    return msgspec.convert({"title": title, "gbps": gbps, **facts, **found}, NamedPeak)


def maker_of(server: ServerType) -> str | None:
    """The maker of a cloud's computers, if its processors are known by it."""
    return _CLOUD_MAKERS.get(server.vendor)


def servers_named(name: str) -> list[ServerType]:
    """The types of cloud servers with this name, or whose name goes on after it.

    ``m7i.metal`` is the beginning of ``m7i.metal-24xl``. The cloud may stand before it. A series of
    Azure has its sizes: ``Ddsv5`` has ``Standard_D16ds_v5``. A size that is not listed has the
    others of its family. Raises ``DamagedTableError``.
    """
    wanted = _OF_A_SERVICE.sub("", _KIND.sub("", name.casefold().strip()))
    exact = [each for each in known_servers() if wanted in _names(each)]
    if exact or len(wanted) < _SHORTEST:
        return exact
    beginning = _beginning_with(f"{wanted}-", f"{wanted}.")
    if not beginning and _SERIES.fullmatch(wanted):
        beginning = [server for server in known_servers() if _series(server) == wanted]
    family, _, size = wanted.rpartition(".")
    if beginning or not family or _SIZE.fullmatch(size) is None:
        return beginning
    return _beginning_with(f"{family}.")


def _beginning_with(*beginnings: str) -> list[ServerType]:
    return [
        each
        for each in known_servers()
        if any(other.startswith(beginnings) for other in _names(each))
    ]


def are_other_sizes(name: str, servers: Sequence[ServerType]) -> bool:
    """Whether these types of a family lack the size that the name has."""
    size = name.casefold().strip().rpartition(".")[2]
    return bool(servers and _SIZE.fullmatch(size)) and all(
        size not in server.server for server in servers
    )


def _series(server: ServerType) -> str:
    """The series of a size of Azure, in lower case: ``ddsv5`` of ``Standard_D16ds_v5``."""
    size = server.server.casefold().removeprefix("standard_")
    return re.sub("[0-9]+", "", size, count=1).replace("_", "")


_SHORTEST = 3
"""The shortest name of a family of server types, such as ``c7g``."""
_KIND = re.compile(r"[ -](?:instances?|servers?|series|vms?)$|\s*\([^()]*\)$|^tau ")
"""Matches what people write around a type, such as ``Tau T2A (Ampere)``."""
_OF_A_SERVICE = re.compile(r"^(?:ml|db|cache)\.(?=[a-z0-9-]+\.)")
"""Matches what stands before the type in services of Amazon, such as ``db.m5.large``."""
_SERIES = re.compile(r"[a-z]+v[0-9]")
"""Matches what Azure calls a series: ``Ddsv5``."""
_SIZE = re.compile(r"nano|micro|small|medium|[0-9]*x?large|metal(?:-[0-9]+xl)?")
"""Matches a size of a family at Amazon and Alibaba."""


def _names(server: ServerType) -> tuple[str, ...]:
    name = server.server.casefold()
    short = name.removeprefix("standard_")
    return name, short, f"{server.vendor.casefold()} {name}", f"{server.vendor.casefold()} {short}"


def servers_with(name: str) -> list[ServerType]:
    """The types of cloud servers with this processor, or if none has it, with its family.

    Raises ``DamagedTableError``.
    """
    wanted = servers_of(name) or name
    if not wanted.strip():
        return []
    same = [
        each for each in known_servers() if has_words(f"{each.vendor} {each.processor}", wanted)
    ]
    if same:
        return same
    family = _family(model_of(name, None))
    if family is None:
        return []
    return [
        each
        for each in known_servers()
        if _family(model_of(each.processor, maker_of(each))) == family
    ]


def _family(model: ProcessorModel | None) -> str | None:
    return None if model is None else model.family or model.name


def with_most_bandwidth(servers: Sequence[ServerType], most: int) -> list[ServerType]:
    """The servers that read fastest, fastest first; those without a figure are left out."""
    known = [each for each in servers if each.rate("read") is not None]
    return sorted(known, key=lambda each: -(each.rate("read") or 0.0))[:most]
