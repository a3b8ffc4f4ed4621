"""The commands put together, and the one place where errors become sentences and exit statuses."""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from keyword import iskeyword
from pathlib import Path
from types import ModuleType
from typing import Annotated, NoReturn

import typer

from streamgage.cli.completion import VARIABLE, called, complete_choices, prepare_line
from streamgage.cli.examples import CommandWithExamples, ProgramWithExamples, as_text
from streamgage.errors import FAILED, INTERRUPTED, USAGE, StreamgageError
from streamgage.show.output import abandon_stdout

_USAGE_ERROR: type[Exception] = typer.BadParameter.__bases__[0]
"""What typer raises for every kind of wrong command line; it has no public name of its own."""

_OWN_OPTIONS = {"--help", "-h", "--version", "--install-completion", "--show-completion"}

_COMMANDS = (
    "measure",
    "scale",
    "study",
    "study petsc",
    "predict",
    "ladder",
    "latency",
    "compilers",
    "repeat",
    "numa",
    "show",
    "history",
    "compare",
    "report",
    "rm",
    "export",
    "import",
    "pin",
    "topology",
    "traffic",
    "interpret",
    "explain",
    "doctor",
)
"""Each is the function of that name in the module of that name beside this one; a blank in it is
``_`` there, and a word that Python keeps for itself has one behind it."""
STUDY_PETSC = "study petsc"


def module_of(name: str) -> ModuleType:
    """The module of a command; its function there has the same name."""
    return import_module(f"streamgage.cli.{_identifier(name)}")


def _identifier(name: str) -> str:
    return name.replace(" ", "_") + ("_" if iskeyword(name) else "")


def command_names() -> tuple[str, ...]:
    """Every command, in the order of the help."""
    return _COMMANDS


def whole_program() -> typer.Typer:
    """The program with every command."""
    app = _program_alone()
    for name in _COMMANDS:
        _add(app, name)
    return app


def _app(arguments: Sequence[str]) -> typer.Typer:
    """The program with the command that is called; where that is none, with all by name alone.

    Loading all of them takes longer than most of them run.
    """
    if VARIABLE in os.environ:
        return _completing_app()
    app = _program_alone()
    if arguments[0] in _COMMANDS:
        _add(app, arguments[0])
    else:
        for name in _COMMANDS:
            app.command(name, help=_first_sentence(name))(_named_only)
    return app


def _completing_app() -> typer.Typer:
    """The program for the shell, which asks what may follow."""
    prepare_line(os.environ, _COMMANDS, sorted(_OWN_OPTIONS))
    wanted = called(os.environ, _COMMANDS) or ""
    app = _program_alone()
    for name in (wanted,) if wanted in _COMMANDS else _COMMANDS:
        command = _function(name)
        complete_choices(command, [each[len(name) + 1 :] for each in _behind(name)])
        # Of two words the first is offered, and the second after it.
        app.command(name, cls=CommandWithExamples, hidden=" " in name)(command)
    return app


def _program_alone() -> typer.Typer:
    app = typer.Typer(
        name="streamgage",
        add_completion=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    epilog = "streamgage alone is streamgage measure, and takes its options."
    app.callback(cls=ProgramWithExamples, epilog=epilog)(_program)
    return app


def _add(app: typer.Typer, name: str) -> None:
    examples = as_text(getattr(module_of(name), "EXAMPLES", ()))
    app.command(name, cls=CommandWithExamples, epilog=examples)(_function(name))


def _function(name: str) -> Callable[..., object]:
    function: Callable[..., object] = getattr(module_of(name), _identifier(name))
    return function


def _named_only() -> None:
    """In place of a command that nobody has called."""


def _first_sentence(name: str) -> str:
    """What the command says of itself, read from its source: importing it would take longer."""
    source = Path(__file__).with_name(f"{_identifier(name)}.py").read_text("utf-8")
    body = ast.parse(source).body
    function = next(
        each
        for each in body
        if isinstance(each, ast.FunctionDef) and each.name == _identifier(name)
    )
    return (ast.get_docstring(function) or "").partition("\n\n")[0]


def _behind(first_word: str) -> list[str]:
    return [name for name in _COMMANDS if name.startswith(f"{first_word} ")]


def _version(asked: bool) -> None:
    if asked:
        from importlib.metadata import PackageNotFoundError, version

        try:
            print(f"streamgage {version('streamgage')}")
        except PackageNotFoundError:
            print("streamgage (not installed)")
        raise typer.Exit


def _program(
    _asked: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Measure the bandwidth of this machine's memory and say what the number means."""


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the program and leave with its exit status."""
    _open_standard_streams()
    sys.exit(_run(list(sys.argv[1:] if arguments is None else arguments)))


def _open_standard_streams() -> None:
    """Let no file of ours get the number of a standard stream that was closed."""
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest free number
    if sys.stderr is None:  # else what is said there would go to stdout
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 - stays open


def _run(arguments: list[str]) -> int:
    if not arguments or (arguments[0].startswith("-") and arguments[0] not in _OWN_OPTIONS):
        arguments = ["measure", *arguments]
    arguments = _with_joined_words(arguments)
    try:
        status = _app(arguments)(arguments, prog_name="streamgage", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
    except StreamgageError as error:
        return _say(str(error), error.exit_status)
    except _USAGE_ERROR as error:
        message = error.format_message() if hasattr(error, "format_message") else str(error)
        message = message.strip().rstrip(".")
        return _say(f"{message}; `{_help(arguments)}` lists what there is.", USAGE)
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        abandon_stdout()
        return 0
    except OSError as error:
        abandon_stdout()
        what = error.filename or "Standard output"
        return _say(f"{what} could not be used: {error.strerror or error}.", FAILED)
    return status if isinstance(status, int) else 0


def _with_joined_words(arguments: list[str]) -> list[str]:
    """The arguments with the words of a command of two as one, and its own reading of them."""
    two = " ".join(arguments[:2])
    if two != STUDY_PETSC:
        return arguments
    from streamgage.cli.study_petsc import with_mode

    return [two, *with_mode(arguments[2:])]


def _help(arguments: list[str]) -> str:
    known = [each for each in arguments[:1] if each in _COMMANDS]
    return " ".join(["streamgage", *known, "--help"])


def _say(sentence: str, status: int) -> int:
    print(f"streamgage: {' '.join(sentence.split())}", file=sys.stderr)
    return status
