"""Files in a folder that everybody may write, where another user has made links."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from streamgage.errors import UsageError
from streamgage.records.files import resolved
from streamgage.records.spool_folder import file_name, new_folder, open_spool

ANOTHER = 4_000_000


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    """Such a folder, of this user."""
    folder = tmp_path / "shared"
    folder.mkdir()
    folder.chmod(0o1777)
    return folder


@pytest.fixture
def precious(tmp_path: Path) -> Path:
    """A file that nothing may change."""
    file = tmp_path / "precious"
    file.write_text("precious\n")
    return file


@pytest.fixture
def link_of_another(precious: Path) -> Iterator[Path]:
    """A link in the temporary folder of the system, which belongs to neither of two users."""
    link = Path(tempfile.mktemp(dir="/tmp"))
    link.symlink_to(precious)
    if os.geteuid() == 0:
        os.lchown(link, ANOTHER + 1, -1)
    yield link
    link.unlink()


def test_a_link_of_another_user_in_a_shared_folder_is_not_followed(link_of_another: Path) -> None:
    with pytest.raises(OSError, match="is a link that another user made"):
        resolved(link_of_another, ANOTHER)
    with pytest.raises(OSError, match="is a link that another user made"):
        resolved(link_of_another / "file", ANOTHER)


def test_neither_is_one_that_a_link_of_our_own_leads_to(
    link_of_another: Path, tmp_path: Path
) -> None:
    (tmp_path / "own").symlink_to(link_of_another)
    with pytest.raises(OSError, match=f"{link_of_another} is a link that another user made"):
        resolved(tmp_path / "own", ANOTHER)


def test_links_of_our_own_are_followed(shared: Path, precious: Path) -> None:
    (shared / "own").symlink_to(precious)
    (precious.parent / "again").symlink_to("shared/../shared/own")
    assert resolved(shared / "own") == precious
    assert resolved(precious.parent / "again") == precious
    assert resolved(shared / "not there") == shared / "not there"


def test_links_in_a_circle_are_an_error(tmp_path: Path) -> None:
    (tmp_path / "one").symlink_to("two")
    (tmp_path / "two").symlink_to("one")
    with pytest.raises(OSError, match="Too many levels of symbolic links"):
        resolved(tmp_path / "one")


def test_records_do_not_go_through_a_link_of_another_user(
    link_of_another: Path, precious: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: ANOTHER)
    with pytest.raises(UsageError, match="another user made; name another with --records"):
        open_spool(link_of_another, pytest.fail)
    assert precious.read_text() == "precious\n"


def test_a_link_by_the_name_of_the_next_records_is_left_alone(
    shared: Path, precious: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HOME")
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.setattr("tempfile.tempdir", str(shared))
    name = "20260131T120000Z-node-1.jsonl"
    monkeypatch.setattr("streamgage.records.spool_folder.file_name", lambda *_: name)
    (shared / f"streamgage-{name}").symlink_to(precious)
    spool = open_spool(None, lambda _: None)
    os.write(spool.descriptor, b"one\n")
    spool.fetch()
    kept = spool.close(worth_keeping=True)
    assert precious.read_text() == "precious\n"
    assert kept is not None and kept.parent == shared and kept.read_bytes() == b"one\n"
    assert kept.stat().st_mode & 0o777 == 0o600


def test_two_runs_of_one_second_have_files_of_their_own(
    shared: Path, precious: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def in_one_second(now: datetime, host: str, process: int) -> str:
        late = (now - datetime.now(now.tzinfo)).total_seconds()
        return file_name(
            datetime(2026, 1, 31, 12, 0, round(max(0, late)), tzinfo=now.tzinfo), "n", 1
        )

    monkeypatch.setenv("XDG_STATE_HOME", str(shared))
    monkeypatch.setattr("streamgage.records.spool_folder.file_name", in_one_second)
    (shared / "streamgage" / "runs").mkdir(parents=True)
    (shared / "streamgage" / "runs" / "20260131T120000Z-n-1.jsonl").symlink_to(precious)
    spools = [open_spool(None, pytest.fail) for _ in range(2)]
    for spool in spools:
        os.write(spool.descriptor, b"one\n")
    kept = [spool.close(worth_keeping=True) for spool in spools]
    assert [each.name for each in kept if each is not None] == [
        "20260131T120001Z-n-1.jsonl",
        "20260131T120002Z-n-1.jsonl",
    ]
    assert precious.read_text() == "precious\n"
    with new_folder("scale", pytest.fail) as first, new_folder("scale", pytest.fail) as second:
        assert first != second
