"""Handlers of signals, taken over for a while and given back."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import FrameType

Handler = Callable[[int, FrameType | None], None] | signal.Handlers


@contextmanager
def handled(handlers: Mapping[signal.Signals, Handler]) -> Iterator[None]:
    """Handle signals by ``handlers`` for as long as the context lasts; in the main thread alone.

    Python cannot give back a handler that is not its own, such as that of a program that has
    Python in it: such a signal has Python's usual one afterwards.
    """
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, _usual(number) if handler is None else handler)


def _usual(number: signal.Signals) -> Handler:
    """What Python starts with."""
    return signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL
