"""The commands put together, and the one place where errors become sentences and exit statuses."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated, NoReturn

import typer

from streamgage.cli.measure import measure
from streamgage.cli.show import show
from streamgage.errors import INTERRUPTED, USAGE, StreamgageError

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
app.command()(measure)
app.command()(show)


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
    sys.exit(_run(list(sys.argv[1:] if arguments is None else arguments)))


def _run(arguments: list[str]) -> int:
    if not arguments or (arguments[0].startswith("-") and arguments[0] not in _OWN_OPTIONS):
        arguments = ["measure", *arguments]
    try:
        status = app(arguments, prog_name="streamgage", standalone_mode=False)
    except StreamgageError as error:
        return _say(str(error), error.exit_status)
    except _USAGE_ERROR as error:
        message = error.format_message() if hasattr(error, "format_message") else str(error)
        message = message.strip().rstrip(".")
        return _say(f"{message}; `{_help(arguments)}` lists what there is.", USAGE)
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        return 0
    return status if isinstance(status, int) else 0


def _help(arguments: list[str]) -> str:
    known = [argument for argument in arguments[:1] if argument in ("measure", "show")]
    return " ".join(["streamgage", *known, "--help"])


def _say(sentence: str, status: int) -> int:
    print(f"streamgage: {' '.join(sentence.split())}", file=sys.stderr)
    return status
