"""The peak of an x86 processor with a masked name, from its family, model and stepping.

Hypervisors replace the name ("AMD EPYC", "QEMU Virtual CPU"), and some show an older processor than
the host's. So the result only says in words what a socket of that processor takes at most; figures
are not judged by it. ``families.csv`` lists the processors with their sources. It has no memory for
processors that take several kinds. Makers number their models by generation (the second digit of
Intel's, the last one of AMD's), so a model's name also shows it.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

import msgspec

from streamgage.analysis.facts_file import FactsFile
from streamgage.analysis.peak.of_number import brands
from streamgage.analysis.peak.peak import channel_gbps
from streamgage.analysis.peak.reason import SocketPeak
from streamgage.cpu_list import list_cpus
from streamgage.records.machine import ProcessorId

_WIDTH_BITS = 64
"""The width of a channel in bits, as in DDR4 and DDR5."""


class Family(msgspec.Struct, frozen=True, kw_only=True):
    """One row of ``families.csv``. The memory is ``None`` if the processor takes several kinds."""

    vendor: str
    family: int
    model: int
    steppings: str
    """The range of steppings, such as ``0-4``."""
    name: str
    models: str
    """A regular expression that matches the names of its models."""
    channels: int | None = None
    kind: str | None = None
    megatransfers: int | None = None
    source_of_name: str
    source_of_memory: str = ""

    @property
    def brand(self) -> str:
        """The brand of its models in lower case, such as ``xeon``."""
        return self.name.split()[0].lower()


def socket_of_family(processor: ProcessorId | None, *, shared: bool) -> SocketPeak | None:
    """The highest memory bandwidth of a socket, from the table of processor families.

    ``shared``: this is one of several guests on the socket. ``None`` if the table lacks the
    processor or its memory. Raises ``DamagedTableError``.
    """
    row = _row_of(processor)
    if row is None or processor is None or row.channels is None or row.megatransfers is None:
        return None
    most = row.channels * channel_gbps(row.megatransfers, _WIDTH_BITS)
    return SocketPeak(
        family=processor.family,
        model=processor.model,
        name=row.name,
        gbps=most,
        channels=row.channels,
        memory=f"{row.kind}-{row.megatransfers}",
        shared=shared,
    )


def generation_of(processor: ProcessorId | None) -> str | None:
    """The generation, such as ``EPYC 7003 (Milan)``; ``None`` if the table lacks it.

    Raises ``DamagedTableError``.
    """
    row = _row_of(processor)
    return None if row is None else row.name


def generation_named(processor: str) -> str | None:
    """The generation of a processor by the name of its model, which has no trademark signs."""
    row = family_named(processor)
    return None if row is None else row.name


def family_named(processor: str) -> Family | None:
    """The row of a processor by the name of its model, which has no trademark signs.

    Brands share numbers: a Gold 6405U after the word ``Pentium`` is no Xeon.
    """
    for row in known_families():
        number = re.search(row.models, processor, re.IGNORECASE)
        if number is not None:
            before = re.findall("[a-z]+", processor[: number.start()].lower())
            if brands().intersection(before) <= {row.brand}:
                return row
    return None


def _row_of(processor: ProcessorId | None) -> Family | None:
    if processor is None:
        return None
    for row in known_families():
        same = (processor.vendor, processor.family, processor.model) == (
            row.vendor,
            row.family,
            row.model,
        )
        if same and processor.stepping in list_cpus(row.steppings):
            return row
    return None


@cache
def known_families() -> tuple[Family, ...]:
    """Read all known families. Raises ``DamagedTableError``."""
    return read_families(files("streamgage.analysis.peak") / "families.csv")


def read_families(file: Traversable) -> tuple[Family, ...]:
    """Read the rows of a file. Raises ``DamagedTableError``."""
    return _LIST.read(file)


def _check(row: Family) -> None:
    re.compile(row.models)
    if not re.fullmatch(r"[0-9]{1,2}(?:-[0-9]{1,2})?", row.steppings):
        raise ValueError(f"no steppings: {row.steppings[:20]}")


_LIST = FactsFile(
    title="streamgage processor families",
    called="The list of processor families",
    newest=1,
    row=Family,
    repair="install streamgage again",
    check=_check,
)
