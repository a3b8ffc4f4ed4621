"""The file to which the records of a run go."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from streamgage.records.spool import Spool, spool_in

OWN = b'{"record":"label","text":"night"}\n'
FIRST = b'{"record":"machine"}\n'


@pytest.fixture
def earlier(tmp_path: Path) -> Path:
    """A file with the records of an earlier run."""
    path = tmp_path / "run.jsonl"
    path.write_bytes(b"earlier\n")
    return path


def spool_with_label(path: Path) -> Spool:
    spool = spool_in(path, pytest.fail)
    spool.put(OWN)
    return spool


def test_an_earlier_run_stays_where_the_engine_writes_nothing(earlier: Path) -> None:
    spool = spool_with_label(earlier)
    assert spool.fetch() == b""
    assert spool.close(worth_keeping=True) is None
    assert earlier.read_bytes() == b"earlier\n"
    assert list(earlier.parent.iterdir()) == [earlier]


def test_lines_of_the_front_come_with_the_first_of_the_engine(earlier: Path) -> None:
    spool = spool_with_label(earlier)
    os.write(spool.descriptor, FIRST)
    assert spool.fetch() == OWN + FIRST
    assert spool.close(worth_keeping=True) == earlier
    assert earlier.read_bytes() == OWN + FIRST


def test_a_new_file_in_which_the_engine_wrote_nothing_is_removed(tmp_path: Path) -> None:
    path = tmp_path / "new.jsonl"
    assert spool_with_label(path).close(worth_keeping=True) is None
    assert not path.exists()
