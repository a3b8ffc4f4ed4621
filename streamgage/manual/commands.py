"""Makes the pages of the program and its commands from the commands themselves."""

from __future__ import annotations

from typing import Any, cast

from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from streamgage.cli.examples import HELP_ALL, PROGRAM
from streamgage.cli.program import command_names, module_of, whole_program
from streamgage.manual.page import STATUSES, Option, Page

PROGRAM_NAME = "streamgage"
_HELP = Option(("-h", "--help"), "Show the questions, or the everyday options, and exit.")
_HELP_ALL = Option((HELP_ALL,), "Show all commands or options, and exit.")
VARIABLES = {
    "STREAMGAGE_ENGINE": "The engine to start, instead of the one next to the program.",
    "STREAMGAGE_PIN_LIBRARY": "The library that binds threads of other programs.",
    "STREAMGAGE_LOCK": "The lock file of measurements, which wait for each other; none: no lock.",
    "STREAMGAGE_MPI_LIBRARY": "The MPI library that ranks load; default: the launcher's.",
    "STREAMGAGE_LOAD_CHECK": "none: measure even if other programs use the CPUs, without checking.",
    "XDG_STATE_HOME": "Where the records of runs are kept; default: ~/.local/state.",
    "XDG_CACHE_HOME": "Where shapes and built programs are kept; default: ~/.cache.",
    "HWLOC_SYNTHETIC, HWLOC_XMLFILE, HWLOC_FSROOT": "Another machine for topology and pin --show.",
    "PETSC_DIR, PETSC_ARCH": "The PETSc that program --petsc takes.",
    "NO_COLOR": "Set to anything: no colours.",
}
FILES = {
    "~/.local/state/streamgage": "The records of runs; show takes the newest.",
    "~/.cache/streamgage": "The fastest access shapes of this machine; built programs.",
    "/run/lock/streamgage.lock": "The lock that keeps measurements from disturbing each other.",
}


def pages() -> tuple[Page, ...]:
    """Return the program's page, then a page for each command in the order of the help."""
    tree = cast(TyperGroup, get_command(whole_program()))
    commands = tuple(
        _page(name, cast(TyperCommand, tree.commands[name])) for name in command_names()
    )
    return (_program(tree, commands), *commands)


def _program(tree: TyperGroup, commands: tuple[Page, ...]) -> Page:
    return Page(
        name=PROGRAM_NAME,
        summary=_filled(tree.help),
        usage="[COMMAND] [OPTIONS]",
        options=(*_options(tree), _HELP, _HELP_ALL),
        examples=PROGRAM,
        remarks=(_filled(tree.epilog),),
        commands=tuple((each.name, each.summary) for each in commands),
        variables=VARIABLES,
        files=FILES,
    )


def _page(name: str, command: TyperCommand) -> Page:
    module = module_of(name)
    arguments = [
        Option((_label(each),), _filled(each.help), default=_default(each))
        for each in _parameters(command)
        if each.param_type_name == "argument"
    ]
    usage = " ".join(["[OPTIONS]", *(each.names[0] for each in arguments)])
    return Page(
        name=f"{PROGRAM_NAME} {name}",
        summary=_filled(command.help),
        usage=usage,
        arguments=tuple(arguments),
        options=(*_options(command), _HELP),
        examples=tuple(getattr(module, "EXAMPLES", ())),
        statuses={**STATUSES, **getattr(module, "EXIT_STATUSES", {})},
    )


def _parameters(command: TyperCommand | TyperGroup) -> list[Any]:
    """The parameters of a command. They are untyped, because their classes have no public name."""
    return [each for each in command.params if not getattr(each, "hidden", False)]


def _options(command: TyperCommand | TyperGroup) -> tuple[Option, ...]:
    return tuple(
        Option(
            (*each.opts, *each.secondary_opts),
            _filled(each.help),
            value=None if each.is_flag else each.metavar or each.name.upper(),
            default=_default(each),
        )
        for each in _parameters(command)
        if each.param_type_name == "option"
    )


def _label(argument: Any) -> str:  # noqa: ANN401 - see _parameters
    label = str(argument.metavar or argument.name.upper())
    return label if argument.required or label.startswith("[") else f"[{label}]"


def _default(parameter: Any) -> str | None:  # noqa: ANN401 - see _parameters
    default = parameter.default
    return (
        None if default is None or isinstance(default, bool) or callable(default) else str(default)
    )


def _filled(text: str | None) -> str:
    return " ".join((text or "").split())
