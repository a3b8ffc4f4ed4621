"""Shell completion of commands of two words, which typer does not complete by itself.

The shells' scripts are typer's (``--install-completion``); they call the program with the line so
far in the environment.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from typing import Annotated, Any

import typer

from streamgage.cli.parameters import completer

_BASH_WORDS = "COMP_WORDS"
_BASH_NUMBER = "COMP_CWORD"
_PLACE = re.compile(r"[0-9]{1,6}", re.ASCII)
_OTHER_WORDS = "_TYPER_COMPLETE_ARGS"


def word_of_group(words: Sequence[str]) -> Callable[..., None]:
    """Return a command that only completes its argument: the second word of other commands."""

    def command(word: Any = "") -> None:  # noqa: ANN401 - the annotation is set below
        raise AssertionError(f"{word} completes a line, and is never called")

    info = typer.Argument(autocompletion=completer(words))
    command.__annotations__ = {"word": Annotated[str, info], "return": None}
    return command


def prepare_line(
    environment: MutableMapping[str, str], names: Sequence[str], own_options: Sequence[str]
) -> None:
    """Rewrite the line to complete into the form in which the program reads it.

    A command of two words becomes one word in quotes. An option that is not the program's own moves
    behind ``measure``.
    """
    for variable in (_BASH_WORDS, _OTHER_WORDS):
        line = environment.get(variable)
        if line is None:
            continue
        changed, more = _as_read(line, names, own_options)
        environment[variable] = changed
        if variable == _BASH_WORDS and _PLACE.fullmatch(environment.get(_BASH_NUMBER, "")):
            environment[_BASH_NUMBER] = str(int(environment[_BASH_NUMBER]) + more)


def complete_line(environment: MutableMapping[str, str]) -> None:
    """Put a line that has nothing but the program's name where a shell hands over none."""
    line = environment.get(_BASH_WORDS) or environment.get(_OTHER_WORDS) or "streamgage "
    for variable in (_BASH_WORDS, _OTHER_WORDS):
        environment[variable] = environment.get(variable) or line
    if not _PLACE.fullmatch(environment.get(_BASH_NUMBER, "")):
        environment[_BASH_NUMBER] = "1"


def called(environment: Mapping[str, str], names: Sequence[str]) -> str | None:
    """The command that the prepared line calls; ``None`` if its name is being completed."""
    line = environment.get(_BASH_WORDS, environment.get(_OTHER_WORDS, ""))
    word = re.match(r"\s*\S+\s+('[^']+'|\S+)\s", line)
    name = word[1].strip("'") if word else None
    return name if name in names else None


def _as_read(line: str, names: Sequence[str], own_options: Sequence[str]) -> tuple[str, int]:
    """The rewritten line, and how many words longer it is."""
    line, more = _store_behind(line, names)
    line, others = _as_one_word(line, names, own_options)
    return line, more + others


def _store_behind(line: str, names: Sequence[str]) -> tuple[str, int]:
    """Move ``--store FILE`` behind the command, or leave it out if FILE is being completed."""
    parts = re.fullmatch(r"(\s*\S+)(\s+--store\s+\S+)(\s+)([^-].*|)", line, re.DOTALL)
    if parts is None:
        return line, 0
    program, option, gap, rest = parts.groups()
    for name in sorted(names, key=len, reverse=True):  # those of two words first
        words = r"\s+".join(map(re.escape, name.split()))
        typed = re.match(rf"{words}(?=\s)", rest)
        if typed:
            return f"{program}{gap}{typed[0]}{option}{rest[typed.end() :]}", 0
    return f"{program}{gap}{rest}", -2


def _as_one_word(line: str, names: Sequence[str], own_options: Sequence[str]) -> tuple[str, int]:
    parts = re.fullmatch(r"(\s*\S+\s+)(\S+)(.*)", line, re.DOTALL)
    if parts is None:
        return line, 0
    program, first, rest = parts.groups()
    if first.startswith("-"):
        own = any(each.startswith(first) for each in own_options)
        return (line, 0) if own else (f"{program}measure {first}{rest}", 1)
    for name in names:
        one, _, two = name.partition(" ")
        if two and first == one and re.match(rf"\s+{re.escape(two)}\s", rest):
            return f"{program}'{name}'{rest.lstrip()[len(two) :]}", -1
    return line, 0
