"""Splits a text by the labels that launchers and tools put before each line.

srun ``-l`` writes ``0: ``, mpirun ``[1,0]<stdout>:``, pdsh and clush ``node01: ``, grep
``stream.log:``, docker and kubectl ``stream-1  | `` and ``[pod/stream-1] ``. The lines of several
labels may be mixed. Each label has an output of its own. Tools that write a line with the name of
the node before its whole output are left to ``places``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_NAME = r"[\w./@%+~-]{1,200}"
_LABEL = re.compile(
    r"(?P<brackets>\[[^\]\n]{1,100}\])(?:<std(?:out|err)>:?|:)?[ \t]?"
    rf"|(?P<name>{_NAME})"
    r"(?::[0-9]{1,9}:[ \t]?|[ \t]{0,40}\|[ \t]|:[ \t]?|\t)"
)
"""Matches what may be a label with its separator; grep ``-n`` adds the number of the line."""
_ROW = re.compile(
    r"[ \t]{0,12}(?:Function\b|(?:Copy|Scale|Mul|Add|Triad|Dot|Nstream|Init|Sum|Update|Daxpy"
    r"|STriad|SDaxpy|Set)(?::[ \t]{0,40}|[ \t]{1,40})[-+]?[0-9.]|STREAM\w{0,3} version"
    r"|BabelStream$)"
)
"""Matches the rest of a line that shows that a label stands before it."""
_NO_LABEL = re.compile(
    r"(?:function|copy|scale|mul|add|triad|dot|nstream|init|sum|update|daxpy|striad|sdaxpy|set|read)$",
    re.I,
)
_NUMBER = re.compile(r"[0-9]{1,7}|\[[0-9,]{1,20}\]")
_FEWEST = 4
"""Lines that all have a label, before labels are believed without a row of a table."""


@dataclass
class LabelledPart:
    """The lines of one label, without it."""

    label: str
    """The label without its marks, such as ``node01``; empty for the lines without one."""
    lines: list[str] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    """The number of each line in the whole text, from 1."""

    @property
    def text(self) -> str:
        """The text of its lines."""
        return "\n".join(self.lines)

    @property
    def is_file(self) -> bool:
        """``True`` if the label is the name of a file, as grep prints it."""
        return bool(re.search(r"[./]", self.label)) and not re.fullmatch(
            r"[\w-]+(?:\.[\w-]+)*\.(?:com|net|org|edu|local|internal|cluster)", self.label
        )


def split_by_label(text: str) -> list[LabelledPart]:
    """The parts of a text by their labels; empty if its lines have none."""
    lines = text.split("\n")
    known = _labels_of(lines)
    if not known:
        return []
    parts: dict[str, LabelledPart] = {}
    for number, line in enumerate(lines, 1):
        found = _LABEL.match(line)
        name = _name(found) if found is not None else ""
        label, rest = (name, line[found.end() :]) if found and name in known else ("", line)
        part = parts.setdefault(label, LabelledPart(label))
        part.lines.append(rest)
        part.numbers.append(number)
    return [each for each in parts.values() if each.label or _has_row(each.lines)]


def _labels_of(lines: list[str]) -> set[str]:
    """The labels of rows of tables; or all labels, if every line has one of a few."""
    of_rows = {
        _name(found)
        for line in lines
        if (found := _LABEL.match(line)) is not None and _ROW.match(line, found.end())
    }
    if of_rows := {each for each in of_rows if each and not _NO_LABEL.match(each)}:
        return of_rows
    filled = [line for line in lines if line.strip()]
    numbers = [found for line in filled if (found := _LABEL.match(line)) and _is_number(found)]
    if len(filled) >= _FEWEST and len(numbers) == len(filled):
        return {_name(each) for each in numbers}
    return set()


def _is_number(label: re.Match[str]) -> bool:
    return _NUMBER.fullmatch(label["brackets"] or label["name"]) is not None


def _name(label: re.Match[str]) -> str:
    return (label["name"] or label["brackets"]).strip("[]")


def _has_row(lines: list[str]) -> bool:
    return any(_ROW.match(line) for line in lines)


_LINE = re.compile(r"\b([Ll]ine|[Ll]ines) ([0-9]{1,9})\b(?: to ([0-9]{1,9})\b)?")


def in_whole(sentence: str, numbers: list[int]) -> str:
    """The sentence about a part with the numbers of the lines in the whole text."""

    def moved(number: str) -> str:
        place = int(number)
        return str(numbers[place - 1]) if 1 <= place <= len(numbers) else number

    def replaced(found: re.Match[str]) -> str:
        last = f" to {moved(found[3])}" if found[3] else ""
        return f"{found[1]} {moved(found[2])}{last}"

    return _LINE.sub(replaced, sentence)


def kind_of(part: LabelledPart) -> str:
    """What the label names: ``node``, ``file`` or ``task``."""
    return "file" if part.is_file else "task" if _NUMBER.fullmatch(part.label) else "node"


_JOINED = re.compile(r"^(?P<node>\S{1,100}) \| [A-Z!]{2,12} \| rc=[0-9]+ \| \(stdout\) ", re.M)
"""Matches the begin of a node's output on one line, as ``ansible -o`` writes it."""
_QUOTED = re.compile(r'^[ \t]{0,20}"((?:[^"\\\n]|\\.){0,400})",?[ \t]*$', re.M)
"""Matches a line in a list of lines, as ansible's ``stdout_lines`` has them."""


_MARKDOWN = re.compile(
    r"^[ \t>]{0,12}\|[^\n]{0,60}Function\b[^\n]{0,200}\bMin\b[^\n]{0,100}\|[ \t]*$", re.M | re.I
)
"""Matches the header of a table in Markdown that has the columns of a benchmark."""
_MARKED = re.compile(r"^[ \t>]{0,12}\|[^\n]{0,400}$", re.M)
_RULE = re.compile(r"[ \t]*[-: \t]+")


def _unmarked(found: re.Match[str]) -> str:
    """A row of Markdown as the benchmark printed it; its rule is an empty line."""
    line = re.sub(r"[|*`>]", " ", found[0])
    return "" if _RULE.fullmatch(line) else line


def plain_lines(text: str) -> str:
    """Undo what ansible and Markdown do with the lines of an output."""
    if _MARKDOWN.search(text):
        text = _MARKED.sub(_unmarked, text)
    if _JOINED.search(text):
        text = _JOINED.sub(lambda found: f"{found['node']} | CHANGED | rc=0 >>\n", text)
        text = text.replace("\\n", "\n")
    if "=> {" in text:
        text = _QUOTED.sub(lambda found: found[1], text)
    return text
