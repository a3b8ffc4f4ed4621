"""The documents that ``--format json`` prints, by the command that measures them."""

from __future__ import annotations

import msgspec

from streamgage.errors import UsageError
from streamgage.records import SCHEMA_VERSION
from streamgage.results.compilers.document import Compilations
from streamgage.results.ladder.document import Ladder
from streamgage.results.latency.document import Latencies
from streamgage.results.measure.document import Result
from streamgage.results.numa.document import NumaMatrix
from streamgage.results.repeat.document import Repetition
from streamgage.results.scale.document import Scaling
from streamgage.results.study.document import Study
from streamgage.results.summary import Kind

Document = Result | Scaling | Ladder | Latencies | Repetition | NumaMatrix | Compilations | Study
_TYPES: dict[Kind, type[msgspec.Struct]] = {
    "measure": Result,
    "scale": Scaling,
    "ladder": Ladder,
    "latency": Latencies,
    "repeat": Repetition,
    "numa": NumaMatrix,
    "compilers": Compilations,
    "study": Study,
}


def kind_of(document: Document) -> Kind:
    """The command that measures such a document."""
    return next(kind for kind, each in _TYPES.items() if isinstance(document, each))


def decode_document(content: bytes, name: str) -> Document:
    """The document in ``content``. Raises ``UsageError``, which calls it ``name``.

    A document has no field that says of which command it is: it is of the one whose fields it has.
    """
    try:
        fields = msgspec.json.decode(content)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UsageError(
            f"{name} is no whole JSON document ({error}): name what a command printed with"
            " --format json."
        ) from error
    if not isinstance(fields, dict):
        raise UsageError(f"{name} holds no result of streamgage: {_WANTED}.")
    _refuse_newer(fields, name)
    kinds = [each for each in _TYPES.values() if _required(each) <= fields.keys()]
    if not kinds:
        raise UsageError(f"{name} holds no result of streamgage: {_WANTED}.")
    try:
        return msgspec.convert(fields, type=max(kinds, key=lambda each: len(_required(each))))  # type: ignore[return-value]
    except (msgspec.ValidationError, RecursionError) as error:
        raise UsageError(f"{name} is no result that can be read ({error}): {_WANTED}.") from error


_WANTED = "name what a command such as measure or scale printed with --format json"


def _required(document: type[msgspec.Struct]) -> set[str]:
    return {each.encode_name for each in msgspec.structs.fields(document) if each.required}


def _refuse_newer(fields: dict[str, object], name: str) -> None:
    machine = fields.get("machine")
    version = machine.get("schema") if isinstance(machine, dict) else None
    if isinstance(version, int) and version > SCHEMA_VERSION:
        raise UsageError(
            f"{name} is of version {version}, and this streamgage reads up to version"
            f" {SCHEMA_VERSION}: update streamgage."
        )
