"""What ``export`` writes and ``import`` reads: results by figure, by sample, or whole."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from streamgage.errors import StreamgageError, UsageError
from streamgage.records.address import StorePlace
from streamgage.records.foreign import UnreadableError, decoded, read_file
from streamgage.records.reader import Note
from streamgage.results.kinds import kind_named
from streamgage.results.result import Result
from streamgage.results.summarise import summary_of
from streamgage.results.summary import Summary, SummaryRate
from streamgage.show.csv import csv_of
from streamgage.store import Filter, Store
from streamgage.store.layout import columns
from streamgage.store.load import find, load_file, load_stored, names_stored
from streamgage.store.open import open_memory

EXPORT_VERSION = 1
_OF_RATE = tuple(columns(SummaryRate))
_OF_RUN = tuple(name for name in columns(Summary) if name not in _OF_RATE)
FIGURE_COLUMNS = ("run", *_OF_RUN, *_OF_RATE)
"""The columns with one row per figure; the units are those of ``streamgage.results.summary``."""
SAMPLE_COLUMNS = (
    *("run", "started", "host", "variant", "kernel", "store", "isa", "tuned", "purpose", "type"),
    *("threads", "epoch", "block", "seconds", "gbps"),
)
"""The columns with one row per timed sample. ``seconds`` is the time of one pass, and ``gbps``
counts nominal bytes."""
Row = tuple[Any, ...]
Rows = Iterable[Sequence[Any]]


@dataclass(frozen=True)
class ResultToExport:
    """A result to export. ``load`` reads it in full."""

    name: str
    summary: Summary
    load: Callable[[], Result[Any]]


@contextmanager
def results_to_export(
    texts: Sequence[str], wanted: Filter, store: StorePlace | None, note: Note
) -> Iterator[list[ResultToExport]]:
    """Yield the results that ``texts`` name.

    If it is empty, they are all stored results that ``wanted`` selects. Stored results can only be
    loaded inside the ``with`` block. Raises ``UsageError``.
    """
    if texts and not any(names_stored(text) for text in texts):
        yield [_of_file(text, note) for text in texts]
        return
    with open_memory(store, note) as memory:
        if not texts:
            yield [
                ResultToExport(str(each.id), each, partial(load_stored, memory, each.id, note))
                for each in reversed(memory.entries(note, wanted))
            ]
            return
        yield [
            _of_store(memory, text, note) if names_stored(text) else _of_file(text, note)
            for text in texts
        ]


def _of_store(memory: Store, text: str, note: Note) -> ResultToExport:
    number = find(memory, text)
    entry = memory.entry(number)
    return ResultToExport(str(number), entry, partial(load_stored, memory, number, note))


def _of_file(text: str, note: Note) -> ResultToExport:
    loaded = load_file(Path(text), note)
    return ResultToExport(text, summary_of(loaded), lambda: loaded)


def figure_rows(results: Sequence[ResultToExport]) -> Iterator[Row]:
    """Yield one row per figure, with the columns ``FIGURE_COLUMNS``."""
    for each in results:
        of_run = (each.name, *(getattr(each.summary, name) for name in _OF_RUN))
        for rate in each.summary.rates:
            yield (*of_run, *(getattr(rate, name) for name in _OF_RATE))


def sample_rows(results: Sequence[ResultToExport]) -> Iterator[Row]:
    """Yield one row per timed sample, with the columns ``SAMPLE_COLUMNS``.

    A result without records has no rows.
    """
    for each in results:
        kind = kind_named(each.summary.kind)
        if kind is None or kind.of_run is None:
            continue
        run = each.load().run
        for variant in run.variants.values():
            moved = run.iteration_bytes(variant)
            times = run.element_times(variant.id)
            for sample, seconds in zip(run.samples.get(variant.id, ()), times, strict=False):
                yield (
                    *(each.name, each.summary.started, each.summary.host, variant.id),
                    *(variant.kernel, variant.store, variant.isa, variant.tuned, variant.purpose),
                    *(variant.type, variant.threads or run.threads(), sample.epoch, sample.block),
                    *(sample.seconds_a_pass, moved / seconds / 1e9 if moved else None),
                )


def export_document(results: Sequence[ResultToExport], note: Note) -> dict[str, Any]:
    """Return all results with their documents, but without samples, for ``import``.

    A result without a document is left out, and ``note`` is called.
    """
    found = []
    for each in results:
        try:
            loaded = each.load()
        except StreamgageError as error:
            note(f"Left out: {error}")
            continue
        summary = summary_of(loaded, partial=each.summary.state == "partial")
        known = msgspec.structs.replace(
            summary, array_bytes=each.summary.array_bytes, state=each.summary.state
        )
        found.append({"name": each.name, "summary": known, "document": loaded.printed})
    return {"streamgage_export": EXPORT_VERSION, "results": found}


class _ExportedResult(msgspec.Struct):
    name: str
    summary: Summary
    document: msgspec.Raw


class _ExportFile(msgspec.Struct):
    streamgage_export: int
    results: list[_ExportedResult]


def read_export(path: Path) -> Iterator[tuple[str, bytes, Summary]]:
    """Read an exported file: yield the name, the document and the summary of each result.

    Raises ``UsageError``.
    """
    try:
        export = decoded(read_file(path), _ExportFile)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from error
    except UnreadableError as error:
        raise UsageError(f"{path} is not a complete export of streamgage: {error}.") from error
    if export.streamgage_export > EXPORT_VERSION:
        raise UsageError(
            f"{path} is an export of version {export.streamgage_export}, and this streamgage reads"
            f" up to version {EXPORT_VERSION}: update streamgage."
        )
    for each in export.results:
        yield f"run {each.name}", bytes(each.document), each.summary


def as_csv(columns: Sequence[str], rows: Rows) -> bytes:
    """Write a header line, then the rows, as CSV."""
    return csv_of(columns, rows).encode()


def as_parquet(columns: Sequence[str], rows: Rows) -> bytes:
    """Write the rows as one Parquet table; a column without any known value holds strings.

    Raises ``UsageError``. Requires: the package pyarrow.
    """
    import pyarrow
    from pyarrow import parquet

    listed_rows = list(rows)
    arrays = []
    for number, name in enumerate(columns):
        values = [row[number] for row in listed_rows]
        known = any(value is not None for value in values)
        try:
            arrays.append(pyarrow.array(values, type=None if known else pyarrow.string()))
        except (OverflowError, pyarrow.ArrowInvalid, UnicodeError) as error:
            raise UsageError(
                f"Parquet cannot take the values of {name} ({error}): use --format csv."
            ) from error
    content = io.BytesIO()
    parquet.write_table(pyarrow.table(arrays, names=list(columns)), content)
    return content.getvalue()
