from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from streamgage.errors import UsageError
from streamgage.runs import file_name, newest_run, open_keeper, runs_folder


def test_runs_are_kept_where_xdg_says(tmp_path: Path) -> None:
    assert runs_folder({"XDG_STATE_HOME": str(tmp_path)}) == tmp_path / "streamgage" / "runs"
    home = Path("~/.local/state/streamgage/runs").expanduser()
    assert runs_folder({}) == runs_folder({"XDG_STATE_HOME": "relative"}) == home


def test_names_sort_by_time_and_hold_no_strange_character() -> None:
    name = file_name(datetime(2026, 1, 31, 12, tzinfo=UTC), "node 7/a", 4711)
    assert name == "20260131T120000Z-node_7_a-4711.jsonl"


def test_the_newest_run_is_found_and_empty_files_are_not(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No run is kept"):
        newest_run(tmp_path / "none")
    for name in ("20260131T120000Z-a-1.jsonl", "20260201T120000Z-a-1.jsonl"):
        (tmp_path / name).write_text("x")
    (tmp_path / "20270101T000000Z-a-1.jsonl").touch()
    assert newest_run(tmp_path).name == "20260201T120000Z-a-1.jsonl"


def test_each_line_is_on_disk_at_once(tmp_path: Path) -> None:
    keeper = open_keeper(tmp_path / "run.jsonl", print)
    keeper.keep(b"one\n")
    assert keeper.path.read_bytes() == b"one\n"
    assert keeper.close(worth_keeping=True) == tmp_path / "run.jsonl"


def test_an_earlier_run_is_replaced_only_when_the_first_line_comes(tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    file.write_bytes(b"earlier\n")
    keeper = open_keeper(file, print)
    assert keeper.close(worth_keeping=False) is None
    assert file.read_bytes() == b"earlier\n"
    keeper = open_keeper(file, print)
    keeper.keep(b"later\n")
    keeper.close(worth_keeping=True)
    assert file.read_bytes() == b"later\n"


def test_a_run_not_worth_keeping_leaves_no_file(tmp_path: Path) -> None:
    keeper = open_keeper(tmp_path / "run.jsonl", print)
    keeper.keep(b"machine\n")
    assert keeper.close(worth_keeping=False) is None
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_gives_way_with_a_note(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    notes: list[str] = []
    keeper = open_keeper(None, notes.append)
    try:
        assert len(notes) == 1
        assert "cannot be written (Not a directory)" in notes[0]
        assert str(keeper.path) in notes[0]
    finally:
        keeper.close(worth_keeping=False)


def test_a_named_file_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="name another with --records"):
        open_keeper(tmp_path / "no" / "run.jsonl", print)


def test_a_full_disk_is_told_once_and_stops_nothing() -> None:
    notes: list[str] = []
    keeper = open_keeper(Path("/dev/full"), notes.append)
    keeper.keep(b"one\n")
    keeper.keep(b"two\n")
    assert keeper.close(worth_keeping=True) is None
    assert len(notes) == 1
    assert "No space left on device" in notes[0]
