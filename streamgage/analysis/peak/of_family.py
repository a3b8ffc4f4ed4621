"""What family, model and stepping say of the peak of an x86 processor whose name is masked.

Hypervisors replace the name ("AMD EPYC", "QEMU Virtual CPU"), and some show an older processor than
the host's. So this is what a socket of that processor takes at most, in words, and no peak to judge
figures by. ``families.csv`` has the processors, each with its sources; the memory is left out of
those that take several kinds of it. Makers number their models by generation (the second digit of
Intel's, the last one of AMD's), so that the name of a model says it, too.
"""

from __future__ import annotations

import csv
import re
from functools import cache
from importlib.resources import files

from streamgage.analysis.peak.peak import channel_gbps
from streamgage.cpu_list import list_cpus
from streamgage.records.machine import ProcessorId

_WIDTH_BITS = 64
"""Width of a channel, as in DDR4 and DDR5."""


def socket_of_family(processor: ProcessorId | None) -> str | None:
    """Such as: ``by family 25 and model 1 it is EPYC 7003 (Milan): at most 204.8 GB/s a socket``.

    ``None`` where the table does not have it, or not its memory.
    """
    row = _row_of(processor)
    if row is None or processor is None or not row["channels"]:
        return None
    channels, rate = int(row["channels"]), int(row["megatransfers"])
    most = channels * channel_gbps(rate, _WIDTH_BITS)
    return (
        f"by family {processor.family} and model {processor.model} it is {row['name']}:"
        f" at most {most:.1f} GB/s a socket ({channels} channels of {row['kind']}-{rate})"
    )


def generation_of(processor: ProcessorId | None) -> str | None:
    """Such as ``EPYC 7003 (Milan)``; ``None`` where the table does not have it."""
    row = _row_of(processor)
    return None if row is None else row["name"]


def generation_named(processor: str) -> str | None:
    """The same, of a processor by the name of its model, without the marks of trade."""
    rows = (each for each in _table() if re.search(each["models"], processor, re.IGNORECASE))
    return next((each["name"] for each in rows), None)


def _row_of(processor: ProcessorId | None) -> dict[str, str] | None:
    if processor is None:
        return None
    for row in _table():
        same = (processor.vendor, processor.family, processor.model) == (
            row["vendor"],
            int(row["family"]),
            int(row["model"]),
        )
        if same and processor.stepping in list_cpus(row["steppings"]):
            return row
    return None


@cache
def _table() -> list[dict[str, str]]:
    text = files("streamgage.analysis.peak").joinpath("families.csv").read_text("utf-8")
    return list(csv.DictReader(text.splitlines()))
