"""What the kernels of a user's own are, in words."""

from __future__ import annotations

from collections.abc import Iterator

from streamgage.results.measure.document import OwnKernelResult, Result
from streamgage.units import format_rate, format_share


def own_kernel_lines(result: Result) -> Iterator[tuple[str, str]]:
    """Name, and formula, source, bytes an iteration, share of a known kernel, and its check."""
    for each in result.own_kernels:
        yield each.kernel, "; ".join(_parts(each))


def _parts(own: OwnKernelResult) -> Iterator[str]:
    made = f" by {own.code}" if own.code else ""
    yield f"{own.formula}, from {own.source}{made}"
    yield f"an iteration {_moved(own)}"
    if own.reference is not None and own.reference_share is not None:
        of_what = "nominal bandwidth" if own.reference_nominal else "bandwidth"
        yield f"{format_share(own.reference_share)} of the {of_what} of {own.reference}"
    if own.gflops is not None:
        yield f"{format_rate(own.gflops)} Gflop/s"
    yield "results checked by its own check" if own.has_check else "results not checked"


def _moved(own: OwnKernelResult) -> str:
    """``reads 16 bytes and writes 8, and 8 more are read where stores read their lines``."""
    read, written, allocated = (
        f"{amount:g}" for amount in (own.read_bytes, own.written_bytes, own.allocated_bytes)
    )
    if not own.written_bytes:
        return f"reads {read} bytes"
    moved = f"writes {written} bytes"
    if own.read_bytes:
        moved = f"reads {read} bytes and writes {written}"
    more = f", and {allocated} more are read where stores read their lines"
    return moved + (more if own.allocated_bytes else "")
