"""The peak that the processor's model can have, from the table of models.

The table has the memory channels and the fastest memory of models, each with its source.

A row holds for a family. Where slower models of a family take slower memory, the row is that of
the fastest, so that no peak is too low. The table leaves out processors whose name does not
identify their memory (POWER9, Grace), that have two kinds of it (Xeon Max), or whose figures could
not be confirmed (Xeon E5-2600, 6700P). For those there are SMBIOS and ``--peak``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from streamgage.analysis.facts_file import DamagedTableError
from streamgage.analysis.peak.of_family import socket_of_family
from streamgage.analysis.peak.peak import (
    NoPeak,
    Peak,
    channel_gbps,
    no_peak,
    packages_in_use,
    words_for,
)
from streamgage.analysis.peak.reason import WhyNoPeak
from streamgage.records import Machine
from streamgage.records.run import Run

_SOCKETS = re.compile(r"\b([1248])\s*(?:x\b|-?\s*(?:sockets?|packages?)\b)", re.IGNORECASE)
_S2600CW = "Intel Server Board S2600CW TPS 2.4, 3.3: four channels a processor; DDR4-2400 with v4"
_INTEL_E5_V2 = "intel.com 75277, Xeon E5-2680 v2: four channels of DDR3-1866, 59.7 GB/s"
_MICROWAY = "microway.com, Detailed Specifications of the Intel Xeon E5-2600v3: up to DDR4-2133"
_KINGSTON = "kingston.com, Intel Xeon Scalable (Purley): six channels of DDR4-2666"
_WIKICHIP_8256 = "wikichip.org, Xeon Platinum 8256: six channels of DDR4-2933"
_WWT = "wwt.com, Memory Population Guidelines for 4th Gen Xeon Scalable: 8 x 3200 (3rd), 8 x 4800"
_TOMS_EMERALD = "tomshardware.com, 5th Gen Xeon Emerald Rapids: DDR5-5600; eight channels as before"
_STH_6900P = "servethehome.com, Intel Xeon 6900P: twelve channels, DDR5-6400 or MRDIMM-8800"
_ANANDTECH_EPYC = "anandtech.com 11544, EPYC 7601: eight channels of DDR4-2666"
_TOMS_GENOA = "tomshardware.com, AMD Confirms Twelve DDR5 Channels: 204.8 GB/s before, then 460.8"
_NEXTINPACT = "nextinpact.com 72513, EPYC 8004: six channels of DDR5-4800"
_LLAMA_16569 = "github.com/ggml-org/llama.cpp 16569, EPYC 9335: DDR5-6400, 614.4 GB/s"
_ANANDTECH_TX2 = "anandtech.com 12694, ThunderX2 9980: eight channels of DDR4-2667"
_HARDWARELUXX = "hardwareluxx.de 53483, Altra and Altra Max: eight channels of DDR4-3200"
_WIKICHIP_KUNPENG = "wikichip.org, Kunpeng 920-6426 and 920-4826: eight channels of DDR4-2933"
_FUJITSU = "Fujitsu, A64FX product catalogue: 32 GiB of HBM2 in four stacks, 1024 GB/s"
_ANANDTECH_G2 = "anandtech.com 15578, Graviton2: eight channels of DDR4-3200"
_WIKICHIP_G3 = "wikichip.org, AWS Graviton3: eight channels of DDR5-4800, 307.2 GB/s"
_WIKICHIP_G4 = "wikichip.org, AWS Graviton4: twelve channels of DDR5-5600"
_XEON = r"Xeon.*\b(?:Platinum 8{0}|Gold [56]{0}|Silver 4{0}|Bronze 3{0})[0-9]{{2}}"
"""A template for Xeon names. The second digit is the generation: 1 Skylake, 2 Cascade Lake, 3
Ice Lake, 4 Sapphire Rapids, 5 Emerald Rapids. Bronze, Silver and Gold 5000 mostly take slower
memory."""


def peak_of_model(run: Run) -> Peak | NoPeak:
    """Compute the peak: channels x rate x width of the model x packages in use.

    This is the most that the model takes. With slower memory, or with empty channels, the true peak
    is lower. A guest shares the memory of its whole socket with others.
    """
    machine = run.machine
    processor = machine.processor if machine is not None else _reported(run)
    if processor is None:
        return no_peak(WhyNoPeak.NO_PROCESSOR)
    model = model_of(processor, machine.system if machine is not None else None)
    if model is None:
        try:
            shared = machine is not None and bool(machine.hypervisor)
            socket = socket_of_family(machine.processor_id if machine else None, shared=shared)
        except DamagedTableError as error:
            return no_peak(WhyNoPeak.DAMAGED_TABLE, said=str(error))
        if socket is None:
            return no_peak(WhyNoPeak.NOT_LISTED, processor=processor)
        return no_peak(WhyNoPeak.FAMILY_LISTED, processor=processor, socket=socket)
    packages = _packages(run, machine) if machine is not None else _sockets_in(processor)
    if isinstance(packages, NoPeak):
        return packages
    total = model.channels * packages
    detail = f"at most {total} {model.channel_word}s of {model.memory}"
    if machine is not None and machine.hypervisor:
        whole = "the whole socket" if packages == 1 else f"{packages} whole sockets"
        detail += f" of {whole}, which a guest shares"
    elif machine is not None:
        detail += words_for(packages_in_use(run))
    gbps = total * channel_gbps(model.megatransfers, model.width_bits)
    return Peak(gbps, "model", detail)


def _reported(run: Run) -> str | None:
    return run.reported.processor if run.reported is not None else None


def _packages(run: Run, machine: Machine) -> int | NoPeak:
    """The number of packages in use.

    A guest's packages are only believed if its NUMA nodes confirm them.
    """
    nodes = sum(bool(node.cpus) for node in machine.numa_nodes)
    if machine.hypervisor and machine.packages > max(1, nodes):
        return no_peak(WhyNoPeak.MADE_UP_PACKAGES, number=machine.packages, most=nodes)
    used = packages_in_use(run)
    return len(used) if used is not None else max(1, machine.packages)


def _sockets_in(processor: str) -> int | NoPeak:
    """Read the number of sockets from a processor's name: ``2x``, ``2 sockets`` or ``2-socket``."""
    match = _SOCKETS.search(processor)
    if match is not None:
        return int(match[1])
    return no_peak(WhyNoPeak.NO_NUMBER)


@dataclass(frozen=True)
class ProcessorModel:
    """One row of the table.

    ``megatransfers``: 10^6 transfers per second; ``width_bits``: the bits of a channel.
    """

    pattern: str
    """A regular expression that occurs in the processor's name."""
    channels: int
    """The number of memory channels of one package."""
    kind: str
    megatransfers: int
    source: str
    width_bits: int = 64
    system: str | None = None
    """A pattern for the maker and model of the computer, if the processor's name is not enough."""
    channel_word: str = "channel"

    @property
    def memory(self) -> str:
        """The kind and rate of the memory, such as ``DDR4-2666``."""
        return f"{self.kind}-{self.megatransfers}"


MODELS = (
    ProcessorModel(r"Xeon.*\bE5-[24]6[0-9]{2}[A-Z]{0,2} v2", 4, "DDR3", 1866, _INTEL_E5_V2),
    ProcessorModel(r"Xeon.*\bE5-[24]6[0-9]{2}[A-Z]{0,2} v3", 4, "DDR4", 2133, _MICROWAY),
    ProcessorModel(r"Xeon.*\bE5-[24]6[0-9]{2}[A-Z]{0,2} v4", 4, "DDR4", 2400, _S2600CW),
    ProcessorModel(_XEON.format(1), 6, "DDR4", 2666, _KINGSTON),
    ProcessorModel(_XEON.format(2), 6, "DDR4", 2933, _WIKICHIP_8256),
    ProcessorModel(_XEON.format(3) + "(?!HL?)", 8, "DDR4", 3200, _WWT),
    ProcessorModel(_XEON.format(4), 8, "DDR5", 4800, _WWT),
    ProcessorModel(_XEON.format(5), 8, "DDR5", 5600, _TOMS_EMERALD),
    ProcessorModel(r"Xeon.*\b69[0-9]{2}P", 12, "MRDIMM", 8800, _STH_6900P),
    ProcessorModel(r"EPYC 7[0-9A-Z]{2}1", 8, "DDR4", 2666, _ANANDTECH_EPYC),
    ProcessorModel(r"EPYC 7(?!282|272|252|232P)[0-9A-Z]{2}[23]", 8, "DDR4", 3200, _TOMS_GENOA),
    ProcessorModel(r"EPYC 8[0-9]{2}4", 6, "DDR5", 4800, _NEXTINPACT),
    ProcessorModel(r"EPYC 9(?!V64H)[0-9A-Z]{2}4", 12, "DDR5", 4800, _TOMS_GENOA),
    ProcessorModel(r"EPYC 9[0-9A-Z]{2}5", 12, "DDR5", 6400, _LLAMA_16569),
    ProcessorModel(r"ThunderX2", 8, "DDR4", 2666, _ANANDTECH_TX2),
    ProcessorModel(r"Ampere.*Altra", 8, "DDR4", 3200, _HARDWARELUXX),
    ProcessorModel(r"Kunpeng.920", 8, "DDR4", 2933, _WIKICHIP_KUNPENG),
    ProcessorModel(r"A64FX", 4, "HBM2", 2000, _FUJITSU, width_bits=1024, channel_word="stack"),
    ProcessorModel(r"Graviton2|Neoverse.N1", 8, "DDR4", 3200, _ANANDTECH_G2, system="Amazon EC2"),
    ProcessorModel(r"Graviton3|Neoverse.V1", 8, "DDR5", 4800, _WIKICHIP_G3, system="Amazon EC2"),
    ProcessorModel(r"Graviton4|Neoverse.V2", 12, "DDR5", 5600, _WIKICHIP_G4, system="Amazon EC2"),
)


def model_of(processor: str | None, system: str | None) -> ProcessorModel | None:
    """The row of a processor, by its name and, if needed, the computer's.

    ``None`` if it is not listed. ``processor`` is the model name in ``/proc/cpuinfo``, or what
    another benchmark reports.
    """
    if processor is None:
        return None
    name = re.sub(r"\((?:R|TM|C)\)", "", processor, flags=re.IGNORECASE)
    for model in MODELS:
        elsewhere = model.system is not None and model.system not in (system or "")
        if re.search(model.pattern, name, re.IGNORECASE) and not (
            elsewhere and "graviton" not in name.lower()
        ):
            return model
    return None
