"""The kinds of result there are: the one list from which all others follow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Union

import msgspec

from streamgage.errors import UsageError
from streamgage.records import SCHEMA_VERSION
from streamgage.results import compilers, ladder, latency, measure, numa, repeat, scale, study
from streamgage.results.document import Document, Words
from streamgage.results.kind import Headline, Kind

if TYPE_CHECKING:
    from streamgage.records.run import Run

KINDS: tuple[Kind[Any], ...] = (
    measure.KIND,
    scale.KIND,
    ladder.KIND,
    latency.KIND,
    repeat.KIND,
    numa.KIND,
    compilers.KIND,
    study.KIND,
)
NAMES = tuple(each.name for each in KINDS)
_FIRST = "triad"
_WANTED = "name what a command such as measure or scale printed with --format json"


def kind_of(document: Document) -> Kind[Any]:
    """The kind of a document."""
    return next(each for each in KINDS if type(document) is each.document)


def words_of(document: Document) -> Words:
    """What a document comes to."""
    return kind_of(document).words(document)


def kind_named(name: str) -> Kind[Any] | None:
    """The kind of that name; ``None`` where there is none."""
    return next((each for each in KINDS if each.name == name), None)


def headline(document: Document) -> Headline | None:
    """The best bandwidth, of triad where it was measured; of a latency that of memory.

    ``None`` where nothing was measured.
    """
    found = list(kind_of(document).headlines(document))
    of_triad = [each for each in found if each.what.startswith(_FIRST)]
    return max(of_triad or found, key=lambda each: each.value, default=None)


def document_of(run: Run) -> Document | None:
    """What the records of one run make by themselves; ``None``: they are ``measure``'s."""
    found = (each.of_run(run) for each in KINDS)
    return next((each for each in found if each is not None), None)


def decode_document(content: bytes, name: str) -> Document:
    """The document in ``content``, of any kind. Raises ``UsageError``, which calls it ``name``."""
    try:
        fields = msgspec.json.decode(content)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UsageError(
            f"{name} is no whole JSON document ({error}): name what a command printed with"
            " --format json."
        ) from error
    if not isinstance(fields, dict) or kind_named(str(fields.get("kind"))) is None:
        raise UsageError(f"{name} holds no result of streamgage: {_WANTED}.")
    _refuse_newer(fields, name)
    try:
        found: Document = msgspec.convert(fields, type=Union[tuple(e.document for e in KINDS)])  # noqa: UP007
    except (msgspec.ValidationError, RecursionError) as error:
        raise UsageError(f"{name} is no result that can be read ({error}): {_WANTED}.") from error
    return found


def _refuse_newer(fields: dict[str, object], name: str) -> None:
    machine = fields.get("machine")
    version = machine.get("schema") if isinstance(machine, dict) else None
    if isinstance(version, int) and version > SCHEMA_VERSION:
        raise UsageError(
            f"{name} is of version {version}, and this streamgage reads up to version"
            f" {SCHEMA_VERSION}: update streamgage."
        )
