"""No command writes a file that it reads, that another option writes, or that nobody named."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from inspect import Parameter
from itertools import combinations
from pathlib import Path

import pytest
from example_records import as_lines, good_records
from example_results import every_kind
from programs import environment, misbehaving_engine
from tries import CommandEnd, tried

from streamgage.cli.program import command_names, declared
from streamgage.options.declaration import Form, Mode, Option
from streamgage.options.files import Opens

NAMES = {"report": "f.md"}
"""Names of files that commands take for ``-o``; others take ``f.csv``, or draw a picture."""
NEEDED = {"pin": ["0"], "fleet judge": ["missing.jsonl"]}
"""Arguments that come first."""
CONTENT = b"precious\n"


def _options(name: str, *wanted: Opens) -> list[Option]:
    options = declared(name).options.values()
    return [each for each in options if each.found(Opens) in wanted and each.name != "root"]


def _outputs(name: str) -> list[str]:
    """The options that write a file; a folder of new files replaces none that is read."""
    named = [
        each.shown
        for each in _options(name, Opens.WRITES)
        if "FOLDER" not in (each.found(Form) or Form("")).metavar
    ]
    return ["-o", *named] if declared(name).shown is not None else named


def _mode(name: str, option: Option) -> Mode | None:
    """A mode of the command that an option asks for, and that takes this one alone."""
    return next(
        (
            each
            for each in declared(name).modes
            if each.asks is None and option.name in (each.option, *each.own)
        ),
        None,
    )


def _asking(name: str, option: Option) -> list[str]:
    """What asks for the mode of an option."""
    mode = _mode(name, option)
    if mode is None or mode.option == option.name:
        return []
    asks = declared(name).options[mode.option]
    form = asks.found(Form)
    alone = asks.flag or (form is not None and form.alone is not None)
    return [asks.shown] if alone else [asks.shown, "2"]


def _name(command: str, output: str, read: Option | None = None) -> str:
    """The name of a file that the option takes."""
    mode = None if read is None else _mode(command, read)
    shown = declared(command).shown if mode is None else mode.shown
    draws = command == "traffic" or (shown is not None and shown.measures and shown.data)
    return NAMES.get(command, "f.svg" if draws and output == "-o" else "f.csv")


def _line(name: str, read: Option, file: str, rest: list[str]) -> list[str]:
    words = [*name.split(), *NEEDED.get(name, []), *_asking(name, read)]
    if read.found(Opens) is Opens.WORDS:
        if read.kind is Parameter.KEYWORD_ONLY:
            quoted = (read.found(Form) or Form("")).metavar.startswith("'")
            return [*words, read.shown, f"true {file}" if quoted else file, *rest]
        return [*words, *rest, "--", "true", file]
    value = [file] if read.kind is not Parameter.KEYWORD_ONLY else [read.shown, file]
    return [*words, *value, *rest]


def _pairs() -> Iterator[tuple[str, Option, str]]:
    for name in command_names():
        for read in _options(name, Opens.READS, Opens.WORDS):
            for output in _outputs(name):
                yield name, read, output


def _same(folder: Path, file: Path) -> dict[str, Path]:
    """Names of the same file."""
    link, hard = folder / f"link{file.suffix}", folder / f"hard{file.suffix}"
    link.symlink_to(file.name)
    os.link(file, hard)
    return {"name": file, "link": link, "hard link": hard}


@pytest.fixture
def try_in(tmp_path: Path) -> Callable[[list[str]], CommandEnd]:
    folder = tmp_path / "here"
    folder.mkdir()
    engine = misbehaving_engine(tmp_path, 'echo "nothing here" >&2; exit 1')
    variables = environment(tmp_path, engine)
    return lambda line: tried(line, folder, variables)


def test_every_command_with_files_is_tried() -> None:
    tried_commands = {name for name, _, _ in _pairs()}
    assert {
        "show",
        "fleet run",
        "fleet judge",
        "traffic",
        "interpret",
        "results export",
    } <= tried_commands
    for name in command_names():
        for each in declared(name).options.values():
            metavar = (each.found(Form) or Form("")).metavar
            of_files = any(word in metavar for word in ("FILE", "FOLDER", "DIR", "CMD"))
            assert not of_files or each.found(Opens) is not None, f"{name} {each.name}"


@pytest.mark.parametrize(
    ("name", "read", "output"),
    [pytest.param(*each, id=f"{each[0]} {each[1].name} {each[2]}") for each in _pairs()],
)
def test_no_output_is_an_input(
    name: str, read: Option, output: str, tmp_path: Path, try_in: Callable[[list[str]], CommandEnd]
) -> None:
    folder = tmp_path / "here"
    file = folder / _name(name, output, read)
    file.write_bytes(CONTENT)
    for what, other in _same(folder, file).items():
        end = try_in(_line(name, read, str(file), [output, other.name]))
        assert end.complaint is None, (what, end)
        assert "would replace" in end.stderr and end.status == 2, (what, end)
        assert file.read_bytes() == CONTENT
    assert len([*folder.iterdir()]) == 3


@pytest.mark.parametrize("name", [each for each in command_names() if len(_outputs(each)) > 1])
def test_no_two_outputs_are_one_file(
    name: str, tmp_path: Path, try_in: Callable[[list[str]], CommandEnd]
) -> None:
    folder = tmp_path / "here"
    for first, second in combinations(_outputs(name), 2):
        for there in (False, True):
            file = folder / _name(name, first)
            if there:
                file.write_bytes(CONTENT)
            words = [*name.split(), *NEEDED.get(name, [])]
            end = try_in([*words, first, file.name, second, f"./{file.name}"])
            assert end.status == 2 and "name the same file" in end.stderr, end
            assert there == file.exists()
            for each in folder.iterdir():
                each.unlink()


def test_no_output_is_in_a_folder_that_is_read(
    tmp_path: Path, try_in: Callable[[list[str]], CommandEnd]
) -> None:
    study = tmp_path / "here" / "runs"
    study.mkdir()
    (study / "stream-1.svg").write_bytes(CONTENT)
    for line in (["program", "--import", "runs"], ["interpret", "runs"]):
        end = try_in([*line, "-o", "runs/stream-1.svg"])
        assert end.status == 2 and "runs, which this command reads" in end.stderr
        assert (study / "stream-1.svg").read_bytes() == CONTENT
        assert "would replace" not in try_in([*line, "-o", "runs/new.svg"]).stderr


def test_no_output_is_a_store(tmp_path: Path, try_in: Callable[[list[str]], CommandEnd]) -> None:
    folder = tmp_path / "here"
    (folder / "good.jsonl").write_bytes(as_lines(good_records()))
    for name in ("s.sqlite", "s.sqlite-wal", "s.sqlite-journal"):
        end = try_in(["results", "export", "good.jsonl", "--store", "s.sqlite", "-o", name])
        assert end.status == 2 and "a file of the store" in end.stderr, end
        end = try_in(["history", "--store", "s.sqlite", "-o", name])
        assert end.status == 2 and "a file of the store" in end.stderr, end
    assert try_in(["results", "import", "good.jsonl", "--store", "s.sqlite"]).status == 0
    before = (folder / "s.sqlite").read_bytes()
    for name in ("s.sqlite", "s.sqlite-wal", "s.sqlite-shm"):
        end = try_in(["results", "export", "good.jsonl", "-o", name])
        assert end.status == 2 and "it is a database" in end.stderr, end
    assert (folder / "s.sqlite").read_bytes() == before
    with sqlite3.connect(folder / "s.sqlite") as database:
        assert database.execute("SELECT count(*) FROM runs").fetchone() == (1,)


def test_the_data_of_a_picture_replaces_only_the_data_of_that_picture(
    tmp_path: Path, try_in: Callable[[list[str]], CommandEnd]
) -> None:
    folder = tmp_path / "here"
    for each in every_kind():
        [(_, content)] = each.files.items()
        (folder / each.called).write_bytes(content)
    data = folder / "topo.csv"
    data.write_bytes(CONTENT)
    for suffix in ("svg", "png", "pdf", "eps"):
        picture = folder / f"topo.{suffix}"
        line = ["show", "scale.json", "-o", picture.name]
        for there in (False, True):
            if there:
                picture.write_bytes(b"drawn by another program")
            end = try_in(line)
            assert end.status == 2 and "move it" in end.stderr, end
            assert data.read_bytes() == CONTENT
        data.unlink()
        assert try_in(line).status == 0
        first = picture.read_bytes()
        assert try_in(line).status == 0 and picture.read_bytes() == first
        data.write_bytes(CONTENT)
    end = try_in(["show", "topo.csv", "-o", "topo.svg"])
    assert end.status == 2 and data.read_bytes() == CONTENT
    data.unlink()
    assert try_in(["show", "scale.json", "-o", "topo.png"]).status == 0
    before = data.read_bytes()
    end = try_in(["show", "ladder.json", "-o", "topo.pdf"])
    assert end.status == 1 and "move it" in end.stderr and data.read_bytes() == before


def test_a_file_on_standard_output_is_no_input(tmp_path: Path) -> None:
    folder = tmp_path / "here"
    folder.mkdir()
    variables = environment(tmp_path, None)
    end = tried(["show", str(tmp_path / "output" / "stdout")], folder, variables)
    assert "standard output would replace" in end.stderr
