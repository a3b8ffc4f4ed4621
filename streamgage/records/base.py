"""What all records share: their base, the words that they use, and the version."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

SCHEMA_VERSION = 1
"""Version of plan and records; the engine refuses a plan of a newer one."""

ElementType = Literal["double", "float"]
"""Of the catalogue's kernels."""
ArrayType = Literal["double", "float", "int32", "int64"]
"""Of the arrays of a user's own kernel."""
ArrayAccess = Literal["read", "write", "read-write"]
NumberList = Annotated[
    str, msgspec.Meta(pattern=r"^$|^[0-9]{1,7}(-[0-9]{1,7})?(,[0-9]{1,7}(-[0-9]{1,7})?)*$")
]
"""CPUs or NUMA nodes by the numbers of the system: ``0-3,8``; empty: none."""
PlacementKind = Literal["cores", "cpus", "none"]
SampleRole = Literal["warmup", "timed", "validation"]
EndReason = Literal["complete", "interrupted", "terminated", "error"]
StoppedBy = Literal["converged", "max-samples", "budget"]


ShapeSource = Literal["raced", "known", "given", "skipped"]
Purpose = Literal["rate", "forced-read", "series"]
Tool = Literal["STREAM", "TheBandwidthBenchmark", "BabelStream", "likwid-bench"]


class Record(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    tag_field="record",
    gc=False,  # none holds itself, and to look for that in so many takes long
):
    """What every record has in common: the field ``record`` names its type."""
