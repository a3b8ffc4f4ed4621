"""What a command makes of a measurement, however that ended."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar, cast

from streamgage.api.endings import Ending, Interrupted, NothingMeasuredError
from streamgage.api.runs import BaseRun
from streamgage.cli.kept import say
from streamgage.cli.store_options import note

Run = TypeVar("Run", bound=BaseRun[Any])


def ended(measuring: Callable[[], Run]) -> tuple[Run | None, Ending]:
    """What was measured (null: nothing), and how that ended. Raises where it could not begin."""
    try:
        run = measuring()
    except Interrupted as stopped:
        return cast("Run | None", stopped.run), stopped.ending
    except NothingMeasuredError as failed:
        return None, failed.ending
    return run, run.ending


@contextmanager
def told_at_the_end(ending: Ending) -> Iterator[None]:
    """Say on stderr what failed, and where the result is, when it has been shown.

    Where it is counts most when it cannot be shown.
    """
    try:
        yield
    finally:
        if ending.failure is not None:
            # Why each kernel failed was said when it did.
            note(getattr(ending.failure, "brief", str(ending.failure)))
            for line in getattr(ending.failure, "last_lines", ()):
                print(f"  {line}", file=sys.stderr)
        say(ending.kept, ending.keeping)
