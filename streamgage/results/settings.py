"""How a series was set up, as far as its document says it: what ``compare`` looks at first."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from streamgage.units import count


class Settings(msgspec.Struct, frozen=True):
    """Each in words; ``None`` if the document does not say it, or has records that do."""

    device: str | None = None
    """What was measured in place of the machine's processor."""
    threads: str | None = None
    workers: str | None = None
    launcher: str | None = None
    binding: str | None = None
    cpus: str | None = None
    array_bytes: int | None = None
    rounds: int | None = None
    element_types: str | None = None
    instruction_sets: str | None = None
    own_kernels: str | None = None
    shapes: str | None = None
    """The shapes of tuned kernels."""


UNKNOWN = Settings()


def workers_of_each(workers: str, threads: int) -> str:
    """``threads``, or ``ranks of 2 threads``."""
    return f"{workers} of {count(threads, 'thread')}" if threads > 1 else workers


def each_or_all(said: Iterable[tuple[str, list[str]]], same: str = "") -> str | None:
    """List each name with its text; only the text if it is the same for all names."""
    known = list(said)
    texts = {name: " or ".join(sorted(set(each))) for name, each in known if each}
    if len(set(texts.values())) == 1 and len(texts) == len(known):
        return next(iter(texts.values())) + (same if len(texts) > 1 else "")
    return "; ".join(f"{name}: {text}" for name, text in texts.items()) or None
