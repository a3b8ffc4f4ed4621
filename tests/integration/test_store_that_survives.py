"""The store under what happens to files: killed writers, several at once, full and barred disks."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import BinaryIO

import pytest
from example_records import as_lines, good_records
from mounts import mount
from programs import WAIT_SECONDS, misbehaving_engine, one_sentence, streamgage
from store_results import keep, kept_entries, kept_files, made_summary, store_of

from streamgage.store import Store

KILLS = 100


def write(path: Path, first: int, results: int, said: int) -> None:
    """Add results that hold their number; write each to ``said`` when it is kept."""
    for number in range(first, first + results):
        with Store(path, create=True) as store:
            store.add(made_summary(), {"a": b"%d " % number * 20_000, "b": b"%d" % number})
        os.write(said, b"%d\n" % number)


@contextmanager
def writer(path: Path, first: int, results: int) -> Iterator[tuple[BaseProcess, BinaryIO]]:
    """A process that writes, and where it says so."""
    reading, writing = os.pipe()
    process = get_context("fork").Process(target=write, args=(path, first, results, writing))
    process.start()
    os.close(writing)
    with os.fdopen(reading, "rb") as said:
        yield process, said


def check(path: Path, said: set[int]) -> None:
    """All that was said to be kept is there, whole, and nothing is there by half."""
    with sqlite3.connect(path) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert database.execute("PRAGMA foreign_key_check").fetchall() == []
    with Store(path, create=False) as store:
        kept = {int(store.files(each)["b"]): store.files(each) for each in store.numbers()}
        assert said <= kept.keys()
        for number, files in kept.items():
            assert files["a"] == b"%d " % number * 20_000
            entry = store.entry(store.find(files) or 0)
            assert len(entry.rates) == 1


def test_a_writer_that_is_killed_loses_nothing_and_leaves_no_half(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    source = random.Random(9)
    kept: set[int] = set()
    for number in range(1, KILLS + 1):
        with writer(path, 1000 * number, 1000) as (process, said):
            kept.add(int(said.readline()))
            time.sleep(source.uniform(0, 0.03))
            process.kill()
            process.join(WAIT_SECONDS)
            assert process.exitcode == -signal.SIGKILL
            kept |= {int(line) for line in said if line.endswith(b"\n")}
        if number % 10 == 0:
            check(path, kept)
    assert len(kept) >= KILLS


def test_two_writers_at_once_wait_for_each_other(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    with writer(path, 0, 40) as (one, _), writer(path, 1000, 40) as (other, _):
        for process in (one, other):
            process.join(WAIT_SECONDS)
            assert process.exitcode == 0
    check(path, {*range(40), *range(1000, 1040)})
    with Store(path, create=False) as store:
        assert len(store.numbers()) == 80


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 2 MiB, mounted in a name space of its own where that is possible."""
    place = tmp_path / "disk"
    place.mkdir()
    mount("-t", "tmpfs", "-o", "size=2m", "tmpfs", place)
    yield place
    subprocess.run(["umount", str(place)], check=True)


def test_a_full_disk_keeps_what_is_there_and_leaves_the_records_outside(
    tmp_path: Path, small_disk: Path
) -> None:
    store = keep(small_disk / "store.sqlite", good_records())
    (small_disk / "ballast").write_bytes(b"x" * shutil.disk_usage(small_disk).free)
    lines = tmp_path / "lines"
    lines.write_bytes(as_lines(good_records()[:-1]) + as_lines(good_records()[-1:]) * 2)
    engine = misbehaving_engine(tmp_path, f"cat {lines}")
    refused = streamgage("--store", store, folder=tmp_path, engine=engine)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert f"The disk of the store {store} is full" in one_sentence(refused.stderr)
    (small_disk / "ballast").unlink()
    fill = f"head -c 1G /dev/zero > {small_disk}/ballast 2>/dev/null"
    engine = misbehaving_engine(tmp_path, f"{fill}\ncat {lines}")
    run = streamgage("--store", store, "--format", "csv", folder=tmp_path, engine=engine)
    assert run.returncode == 1 and run.stdout.count("\n") == 5
    sentence, again = run.stderr.splitlines()
    (left,) = (tmp_path / "state").rglob("*.jsonl")
    assert sentence.startswith(f"streamgage: The disk of the store {store} is full: make room")
    later = f"`streamgage results import {left} --store {store}` stores it later."
    assert sentence.endswith(f"The measurement stays in {left}: {later}")
    assert again == f"streamgage: To see this again: streamgage show {left} --store {store}"
    assert left.read_bytes() == lines.read_bytes()
    at_first = streamgage("show", left, folder=tmp_path, engine=engine)
    (small_disk / "ballast").unlink()
    with Store(store, create=False) as opened:
        assert opened.numbers() == [1]
    of_store = ("--store", store)
    taken = streamgage("history", *of_store, "--format", "json", folder=tmp_path, engine=engine)
    assert [each["id"] for each in json.loads(taken.stdout)] == [2, 1]
    assert not left.exists()
    again_shown = streamgage("show", left, *of_store, folder=tmp_path, engine=engine)
    assert again_shown.returncode == 0 and again_shown.stdout == at_first.stdout


def test_a_store_that_may_only_be_read_is_read(tmp_path: Path) -> None:
    store = keep(tmp_path / "store.sqlite", good_records())
    mounted = tmp_path / "read-only"
    mounted.mkdir()
    mount("--bind", "-o", "ro", tmp_path, mounted)
    try:
        barred = mounted / store.name
        shown = streamgage("show", "1", "--store", barred, folder=tmp_path)
        assert shown.returncode == 0 and "STREAM triad" in shown.stdout
        listed = streamgage("history", "--store", barred, folder=tmp_path)
        assert listed.returncode == 0 and "triad plain" in listed.stdout
        engine = misbehaving_engine(tmp_path, f"touch {tmp_path}/started")
        measured = streamgage("--store", barred, folder=tmp_path, engine=engine)
        assert (measured.returncode, measured.stdout) == (1, "")
        assert "cannot be written: name another with --store" in one_sentence(measured.stderr)
        assert not (tmp_path / "started").exists()
        removed = streamgage("results", "rm", "1", "--store", barred, folder=tmp_path)
        assert removed.returncode == 1
        assert "cannot be written: name another with --store" in one_sentence(removed.stderr)
    finally:
        subprocess.run(["umount", str(mounted)], check=True)
    with Store(store, create=False) as opened:
        assert opened.numbers() == [1]


def test_a_run_whose_front_was_killed_is_taken_in_by_the_next_look(tmp_path: Path) -> None:
    lines = tmp_path / "lines"
    lines.write_bytes(as_lines(good_records()))
    engine = misbehaving_engine(tmp_path, f"cat {lines}\nkill -9 $PPID\nsleep 0.1")
    run = streamgage(folder=tmp_path, engine=engine)
    assert run.returncode == -signal.SIGKILL
    assert kept_entries(tmp_path) == []
    deadline = time.monotonic() + WAIT_SECONDS
    while not store_of(tmp_path).exists() and time.monotonic() < deadline:  # the engine ends soon
        streamgage("history", folder=tmp_path, engine=engine)
    shown = streamgage("show", "--format", "csv", folder=tmp_path, engine=engine)
    assert shown.returncode == 0 and shown.stdout.count("\n") == 5
    assert list(kept_files(tmp_path).values()) == [lines.read_bytes()]
    assert list((tmp_path / "state").rglob("*.jsonl")) == []


def test_a_series_whose_front_was_killed_keeps_the_records_of_its_runs(tmp_path: Path) -> None:
    lines = tmp_path / "lines"
    lines.write_bytes(as_lines(good_records()))
    body = f"echo x >> turns\ncat {lines}\ntest $(wc -l < turns) -lt 4 || kill -9 $PPID"
    engine = misbehaving_engine(tmp_path, body)
    run = streamgage("measure", "--runs", "3", folder=tmp_path, engine=engine)
    assert run.returncode == -signal.SIGKILL
    listed = streamgage("history", "--format", "json", folder=tmp_path, engine=engine)
    (entry,) = json.loads(listed.stdout)
    assert (entry["kind"], entry["state"]) == ("repeat", "partial")
    shown = streamgage("show", "last", "--format", "json", folder=tmp_path, engine=engine)
    assert shown.returncode == 0
    assert "run 1 is not whole. It was stopped before its end." in one_sentence(shown.stderr)
    document = json.loads(shown.stdout)
    assert (document["interrupted"], len(document["runs"])) == (True, 3), "without the fourth"
    assert "unfinished" in [each["code"] for each in document["findings"]]
    given = streamgage("results", "export", "1", "--files", "out", folder=tmp_path, engine=engine)
    assert given.returncode == 0
    files = sorted((tmp_path / "out" / "run-1").glob("*.jsonl"))
    assert [each.read_bytes() for each in files] == [lines.read_bytes()] * 4


def killed_series(folder: Path, *options: str) -> Path:
    """The engine of a series whose front was killed in its fourth run."""
    lines = folder / "lines"
    lines.write_bytes(as_lines(good_records()))
    body = f"echo x >> turns\ncat {lines}\ntest $(wc -l < turns) -lt 4 || kill -9 $PPID"
    engine = misbehaving_engine(folder, body)
    run = streamgage(
        "measure", "--runs", "3", *options, folder=folder, engine=engine, TMPDIR=str(folder)
    )
    assert run.returncode == -signal.SIGKILL
    return engine


def test_a_killed_series_that_was_not_to_be_stored_is_in_no_store(tmp_path: Path) -> None:
    engine = killed_series(tmp_path, "--no-store")
    listed = streamgage("history", folder=tmp_path, engine=engine)
    assert "No result is stored in " in one_sentence(listed.stderr)
    assert kept_entries(tmp_path) == []


def test_a_killed_series_goes_into_the_store_that_was_named(tmp_path: Path) -> None:
    engine = killed_series(tmp_path, "--store", "mine.sqlite")
    listed = streamgage("history", folder=tmp_path, engine=engine)
    assert "No result is stored in " in one_sentence(listed.stderr)
    of_mine = ("history", "--store", "mine.sqlite", "--format", "json")
    (entry,) = json.loads(streamgage(*of_mine, folder=tmp_path, engine=engine).stdout)
    assert (entry["kind"], entry["state"]) == ("repeat", "partial")
    assert kept_entries(tmp_path) == []


def test_a_folder_of_runs_names_its_result_when_a_store_has_taken_it_in(tmp_path: Path) -> None:
    engine = killed_series(tmp_path)
    (folder,) = (tmp_path / "state" / "streamgage" / "runs").iterdir()
    by_name = [
        streamgage("show", folder, "--format", "json", folder=tmp_path, engine=engine)
        for _ in range(2)
    ]
    assert not folder.exists()
    assert [each.returncode for each in by_name] == [0, 0]
    assert by_name[0].stdout == by_name[1].stdout
