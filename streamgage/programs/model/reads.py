"""The bytes that a model reads at least for each token that it generates.

One token at a time, a model reads all weights that the token needs: those of every layer and of the
output, of its active experts only, and one row of the embedding. It also reads the keys and values
of the context. What is not certain to be read is left out, so that what follows from the bytes, the
most tokens per second, stays a bound.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from streamgage.errors import UsageError
from streamgage.units import count

CACHE_BYTES = 2
"""Bytes of a key's or value's element: those of F16 and BF16, which programs use by default."""
Role = Literal["weight", "experts", "one expert", "embedding", "output", "unused"]
"""``experts``: those of all experts together. ``one expert``: those of one of them. ``embedding``:
a row is read per token, and all of it if it is the output, too."""
_LAYER = re.compile(r"(?:^|\.)(?:blk|layers|h)\.([0-9]{1,6})\.")


@dataclass(frozen=True)
class Tensor:
    """A tensor of a model: its name, the type of its elements, its bytes, and its rows."""

    name: str
    type: str
    bytes: int
    rows: int
    role: Role


@dataclass(frozen=True)
class ModelFacts:
    """What the headers say about a model; ``None``: they do not say it."""

    layers: int | None = None
    """The layers that every token goes through. Tensors of further layers are not read."""
    experts: int | None = None
    experts_used: int | None = None
    cache_elements: int | None = None
    """The elements of the keys and values of one token, over all layers."""
    window: int | None = None
    """The most tokens that a layer with a sliding window looks back. Some layers may look at all,
    but which ones is not in every header."""
    tied: bool = False
    """``True`` if the output uses the embedding's weights."""


@dataclass(frozen=True)
class ModelReads:
    """The bytes per token, and their parts, the greatest first."""

    bytes: int
    parts: tuple[tuple[str, int], ...]


def reads_of(tensors: Iterable[Tensor], facts: ModelFacts, context: int) -> ModelReads:
    """Add up what a token reads with ``context`` tokens before it.

    Raises ``UsageError`` if the headers do not say it.
    """
    known = [each for each in tensors if _is_read(each, facts)]
    has_output = any(each.role == "output" for each in known) and not facts.tied
    parts: dict[str, float] = {}
    for each in known:
        name, moved = _part_of(each, facts, has_output=has_output)
        parts[name] = parts.get(name, 0.0) + moved
    if context:
        parts[f"keys and values of {count(context, 'token')}"] = _cache(facts, context)
    found = {name: round(moved) for name, moved in parts.items() if round(moved)}
    if not found:
        raise UsageError("The model has no weights that a token reads: name a file with weights.")
    ordered = sorted(found.items(), key=lambda part: -part[1])
    return ModelReads(sum(found.values()), tuple(ordered))


def _is_read(tensor: Tensor, facts: ModelFacts) -> bool:
    if tensor.role == "unused":
        return False
    layer = _LAYER.search(tensor.name)
    return layer is None or facts.layers is None or int(layer[1]) < facts.layers


def _part_of(tensor: Tensor, facts: ModelFacts, *, has_output: bool) -> tuple[str, float]:
    match tensor.role:
        case "embedding" if has_output:
            return "a row of the embedding", tensor.bytes / max(1, tensor.rows)
        case "experts" | "one expert":
            if not facts.experts or not facts.experts_used:
                raise UsageError(
                    "The model has experts, but its header does not say how many are active for a"
                    " token, so what it reads is not known. Give --bytes-per-step in place of"
                    " --model."
                )
            share = min(1.0, facts.experts_used / facts.experts)
            name = f"{tensor.type} weights of experts ({facts.experts_used} of {facts.experts})"
            return name, tensor.bytes * share
        case _:
            return f"{tensor.type} weights", float(tensor.bytes)


def _cache(facts: ModelFacts, context: int) -> float:
    if facts.cache_elements is None:
        raise UsageError(
            "The header does not say how large the keys and values of a token are: leave --context"
            " out."
        )
    tokens = context if facts.window is None else min(context, facts.window)
    return float(tokens * facts.cache_elements * CACHE_BYTES)


def elements_of_cache(
    layers: int | None, heads: int | Sequence[int] | None, key: int | None, value: int | None
) -> int | None:
    """The elements of a token's keys and values: of all layers, or of each layer by its heads."""
    if layers is None or heads is None or key is None or value is None:
        return None
    of_all = heads * layers if isinstance(heads, int) else sum(heads)
    return of_all * (key + value)
