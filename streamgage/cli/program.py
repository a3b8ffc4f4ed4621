"""Puts the commands together; errors become sentences and exit statuses here and nowhere else."""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from itertools import groupby
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from streamgage import commands, results
from streamgage.cli.examples import (
    HELP_ALL,
    CommandWithExamples,
    ProgramWithExamples,
    whole_help,
)
from streamgage.cli.nearest import with_command, with_commas, with_nearest
from streamgage.errors import (
    BROKEN,
    FAILED,
    INTERRUPTED,
    USAGE,
    StreamgageError,
    UsageError,
    shortened,
)
from streamgage.options.question import Question
from streamgage.show.written import sentence_on_files, written_files

if TYPE_CHECKING:  # loaded where it is needed: --help answers at once
    from typing_extensions import Buffer

    from streamgage.options.declaration import Declaration

_USAGE_ERROR: type[Exception] = typer.BadParameter.__bases__[0]
"""What typer raises for every kind of wrong command line; it has no public name of its own."""

_OWN_OPTIONS = {"--help", "-h", HELP_ALL, "--version", "--install-completion", "--show-completion"}

_COMPLETION = "_STREAMGAGE_COMPLETE"
"""Variable that a shell sets to ask for completions."""
_COMMAND_LINE = "command_line"
_HELP_WORD = "help"
_DEFAULT = "measure"
"""The command if none is named."""
_STORE = "--store"
"""The one option that may stand before a command as well as after it."""
_VERDICTS = ("check", "fleet judge", "fleet run")
"""Commands whose status 1 is a verdict on a node, for which nodes are drained."""
_CALLED = {"load": "show"}
"""Python functions whose command has another name."""


def module_of(name: str) -> ModuleType:
    """The module of a command."""
    return import_module(f"streamgage.commands.{_modules()[name]}")


@cache
def _modules() -> dict[str, str]:
    """The module of each command, by its name: every file in the folder of commands is one.

    Commands that measure come first. ``measure``, the default command, is the very first.
    """
    files = [file.stem for file in _folder(commands).glob("[a-z]*.py")]
    modules = {_CALLED.get(file, file.rstrip("_").replace("_", " ")): file for file in files}
    kinds = _folder(results)

    def place(name: str) -> tuple[bool, bool, list[str]]:
        words = name.split()
        return name != _DEFAULT, not (kinds / words[0]).is_dir(), words

    return {name: modules[name] for name in sorted(modules, key=place)}


def _folder(package: ModuleType) -> Path:
    return Path(package.__path__[0])


def declared(name: str) -> Declaration:
    """Return what the function of a command declares.

    If the command line shows more than the function returns, ``command_line`` declares it.
    """
    from streamgage.options.declaration import declaration_of

    module = module_of(name)
    for function in (_COMMAND_LINE, _modules()[name]):
        if function in vars(module):
            return declaration_of(vars(module)[function])
    raise AssertionError(f"{module.__name__} has no command")


def command_names() -> tuple[str, ...]:
    """Every command, in the order of the help."""
    return tuple(_modules())


def _modes_asked() -> dict[str, str]:
    """Each command with the option of a mode, by the option's name."""
    return {
        mode.option: f"{name} --{mode.option}"
        for name in command_names()
        for mode in declared(name).modes
        if mode.option.isalpha()
    }


def whole_program() -> typer.Typer:
    """The program with every command."""
    app = _program_alone()
    for name in command_names():
        _add(app, name)
    return app


def _app(arguments: Sequence[str]) -> typer.Typer:
    """The program with only the called command; if none is called, with the names of all.

    Loading all commands takes longer than most of them run.
    """
    if _COMPLETION in os.environ:
        return _completing_app()
    app = _program_alone()
    if arguments[0] in command_names():
        _add(app, arguments[0])
    else:
        for name in command_names():
            app.command(name, help=_first_sentence(name))(_named_only)
    return app


def _completing_app() -> typer.Typer:
    """The program for the shell, which asks what may follow."""
    from streamgage.cli.completion import (
        called,
        complete_line,
        prepare_line,
        word_of_group,
    )

    complete_line(os.environ)
    prepare_line(os.environ, command_names(), sorted(_OWN_OPTIONS))
    wanted = called(os.environ, command_names()) or ""
    app = _program_alone()
    for name in (wanted,) if wanted in command_names() else command_names():
        # Of two words the first is offered, and the second after it.
        app.command(name, cls=CommandWithExamples, hidden=" " in name)(_function(name))
    for first, seconds in _groups().items():
        app.command(first, help=_of_group(first))(word_of_group(seconds))
    return app


def _groups() -> dict[str, list[str]]:
    """The first words of commands of two words, with their second ones."""
    found: dict[str, list[str]] = {}
    for name in command_names():
        first, _, second = name.partition(" ")
        if second:
            found.setdefault(first, []).append(second)
    return found


def _of_group(first: str) -> str:
    """``fleet run and fleet judge.``, the help of a group's first word."""
    return f"{' and '.join(_behind(first))}."


def _help_of_group(first: str) -> str:
    """The commands of a group, each with its first sentence."""
    width = max(map(len, _behind(first)))
    lines = [f"  {name.ljust(width)}  {_first_sentence(name)}" for name in _behind(first)]
    usage = f"Usage: streamgage {first} COMMAND [OPTIONS]"
    return "\n".join(["", f" {usage}", "", "Commands:", *lines, "", f" {_HELP_OF_EACH}", ""])


_HELP_OF_EACH = "--help behind a command lists its options."


def _program_alone() -> typer.Typer:
    app = typer.Typer(
        name="streamgage",
        add_completion=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    program: type[ProgramWithExamples] = type(
        "Program", (ProgramWithExamples,), {"questions": _questions()}
    )
    epilog = (
        "streamgage alone is streamgage measure, and takes its options. --store FILE may stand"
        " before any command that has it."
    )
    app.callback(cls=program, epilog=epilog)(_program)
    return app


def _add(app: typer.Typer, name: str) -> None:
    module = module_of(name)
    modes = [option for mode in declared(name).modes for option in (mode.option, *mode.own)]
    its = {
        "examples": getattr(module, "EXAMPLES", ()),
        "everyday": getattr(module, "EVERYDAY", modes),
    }
    with_its: type[CommandWithExamples] = type("Command", (CommandWithExamples,), its)
    app.command(name, cls=with_its)(_function(name))


def _function(name: str) -> Callable[..., int]:
    from streamgage.cli.output import run
    from streamgage.cli.parameters import typer_function

    declaration = declared(name)
    return typer_function(declaration, lambda values: run(declaration, values))


def _named_only() -> None:
    """A placeholder for a command that is not called."""


def _source(name: str) -> str:
    """The source of a command's module, which is read because an import would take longer."""
    return (_folder(commands) / f"{_modules()[name]}.py").read_text("utf-8")


def _questions() -> dict[str, list[str]]:
    """The commands that answer each question."""
    found: dict[str, list[str]] = {each: [] for each in Question}
    for name in command_names():
        answered = re.search(r"^ANSWERS = Question\.(\w+)$", _source(name), re.M)
        if answered is None:
            raise AssertionError(f"{name} answers no question")
        found[Question[answered[1]]].append(name)
    return {question: list(_folded(names)) for question, names in found.items()}


def _folded(names: Sequence[str]) -> Iterator[str]:
    """The names, with those of a group as one: ``fleet judge|run``."""
    groups = _groups()
    for first, same in groupby(names, key=lambda each: each.partition(" ")[0]):
        if first in groups:
            yield f"{first} {'|'.join(each.partition(' ')[2] for each in same)}"
        else:
            yield from same


def _first_sentence(name: str) -> str:
    """The first sentence of the docstring of a command's function."""
    source = _source(name)
    for function in (_COMMAND_LINE, _modules()[name]):
        found = re.search(rf'^def {function}\(.*?^    """(.*?)(?:"""|\n\n)', source, re.S | re.M)
        if found is not None:
            return found[1]
    raise AssertionError(f"{name} is no command")


def _behind(first_word: str) -> list[str]:
    return [name for name in command_names() if name.startswith(f"{first_word} ")]


def _version(wanted: bool) -> None:
    if wanted:
        from streamgage.process.installation import own_version

        print(f"streamgage {own_version() or '(not installed)'}")
        raise typer.Exit


def _program(
    _wanted: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Measure the bandwidth of this machine's memory and say what the number means."""


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the program and leave with its exit status."""
    _open_standard_streams()
    sys.exit(_run(list(sys.argv[1:] if arguments is None else arguments)))


def _open_standard_streams() -> None:
    """Open closed standard streams, so that no later file gets the number of one."""
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest free number
    if sys.stderr is None:  # else what is said there would go to stdout
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 - stays open
    elif sys.__stderr__ is not None and sys.stderr is sys.__stderr__:
        sys.stderr = io.TextIOWrapper(
            io.BufferedWriter(_Lossy(2, "wb", closefd=False)),
            encoding=sys.__stderr__.encoding,
            errors="backslashreplace",
            line_buffering=True,
        )


class _Lossy(io.FileIO):
    """A stream that loses what cannot be written, so that no full or closed stderr fails."""

    def write(self, content: Buffer, /) -> int:
        """Write the content, or lose it."""
        with suppress(OSError):
            return super().write(content) or memoryview(content).nbytes
        return memoryview(content).nbytes


def _run(arguments: list[str]) -> int:
    with written_files() as files:
        try:
            status = _run_command(with_store_behind(arguments))
        except StreamgageError as error:
            sentence = _advice(arguments, with_nearest(str(error)))
            status = _say(sentence, _of_failure(arguments, error.exit_status))
        if files:
            _say(sentence_on_files(files), status)
    return status


def _run_command(arguments: list[str]) -> int:
    if not arguments or (arguments[0].startswith("-") and arguments[0] not in _OWN_OPTIONS):
        arguments = [_DEFAULT, *arguments]
    if arguments[0] == _HELP_WORD:
        arguments = [*arguments[1:], "--help"]
    own = arguments[: arguments.index("--")] if "--" in arguments else arguments
    if HELP_ALL in own:
        with whole_help():
            return _run_command(["--help" if each == HELP_ALL else each for each in arguments])
    if arguments[0] in _groups() and " ".join(arguments[:2]) not in command_names():
        return _ended(arguments, lambda: _show_group(arguments))
    words = _with_joined_words(arguments)
    return _ended(words, lambda: _app(words)(words, prog_name="streamgage", standalone_mode=False))


def _ended(arguments: list[str], work: Callable[[], object]) -> int:
    """Do what the arguments ask for; the exit status, where that cannot be printed, too."""
    try:
        status = work()
        if sys.stdout is not None:
            sys.stdout.flush()
    except _USAGE_ERROR as error:
        message = error.format_message() if hasattr(error, "format_message") else str(error)
        message = with_commas(with_command(message.strip().rstrip("."), _modes_asked), arguments)
        message = shortened(message)
        end = "" if message.endswith("?") else ";"
        return _say(f"{message}{end} `{_help(arguments)}` lists what there is.", USAGE)
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        _abandon_stdout()
        return 0
    except SystemExit as left:
        if not isinstance(left.__context__, BrokenPipeError):  # which typer makes of it
            raise
        _abandon_stdout()
        return 0
    except (OSError, MemoryError, ImportError) as error:
        _abandon_stdout()
        return _say(_of_system(error), _of_failure(arguments, FAILED))
    return status if isinstance(status, int) else 0


def _show_group(arguments: Sequence[str]) -> int:
    """Print the help of a group, or say that it has no such command."""
    first, second = arguments[0], next(iter(arguments[1:]), "")
    if second and second not in ("-h", "--help"):
        names = ", ".join(_behind(first))
        sentence = f"There is no command '{shortened(first + ' ' + second)}': use {names}."
        return _say(with_nearest(sentence), USAGE)
    print(_help_of_group(first))
    return 0


def _of_failure(arguments: Sequence[str], status: int) -> int:
    """The exit status of a failure, which must not be that of a verdict."""
    named = " ".join(arguments[:2]).startswith(_VERDICTS)
    return BROKEN if named and status == FAILED else status


def _of_system(error: OSError | MemoryError | ImportError) -> str:
    """Return a sentence about what the system refused."""
    match error:
        case OSError():
            what = error.filename or "Standard output"
            return f"{what} could not be used: {error.strerror or error}."
        case MemoryError():
            return (
                "There is not enough memory to go on: raise the limit (`ulimit -v` shows it), end"
                " other programs, or name fewer and smaller files."
            )
    return f"A Python package is damaged ({error}): install streamgage and its packages again."


def _abandon_stdout() -> None:
    from streamgage.show.output import abandon_stdout

    abandon_stdout()


def with_store_behind(arguments: list[str]) -> list[str]:
    """Move ``--store FILE`` in front of a command behind it, as its own option.

    Raises ``UsageError`` if the command has no store.
    """
    taken = 1 if arguments and arguments[0].startswith(f"{_STORE}=") else 2
    before, rest = arguments[:taken], arguments[taken:]
    if not before or before[0].partition("=")[0] != _STORE:
        return arguments
    words = next((n for n in (2, 1) if rest and " ".join(rest[:n]) in command_names()), 0)
    name = " ".join(rest[:words])
    if not words:  # an option of the default command
        return arguments
    if "store" not in declared(name).options:
        raise UsageError(f"{name} has no {_STORE}: leave it out.")
    return [*rest[:words], *before, *rest[words:]]


def _with_joined_words(arguments: list[str]) -> list[str]:
    """Join the words of a command of two words, and add values to its lone options."""
    two = " ".join(arguments[:2])
    name, rest = (two, arguments[2:]) if two in command_names() else (arguments[0], arguments[1:])
    if name not in command_names():
        return arguments
    from streamgage.cli.parameters import with_lone_options

    return [name, *with_lone_options(declared(name), rest)]


def _advice(arguments: list[str], sentence: str) -> str:
    """Return the sentence without advice to use options that the called command lacks."""
    from streamgage.cli.output import followable

    names = [name for name in (" ".join(arguments[:n]) for n in (2, 1)) if name in command_names()]
    return followable(declared(names[0] if names else _DEFAULT), sentence)


def _help(arguments: list[str]) -> str:
    known = [each for each in arguments[:1] if each in command_names()]
    return " ".join(["streamgage", *known, "--help"])


def _say(sentence: str, status: int) -> int:
    from streamgage.show.wrap import say

    say(" ".join(sentence.split()))
    return status
