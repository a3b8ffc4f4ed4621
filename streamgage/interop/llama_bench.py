"""Reads llama-bench: how many tokens a second a model generates, and what that reads from memory.

The formats follow its source (github.com/ggml-org/llama.cpp: tools/llama-bench) and published
tables, as Markdown and with ``-o json``, ``jsonl`` and ``csv``. To generate a token, a dense model
reads all of its weights once. So tokens/s x size is what was read, without the cache of keys and
values. A model of experts reads only a part of its weights, and prompts are processed many tokens
at a time: both show no bandwidth.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from streamgage.errors import UsageError
from streamgage.interop import numbers
from streamgage.interop.output_format import OutputFormat
from streamgage.interop.parsed import ParsedOutput
from streamgage.interop.places import places
from streamgage.interop.rows import Notes
from streamgage.interop.stream import UNITS
from streamgage.interop.tables import BenchmarkFacts, Row, Table, put

HEADER = re.compile(
    r"^[ \t>]{0,12}\|(?=[^\n]{0,400}\bmodel\b)(?=[^\n]{0,400}\bsize\b)(?=[^\n]{0,400}\btest\b)"
    r"[^\n]{0,400}\bt/s\b[^\n]{0,40}\|[ \t]*$",
    re.M,
)
JSON = re.compile(r'"model_size" ?:')
CSV = re.compile(r"^[^\n]{0,400}\bmodel_size,[^\n]{0,800}\bavg_ts\b[^\n]{0,80}$", re.M)
OWN = re.compile(r"\||ggml_|build:|llama_|load_backend|Device [0-9]|warning:", re.I)
_SIZE = re.compile(r"([0-9.]{1,12}) ?([KMGT]i?)B", re.I)
_TEST = re.compile(r"tg ?([0-9]{1,6})(?: ?@ ?d[0-9]{1,7})?$")
_EXPERTS = re.compile(r"moe|[0-9]x[0-9]|\.A[0-9]|-A[0-9]+B|mixtral|gpt-oss|deepseek|expert", re.I)
_OF_CPU = frozenset(("", "CPU", "BLAS", "Accelerate"))
"""The backends that compute on the processor."""
_MOST_ROWS = 1000
_NOTE = (
    "llama-bench: tokens/s x the size of the model is the least that was read for each token; the"
    " cache of keys and values comes on top. Prompts (pp) show no bandwidth and are left out."
)


@dataclass(frozen=True)
class _Model:
    """A row of a table, or an object of JSON; texts are as they were printed."""

    name: str
    size: float
    tokens: str
    threads: str
    backend: str
    machine: str


def parse(text: str) -> ParsedOutput:
    """Read the models that generate tokens. Raises ``UsageError`` if there is none."""
    notes = Notes("llama-bench")
    tables = [*_of_json(text, notes), *_of_csv(text, notes), *_of_markdown(text, notes)]
    if tables:
        notes.settle(tables)
    if not tables:
        raise UsageError(
            notes.why(
                "its tables of llama-bench have no row of generated tokens (tg) of a dense model:"
                " run it with -n 128."
            )
        )
    return ParsedOutput(tuple(tables), (*notes.sentences(), _NOTE))


def _of_markdown(text: str, notes: Notes) -> Iterator[Table]:
    headers = list(HEADER.finditer(text))
    where = places(text, [each.span() for each in headers], OWN)
    for header, place in zip(headers, where, strict=True):
        names = _cells(header[0])
        lines = text[header.end() : header.end() + 200_000].split("\n")[1:_MOST_ROWS]
        for number, line in enumerate(lines, place.line + 1):
            cells = _cells(line)
            if len(cells) != len(names):
                break
            values = dict(zip(names, cells, strict=True))
            with notes.or_left_out():
                table = _table(values, f"line {number}", notes)
                if table is not None:
                    yield put(table, place)


def _cells(line: str) -> list[str]:
    if "|" not in line:
        return []
    return [each.strip(" *`") for each in line.strip(" \t>").strip("|").split("|")]


def _table(values: Mapping[str, str], where: str, notes: Notes) -> Table | None:
    model, test = values.get("model", ""), values.get("test", "")
    size = _SIZE.fullmatch(values.get("size", ""))
    if _TEST.fullmatch(test) is None or size is None:
        return None
    rate = values.get("t/s", "").split("±")[0].strip()
    found = _Model(
        name=model,
        size=numbers.number(size[1]) * UNITS[size[2].lower()],
        tokens=rate,
        threads=values.get("threads", ""),
        backend=values.get("backend", ""),
        machine=values.get("machine", ""),
    )
    return _of_model(found, where, notes)


def _of_json(text: str, notes: Notes) -> Iterator[Table]:
    if JSON.search(text):
        for entry in _entries(text):
            yield from _of_entry(entry, "its JSON", notes)


def _of_csv(text: str, notes: Notes) -> Iterator[Table]:
    headers = list(CSV.finditer(text))
    where = places(text, [each.span() for each in headers], OWN)
    for header, place in zip(headers, where, strict=True):
        names = header[0].strip().split(",")
        lines = text[header.end() : header.end() + 1_000_000].split("\n")[1:_MOST_ROWS]
        for number, line in enumerate(lines, place.line + 1):
            cells = next(csv.reader([line]), [])
            if len(cells) != len(names):
                break
            entry = dict(zip(names, cells, strict=True))
            for table in _of_entry(entry, f"line {number}", notes):
                yield put(table, place)


def _of_entry(entry: Mapping[str, Any], where: str, notes: Notes) -> Iterator[Table]:
    """Yield the table of an object of JSON or a line of CSV, if it generates tokens."""
    if numbers.number(str(entry.get("n_prompt", 0))) or not numbers.number(
        str(entry.get("n_gen", 0))
    ):
        return
    backends = str(entry.get("backends", ""))
    of_cpu = not entry.get("gpu_info") or set(re.split(r"\W+", backends)) <= _OF_CPU
    found = _Model(
        name=str(entry.get("model_type") or entry.get("model_filename", "")),
        size=numbers.number(str(entry.get("model_size", ""))),
        tokens=str(entry.get("avg_ts", "")),
        threads=str(entry.get("n_threads", "")) if of_cpu else "",
        backend=backends,
        machine=str(entry.get("cpu_info" if of_cpu else "gpu_info", "")),
    )
    with notes.or_left_out():
        table = _of_model(found, where, notes)
        if table is not None:
            yield table


def _entries(text: str) -> Iterator[dict[str, Any]]:
    """Yield the objects of a list, or of lines with one each."""
    begin, end = text.find("["), text.rfind("]")
    parts = [text[begin : end + 1]] if 0 <= begin < end else []
    for part in (*parts, *text.split("\n")[:_MOST_ROWS]):
        try:
            found = json.loads(part)
        except (ValueError, RecursionError):
            continue
        objects = found if isinstance(found, list) else [found]
        known = [e for e in objects if isinstance(e, dict) and _is_number(e.get("model_size"))]
        if known:
            yield from known[:_MOST_ROWS]
            if isinstance(found, list):
                return


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _of_model(model: _Model, where: str, notes: Notes) -> Table | None:
    name = " ".join(model.name.split())[:80]
    if _EXPERTS.search(name):
        notes.experts(where, name)
        return None
    weights = numbers.size(model.size, "models")
    gbps = numbers.rate(model.tokens, float(weights), f"{where} ({name})")
    code = ", ".join(filter(None, (name, model.backend)))[:120]
    return Table(
        about=BenchmarkFacts("llama-bench", processor=model.machine[:80] or None),
        rows=(Row(kernel="load", gbps=gbps, code=code),),
        threads=numbers.threads(model.threads) if model.threads.isdecimal() else None,
        array_bytes=weights,
    )


FORMAT = OutputFormat(
    "llama-bench", (HEADER, JSON, CSV), parse, words=("t/s", "model_size"), prints="whole-run"
)
