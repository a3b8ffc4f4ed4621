"""Adds the records of killed runs to the store."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from streamgage.errors import StreamgageError, UsageError
from streamgage.records.address import StorePlace
from streamgage.records.foreign import UnreadableError, decoded, read_file
from streamgage.records.reader import Note, decode_lines
from streamgage.records.run import Run, collect
from streamgage.records.spool_folder import LeftRun, discard, sweep
from streamgage.results.kinds import NAMES, decode_document, kind_named, result_of, result_of_run
from streamgage.results.summarise import summary_of, why_partial
from streamgage.results.summary import Summary
from streamgage.store import Store
from streamgage.store.destination import SUMMARY, files_in


def add_left_runs(left: list[LeftRun], place: StorePlace, note: Note) -> None:
    """Add the records of earlier runs to the store; records that cannot be added stay in place.

    The store is made when the first is added. Only one program does this at a time; a second one
    leaves it to the first.
    """
    folder = left[0].path.parent
    with _alone_in(folder) as alone:
        if not alone:
            return
        sweep(folder)
        try:
            with ExitStack() as stack:
                store: Store | None = None
                for each in left:
                    with suppress(FileNotFoundError):  # another program added it before
                        files = _files(each)
                        summary = _summary(each.kind or "measure", files)
                        if summary is None and files:
                            continue  # not ours, or from a newer streamgage
                        if summary is not None:
                            store = store or stack.enter_context(Store(place, create=True))
                            store.add(summary, _files_to_store(each, files))
                        discard(each.path)
        except (StreamgageError, OSError) as error:
            note(f"Files of earlier runs in {folder} could not be added to the store: {error}")


@contextmanager
def _alone_in(folder: Path) -> Iterator[bool]:
    """Yield ``True`` if no other program is adding the runs of this folder."""
    try:
        lock = os.open(folder, os.O_RDONLY)
    except OSError:
        yield False
        return
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        yield False
    except OSError:  # a file system without such locks
        yield True
    else:
        yield True
    finally:
        os.close(lock)


def _files(left: LeftRun) -> dict[str, bytes]:
    """The files of a run that are not empty."""
    found = {left.path.name: read_file(left.path)} if left.kind is None else files_in(left.path)
    return {name: content for name, content in found.items() if content}


def _files_to_store(left: LeftRun, files: dict[str, bytes]) -> dict[str, bytes]:
    stored = {name: content for name, content in files.items() if name != SUMMARY}
    if left.kind is not None:
        # A command has named this folder. The name lets users find the result later.
        stored[left.path.name] = f"{left.kind}\n".encode()
    return stored


def _summary(kind: str, files: dict[str, bytes]) -> Summary | None:
    """The summary; ``None`` if none of the files can be read."""
    try:
        if SUMMARY in files:
            return decoded(files[SUMMARY], Summary)
        if f"{kind}.json" in files:
            document = decode_document(files[f"{kind}.json"], kind)
            return summary_of(result_of(document), partial=document.interrupted)
        for name, content in files.items():
            run = _run(content) if name.endswith(".jsonl") else Run()
            if run.machine is not None:
                return _of_run(kind, run)
    except (UsageError, UnreadableError):
        pass
    return None


def summary_of_files(files: dict[str, bytes]) -> Summary | None:
    """The summary of a series from its files; ``None`` if they do not include a document."""
    kind = next((each for each in NAMES if f"{each}.json" in files), None)
    if kind is None and SUMMARY not in files:
        return None
    return _summary(kind or "measure", files)


def _of_run(kind: str, run: Run) -> Summary:
    found = result_of_run(run)
    summary = summary_of(found, partial=why_partial(run) is not None)
    known = kind_named(kind)
    if known is None or known.of_run is not None:
        return summary
    # One run of a series that was cut off before it had a result.
    return Summary(
        kind=kind,
        started=summary.started,
        host=summary.host,
        processor=summary.processor,
        tool=None,
        threads=None,
        array_bytes=summary.array_bytes,
        state="partial",
        rates=[],
    )


def _run(content: bytes) -> Run:
    return collect(decode_lines(content.splitlines(keepends=True), lambda _: None))
