"""The bounds of working sets that a user gives."""

from __future__ import annotations

from streamgage.errors import UsageError
from streamgage.results.ladder.points import LINE_BYTES
from streamgage.units import count, format_bytes


def check_bounds(low: int | None, high: int | None, lowest: int) -> None:
    """Whether there is a working set from ``low`` to ``high`` bytes; null: not said.

    ``lowest``: what ``low`` is by default. Raises ``UsageError`` where there is none.
    """
    for option, size in (("--from", low), ("--to", high)):
        if size is not None and size < LINE_BYTES:
            raise UsageError(
                f"{option} {count(size, 'byte')} is less than a cache line of {LINE_BYTES} bytes:"
                " ask for some lines at least, such as 8KiB."
            )
    if high is None:
        return
    if low is not None and high < low:
        raise UsageError(
            f"--from {format_bytes(low)} is more than --to {format_bytes(high)}: swap them."
        )
    if low is None and high < lowest:
        raise UsageError(
            f"--to {format_bytes(high)} is less than the {format_bytes(lowest)} at which the sizes"
            " begin: give --from, too, or a larger --to."
        )
