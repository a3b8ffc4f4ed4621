"""Interprets the saved outputs of other benchmarks."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from streamgage.advice import advice
from streamgage.analysis.expected.table import values_for
from streamgage.analysis.expected.words import amount
from streamgage.analysis.facts_file import DamagedTableError
from streamgage.analysis.named_hardware import peak_named
from streamgage.analysis.user_facts import UserFacts
from streamgage.errors import UsageError
from streamgage.interop.charts import AnyChart
from streamgage.interop.formats import parse_output
from streamgage.interop.parsed import ParsedOutput
from streamgage.interop.settings import Setting, describe, workers_in
from streamgage.interop.tables import Table, keys_of, reported_of
from streamgage.interop.text import read_text
from streamgage.records import BenchmarkOutput
from streamgage.records.reader import Note
from streamgage.results.interpreted import InterpretedResult, ResultOfTables, interpreted
from streamgage.units import count, format_bytes, format_gbps, listed

MOST_FILES = 10_000
_STDIN = "-"
_NUMBER_OF = re.compile(r"^[1248] ?x ", re.I)
_MOST_HARDWARE = 3
_MOST_VALUES = 3
_HEADING_NUMBER = re.compile(r"[0-9]{1,9}(?:[.,:/-][0-9]{1,9})*")
_RUN = re.compile(
    r"\b(?:run|trial|iteration|pass|repeat|repetition|sample|attempt|try|round|test|result|time)s?\b",
    re.I,
)
"""Matches what people call one of several runs."""
_DIGITS = re.compile(r"([0-9]+)")


@dataclass(frozen=True)
class Interpretation:
    """The results, and the number of files that could not be interpreted."""

    results: list[InterpretedResult]
    skipped: int


def interpret(
    files: Sequence[Path], user_facts: UserFacts, note: Note, *, runs: bool = False
) -> Interpretation:
    """Interpret ``files``; a folder stands for the files in it, ``-`` for stdin.

    ``note`` gets what was left out. ``runs``: tables with the same settings count as runs of one
    result. Raises ``UsageError`` if no file holds a table of a known benchmark.
    """
    paths = list(_each_once(_files_in(files), note))
    tables: list[Table] = []
    charts: list[AnyChart] = []
    failures: list[UsageError] = []
    for path in paths:
        try:
            parsed = _parsed(path, note, alone=len(paths) == 1)
        except UsageError as error:
            failures.append(error)
        else:
            tables += parsed.tables
            charts += parsed.charts
    if not tables and not charts and len(failures) == 1:
        raise failures[0]
    for failure in failures:
        note(str(failure))
    if not tables and not charts:
        raise UsageError(
            f"None of {count(len(paths), 'file')} can be interpreted: name saved outputs of"
            " benchmarks."
        )
    found = interpreted(tables, user_facts, charts, runs=runs)
    settings = [e for each in found if not each.is_in_series for e in each.settings]
    for sentence in (
        *_several(found),
        *_apart(settings, runs=runs),
        *_about(found, user_facts),
        *_about_hardware([*tables, *charts], user_facts),
    ):
        note(sentence)
    return Interpretation(found, len(failures))


def _files_in(paths: Sequence[Path]) -> Iterator[Path]:
    """Yield the files in order.

    Those of a folder are sorted by name, with numbers as numbers; its hidden files are left out.
    Raises ``UsageError`` for a folder that cannot be read, or holds no file.
    """
    for path in paths:
        if str(path) == _STDIN or not os.path.isdir(path):  # noqa: PTH112 - raises nothing
            yield path
            continue
        try:
            names = [e.name for e in os.scandir(path) if e.is_file() and not e.name.startswith(".")]
        except OSError as error:
            raise UsageError(f"{path} cannot be read: {error.strerror}.") from error
        if not names:
            raise UsageError(f"The folder {path} holds no file: name saved outputs of benchmarks.")
        if len(names) > MOST_FILES:
            raise UsageError(
                f"The folder {path} holds more than {MOST_FILES} files: name those to interpret."
            )
        yield from (path / name for name in sorted(names, key=_natural))


def _natural(name: str) -> list[tuple[int, str]]:
    return [(int(e) if e.isdecimal() else -1, e) for e in _DIGITS.split(name)]


def _each_once(paths: Iterator[Path], note: Note) -> Iterator[Path]:
    """Drop files that are named twice: they would count as repeated runs."""
    seen: dict[tuple[int, int], Path] = {}
    for path in paths:
        try:
            stat = path.stat()
        except OSError:
            yield path  # whoever reads it reports the error
            continue
        before = seen.setdefault((stat.st_dev, stat.st_ino), path)
        if before is path or str(path) == _STDIN:
            yield path
        else:
            note(f"{path} is the same file as {before} and is read once.")


def _parsed(path: Path, note: Note, *, alone: bool) -> ParsedOutput:
    text = read_text(path)
    name = "standard input" if str(path) == _STDIN else str(path)
    try:
        parsed = parse_output(text)
    except UsageError as error:
        raise UsageError(f"{name} cannot be interpreted: {error}") from error
    for sentence in parsed.notes:
        note(sentence if alone else f"{name}: {sentence}")
    return ParsedOutput(
        tuple(replace(table, source=name) for table in parsed.tables),
        parsed.notes,
        tuple(replace(chart, source=name) for chart in parsed.charts),
    )


def _several(results: Sequence[InterpretedResult]) -> Iterator[str]:
    """Yield a sentence that lists the results if there are several."""
    names = list(dict.fromkeys(each.title for each in results))
    if len(results) > 1:
        yield (
            f"These are {len(results)} results: "
            f"{'; '.join(names[:4])}{'; and more' if len(names) > 4 else ''}."
        )


def _apart(settings: Sequence[Setting], *, runs: bool) -> Iterator[str]:
    """Say which tables stay separate, and which count as runs of one result."""
    same: dict[str, list[str | None]] = {}
    for each in settings:
        same.setdefault(describe(each), []).append(each.tables[0].heading)
    repeated = {name: headings for name, headings in same.items() if len(headings) > 1}
    runs_of = next((name for name, each in repeated.items() if _number_runs(each)), None)
    if runs_of is not None:
        yield (
            f"Several results have the same settings ({runs_of}) but stay separate, each with its"
            " heading or line. If the machine and the command were the same, give --together to"
            " take them as runs of one result."
        )
    elif repeated:
        yield (
            f"Several results have the same settings ({next(iter(repeated))}) but stay separate,"
            " because their headings differ."
        )
    for each in settings:
        seen = Counter((workers_in(e), key) for e in each.tables for key in keys_of(e))
        if max(seen.values()) == 1:
            continue
        numbers = {workers for workers, _ in seen}
        why = (
            "because of --together"
            if runs
            else "because only the benchmark's own lines stand between them"
        )
        unknown = (
            ""
            if each.counts
            else " The outputs do not say how many threads ran: interpret them one at a time if"
            " the numbers differed."
        )
        yield (
            f"{describe(each)}: {len(each.tables)} tables count as"
            f" {'runs of one result' if len(numbers) == 1 else 'runs of one scaling'},"
            f" {why}.{unknown}"
        )


def _number_runs(headings: Sequence[str | None]) -> bool:
    """Return whether headings may be those of one setting: at most the numbers of runs differ."""
    if len(set(headings)) == 1:
        return True
    bare = {_HEADING_NUMBER.sub("", each or "").casefold().strip(" \t:#.-_()") for each in headings}
    return len(bare) == 1 and (not any(bare) or bool(_RUN.search(bare.pop())))


def _about(results: Sequence[InterpretedResult], user_facts: UserFacts) -> Iterator[str]:
    """Yield options that contradict the outputs, or are not used."""
    for each in results:
        if isinstance(each, ResultOfTables) and not each.is_scaling:
            yield from _contradictions(reported_of(each.setting.tables), user_facts)
    if user_facts.threads is not None and any(each.is_scaling for each in results):
        yield "Scaling results do not use --threads."
    elif any(asdict(user_facts).values()) and not any(
        isinstance(e, ResultOfTables) for e in results
    ):
        yield "Matrices and curves do not use facts about the machine."


def _about_hardware(outputs: Sequence[Table | AnyChart], user_facts: UserFacts) -> Iterator[str]:
    """Yield the peak of the hardware that the outputs name, and what others published of it."""
    names = dict.fromkeys(each.about.processor for each in outputs if each.about.processor)
    for name in list(names)[:_MOST_HARDWARE]:
        bare = _NUMBER_OF.sub("", name)
        try:
            peak, values = peak_named(bare), values_for(bare)
        except DamagedTableError:
            return
        said = []
        if peak is not None and user_facts.peak_gbps is None:
            one = "device" if peak.device else "processor"
            said.append(f"at most {format_gbps(peak.gbps)} for one {one} ({peak.memory})")
        published = [
            f"{each.kernel} {amount(each)} GB/s ({each.hardware}; {each.who})"
            for each in values[:_MOST_VALUES]
        ]
        if published:
            said.append(f"others published {listed(published)}")
        if said:
            yield f"{name}: {'; '.join(said)}. See {advice('expected', bare)}."
    if len(names) > _MOST_HARDWARE:
        yield f"The outputs name {len(names) - _MOST_HARDWARE} more processors or devices."


def _contradictions(reported: BenchmarkOutput, user_facts: UserFacts) -> Iterator[str]:
    """Yield contradictions between options and files, so that the user notices a typing error."""
    if (
        user_facts.threads is not None
        and reported.threads is not None
        and user_facts.threads != reported.threads
    ):
        yield (
            f"The output names {count(reported.threads, 'thread')}; --threads {user_facts.threads}"
            " is used."
        )
    if (
        user_facts.array_bytes is not None
        and reported.array_bytes is not None
        and abs(user_facts.array_bytes - reported.array_bytes) > 0.01 * reported.array_bytes
    ):
        yield (
            f"The output names arrays of {format_bytes(reported.array_bytes)};"
            f" --array-bytes {format_bytes(user_facts.array_bytes)} is used."
        )
