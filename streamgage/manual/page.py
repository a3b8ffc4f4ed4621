"""The content of a manual page of one program or command, in any format."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from streamgage.errors import FAILED, INTERRUPTED, TERMINATED, USAGE

STATUSES: Mapping[str, str] = {
    "0": "Success.",
    str(FAILED): "It failed, or a result was wrong; the results that exist are still shown.",
    str(USAGE): "The command line is wrong, or a file that it names cannot be used.",
    str(INTERRUPTED): "It was stopped by Ctrl-C; what was measured until then is shown.",
    str(TERMINATED): "It was ended by SIGTERM; what was measured until then is shown.",
}


@dataclass(frozen=True)
class Option:
    """An option with all its names, or an argument with its placeholder as name."""

    names: tuple[str, ...]
    text: str
    value: str | None = None
    """The placeholder of its value; ``None`` for a flag and for an argument."""
    default: str | None = None


@dataclass(frozen=True)
class Page:
    """A page; ``name`` is the command to type, such as ``streamgage fleet render``."""

    name: str
    summary: str
    usage: str
    """The arguments, as the synopsis shows them after the name."""
    arguments: tuple[Option, ...] = ()
    options: tuple[Option, ...] = ()
    examples: tuple[tuple[str, str], ...] = ()
    statuses: Mapping[str, str] = field(default_factory=lambda: STATUSES)
    remarks: tuple[str, ...] = ()
    """Paragraphs of the description."""
    commands: tuple[tuple[str, str], ...] = ()
    """Names of the pages of a program's commands, with their summaries."""
    variables: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """The name in one word, as ``man`` wants it."""
        return self.name.replace(" ", "-")
