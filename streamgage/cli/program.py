"""The commands put together, and the one place where errors become sentences and exit statuses."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import Annotated, NoReturn

import typer

from streamgage.cli.compilers import compilers
from streamgage.cli.doctor import doctor
from streamgage.cli.explain import explain
from streamgage.cli.interpret import interpret
from streamgage.cli.ladder import ladder
from streamgage.cli.latency import latency
from streamgage.cli.measure import measure
from streamgage.cli.numa import numa
from streamgage.cli.pin import pin
from streamgage.cli.repeat import repeat
from streamgage.cli.scale import scale
from streamgage.cli.show import show
from streamgage.cli.topology import topology
from streamgage.cli.traffic import traffic
from streamgage.errors import FAILED, INTERRUPTED, USAGE, StreamgageError
from streamgage.present.output import abandon_stdout

_USAGE_ERROR: type[Exception] = typer.BadParameter.__bases__[0]
"""What typer raises for every kind of wrong command line; it has no public name of its own."""

_OWN_OPTIONS = {"--help", "-h", "--version", "--install-completion", "--show-completion"}

app = typer.Typer(
    name="streamgage",
    add_completion=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
_COMMANDS: dict[str, Callable[..., object]] = {
    "measure": measure,
    "scale": scale,
    "ladder": ladder,
    "latency": latency,
    "compilers": compilers,
    "repeat": repeat,
    "numa": numa,
    "show": show,
    "pin": pin,
    "topology": topology,
    "traffic": traffic,
    "interpret": interpret,
    "explain": explain,
    "doctor": doctor,
}
for _name, _command in _COMMANDS.items():
    app.command(_name)(_command)


def _version(asked: bool) -> None:
    if asked:
        from importlib.metadata import PackageNotFoundError, version

        try:
            print(f"streamgage {version('streamgage')}")
        except PackageNotFoundError:
            print("streamgage (not installed)")
        raise typer.Exit


@app.callback(epilog="streamgage alone is streamgage measure, and takes its options.")
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
    try:
        status = app(arguments, prog_name="streamgage", standalone_mode=False)
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


def _help(arguments: list[str]) -> str:
    known = [each for each in arguments[:1] if each in _COMMANDS]
    return " ".join(["streamgage", *known, "--help"])


def _say(sentence: str, status: int) -> int:
    print(f"streamgage: {' '.join(sentence.split())}", file=sys.stderr)
    return status
