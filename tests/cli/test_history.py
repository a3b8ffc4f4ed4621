"""What is kept, found, shown, given out and taken in."""

from __future__ import annotations

import csv
import io
import json
import os
import sqlite3
import subprocess
from pathlib import Path

import msgspec
import pyarrow.parquet
import pytest
from example_records import MACHINE, as_lines, good_records, stream_records
from example_scale import machine_of
from foreign_outputs import STREAM
from programs import misbehaving_engine, one_sentence, streamgage
from prometheus_client.openmetrics.parser import text_string_to_metric_families
from store_results import keep, kept_entries, kept_files, store_of
from test_scale_command import engine_of

from streamgage.records import AnyRecord, Machine
from streamgage.store.connect import require_room


def on(host: str, time: str) -> list[AnyRecord]:
    """The records of a good run there and then."""
    return [
        msgspec.structs.replace(each, host=host, time=time) if isinstance(each, Machine) else each
        for each in good_records()
    ]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """The user's store with three runs; that with the number 2 is the newest."""
    path = store_of(tmp_path)
    path.parent.mkdir(parents=True)
    return keep(
        path,
        on("node1", "2026-11-02T10:00:00Z"),
        on("node2", "2026-11-04T10:00:00Z"),
        on("node1", "2026-11-03T10:00:00Z"),
    )


def run(folder: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return streamgage(*arguments, folder=folder, engine=folder / "none")


def numbers(folder: Path, *options: str) -> list[int]:
    listed = run(folder, "history", "--format", "json", *options)
    assert listed.returncode == 0, listed.stderr
    return [each["id"] for each in json.loads(listed.stdout)]


@pytest.mark.parametrize("option", [["--store", "other.sqlite"], ["--store=other.sqlite"]])
def test_a_store_may_be_named_before_the_command(
    tmp_path: Path, store: Path, option: list[str]
) -> None:
    store.rename(tmp_path / "other.sqlite")
    for arguments in (["history", "--format", "json"], ["show", "3"], ["results", "export"]):
        before = run(tmp_path, *option, *arguments)
        behind = run(tmp_path, *arguments, *option)
        assert before.returncode == 0, before.stderr
        assert before.stdout == behind.stdout != ""


@pytest.mark.usefixtures("store")
def test_the_newest_stand_first_and_can_be_chosen(tmp_path: Path) -> None:
    assert numbers(tmp_path) == [2, 3, 1]
    assert numbers(tmp_path, "--machine", "node1") == [3, 1]
    assert numbers(tmp_path, "--since", "2026-11-03", "--until", "2026-11-04") == [3]
    assert numbers(tmp_path, "--kernel", "triad", "--most", "1") == [2]
    assert numbers(tmp_path, "--kind", "scale") == []
    assert numbers(tmp_path, "--kind", "measure --runs") == []
    assert numbers(tmp_path, "--kind", "measure") == [2, 3, 1]
    assert numbers(tmp_path, "--since", "2026-11-04T11:00+02:00") == [2], "a time has its zone"


@pytest.mark.usefixtures("store")
def test_the_list_says_of_each_what_it_is(tmp_path: Path) -> None:
    listed = run(tmp_path, "history", "--most", "2")
    lines = listed.stdout.splitlines()
    assert lines[1].split()[:4] == ["2", "2026-11-04", "10:00", "node2"]
    assert "triad plain 5" in lines[1]
    assert len(lines) == 4
    assert "These are the newest 2: --all lists all" in one_sentence(listed.stderr)
    copies = run(tmp_path, "history", "--all", "--kernel", "copy", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(copies.stdout)))
    assert {(each["kernel"], each["store"]) for each in rows} == {
        ("copy", "plain"),
        ("copy", "streaming"),
    }
    latex = run(tmp_path, "history", "--all", "--format", "latex").stdout
    table = latex[latex.index("\\midrule") : latex.index("\\bottomrule")]
    assert [line.split(" & ")[0] for line in table.splitlines()[1:]] == ["2", "3", "1"]
    nothing = run(tmp_path, "history", "--machine", "elsewhere")
    assert (nothing.returncode, nothing.stdout) == (0, "")
    assert "No stored result matches" in one_sentence(nothing.stderr)


@pytest.mark.usefixtures("store")
def test_what_is_removed_is_gone_and_the_rest_is_not(tmp_path: Path) -> None:
    refused = run(tmp_path, "results", "rm", "1", "9")
    assert refused.returncode == 2
    assert "There is no result 9 in" in one_sentence(refused.stderr)
    assert numbers(tmp_path) == [2, 3, 1], "all or none"
    removed = run(tmp_path, "results", "rm", "1", "last", "1")
    assert one_sentence(removed.stderr) == "Removed: run 1, run 2."
    assert numbers(tmp_path) == [3]
    shown = run(tmp_path, "show", "1")
    assert shown.returncode == 2
    assert "the nearest is 3; `streamgage history` lists all." in one_sentence(shown.stderr)


def test_every_result_is_kept_and_shown_again_as_it_was(tmp_path: Path) -> None:
    lines = tmp_path / "lines"
    lines.write_bytes(as_lines(stream_records()))
    engine = misbehaving_engine(tmp_path, f"cat {lines}")
    first = streamgage("--format", "json", folder=tmp_path, engine=engine)
    assert first.returncode == 0
    assert one_sentence(first.stderr) == "To see this again: streamgage show 1"
    again = run(tmp_path, "show", "1", "--format", "json")
    assert (again.stdout, again.stderr) == (first.stdout, "")
    for form in ("table", "stream", "csv", "markdown"):
        printed = streamgage("--format", form, "--no-store", folder=tmp_path, engine=engine)
        kept = run(tmp_path, "show", "1", "--format", form)
        of_file = run(tmp_path, "show", "lines", "--format", form)
        assert kept.stdout == of_file.stdout == printed.stdout != ""
    engine = engine_of(tmp_path, machine_of(1, 2))
    options = ["--rounds", "1", "--cpus", "compact", "--format", "dat"]
    scaled = streamgage("scale", *options, folder=tmp_path, engine=engine)
    assert one_sentence(scaled.stderr) == "To see this again: streamgage show 2"
    assert run(tmp_path, "show", "last", "--format", "dat").stdout == scaled.stdout


def test_results_go_where_they_are_asked_to(tmp_path: Path) -> None:
    lines = tmp_path / "lines"
    lines.write_bytes(as_lines(good_records()))
    engine = misbehaving_engine(tmp_path, f"cat {lines}")
    there = streamgage("--store", "a b.sqlite", folder=tmp_path, engine=engine)
    assert "streamgage show 1 --store 'a b.sqlite'" in one_sentence(there.stderr)
    assert not store_of(tmp_path).exists()
    shown = run(tmp_path, "show", "1", "--store", "a b.sqlite")
    assert shown.returncode == 0 and "\n Quote  " in shown.stdout
    streamgage(folder=tmp_path, engine=engine, STREAMGAGE_STORE="c.sqlite")
    assert (tmp_path / "c.sqlite").exists()
    nowhere = streamgage("--no-store", folder=tmp_path, engine=engine)
    assert (nowhere.returncode, nowhere.stderr) == (0, "")
    named = streamgage("--no-store", "--records", "r.jsonl", folder=tmp_path, engine=engine)
    assert one_sentence(named.stderr) == "To see this again: streamgage show r.jsonl"
    assert (tmp_path / "r.jsonl").read_bytes() == lines.read_bytes()
    both = streamgage("--no-store", "--store", "x", folder=tmp_path, engine=engine)
    assert both.returncode == 2
    assert "exclude each other" in one_sentence(both.stderr)
    assert not store_of(tmp_path).exists()
    assert list((tmp_path / "state").rglob("*.jsonl")) == []


def test_a_store_that_is_spoiled_meanwhile_leaves_the_records_where_they_are(
    tmp_path: Path,
) -> None:
    lines = tmp_path / "lines"
    lines.write_bytes(as_lines(good_records()))
    engine = misbehaving_engine(tmp_path, f"cat {lines}\nyes no | head -c 9999 > s.sqlite")
    measured = streamgage("--store", "s.sqlite", folder=tmp_path, engine=engine)
    assert measured.returncode == 1 and "\n Quote  " in measured.stdout
    (file,) = (tmp_path / "state").rglob("*.jsonl")
    first, again = measured.stderr.splitlines()
    later = f"`streamgage results import {file} --store s.sqlite` stores it later."
    assert "s.sqlite is neither a store" in first
    assert first.endswith(f"The measurement stays in {file}: {later}")
    assert again == f"streamgage: To see this again: streamgage show {file} --store s.sqlite"
    assert run(tmp_path, "show", file, "--store", "s.sqlite").stdout == measured.stdout


FOREIGN = "CREATE TABLE mine (x)"
UNUSABLE = {
    "folder": (".", "is a folder, not a store: name a file with --store"),
    "device": ("/dev/null", "is a device or a pipe, not a store: name a file with --store"),
    "pipe": ("pipe", "is a device or a pipe, not a store: name a file with --store"),
    "no database": ("notes", "is neither a store of streamgage nor another database: name another"),
    "foreign": ("foreign", "is a database, but not a store of streamgage: name another"),
    "no folder": ("no/such/store", "There is no folder no/such for the store"),
}
OTHER_COMMANDS = [("no folder", "scale"), ("foreign", "latency"), ("folder", "numa")]


@pytest.mark.parametrize("option", [True, False])
@pytest.mark.parametrize(
    ("why", "command"), [*((why, "measure") for why in UNUSABLE), *OTHER_COMMANDS]
)
def test_a_named_store_that_cannot_be_used_is_refused_before_measuring(
    tmp_path: Path, why: str, command: str, option: bool
) -> None:
    (tmp_path / "notes").write_text("no database\n" * 99)
    os.mkfifo(tmp_path / "pipe")
    with sqlite3.connect(tmp_path / "foreign") as database:
        database.execute(FOREIGN)
    before = sorted(tmp_path.rglob("*"))
    store, sentence = UNUSABLE[why]
    engine = misbehaving_engine(tmp_path, f"touch {tmp_path}/started")
    made = sorted({*tmp_path.rglob("*")} - {*before})
    measured = (
        streamgage(command, "--store", store, folder=tmp_path, engine=engine)
        if option
        else streamgage(command, folder=tmp_path, engine=engine, STREAMGAGE_STORE=store)
    )
    assert measured.returncode in (1, 2) and measured.stdout == ""
    assert sentence in one_sentence(measured.stderr)
    assert sorted({*tmp_path.rglob("*")} - {*before}) == made, "nothing was made"


def test_a_store_that_is_not_there_yet_is_made_when_there_is_a_result(tmp_path: Path) -> None:
    refused = streamgage("--store", "new", "--size", "x", folder=tmp_path)
    assert refused.returncode == 2 and not (tmp_path / "new").exists()
    (tmp_path / "empty").touch()
    (tmp_path / "lines").write_bytes(as_lines(good_records()))
    engine = misbehaving_engine(tmp_path, f"cat {tmp_path}/lines")
    for store in ("new", "empty"):
        measured = streamgage("--store", store, folder=tmp_path, engine=engine)
        assert measured.returncode == 0
        assert f"streamgage show 1 --store {store}" in one_sentence(measured.stderr)


def test_a_store_that_another_program_writes_to_is_no_reason_to_refuse(tmp_path: Path) -> None:
    (tmp_path / "lines").write_bytes(as_lines(good_records()))
    engine = misbehaving_engine(tmp_path, f"touch started\ncat {tmp_path}/lines")
    store = keep(tmp_path / "store", good_records()[:-1])
    with sqlite3.connect(store) as database:
        database.execute("BEGIN IMMEDIATE")
        require_room(store)
        database.execute("ROLLBACK")
    assert streamgage("--store", store, folder=tmp_path, engine=engine).returncode == 0


def test_a_series_without_a_store_leaves_nothing(tmp_path: Path) -> None:
    engine = engine_of(tmp_path, machine_of(1, 2))
    options = ["--rounds", "1", "--cpus", "compact", "--no-store"]
    scaled = streamgage("scale", *options, folder=tmp_path, engine=engine)
    assert (scaled.returncode, scaled.stderr) == (0, "")
    assert [each for each in (tmp_path / "state").rglob("*") if each.is_file()] == []
    assert not store_of(tmp_path).exists()


@pytest.mark.usefixtures("store")
def test_figures_are_given_out_as_rows(tmp_path: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(run(tmp_path, "results", "export").stdout)))
    assert len(rows) == 3 * 4
    assert [each["run"] for each in rows[::4]] == ["1", "3", "2"], "the oldest first"
    assert {each["host"] for each in rows} == {"node1", "node2"}
    made = run(tmp_path, "results", "export", "2", "--format", "parquet", "-o", "x.parquet")
    assert made.returncode == 0, made.stderr
    table = pyarrow.parquet.read_table(tmp_path / "x.parquet").to_pylist()
    assert [str(each["median_gbps"]) for each in table] == [
        each["median_gbps"] for each in rows if each["run"] == "2"
    ]


@pytest.mark.usefixtures("store")
def test_samples_are_given_out_as_rows(tmp_path: Path) -> None:
    rows = list(
        csv.DictReader(
            io.StringIO(run(tmp_path, "results", "export", "1", "2", "--samples").stdout)
        )
    )
    assert len(rows) == 2 * 4 * 20
    sums = [each for each in rows if each["kernel"] == "sum" and each["run"] == "1"]
    assert len({each["block"] for each in sums}) == 20
    for each in sums:
        assert float(each["gbps"]) > 0 and float(each["seconds"]) > 0


@pytest.mark.usefixtures("store")
def test_monitoring_gets_the_newest_figures_of_each_host(tmp_path: Path) -> None:
    text = run(tmp_path, "results", "export", "--format", "openmetrics").stdout
    families = {each.name: each for each in text_string_to_metric_families(text)}
    bandwidth = families["streamgage_bandwidth_bytes_per_second"]
    assert bandwidth.unit == "bytes_per_second"
    triads = [
        each
        for each in bandwidth.samples
        if each.labels["kernel"] == "triad" and each.labels["statistic"] == "median"
    ]
    assert sorted(each.labels["host"] for each in triads) == ["node1", "node2"]
    assert all(1e9 < each.value < 1e12 for each in triads)
    times = {
        each.labels["host"]: each.value
        for each in families["streamgage_measured_timestamp_seconds"].samples
    }
    assert times["node2"] - times["node1"] == 24 * 3600, "of node1 the newer run"


@pytest.mark.usefixtures("store")
def test_what_is_given_out_can_be_taken_in_again(tmp_path: Path) -> None:
    run(tmp_path, "results", "export", "--format", "json", "-o", "all.json")
    taken = run(tmp_path, "results", "import", "all.json", "--store", "other.sqlite")
    assert taken.returncode == 0, taken.stderr
    assert taken.stderr.count("is now run") == 3
    here = run(tmp_path, "show", "1", "--format", "csv").stdout
    there = run(tmp_path, "show", "1", "--format", "csv", "--store", "other.sqlite").stdout
    assert here.splitlines()[0] == there.splitlines()[0]
    columns = [line.split(",")[:8] for line in here.splitlines()]
    assert columns == [line.split(",")[:8] for line in there.splitlines()]


@pytest.mark.usefixtures("store")
def test_all_kinds_of_files_are_taken_in_once(tmp_path: Path) -> None:
    (tmp_path / "stream.log").write_text(STREAM)
    (tmp_path / "run.jsonl").write_bytes(as_lines(on("node3", "2026-11-05T10:00:00Z")))
    engine = engine_of(tmp_path, machine_of(1, 2))
    options = ["--rounds", "1", "--cpus", "compact", "--format", "json", "-o", "scale.json"]
    streamgage("scale", *options, "--store", "s.sqlite", folder=tmp_path, engine=engine)
    given = run(tmp_path, "results", "export", "1", "--files", "out", "--store", "s.sqlite")
    assert one_sentence(given.stderr) == "Written: out/run-1"
    files = ["stream.log", "run.jsonl", "scale.json", "out/run-1", "s.sqlite"]
    taken = run(tmp_path, "results", "import", *files)
    assert [line.rpartition(" is now ")[2] for line in taken.stderr.splitlines()[:4]] == [
        *("run 4.", "run 5.", "run 6.", "run 7."),
    ]
    assert taken.stderr.splitlines()[4].endswith("s.sqlite, run 1 was already stored as run 7.")
    again = run(tmp_path, "results", "import", *files)
    assert again.stderr.count("was already stored as") == 5
    kinds = {each.id: each.tool or each.kind for each in kept_entries(tmp_path)}
    assert kinds == {1: "measure", 2: "measure", 3: "measure"} | {
        **{4: "STREAM", 5: "measure", 6: "scale", 7: "scale"},
    }
    assert (
        "To quote:" in run(tmp_path, "show", "4").stdout
        or "STREAM" in run(tmp_path, "show", "4").stdout
    )


@pytest.mark.usefixtures("store")
def test_a_file_that_leads_out_of_its_folder_is_not_written(tmp_path: Path) -> None:
    from streamgage.store import Store

    with Store(store_of(tmp_path), create=False) as store:
        entry = store.entry(1)
        number = store.add(entry, {"../../evil": b"x"})
    given = run(tmp_path, "results", "export", str(number), "--files", "out/deep")
    assert given.returncode == 1
    said = one_sentence(given.stderr)
    assert "is damaged (Expected the name of a file within a folder - at `$.name`)" in said
    assert not (tmp_path / "evil").exists() and not (tmp_path / "out" / "evil").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["history"], "No result is stored in"),
        (["show"], "No result is stored in"),
        (["history", "--since", "soon"], "--since 'soon' is not a time: write a date such as"),
        (["history", "--kind", "song"], "--kind 'song' is not known: use measure, scale"),
        (["history", "--most", "0"], "--most '0' is not a whole number"),
        (["history", "--format", "xml"], "--format 'xml' is not known"),
        (
            ["history", "--store", "notes"],
            "notes is neither a store of streamgage nor another database",
        ),
        (["history", "--store", "."], ". is a folder, not a store"),
        (["results", "rm", "first"], "'first' is not the number of a stored result"),
        (["results", "rm"], "Missing argument"),
        (
            ["results", "export", "1", "--machine", "x"],
            "leave --machine, --kernel, --kind, --since",
        ),
        (["results", "export", "--files", "out"], "--files needs named results"),
        (["results", "export", "--samples", "--format", "json"], "--samples needs --format csv"),
        (["results", "export", "--format", "parquet"], "Parquet is binary: name a file with -o"),
        (["results", "import", "none"], "none cannot be read: No such file or directory"),
        (
            ["results", "import", "notes"],
            "notes is neither a result of streamgage nor the output of",
        ),
        (["results", "import", "."], ". has no result of a series: name a folder that"),
        (["show", "x", "--format", "song"], "--format 'song' is not known: use table, stream"),
    ],
)
def test_bad_usage_is_one_sentence(tmp_path: Path, arguments: list[str], said: str) -> None:
    (tmp_path / "notes").write_text("nothing of interest, but long enough to be read\n" * 30)
    if arguments[:2] in (["results", "rm"], ["results", "export"]):
        path = store_of(tmp_path)
        path.parent.mkdir(parents=True)
        keep(path, good_records())
    refused = run(tmp_path, *arguments)
    assert (refused.returncode, refused.stdout) == (2, ""), refused.stderr
    assert said in one_sentence(refused.stderr)


def test_what_one_file_lacks_costs_the_others_nothing(tmp_path: Path) -> None:
    (tmp_path / "good.jsonl").write_bytes(as_lines(good_records()))
    (tmp_path / "cut.jsonl").write_bytes(as_lines(good_records()[:-2])[:-9])
    (tmp_path / "bad").write_text("nonsense")
    taken = run(tmp_path, "results", "import", "good.jsonl", "cut.jsonl", "bad", "good.jsonl")
    assert taken.returncode == 2
    assert {each.id: each.state for each in kept_entries(tmp_path)} == {1: "complete", 2: "partial"}
    assert kept_files(tmp_path, 1) == {"good.jsonl": as_lines(good_records())}
    shown = run(tmp_path, "show", "2")
    assert shown.returncode == 0
    assert "unfinished" in shown.stdout


@pytest.mark.usefixtures("store")
def test_a_folder_that_was_given_out_is_taken_in(tmp_path: Path) -> None:
    (tmp_path / "cut.jsonl").write_bytes(as_lines(good_records()[:-2]))
    assert run(tmp_path, "results", "import", "cut.jsonl").returncode == 0
    given = run(tmp_path, "results", "export", "1", "4", "--files", "out")
    assert given.returncode == 0, given.stderr
    taken = run(tmp_path, "results", "import", "out", "--store", "other.sqlite")
    assert taken.returncode == 0, taken.stderr
    listed = run(tmp_path, "history", "--format", "json", "--store", "other.sqlite")
    states = {each["host"]: each["state"] for each in json.loads(listed.stdout)}
    assert states == {"node1": "complete", MACHINE.host: "partial"}
    again = run(tmp_path, "results", "import", "out/run-1")
    assert one_sentence(again.stderr).endswith("was already stored as run 1.")


def test_what_is_cut_off_stays_so_on_its_way_through_a_document(tmp_path: Path) -> None:
    (tmp_path / "cut.jsonl").write_bytes(as_lines(good_records()[:-2]))
    run(tmp_path, "results", "import", "cut.jsonl")
    (before,) = kept_entries(tmp_path)
    run(tmp_path, "results", "export", "--format", "json", "-o", "all.json")
    run(tmp_path, "results", "import", "all.json", "--store", "other.sqlite")
    listed = run(tmp_path, "history", "--format", "json", "--store", "other.sqlite")
    (after,) = json.loads(listed.stdout)
    assert (after["state"], after["array_bytes"]) == ("partial", before.array_bytes)
    document = run(tmp_path, "show", "1", "--format", "json").stdout
    (tmp_path / "it.json").write_text(document)
    run(tmp_path, "results", "import", "it.json", "--store", "third.sqlite")
    listed = run(tmp_path, "history", "--format", "json", "--store", "third.sqlite")
    assert json.loads(listed.stdout)[0]["state"] == "partial"


@pytest.mark.parametrize(
    "options", [["--records", "s.sqlite"], ["-o", "s.sqlite"], ["-o", "s.sqlite", "--store", "t"]]
)
def test_nothing_is_written_over_a_store(tmp_path: Path, options: list[str]) -> None:
    store = keep(tmp_path / "s.sqlite", good_records())
    before = store.read_bytes()
    (tmp_path / "lines").write_bytes(as_lines(good_records()))
    engine = misbehaving_engine(tmp_path, f"cat {tmp_path}/lines")
    refused = streamgage(*options, folder=tmp_path, engine=engine)
    assert refused.returncode == 2
    assert "s.sqlite cannot be written: it is a database" in one_sentence(refused.stderr)
    assert store.read_bytes() == before


def test_a_series_that_was_cut_off_after_one_run_is_no_measurement(tmp_path: Path) -> None:
    left = tmp_path / "state" / "streamgage" / "runs" / "20260131T120000Z-elsewhere-1-repeat"
    left.mkdir(parents=True)
    (left / "0001-cores.jsonl").write_bytes(as_lines(good_records()))
    for path in (left / "0001-cores.jsonl", left):
        os.utime(path, (0, 0))
    shown = run(tmp_path, "show")
    assert shown.returncode == 2
    assert "Run 1 is a repeat that was cut off before it had a result" in one_sentence(shown.stderr)
    assert not left.exists()


def test_documents_of_others_give_a_terminal_no_orders(tmp_path: Path) -> None:
    records = on("evil\x1b[2J\x1b]0;pwn\x07", "2026-11-05T10:00:00Z")
    (tmp_path / "evil.jsonl").write_bytes(as_lines(records))
    run(tmp_path, "results", "import", "evil.jsonl")
    for command in (["history"], ["show"], ["show", "evil.jsonl", "--format", "markdown"]):
        first = run(tmp_path, *command)
        assert first.returncode == 0 and "\x1b" not in first.stdout and "\x07" not in first.stdout
    run(tmp_path, "show", "--format", "json", "-o", "evil.json")
    assert "\x1b" not in run(tmp_path, "show", "evil.json", "--format", "csv").stdout


def test_a_time_that_is_none_is_not_believed(tmp_path: Path) -> None:
    (tmp_path / "odd.jsonl").write_bytes(as_lines(on("node1", "garbage")))
    taken = run(tmp_path, "results", "import", "odd.jsonl")
    assert taken.returncode == 0
    assert "Line 1 of the records is not a record and was left out" in taken.stderr
    (entry,) = kept_entries(tmp_path)
    assert (entry.started, entry.host, entry.state) == (None, None, "partial")


def test_what_was_removed_leaves_plain_sentences(tmp_path: Path) -> None:
    (tmp_path / "run.jsonl").write_bytes(as_lines(good_records()))
    assert run(tmp_path, "results", "import", "none.jsonl").returncode == 2
    assert not store_of(tmp_path).exists(), "nothing is made for nothing"
    run(tmp_path, "results", "import", "run.jsonl")
    run(tmp_path, "results", "rm", "1")
    for line in (("history",), ("show", "1"), ("show", "last")):
        assert "No result is stored in" in one_sentence(run(tmp_path, *line).stderr), line
