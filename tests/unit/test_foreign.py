"""Content of others is checked once, where it is read, by the types that its fields declare."""

from __future__ import annotations

import json
import tracemalloc
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from example_ladder import ladder_of
from example_ladder import machine_of as ladder_machine
from example_latency import latency_records
from example_records import as_lines, good_records
from example_results import ignore
from example_scale import machine_of, scaling_of
from msgspec import inspect
from store_results import made_summary

from streamgage.errors import UsageError
from streamgage.records import AnyRecord
from streamgage.records.foreign import MOST_BYTES, UnreadableError, converted, read_file, unpacked
from streamgage.results.kinds import KINDS
from streamgage.results.result import Result
from streamgage.results.summary import Entry
from streamgage.show.formats import as_json
from streamgage.store import Store
from streamgage.store.load import load_content
from streamgage.store.transfer import import_results

SCALE = json.loads(as_json(scaling_of(machine_of())))
SUMMARY = msgspec.to_builtins(made_summary())
LADDER = json.loads(as_json(ladder_of(ladder_machine())))


def numbers(kind: inspect.Type, where: str, seen: set[type]) -> Iterator[str]:
    """The fields below ``kind`` that hold a number without a range."""
    match kind:
        case inspect.Metadata():
            yield from numbers(kind.type, where, seen)
        case inspect.StructType():
            if kind.cls not in seen:
                seen.add(kind.cls)
                for each in kind.fields:
                    yield from numbers(each.type, f"{kind.cls.__name__}.{each.name}", seen)
        case inspect.UnionType():
            for one in kind.types:
                yield from numbers(one, where, seen)
        case inspect.ListType() | inspect.VarTupleType():
            yield from numbers(kind.item_type, where, seen)
        case inspect.DictType():
            yield from numbers(kind.value_type, where, seen)
        case inspect.IntType() | inspect.FloatType():
            if None in (
                kind.ge if kind.gt is None else kind.gt,
                kind.le if kind.lt is None else kind.lt,
            ):
                yield where
        case inspect.AnyType() | inspect.RawType():
            yield where


def test_every_number_of_a_record_or_a_document_has_a_range() -> None:
    kinds = [*(each.document for each in KINDS), *AnyRecord.__args__, Entry]
    seen: set[type] = set()
    found = [each for kind in kinds for each in numbers(inspect.type_info(kind), "", seen)]
    assert found == []
    assert len(seen) > 100


def loaded(document: dict[str, Any]) -> Result[Any]:
    return load_content(json.dumps(document).encode(), "a.json", "a.json", ignore)


def changed(document: dict[str, Any], path: str, value: object) -> dict[str, Any]:
    copied: dict[str, Any] = json.loads(json.dumps(document))
    *steps, last = path.split(".")
    holder: Any = copied
    for step in steps:
        holder = holder[int(step) if step.isdigit() else step]
    holder[int(last) if last.isdigit() else last] = value
    return copied


@pytest.mark.parametrize(
    ("document", "path", "value", "wrong"),
    [
        (SCALE, "machine.online_cpus", "all", "matching regex"),
        (SCALE, "machine.online_cpus", "0-9999999", "numbers < 131072"),
        (SCALE, "machine.online_cpus", "0-9999999999", "matching regex"),
        (SCALE, "machine.online_cpus", ",".join(["0-131071"] * 2), "at most 131072 numbers"),
        (SCALE, "machine.online_cpus", "3-1", "ranges that ascend"),
        (SCALE, "machine.caches.0.cpus.1", "7-1", r"\[1\]`"),
        (SCALE, "machine.time", "now", "a time in ISO 8601"),
        (SCALE, "machine.time", "0001-01-01T00:00:00+14:00", "a time in ISO 8601"),
        (SCALE, "machine.cores", 1 << 63, "Expected `int` <="),
        (SCALE, "machine.memory_bytes", 10**400, "Expected `int` <="),
        (SCALE, "machine.schema", True, "got `bool`"),
        (SCALE, "curves.0.points.0.gbps.value", 1e308, "Expected `float` <="),
        (SCALE, "curves.0.points.0.gbps.value", -117, "Expected `float` >="),
        (SCALE, "curves.0.points.0.gbps", None, "Expected `object`"),
        (SCALE, "placements.0.points.0.cpus", "0-9999999999", "matching regex"),
        (SCALE, "curves.0.best_n", 0, "Expected `int` >= 1"),
        (LADDER, "curves.0.points.0.bytes", 1 << 63, "Expected `int` <="),
    ],
)
def test_what_cannot_be_is_refused_with_its_place(
    document: dict[str, Any], path: str, value: object, wrong: str
) -> None:
    with pytest.raises(UsageError, match=f"a.json is not a readable result .*{wrong}"):
        loaded(changed(document, path, value))


@pytest.mark.parametrize(
    "content",
    [
        b'{"kind": "scale", "rounds": NaN}',
        b'{"kind": "scale", "rounds": Infinity}',
        b'{"kind": "scale", "rounds": 1e999}',
        b'{"kind": "scale", "rounds": ' + b"[" * 200_000 + b"]" * 200_000 + b"}",
        b'{"kind": "scale", "label": "\xff\xfe"}',
        json.dumps(SCALE).encode("utf-16"),
        b"[" * 200_000,
        b'{"kind": ["scale"]}',
        json.dumps({**SCALE, "machine": {**SCALE["machine"], "a\nb": 1}}).encode(),
    ],
    ids=["nan", "infinity", "too-large", "deep", "no-utf-8", "utf-16", "deep-list", "kind", "name"],
)
def test_what_is_no_json_is_refused(content: bytes) -> None:
    with pytest.raises(UsageError, match=r"^a\.json [^\n]*\Z"):
        load_content(content, "a.json", "a.json", ignore)


def with_sample(**fields: object) -> tuple[bytes, int]:
    """The records of a run of which the first timed sample has other fields; its line."""
    lines = as_lines(good_records()).splitlines()
    number = next(n for n, each in enumerate(lines) if b'"record":"sample"' in each)
    lines[number] = json.dumps(json.loads(lines[number]) | fields).encode()
    return b"\n".join([*lines, b""]), number + 1


@pytest.mark.parametrize(
    "fields",
    [
        {"seconds": 1e308},
        {"seconds": -0.01},
        {"seconds": 0},
        {"block": 1 << 63},
        {"variant": 1e9},
        {"cpus": ["all"]},
        {"passes": 0},
    ],
    ids=str,
)
def test_a_record_that_cannot_be_is_left_out_with_a_sentence(fields: dict[str, object]) -> None:
    content, number = with_sample(**fields)
    notes: list[str] = []
    found = load_content(content, "run.jsonl", "run.jsonl", notes.append)
    (note,) = notes
    assert note.startswith(f"run.jsonl: Line {number} of the records is not a record")
    assert found.partial == "Some of its records could not be read and were left out."
    assert found.best is not None and 0 < (found.best.value or 0) < 1000


@pytest.mark.parametrize(
    "windows", [[], [{"seconds": 0.01, "bytes": 1 << 20, "loads": 0}]], ids=["none", "no loads"]
)
def test_a_load_without_a_latency_is_left_out_with_a_sentence(windows: list[object]) -> None:
    lines = as_lines(latency_records(ladder_machine())).splitlines()
    loaded = [n for n, each in enumerate(lines) if b'"record":"loaded"' in each]
    for number in loaded:
        lines[number] = json.dumps(json.loads(lines[number]) | {"windows": windows}).encode()
    notes: list[str] = []
    found = load_content(b"\n".join([*lines, b""]), "run.jsonl", "run.jsonl", notes.append)
    assert notes[-1] == f"run.jsonl: {len(loaded)} lines of the records were left out in all."
    assert not found.document.loaded and found.document.idle


def test_a_record_that_is_nested_too_deeply_is_left_out() -> None:
    deep = b'{"record":"label","text":' + b"[" * 200_000 + b"]" * 200_000 + b"}\n"
    notes: list[str] = []
    load_content(as_lines(good_records()) + deep, "run.jsonl", "run.jsonl", notes.append)
    assert "is not a record and was left out" in notes[0]


def test_a_figure_that_cannot_be_gets_into_no_store(tmp_path: Path) -> None:
    store, good, bad = (tmp_path / name for name in ("store.sqlite", "good.json", "bad.json"))
    good.write_text(json.dumps(SCALE))
    bad.write_text(json.dumps(changed(SCALE, "curves.0.points.0.gbps.value", 1e308)))
    assert [each.number for each in import_results([good], store, ignore)] == [1]
    with pytest.raises(UsageError, match=r"bad\.json is not a readable result"):
        list(import_results([bad], store, ignore))
    with Store(store, create=False) as opened:
        assert [each.id for each in opened.entries(pytest.fail)] == [1]


def test_an_export_with_one_bad_result_gives_the_others(tmp_path: Path) -> None:
    store, file = tmp_path / "store.sqlite", tmp_path / "export.json"
    bad = changed(SCALE, "curves.0.points.0.gbps.value", 1e308)
    results = [
        {"name": str(number), "summary": SUMMARY, "document": document}
        for number, document in enumerate([bad, SCALE, LADDER])
    ]
    file.write_text(json.dumps({"streamgage_export": 1, "results": results}))
    with pytest.raises(UsageError, match="run 0 is not a readable result"):
        list(import_results([file], store, ignore))
    with Store(store, create=False) as opened:
        assert [each.kind for each in opened.entries(pytest.fail)] == ["ladder", "scale"]


def peak_of(read: Callable[[], object]) -> int:
    """The most bytes that Python held at once while it ran."""
    tracemalloc.start()
    try:
        read()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_reading_a_file_takes_no_more_memory_than_its_size(tmp_path: Path) -> None:
    path = tmp_path / "small.jsonl"
    path.write_bytes(as_lines(good_records()))
    assert peak_of(lambda: read_file(path)) < 8 << 20


def test_a_file_that_is_too_long_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "long"
    path.write_bytes(bytes(3 << 20))
    assert len(read_file(path, 3 << 20)) == 3 << 20
    with pytest.raises(OSError, match="longer than 2 MiB"):
        read_file(path, 2 << 20)

    def read() -> None:
        with pytest.raises(OSError, match="it is a device"):
            read_file(Path("/dev/zero"), 2 << 20)

    assert peak_of(read) < 8 << 20


def test_what_is_packed_gives_no_more_than_it_claims() -> None:
    packed = zlib.compress(bytes(300 << 20))

    def unpack() -> None:
        with pytest.raises(UnreadableError, match="does not hold the 5 bytes"):
            unpacked(packed, 5)

    assert peak_of(unpack) < 8 << 20
    assert MOST_BYTES < 3 << 30


class Inner(msgspec.Struct):
    """Two figures in order."""

    low: int
    high: int

    def consistent(self) -> None:
        if self.low > self.high:
            raise ValueError("Expected low <= high")


class Outer(msgspec.Struct):
    """What holds them."""

    parts: dict[str, list[Inner | None]]


def test_conditions_name_the_place_within_what_holds_them() -> None:
    good = {"parts": {"a": [None, {"low": 1, "high": 2}]}}
    assert converted(good, Outer) == Outer({"a": [None, Inner(1, 2)]})
    bad = {"parts": {"a": [None, {"low": 3, "high": 2}]}}
    with pytest.raises(
        UnreadableError, match=r"^Expected low <= high - at `\$\.parts\[\.\.\.\]\[1\]`$"
    ):
        converted(bad, Outer)
