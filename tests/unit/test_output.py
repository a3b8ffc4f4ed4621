from __future__ import annotations

from pathlib import Path

import pytest

from streamgage.errors import UsageError
from streamgage.show.output import open_output


def test_the_file_is_whole_or_not_there(tmp_path: Path) -> None:
    file = tmp_path / "out.json"
    with open_output(file) as out:
        assert not file.exists()
        out.write("answer\n")
        assert file.read_text() == "answer\n"
    assert list(tmp_path.iterdir()) == [file]


def test_an_existing_file_keeps_its_content_until_success(tmp_path: Path) -> None:
    file = tmp_path / "out.json"
    file.write_text("earlier")
    file.chmod(0o640)

    def fail() -> None:
        with open_output(file):
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert file.read_text() == "earlier"
    assert list(tmp_path.iterdir()) == [file]
    with open_output(file) as out:
        out.write("later")
    assert file.read_text() == "later"
    assert file.stat().st_mode & 0o777 == 0o640


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    link, target = tmp_path / "link", tmp_path / "target"
    link.symlink_to(target)
    with open_output(link) as out:
        out.write("x")
    assert link.is_symlink() and target.read_text() == "x"


@pytest.mark.parametrize("name", ["no/such/folder.json", ".", "file/below"])
def test_what_cannot_be_written_is_refused_at_once(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").touch()
    with (
        pytest.raises(UsageError, match=r"cannot be written: .*; name another with -o"),
        open_output(tmp_path / name),
    ):
        pass


def test_a_device_is_written_directly() -> None:
    with open_output(Path("/dev/null")) as out:
        out.write("x")
    assert Path("/dev/null").is_char_device()
