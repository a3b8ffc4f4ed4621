"""The few lines of shell, with the engine in them, that a launcher starts on each node.

They print that the engine has started, pass on its output, and print how it ended, all in the
frames of ``records/frames.py``. A node without ``awk`` prints lines with its name at both ends,
which count if they are short. The shell always ends with status 0, because launchers of parallel
programs end all others if one fails.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass

from streamgage.records.frames import (
    FRAME_BYTES,
    FRAME_BYTES_WITHOUT_NAMES,
    MODULUS,
    PAYLOAD_BYTES,
    Message,
)

_FRAMES = f"""\
BEGIN {{ for (i = 1; i < 256; i++) code[sprintf("%c", i)] = i
  while (size < {FRAME_BYTES_WITHOUT_NAMES} + 2 * length(n)) size += {FRAME_BYTES} }}
function sum(t,  a, i, k) {{ a = 0; k = length(t)
  for (i = 1; i <= k; i++) a = (a * 256 + code[substr(t, i, 1)]) % {MODULUS}
  return sprintf("%.0f", a) }}
{{ k = length($0); w = sum($0)
  for (i = 0; i < k; i += {PAYLOAD_BYTES}) {{ p = substr($0, i + 1, {PAYLOAD_BYTES})
    h = n " " i "/" k "/" w; l = "@" h "/" sum(h " " p) " " p; r = size - length(l) - length(n) - 3
    printf "%s%" (r > 0 ? r : "") "s @%s\\n", l, "", n }} }}
"""
_SCRIPT = f"""\
n=${{STREAMGAGE_NODE:-${{SLURMD_NODENAME:-$(uname -n)}}}}
f() {{ printf '%s\\n' "$1" | LC_ALL=C awk -v n="$n" '{_FRAMES}' 2>/dev/null ||
printf '@%s %s @%s\\n' "$n" "$1" "$n"; }}
f +
{{ "$@" 2>&1 </dev/null; printf '\\n= %s\\n' "$?"; }} |
while IFS= read -r l; do test -z "$l" || f "$l"; done
"""
_REMOVE = 'rm -f "$1"\n'
_TAKE = 'f=$1.$$; shift; cat >"$f" && chmod 700 "$f" && set -- "$f" "$@" && '


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


def node_names(host: str, label: str | None) -> tuple[str, ...]:
    """The names of a node that has this name in its lines and that label before them."""
    names = (label, host, host.partition(".")[0])
    return tuple(dict.fromkeys(each for each in names if each))


def node_message(message: Message) -> NodeMessage:
    """What a whole line of a node says."""
    text = message.text.decode("utf-8", "replace")
    return NodeMessage(node_names(message.host, message.label), text)


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
