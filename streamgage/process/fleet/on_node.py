"""The few lines of shell, with the engine in them, that a launcher starts on each node.

They print the name of the node and that the engine has started, pass on its output, and print how
it ended. They always end with status 0, because launchers of parallel programs end all others if
one fails.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass

_SCRIPT = """\
n=${STREAMGAGE_NODE:-${SLURMD_NODENAME:-$(uname -n)}}
printf '@%s +\\n' "$n"
{ "$@" 2>&1 </dev/null; printf '\\n= %s\\n' "$?"; } |
while IFS= read -r l; do test -z "$l" || printf '@%s %s\\n' "$n" "$l"; done
"""
_REMOVE = 'rm -f "$1"\n'
_TAKE = 'f=$1.$$; shift; cat >"$f" && chmod 700 "$f" && set -- "$f" "$@" && '
_LINE = re.compile(
    r"(?:(?P<label>[A-Za-z0-9][A-Za-z0-9._-]*): )?@(?P<host>[^\s@]+) (?P<text>.*)", re.S
)


@dataclass(frozen=True)
class NodeMessage:
    """A line from a node."""

    names: tuple[str, ...]
    """The names of the node: the launcher's, its own, and its own without the domain."""
    text: str

    @property
    def started(self) -> bool:
        """``True`` if the engine starts now."""
        return self.text == "+"

    @property
    def status(self) -> int | None:
        """The engine's exit status (128 plus the number of a signal); ``None``: it still runs."""
        digits = self.text.removeprefix("= ")
        return int(digits) if digits != self.text and digits.isdecimal() else None


def shell_words(engine: str, arguments: tuple[str, ...], *, removed: bool = False) -> list[str]:
    """The command that runs ``engine`` on a node; ``removed`` deletes the file afterwards."""
    return ["sh", "-c", _SCRIPT + (_REMOVE if removed else ""), "sh", engine, *arguments]


def shell_line(
    engine: str, arguments: tuple[str, ...], *, removed: bool = False, from_stdin: bool = False
) -> str:
    """The command as one line for a shell.

    ``from_stdin``: the engine's file comes on standard input.
    """
    words = shell_words(engine, arguments, removed=removed)
    if from_stdin:
        words[2] = f"{_TAKE}{{ {words[2]}}}\n"
    return shlex.join(words)


def parse_line(line: bytes) -> NodeMessage | None:
    """Parse a line of a launcher's output that comes from a node; ``None`` for other lines."""
    found = _LINE.fullmatch(line.decode("utf-8", "replace").rstrip("\r\n"))
    if found is None:
        return None
    host = found["host"]
    names = [found["label"], host, host.partition(".")[0]]
    return NodeMessage(tuple(dict.fromkeys(each for each in names if each)), found["text"])
