"""What is measured: kernels, their variants, and how shapes were chosen."""

from __future__ import annotations

from typing import Annotated

from streamgage.records.base import ArrayType, ElementType, Purpose, Record, ShapeSource
from streamgage.records.own import OwnFacts
from streamgage.records.quantities import LEFT_OUT, Amount, Count, Duration, Members
from streamgage.records.setting import AccessShape


class Kernel(Record, frozen=True, kw_only=True, tag="kernel"):
    """Facts about a kernel, from the catalogue or from its own declaration.

    Loads and stores are elements per iteration. For a user's own kernel they are the arrays that it
    reads and writes, and ``own`` has the bytes.
    """

    name: str
    formula: str
    loads: Count
    stores: Count
    write_allocates: bool
    """``True`` if its stores overwrite lines that the kernel does not read itself."""
    flops: Count | Amount
    own: Annotated[OwnFacts, LEFT_OUT] | None = None
    """The facts of a user's own kernel; null for a built-in kernel."""


class Variant(Record, frozen=True, kw_only=True, tag="variant"):
    """One combination that was measured; samples refer to it by ``id``."""

    id: Count
    kernel: str
    store: str
    type: ArrayType
    """The type of the elements; for a user's own kernel, that of its first floating-point array, or
    of its first one."""
    isa: str
    """The instruction set of the code."""
    code: str
    """What made the code: the compiler and its flags, or the library call."""
    store_instruction: str | None = None
    """The instruction that streaming or claim means here, such as VMOVNTPD."""
    calls: list[str] | None = None
    """The library functions that the compiled plain loop calls, such as memcpy, found in its object
    code. Null if no compiler made the code, or it was not looked at."""
    purpose: Purpose = "rate"
    """Why it was measured. ``rate``: as a result of its own. ``forced-read``: ordinary stores whose
    lines are prefetched for writing, so that each is certainly read, as a check of the inference.
    ``series``: with a part of the threads, to see how bandwidth grows. ``evidence``: a kernel of
    known traffic that the user did not ask for, to compare the others with."""
    threads: Members | None = None
    """The number of threads that run it; null means all."""
    elements: Count | None = None
    """The elements that one pass covers, or the iterations of a user's own kernel; null means
    all."""
    tuned: bool = False
    """``True`` if the shape is not the default one; such figures are not those of a standard
    run."""
    shape: AccessShape | None = None
    """The access shape of vector code; null for all other code."""


class Tuning(Record, frozen=True, kw_only=True, tag="tuning"):
    """The shape that was chosen for one kernel with one kind of vector store.

    ``ratio`` is the median, with its 95 % interval, of the seconds in the default shape over those
    in the fastest other shape, from paired runs. It is null if there was no such pair.
    """

    kernel: str
    store: str
    isa: str
    type: ElementType
    source: ShapeSource
    """Where the shape comes from: ``raced`` in this run, ``known`` from an earlier one, ``given``
    by hand, or ``skipped`` because the arrays fit in the caches."""
    shape: AccessShape
    """The shape that was measured: the default one, unless another was quicker beyond doubt."""
    tuned: bool
    fastest: AccessShape
    """The winner of the race, whether or not the pairs confirmed it."""
    forced_read: AccessShape | None = None
    """The quickest shape of the race that prefetches, for writing, lines that the kernel does not
    read itself. Null if there is none."""
    candidates: Count
    """The number of shapes in the race."""
    untried: Count = 0
    """The number of shapes of a device that were left out because the time was over."""
    wrong: Count = 0
    """The number of shapes of a device that were left out because they computed wrong values."""
    samples: Count
    """The number of runs in the race, without the pairs."""
    pairs: Count
    ratio: Amount | None
    ratio_low: Amount | None
    ratio_high: Amount | None
    seconds: Duration


class AbsentVariant(Record, frozen=True, kw_only=True, tag="absent"):
    """A combination that was requested but does not exist, with the reason."""

    kernel: str
    store: str
    reason: str
