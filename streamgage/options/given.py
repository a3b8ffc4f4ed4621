"""Checks that a value from Python has the type that its parameter declares."""

from __future__ import annotations

import numbers
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from streamgage.errors import UsageError

_NUMBERS: dict[type, type] = {int: numbers.Integral, float: numbers.Real}
"""The types that count as numbers, because NumPy's numbers are not Python's."""
_MOST_SHOWN = 40
_TEXTS = (str, bytes, bytearray, memoryview)
_COLLECTIONS = (Sequence, Set)
"""Types whose members can be read more than once."""


def fitting(name: str, value: object, hint: Any) -> object:  # noqa: ANN401 - any annotation
    """Return ``value``; an iterator becomes a list.

    Raises ``UsageError``, which names ``name``, if the value fits no type of ``hint``.
    """
    if isinstance(value, Iterator):
        value = list(value)
    if fits(value, hint):
        return value
    wanted = " or ".join(dict.fromkeys(_names(hint)))
    what = type(value).__name__
    if isinstance(value, _COLLECTIONS) and not isinstance(value, _TEXTS):
        of = " and ".join(sorted({type(each).__name__ for each in value}))
        what = f"{what} of {of or 'nothing'}"
    elif isinstance(value, str | os.PathLike) and "\0" in str(value):
        what = "text with a zero byte"
    raise UsageError(f"{name} {_shown(value)} is given as {what}: give {wanted}.")


def require_value(name: str, value: object, *, first_alone: bool = False) -> None:
    """Raise ``UsageError``, which names ``name``, if a text in ``value`` is empty.

    A shell passes one for a variable that is not set. ``first_alone``: later texts may be empty.
    """
    if isinstance(value, str):
        if not value.strip():
            raise UsageError(
                f"{name} is empty, as from a variable that is not set: give a value, or leave it"
                " out."
            )
    elif isinstance(value, list | tuple | set | frozenset):
        for each in list(value)[: 1 if first_alone else None]:
            require_value(name, each)


def _shown(value: object) -> str:
    """The value as text, if that is short and needs no code of the value's own class."""
    simple = (bool, int, float, complex, NoneType, list, tuple, dict, set, *_TEXTS)
    text = repr(value) if type(value) in simple else ""
    return text if len(text) <= _MOST_SHOWN else ""


def fits(value: object, hint: Any) -> bool:  # noqa: ANN401 - any annotation
    """Return whether ``value`` has a type of ``hint``."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return fits(value, inner[0])
    if origin in (Union, UnionType):
        return any(fits(value, each) for each in inner)
    if origin is Literal:
        return value in inner
    known = hint if origin is None else origin
    if not isinstance(known, type):  # a variable of a type, or any
        return value is None if hint is None else True
    return _is_a(value, known) and _members_fit(value, known, inner)


def _is_a(value: object, known: type) -> bool:
    if isinstance(value, str | os.PathLike) and "\0" in str(value):
        return False
    return isinstance(value, _NUMBERS.get(known, known))


def _members_fit(value: object, known: type, inner: tuple[Any, ...]) -> bool:
    if not inner or not issubclass(known, Iterable) or issubclass(known, Mapping):
        return True
    if isinstance(value, _TEXTS):
        return False  # a text is no collection of texts
    return not isinstance(value, _COLLECTIONS) or all(fits(each, inner[0]) for each in value)


def _names(hint: Any) -> Iterable[str]:  # noqa: ANN401 - any annotation
    """The types of ``hint`` in everyday words."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        yield from _names(inner[0])
    elif origin in (Union, UnionType):
        for each in inner:
            yield from _names(each)
    elif origin is Literal:
        yield from map(repr, inner)
    elif hint is None or hint is NoneType:
        yield "None"
    elif origin is not None and isinstance(origin, type) and issubclass(origin, Iterable) and inner:
        yield f"several {' or '.join(dict.fromkeys(_names(inner[0])))}"
    else:
        known = hint if origin is None else origin
        yield getattr(known, "__name__", str(known))
