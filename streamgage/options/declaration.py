"""Each command declares its options once: its signature lists them, its docstring describes them.

The command line, its help, the manual, completion and Python all read these two. A ``TypedDict``
holds options that several commands share, and its docstring describes each. A command takes it as
``**options: Unpack[Group]``; a line ``**Group`` in the command's docstring marks their place.
Nothing here imports typer, because callers from Python do not need it.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property, wraps
from inspect import Parameter as Python
from pathlib import Path
from typing import Annotated, Any, Literal, ParamSpec, TypeVar, get_args, get_origin

import msgspec

from streamgage.advice import advised_store
from streamgage.errors import UsageError
from streamgage.options.files import Opens, claim_files, store_in_words
from streamgage.options.given import fitting, require_value
from streamgage.records.command_files import command_files

P = ParamSpec("P")
R = TypeVar("R")
_ENTRY = re.compile(r"    (\*{0,2})(\w+)(?:: (.*))?")
_PYTHON = " In Python"
"""Starts the part of a description that is for Python alone."""


Completed = Literal["kernels", "stores", "devices", "runs"]
"""Kinds of names that only the engine or the store can complete."""


class Form(msgspec.Struct, frozen=True):
    """How a value is written on a command line; part of the ``Annotated`` of its type."""

    metavar: str
    many: bool = False
    """``True`` if the option may be given several times, or the argument has several words."""
    file: bool = False
    """``True`` if it is a file name, which shells complete."""
    flags: tuple[str, ...] = ()
    """The option's names, if they differ from ``--name``."""
    alone: str | None = None
    """The meaning of the option without a value."""
    words: tuple[str, ...] = ()
    """The allowed values; ``{words}`` in the description."""
    completes: Completed | None = None
    """The kind of names that shells complete, if there are no ``words``."""
    hidden: bool = False
    may_be_empty: bool = False
    """``True`` if an empty text means something."""


class Default(msgspec.Struct, frozen=True):
    """The default of an option in a group.

    Without one, a flag has ``False`` and any other option ``None``.
    """

    value: Any


class Flag(msgspec.Struct, frozen=True):
    """A flag that means ``None`` for the option that has it."""

    name: str
    text: str


class PythonOnly(msgspec.Struct, frozen=True):
    """Marks a parameter that only Python has.

    The command line passes ``value`` (``None``: the default).
    """

    value: Any = None


class CommandLineOnly:
    """Marks an option that only the command line has."""


class Display(msgspec.Struct, frozen=True):
    """How the command line shows what a function returns."""

    formats: tuple[str, ...] | type[StrEnum]
    """Choices of ``--format``; the first is the default."""
    format: str = "How to print the result."
    output: str = "Write the result to FILE, not to stdout."
    data: str | None = None
    """The suffix of the file with a picture's data, which ``-o`` writes next to the picture."""
    measures: bool = False
    """``True`` if the result is new: the command then prints where it is stored."""
    details: bool = True
    """``True`` for an option ``--details``; without it a terminal shows only a first screen."""
    json: str | None = None
    """The help of a flag ``--json`` that replaces ``--format``; ``None``: there is no such flag."""
    check: Callable[[str, Path | None, Mapping[str, Any]], Mapping[str, Any]] | None = None
    """A function that raises ``UsageError`` if format, file and values conflict, and returns
    further values."""
    modes: tuple[Mode, ...] = ()
    """What else the command can be asked for."""

    @property
    def draws(self) -> bool:
        """``True`` if some call of the command can draw a picture."""
        return self.data is not None or any(each.shown.draws for each in self.modes)

    @property
    def all_formats(self) -> list[str]:
        """The formats of all modes, each once; the first is the default."""
        each = (form for shown in (self, *(m.shown for m in self.modes)) for form in shown.formats)
        return [*dict.fromkeys(map(str, each))]


class Mode(msgspec.Struct, frozen=True):
    """What changes with one option: what the command returns, and which other options it takes."""

    option: str
    """The option that asks for it; or a word, and then ``asks`` says whether it is there."""
    does: str
    """What the command does then, for the sentence that refuses other options."""
    shown: Display
    own: tuple[str, ...] = ()
    """Options that it takes and the command without a mode does not."""
    takes: tuple[str, ...] = ()
    """Other options of the command that it takes, too."""
    within: str = ""
    """The option of the mode that it is a special case of, so that both may be given."""
    asks: Callable[[Mapping[str, Any]], bool] | None = None

    @property
    def options(self) -> frozenset[str]:
        """All options that it takes."""
        return frozenset((self.option, self.within, *self.own, *self.takes))


@dataclass(frozen=True)
class Option:
    """A parameter that a command declares."""

    name: str
    lines: tuple[str, ...]
    """Its entry in the docstring."""
    annotation: str
    default: Any
    kind: Any = Python.KEYWORD_ONLY
    namespace: Mapping[str, Any] = field(default_factory=dict, repr=False)
    """The module's names, with which the annotation is evaluated."""

    @cached_property
    def hint(self) -> Any:  # noqa: ANN401 - any annotation
        """The annotation, evaluated."""
        return eval(self.annotation, dict(self.namespace))

    def found(self, wanted: type[R]) -> R | None:
        """The outermost value of that type in the annotation."""
        return next(_found(self.hint, wanted), None)

    @property
    def choices(self) -> tuple[str, ...]:
        """The allowed values, if they are a list of words."""
        form = self.found(Form)
        if form is not None and form.words:
            return form.words
        enums = [each for each in _types(self.hint) if issubclass(each, StrEnum)]
        return tuple(enums[0]) if enums else ()

    @property
    def shown(self) -> str:
        """Its name in sentences: ``-o``, ``--threads``; empty for an argument."""
        form = self.found(Form)
        if self.kind is not Python.KEYWORD_ONLY:
            return ""
        return form.flags[0] if form is not None and form.flags else _long_name(self.name)

    def in_words(self, value: object) -> str:
        """Its name with this value, at the start of a sentence."""
        form, flag = self.found(Form), self.found(Flag)
        if flag is not None and value is None:
            return flag.name
        argument = self.name if form is None else form.metavar.strip("[].")
        return self.shown or f"The argument {argument}"

    @property
    def in_python(self) -> bool:
        """``True`` if Python has the option.

        This is read from the text of the annotation, without evaluating it.
        """
        return CommandLineOnly.__name__ not in self.annotation

    @property
    def default_text(self) -> str | None:
        """The default as the help shows it; ``None`` if the help does not show it."""
        if isinstance(self.default, tuple):
            return ",".join(self.default)
        return str(self.default) if isinstance(self.default, str | int | float) else None

    def differs(self, value: object) -> bool:
        """``True`` if ``value`` is not the default, in the form of Python or as text."""
        if value is self.default or (isinstance(value, str) and value == self.default_text):
            return False
        return not (type(value) is type(self.default) and value == self.default)

    @property
    def flag(self) -> bool:
        """``True`` if the option is a flag, which has no value."""
        return {bool} == {each for each in _types(self.hint) if each is not type(None)}

    @property
    def help(self) -> str:
        """The help on the command line."""
        text = " ".join(" ".join(self.lines).split()).partition(": ")[2]
        return text.partition(_PYTHON)[0].replace("{words}", ", ".join(self.choices))


def _found(hint: Any, wanted: type[R]) -> Iterator[R]:  # noqa: ANN401 - any annotation
    """Find every value of type ``wanted``, outermost first; at one level the last comes first."""
    if get_origin(hint) is Annotated:
        yield from (each for each in reversed(hint.__metadata__) if isinstance(each, wanted))
    for each in get_args(hint):
        yield from _found(each, wanted)


def _types(hint: Any) -> Iterator[type]:  # noqa: ANN401 - any annotation
    """Yield the classes that a value may have."""
    if get_origin(hint) is Annotated:
        yield from _types(hint.__origin__)
    elif get_args(hint):
        for each in get_args(hint):
            yield from _types(each)
    elif isinstance(hint, type):
        yield hint


class Declaration:
    """A command: the options of its function, and how the command line shows its result."""

    def __init__(self, function: Callable[..., Any], shown: Display | None) -> None:
        """Read signature and docstring. Raises ``TypeError`` if they differ."""
        self.function = function
        self.shown = shown
        text = inspect.cleandoc(function.__doc__ or "")
        self.summary = " ".join(text.partition("\n\n")[0].split())
        own = inspect.signature(function).parameters
        namespace = function.__globals__
        options = [*_options(text, namespace, own)]
        self.options = {each.name: each for each in options}
        missing = [
            name
            for name, each in own.items()
            if each.kind is not Python.VAR_KEYWORD and name not in self.options
        ]
        if missing:
            raise TypeError(f"the docstring of {function.__name__} has no {', '.join(missing)}")
        self.signature = _signature(options)
        """All options, with those that only the command line has."""
        self.text = _expanded(text, options)
        self.modes = () if shown is None else shown.modes
        for mode in self.modes:
            words = {""} if mode.asks is None else {"", mode.option}
            unknown = mode.options - words - set(self.options)
            if unknown:
                raise TypeError(f"{function.__name__} lacks what {mode.option} takes: {unknown}")

    @cached_property
    def _stores(self) -> list[Option]:
        return [each for each in self.options.values() if each.found(Opens) is Opens.STORE]

    def call(self, values: Mapping[str, Any]) -> Any:  # noqa: ANN401 - what it returns
        """Call the function with these values and the defaults of all others."""
        bound = self.signature.bind_partial()
        bound.arguments.update(values)
        bound.apply_defaults()
        with command_files(), advised_store(self._store_in(bound.arguments)):
            self.display(bound.arguments)
            for name, option in self.options.items():
                self._prepare(option, bound.arguments.get(name))
            return self.function(*bound.args, **bound.kwargs)

    def _store_in(self, values: Mapping[str, object]) -> str:
        """The store that the call names; empty if none is named."""
        named = (values[each.name] for each in self._stores if each.name in values)
        return next((store_in_words(each) for each in named), "")

    def display(self, values: Mapping[str, Any]) -> Display | None:
        """How the command line shows what a call with these values returns.

        Raises ``UsageError`` if they have an option that their mode does not take.
        """
        mode = self.mode_of(values)
        own = {name for each in self.modes for name in each.own}
        for option in self._given(values):
            self._require(option, values[option.name])
            if option.name in (own if mode is None else own - mode.options):
                name, modes = option.name, self.modes
                shown = option.in_words(values[name])
                raise self.needs(shown, [each for each in modes if name in each.own])
            if mode is not None and option.name not in mode.options:
                raise UsageError(
                    f"{option.in_words(values[option.name])} cannot be combined with"
                    f" {self.asked(mode)}, which {mode.does}: leave one of them out."
                )
        return self.shown if mode is None else mode.shown

    def mode_of(self, values: Mapping[str, Any]) -> Mode | None:
        """The mode that these values ask for. Raises ``UsageError`` if they ask for two."""
        given = {o.name for o in self._given(values) if values[o.name] is not False}
        asked = [
            each
            for each in self.modes
            if (each.option in given if each.asks is None else each.asks(values))
        ]
        whole = {each.within for each in asked}
        asked = [each for each in asked if each.option not in whole]
        if len(asked) > 1:
            first, second = map(self.asked, asked[:2])
            raise UsageError(
                f"{first} and {second} ask for different things: leave one of them out."
            )
        return asked[0] if asked else None

    def needs(self, shown: str, modes: Sequence[Mode]) -> UsageError:
        """The error for an option without one of the modes that take it."""
        *others, last = map(self.asked, modes)
        wanted = f"{', '.join(others)} or {last}: add one of them" if others else f"{last}: add it"
        return UsageError(f"{shown} needs {wanted}, or leave {shown} out.")

    def asked(self, mode: Mode) -> str:
        """What asks for the mode on a command line."""
        return mode.option if mode.asks is not None else self.options[mode.option].shown

    def _given(self, values: Mapping[str, Any]) -> list[Option]:
        """The options with another value than their default."""
        return [
            option
            for name, option in self.options.items()
            if name in values and option.differs(values[name]) and not option.found(PythonOnly)
        ]

    @staticmethod
    def _prepare(option: Option, value: object) -> None:
        """Raise ``UsageError`` for an empty value, or a file that has two uses."""
        Declaration._require(option, value)
        claim_files(option.found(Opens), option.shown, value)

    @staticmethod
    def _require(option: Option, value: object) -> None:
        form = option.found(Form)
        if form is None or not form.may_be_empty:
            name = option.shown or f"The argument {option.name}"
            require_value(name, value, first_alone=option.found(Opens) is Opens.WORDS)


def command(shown: Display | None = None) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Declare a command. ``shown`` says how its result is shown (``None``: it prints by itself)."""

    def declare(function: Callable[P, R]) -> Callable[P, R]:
        declared = Declaration(function, shown)
        signature = _signature(each for each in declared.options.values() if each.in_python)

        @wraps(function)
        def called(*arguments: P.args, **options: P.kwargs) -> R:
            bound = signature.bind(*arguments, **options)
            for name, value in bound.arguments.items():
                bound.arguments[name] = _fitting(declared.options[name], value)
            bound.apply_defaults()
            returned: R = declared.call(bound.arguments)
            return returned

        called.__signature__ = signature  # type: ignore[attr-defined]
        called.__doc__ = declared.text
        called.declaration = declared  # type: ignore[attr-defined]
        return called

    return declare


def _fitting(option: Option, value: Any) -> Any:  # noqa: ANN401 - of any type
    """Return ``value``. Raises ``UsageError`` if the option does not take its type."""
    if option.kind is Python.VAR_POSITIONAL:
        return tuple(fitting(option.name, each, option.hint) for each in value)
    by_name = option.kind is Python.KEYWORD_ONLY
    return fitting(_long_name(option.name) if by_name else option.name, value, option.hint)


def _long_name(name: str) -> str:
    return f"--{name.strip('_').replace('_', '-')}"


def declaration_of(function: Callable[..., Any]) -> Declaration:
    """Return the declaration that ``command`` attached to the function."""
    declared: Declaration = function.declaration  # type: ignore[attr-defined]
    return declared


def _options(
    text: str, namespace: Mapping[str, Any], parameters: Mapping[str, Python]
) -> Iterator[Option]:
    """Yield the options in the list of a docstring, including those of groups."""
    for stars, name, lines in _entries(text):
        if stars == "**":
            yield from _of_group(namespace[name])
            continue
        each = parameters[name]
        yield Option(name, lines, each.annotation, each.default, each.kind, namespace)


def _of_group(group: type) -> Iterator[Option]:
    namespace = vars(sys.modules[group.__module__])
    for stars, name, lines in _entries(inspect.cleandoc(group.__doc__ or "")):
        if stars:
            yield from _of_group(namespace[name])
            continue
        annotation = group.__annotations__[name].__forward_arg__
        option = Option(name, lines, annotation, None, namespace=namespace)
        default = option.found(Default)
        value = default.value if default is not None else False if option.flag else None
        yield Option(name, lines, annotation, value, namespace=namespace)


def _entries(text: str) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield the stars, the name and the lines of each entry below ``Args:``."""
    listed = text.partition("\nArgs:\n")[2].partition("\n\n")[0]
    found: list[tuple[str, str, list[str]]] = []
    for line in listed.splitlines():
        match = _ENTRY.fullmatch(line)
        if match is None:
            found[-1][2].append(line)
        else:
            found.append((match[1], match[2], [line]))
    for stars, name, lines in found:
        yield stars, name, tuple(lines)


def _signature(options: Iterable[Option]) -> inspect.Signature:
    parameters = [
        Python(each.name, each.kind, default=each.default, annotation=_plain(each.annotation))
        for each in options
    ]
    return inspect.Signature(sorted(parameters, key=lambda each: each.kind))


def _plain(annotation: str) -> str:
    """The bare type of an ``Annotated``."""
    if not annotation.startswith("Annotated["):
        return annotation
    parsed = ast.parse(annotation, mode="eval").body
    assert isinstance(parsed, ast.Subscript) and isinstance(parsed.slice, ast.Tuple)
    return ast.unparse(parsed.slice.elts[0])


def _expanded(text: str, options: Iterable[Option]) -> str:
    """The docstring with each group replaced by its entries."""
    before, args, after = text.partition("\nArgs:\n")
    if not args:
        return text
    lines = [
        line.replace("{words}", ", ".join(each.choices)) if "{words}" in line else line
        for each in options
        if each.in_python
        for line in each.lines
    ]
    _, blank, rest = after.partition("\n\n")
    return "".join([before, args, "\n".join(lines), blank, rest])
