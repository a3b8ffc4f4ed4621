"""Kernels of a user's own: what they declare, how they were checked, and how they failed."""

from __future__ import annotations

from typing import Literal

import msgspec

from streamgage.records.base import ArrayAccess, ArrayType, Record
from streamgage.records.quantities import ByteAmount, Count

FailureReason = Literal[
    "compile", "declaration", "crash", "timeout", "outside", "access", "division", "check"
]
"""``compile``: it does not compile; ``declaration``: it declares nothing, or something wrong;
``crash``: it ended its process; ``timeout``: it did not return; ``outside``: it wrote outside its
range or its arrays; ``access``: it reads or writes other arrays than it declares; ``division``: its
result depends on how the iterations are divided among threads; ``check``: its own check found wrong
results."""

CheckName = Literal[
    "declaration", "guard-pages", "bounds", "accesses", "ranges", "division", "result"
]
"""``declaration``: the facts; ``guard-pages``: nothing is touched before or behind an array;
``bounds``: on a device, nothing is written behind an array; ``accesses``: arrays are read and
written as declared; ``ranges``: a part of the iterations leaves
the elements of others alone; ``division``: the same bits however the iterations are divided among
threads; ``result``: its own check."""


class OwnArray(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An array that a kernel declares."""

    name: str
    type: ArrayType
    access: ArrayAccess
    bytes: ByteAmount
    """Per iteration, each way that ``access`` names: what crosses the memory bus at least."""
    elements: Count
    """Elements of the array in this run, which makes ``iterations`` iterations."""


class OwnFacts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a user's own kernel declares, next to what every kernel has; bytes per iteration."""

    source: str
    """The file as the user named it."""
    iterations: Count
    """Iterations of one pass."""
    grain: Count = 1
    """Ranges of iterations begin and end at multiples of it."""
    arrays: list[OwnArray]
    read_bytes: ByteAmount
    written_bytes: ByteAmount
    allocated_bytes: ByteAmount
    """Bytes of arrays that are written but not read: what a write-allocate reads in addition."""
    has_check: bool


class OwnKernelAsked(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A kernel of a user's own that the plan names."""

    name: str
    source: str
    code: str
    """What made it: compiler and flags."""


class KernelCheck(Record, frozen=True, kw_only=True, tag="kernel-check"):
    """A kernel of a user's own that passed the checks before the first sample."""

    kernel: str
    source: str
    iterations: Count
    """Iterations of the largest run of the check."""
    checked: list[CheckName]
    """The checks in their order; missing ones were impossible: ``result`` if the kernel has no
    check, pages in a program under AddressSanitizer."""


class KernelFailure(Record, frozen=True, kw_only=True, tag="kernel-failure"):
    """A kernel of a user's own that is left out, or that ended its process."""

    kernel: str | None
    """The kernel's name; null if it does not even declare one."""
    source: str
    reason: FailureReason
    message: str
    """A full sentence, with the array and the element where they are known."""
