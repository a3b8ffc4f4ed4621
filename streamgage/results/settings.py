"""The settings of a series, as far as its document has them; ``compare`` looks at them first."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from streamgage.units import count


class Settings(msgspec.Struct, frozen=True):
    """The settings in words; ``None`` if the document lacks one, or if its records have it."""

    device: str | None = None
    """The device that was measured instead of the machine's processor."""
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
    """The access shapes of tuned kernels."""


UNKNOWN = Settings()


def workers_of_each(workers: str, threads: int) -> str:
    """Describe the workers: ``threads``, or ``ranks of 2 threads``."""
    return f"{workers} of {count(threads, 'thread')}" if threads > 1 else workers


def each_or_all(named_texts: Iterable[tuple[str, list[str]]], same: str = "") -> str | None:
    """List each name with its texts; only the texts if they are the same for all names."""
    known = list(named_texts)
    texts = {name: " or ".join(sorted(set(each))) for name, each in known if each}
    if len(set(texts.values())) == 1 and len(texts) == len(known):
        return next(iter(texts.values())) + (same if len(texts) > 1 else "")
    return "; ".join(f"{name}: {text}" for name, text in texts.items()) or None
