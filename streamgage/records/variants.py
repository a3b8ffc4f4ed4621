"""What is measured: kernels, their variants, and how shapes were chosen."""

from __future__ import annotations

from streamgage.records.base import ArrayType, ElementType, Purpose, Record, ShapeSource
from streamgage.records.own import OwnFacts
from streamgage.records.quantities import Amount, Count, Duration, Members
from streamgage.records.setting import AccessShape


class Kernel(Record, frozen=True, kw_only=True, tag="kernel"):
    """Facts of a kernel, from the catalogue or its own declaration.

    Loads and stores are elements per iteration. For a user's own kernel they are the arrays that it
    reads and writes, and ``own`` has the bytes.
    """

    name: str
    formula: str
    loads: Count
    stores: Count
    write_allocates: bool
    """``True`` if the store overwrites lines that the kernel does not itself read."""
    flops: Count | Amount
    own: OwnFacts | None = None
    """Facts of a user's own kernel; null for a kernel of the catalogue."""


class Variant(Record, frozen=True, kw_only=True, tag="variant"):
    """One measured combination; samples refer to it by ``id``."""

    id: Count
    kernel: str
    store: str
    type: ArrayType
    """The type of the elements; for a user's own kernel, that of its first floating-point array, or
    of its first one."""
    isa: str
    """Instruction set of the code that runs."""
    code: str
    """What made the code: the compiler and its flags, or the library call."""
    store_instruction: str | None = None
    """The instruction that streaming or claim stands for here, such as VMOVNTPD."""
    calls: list[str] | None = None
    """Library functions that the compiler made the plain loop call, such as memcpy, from its object
    code; null where the code is not a compiler's or was not looked at."""
    purpose: Purpose = "rate"
    """``rate``: a figure of its own; ``forced-read``: ordinary stores whose lines are prefetched
    for writing, so that each is certainly read, as a check of the inference; ``series``: a part of
    the threads, to see how bandwidth grows; ``evidence``: a kernel of known traffic that the
    user did not ask for, to compare the others with."""
    threads: Members | None = None
    """Threads that run it; null: all."""
    elements: Count | None = None
    """Elements that one pass covers, or iterations of a user's own kernel; null: all."""
    tuned: bool = False
    """Whether the shape is not the default one: such figures are not those of a standard run."""
    shape: AccessShape | None = None
    """Access shape of vector code; null for all other code."""


class Tuning(Record, frozen=True, kw_only=True, tag="tuning"):
    """What was decided of the shape of one kernel with one kind of vector store.

    ``ratio`` is the median of the paired runs' seconds in the default shape over those in the
    fastest other one, with its 95 % interval; null where there was no such pair.
    """

    kernel: str
    store: str
    isa: str
    type: ElementType
    source: ShapeSource
    """``raced`` in this run, ``known`` from an earlier one, ``given`` by hand, or ``skipped``
    because the arrays fit in the caches."""
    shape: AccessShape
    """What is measured: the default shape if no other was quicker beyond doubt."""
    tuned: bool
    fastest: AccessShape
    """The winner of the race, whether or not the pairs confirmed it."""
    forced_read: AccessShape | None = None
    """The quickest shape of the race that prefetches for writing lines that the kernel does not
    read itself; null if there is none."""
    candidates: Count
    samples: Count
    """Runs of the race, the pairs not counted."""
    pairs: Count
    ratio: Amount | None
    ratio_low: Amount | None
    ratio_high: Amount | None
    seconds: Duration


class AbsentVariant(Record, frozen=True, kw_only=True, tag="absent"):
    """A combination that was asked for and does not exist, with the reason."""

    kernel: str
    store: str
    reason: str
