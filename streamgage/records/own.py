"""The user's own kernels: what they declare, how they were checked, and how they failed."""

from __future__ import annotations

from typing import Literal

import msgspec

from streamgage.records.base import ArrayAccess, ArrayType, Record
from streamgage.records.quantities import ByteAmount, Count

FailureReason = Literal[
    "compile", "declaration", "crash", "timeout", "outside", "access", "division", "check"
]
"""Why a kernel failed. ``compile``: it does not compile. ``declaration``: it declares nothing, or
something wrong. ``crash``: it ended its process. ``timeout``: it did not return. ``outside``: it
wrote outside its range or its arrays. ``access``: it reads or writes other arrays than it declares.
``division``: its result depends on how the iterations are divided among threads. ``check``: its own
check found wrong results."""

CheckName = Literal[
    "declaration", "guard-pages", "bounds", "accesses", "ranges", "division", "result"
]
"""What is checked. ``declaration``: the declared facts. ``guard-pages``: nothing before or behind
an array is touched. ``bounds``: on a device, nothing is written behind an array. ``accesses``:
arrays are read and written as declared. ``ranges``: a part of the iterations does not change the
elements of other parts. ``division``: the result has the same bits however the iterations are
divided among threads. ``result``: the kernel's own check passes."""


class OwnArray(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An array that a kernel declares."""

    name: str
    type: ArrayType
    access: ArrayAccess
    bytes: ByteAmount
    """The bytes per iteration, counted once for each way that ``access`` names; at least these
    cross the memory bus."""
    elements: Count
    """The number of elements of the array in this run, which makes ``iterations`` iterations."""


class OwnFacts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The facts that only a user's own kernel declares; bytes are per iteration."""

    source: str
    """The file of the kernel, as the user named it."""
    iterations: Count
    """The number of iterations in one pass."""
    grain: Count = 1
    """Ranges of iterations begin and end at multiples of this number."""
    arrays: list[OwnArray]
    read_bytes: ByteAmount
    written_bytes: ByteAmount
    allocated_bytes: ByteAmount
    """The bytes of arrays that are written but not read; a write-allocate also reads these."""
    has_check: bool


class OwnKernelRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One of the user's own kernels, as the plan names it."""

    name: str
    source: str
    code: str
    """What compiled it: the compiler and its flags."""


class KernelCheck(Record, frozen=True, kw_only=True, tag="kernel-check"):
    """One of the user's own kernels that passed the checks before the first sample."""

    kernel: str
    source: str
    iterations: Count
    """The number of iterations of the largest run during the check."""
    checked: list[CheckName]
    """The checks that were made, in their order. Some are impossible: ``result`` if the kernel has
    no check, and those that protect pages in a program with AddressSanitizer."""


class KernelFailure(Record, frozen=True, kw_only=True, tag="kernel-failure"):
    """One of the user's own kernels that was left out, or that ended its process."""

    kernel: str | None
    """The kernel's name; null if it does not even declare one."""
    source: str
    reason: FailureReason
    message: str
    """A full sentence, with the array and the element if they are known."""
