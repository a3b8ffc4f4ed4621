"""The list of all kinds of result, from which other lists are derived."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Union

from streamgage.errors import UsageError
from streamgage.records import SCHEMA_VERSION
from streamgage.records.foreign import UnreadableError, converted, decoded
from streamgage.results import (
    check,
    compilers,
    fleet,
    ladder,
    latency,
    links,
    measure,
    numa,
    program,
    repeat,
    scale,
    study,
    traffic,
)
from streamgage.results.document import Document, Words
from streamgage.results.kind import Kind
from streamgage.results.result import NO_USER_FACTS, Result

if TYPE_CHECKING:
    from streamgage.analysis.user_facts import UserFacts
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
    program.KIND,
    fleet.KIND,
    check.KIND,
    links.KIND,
    traffic.KIND,
)
NAMES = tuple(each.name for each in KINDS)
NAMED = {each.command: each.name for each in KINDS} | {name: name for name in NAMES}
"""The names of the kinds by those of the commands that make them, and by themselves."""
_WANTED = "name what a command such as measure or scale printed with --format json"


def kind_of(document: Document) -> Kind[Any]:
    """The kind of a document."""
    return next(each for each in KINDS if type(document) is each.document)


def result_of(document: Document, called: str = "this run") -> Result[Any]:
    """Make a result from a document without records."""
    return Result(kind_of(document), document, called=called)


def words_of(document: Document) -> Words:
    """The conclusions from a document."""
    return kind_of(document).words(document)


def kind_named(name: str) -> Kind[Any] | None:
    """The kind with that name; ``None`` if there is none."""
    return next((each for each in KINDS if each.name == name), None)


def command_of(name: str) -> str:
    """The command that makes results of the kind with that name."""
    kind = kind_named(name)
    return name if kind is None else kind.command


def result_of_run(
    run: Run, user_facts: UserFacts = NO_USER_FACTS, *, rates_alone: bool = False
) -> Result[Any]:
    """Make the result from the records of one run.

    ``user_facts``: facts about the machine from the user. ``rates_alone``: only its rates are
    needed, which takes far less time. Raises ``UsageError`` for copies without their device.
    """
    for kind in KINDS:
        if kind.of_run is None:
            continue
        found: Result[Any] | None = kind.of_run(run, user_facts, rates_alone)
        if found is not None:
            return found
    raise UsageError("the record that names the device of these copies is missing")


def decode_document(content: bytes, name: str) -> Document:
    """Decode a document of any kind. Raises ``UsageError``, whose message names ``name``."""
    try:
        fields = decoded(content, Any)
    except UnreadableError as error:
        raise UsageError(
            f"{name} is not a complete JSON document ({error}): name what a command printed with"
            " --format json."
        ) from error
    if not isinstance(fields, dict) or kind_named(str(fields.get("kind"))) is None:
        raise UsageError(f"{name} holds no result of streamgage: {_WANTED}.")
    _refuse_newer(fields, name)
    try:
        found: Document = converted(fields, Union[tuple(e.document for e in KINDS)])  # noqa: UP007
    except UnreadableError as error:
        raise UsageError(f"{name} is not a readable result ({error}): {_WANTED}.") from error
    return found


def _refuse_newer(fields: dict[str, object], name: str) -> None:
    machine = fields.get("machine")
    version = machine.get("schema") if isinstance(machine, dict) else None
    if isinstance(version, int) and version > SCHEMA_VERSION:
        raise UsageError(
            f"{name} is of version {version}, and this streamgage reads up to version"
            f" {SCHEMA_VERSION}: update streamgage."
        )
