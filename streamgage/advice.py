"""Commands in messages, with everything that they need to be pasted as they stand."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

_STORE: ContextVar[str] = ContextVar("store", default="")
_WITHOUT_STORE = frozenset(("doctor", "expected", "explain", "interpret", "pin", "topology"))
"""Commands that are advised without ``--store``: ``expected`` has it only with ``--cloud``."""


@contextmanager
def advised_store(store: str) -> Iterator[None]:
    """Name ``store`` in the advice given in this context; empty for the user's own store."""
    before = _STORE.set(store)
    try:
        yield
    finally:
        _STORE.reset(before)


def advice(command: str, *words: object, store: str | None = None) -> str:
    """The command line ``streamgage COMMAND WORDS`` in backticks.

    Words are quoted for a shell. ``store`` is the store that it is about, empty for the user's own;
    default: the one that the command names which gives the advice.
    """
    return f"`{command_line(command, *words, store=store)}`"


def command_line(command: str, *words: object, store: str | None = None) -> str:
    """The same without backticks."""
    texts = [
        f"./{each}" if isinstance(each, Path) and str(each).startswith("-") else str(each)
        for each in words
    ]
    named = _STORE.get() if store is None else store
    if named and command not in _WITHOUT_STORE:
        end = texts.index("--") if "--" in texts else len(texts)
        texts[end:end] = ["--store", named]
    return " ".join(["streamgage", command, *map(shlex.quote, texts)])


def command_name(command: str) -> str:
    """The command in backticks where a sentence speaks of it, and asks nobody to run it."""
    return f"`streamgage {command}`"


def quoted(word: object) -> str:
    """A value for an option that a sentence advises to give."""
    return shlex.quote(str(word))
