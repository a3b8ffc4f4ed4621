"""Facts about the kernels that other benchmarks measure.

Kernels that the engine also has are the rows of its catalogue (``engine/kernels/catalogue.hpp``); a
test compares the two. The kernel records of results without an engine are made from here.
"""

from __future__ import annotations

from streamgage.records import Kernel


def _kernel(name: str, formula: str, loads: int, stores: int, flops: int) -> Kernel:
    """Make a kernel from its formula; ``a`` is the array that it writes.

    If the formula reads no ``a``, its stores overwrite lines that it has not read.
    """
    read = formula.partition("=")[2]
    return Kernel(
        name=name,
        formula=formula,
        loads=loads,
        stores=stores,
        write_allocates=bool(stores) and "a" not in read,
        flops=flops,
    )


CATALOGUE = (
    _kernel("init", "a = s", 0, 1, 0),
    _kernel("sum", "s += a", 1, 0, 1),
    _kernel("dot", "s += a*b", 2, 0, 2),
    _kernel("copy", "a = b", 1, 1, 0),
    _kernel("scale", "a = s*b", 1, 1, 1),
    _kernel("update", "a = s*a", 1, 1, 1),
    _kernel("add", "a = b + c", 2, 1, 1),
    _kernel("triad", "a = b + s*c", 2, 1, 2),
    _kernel("daxpy", "a = a + s*b", 2, 1, 2),
    _kernel("striad", "a = b + c*d", 3, 1, 2),
    _kernel("sdaxpy", "a = a + b*c", 3, 1, 2),
    _kernel("bracket", "a = a + b*c + d", 4, 1, 3),
)
"""The kernels of the engine's catalogue, in its order."""

FOREIGN = (
    _kernel("load", "a", 1, 0, 0),  # likwid-bench: it loads, and does nothing with the values
    _kernel("multiply", "a = b*c", 2, 1, 1),  # likwid-bench's mul
    _kernel("mix-1:1", "a = f(a)", 1, 1, 0),  # MLC: as many reads as writes
    _kernel("mix-2:1", "a = f(a, b)", 2, 1, 0),  # MLC
    _kernel("mix-3:1", "a = f(a, b, c)", 3, 1, 0),  # MLC
    _kernel("mix-3:2", "a = b, s*b, b + c, b + s*c", 6, 4, 4),  # stress-ng: STREAM's four in turn
    _kernel("nstream", "a = a + b + s*c", 3, 1, 3),  # BabelStream, a += b + s*c
)
"""The kernels that only other benchmarks have."""

KERNELS = {kernel.name: kernel for kernel in (*CATALOGUE, *FOREIGN)}


def arrays_of(kernel: str) -> int:
    """The number of arrays that it uses; an array that is both read and written counts once."""
    facts = KERNELS[kernel]
    return facts.loads + (facts.stores if facts.write_allocates else 0)
