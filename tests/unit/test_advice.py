"""Commands in messages: each is one that the program has, with what it needs to be pasted."""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from programs import REPOSITORY
from typer.main import get_command

from streamgage.advice import _WITHOUT_STORE, advice, advised_store, command_line
from streamgage.cli.program import command_names, declared, whole_program

SOURCES = sorted((REPOSITORY / "streamgage").rglob("*.py"))
COMMAND = re.compile(rf"`streamgage (?:{'|'.join(command_names())})\b")
ADVICE = ("advice", "command_line", "command_name")
EXAMPLES = {"workers": "--mpi", "threads": "4", "kernel": "triad"}
"""Words that stand for what is only known when a message is made; others are a file."""


def _docstrings(tree: ast.Module) -> Iterator[ast.AST]:
    """The texts that stand alone; a command's help has no store to name."""
    for each in ast.walk(tree):
        if isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant):
            yield each.value


def test_no_text_has_a_command_that_was_not_made_by_the_function_for_it() -> None:
    for path in SOURCES:
        tree = ast.parse(path.read_text("utf-8"))
        help_texts = set(map(id, _docstrings(tree)))
        for each in ast.walk(tree):
            if isinstance(each, ast.Constant) and isinstance(each.value, str):
                is_help = id(each) in help_texts
                assert is_help or COMMAND.search(each.value) is None, f"{path}: {each.value}"


def _calls() -> Iterator[tuple[str, ast.Call]]:
    for path in SOURCES:
        if path.name == "advice.py":
            continue
        for each in ast.walk(ast.parse(path.read_text("utf-8"))):
            name = (
                each.func.id
                if isinstance(each, ast.Call) and isinstance(each.func, ast.Name)
                else ""
            )
            if isinstance(each, ast.Call) and name in ADVICE and each.args:
                yield f"{path.relative_to(REPOSITORY)}:{each.lineno}", each


def _word(argument: ast.expr) -> str:
    if isinstance(argument, ast.Constant):
        return str(argument.value)
    return next((v for k, v in EXAMPLES.items() if k in ast.unparse(argument)), "1")


@pytest.fixture(scope="module")
def program() -> Any:  # noqa: ANN401 - of typer
    return get_command(whole_program())


@pytest.mark.parametrize(("place", "call"), [pytest.param(p, c, id=p) for p, c in _calls()])
def test_each_message_has_a_command_of_the_program(
    place: str,
    call: ast.Call,
    program: Any,  # noqa: ANN401 - of typer
) -> None:
    name, *words = map(_word, call.args)
    command = max(
        (c for c in program.commands if f"{name} ".startswith(f"{c} ")), key=len, default=name
    )
    more = shlex.split(name.removeprefix(command))
    assert command in program.commands or name == "1", place
    if name == "1":  # the command of a kind of result
        return
    parsed = program.commands[command]
    if "--help" in words:
        return
    of_name = isinstance(call.func, ast.Name) and call.func.id == "command_name"
    arguments = [*more, *words]
    if of_name and arguments and arguments[-1].startswith("--"):
        option = next(each for each in parsed.params if arguments[-1] in each.opts)
        assert option is not None
        return
    parsed.make_context(command, arguments)


def test_the_commands_without_a_store_are_those_that_declare_none() -> None:
    without = {
        name
        for name in command_names()
        if "store" not in declared(name).options
        or any("store" in mode.own for mode in declared(name).modes)
    }
    assert without == _WITHOUT_STORE


def test_advice_names_the_store_that_it_is_about() -> None:
    assert advice("results rm", 3) == "`streamgage results rm 3`"
    with advised_store("my store.sqlite"):
        assert advice("results rm", 3) == "`streamgage results rm 3 --store 'my store.sqlite'`"
        assert advice("explain", "steal") == "`streamgage explain steal`"
        assert advice("results rm", 3, store="") == "`streamgage results rm 3`"
        assert command_line("program", "--", "./program") == (
            "streamgage program --store 'my store.sqlite' -- ./program"
        )
    assert advice("results rm", 3, store="x") == "`streamgage results rm 3 --store x`"


def test_advice_can_be_pasted_whatever_a_file_is_called() -> None:
    for name in ("-o", "a b", "$(rm x)", "`x`", "'", "a\tb"):
        words = shlex.split(command_line("show", Path(name)))
        assert words[:2] == ["streamgage", "show"]
        assert Path(words[2]) == Path(name) and not words[2].startswith("-")
