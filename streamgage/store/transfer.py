"""Removes, imports and exports stored results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec

from streamgage.advice import command_name
from streamgage.errors import StreamgageError, UsageError
from streamgage.records.address import StorePlace
from streamgage.records.files import is_database, resolved
from streamgage.records.foreign import UnreadableError, decoded, open_foreign, read_file
from streamgage.records.reader import Note
from streamgage.results.kinds import NAMES, kind_named
from streamgage.results.result import Result
from streamgage.results.summarise import summary_of
from streamgage.results.summary import Entry, Summary
from streamgage.show.output import open_output
from streamgage.store import Store
from streamgage.store.destination import SUMMARY, files_in, summary_file
from streamgage.store.export import read_export
from streamgage.store.left_runs import summary_of_files
from streamgage.store.load import find, load_content, load_file
from streamgage.store.open import open_memory


def remove_results(texts: Sequence[str], store: StorePlace | None, note: Note) -> list[int]:
    """Remove the named results, all or none, and return their numbers.

    Raises ``UsageError`` for a wrong name.
    """
    with open_memory(store, note) as memory:
        numbers = list(dict.fromkeys(find(memory, text) for text in texts))
        memory.remove(numbers)
        return numbers


def export_files(
    texts: Sequence[str], folder: Path, store: StorePlace | None, note: Note
) -> Iterator[Path]:
    """Write the files of results into ``folder``, each result in a folder ``run-N``; yield these.

    Raises ``UsageError``, and ``StreamgageError`` if a file cannot be written.
    """
    with open_memory(store, note) as memory:
        for number in dict.fromkeys(find(memory, text) for text in texts):
            target = folder / f"run-{number}"
            entry = memory.entry(number)
            files = memory.files(number) | summary_file(summary_in(entry))
            for name, content in files.items():
                inside = PurePosixPath(name)
                if inside.is_absolute() or ".." in inside.parts:
                    raise StreamgageError(
                        f"Run {number} is not written: its file {name!r} has an unsafe name."
                    )
                path = target / inside
                try:
                    resolved(path).parent.mkdir(parents=True, exist_ok=True)
                except OSError as error:
                    raise StreamgageError(f"{path} cannot be written: {error.strerror}.") from error
                with open_output(path, "--files", quiet=True) as out:
                    out.write_bytes(content)
            yield target


def summary_in(entry: Entry) -> Summary:
    """The summary without what only this store knows about it."""
    return msgspec.convert(entry, type=Summary, from_attributes=True)


@dataclass(frozen=True)
class ImportedResult:
    """An imported result. ``new``: it was not in the store before."""

    name: str
    number: int
    new: bool


@dataclass(frozen=True)
class _ImportableResult:
    name: str
    summary: Summary
    files: dict[str, bytes]


def import_results(
    paths: Sequence[Path], store: StorePlace, note: Note
) -> Iterator[ImportedResult]:
    """Import the results in files, folders of series, exports and other stores, one by one.

    Results read before an unreadable file stay stored. Raises ``UsageError``.
    """
    with ExitStack() as stack:
        memory: Store | None = None
        for path in paths:
            for each in _results_in(path, store, note):
                if memory is None:  # not for nothing
                    memory = stack.enter_context(Store(store, create=True))
                known = memory.find(each.files)
                yield ImportedResult(each.name, memory.add(each.summary, each.files), known is None)


def _results_in(path: Path, store: StorePlace, note: Note) -> Iterator[_ImportableResult]:
    if path.is_dir():
        yield from _of_folder(path, note)
    elif is_database(path):
        if isinstance(store, Path) and store.exists() and path.samefile(store):
            raise UsageError(f"{path} is the store itself: name another file.")
        with Store(path, create=False) as other:
            yield from _sound(partial(_of_store, other, each) for each in other.entries(note)[::-1])
    else:
        loaded = load_file(path, note) if not _is_export(path) else None
        if loaded is not None:
            yield _of_loaded(loaded)
            return
        yield from _sound(partial(_of_export, path, *each, note) for each in read_export(path))


def _sound(results: Iterable[Callable[[], _ImportableResult]]) -> Iterator[_ImportableResult]:
    """Yield the results that can be read, then raise the first error."""
    errors: list[StreamgageError] = []
    for read in results:
        try:
            found = read()
        except StreamgageError as error:
            errors.append(error)
        else:
            yield found
    if errors:
        more = len(errors) - 1
        raise type(errors[0])(
            f"{errors[0]}{f' {more} more cannot be read either.' if more else ''}"
        )


def _of_store(other: Store, entry: Entry) -> _ImportableResult:
    return _ImportableResult(
        f"{other.place}, run {entry.id}", summary_in(entry), other.files(entry.id)
    )


def _of_export(
    path: Path, name: str, content: bytes, summary: Summary, note: Note
) -> _ImportableResult:
    found = _of_loaded(load_content(content, f"{path}, {name}", f"{name}.json", note))
    # The document does not hold all that was known when it was exported.
    of_list = msgspec.structs.replace(
        found.summary, array_bytes=summary.array_bytes, state=summary.state
    )
    return _ImportableResult(found.name, of_list, found.files)


def _is_export(path: Path) -> bool:
    try:
        with open_foreign(path) as file:
            return b'"streamgage_export"' in file.read(64)
    except OSError:
        return False


def _of_loaded(loaded: Result[Any]) -> _ImportableResult:
    return _ImportableResult(loaded.name, summary_of(loaded), dict(loaded.files))


def _of_folder(path: Path, note: Note) -> Iterator[_ImportableResult]:
    """Yield the result in a folder, or in each folder that ``export --files`` wrote into it."""
    try:
        inner = sorted(each.parent for each in path.glob(f"*/{SUMMARY}"))
        if not (path / SUMMARY).is_file() and inner:
            for each in inner:
                yield from _of_folder(each, note)
            return
        alone = _only_file(path)
        if alone is not None:
            yield _of_loaded(load_file(alone, note))
            return
        names = {SUMMARY, *(f"{kind}.json" for kind in NAMES)}
        known = any((path / name).is_file() for name in names)
        files = files_in(path) if known else {}
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from error
    summary = summary_of_files(files)
    if summary is None:
        raise UsageError(
            f"{path} has no result of a series: name a folder that"
            f" {command_name('results export --files')} wrote, or files."
        )
    files.pop(SUMMARY, None)
    yield _ImportableResult(str(path), summary, files)


def _only_file(path: Path) -> Path | None:
    """The one file next to the summary, if a run can be judged from it again; else ``None``.

    The file says more than the summary, and is enough if the summary was lost.
    """
    files = [each for each in path.iterdir() if each.name != SUMMARY]
    if len(files) != 1 or files[0].suffix != ".jsonl" or not files[0].is_file():
        return None
    try:
        summary = decoded(read_file(path / SUMMARY), Summary)
    except (OSError, UnreadableError):
        return files[0]
    kind = kind_named(summary.kind)
    return files[0] if kind is not None and kind.of_run is not None else None
