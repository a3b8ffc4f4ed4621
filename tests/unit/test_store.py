"""The store: whole results or none, whatever happens to it."""

from __future__ import annotations

import os
import re
import resource
import shutil
import sqlite3
import zlib
from contextlib import closing
from multiprocessing import get_context
from multiprocessing.synchronize import Barrier
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest
from example_own_kernels import with_own
from example_records import MACHINE, as_lines, good_records
from example_records import good_records as good
from example_states import states_records
from programs import REPOSITORY
from store_results import TRIAD, keep
from store_results import made_summary as summary

from streamgage.errors import UsageError
from streamgage.records import AnyRecord, Machine
from streamgage.records.address import StorePlace, place_in
from streamgage.records.run import collect
from streamgage.results.measure.headline import main_figure
from streamgage.results.measure.judge import judge_measure
from streamgage.results.summary import Summary
from streamgage.store import Filter, Store, StoreError, store_place
from streamgage.store.connect import open_database, require_room
from streamgage.store.history import page_of as list_page


def started(day: int, **fields: object) -> Summary:
    return summary(started=f"2026-11-{day:02}T12:00:00Z", **fields)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.sqlite"


@pytest.fixture(params=["file", pytest.param("server", marks=pytest.mark.needs("pg_ctlcluster"))])
def place(request: pytest.FixtureRequest, path: Path) -> StorePlace:
    """A store that is not made yet, of each kind."""
    if request.param == "file":
        return path
    return place_in(request.getfixturevalue("server").address())


def counted(place: StorePlace, table: str) -> int:
    """The rows of a table."""
    with closing(open_database(place, create=False)) as database:
        [(rows,)] = database.rows(f"SELECT count(*) FROM {table}")
    return int(rows)


def test_what_was_put_in_comes_out(place: StorePlace) -> None:
    files = {"run.jsonl": b"line\n" * 1000, "logs/a.txt": b"\xff\x00"}
    with Store(place, create=True) as store:
        number = store.add(summary(), files)
        assert store.files(number) == files
        entry = store.entry(number)
        assert (entry.rates, entry.host, entry.bytes) == ([TRIAD], "node7", 5002)
        assert store.files(number + 1) == {}
        with pytest.raises(StoreError, match=f"Run {number + 1} .* is in no table"):
            store.entry(number + 1)


def test_files_are_compressed(path: Path) -> None:
    with Store(path, create=True) as store:
        store.add(summary(), {"run.jsonl": b"line\n" * 100_000})
    assert path.stat().st_size < 60_000


def test_the_same_files_are_kept_once(place: StorePlace) -> None:
    with Store(place, create=True) as store:
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
    place: StorePlace, wanted: Filter, found: list[int]
) -> None:
    copy = msgspec.structs.replace(TRIAD, kernel="copy")
    with Store(place, create=True) as store:
        store.add(started(3), {"a": b"1"})
        store.add(started(2, rates=[copy]), {"a": b"2"})
        store.add(started(4, host="node9"), {"a": b"3"})
        store.add(started(1, kind="scale"), {"a": b"4"})
        assert [each.id for each in store.entries(pytest.fail, wanted)] == found


def test_what_has_no_start_stands_where_it_was_added(place: StorePlace) -> None:
    with Store(place, create=True) as store:
        store.add(started(1), {"a": b"1"})
        store.add(summary(started=None), {"a": b"2"})
        assert [store.newest(), store.newest(1), store.newest(2)] == [2, 1, None]
        assert store.newest(kind="scale") is None


def test_removing_takes_all_that_belongs_to_a_result(place: StorePlace) -> None:
    with Store(place, create=True) as store:
        for content in (b"1", b"2", b"3"):
            store.add(summary(), {"a": content})
        store.remove([1, 3])
        assert store.numbers() == [2]
        assert store.add(summary(), {"a": b"1"}) == 4, "a number is never given twice"
    assert [counted(place, table) for table in ("rates", "files")] == [2, 2]


def test_a_store_of_another_layout_is_refused_and_left_alone(path: Path) -> None:
    with Store(path, create=True) as store:
        store.add(summary(), {"a": b"1"})
    database = sqlite3.connect(path)
    database.execute("PRAGMA user_version = 1")
    database.close()
    before = path.read_bytes()
    for create in (False, True):
        with pytest.raises(UsageError, match="was made by another version of streamgage"):
            Store(path, create=create)
    assert path.read_bytes() == before


def test_what_is_no_store_is_refused_and_left_alone(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("no database at all, and longer than a header of SQLite is, by far\n" * 20)
    with pytest.raises(UsageError, match="is neither a store of streamgage nor another database"):
        Store(text, create=True)
    other = tmp_path / "other.sqlite"
    with sqlite3.connect(other) as database:
        database.execute("CREATE TABLE mine (x)")
    for path in (text, other):
        before = path.read_bytes()
        with pytest.raises(UsageError, match="store of streamgage"):
            Store(path, create=True)
        assert path.read_bytes() == before
    with pytest.raises(UsageError, match="is a folder, not a store"):
        Store(tmp_path, create=True)
    with pytest.raises(StoreError, match="cannot be opened"):
        Store(tmp_path / "none.sqlite", create=False)
    with pytest.raises(UsageError, match="There is no folder"):
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
        s.entries(pytest.fail)
        for number in s.numbers():
            s.files(number)


def test_the_place_is_what_was_named_then_the_variable_then_as_xdg_says(tmp_path: Path) -> None:
    named, data = tmp_path / "a", {"XDG_DATA_HOME": str(tmp_path)}
    assert store_place(named, data) == named
    assert store_place(None, data) == tmp_path / "streamgage" / "store.sqlite"
    assert store_place(None, {**data, "STREAMGAGE_STORE": "b"}) == Path("b")
    home = Path("/h/.local/share/streamgage/store.sqlite")
    for data in ({}, {"XDG_DATA_HOME": "relative"}):
        assert store_place(None, {"HOME": "/h", **data}) == home


@pytest.mark.parametrize("home", [{}, {"HOME": ""}, {"HOME": "relative"}])
def test_without_a_home_no_place_is_guessed(home: dict[str, str]) -> None:
    with pytest.raises(UsageError, match="set HOME, XDG_DATA_HOME or STREAMGAGE_STORE"):
        store_place(None, home)


@pytest.mark.parametrize("records", [good_records(), with_own(), states_records()])
def test_lists_show_the_figure_of_the_headline(records: list[AnyRecord], tmp_path: Path) -> None:
    """Also for a kernel of the user's own, and for a run at two speeds."""
    shown = main_figure(judge_measure(collect(records)).document)
    with Store(keep(tmp_path / "s.sqlite", records), create=False) as store:
        (entry,) = store.entries(pytest.fail)
    assert shown is not None
    assert entry.main_kernel == f"{shown.kernel} {shown.store}"
    first = entry.rates[0]
    assert (first.median_gbps, first.low_gbps) == (shown.median_gbps, shown.low_gbps)
    (row, *_) = list_page([entry], None).data.rows
    assert row[1] is first


def test_a_run_of_measure_has_all_its_figures_in_the_list(place: StorePlace) -> None:
    keep(place, good_records())
    with Store(place, create=False) as store:
        (entry,) = store.entries(pytest.fail)
    assert (entry.kind, entry.host, entry.started) == ("measure", MACHINE.host, MACHINE.time)
    names = [f"{each.kernel} {each.store}" for each in entry.rates]
    assert names == ["triad plain", "sum plain", "copy plain", "copy streaming"]
    assert entry.bytes == len(as_lines(good()))
    assert entry.threads == 2 and entry.array_bytes


def test_the_newest_is_that_which_was_started_last(place: StorePlace) -> None:
    def at(time: str) -> list[AnyRecord]:
        return [
            msgspec.structs.replace(each, time=time) if isinstance(each, Machine) else each
            for each in good_records()
        ]

    keep(place, at("2026-02-01T00:00:00Z"), at("2026-01-01T00:00:00Z"))
    with Store(place, create=False) as store:
        assert store.newest() == 1


def write_together(place: StorePlace, writers: int, results: int) -> None:
    """Add results from so many processes at once, half of them the same in each."""

    def write(barrier: Barrier) -> None:
        barrier.wait()
        for number in range(results):
            who = os.getpid() if number % 2 else 0
            with Store(place, create=True) as store:
                store.add(summary(), {"a": b"%d %d" % (who, number), "b": b"the same"})

    context = get_context("fork")
    barrier = context.Barrier(writers)
    processes = [context.Process(target=write, args=(barrier,)) for _ in range(writers)]
    for each in processes:
        each.start()
    for each in processes:
        each.join()
    assert [each.exitcode for each in processes] == [0] * writers


def test_writers_that_come_first_together_make_one_store(tmp_path: Path) -> None:
    for number in range(10):
        path = tmp_path / f"{number}.sqlite"
        write_together(path, 4, 2)
        with Store(path, create=False) as store:
            assert len(store.numbers()) == 5


def test_eight_writers_at_once_lose_nothing_and_store_nothing_twice(place: StorePlace) -> None:
    # Who waits for a file is not served in turn, so that many results might make one give up.
    results = 10 if isinstance(place, Path) else 50
    write_together(place, 8, results)
    with Store(place, create=False) as store:
        found = [store.files(each) for each in store.numbers()]
    assert len(found) == (1 + 8) * results // 2
    assert len({each["a"] for each in found}) == len(found)
    assert counted(place, "rates") == len(found)
    assert counted(place, "files") == 2 * len(found)


def test_room_is_looked_for_without_making_anything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "store"
    require_room(path)
    assert not path.exists()
    with monkeypatch.context() as full:
        full.setattr(os, "statvfs", lambda _: SimpleNamespace(f_bavail=2, f_frsize=4096))
        with pytest.raises(StoreError, match="is full: make room, or name another with --store"):
            require_room(path)
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(StoreError, match="cannot be written: name another with --store"):
        require_room(path)


def test_only_the_folder_of_the_own_store_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(UsageError, match=r"There is no folder .*/no for the store .*: make it"):
        Store(tmp_path / "no" / "store", create=True)
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "own"))
    with Store(store_place(), create=True) as store:
        assert store.numbers() == []


def test_reading_makes_no_store_of_an_empty_file(tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.touch()
    with pytest.raises(UsageError, match="is an empty file, not a store of streamgage"):
        Store(empty, create=False)
    assert empty.stat().st_size == 0


def test_a_name_that_the_system_refuses_is_told(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"cannot be opened \(File name too long\)"):
        Store(tmp_path / ("x" * 300), create=True)


def test_values_that_no_database_takes_are_told_and_add_nothing(place: StorePlace) -> None:
    with Store(place, create=True) as store:
        with pytest.raises(StoreError, match="cannot hold a value of this result"):
            store.add(summary(threads=2**63), {"a": b"1"})
        assert store.numbers() == []
        number = store.add(summary(), {"\udcff.json": b"1"})
        assert list(store.files(number)) == ["\N{REPLACEMENT CHARACTER}.json"]


DAMAGED = r"Run 1 in the store .* is damaged .* `streamgage results rm 1 --store .*`"


def two_results(path: StorePlace, damage: str, *values: object) -> StorePlace:
    """A store in which the first of two results is damaged."""
    with Store(path, create=True) as store:
        store.add(summary(), {"a": b"1"})
        store.add(summary(), {"b": b"2"})
    with closing(open_database(path, create=False)) as database:
        database.run(damage, [values])
    return path


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE runs SET started = 'yesterday' WHERE id = 1",
        "UPDATE runs SET started = '0001-01-01T00:00:00+14:00' WHERE id = 1",
        "UPDATE runs SET threads = -1 WHERE id = 1",
        "UPDATE runs SET array_bytes = 9223372036854775807 WHERE id = 1",
        "UPDATE rates SET median_gbps = 1e308 WHERE run = 1",
        "UPDATE rates SET median_gbps = -117 WHERE run = 1",
        "UPDATE rates SET tuned = 7 WHERE run = 1",
        "UPDATE files SET bytes = 9223372036854775807 WHERE run = 1",
    ],
)
def test_a_damaged_result_is_a_sentence_and_the_others_are_listed(
    place: StorePlace, damage: str
) -> None:
    check_that_the_first_is_left_out(two_results(place, damage))


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE runs SET host = x'ff00' WHERE id = 1",
        "UPDATE rates SET tuned = 'yes' WHERE run = 1",
    ],
)
def test_a_value_of_another_type_is_damage_too(path: Path, damage: str) -> None:
    check_that_the_first_is_left_out(two_results(path, damage))


def check_that_the_first_is_left_out(place: StorePlace) -> None:
    notes: list[str] = []
    with Store(place, create=False) as store:
        assert [each.id for each in store.entries(notes.append)] == [2]
        with pytest.raises(StoreError, match=DAMAGED):
            store.entry(1)
    (note,) = notes
    assert re.fullmatch(f"Left out: {DAMAGED} removes it.", note)


def test_rates_that_a_damaged_index_gives_to_no_run_are_left_out(
    tmp_path: Path,
) -> None:
    path = tmp_path / "store"
    shutil.copy(REPOSITORY / "tests" / "data" / "damaged-index.sqlite", path)
    with Store(path, create=False) as store:
        assert [each.id for each in store.entries(print)] != []


def bomb() -> bytes:
    """100 MB in 100 kB."""
    return zlib.compress(bytes(100_000_000))


@pytest.mark.parametrize(
    ("damage", "content"),
    [
        ("content = ?", b"\0"),
        ("content = ?", bomb()),
        ("content = ?", "text"),
        ("bytes = ?", 2),
        ("bytes = ?", 3 << 30),
        ("bytes = ?", -1),
        ("name = ?", "../../outside"),
        ("name = ?", "/outside"),
        ("name = ?", "a\0b"),
        ("name = ?", b"blob"),
    ],
)
def test_a_file_that_is_damaged_is_named(path: Path, damage: str, content: object) -> None:
    two_results(path, f"UPDATE files SET {damage} WHERE run = 1", content)
    with Store(path, create=False) as store:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        with pytest.raises(StoreError, match=DAMAGED):
            store.files(1)
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000  # KiB
        assert store.files(2) == {"b": b"2"}


def test_text_in_another_encoding_costs_no_other_result(path: Path) -> None:
    two_results(path, "UPDATE runs SET host = CAST(x'6eff' AS TEXT) WHERE id = 1")
    with Store(path, create=False) as store:
        hosts = [each.host for each in store.entries(pytest.fail)]
    assert hosts == [summary().host, "n\N{REPLACEMENT CHARACTER}"]


ENDLESS = "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n"


@pytest.mark.parametrize(
    "foreign",
    [
        f"DROP TABLE rates; CREATE VIEW rates AS {ENDLESS}",
        "CREATE TRIGGER t AFTER DELETE ON runs BEGIN DELETE FROM files; END",
        "DROP TABLE files",
    ],
)
def test_a_store_with_other_tables_is_not_asked(path: Path, foreign: str) -> None:
    with Store(path, create=True) as store:
        store.add(summary(), {"a": b"1"})
    with closing(sqlite3.connect(path)) as database:
        database.executescript(foreign)
    with pytest.raises(UsageError, match="has tables that no store of streamgage has"):
        Store(path, create=False)


def test_texts_of_others_give_a_terminal_no_orders(place: StorePlace) -> None:
    with Store(place, create=True) as store:
        store.add(summary(host="a\x1b[2J\x07\nb\x9b1m"), {"a": b"1"})
        (entry,) = store.entries(pytest.fail)
    assert entry.host == "a\N{REPLACEMENT CHARACTER}[2J\N{REPLACEMENT CHARACTER} b" + (
        "\N{REPLACEMENT CHARACTER}1m"
    )


def test_records_are_the_same_result_whatever_lies_beside_them(place: StorePlace) -> None:
    with Store(place, create=True) as store:
        first = store.add(summary(), {"1.jsonl": b"1", "latency.json": b"{}"})
        assert store.find({"other.jsonl": b"1"}) == first
