"""The last-level caches that a processor can have, by its name.

Each row is the largest of a family, so that arrays are never taken to be in memory when they may
lie in caches. A row names the model that has this size, and the text that says so.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from streamgage.analysis.machine.name_parts import sockets_by_name

_MIB = 1 << 20
_MOST_SOCKETS = 2
"""The sockets of a server whose name does not say how many it has."""


@dataclass(frozen=True)
class Family:
    """A family of processors and the last-level cache of one socket."""

    pattern: str
    mib: float
    model: str
    source: str
    """The text that was read, in November 2026."""


_XEON = r"Xeon.*\b(?:Platinum|Gold|Silver|Bronze) [3-9]{0}[0-9]{{2}}"
_AMD = "amd.com, as recorded in github.com/felixsteinke/cpu-spec-dataset, amd-cpus.csv"
_INTEL = "intel.com, as recorded in github.com/felixsteinke/cpu-spec-dataset, intel-cpus.csv"
_LSCPU = "lscpu of {}, in github.com/SpareCores/sc-inspector-data"
FAMILIES = (
    Family(r"EPYC[ -]7[0-9A-Z]{2}1", 64, "EPYC 7601", _AMD),
    Family(r"EPYC[ -]7[0-9A-Z]{2}2", 256, "EPYC 7742", _AMD),
    Family(r"EPYC[ -]7[0-9A-Z]{2}3X", 768, "EPYC 7773X", _AMD),
    Family(r"EPYC[ -]7[0-9A-Z]{2}3", 256, "EPYC 7763", _AMD),
    Family(r"EPYC[ -]9(?:[0-9A-Z]{2}4|V33)X", 1152, "EPYC 9684X", _AMD),
    Family(r"EPYC[ -]97[0-9]4", 256, "EPYC 9754", _AMD),
    Family(r"EPYC[ -]9[0-9A-Z]{2}4", 384, "EPYC 9654", _AMD),
    Family(
        r"EPYC[ -]8[0-9A-Z]{2}4",
        128,
        "EPYC 8534P",
        "github.com/d893a/local-ml-models, README.md: 128 MB for EPYC 8004",
    ),
    Family(
        r"EPYC[ -]9[0-9A-Z]{2}5",
        512,
        "EPYC 9755",
        "tomshardware.com, New Zen 5 128-core EPYC CPU: 512 MB",
    ),
    Family(
        r"Threadripper.* [79][0-9]{3}",
        384,
        "Threadripper PRO 7995WX",
        "tecfoco.com.br, Threadripper 9000: 384 MB in 7995WX; 32 MB in each of at most 12 dies",
    ),
    Family(r"Threadripper.* [35][0-9]{3}", 256, "Threadripper 3990X", _AMD),
    Family(r"Threadripper.* [12][0-9]{3}", 64, "Threadripper 2990WX", _AMD),
    Family(_XEON.format("1"), 38.5, "Xeon Platinum 8180", _INTEL),
    Family(_XEON.format("2"), 77, "Xeon Platinum 9282", _INTEL),
    Family(_XEON.format("3"), 60, "Xeon Platinum 8380", _INTEL),
    Family(_XEON.format("4"), 112.5, "Xeon Platinum 8490H", _INTEL),
    Family(r"Xeon.*\bMax 9[0-9]{3}", 112.5, "Xeon Max 9480", _INTEL),
    Family(_XEON.format("5"), 320, "Xeon Platinum 8559C", _LSCPU.format("i7i.metal-24xl")),
    Family(r"Xeon.*\b6[0-9]{3}P", 504, "Xeon 6985P-C", _LSCPU.format("c4-highmem-288-lssd-metal")),
    Family(r"Xeon.*\b67[0-9]{2}E", 108, "Xeon 6780E", "hi-tech.ua, Xeon 6700E: at most 108 MB"),
    Family(
        r"Xeon.*\b69[0-9]{2}E",
        216,
        "Xeon 6900E",
        "en.wikipedia.org, Sierra Forest: 3 MB for each cluster (of four cores), 288 cores",
    ),
    Family(r"Xeon.*\bE5-[0-9]{4}[A-Z]{0,2} v2", 30, "Xeon E5-2697 v2", _INTEL),
    Family(r"Xeon.*\bE5-[0-9]{4}[A-Z]{0,2} v3", 45, "Xeon E5-2699 v3", _INTEL),
    Family(r"Xeon.*\bE5-[0-9]{4}[A-Z]{0,2} v4", 55, "Xeon E5-2699 v4", _INTEL),
    Family(r"Xeon.*\bE5-[0-9]{4}[A-Z]{0,2}\b(?! v[2-9])", 20, "Xeon E5-2690", _INTEL),
    Family(r"Graviton ?[23]", 32, "Graviton2", _LSCPU.format("c6g.12xlarge and c7g.12xlarge")),
    Family(r"Graviton ?4", 36, "Graviton4", _LSCPU.format("c8g.12xlarge")),
    Family(r"Graviton ?5", 192, "Graviton5", _LSCPU.format("m9g.48xlarge")),
    Family(r"\bAxion\b", 112, "Axion in N4A", _LSCPU.format("n4a-highcpu-2")),
    Family(r"\bCobalt ?100\b", 128, "Cobalt 100", _LSCPU.format("Standard_D16pds_v6")),
    Family(r"\bYitian\b", 64, "Yitian 710", _LSCPU.format("ecs.c8y.16xlarge")),
    Family(
        r"\bAltra\b",
        32,
        "Altra",
        "github.com/ArmDeveloperEcosystem/board-of-boards, boards/Ampere/AmpereAltra.md: 32 MB",
    ),
    Family(
        r"\bGrace\b",
        114,
        "Grace",
        "github.com/TACC/TACC-Docs, docs/hpc/vista/system.md: 114 MB for each socket",
    ),
    Family(
        r"ThunderX2",
        32,
        "ThunderX2 CN9980",
        "a paper of the Mont-Blanc 3 project on the cluster Dibona: 32 MB",
    ),
)


def cache_bytes_of(processor: str) -> int | None:
    """The last-level caches that a machine with such processors can have; ``None``: not known.

    A name that says no number of sockets counts as two.
    """
    family = next((each for each in FAMILIES if re.search(each.pattern, processor, re.I)), None)
    if family is None:
        return None
    return round((sockets_by_name(processor) or _MOST_SOCKETS) * family.mib * _MIB)
