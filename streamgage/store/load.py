"""Loads results that were measured earlier: stored runs, files, and outputs of other benchmarks."""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from streamgage.advice import advice
from streamgage.analysis.user_facts import UserFacts
from streamgage.errors import UsageError
from streamgage.records.address import StorePlace
from streamgage.records.foreign import UnreadableError, converted, read_file
from streamgage.records.node import NodeReader
from streamgage.records.plain_text import without_controls
from streamgage.records.reader import Note, decode_whole
from streamgage.records.run import collect
from streamgage.records.spool_folder import is_of_a_run
from streamgage.results.document import Document
from streamgage.results.kinds import decode_document, result_of, result_of_run
from streamgage.results.result import NO_USER_FACTS, Result
from streamgage.results.summarise import why_partial
from streamgage.store import Filter, Store
from streamgage.store.open import open_memory
from streamgage.store.place import option_of
from streamgage.units import count

if TYPE_CHECKING:
    pass

_RECORDS = b'{"record":'


LAST = re.compile(r"last(?:-([0-9]{1,9}))?", re.ASCII)
STOPPED = "It was stopped before its end."
_NUMBER = re.compile(r"[0-9]{1,18}", re.ASCII)


def load_all(
    texts: Sequence[str],
    store: StorePlace | None,
    note: Note,
    user_facts: UserFacts = NO_USER_FACTS,
    *,
    rates_alone: bool = False,
) -> list[Result[Any]]:
    """Load the results that ``texts`` name: ``12``, ``last`` or ``last-1`` of a store, or files.

    ``store``: where to look; ``None`` stands for the user's own store. ``user_facts``: facts about
    the machine from the user, for results that are judged again. ``rates_alone``: only the rates of
    a stored run are needed. Raises ``UsageError``.
    """
    with ExitStack() as stack:
        opened: Store | None = None
        found = []
        for text in texts:
            if not text.strip():
                raise UsageError(
                    f"The name of a result is empty: give its number ({advice('history')}), last,"
                    " or a file."
                )
            if not names_stored(text):
                found.append(
                    _moved(Path(text), store, note, user_facts)
                    or load_file(Path(text), note, user_facts)
                )
                continue
            if opened is None:
                opened = stack.enter_context(open_memory(store, note))
            found.append(
                load_stored(opened, find(opened, text), note, user_facts, rates_alone=rates_alone)
            )
        return found


def _moved(
    path: Path, store: StorePlace | None, note: Note, user_facts: UserFacts
) -> Result[Any] | None:
    """Load the result of records that were moved into the store, by their former path.

    The command that measured it printed that path. ``None`` if ``path`` is not such a path, or if
    the file is still there.
    """
    if not is_of_a_run(path, store) or path.is_file():
        return None
    with open_memory(store, note) as opened:
        number = opened.number_of_file(path.name)
        return None if number is None else load_stored(opened, number, note, user_facts)


def names_stored(text: str) -> bool:
    """Return whether ``text`` is a number or ``last`` and so names a stored result, not a file."""
    return bool(_NUMBER.fullmatch(text) or LAST.fullmatch(text))


def find(store: Store, text: str) -> int:
    """Find the number of the result that ``text`` names. Raises ``UsageError`` if there is none."""
    last = LAST.fullmatch(text)
    listing = advice("history", store=option_of(store.place))
    if last:
        number = store.newest(int(last[1] or 0))
        if number is None:
            raise UsageError(
                f"{text} is older than every result in {store.place}: {listing} lists them."
            )
        return number
    if not _NUMBER.fullmatch(text):
        raise UsageError(
            f"{text!r} is not the number of a stored result: {listing} lists them; last"
            " is the newest."
        )
    known = store.numbers()
    if int(text) not in known:
        near = sorted(sorted(known, key=lambda each: abs(each - int(text)))[:2])
        raise UsageError(
            f"There is no result {text} in {store.place}: the nearest"
            f" {'is' if len(near) == 1 else 'are'} {' and '.join(map(str, near))};"
            f" {listing} lists all."
        )
    return int(text)


def newest_of(kind: str, store: StorePlace | None, note: Note) -> Result[Any]:
    """Load the newest stored result of a kind that has figures.

    Results of this machine come before those of others; results of devices are ignored. Raises
    ``UsageError`` if there is none.
    """
    with open_memory(store, note) as memory:
        found = [each for each in memory.entries(note, Filter(kind=kind)) if each.rates]
        found.sort(key=lambda each: each.host != socket.gethostname())
        for each in found:
            loaded = load_stored(memory, each.id, note)
            if loaded.kind.settings(loaded.document).device is None:
                return loaded
        raise UsageError(
            f"No result of {kind} is stored in {memory.place}: run"
            f" {advice(kind, store=option_of(memory.place))} first, or name a file that its"
            " --format json wrote."
        )


def load_stored(
    store: Store,
    number: int,
    note: Note,
    user_facts: UserFacts = NO_USER_FACTS,
    *,
    rates_alone: bool = False,
) -> Result[Any]:
    """Load a result from the store. Raises ``UsageError`` if its files cannot be read."""
    files = store.files(number)
    entry = store.entry(number)
    name = f"run {number}"
    document = f"{entry.kind}.json"
    partial = STOPPED if entry.state == "partial" else None
    if document in files:
        found = load_content(
            files[document], name, document, note, user_facts, rates_alone=rates_alone
        )
        return replace(
            found,
            partial=found.partial or partial,
            files=files,
            number=number,
            stored_trust=entry.trust,
        )
    if len(files) == 1:
        [(file, content)] = files.items()
        found = load_content(content, name, file, note, user_facts, rates_alone=rates_alone)
        if found.kind.name == entry.kind:
            return replace(
                found, partial=found.partial or partial, number=number, stored_trust=entry.trust
            )
    export = advice("results export", number, "--files", "FOLDER", store=option_of(store.place))
    raise UsageError(
        f"Run {number} is a {entry.kind} that was cut off before it had a result:"
        f" {export} writes the records of its {count(len(files), 'run')}."
    )


def load_file(path: Path, note: Note, user_facts: UserFacts = NO_USER_FACTS) -> Result[Any]:
    """Load the result in a file; ``note`` gets what was left out.

    The file may hold records, a document of ``--format json``, or the saved output of a benchmark
    that ``interpret`` knows. Raises ``UsageError`` if it holds none of them.
    """
    try:
        content = read_file(path)
    except OSError as error:
        raise UsageError(
            f"{path} cannot be read: {error.strerror or error}; name a file with a result, or the"
            f" number of a stored result ({advice('history')})."
        ) from error
    shown, short = (os.fsencode(each).decode("utf-8", "replace") for each in (path, path.name))
    return load_content(content, shown, short, note, user_facts)


def load_content(
    content: bytes,
    name: str,
    file: str,
    note: Note,
    user_facts: UserFacts = NO_USER_FACTS,
    *,
    rates_alone: bool = False,
) -> Result[Any]:
    """Load the result in ``content``.

    ``name`` is what messages call it; ``file`` is its file name. Raises ``UsageError``.
    """
    start = content.lstrip()[:16]
    if not start:
        raise UsageError(f"{name} is empty: name a file with a result.")
    if start.startswith(_RECORDS):
        loaded = _of_records(content, name, note, user_facts, rates_alone=rates_alone)
    elif start.startswith((b"{", b"[")):
        loaded = result_of(decode_document(without_controls(content), name), name)
        loaded = replace(loaded, partial=_unfinished(loaded))
    else:
        loaded = _of_output(content, name, note, user_facts)
    return replace(loaded, files={file: content})


def _unfinished(result: Result[Any]) -> str | None:
    """Why the result is not complete, from its document's finding; ``None`` if it is complete."""
    if any(each.code == "unfinished" for each in result.words.findings):
        return STOPPED
    return None


def _of_records(
    content: bytes, name: str, note: Note, user_facts: UserFacts, *, rates_alone: bool
) -> Result[Any]:
    notes: list[str] = []
    try:
        records = decode_whole(content, notes.append)
    except UsageError as error:
        raise UsageError(f"{name}: {error}") from error
    if not records:
        if any(NodeReader().feed(content.lstrip().partition(b"\n")[0])):
            raise UsageError(
                f"{name} has the lines of a fleet's nodes:"
                f" {advice('fleet judge', Path(name))} shows them."
            )
        raise UsageError(
            f"{name} has no complete record, because it was cut off before anything was measured:"
            " name another."
        )
    for sentence in notes:
        note(f"{name}: {sentence}")
    run = collect(records)
    partial = why_partial(run)
    if partial is None and notes:
        partial = "Some of its records could not be read and were left out."
    try:
        found = result_of_run(run, user_facts, rates_alone=rates_alone)
    except UsageError as error:
        raise UsageError(f"{name} has no result ({error}): name another file.") from error
    _refuse_impossible(found.document, name)
    return replace(found, called=name, partial=partial)


def _refuse_impossible(document: Document, name: str) -> None:
    """Raise ``UsageError`` if records that are valid one by one contradict each other."""
    try:
        converted(msgspec.to_builtins(document), type(document))
    except UnreadableError as error:
        raise UsageError(
            f"{name} has records that do not belong together ({error}): name another file."
        ) from error


def _of_output(content: bytes, name: str, note: Note, user_facts: UserFacts) -> Result[Any]:
    from streamgage.interop.formats import parse_output  # loads every benchmark's
    from streamgage.interop.text import text_of
    from streamgage.results.interpreted import interpreted

    try:
        parsed = parse_output(text_of(content, name))
    except UsageError as error:
        raise UsageError(
            f"{name} is neither a result of streamgage nor the output of a known benchmark: {error}"
        ) from error
    interpret = advice("interpret", Path(name) if Path(name).is_file() else "FILE")
    if len(parsed.tables) > 0 < len(parsed.charts):
        left = "; ".join(each.title for each in parsed.charts[:4])
        note(f"{name}: Only its table is used. {interpret} shows the rest: {left}.")
    charts = () if parsed.tables else parsed.charts
    every = interpreted(parsed.tables, user_facts, charts)
    found, *more = [each for each in every if not each.is_in_series]
    if more:
        known = "; ".join(each.title for each in (found, *more)[:4])
        raise UsageError(
            f"{name} holds {1 + len(more)} results, not one ({known}): {interpret} shows"
            " all of them; split the file to use one."
        )
    for sentence in parsed.notes:
        note(f"{name}: {sentence}")
    _refuse_impossible(found.result.document, name)
    return replace(found.result, called=name)
