"""Names of nodes, and what a launcher starts on each and makes of what it says."""

from __future__ import annotations

import platform
import shutil
import subprocess
from pathlib import Path

import pytest

from streamgage.errors import UsageError
from streamgage.process.fleet.node_names import MOST_NODES, folded, read_nodes
from streamgage.process.fleet.on_node import node_message, shell_line, shell_words
from streamgage.records.frames import FrameReader


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("n7", ["n7"]),
        ("n[1-3,07],m.site", ["n1", "n2", "n3", "n07", "m.site"]),
        ("r[1-2]n[8-9]", ["r1n8", "r1n9", "r2n8", "r2n9"]),
        ("10.0.0.4, 10.0.0.5", ["10.0.0.4", "10.0.0.5"]),
    ],
)
def test_nodes_are_read_as_sites_write_them(text: str, names: list[str]) -> None:
    assert sorted(read_nodes("--nodes", text)) == sorted(names)


def test_a_file_lists_nodes(tmp_path: Path) -> None:
    file = tmp_path / "nodes"
    file.write_text("n[1-2]  # the first rack\n\nm4,m5\n")
    assert read_nodes("--nodes", str(file)) == ("n1", "n2", "m4", "m5")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "--nodes names no node"),
        (" , ", "--nodes names no node"),
        ("n[1-4],n3", "--nodes names n3 twice"),
        ("n[1-", "is not a name of nodes"),
        ("n[4-1]", "is not a name of nodes"),
        ("n1;reboot", "is not a name of nodes"),
        ("@all", "is not a name of nodes"),
        ("n[1-9]!n3", "is not a name of nodes"),
        ("-oProxyCommand=x", "is not a name of nodes"),
        ("n[1-999999999]", f"more than {MOST_NODES} nodes"),
        ("a[1-9999]b[1-9999]", f"more than {MOST_NODES} nodes"),
        ("no/such/file", "cannot be read"),
    ],
)
def test_what_names_no_nodes_is_refused(text: str, says: str) -> None:
    with pytest.raises(UsageError, match=r"\.$") as refused:
        read_nodes("--nodes", text)
    assert says in str(refused.value)


def test_names_are_folded() -> None:
    assert folded([*(f"n{each}" for each in range(1, 10_001)), "m7"]) == "m7,n[1-10000]"


def _on_node(body: str, folder: Path, *, removed: bool = False) -> list[str]:
    """What the lines of shell say where the engine is the shell script ``body``."""
    engine = folder / "engine"
    engine.write_text(f"#!/bin/sh\n{body}\n")
    engine.chmod(0o755)
    words = shell_words(str(engine), ("--json",), removed=removed)
    done = subprocess.run(
        words, capture_output=True, env={"STREAMGAGE_NODE": "n3", "PATH": "/bin"}, check=True
    )
    assert not done.stderr
    return said_by("n3", done.stdout)


def said_by(host: str, output: bytes) -> list[str]:
    """What a node says in its frames; there is nothing else."""
    reader = FrameReader()
    said = [reader.feed(line) for line in output.splitlines()]
    assert None not in said
    messages = [node_message(each) for some in said for each in some or ()]
    assert {each.names[0] for each in messages} == {host}
    return [each.text for each in messages]


def test_a_nodes_line_comes_between_its_start_and_its_end(tmp_path: Path) -> None:
    assert _on_node("echo '{\"a\": 1}'", tmp_path) == ["+", '{"a": 1}', "= 0"]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("echo no memory >&2; exit 1", ["+", "no memory", "= 1"]),
        ("echo half; kill -9 $$", ["+", "half", "= 137"]),
        (r"printf 'a\\nb %s\n'", ["+", r"a\nb ", "= 0"]),
    ],
)
def test_how_the_engine_ends_is_said_and_the_shell_itself_succeeds(
    body: str, said: list[str], tmp_path: Path
) -> None:
    assert [each for each in _on_node(body, tmp_path) if "Killed" not in each] == said


def test_a_node_without_awk_says_the_same(tmp_path: Path) -> None:
    for program in ("sh", "echo", "printf"):
        (tmp_path / program).symlink_to(str(shutil.which(program)))
    words = shell_words("echo", ("what is this",))
    done = subprocess.run(
        words,
        capture_output=True,
        env={"STREAMGAGE_NODE": "n3", "PATH": str(tmp_path)},
        check=True,
    )
    assert done.stdout.startswith(b"@n3 + @n3\n")
    assert said_by("n3", done.stdout) == ["+", "what is this", "= 0"]


def test_a_copied_engine_is_removed_when_it_has_ended(tmp_path: Path) -> None:
    assert _on_node("true", tmp_path, removed=True) == ["+", "= 0"]
    assert not (tmp_path / "engine").exists()


def test_an_engine_comes_through_standard_input(tmp_path: Path) -> None:
    line = shell_line(str(tmp_path / "copy"), ("a b",), removed=True, from_stdin=True)
    done = subprocess.run(
        ["sh", "-c", line], input=b'#!/bin/sh\necho "got $1"\n', capture_output=True, check=True
    )
    assert "got a b" in said_by(platform.node(), done.stdout)
    assert not list(tmp_path.iterdir())
