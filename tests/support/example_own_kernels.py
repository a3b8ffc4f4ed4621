"""Makes invented records of a user's own kernels."""

from __future__ import annotations

from example_records import MIB, good_records, samples_of, steady_times

from streamgage.records import (
    AnyRecord,
    Kernel,
    KernelCheck,
    KernelFailure,
    OwnArray,
    OwnFacts,
    Validation,
    Variant,
)

ITERATIONS = 8 * MIB
GATHER = Kernel(
    name="my-gather",
    formula="a = b[index]",
    loads=2,
    stores=1,
    write_allocates=True,
    flops=1,
    own=OwnFacts(
        source="my.c",
        iterations=ITERATIONS,
        arrays=[
            OwnArray(name="a", type="double", access="write", bytes=8, elements=ITERATIONS),
            OwnArray(name="b", type="double", access="read", bytes=8, elements=ITERATIONS),
            OwnArray(name="index", type="int32", access="read", bytes=4, elements=ITERATIONS),
        ],
        read_bytes=12,
        written_bytes=8,
        allocated_bytes=8,
        has_check=False,
    ),
)
"""Of 20 bytes an iteration, and 28 where its stores read their lines; it has no check."""
VARIANT = Variant(
    id=9, kernel="my-gather", store="plain", type="double", isa="native", code="gcc -O3"
)
UNCHECKED = Validation(
    variant=9,
    valid=None,
    checked=0,
    wrong=0,
    first_wrong=None,
    expected=None,
    found=None,
    spot_failures=0,
)
CHECK = KernelCheck(
    kernel="my-gather",
    source="my.c",
    iterations=65536,
    checked=["declaration", "guard-pages", "accesses", "ranges", "division"],
)
FAILURE = KernelFailure(
    kernel=None,
    source="broken.c",
    reason="compile",
    message="broken.c does not compile by gcc -O3: broken.c:7: 'x' undeclared.",
)
CRASH = KernelFailure(
    kernel="my-gather",
    source="my.c",
    reason="crash",
    message="the kernel my-gather of my.c crashes (SIGABRT: it calls abort).",
)
"""Of the kernel above, while it is measured."""


def own_records() -> list[AnyRecord]:
    """The records that such a kernel adds to a run: 8 Mi iterations in 0.02 s."""
    return [CHECK, GATHER, VARIANT, *samples_of(9, steady_times(0.02)), UNCHECKED]


def with_own(*more: AnyRecord) -> list[AnyRecord]:
    """A good run of the built-in kernels, with this kernel added."""
    good = good_records()
    return [*good[:-2], *own_records(), *more, *good[-2:]]
