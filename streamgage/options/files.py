"""Claims the files that the value of an option names, before the command runs."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from contextlib import suppress
from enum import StrEnum
from pathlib import Path

from streamgage.errors import StreamgageError, UsageError
from streamgage.records.address import is_address, place_in
from streamgage.records.command_files import claim_input, claim_output, claim_store


class Opens(StrEnum):
    """What a command does with the files that an option names; part of the ``Annotated``."""

    READS = "reads"
    """Reads a file, or the files of a folder."""
    WORDS = "words"
    """Starts a program with these words; those that are files are read."""
    WRITES = "writes"
    STORE = "store"
    NOTHING = "nothing"
    """A folder such as ``/``, in which everything lies."""


def claim_files(opens: Opens | None, option: str, value: object) -> None:
    """Claim the files of a value. Raises ``UsageError`` if a file would be read and replaced."""
    match opens:
        case Opens.READS:
            for text in _texts(value):
                _refuse_address(text, option)
                for name in dict.fromkeys((text, *text.split(","))):  # several may be one word
                    claim_input(Path(name or "-"), option)
        case Opens.WORDS:
            for word in _words(value):
                for name in dict.fromkeys((word, word.rpartition("=")[2])):
                    claim_input(Path(name or "-"), folder=False)
        case Opens.WRITES:
            for text in _texts(value):
                claim_output(Path(text or "-"), option)
        case Opens.STORE:
            _claim_store(value)


def _refuse_address(text: str, option: str) -> None:
    """Raise ``UsageError`` for the address of a server in place of a file.

    The message does not repeat it, because any part of it may belong to a password.
    """
    if is_address(text) and not os.path.lexists(text):
        raise UsageError(
            f"{option or 'An argument'} names a file, but has the form of a server's address: name"
            " a file, and a store on a server with --store."
        )


def store_in_words(value: object) -> str:
    """The store that the value names, without its password; empty for the user's own store."""
    with suppress(StreamgageError):
        return next((str(place_in(text)) for text in _texts(value)), "")
    return ""


def _claim_store(value: object) -> None:
    from streamgage.store.place import store_place

    if value is None:
        return
    try:
        place = store_place(next((place_in(text) for text in _texts(value)), None))
    except StreamgageError:  # whatever opens it says what is wrong
        return
    if isinstance(place, Path):
        claim_store(place)


def _words(value: object) -> Iterator[str]:
    for text in _texts(value):
        yield text
        with suppress(ValueError):  # a quote without an end
            yield from shlex.split(text)


def _texts(value: object) -> Iterator[str]:
    """The texts and paths in a value; numbers, results and other objects name no file."""
    if isinstance(value, str | os.PathLike):
        text = os.fspath(value)
        if isinstance(text, str) and "\0" not in text:
            yield text
    elif isinstance(value, list | tuple | set):
        for each in value:
            yield from _texts(each)
