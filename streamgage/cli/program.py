"""The commands put together, and the one place where errors become sentences and exit statuses."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Annotated, NoReturn

import typer

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
    "pin",
    "topology",
    "traffic",
    "interpret",
    "explain",
    "doctor",
)
"""Each is the function of that name in the module of that name beside this one; a blank in it is
``_`` there."""
STUDY_PETSC = "study petsc"
_COMPLETION = "_STREAMGAGE_COMPLETE"
"""Variable that a shell sets to ask for completions."""


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
    app.callback(epilog="streamgage alone is streamgage measure, and takes its options.")(_program)
    completing = _COMPLETION in os.environ
    one = not completing and arguments[0] in _COMMANDS
    names = [each for each in _COMMANDS if not (completing and " " in each)]
    for name in arguments[:1] if one else names:
        module = name.replace(" ", "_")
        command: Callable[..., object] = getattr(import_module(f"streamgage.cli.{module}"), module)
        app.command(name)(command)
    return app


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
