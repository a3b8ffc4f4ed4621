"""The text of any result in a format that its kind has, and its picture."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from streamgage.errors import UsageError
from streamgage.results.documents import Document, kind_of
from streamgage.results.measure.document import Result
from streamgage.results.measure.formats import Format
from streamgage.results.measure.formats import render as render_measure
from streamgage.results.measure.judge import Answer, answer_without_run
from streamgage.results.summary import Kind
from streamgage.show.detail import PLAIN, Detail
from streamgage.show.formats import CurveFormat, SeriesFormat

Form = TypeVar("Form", bound=StrEnum)

_FOLDERS: dict[Kind, tuple[str, type[StrEnum]]] = {
    "scale": ("scale", CurveFormat),
    "ladder": ("ladder", CurveFormat),
    "latency": ("latency", CurveFormat),
    "study": ("study", CurveFormat),
    "repeat": ("repeat", SeriesFormat),
    "numa": ("numa", SeriesFormat),
    "compilers": ("compilers", SeriesFormat),
}
"""Beside this module, each with its ``formats``."""
_DRAWN: frozenset[Kind] = frozenset({"scale", "ladder", "latency", "study", "repeat", "numa"})
"""Those that have a ``picture``."""

FORMATS = ("table", "stream", "json", "csv", "markdown", "dat")
"""All that some kind has."""


def render_result(
    document: Document,
    found: Answer | None,
    form: str,
    *,
    file: Path | None = None,
    detail: Detail = PLAIN,
) -> str:
    """The text; ``found`` is the answer with its run, where there is one.

    Raises ``UsageError`` where results of this kind have no such format.
    """
    if isinstance(document, Result):
        if found is None and form == Format.STREAM:
            raise UsageError(
                "A document has no samples to print as STREAM does: name the records, or leave"
                " --format stream out."
            )
        shown = _choose(Format, form, "measure")
        return render_measure(
            found or answer_without_run(document), shown, file=file, detail=detail
        )
    kind = kind_of(document)
    folder, formats = _FOLDERS[kind]
    render: Callable[..., str] = _module(folder).render
    return render(document, _choose(formats, form, kind), file=file)


def draw_result(document: Document, file: Path) -> bytes:
    """The picture, by the suffix of ``file``. Raises ``UsageError`` where there is none to draw."""
    kind = kind_of(document)
    if kind not in _DRAWN:
        raise UsageError(
            f"There is no picture of a result of {kind}: `streamgage report` draws it in a page."
        )
    draw: Callable[[Document, Path], bytes] = _module(_FOLDERS[kind][0], "picture").draw
    return draw(document, file)


def _choose(formats: type[Form], form: str, kind: Kind) -> Form:
    try:
        return formats(form)
    except ValueError:
        raise UsageError(
            f"--format {form!r} is none of a result of {kind}: use {', '.join(formats)}."
        ) from None


def _module(folder: str, name: str = "formats") -> Any:  # noqa: ANN401 - a module
    return import_module(f"streamgage.results.{folder}.{name}")
