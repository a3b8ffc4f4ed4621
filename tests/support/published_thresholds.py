"""What the checks of Azure's HPC nodes and of CSCS ask for, next to the peaks that are known here.

``python tests/support/published_thresholds.py`` prints the table of docs/validation.md.
"""

from __future__ import annotations

from streamgage.analysis.expected.table import known_values
from streamgage.analysis.expected.value import ExpectedValue
from streamgage.analysis.expected.words import amount
from streamgage.analysis.named_hardware import NamedPeak, peak_named
from streamgage.interop.kernels import KERNELS
from streamgage.units import format_share

WHO = ("CSCS", "Microsoft", "Microsoft's node check")
_NAMES = (
    "EPYC 9V33X",
    "EPYC 7V73X",
    "EPYC 7V12",
    "EPYC 7742",
    "EPYC 7003",
    "Xeon E5-2695 v4",
    "Grace",
)
"""Processors by the part of the hardware's description that has their peak."""


def thresholds() -> list[ExpectedValue]:
    """The limits and expected values of these checks; figures measured once are no thresholds."""
    return [each for each in known_values() if each.who in WHO and each.bound != "measured"]


def peak_of(value: ExpectedValue) -> NamedPeak | None:
    """The peak of one processor or device of this hardware; ``None`` if it is not known."""
    if value.device == "gpu":
        return peak_named(value.hardware)
    if "GH200" in value.hardware:
        return peak_named("Grace")
    name = next((each for each in _NAMES if each in value.hardware), None)
    return None if name is None else peak_named(name.replace("EPYC 7003", "EPYC 7763"))


def shares(value: ExpectedValue) -> tuple[float, float] | None:
    """The shares of the peak: as STREAM counts, and if stores read all their lines."""
    peak = peak_of(value)
    if peak is None:
        return None
    facts = KERNELS[value.kernel]
    nominal = value.low_gbps / (peak.gbps * (value.packages or 1))
    read = (facts.loads + 2 * facts.stores) / (facts.loads + facts.stores)
    return nominal, nominal * (read if facts.write_allocates else 1.0)


def row(value: ExpectedValue) -> str:
    """The row of the table."""
    found = shares(value)
    less = f", -{format_share(value.tolerance)}" if value.tolerance else ""
    if found is None:
        known, whole = "unknown", "-"
    else:
        known = format_share(found[0])
        plain = value.stores != "streaming" and value.device == "cpu"
        whole = format_share(found[1]) if plain and found[1] <= 1 else "-"
    return (
        f"| {value.hardware} | {value.who}, {value.benchmark} | {value.kernel} {value.stores} |"
        f" {amount(value)}{less} | {known} | {whole} |"
    )


if __name__ == "__main__":
    print("\n".join(map(row, thresholds())))
