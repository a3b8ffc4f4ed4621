"""What all records share: their base class, the names of choices, and the schema version."""

from __future__ import annotations

from typing import Literal

import msgspec

SCHEMA_VERSION = 1
"""The version of plans and records. The engine refuses a plan of a newer version."""

ElementType = Literal["double", "float"]
"""The element types of the built-in kernels."""
Init = Literal["pattern", "constant", "random"]
"""What the built-in kernels' arrays hold at first: the same well mixed values in every run, one
value per array, or random values from the seed of the run."""
PageSize = Literal["4k", "2m", "1g"]
"""The pages that memory is asked for in: the system's small ones, huge ones where the kernel gives
them, or pages of 1 GiB that were reserved."""
ArrayType = Literal["double", "float", "int32", "int64"]
"""The element types of arrays in the user's own kernels."""
ArrayAccess = Literal["read", "write", "read-write"]
PlacementKind = Literal["cores", "cpus", "none"]
SampleRole = Literal["warmup", "timed", "paused", "disturbed", "validation"]
"""The purpose of a sample. ``paused``: the engine was paused during it, so its seconds mean
nothing. ``disturbed``: its threads hardly ever had their CPUs at the same time."""
EndReason = Literal["complete", "interrupted", "terminated", "error"]
StoppedBy = Literal["converged", "max-samples", "budget"]


ShapeSource = Literal["raced", "known", "given", "skipped"]
"""How a shape was found: in this run, in an earlier one, given by hand; or not at all, because the
arrays fit into the caches."""
Purpose = Literal["rate", "forced-read", "series", "evidence"]
"""What a variant is measured for. ``rate``: a figure of its own. ``forced-read``: ordinary stores
to lines that were prefetched for writing, so that each line is certainly read. ``series``: with
some of the threads, to see how bandwidth grows. ``evidence``: a kernel of known traffic, for
comparison."""


class Record(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    tag_field="record",
    gc=False,  # no record contains itself, and a search for cycles among so many takes long
):
    """The base of all records; the field ``record`` names the type."""
