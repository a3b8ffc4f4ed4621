"""Completion as shells do it: installed into a home of its own, then asked of a real shell."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from example_records import good_records, two_isas_records
from programs import environment, real_engine, streamgage
from store_results import keep
from tries import tried

from streamgage.cli.completion import called, prepare_line

LINES = {
    "streamgage pro": ["program"],
    "streamgage la": ["ladder", "latency"],
    "streamgage measure --qu": ["--quick"],
    "streamgage measure --format ma": ["markdown"],
    "streamgage measure --format js": ["json"],
    "streamgage scale --launcher o": ["openmpi"],
    "streamgage explain write-a": ["write-allocate"],
    "streamgage fleet j": ["judge"],
    "streamgage fleet judge --print-d": ["--print-drain"],
    "streamgage program --pet": ["--petsc"],
    "streamgage program --server s": ["scatter", "shared"],
    "streamgage --qu": ["--quick"],
    "streamgage --quick --form": ["--format"],
    "streamgage --vers": ["--version"],
    "streamgage measure --kernels tr": ["triad"],
    "streamgage measure --kernels copy,s": ["copy,scale", "copy,sdaxpy", "copy,striad", "copy,sum"],
    "streamgage --kernels triad,tr": [],
    "streamgage scale --stores plain,str": ["plain,streaming"],
    "streamgage history --kernel da": ["daxpy"],
    "streamgage show 1": ["1"],
    "streamgage results rm 1 ": ["1", "2", "last"],
    "streamgage compare 2 l": ["last"],
    "streamgage show --store none.sqlite 1": [],
    "streamgage --store kept.sqlite hist": ["history"],
    "streamgage --store kept.sqlite show 2": ["2"],
    "streamgage --store kept.sqlite --qu": ["--quick"],
}
"""A line as far as it is typed, and the words that may come next."""
FEWER = (
    "streamgage measure --format js",
    "streamgage fleet judge --print-d",
    "streamgage la",
    "streamgage measure --kernels tr",
    "streamgage show 1",
)
MORE = (*FEWER, "streamgage measure --kernels copy,s", "streamgage --store kept.sqlite show 2")
"""Lines that real shells ask for."""

BASH = """
source ~/.bashrc
complete -p streamgage >/dev/null || exit 3
COMP_WORDS=({words})
COMP_CWORD={number}
_streamgage_completion streamgage
printf '%s\\n' "${{COMPREPLY[@]}}"
"""

ZSH = """
$_comps[streamgage]
_arguments() {{ print -r -- "$@" }}
words=({words})
CURRENT={number}
_streamgage_completion
"""
"""The first call of what is kept for a later time defines it, as the first press of Tab does; what
zsh would offer is printed."""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """An empty home, with the program on its PATH under its own name."""
    tools = tmp_path / "tools"
    tools.mkdir()
    program = tools / "streamgage"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m streamgage "$@"\n')
    program.chmod(0o755)
    keep(tmp_path / "kept.sqlite", good_records(), two_isas_records())
    return tmp_path


def shell(home: Path, *call: str) -> str:
    """What a shell prints that was started in that home."""
    done = subprocess.run(
        call,
        env={
            **{name: os.environ[name] for name in ("PYTHONPATH",) if name in os.environ},
            "PATH": f"{home / 'tools'}:{os.environ['PATH']}",
            "HOME": str(home),
            "STREAMGAGE_ENGINE": str(real_engine()),
            "STREAMGAGE_STORE": str(home / "kept.sqlite"),
            "TERM": "dumb",
            "LC_ALL": "C.UTF-8",
        },
        cwd=home,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def install(home: Path, name: str) -> None:
    """As a user of that shell does; the shell that calls it is found by itself."""
    said = shell(home, name, "-c", "streamgage --install-completion; true")
    assert f"{name} completion installed in {home}" in said.replace("\n", "")


def asked(script: str, line: str, first: int) -> str:
    """The script with the words of the line, and the number of the last one."""
    words = line.split(" ")
    return script.format(words=" ".join(map(shlex.quote, words)), number=len(words) - 1 + first)


@pytest.mark.parametrize("line", LINES)
def test_a_word_is_completed(home: Path, line: str) -> None:
    words = line.split(" ")
    said = streamgage(
        folder=home,
        engine=real_engine(),
        COMP_WORDS="\n".join(words),
        COMP_CWORD=str(len(words) - 1),
        _STREAMGAGE_COMPLETE="complete_bash",
        STREAMGAGE_STORE=str(home / "kept.sqlite"),
    )
    assert (said.returncode, said.stderr) == (0, "")
    assert sorted(said.stdout.split()) == LINES[line]


def test_bash_completes_once_it_is_installed(home: Path) -> None:
    install(home, "bash")
    for line in MORE:
        said = shell(home, "bash", "--norc", "-c", asked(BASH, line, 0))
        assert sorted(said.split()) == LINES[line], line


def test_fish_completes_once_it_is_installed(home: Path) -> None:
    install(home, "fish")
    for line in FEWER:
        said = shell(home, "fish", "-c", f"complete -C {shlex.quote(line)}")
        assert sorted(each.split("\t")[0] for each in said.splitlines()) == LINES[line], line


def test_zsh_completes_once_it_is_installed(home: Path) -> None:
    install(home, "zsh")
    for line in FEWER:
        said = shell(home, "zsh", "-i", "-c", asked(ZSH, line, 1))
        assert sorted(re.findall(r'"([^" ]+)"(?::|\n|\))', said)) == LINES[line], line


@pytest.mark.parametrize("name", ["bash", "zsh", "fish"])
def test_a_script_to_keep_elsewhere_is_shown(home: Path, name: str) -> None:
    said = shell(home, name, "-c", "streamgage --show-completion; true")
    assert f"_STREAMGAGE_COMPLETE=complete_{name}" in said
    assert not list(home.glob(".*rc"))


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("streamgage\nscale\n", "scale"),
        ("streamgage 'fleet run' --n", "fleet run"),
        ("streamgage scale", None),
        ("streamgage sing --n", None),
        ("streamgage --version --", None),
        ("", None),
    ],
)
def test_only_a_command_that_is_typed_in_full_is_loaded_alone(line: str, name: str | None) -> None:
    assert called({"COMP_WORDS": line}, ["scale", "fleet run"]) == name


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("streamgage fleet run --n", "streamgage 'fleet run' --n"),
        ("streamgage fleet run", "streamgage fleet run"),
        ("streamgage fleet ru", "streamgage fleet ru"),
        ("streamgage --quick", "streamgage measure --quick"),
        ("streamgage --store x history --mo", "streamgage history --store x --mo"),
        ("streamgage --store x fleet run --n", "streamgage 'fleet run' --store x --n"),
        ("streamgage --store x hi", "streamgage hi"),
        ("streamgage --store x ", "streamgage "),
        ("streamgage --store x --quick", "streamgage measure --store x --quick"),
        ("streamgage --store x", "streamgage measure --store x"),
        ("streamgage --", "streamgage --"),
        ("streamgage", "streamgage"),
        ("", ""),
    ],
)
def test_a_line_is_completed_as_the_program_reads_it(line: str, read: str) -> None:
    environment = {"_TYPER_COMPLETE_ARGS": line}
    prepare_line(environment, ["history", "measure", "fleet run"], ["--help"])
    assert environment == {"_TYPER_COMPLETE_ARGS": read}


@pytest.mark.parametrize("name", ["complete_bash", "complete_zsh", "complete_fish", "x_bash", "x"])
@pytest.mark.parametrize("line", [{}, {"COMP_WORDS": ""}, {"COMP_CWORD": "x"}, {"COMP_CWORD": "9"}])
def test_a_shell_that_hands_over_no_line_gets_no_error_of_python(
    name: str, line: dict[str, str], tmp_path: Path
) -> None:
    variables = environment(tmp_path, None) | line | {"_STREAMGAGE_COMPLETE": name}
    end = tried([], tmp_path, variables)
    assert end.complaint is None, end
