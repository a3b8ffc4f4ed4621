"""Names what the user may have meant by a word that is not known."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping, Sequence

_UNKNOWN = re.compile(
    r"'(?P<name>[^']{1,40})'[^']{0,40}?"
    r"(?:; the [a-z ]+ are |: use |: choose from )(?P<known>[\w.+-]+(?:(?:, | )[\w.+-]+)*)"
)
"""An unknown word in quotes, and the list of those that are known."""
_MEANT = {
    "nt": "streaming",
    "ntstore": "streaming",
    "nontemporal": "streaming",
    "non-temporal": "streaming",
    "memcpy": "libc",
    "memset": "libc",
    "read": "sum",
    "write": "init",
}
"""Words of other benchmarks for a name."""
_WORDS_FOR_COMMANDS = {
    "study": "program --scaling",
    "ruler": "program --ratio",
    "repeat": "measure --runs",
    "world": "expected --cloud",
}
"""Words for a command, and what asks for it."""
_NO_COMMAND = re.compile(r"No such command '([a-z]+)'")
_LEAST = 0.6
"""The least similarity of two words, from 0 to 1."""
_EXTRA = re.compile(r"Got unexpected extra argument\(?s?\)? \((.+)\)")


def with_nearest(sentence: str) -> str:
    """Add what was probably meant: ``there is no kernel 'tirad'; ... Did you mean triad?``."""
    found = _UNKNOWN.search(sentence)
    if found is None:
        return sentence
    meant = nearest(found["name"], found["known"].rstrip(".").split(", "))
    if meant is None:
        return sentence
    return f"{sentence} Did you mean {meant}?"


def nearest(word: str, known: Sequence[str]) -> str | None:
    """The known word that ``word`` probably stands for; ``None`` if none is like it."""
    plain = word.strip().casefold()
    meant = _MEANT.get(plain)
    if meant in known:
        return meant
    close = difflib.get_close_matches(plain, known, 1, _LEAST)
    return close[0] if close else None


def with_command(message: str, asked: Callable[[], Mapping[str, str]]) -> str:
    """Name the command that does what a word asks for which there is no command.

    ``asked`` gives the commands with an option that asks for something else, by that option.
    """
    found = _NO_COMMAND.match(message)
    if found is None:
        return message
    meant = {**asked(), **_WORDS_FOR_COMMANDS}.get(found[1])
    return message if meant is None else f"{found[0]}. Did you mean '{meant}'?"


def with_commas(message: str, arguments: Sequence[str]) -> str:
    """Say how to give several values, if words follow the value of an option."""
    found = _EXTRA.search(message)
    if found is None:
        return message
    extra = found[1].split()
    for number, each in enumerate(arguments[:-2]):
        following = list(arguments[number + 2 : number + 2 + len(extra)])
        if each.startswith("--") and "=" not in each and following == extra:
            values = ",".join([arguments[number + 1], *extra])
            return f"{message}: separate several values by commas, as in {each} {values}"
    return message
