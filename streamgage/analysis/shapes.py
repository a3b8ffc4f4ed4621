"""Access shapes as people write and read them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from streamgage.analysis.statistics.intervals import Summary, summarise
from streamgage.errors import UsageError
from streamgage.records import AccessShape, DeviceShape, Variant
from streamgage.records.run import Run
from streamgage.units import count, format_bytes, parse_bytes, shortened

_HOW = "write for example streams=4,block=4KiB,read-prefetch=1KiB,write-prefetch=512"
_MOST_CHARACTERS = 80
_KEYS = ("streams", "block", "read-prefetch", "write-prefetch")


def shape_of(shape: str | Mapping[str, int | str]) -> AccessShape:
    """Read a shape: ``streams=4,block=4KiB,read-prefetch=1KiB``, or a mapping.

    What is left out has its default. In a mapping ``_`` may stand for ``-``. Raises ``UsageError``
    for what cannot be read; the engine decides which shapes exist.
    """
    if isinstance(shape, str):
        return _shape(shape, [_pair(part, shape) for part in shape.split(",")])
    pairs = [(str(key).replace("_", "-"), value) for key, value in shape.items()]
    text = ",".join(f"{key}={value}" for key, value in pairs)
    if not pairs:
        raise UsageError(f"--shape {_shown(text)} has a part '' that sets nothing: {_HOW}.")
    return _shape(text, pairs)


def _pair(part: str, text: str) -> tuple[str, str]:
    key, equals, value = (each.strip() for each in part.partition("="))
    if equals and value:
        return key, value
    named = _shown(part.strip())
    raise UsageError(f"--shape {_shown(text)} has a part {named} that sets nothing: {_HOW}.")


def _shape(text: str, pairs: Sequence[tuple[str, int | str]]) -> AccessShape:
    """Make a shape of keys and values. ``text`` is what the user wrote, for messages."""
    values: dict[str, int] = {}
    for key, value in pairs:
        if key not in _KEYS:
            raise UsageError(
                f"--shape {_shown(text)}: {_shown(key)} is not known: use {', '.join(_KEYS)}."
            )
        if key in values:
            raise UsageError(f"--shape {_shown(text)} sets {key} twice: {_HOW}.")
        values[key] = _number(text, key, value)
    return AccessShape(
        streams=values.get("streams", 1),
        block_bytes=values.get("block", 0),
        read_prefetch_bytes=values.get("read-prefetch"),
        write_prefetch_bytes=values.get("write-prefetch"),
    )


def _number(text: str, key: str, value: int | str) -> int:
    if key == "streams":
        number = _digits(value) if isinstance(value, str) else value
        if number is not None and 0 < number <= 1 << 20:
            return int(number)
        raise UsageError(
            f"--shape {_shown(text)}: {_shown(str(value))} is not a number of streams: use 1, 2, 4"
            " or 8."
        )
    found = parse_bytes(value) if isinstance(value, str) else value
    if found is None or not 0 <= found <= 1 << 40:
        raise UsageError(
            f"--shape {_shown(text)}: {_shown(str(value))} is not a number of bytes for {key}:"
            f" {_HOW}."
        )
    return int(found)


def _digits(text: str) -> int | None:
    plain = text.isascii() and text.isdigit() and len(text) <= 20
    return int(text) if plain else None


def _shown(text: str) -> str:
    """The text in quotes, shortened if it is long."""
    return repr(shortened(text, _MOST_CHARACTERS))


def describe_shape(shape: AccessShape) -> str:
    """Describe a shape: ``4 streams 4 KiB apart, read prefetch 1 KiB ahead``, or ``default``.

    For a device: ``16-byte vectors, 4 loads in flight, streaming, groups of 256, one pass``.
    """
    if not isinstance(shape.device, msgspec.UnsetType):
        return _of_device(shape.device)
    parts = []
    if shape.streams > 1:
        apart = f" {format_bytes(shape.block_bytes)} apart" if shape.block_bytes else " far apart"
        parts.append(f"{shape.streams} streams{apart}")
    if shape.read_prefetch_bytes is not None:
        parts.append(f"read prefetch{_ahead(shape.read_prefetch_bytes)}")
    if shape.write_prefetch_bytes is not None:
        parts.append(f"write prefetch{_ahead(shape.write_prefetch_bytes)}")
    return ", ".join(parts) or "default"


def _of_device(shape: DeviceShape) -> str:
    grid = "one pass" if shape.groups is None else count(shape.groups, "group")
    parts = [f"{shape.vector_bytes}-byte vectors"]
    if shape.stages:
        stage = format_bytes(shape.vector_bytes * shape.loads * shape.group_items)
        parts.append(f"ring of {shape.stages} bulk copies of {stage}")
    else:
        parts.append(f"{count(shape.loads, 'load')} in flight")
    if shape.hint != "none":
        parts.append(shape.hint)
    return ", ".join([*parts, f"groups of {shape.group_items}", grid])


def _ahead(distance: int) -> str:
    return f" {format_bytes(distance)} ahead" if distance else " at the access itself"


def gain_of(run: Run, tuned: Variant) -> Summary | None:
    """How many times faster ``tuned`` is than its standard variant; above 1 it gained.

    Both are compared within each block that has both, because other load on the machine then slows
    both. ``None`` if the variant is not tuned, has no figure of its own, or was not measured
    together with its standard variant.
    """
    standard = run.standard_of(tuned) if tuned.tuned and tuned.purpose == "rate" else None
    if standard is None:
        return None
    before, after = run.times_of_blocks(standard.id), run.times_of_blocks(tuned.id)
    # If the clock is too coarse for the arrays, some samples have no length.
    both = [block for block in sorted(before.keys() & after) if after[block] > 0]
    return summarise([before[block] / after[block] for block in both])
