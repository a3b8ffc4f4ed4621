"""The store: whole results or none, whatever happens to it."""

from __future__ import annotations

import os
import sqlite3
from multiprocessing import get_context
from multiprocessing.synchronize import Barrier
from pathlib import Path

import msgspec
import pytest
from example_records import MACHINE, as_lines, good_records
from example_records import good_records as good
from store_results import TRIAD, keep
from store_results import made_summary as summary

from streamgage.errors import StreamgageError, UsageError
from streamgage.records import AnyRecord, Machine
from streamgage.results.summary import Summary
from streamgage.store import Filter, Store, StoreError, store_path
from streamgage.store.database import open_database
from streamgage.store.migrations import STEPS


def started(day: int, **fields: object) -> Summary:
    return summary(started=f"2026-11-{day:02}T12:00:00Z", **fields)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "folder" / "store.sqlite"


def test_what_was_put_in_comes_out(path: Path) -> None:
    files = {"run.jsonl": b"line\n" * 1000, "logs/a.txt": b"\xff\x00"}
    with Store(path, create=True) as store:
        number = store.add(summary(), files)
        assert store.files(number) == files
        entry = store.entry(number)
        assert entry is not None
        assert (entry.rates, entry.host, entry.bytes) == ([TRIAD], "node7", 5002)
        assert (store.entry(number + 1), store.files(number + 1)) == (None, {})
    assert path.stat().st_size < 60_000


def test_the_same_files_are_kept_once(path: Path) -> None:
    with Store(path, create=True) as store:
        first = store.add(summary(), {"a": b"1"})
        assert store.add(summary(), {"another name": b"1"}) == first
        assert store.add(summary(), {"a": b"2"}) != first
        assert store.find({"x": b"2"}) == 2 and store.find({"x": b"3"}) is None


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (Filter(), [3, 1, 2, 4]),
        (Filter(most=2), [3, 1]),
        (Filter(machine="NODE"), [3, 1, 2, 4]),
        (Filter(machine="100%"), [3, 1, 2, 4]),
        (Filter(machine="_"), []),
        (Filter(machine="node9"), [3]),
        (Filter(kernel="copy"), [2]),
        (Filter(kind="scale"), [4]),
        (Filter(since="2026-11-03T12:00:00Z"), [3, 1]),
        (Filter(until="2026-11-03T12:00:00Z"), [2, 4]),
        (Filter(since="2026-11-02T00:00:00Z", until="2026-11-04T00:00:00Z", kernel="triad"), [1]),
    ],
)
def test_results_are_found_by_what_they_are_of(
    path: Path, wanted: Filter, found: list[int]
) -> None:
    copy = msgspec.structs.replace(TRIAD, kernel="copy")
    with Store(path, create=True) as store:
        store.add(started(3), {"a": b"1"})
        store.add(started(2, rates=[copy]), {"a": b"2"})
        store.add(started(4, host="node9"), {"a": b"3"})
        store.add(started(1, kind="scale"), {"a": b"4"})
        assert [each.id for each in store.entries(wanted)] == found


def test_what_has_no_start_stands_where_it_was_added(path: Path) -> None:
    with Store(path, create=True) as store:
        store.add(started(1), {"a": b"1"})
        store.add(summary(started=None), {"a": b"2"})
        assert [store.newest(), store.newest(1), store.newest(2)] == [2, 1, None]
        assert store.newest(kind="scale") is None


def test_removing_takes_all_that_belongs_to_a_result(path: Path) -> None:
    with Store(path, create=True) as store:
        for content in (b"1", b"2", b"3"):
            store.add(summary(), {"a": content})
        store.remove([1, 3])
        assert store.numbers() == [2]
        assert store.add(summary(), {"a": b"1"}) == 4, "a number is never given twice"
    with sqlite3.connect(path) as database:
        for table in ("rates", "files"):
            (rows,) = database.execute(f"SELECT count(*) FROM {table}").fetchone()
            assert rows == 2, table


def test_an_older_store_is_brought_to_the_newer_layout(path: Path) -> None:
    with Store(path, create=True) as store:
        store.add(summary(), {"a": b"1"})
    newer = (*STEPS, "ALTER TABLE runs ADD COLUMN colour TEXT; CREATE INDEX l ON runs (colour)")
    database = open_database(path, create=False, steps=newer)
    assert database.execute("SELECT id, colour FROM runs").fetchall() == [(1, None)]
    database.close()
    with pytest.raises(UsageError, match=r"is of version 2, .* knows up to version 1: update"):
        Store(path, create=False)


def test_a_step_that_fails_leaves_the_older_store_as_it_was(path: Path) -> None:
    with Store(path, create=True) as store:
        store.add(summary(), {"a": b"1"})
    before = path.read_bytes()
    with pytest.raises(StoreError, match="no such table"):
        open_database(path, create=False, steps=(*STEPS, "DROP TABLE files", "DROP TABLE none"))
    assert path.read_bytes() == before
    with Store(path, create=False) as store:
        assert store.files(1) == {"a": b"1"}


def test_what_is_no_store_is_refused_and_left_alone(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("no database at all, and longer than a header of SQLite is, by far\n" * 20)
    with pytest.raises(UsageError, match="is no store of streamgage, nor a database"):
        Store(text, create=True)
    other = tmp_path / "other.sqlite"
    with sqlite3.connect(other) as database:
        database.execute("CREATE TABLE mine (x)")
    for path in (text, other):
        before = path.read_bytes()
        with pytest.raises(UsageError, match="no store of streamgage"):
            Store(path, create=True)
        assert path.read_bytes() == before
    with pytest.raises(UsageError, match="is a folder, not a store"):
        Store(tmp_path, create=True)
    with pytest.raises(StoreError, match="cannot be opened"):
        Store(tmp_path / "none.sqlite", create=False)
    with pytest.raises(StreamgageError, match="cannot be made"):
        Store(text / "below" / "store", create=True)


def test_a_damaged_store_is_told_in_a_sentence(path: Path) -> None:
    with Store(path, create=True) as store:
        for number in range(50):
            store.add(summary(), {"a": os.urandom(3000) + bytes([number])})
    content = bytearray(path.read_bytes())
    content[4096 : len(content) // 2] = b"\xa5" * (len(content) // 2 - 4096)
    path.write_bytes(content)
    with (
        pytest.raises(StoreError, match="is damaged: move it away"),
        Store(path, create=False) as s,
    ):
        s.entries()
        for number in s.numbers():
            s.files(number)


def test_the_place_is_what_was_named_then_the_variable_then_as_xdg_says(tmp_path: Path) -> None:
    named, data = tmp_path / "a", {"XDG_DATA_HOME": str(tmp_path)}
    assert store_path(named, data) == named
    assert store_path(None, data) == tmp_path / "streamgage" / "store.sqlite"
    assert store_path(None, {**data, "STREAMGAGE_STORE": "b"}) == Path("b")
    home = Path("~/.local/share/streamgage/store.sqlite").expanduser()
    assert store_path(None, {}) == store_path(None, {"XDG_DATA_HOME": "relative"}) == home


def test_a_run_of_measure_has_all_its_figures_in_the_list(path: Path) -> None:
    keep(path, good_records())
    with Store(path, create=False) as store:
        (entry,) = store.entries()
    assert (entry.kind, entry.host, entry.started) == ("measure", MACHINE.host, MACHINE.time)
    names = [f"{each.kernel} {each.store}" for each in entry.rates]
    assert names == ["sum plain", "copy plain", "copy streaming", "triad plain"]
    assert entry.bytes == len(as_lines(good()))
    assert entry.threads == 2 and entry.array_bytes


def test_the_newest_is_that_which_was_started_last(path: Path) -> None:
    def at(time: str) -> list[AnyRecord]:
        return [
            msgspec.structs.replace(each, time=time) if isinstance(each, Machine) else each
            for each in good_records()
        ]

    keep(path, at("2026-02-01T00:00:00Z"), at("2026-01-01T00:00:00Z"))
    with Store(path, create=False) as store:
        assert store.newest() == 1


def make(path: Path, barrier: Barrier) -> None:
    barrier.wait()
    with Store(path, create=True) as store:
        store.add(summary(), {"a": str(os.getpid()).encode()})


def test_writers_that_come_first_together_make_one_store(tmp_path: Path) -> None:
    context = get_context("fork")
    for number in range(20):
        path = tmp_path / f"{number}.sqlite"
        barrier = context.Barrier(4)
        writers = [context.Process(target=make, args=(path, barrier)) for _ in range(4)]
        for each in writers:
            each.start()
        for each in writers:
            each.join()
        assert [each.exitcode for each in writers] == [0] * 4
        with Store(path, create=False) as store:
            assert len(store.numbers()) == 4


def test_reading_makes_no_store_of_an_empty_file(tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.touch()
    with pytest.raises(UsageError, match="is empty, and no store of streamgage"):
        Store(empty, create=False)
    assert empty.stat().st_size == 0


def test_a_name_that_the_system_refuses_is_told(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"cannot be opened \(File name too long\)"):
        Store(tmp_path / ("x" * 300), create=True)


def test_values_that_no_database_takes_are_told_and_add_nothing(path: Path) -> None:
    with Store(path, create=True) as store:
        with pytest.raises(StoreError, match="cannot take such a value"):
            store.add(summary(threads=2**63), {"a": b"1"})
        assert store.numbers() == []
        number = store.add(summary(), {"\udcff.json": b"1"})
        assert list(store.files(number)) == ["\N{REPLACEMENT CHARACTER}.json"]


@pytest.mark.parametrize(
    "damage",
    ["UPDATE files SET content = x'00'", "UPDATE runs SET host = x'ff00'"],
)
def test_a_row_that_is_damaged_is_named(path: Path, damage: str) -> None:
    with Store(path, create=True) as store:
        store.add(summary(), {"a": b"1"})
    with sqlite3.connect(path) as database:
        database.execute(damage)
    with (
        Store(path, create=False) as store,
        pytest.raises(StoreError, match=r"Run 1 in the store .* is damaged .* `streamgage rm 1`"),
    ):
        store.entries()
        store.files(1)


def test_texts_of_others_give_a_terminal_no_orders(path: Path) -> None:
    with Store(path, create=True) as store:
        store.add(summary(host="a\x1b[2J\x07\nb\x9b1m"), {"a": b"1"})
        (entry,) = store.entries()
    assert entry.host == "a\N{REPLACEMENT CHARACTER}[2J\N{REPLACEMENT CHARACTER} b" + (
        "\N{REPLACEMENT CHARACTER}1m"
    )


def test_records_are_the_same_result_whatever_lies_beside_them(path: Path) -> None:
    with Store(path, create=True) as store:
        first = store.add(summary(), {"1.jsonl": b"1", "latency.json": b"{}"})
        assert store.find({"other.jsonl": b"1"}) == first
