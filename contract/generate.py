"""Writes what the front declares and the engine needs as C++.

    python3 contract/generate.py FOLDER

The front's types are the only declaration of what front and engine exchange. The headers and
sources go to ``FOLDER/contract``, and the names of all files that were read to standard output. A
file that would not change is left alone, so that nothing that includes it is compiled again.
"""

from __future__ import annotations

import sys
from pathlib import Path

from cpp import ByHand, Unit, Writer
from declarations import DeclarationError, Reference, Sources

ROOT = Path(__file__).resolve().parents[1]

_PLAN = "streamgage.plan"
_BASE = "streamgage.records.base"
_SETTING = "streamgage.records.setting"

BY_HAND = {
    # The library has these, for programs that have no plan.
    Reference(_PLAN, "Placement"): ByHand(
        "PlacementRequest", "streamgage/placement/placement_request.hpp"
    ),
    Reference(_SETTING, "Sampling"): ByHand("Sampling", "streamgage/statistics/sampling.hpp"),
    Reference(_BASE, "PlacementKind"): ByHand(
        "PlacementKind", "streamgage/placement/placement_request.hpp"
    ),
    Reference(_BASE, "PageSize"): ByHand(
        "PageSize", "streamgage/memory/array.hpp", {"4k": "kSmall", "2m": "kHuge", "1g": "kGiant"}
    ),
    Reference(_BASE, "StoppedBy"): ByHand("StoppedBy", "streamgage/statistics/stopping_rule.hpp"),
    # The shape on a device has defaults, which its records do not.
    Reference("streamgage.records.device", "DeviceShape"): ByHand(
        "DeviceShape", "base/access_shape.hpp"
    ),
    Reference(_SETTING, "AccessShape"): ByHand("AccessShape", "base/access_shape.hpp"),
}

NAMES = {
    Reference(_PLAN, "Tuning"): "TuningRequest",
    Reference(_PLAN, "Load"): "LoadRequest",
    Reference(_PLAN, "OwnKernel"): "OwnKernelFile",
}

TEXTS = (
    ("Cache", "kind"),
    ("CpuSet", "source"),
    ("Machine", "huge_pages"),
    ("NumaNode", "kind"),
    ("Device", "kind"),
    ("SlowedBy", "reason"),
    ("MemoryRecord", "capped_by"),
    ("KernelCheck", "checked"),
)
"""Fields whose words come from the library or a driver as texts."""

UNITS = (
    Unit(
        "plan",
        (Reference(_PLAN, "Plan"), Reference(_PLAN, "LatencyPlan")),
        reads=True,
        constants=(Reference(_BASE, "SCHEMA_VERSION"), Reference(_PLAN, "LARGEST_ALIGNMENT")),
    ),
    Unit("verdict", module="streamgage.records.verdict"),
    Unit("warnings", module="streamgage.records.warnings", namespace="warnings"),
    Unit(
        "units",
        constants=tuple(
            Reference("streamgage.units", name)
            for name in (
                "LEAST_GBPS",
                "TWO_DECIMALS_BELOW",
                "ONE_DECIMAL_BELOW",
                "NO_DECIMALS_FROM",
                "ONE_DECIMAL_FROM",
            )
        ),
    ),
    *(
        Unit(
            module,
            tuple(Reference(f"streamgage.records.{module}", name) for name in names),
            reads=False,
        )
        for module, names in {
            "own": ("KernelCheck", "KernelFailure"),
            "device": ("Device", "Peer", "Devices", "DeviceState", "DeviceClock"),
            "machine": ("Machine",),
            "setting": (
                "PlanRecord",
                "LatencyPlanRecord",
                "Expansion",
                "Catalogue",
                "PlacementRecord",
                "MemoryRecord",
                "Clock",
                "CoreClock",
            ),
            "stream_view": ("StreamView",),
            "variants": ("Kernel", "Variant", "Tuning", "AbsentVariant"),
            "course": (
                "Sample",
                "Validation",
                "IdleLatency",
                "LoadedLatency",
                "Calibration",
                "Traffic",
                "Disturbance",
                "End",
            ),
            "counters": ("Counters", "Interval"),
            "environment": ("Binding", "Activity"),
        }.items()
    ),
    # A line has to fit into a pipe at once, so it has nothing that goes without saying.
    Unit(
        "node",
        (Reference("streamgage.records.node", "NodeLine"),),
        reads=False,
        leaves_out_defaults=True,
    ),
)


def write(folder: Path) -> Sources:
    """Write all files below ``folder`` and return what was read for them."""
    sources = Sources(ROOT)
    writer = Writer(sources, BY_HAND, NAMES, TEXTS)
    target = folder / "contract"
    target.mkdir(parents=True, exist_ok=True)
    made = {target / name: text for unit in UNITS for name, text in writer.files(unit)}
    for path, text in made.items():
        if not path.is_file() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")
    for old in {*target.iterdir()} - {*made}:  # the build would compile it, too
        old.unlink()
    return sources


if __name__ == "__main__":
    try:
        print(*sorted(write(Path(sys.argv[1])).read), sep="\n")
    except DeclarationError as error:
        sys.exit(f"contract: {error}")
