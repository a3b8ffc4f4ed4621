"""Compiles the regular expressions that users give."""

from __future__ import annotations

import re

from streamgage.errors import UsageError
from streamgage.units import shortened


def user_pattern(option: str, text: str, example: str, flags: int = 0) -> re.Pattern[str]:
    """Compile ``text``, the value of ``option``.

    Raises ``UsageError``, which shows ``example``, if that cannot be done.
    """
    try:
        return re.compile(text, flags)
    except RecursionError:
        why = "its parentheses go too deep"
    except (re.error, OverflowError) as error:
        why = str(error)
    raise UsageError(
        f"{option} {shortened(text)!r} is not a regular expression ({why}): give one such as"
        f" {example}."
    )
