"""The regular expressions that users give.

They are matched with a limit of time, which ``re`` does not have: an expression such as ``(a+)+b``
can take longer than anybody waits, and nothing else of the process runs meanwhile.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from streamgage.errors import UsageError
from streamgage.units import shortened

if TYPE_CHECKING:
    from regex import Match

_MOST_SECONDS = 2.0
"""For one text."""


class UserPattern:
    """A regular expression, the value of an option. ``^`` and ``$`` match at lines."""

    def __init__(self, option: str, text: str, example: str) -> None:
        """Compile ``text``. Raises ``UsageError``, which shows ``example``, if that fails."""
        import regex

        self.text = text
        self._named = f"{option} {shortened(text)!r}"
        self._late = False
        try:
            self._compiled = regex.compile(text, regex.MULTILINE)
        except RecursionError:
            why = "its parentheses go too deep"
        except (regex.error, OverflowError) as error:
            why = str(error)
        else:
            return
        raise UsageError(
            f"{self._named} is not a regular expression ({why}): give one such as {example}."
        )

    @property
    def groups(self) -> int:
        """The number of its groups."""
        return int(self._compiled.groups)

    @property
    def names(self) -> frozenset[str]:
        """The names of its groups."""
        return frozenset(self._compiled.groupindex)

    def matches(self, text: str, most: int | None = None) -> list[Match[str]]:
        """Return where it matches, at most so many.

        Raises ``UsageError`` if that takes too long, now or for an earlier text.
        """
        found: list[Match[str]] = []
        try:
            if not self._late:
                for each in self._compiled.finditer(text, timeout=_MOST_SECONDS):
                    found.append(each)
                    if len(found) == most:
                        break
                return found
        except (TimeoutError, MemoryError):
            self._late = True
        raise UsageError(
            f"{self._named} takes too long to match what was printed: write it without a repeat"
            " inside a repeat, such as (a+)+."
        )
