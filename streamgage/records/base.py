"""What all records share: their base, the words that they use, and the version."""

from __future__ import annotations

from typing import Literal

import msgspec

SCHEMA_VERSION = 1
"""Version of plan and records; the engine refuses a plan of a newer one."""

ElementType = Literal["double", "float"]
"""Element types of the catalogue's kernels."""
Init = Literal["pattern", "constant", "random"]
"""What the catalogue's arrays hold at first: the same well mixed values in every run, one value in
each array, or values that the seed of the run draws."""
ArrayType = Literal["double", "float", "int32", "int64"]
"""Element types of the arrays of a user's own kernel."""
ArrayAccess = Literal["read", "write", "read-write"]
PlacementKind = Literal["cores", "cpus", "none"]
SampleRole = Literal["warmup", "timed", "paused", "validation"]
"""``paused``: a pause of the engine hit the sample, so its seconds mean nothing."""
EndReason = Literal["complete", "interrupted", "terminated", "error"]
StoppedBy = Literal["converged", "max-samples", "budget"]


ShapeSource = Literal["raced", "known", "given", "skipped"]
Purpose = Literal["rate", "forced-read", "series", "evidence"]
Tool = Literal[
    "STREAM",
    "MPI_STREAM",
    "TheBandwidthBenchmark",
    "BabelStream",
    "likwid-bench",
    "Intel MLC",
    "Kokkos",
    "HPCC",
    "PETSc streams",
    "sysbench",
    "nvbandwidth",
    "sc-membench",
    "lmbench",
    "Mess",
    "mbw",
]
OVER_THE_RUN: frozenset[Tool] = frozenset(("likwid-bench", "Intel MLC", "HPCC", "sysbench", "mbw"))
"""They print the rate over a whole run, next to which the median stands; others print the best."""


class Record(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    tag_field="record",
    gc=False,  # none holds itself, and to look for that in so many takes long
):
    """What every record has in common: the field ``record`` names its type."""
