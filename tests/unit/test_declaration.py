"""A command is declared once: by its signature and docstring."""

from __future__ import annotations

import inspect
from typing import Annotated, Any, TypedDict, Unpack

import pytest
import typer
from typer.testing import CliRunner

import streamgage
from streamgage.cli.output import run
from streamgage.cli.parameters import typer_function, with_lone_options
from streamgage.cli.program import command_names, declared
from streamgage.errors import UsageError
from streamgage.options.declaration import (
    CommandLineOnly,
    Default,
    Display,
    Flag,
    Form,
    Mode,
    PythonOnly,
    command,
    declaration_of,
)
from streamgage.options.values import ElementName, Names

SEEN: list[dict[str, Any]] = []


class Cheese(TypedDict, total=False):
    """Shared by all that has cheese.

    Args:
        age: Months of the cheese. In Python a number.
        place: Where it lies.
        quiet: Say nothing.
        smell: Sniff at it.
    """

    age: Annotated[int | str, Form("MONTHS"), Default(12)]
    place: Annotated[str | None, Form("SHELF"), Flag("--nowhere", "It lies nowhere."), Default("x")]
    quiet: Annotated[bool, PythonOnly(True)]
    smell: Annotated[bool, CommandLineOnly()]


@command()
def sandwich(
    *breads: Annotated[str, Form("[BREAD]...")],
    kind: ElementName | str = "double",
    layers: Names = ("ham", "egg"),
    sauce: Annotated[str | None, Form("SAUCE", alone="all")] = None,
    open_: bool = False,
    **options: Unpack[Cheese],
) -> int:
    """Make a sandwich.

    Args:
        breads: Breads; default: none.
        kind: One of {words}.
        layers: What lies between.
        **Cheese
        sauce: Which sauce.
        open_: Leave the upper bread out.
    """
    SEEN.append({**options, "breads": breads, "kind": kind, "layers": layers, "sauce": sauce})
    return 0


def line(*arguments: str) -> tuple[str, dict[str, Any]]:
    """What the command line prints, and what the function was called with."""
    SEEN.clear()
    declaration = declaration_of(sandwich)
    app = typer.Typer(rich_markup_mode=None)
    app.command()(typer_function(declaration, lambda values: run(declaration, values)))
    done = CliRunner().invoke(app, with_lone_options(declaration, arguments))
    return done.output + str(done.exception or ""), SEEN[0] if SEEN else {}


def test_options_of_a_group_are_in_the_signature_and_the_docstring() -> None:
    assert str(inspect.signature(sandwich)) == (
        "(*breads: 'str', kind: 'ElementName | str' = 'double', layers: 'Names' = ('ham', 'egg'),"
        " age: 'int | str' = 12, place: 'str | None' = 'x', quiet: 'bool' = False,"
        " sauce: 'str | None' = None, open_: 'bool' = False)"
    )
    text = inspect.getdoc(sandwich) or ""
    assert "    age: Months of the cheese. In Python a number.\n    place: Where" in text
    assert "kind: One of double, float." in text
    assert "smell" not in text and "**" not in text


def test_python_has_the_defaults_and_refuses_what_is_no_option() -> None:
    SEEN.clear()
    sandwich("rye", age=3)
    assert SEEN[0]["breads"] == ("rye",) and SEEN[0]["layers"] == ("ham", "egg")
    assert {name: SEEN[0][name] for name in ("age", "place", "quiet", "smell")} == {
        **{"age": 3, "place": "x"},
        **{"quiet": False, "smell": False},
    }
    for wrong in ({"colour": "red"}, {"smell": True}):
        with pytest.raises(TypeError, match="unexpected keyword argument"):
            sandwich(**wrong)  # type: ignore[arg-type]


def test_the_command_line_has_the_options_with_the_same_texts() -> None:
    said, _ = line("--help")
    lines = [" ".join(each.split()) for each in said.splitlines()]
    listed = [each for each in lines if each.startswith("-")]
    assert [each.partition(" [default")[0] for each in listed if "--help" not in each][:8] == [
        "--kind double|float One of double, float.",
        "--layers A,B What lies between.",
        "--age MONTHS Months of the cheese.",
        "--place SHELF Where it lies.",
        "--nowhere It lies nowhere.",
        "--smell Sniff at it.",
        "--sauce [SAUCE] Which sauce.",
        "--open Leave the upper bread out.",
    ]
    assert "[default: ham,egg]" in said and "[BREAD]..." in said and "quiet" not in said


def test_the_command_line_calls_the_function_with_what_is_given() -> None:
    _, seen = line("rye", "oat", "--smell", "--nowhere", "--sauce", "--open")
    assert seen["breads"] == ("rye", "oat") and seen["place"] is None
    assert (seen["smell"], seen["quiet"], seen["sauce"], seen["age"]) == (True, True, "all", "12")
    said, seen = line("--place", "y", "--nowhere")
    assert "--place and --nowhere exclude each other: leave one out." in said and not seen


@command(
    Display(
        ("table", "json", "csv"),
        modes=(
            Mode(
                "toast",
                "uses a pan",
                Display(("table", "json"), data="csv"),
                own=("butter",),
                takes=("age",),
            ),
        ),
    )
)
def snack(
    breads: Annotated[int | str, Form("[N]")] = 2,
    *,
    layers: Names = ("ham", "egg"),
    toast: bool = False,
    butter: str | None = None,
    **options: Unpack[Cheese],
) -> None:
    """Make a snack.

    Args:
        breads: Breads.
        layers: What lies between.
        toast: Fry it.
        butter: Fry it in this.
        **Cheese
    """


def test_a_mode_changes_how_a_result_is_shown_and_takes_only_some_options() -> None:
    declaration = declaration_of(snack)
    usual, toasted = (declaration.display(each) for each in ({}, {"toast": True}))
    assert usual is declaration.shown and usual.data is None and usual.draws
    assert toasted is not None and (toasted.formats, toasted.data) == (("table", "json"), "csv")
    texts = {"toast": True, "layers": "ham,egg", "breads": "2", "age": "3", "quiet": True}
    assert declaration.display({**texts, "butter": "salted"}) is toasted


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"butter": "salted"}, "--butter needs --toast: add it, or leave --butter out."),
        (
            {"toast": True, "layers": ["ham"]},
            "--layers cannot be combined with --toast, which uses a pan: leave one of them out.",
        ),
        ({"toast": True, "breads": 3}, "The argument N cannot be combined with --toast"),
        ({"toast": True, "place": None}, "--nowhere cannot be combined with --toast"),
        ({"toast": True, "smell": True}, "--smell cannot be combined with --toast"),
    ],
)
def test_what_a_mode_does_not_take_is_refused(values: dict[str, Any], sentence: str) -> None:
    with pytest.raises(UsageError) as refused:
        declaration_of(snack).display(values)
    assert str(refused.value).startswith(sentence)


def test_a_mode_has_options_of_its_command() -> None:
    wrong = Mode("toast", "", Display(("table",)), own=("fork",))
    with pytest.raises(TypeError, match="lacks what toast takes"):
        command(Display(("table",), modes=(wrong,)))(declaration_of(snack).function)


def test_an_option_without_a_text_is_no_declaration() -> None:
    def silent(*, size: int = 1) -> int:
        """Do nothing."""
        return size

    with pytest.raises(TypeError, match="the docstring of silent has no size"):
        command()(silent)


@pytest.mark.parametrize("name", command_names())
def test_every_option_of_every_command_says_what_it_does(name: str) -> None:
    declaration = declared(name)
    assert declaration.summary.endswith(".")
    for option in declaration.options.values():
        if option.found(PythonOnly) is not None:
            continue
        assert option.help.endswith((".", "...")) and "``" not in option.help, option.name


def test_every_result_has_the_options_that_all_share() -> None:
    for function in (
        *(streamgage.measure, streamgage.scale, streamgage.ladder, streamgage.latency),
        *(streamgage.numa, streamgage.compilers, streamgage.program),
    ):
        had = set(inspect.signature(function).parameters)
        assert {"store", "no_wait", "progress", "seed"} <= had
        assert "\n    store: Where results are stored" in (inspect.getdoc(function) or "")
