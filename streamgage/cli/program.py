"""The commands put together, and the one place where errors become sentences and exit statuses."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from keyword import iskeyword
from types import ModuleType
from typing import Annotated, NoReturn

import typer

from streamgage.cli.completion import VARIABLE, called, complete_choices, prepare_line
from streamgage.cli.examples import CommandWithExamples, ProgramWithExamples, as_text
from streamgage.errors import FAILED, INTERRUPTED, USAGE, StreamgageError
from streamgage.present.output import abandon_stdout

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
    return _app(["--help"])


def _app(arguments: Sequence[str]) -> typer.Typer:
    """The program with the command that is called, or with all where that is not one of them.

    Loading all of them takes longer than most of them run.
    """
    app = typer.Typer(
        name="streamgage",
        add_completion=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    epilog = "streamgage alone is streamgage measure, and takes its options."
    app.callback(cls=ProgramWithExamples, epilog=epilog)(_program)
    completing = VARIABLE in os.environ
    wanted = arguments[0]
    if completing:
        prepare_line(os.environ, _COMMANDS, sorted(_OWN_OPTIONS))
        wanted = called(os.environ, _COMMANDS) or ""
    for name in (wanted,) if wanted in _COMMANDS else _COMMANDS:
        module = module_of(name)
        command: Callable[..., object] = getattr(module, _identifier(name))
        if completing:
            complete_choices(command, [each[len(name) + 1 :] for each in _behind(name)])
        examples = as_text(getattr(module, "EXAMPLES", ()))
        hidden = completing and " " in name  # its first word is offered, and the second after it
        app.command(name, cls=CommandWithExamples, epilog=examples, hidden=hidden)(command)
    return app


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
