from __future__ import annotations

from pathlib import Path

import pytest
from example_records import as_lines, good_records
from hypothesis import given
from hypothesis import strategies as st

from streamgage.errors import UsageError
from streamgage.records.reader import decode_lines, read_records

LINES = as_lines(good_records()).splitlines(keepends=True)


def test_what_was_written_reads_back() -> None:
    notes: list[str] = []
    assert list(decode_lines(LINES, notes.append)) == good_records()
    assert notes == []


def test_a_line_cut_off_by_a_kill_is_dropped_with_a_note() -> None:
    notes: list[str] = []
    cut = [*LINES[:5], LINES[5][:20]]
    assert list(decode_lines(cut, notes.append)) == good_records()[:5]
    assert notes == ["The last line of the records (line 6) is cut off and was left out."]


def test_a_whole_last_line_without_newline_counts() -> None:
    notes: list[str] = []
    assert len(list(decode_lines([*LINES[:5], LINES[5].rstrip()], notes.append))) == 6
    assert notes == []


def test_lines_of_others_are_left_out_and_told_of() -> None:
    notes: list[str] = []
    mixed = [LINES[0], b"Intel MKL WARNING\n", b"\n", b"\xff\xfe\n", b"[1]\n", b"{}\n", LINES[1]]
    assert list(decode_lines(mixed, notes.append)) == good_records()[:2]
    assert len(notes) == 4
    assert notes[0].startswith("Line 2 of the records is not a record and was left out")
    assert notes[-1] == "4 lines of the records were left out in all."


def test_newer_records_are_refused() -> None:
    newer = b'{"record": "machine", "schema": 2, "colour": "red"}\n'
    with pytest.raises(UsageError, match="version 2, and this streamgage reads up to version 1"):
        list(decode_lines([newer], lambda _: None))


@given(st.lists(st.binary(max_size=80)))
def test_no_bytes_make_the_reader_fail(lines: list[bytes]) -> None:
    list(decode_lines(lines, lambda _: None))


@pytest.mark.parametrize("content", [b"", b"hello\n", b"\n\n"])
def test_a_file_without_records_is_refused(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "x.jsonl"
    file.write_bytes(content)
    with pytest.raises(UsageError, match="has no records of streamgage"):
        read_records(file, lambda _: None)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read: No such file"):
        read_records(tmp_path / "nothing", lambda _: None)
