"""A command with placeholders: ``{n}`` workers, ``{log}`` a file, ``{mpiexec}`` the launcher."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from streamgage.advice import advice
from streamgage.errors import UsageError

MPIEXEC = "{mpiexec}"
_GAP = re.compile(r"\{(n|log|mpiexec)\}")


@dataclass(frozen=True)
class Template:
    """The words of a command with placeholders."""

    words: tuple[str, ...]

    @property
    def has_log(self) -> bool:
        """``True`` if the program writes its times to a file."""
        return any("{log}" in word for word in self.words)

    @property
    def has_ranks(self) -> bool:
        """``True`` if a launcher starts its workers."""
        return MPIEXEC in self.words

    def fill(self, n: int, mpiexec: Sequence[str], log: Path) -> list[str]:
        """The command for ``n`` workers, with the launcher's words in place of ``{mpiexec}``."""
        gaps = {"n": str(n), "log": str(log)}
        filled: list[str] = []
        for word in self.words:
            if word == MPIEXEC:
                filled += mpiexec
            else:
                filled.append(_GAP.sub(lambda gap: gaps[gap[1]], word))
        return filled


def refuse_placeholders(words: Sequence[str], where: str) -> None:
    """Raise ``UsageError`` for a placeholder, which nothing fills in ``where``."""
    for gap in (found for word in words for found in _GAP.findall(word)):
        raise UsageError(f"{{{gap}}} is not filled in with {where}: write what it stands for.")


def parse_template(words: Sequence[str]) -> Template:
    """Make the template of a command line.

    Raises ``UsageError`` if there is no command, or if ``{mpiexec}`` is only a part of a word.
    """
    if not words:
        raise UsageError(
            "No program is named: write it after --, such as"
            f" {advice('program', '--', '{mpiexec}', './solver', '-size', '100')}."
        )
    for word in words:
        if MPIEXEC in word and word != MPIEXEC:
            raise UsageError(
                f"{word} contains {MPIEXEC}: it must be a word of its own, because it stands for"
                " several."
            )
    return Template(tuple(words))
