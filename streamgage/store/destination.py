"""Puts complete results into the store.

A result that cannot be stored stays where it is, and a note says so.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from streamgage.advice import advice
from streamgage.errors import FAILED, INTERRUPTED, TERMINATED, StreamgageError
from streamgage.records.address import StorePlace
from streamgage.records.foreign import MOST_BYTES, read_file
from streamgage.records.reader import Note
from streamgage.records.spool import Spool, spool_in_memory
from streamgage.records.spool_folder import discard, open_spool, runs_folder, runs_for
from streamgage.results.document import Document
from streamgage.results.kinds import kind_of, result_of
from streamgage.results.result import Result
from streamgage.results.summarise import summary_of, why_partial
from streamgage.results.summary import Summary

if TYPE_CHECKING:
    from streamgage.process.one_run import OneRun

SUMMARY = "summary.json"
"""The file with the summary, next to the other files of a result in a folder."""


@dataclass(frozen=True)
class Destination:
    """Where a command stores its results."""

    store: StorePlace | None
    of_user: bool = True
    """``True`` if it is the user's own store, which is the default."""

    @property
    def option(self) -> str:
        """The value of ``--store`` for a command line; empty for the user's own store."""
        return "" if self.of_user else str(self.store)

    def status_of(self, stored: StoredResult) -> int:
        """The exit status: a failure if the user named a store and it could not take the result."""
        return FAILED if stored.refused and not self.of_user else 0

    def runs(self) -> Path | None:
        """The folder that holds the records of runs until they are in the store.

        The store also adds what killed runs left there. ``None`` means a temporary folder, where no
        store looks for records. Raises ``UsageError`` if this user has no such folder.
        """
        if self.store is None:
            return None
        return runs_folder() if self.of_user else runs_for(self.store)


@dataclass(frozen=True)
class StoredResult:
    """Where a result is now: its number in the store, or the path of its records."""

    number: int | None = None
    path: Path | None = None
    refused: bool = False
    """``True`` if the store could not take the result."""


def spool_of(destination: Destination, records: Path | None, note: Note) -> Spool:
    """Open the spool that holds a run's records until they are in the store.

    ``records``: the file that the user named for them, if any. See ``open_spool``.
    """
    if destination.store is None and records is None:
        return spool_in_memory()
    return open_spool(records, note, destination.runs)


def store_run(
    destination: Destination,
    result: Result[Any] | None,
    run_result: OneRun,
    note: Note,
    *,
    named: bool,
) -> StoredResult:
    """Store a run with its records.

    ``named``: the user named the file of records, so it stays after the run is stored. If
    ``result`` is ``None``, nothing was measured, and the records stay where they are.
    """
    records = run_result.records_file
    if result is None or destination.store is None:
        return StoredResult(path=records)
    try:
        content = run_result.copied if records is None else read_file(records)
    except OSError as error:
        note(f"{records} cannot be read again ({error.strerror}), so it is not in the store.")
        return StoredResult(path=records)
    if content is None:
        return StoredResult(path=records)
    files = {"records.jsonl" if records is None else records.name: content}
    if result.records is None:
        files |= document_file(result.document)
    partial = why_partial(run_result.run) is not None or _stopped(run_result.exit_status)
    summary = summary_of(result, partial=partial)
    stored = _add(destination, summary, files, records, note)
    if stored.number is not None and not named and records is not None:
        discard(records)
    return stored


def store_series(
    destination: Destination,
    document: Document,
    folder: Path | None,
    note: Note,
    *,
    exit_status: int,
) -> StoredResult:
    """Store a series with all files in its folder, then remove the folder.

    Without a store, the folder is removed without being stored.
    """
    if folder is None:
        return StoredResult()
    if destination.store is None:
        discard(folder)
        return StoredResult()
    try:
        files = files_in(folder) | document_file(document)
    except OSError as error:
        note(f"{folder} cannot be read again ({error.strerror}), so it is not in the store.")
        return StoredResult(path=folder)
    summary = summary_of(result_of(document), partial=_stopped(exit_status))
    stored = _add(destination, summary, files, folder, note)
    if stored.number is not None:
        discard(folder)
    else:
        _write_files(folder, files_next_to_records(document, summary), note)
    return stored


def store_document(destination: Destination, document: Document, note: Note) -> StoredResult:
    """Store a document that was not made from files.

    If the store cannot take it, it stays in a folder, and a note names the folder.
    """
    folder = Path(tempfile.mkdtemp(prefix="streamgage-"))
    try:
        return store_series(destination, document, folder, note, exit_status=0)
    finally:
        with suppress(OSError):
            folder.rmdir()


def document_file(document: Document) -> dict[str, bytes]:
    """The document as a file to store next to the records, such as ``scale.json``."""
    return {f"{kind_of(document).name}.json": msgspec.json.encode(document) + b"\n"}


def summary_file(summary: Summary) -> dict[str, bytes]:
    """The summary of a result as a file. A document does not contain it."""
    return {SUMMARY: msgspec.json.encode(summary) + b"\n"}


def files_next_to_records(document: Document, summary: Summary) -> dict[str, bytes]:
    """The files that must be next to the records so that a store can take the folder later."""
    return document_file(document) | summary_file(summary)


def files_in(folder: Path) -> dict[str, bytes]:
    """Read all files in a folder; the keys are their paths relative to it.

    Raises ``OSError``, also if they hold more than 1 GiB.
    """
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    if sum(path.stat().st_size for path in found) > MOST_BYTES:
        raise OSError(27, "it holds more than 1 GiB")
    return {path.relative_to(folder).as_posix(): read_file(path) for path in found}


def _stopped(exit_status: int) -> bool:
    return exit_status in (INTERRUPTED, TERMINATED)


def _add(
    destination: Destination,
    summary: Summary,
    files: Mapping[str, bytes],
    path: Path | None,
    note: Note,
) -> StoredResult:
    """Store the result. An error becomes a note, because the result must still be shown."""
    from streamgage.store import Store

    assert destination.store is not None
    try:
        with Store(destination.store, create=True) as opened:
            return StoredResult(opened.add(summary, files))
    except (StreamgageError, OSError, ValueError) as error:
        stays = "It is not stored."
        if path is not None:
            command = advice("results import", path, store=destination.option)
            stays = f"The measurement stays in {path}: {command} stores it later."
        note(f"{error} {stays}")
        return StoredResult(path=path, refused=True)


def _write_files(folder: Path, files: Mapping[str, bytes], note: Note) -> None:
    for name, content in files.items():
        try:
            (folder / name).write_bytes(content)
        except OSError as error:
            note(f"{folder / name} cannot be written: {error.strerror}.")
