"""Turns the options that a command declares into typer's options and arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from inspect import Parameter as Python
from inspect import Signature
from typing import Annotated, Any

import typer

from streamgage.cli.names import completer_of
from streamgage.options.declaration import (
    Declaration,
    Display,
    Flag,
    Form,
    Option,
    PythonOnly,
)
from streamgage.show import picture_file

_AFTER_SHOWN = ("records", "no_wait", "store")
"""``--format`` and ``-o`` stand before the first of these."""
FORMAT, OUTPUT, JSON, WIDTH, DETAILS = "format", "output", "json", "width", "details"
_PLAIN = Form("")
_FILE: dict[str, Any] = {"allow_dash": True, "readable": False}
"""Makes a value the name of a file for shells; whatever reads it says what is wrong with it."""


def typer_function(
    declared: Declaration, run: Callable[[dict[str, Any]], int]
) -> Callable[..., int]:
    """Return a function with a typer parameter per option, which calls ``run`` with the values."""
    parameters = list(_parameters(declared))

    def called(**values: object) -> int:
        return run(values)

    called.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    called.__annotations__ = {each.name: each.annotation for each in parameters}
    called.__doc__ = declared.summary
    return called


def _parameters(declared: Declaration) -> Iterator[Python]:
    shown = None if declared.shown is None else list(_shown(declared.shown))
    for each in declared.options.values():
        if shown and each.name in _AFTER_SHOWN:
            yield from shown
            shown = None
        if each.found(PythonOnly) is None:
            yield _parameter(each)
            flag = each.found(Flag)
            if flag is not None:
                yield _flag(flag.name, flag.text)
    yield from shown or ()


def _parameter(option: Option) -> Python:
    form = option.found(Form) or _PLAIN
    choices = option.choices
    metavar = form.metavar or "|".join(choices)
    if form.alone is not None:
        metavar = f"[{metavar}]"
    shared: dict[str, Any] = {"metavar": metavar or None, "help": option.help}
    if form.file:
        shared |= _FILE
    if choices:
        shared["autocompletion"] = completer(choices)
    elif form.completes is not None:
        shared["autocompletion"] = completer_of(form.completes)
    if option.kind is Python.KEYWORD_ONLY:
        flags = form.flags or (_names(option),)
        return _made(option, form, typer.Option(*flags, hidden=form.hidden, **shared))
    return _made(option, form, typer.Argument(**shared))


def _made(option: Option, form: Form, info: object) -> Python:
    """Make a parameter with the type and the default in typer's form."""
    one: Any = str  # not Path, which takes an empty name for the folder
    default = option.default
    if option.flag:
        one = bool if default is False else bool | None
    elif form.many or option.kind is Python.VAR_POSITIONAL:
        required = option.kind is Python.VAR_POSITIONAL and not form.metavar.startswith("[")
        one = list[one] if required else list[one] | None
        default = Python.empty if required else None
    elif default is Python.empty and option.kind is not Python.KEYWORD_ONLY:
        pass
    else:
        default = option.default_text
        one = one if default is not None else one | None
    return Python(
        option.name, Python.KEYWORD_ONLY, default=default, annotation=Annotated[one, info]
    )


def _names(option: Option) -> str:
    name = "--" + option.name.strip("_").replace("_", "-")
    return f"{name}/--no-{name[2:]}" if option.flag and option.default is None else name


def _flag(name: str, text: str) -> Python:
    return Python(
        value_of(name),
        Python.KEYWORD_ONLY,
        default=False,
        annotation=Annotated[bool, typer.Option(name, help=text)],
    )


def value_of(flag: str) -> str:
    """The name of the value of a flag."""
    return flag.removeprefix("--").replace("-", "_")


def _shown(shown: Display) -> Iterator[Python]:
    if shown.json is not None:
        yield _flag(f"--{JSON}", shown.json)
    else:
        formats = shown.all_formats
        info = typer.Option(
            f"--{FORMAT}",
            metavar="|".join(formats),
            help=shown.format,
            autocompletion=completer(formats),
        )
        yield Python(
            FORMAT, Python.KEYWORD_ONLY, default=formats[0], annotation=Annotated[str, info]
        )
    info = typer.Option("-o", "--output", metavar="FILE", help=shown.output, **_FILE)
    annotation = Annotated[str | None, info]
    yield Python(OUTPUT, Python.KEYWORD_ONLY, default=None, annotation=annotation)
    if shown.draws:
        width = typer.Option(f"--{WIDTH}", metavar="WIDTH", help=picture_file.WIDTH)
        hint = Annotated[str | None, width]
        yield Python(WIDTH, Python.KEYWORD_ONLY, default=None, annotation=hint)
    if shown.details:
        yield _flag(f"--{DETAILS}", "Show every figure, finding and check.")


def completer(words: Sequence[str]) -> Callable[[str], list[str]]:
    """Return the function that completes a value out of these words."""

    def complete(incomplete: str) -> list[str]:
        return [word for word in words if word.startswith(incomplete)]

    return complete


def with_lone_options(declared: Declaration, arguments: Sequence[str]) -> list[str]:
    """Return the arguments, with a value added to each option that may stand alone and does."""
    alone: Mapping[str, str] = {
        _names(each): form.alone
        for each in declared.options.values()
        for form in [each.found(Form) or _PLAIN]
        if form.alone is not None
    }
    full: list[str] = []
    for number, each in enumerate(arguments):
        full.append(each)
        if each == "--":
            return [*full, *arguments[number + 1 :]]
        after = arguments[number + 1] if number + 1 < len(arguments) else "-"
        if each in alone and after.startswith("-"):
            full.append(alone[each])
    return full
