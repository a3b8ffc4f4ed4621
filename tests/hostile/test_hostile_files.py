"""Every command that reads a file, with files that nobody should give it."""

from __future__ import annotations

import json
import os
import sqlite3
import zlib
from pathlib import Path

import pytest
from example_records import as_lines, good_records
from programs import environment
from tries import tried

READERS = (
    ["show"],
    ["show", "--format", "json"],
    ["interpret"],
    ["compare", "good.jsonl"],
    ["report", "--format", "md"],
    ["results", "import"],
    ["results", "export", "--format", "csv"],
    ["scale", "--predict", "2", "--result"],
    ["measure", "--mpi", "1", "--hosts"],
)
"""What stands before the name of the file."""
STORED = (
    ["history"],
    ["show", "last"],
    ["compare", "1", "2"],
    ["results", "export"],
    ["results", "rm", "1"],
)


def _records() -> list[dict[str, object]]:
    lines = as_lines(good_records()).splitlines()
    return [json.loads(line) for line in lines]


def _as_lines(records: list[dict[str, object]]) -> bytes:
    return b"".join(json.dumps(each).encode() + b"\n" for each in records)


def _with(kind: str, **changed: object) -> bytes:
    """Good records, but for fields of those of one kind."""
    return _as_lines([each | changed if each["record"] == kind else each for each in _records()])


FILES = {
    "empty": b"",
    "blank": b" \n\n\t",
    "nul": b"\0" * 5000,
    "random": bytes(range(256)) * 40,
    "no-utf8.jsonl": b'{"record":"machine","host":"\xff\xfe"}\n',
    "deep.json": b"[" * 200_000,
    "deep-object.json": b'{"a":' * 100_000,
    "number.json": b'{"record":"sample","seconds":' + b"9" * 5000 + b"}",
    "nan.json": b'{"kind":"scale","rounds":NaN}',
    "infinite.jsonl": _with("sample", seconds=1e308),
    "negative.jsonl": _with("sample", seconds=-1.0),
    "zero.jsonl": _with("sample", seconds=0.0),
    "block.jsonl": _with("sample", block=1 << 63),
    "cpus.jsonl": _with("machine", online_cpus="all"),
    "many-cpus.jsonl": _with("machine", allowed_cpus="0-9999999999"),
    "bytes.jsonl": _with("memory", array_bytes=-1),
    "cut.jsonl": as_lines(good_records())[:-40],
    "twice.jsonl": as_lines(good_records()) * 2,
    "backwards.jsonl": _as_lines(_records()[::-1]),
    "one-line.jsonl": as_lines(good_records()).replace(b"\n", b" "),
    "controls.jsonl": _with("machine", host="\x1b[2J\r\u202e", processor="</script>"),
    "names.json": b'{"kind":"\\u0000","rounds":1}',
    "stream.txt": b"Function  Best Rate MB/s  Avg time  Min time  Max time\nCopy: 1e999 0 0 0\n",
    "long-line.txt": b"Triad: " + b"9" * 1_000_000,
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = tmp_path / "here"
    found.mkdir()
    (found / "good.jsonl").write_bytes(as_lines(good_records()))
    for name, content in FILES.items():
        (found / name).write_bytes(content)
    (found / "folder").mkdir()
    (found / "folder" / "inner").write_bytes(b"x")
    os.mkfifo(found / "pipe-nobody-writes-to")
    (found / "loop").symlink_to("loop")
    return found


@pytest.mark.parametrize("reader", READERS, ids=" ".join)
def test_no_file_makes_a_command_fall_over(reader: list[str], folder: Path) -> None:
    variables = environment(folder.parent, None)
    others = ("folder", "loop", "missing", "/dev/null", "good.jsonl/x")
    complaints = []
    for name in (*FILES, *others):
        found = tried([*reader, name], folder, variables)
        if found.complaint is not None:
            complaints.append(f"{name}: {found.complaint}: {found.stderr[-400:]}")
    assert not complaints, "\n".join(complaints)


def _bomb() -> bytes:
    """Three megabytes that unpack to three gigabytes."""
    packer = zlib.compressobj(9)
    chunk = b" " * (1 << 20)
    first, next_ = (packer.compress(chunk) + packer.flush(zlib.Z_FULL_FLUSH) for _ in range(2))
    return first + next_ * (3 << 10)  # the sum at its end is never come to


@pytest.fixture(scope="module")
def bomb() -> bytes:
    return _bomb()


CHANGES = {
    "a figure without bound": "UPDATE rates SET median_gbps = 1e308",
    "a figure that is a text": "UPDATE rates SET median_gbps = 'much'",
    "no figure": "DELETE FROM rates",
    "a text that is a blob": "UPDATE runs SET host = x'fffe'",
    "a time that is none": "UPDATE runs SET started = 'yesterday'",
    "a kind that is none": "UPDATE runs SET kind = 'x'",
    "no files": "DELETE FROM files",
    "content that is no archive": "UPDATE files SET content = x'00ff'",
    "content that unpacks without end": "UPDATE files SET content = :bomb",
    "a name that leads away": "UPDATE files SET name = '../../x'",
    "a view without end": "DROP TABLE rates; CREATE VIEW rates AS WITH RECURSIVE n(run) AS"
    " (SELECT 1 UNION ALL SELECT run + 1 FROM n) SELECT * FROM n",
    "a table less": "DROP TABLE files",
    "a trigger": "CREATE TRIGGER t AFTER DELETE ON runs BEGIN DELETE FROM rates; END",
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_no_store_makes_a_command_fall_over(change: str, folder: Path, bomb: bytes) -> None:
    variables = environment(folder.parent, None)
    store = folder / "store.sqlite"
    for _ in range(2):
        made = tried(
            ["results", "import", "--store", "store.sqlite", "good.jsonl"], folder, variables
        )
        assert made.status == 0, made.stderr
    with sqlite3.connect(store) as database:
        if ";" in change:
            database.executescript(change)
        else:
            database.execute(change, {"bomb": bomb} if ":bomb" in change else {})
    database.close()
    complaints = []
    for command in STORED:
        found = tried([*command, "--store", "store.sqlite"], folder, variables)
        if found.complaint is not None:
            complaints.append(f"{command}: {found.complaint}: {found.stderr[-400:]}")
    assert not complaints, "\n".join(complaints)
