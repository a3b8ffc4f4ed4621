"""The functions of Python have the options of the commands."""

from __future__ import annotations

import inspect
import keyword
from collections.abc import Callable, Iterable
from typing import Protocol

import pytest
import typer

import streamgage
from streamgage.cli.program import whole_program

FUNCTIONS: dict[str, Callable[..., object]] = {
    "measure": streamgage.measure,
    "scale": streamgage.scale,
    "ladder": streamgage.ladder,
    "latency": streamgage.latency,
    "repeat": streamgage.repeat,
    "numa": streamgage.numa,
    "interpret": streamgage.interpret,
    "show": streamgage.load,
    "compare": streamgage.compare,
    "history": streamgage.history,
    "report": streamgage.report,
    "topology": streamgage.topology,
    "compilers": streamgage.compilers,
    "doctor": streamgage.doctor,
    "predict": streamgage.predict,
    "traffic": streamgage.traffic,
    "study": streamgage.study,
    "study petsc": streamgage.study_petsc,
}
SHOWING = {
    "--help": "of the program alone",
    "--output": "results have save() and report()",
    "--format": "results have to_json(), to_csv(), to_markdown(), and save()",
    "--verbose": "table() has it",
    "--explain": "table() has it",
    "--no-store": "store=None",
}
ELSEWHERE = {
    **{("report", option): "path and format" for option in ("--output", "--format")},
    ("measure", "--check"): "check_kernels",
    ("history", "--all"): "most=None",
    ("topology", "--picture"): "table() of its result has it",
    ("topology", "--json"): "its result has to_json()",
    ("doctor", "--json"): "its result has to_json()",
    **{("traffic", option): "save()" for option in ("--csv", "--json", "-o")},
}
"""Options of one command that its function has not, each with what it has instead."""
OWN = {"progress", "give_way", "show"}
"""Of Python alone: how a measurement shows how far it is, and what it does to its process."""
NO_OPTIONS = {"report": {"path", "format"}}


class Option(Protocol):
    """As typer's library has it, which has no public name for it."""

    name: str | None
    opts: list[str]
    param_type_name: str
    default: object


def options(command: str) -> Iterable[Option]:
    group = typer.main.get_command(whole_program())
    return group.commands[command].params  # type: ignore[attr-defined]


def name_in_python(option: Option) -> str:
    """``no_wait`` for ``--no-wait``, ``from_`` for ``--from``; the name itself for an argument."""
    if option.param_type_name == "argument":
        return str(option.name)
    longest = max(option.opts, key=len)
    name = longest.removeprefix("--").replace("-", "_")
    return f"{name}_" if keyword.iskeyword(name) else name


def left_out(command: str, option: Option) -> bool:
    return any(each in SHOWING or (command, each) in ELSEWHERE for each in option.opts)


def positional(function: Callable[..., object]) -> set[str]:
    kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return {
        name for name, each in inspect.signature(function).parameters.items() if each.kind in kinds
    }


@pytest.mark.parametrize("command", FUNCTIONS)
def test_a_function_has_every_option_of_its_command_and_no_other(command: str) -> None:
    wanted = {name_in_python(each) for each in options(command) if not left_out(command, each)}
    had = set(inspect.signature(FUNCTIONS[command]).parameters) - OWN
    assert had == wanted | NO_OPTIONS.get(command, set())


@pytest.mark.parametrize("command", FUNCTIONS)
def test_what_is_an_argument_there_needs_no_name_here(command: str) -> None:
    arguments = {each.name for each in options(command) if each.param_type_name == "argument"}
    assert positional(FUNCTIONS[command]) == arguments


def test_only_what_a_command_has_is_left_out() -> None:
    for command, option in ELSEWHERE:
        assert any(option in each.opts for each in options(command)), option


@pytest.mark.parametrize("command", FUNCTIONS)
def test_defaults_are_the_same(command: str) -> None:
    parameters = inspect.signature(FUNCTIONS[command]).parameters
    for option in options(command):
        if left_out(command, option) or option.default is None:
            continue
        default = parameters[name_in_python(option)].default
        if isinstance(default, tuple):
            default = ",".join(default)
        assert str(default) == str(option.default), option.name


@pytest.mark.parametrize("command", FUNCTIONS)
def test_the_docstring_tells_of_every_parameter(command: str) -> None:
    function = FUNCTIONS[command]
    text = inspect.getdoc(function) or ""
    for name in inspect.signature(function).parameters:
        assert f"\n    {name}: " in text, name


def test_what_checks_kernels_has_options_of_measure() -> None:
    function = streamgage.check_kernels
    parameters = inspect.signature(function).parameters
    measure = inspect.signature(streamgage.measure).parameters
    assert positional(function) == {"kernel_file"}
    for name, each in parameters.items():
        assert name == "kernel_file" or each.default == measure[name].default
        assert f"\n    {name}: " in (inspect.getdoc(function) or ""), name
