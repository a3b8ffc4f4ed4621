from __future__ import annotations

import os
import re
import socket
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import NoReturn

import pytest

from streamgage.errors import UsageError
from streamgage.records.spool import Spool, spool_in
from streamgage.records.spool_folder import (
    file_name,
    left_behind,
    new_folder,
    open_spool,
    runs_folder,
)


def test_runs_are_kept_where_xdg_says(tmp_path: Path) -> None:
    assert runs_folder({"XDG_STATE_HOME": str(tmp_path)}) == tmp_path / "streamgage" / "runs"
    for state in ({}, {"XDG_STATE_HOME": ""}, {"XDG_STATE_HOME": "relative"}):
        assert runs_folder({"HOME": "/h", **state}) == Path("/h/.local/state/streamgage/runs")


def test_names_sort_by_time_and_hold_no_strange_character() -> None:
    name = file_name(datetime(2026, 1, 31, 12, tzinfo=UTC), "node 7/a", 4711)
    assert name == "20260131T120000Z-node_7_a-4711.jsonl"


def test_what_a_run_left_is_found_when_nobody_is_at_work_on_it(tmp_path: Path) -> None:
    assert left_behind(tmp_path / "none") == []
    host = re.sub(r"[^A-Za-z0-9._]+", "_", socket.gethostname())
    gone, here = 2**22 + 1, os.getppid()  # above the highest number of a process
    of_dead = tmp_path / f"20260131T120000Z-{host}-{gone}.jsonl"
    of_series = tmp_path / f"20260131T120001Z-{host}-{gone}-scale"
    of_living = tmp_path / f"20260131T120002Z-{host}-{here}.jsonl"
    of_others = tmp_path / "20260131T120003Z-elsewhere-1.jsonl"
    foreign = tmp_path / "notes.txt"
    of_series.mkdir()
    for path in (of_dead, of_living, of_others, foreign):
        path.touch()
    found = [(each.path, each.kind) for each in left_behind(tmp_path)]
    assert found == [(of_dead, None), (of_series, "scale")]
    os.utime(of_others, (0, 0))
    assert of_others in [each.path for each in left_behind(tmp_path)]


def test_a_series_that_fails_leaves_a_folder_only_if_it_has_files(tmp_path: Path) -> None:
    for name in (None, "one.jsonl"):
        with pytest.raises(UsageError), new_folder("scale", print, lambda: tmp_path) as folder:
            assert folder is not None
            if name is not None:
                (folder / name).touch()
            raise UsageError("the engine is not there")
        assert [each.name for each in folder.parent.rglob("*.jsonl")] == (
            [] if name is None else [name]
        )
        assert folder.exists() == (name is not None)


def test_what_an_engine_still_writes_to_is_not_left(tmp_path: Path) -> None:
    host = re.sub(r"[^A-Za-z0-9._]+", "_", socket.gethostname())
    path = tmp_path / f"20260131T120000Z-{host}-{2**22 + 1}.jsonl"
    spool = spool_in(path, print)
    engine = subprocess.Popen(["sleep", "100"], stdout=spool.descriptor)
    write(spool, b"line\n")
    assert spool.close(worth_keeping=True) == path
    try:
        assert left_behind(tmp_path) == [], "its front was killed, and it goes on"
    finally:
        engine.kill()
        engine.wait()
    assert [each.path for each in left_behind(tmp_path)] == [path]


def write(spool: Spool, line: bytes) -> None:
    """Write as the engine does."""
    assert os.write(spool.descriptor, line) == len(line)


def test_what_the_engine_writes_is_in_the_file_at_once(tmp_path: Path) -> None:
    spool = open_spool(tmp_path / "run.jsonl", print)
    write(spool, b"one\n")
    assert (tmp_path / "run.jsonl").read_bytes() == b"one\n"
    assert (spool.fetch(), spool.fetch()) == (b"one\n", b"")
    write(spool, b"two\n")
    assert spool.fetch() == b"two\n"
    assert spool.close(worth_keeping=True) == tmp_path / "run.jsonl"
    assert (tmp_path / "run.jsonl").stat().st_mode & 0o777 == 0o666 & ~umask()


def umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_an_earlier_run_is_replaced_only_when_the_first_line_comes(tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    file.write_bytes(b"earlier\n")
    file.chmod(0o640)
    spool = open_spool(file, print)
    assert spool.fetch() == b""
    assert spool.close(worth_keeping=False) is None
    assert (file.read_bytes(), list(tmp_path.iterdir())) == (b"earlier\n", [file])
    spool = open_spool(file, print)
    write(spool, b"later\n")
    spool.fetch()
    write(spool, b"last\n")
    assert file.read_bytes() == b"later\nlast\n"
    assert spool.close(worth_keeping=True) == file
    assert (file.stat().st_mode & 0o777, list(tmp_path.iterdir())) == (0o640, [file])


def test_a_link_to_an_earlier_run_stays_a_link(tmp_path: Path) -> None:
    link, file = tmp_path / "link", tmp_path / "run.jsonl"
    file.write_bytes(b"earlier\n")
    link.symlink_to(file)
    spool = open_spool(link, print)
    write(spool, b"later\n")
    spool.close(worth_keeping=True)
    assert link.is_symlink() and file.read_bytes() == b"later\n"


def test_an_earlier_run_in_a_folder_that_takes_no_new_file_is_emptied_and_copied_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "run.jsonl"
    file.write_bytes(b"earlier, and longer\n")

    def refuse(_: Path) -> NoReturn:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("streamgage.records.spool.open_next_to", refuse)
    spool = open_spool(file, print)
    spool.fetch()
    assert file.read_bytes() == b"earlier, and longer\n"
    for line in (b"one\n", b"two\n"):
        write(spool, line)
        spool.fetch()
    assert spool.close(worth_keeping=True) == file
    assert file.read_bytes() == b"one\ntwo\n"


def test_a_run_not_worth_keeping_leaves_no_file(tmp_path: Path) -> None:
    spool = open_spool(tmp_path / "run.jsonl", print)
    write(spool, b"machine\n")
    spool.fetch()
    assert spool.close(worth_keeping=False) is None
    assert list(tmp_path.iterdir()) == []


def test_a_pipe_gets_a_copy(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    spool = open_spool(pipe, print)
    write(spool, b"one\n")
    assert spool.fetch() == b"one\n"
    assert os.read(reader, 100) == b"one\n"
    assert spool.close(worth_keeping=True) is None  # nobody can read it again
    os.close(reader)


def test_a_folder_that_cannot_be_written_gives_way_with_a_note(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    notes: list[str] = []
    spool = open_spool(None, notes.append)
    try:
        assert len(notes) == 1
        assert "cannot be written (Not a directory)" in notes[0]
        assert str(spool.path) in notes[0]
    finally:
        spool.close(worth_keeping=False)


def no_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.delenv("HOME", raising=False)


def test_without_a_home_the_temporary_folder_serves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    no_home(monkeypatch)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    notes: list[str] = []
    spool = open_spool(None, notes.append)
    assert spool.path is not None and spool.path.parent == tmp_path
    spool.close(worth_keeping=False)
    assert "no home folder" in notes[0] and str(tmp_path) in notes[0]
    with pytest.raises(UsageError, match=r"no home folder .* set HOME or XDG_STATE_HOME"):
        runs_folder()


def test_without_any_folder_the_records_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> NoReturn:
        raise FileNotFoundError(2, "No usable temporary directory found")

    no_home(monkeypatch)
    monkeypatch.setattr("tempfile.gettempdir", refuse)
    notes: list[str] = []
    spool = open_spool(None, notes.append)
    write(spool, b"one\n")
    assert spool.fetch() == b"one\n"
    assert spool.close(worth_keeping=True) is None
    assert len(notes) == 1
    assert "No usable temporary directory found): the records are not written." in notes[0]


def test_a_named_file_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="name another with --records"):
        open_spool(tmp_path / "no" / "run.jsonl", print)


def test_a_full_device_is_told_once_and_stops_nothing() -> None:
    notes: list[str] = []
    spool = open_spool(Path("/dev/full"), notes.append)
    for line in (b"one\n", b"two\n"):
        write(spool, line)
        assert spool.fetch() == line
    assert spool.close(worth_keeping=True) is None
    assert len(notes) == 1
    assert "No space left on device" in notes[0]
