"""The store of a site: a real PostgreSQL, whatever happens to it; it answers as a file does."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from example_records import as_lines, good_records
from example_results import every_kind
from postgresql_server import DATABASE, PASSWORD, USER, Server
from programs import misbehaving_engine, one_sentence, streamgage
from store_results import keep, made_summary

from streamgage.errors import UsageError
from streamgage.records.address import place_in
from streamgage.results.summarise import summary_of
from streamgage.store import Store, StoreError
from streamgage.store import store as store_module

pytestmark = pytest.mark.needs("pg_ctlcluster")


def working_engine(folder: Path, more: str = "") -> Path:
    """An engine that measures, then runs ``more``; it leaves ``started``."""
    lines = folder / "lines"
    lines.write_bytes(as_lines(good_records()))
    return misbehaving_engine(folder, f"touch {folder}/started\ncat {lines}\n{more}")


def secret_files(folder: Path) -> list[Path]:
    """Files below the folder that hold the password, as it is or as an address has it."""
    secrets = (PASSWORD.encode(), b"Ge%3Ahe")
    files = [each for each in folder.rglob("*") if each.is_file()]
    return [each for each in files if any(part in each.read_bytes() for part in secrets)]


def test_a_result_goes_to_the_server_and_comes_back(tmp_path: Path, server: Server) -> None:
    engine, address = working_engine(tmp_path), server.address()
    run = streamgage("--store", address, "--format", "csv", folder=tmp_path, engine=engine)
    assert run.returncode == 0
    again = one_sentence(run.stderr)
    assert again == f"To see this again: streamgage show 1 --store '{server.shown()}'"
    shown = streamgage("show", "1", "--store", address, "--format", "csv", folder=tmp_path)
    assert shown.stdout == run.stdout
    named = {"STREAMGAGE_STORE": address}
    assert streamgage("--label", "two", folder=tmp_path, engine=engine, **named).returncode == 0
    listed = streamgage("history", "--format", "json", folder=tmp_path, **named)
    assert [each["label"] for each in json.loads(listed.stdout)] == ["two", None]
    removed = streamgage("results", "rm", "1", "--store", address, folder=tmp_path)
    assert one_sentence(removed.stderr) == "Removed: run 1."
    outputs = [run, shown, listed, removed]
    assert not any(PASSWORD in each.stdout + each.stderr for each in outputs)
    assert secret_files(tmp_path) == []


def test_both_stores_give_the_same_bytes(
    tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Clock(datetime):
        @classmethod
        def now(cls, tz: object = None) -> datetime:
            return datetime(2026, 11, 25, 12, tzinfo=UTC)

    monkeypatch.setattr(store_module, "datetime", Clock)
    stores = [str(tmp_path / "a.sqlite"), server.address()]
    kinds = every_kind()
    for store in stores:
        with Store(place_in(store), create=True) as opened:
            for each in kinds:
                summary = summary_of(each, partial=False)
                opened.add(summary, each.files)

    def same(*arguments: str) -> str:
        runs = [streamgage(*arguments, "--store", store, folder=tmp_path) for store in stores]
        assert [each.returncode for each in runs] == [0, 0], runs
        # Advice names the store, in quotes where a shell needs them.
        said = [
            each.replace(f"'{server.shown()}'", stores[0]).replace(server.shown(), stores[0])
            for each in (runs[1].stdout, runs[1].stderr)
        ]
        assert [runs[0].stdout, runs[0].stderr] == said
        return runs[0].stdout

    listed = same("history", "--all", "--format", "json")
    assert len(json.loads(listed)) == len(kinds)
    for number in range(1, len(kinds) + 1):
        assert json.loads(same("show", str(number), "--format", "json"))
    for form in ("json", "csv", "openmetrics"):
        assert same("results", "export", "--format", form)
    assert same("compare", "1", "1", "--format", "json")
    assert same("history", "--machine", "NODE", "--since", "2000-01-01")
    for number, store in enumerate(stores):
        page = streamgage(
            "report", "1", "3", "-o", f"{number}.html", "--store", store, folder=tmp_path
        )
        assert page.returncode == 0, page.stderr
    assert (tmp_path / "0.html").read_bytes() == (tmp_path / "1.html").read_bytes()


def test_results_of_a_file_are_taken_in_once(tmp_path: Path, server: Server) -> None:
    own, address = keep(tmp_path / "own.sqlite", good_records()), server.address()
    said = [
        streamgage("results", "import", own, "--store", address, folder=tmp_path) for _ in range(2)
    ]
    assert [one_sentence(each.stderr) for each in said] == [
        "own.sqlite, run 1 is now run 1.".replace("own.sqlite", str(own)),
        "own.sqlite, run 1 was already stored as run 1.".replace("own.sqlite", str(own)),
    ]


def other_tables(server: Server) -> None:
    server.ask("CREATE SCHEMA streamgage", "CREATE TABLE streamgage.runs (mine int)")


def other_version(server: Server) -> None:
    with Store(place_in(server.address()), create=True) as store:
        store.add(made_summary(), {"a": b"1"})
    server.ask("COMMENT ON TABLE streamgage.runs IS 'streamgage layout 1'")


def more_tables(server: Server) -> None:
    with Store(place_in(server.address()), create=True) as store:
        store.add(made_summary(), {"a": b"1"})
    server.ask(
        "DROP TABLE streamgage.rates",
        "CREATE VIEW streamgage.rates AS SELECT generate_series(1, 9000000000) AS run",
    )


def for_reading(server: Server) -> None:
    with Store(place_in(server.address()), create=True) as store:
        store.add(made_summary(), {"a": b"1"})
    server.ask(
        "GRANT USAGE ON SCHEMA streamgage TO reader",
        "GRANT SELECT ON ALL TABLES IN SCHEMA streamgage TO reader",
    )


def nothing(server: Server) -> None:
    assert server.ask("SELECT 1") == [(1,)]


@pytest.mark.parametrize(
    "case",
    [
        (nothing, lambda _: f"postgresql://{USER}@127.0.0.1:1/x", 1, "does not answer (Connection"),
        (nothing, lambda s: s.address(password="no"), 1, "refuses the store .* authentication"),
        (nothing, lambda s: s.address(user="nobody"), 1, 'authentication failed for user "nobody"'),
        (nothing, lambda s: s.address(database="none"), 1, 'database "none" does not exist'),
        (
            nothing,
            lambda s: s.address(user="reader"),
            1,
            f'may not make tables .*GRANT CREATE ON DATABASE "{DATABASE}" TO "reader"',
        ),
        (nothing, lambda s: s.address(more="&sslmode=no"), 2, 'invalid sslmode value: "no"'),
        (nothing, lambda _: "postgresql://a:b@c@d/e", 2, "cannot be read: write postgresql://USER"),
        (nothing, lambda _: "mysql://a:b@d/e", 2, "cannot be read: write postgresql://USER"),
        (other_tables, Server.address, 2, "has tables that no store of streamgage has"),
        (other_version, Server.address, 2, "was made by another version of streamgage"),
        (more_tables, Server.address, 2, "has tables that no store of streamgage has"),
        (for_reading, lambda s: s.address(user="reader"), 1, "may only read its tables"),
        (
            nothing,
            lambda s: s.address(more="&options=-cdefault_transaction_read_only%3Don"),
            1,
            "cannot be written: name another with --store",
        ),
    ],
)
def test_what_cannot_be_used_is_refused_before_measuring(
    tmp_path: Path,
    server: Server,
    case: tuple[Callable[[Server], None], Callable[[Server], str], int, str],
) -> None:
    prepare, address, status, said = case
    prepare(server)
    before = server.ask("SELECT relname FROM pg_class ORDER BY oid")
    engine = working_engine(tmp_path)
    run = streamgage("--store", address(server), folder=tmp_path, engine=engine)
    assert (run.returncode, run.stdout) == (status, "")
    sentence = one_sentence(run.stderr)
    assert re.search(said.replace("(", r"\("), sentence), sentence
    assert PASSWORD not in sentence and "Ge%3Ahe" not in sentence
    assert not (tmp_path / "started").exists()
    assert server.ask("SELECT relname FROM pg_class ORDER BY oid") == before
    assert secret_files(tmp_path) == []


def test_who_may_only_read_reads(tmp_path: Path, server: Server) -> None:
    for_reading(server)
    reader = ("--store", server.address(user="reader"))
    listed = streamgage("history", *reader, folder=tmp_path)
    assert listed.returncode == 0 and "node7" in listed.stdout
    removed = streamgage("results", "rm", "1", *reader, folder=tmp_path)
    assert removed.returncode == 1
    assert "permission denied for table runs): ask its owner" in one_sentence(removed.stderr)


def test_who_may_not_read_learns_whom_to_ask(tmp_path: Path, server: Server) -> None:
    keep(place_in(server.address()), good_records())
    reader = ("--store", server.address(user="reader"))
    for words in (("history",), ("show", "1"), ("results", "rm", "1")):
        done = streamgage(*words, *reader, folder=tmp_path)
        assert (done.returncode, done.stdout) == (1, "")
        assert "ask its owner for the right" in one_sentence(done.stderr)


def test_an_empty_database_is_said_to_be_empty(tmp_path: Path, server: Server) -> None:
    listed = streamgage("history", "--store", server.address(), folder=tmp_path)
    assert listed.returncode == 2
    assert one_sentence(listed.stderr) == (
        f"No result is stored in {server.shown()}: measure first, or name a file."
    )
    assert server.ask("SELECT 1 FROM pg_namespace WHERE nspname = 'streamgage'") == []


def test_a_schema_that_the_administrator_made_is_enough(tmp_path: Path, server: Server) -> None:
    server.ask("CREATE SCHEMA streamgage AUTHORIZATION reader")
    with Store(place_in(server.address(user="reader")), create=True) as store:
        assert store.add(made_summary(), {"a": b"1"}) == 1


def test_a_database_of_another_encoding_is_refused(server: Server) -> None:
    make = f"CREATE DATABASE old OWNER {USER} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0"
    refused = pytest.raises(
        UsageError, match="has the encoding LATIN1, which cannot hold every text"
    )
    server.ask(make, database="postgres")
    try:
        with refused:
            Store(place_in(server.address(database="old")), create=True)
    finally:
        server.ask("DROP DATABASE old WITH (FORCE)")


def test_a_connection_that_is_lost_is_a_sentence_and_leaves_no_half(server: Server) -> None:
    with Store(place_in(server.address()), create=True) as store:
        store.add(made_summary(), {"a": b"1"})
        server.ask(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename='{USER}'")
        with pytest.raises(
            StoreError, match=r"The connection to the store .* was lost \(.*\): check"
        ):
            store.add(made_summary(), {"a": b"2"})
    with Store(place_in(server.address()), create=False) as store:
        assert store.numbers() == [1]


def test_a_writer_that_is_held_up_says_so(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("streamgage.store.postgresql.WAIT_SECONDS", 1.0)
    place = place_in(server.address())
    with Store(place, create=True) as store, Store(place, create=True) as other:
        other._database.run("BEGIN")
        other._database.run("LOCK TABLE runs")
        with pytest.raises(StoreError, match=r"Another program has held the store .*: try again"):
            store.add(made_summary(), {"a": b"1"})
        other._database.run("COMMIT")
        assert store.add(made_summary(), {"a": b"1"}) == 1


@pytest.mark.parametrize("arguments", [(), ("measure", "--runs", "2")])
def test_a_server_that_stops_during_a_run_costs_no_result(
    tmp_path: Path, server: Server, arguments: tuple[str, ...]
) -> None:
    address = server.address()
    stop = f"test -e {tmp_path}/stopped || {{ touch {tmp_path}/stopped; {server.stop_line}; }}"
    engine = working_engine(tmp_path, stop)
    try:
        run = streamgage(*arguments, "--store", address, folder=tmp_path, engine=engine)
    finally:
        server.start()
    assert run.returncode == 1 and "GB/s" in run.stdout
    last = run.stderr.splitlines()[-2]
    assert last.startswith(f"streamgage: The server of the store {server.shown()} does not answer")
    command = re.search(r"The measurement stays in .*: `streamgage (.*)` stores it later\.", last)
    assert command is not None
    *imported, path, _, shown = command[1].split(" ")
    assert shown == f"'{server.shown()}'" and Path(path).exists()
    taken = streamgage(*imported, path, "--store", address, folder=tmp_path)
    assert taken.returncode == 0 and "is now run 1." in one_sentence(taken.stderr)
    listed = streamgage("history", "--store", address, "--format", "json", folder=tmp_path)
    assert [each["id"] for each in json.loads(listed.stdout)] == [1]
    assert not Path(path).exists(), "the store looked at what was left for it"
    assert secret_files(tmp_path) == []


def test_fleets_are_kept_and_compared_with_earlier_ones(tmp_path: Path, server: Server) -> None:
    def judged(day: int, of_last: float) -> str:
        lines = [
            {
                "record": "node",
                "time": f"2026-11-{day:02}T00:00:00Z",
                "host": f"n{number}",
                "figures": [{"kernel": "triad", "gbps": of_last if number == 11 else 100.0}],
            }
            for number in range(12)
        ]
        file = tmp_path / f"{day}.jsonl"
        file.write_text("".join(f"{json.dumps(each)}\n" for each in lines))
        address = server.address()
        run = streamgage("fleet", "judge", file, "--store", address, "--details", folder=tmp_path)
        assert run.returncode in (0, 1, 3), run.stderr  # few nodes may be too few to judge
        assert f"--store '{server.shown()}'" in run.stderr
        return run.stdout

    judged(1, 100.0)
    assert "since" in judged(2, 90.0)
    assert server.ask("SELECT count(*) FROM streamgage.runs WHERE kind = 'fleet'") == [(2,)]
