"""Splits a text by the labels that launchers and tools put before each line, or before each output.

srun ``-l`` writes ``0: ``, mpirun ``[1,0]<stdout>:``, pdsh and clush ``node01: ``, grep
``stream.log:``, docker and kubectl ``stream-1  | `` and ``[pod/stream-1] ``. Scripts write others.
So what stands before the rows of a known table is the label, whatever its marks, and all lines that
begin with the same words belong to it. The lines of several labels may be mixed. Each label has an
output of its own. Numbers of lines are no labels.

Tools that name a node before its whole output (dshbak, clush ``-b``, ansible, ``head``, ``more``, a
loop of ssh) make a label, too. Other headings are left to ``places``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from streamgage.interop.pasted import STAMP, peeled

_NUMBER_WORD = r"[-+]?(?:[0-9][0-9.,'\u2019]{0,24}(?:[eE][-+]?[0-9]{1,3})?|\.[0-9]+)"
_KERNEL = (
    r"(?:Copy|Scale|Mul|Add|Triad|Dot|Nstream|Init|Sum|Update|Daxpy|STriad|SDaxpy"
    r"|Assignment|Scaling|Summing|SAXPYing)"
)
_ROW = re.compile(
    rf"(?<![\w.-])(?:(?P<kernel>{_KERNEL})(?::?[ \t]{{0,40}}{_NUMBER_WORD}(?:[ \t]{{1,40}}"
    rf"{_NUMBER_WORD}){{2}}|:[ \t]{{0,40}}[0-9][0-9.,'\u2019eE+-]{{18,80}}[ \t]*$)"
    rf"|(?P<stream>Copy|Scale|Add|Triad):[ \t]{{1,40}}{_NUMBER_WORD}(?=[ \t]|$)"
    r"|Function[ \t]{1,20}(?:Best )?(?:Rate|[KMGT]i?B)"
    r"|STREAM\w{0,3} version \$|BabelStream[ \t]*$)",
    re.I,
)
"""Matches what begins a known line, before which a label may stand."""
_WORD = r"[\w./@%+~-]{1,200}"
_WORDS = re.compile(_WORD)
_LINE_NUMBER = re.compile(r"(?<=[:])[0-9]{1,9}(?=:[ \t]{0,40}$)")
"""Matches the number of a line behind the name of a file, as grep ``-n`` adds it."""
_MARKS = re.compile(r"[ \t]*[>+#*/;%-]{1,3}[ \t]*")
_STREAMS = re.compile(r"<?\bstd(?:out|err)\b>?:?")
_NUMBER = re.compile(r"[0-9]{1,7}(?:,[0-9]{1,7})?|\[[0-9,]{1,20}\]")
_NUMBERED = re.compile(
    r"(?P<label>\[[0-9,]{1,20}\]|[0-9]{1,7})(?:<std(?:out|err)>:?)?(?::|(?<=\]))[ \t]?"
)
_NAMED = re.compile(r"(?P<label>[A-Za-z0-9][\w.-]{0,200}): ")
_FILE = re.compile(r"[/\\]|\.(?:log|out|txt|err|stdout|output|dat|csv|o[0-9]*|md|res|result)$")
_PROSE = re.compile(r"(?:(?<![\w.-])[a-z]{2,20}[,.;]?[ \t]{1,4}){4}")
"""Matches so many words of a sentence as no label has."""
_FEWEST = 4
"""Lines that all have a label, before labels are believed without a row of a table."""
_MOST_SHAPES = 20
_LONGEST = 200


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
        return _FILE.search(self.label) is not None and not self.label.startswith("pod/")


def split_by_label(text: str) -> list[LabelledPart]:
    """The parts of a text by their labels; empty if it has none."""
    lines = text.split("\n")
    return _by_prefix(lines) or _by_head(lines) or _by_every_line(lines)


@dataclass(frozen=True)
class _Prefix:
    """What stands before a known line."""

    text: str
    kernel: str | None

    @property
    def words(self) -> tuple[str, ...]:
        """Its words without the number of a line."""
        return tuple(_WORDS.findall(_LINE_NUMBER.sub("", self.text)))

    @property
    def shape(self) -> str:
        """A pattern of prefixes with the same marks, with a group for each word."""
        without = _LINE_NUMBER.sub("\0", self.text.strip(" \t"))
        pattern = ""
        end = 0
        for word in _WORDS.finditer(without):
            pattern += _marks(without[end : word.start()]) + f"({_WORD})"
            end = word.end()
        tail = self.text[len(self.text.rstrip(" \t")) :]
        last = _marks(without[end:])
        return rf"[ \t]*{pattern}{last}(?:[ \t]{{1,{max(1, len(tail))}}}|$)" if not last else (
            rf"[ \t]*{pattern}{last}[ \t]{{0,{len(tail)}}}"
        )  # fmt: skip


def _marks(text: str) -> str:
    """A pattern of marks, in which blanks stand for any blanks."""
    parts = re.split(r"[ \t]+", text)
    return r"[ \t]+".join(re.escape(part).replace("\0", "[0-9]{1,9}") for part in parts)


def _prefixes(lines: Sequence[str]) -> Iterator[_Prefix]:
    """Yield what stands before each known line."""
    for line in lines:
        found = _ROW.search(line[: 4 * _LONGEST])
        if found is not None and found.start() <= _LONGEST:
            before = line[: found.start()]
            stamp = STAMP.search(before)
            text = before[: stamp.start()] if stamp is not None else before
            if not (found["kernel"] or found["stream"]) and _PROSE.search(text):
                continue  # a sentence with the name of the benchmark
            yield _Prefix(text, (found["kernel"] or found["stream"] or "").lower() or None)


def _by_prefix(lines: Sequence[str]) -> list[LabelledPart]:
    """The parts by what stands before the rows of tables."""
    found = [each for each in _prefixes(lines) if each.text.strip(" \t|\u2502")]
    labelled = [each for each in found if any(map(str.isalnum, each.text))]
    if not labelled:
        marks = {each.text.strip() for each in found if _MARKS.fullmatch(each.text)}
        return [_without_marks(lines, marks)] if marks else []
    shapes = list(dict.fromkeys(each.shape for each in labelled))[:_MOST_SHAPES]
    patterns = [re.compile(each) for each in sorted(shapes, key=len, reverse=True)]
    numbered = _are_line_numbers(labelled)
    known = {each.words[:-1] if numbered else each.words for each in labelled}
    names = _names(labelled, numbered=numbered)
    parts: dict[str, LabelledPart] = {}
    for number, line in enumerate(lines, 1):
        label, rest = "", line
        for pattern in patterns:
            match = pattern.match(line)
            if match is None:
                continue
            words = match.groups()
            if numbered and not words[-1].rstrip(".").isdecimal():
                continue
            key = words[:-1] if numbered else words
            if key in known:
                label, rest = names[key], line[match.end() :]
                break
        part = parts.setdefault(label, LabelledPart(label))
        part.lines.append(peeled(rest))
        part.numbers.append(number)
    return [each for each in parts.values() if each.label or _has_row(each.lines)]


def _without_marks(lines: Sequence[str], marks: Iterable[str]) -> LabelledPart:
    """The lines without marks such as those of comments and of changes."""
    longest = sorted(marks, key=len, reverse=True)
    part = LabelledPart("")
    for number, line in enumerate(lines, 1):
        bare = line.lstrip(" \t")
        mark = next((each for each in longest if bare.startswith(each)), "")
        part.lines.append(bare[len(mark) :].removeprefix(" ") if mark else line)
        part.numbers.append(number)
    return part


def _are_line_numbers(prefixes: Sequence[_Prefix]) -> bool:
    """Return whether the last words are the numbers of lines: they ascend, and name several rows.

    ``grep Triad`` behind ``srun -l`` leaves numbers that ascend, too, but of one kernel.
    """
    groups: dict[tuple[str, ...], list[tuple[int, str | None]]] = {}
    for each in prefixes:
        last = each.words[-1].rstrip(".") if each.words else ""
        if not (last.isascii() and last.isdecimal()):
            return False
        groups.setdefault(each.words[:-1], []).append((int(last), each.kernel))
    return all(
        len({kernel for _, kernel in rows}) > 1
        and all(one < other for (one, _), (other, _) in pairwise(rows))
        for rows in groups.values()
    )


def _names(prefixes: Sequence[_Prefix], *, numbered: bool) -> dict[tuple[str, ...], str]:
    """The name of each label: what differs between them, without marks.

    ``numbered``: the last word is the number of a line.
    """
    chunks = {}
    for each in prefixes:
        text = _LINE_NUMBER.sub("", each.text)
        if numbered:
            text = text[: text.rstrip().rfind(each.words[-1])]
        chunks[each.words[:-1] if numbered else each.words] = _chunks(_STREAMS.sub(" ", text))
    lengths = {len(each) for each in chunks.values()}
    if len(chunks) > 1 and len(lengths) == 1:
        columns = list(zip(*chunks.values(), strict=True))
        differ = [n for n, column in enumerate(columns) if len(set(column)) > 1]
        if differ:
            chunks = {words: [of[n] for n in differ] for words, of in chunks.items()}
    return {words: " ".join(of)[:_LONGEST] for words, of in chunks.items()}


def _chunks(text: str) -> list[str]:
    found = []
    for chunk in text.split():
        bare = chunk.rstrip("=").rpartition("=")[2].strip("[](){}<>:;,|\u2502\"'")
        if bare:
            found.append(bare)
    return found


def _has_row(lines: Iterable[str]) -> bool:
    return any(_ROW.search(line[:_LONGEST]) is not None for line in lines)


_HOST = r"[A-Za-z0-9][\w.-]{0,100}(?:\[[0-9,-]{1,100}\][\w.-]{0,60}){0,2}(?:,[\w.\[\],-]{1,400})?"
_THIN = re.compile(r"[-=:_*]{4,}")
_HEADS = (
    re.compile(r"==> (?P<name>\S{1,200}) <=="),
    re.compile(rf"(?P<name>{_HOST}) \| [A-Z!]{{2,12}} \| rc=[0-9]{{1,3}} >>"),
    re.compile(
        rf"[ \t#*=-]{{0,6}}(?:host(?:name)?|node|machine|server)(?:[:=] ?| )(?P<name>{_HOST})"
        r"[ \t:#*=-]*",
        re.I,
    ),
    re.compile(rf"(?:\S{{0,60}}[$#>] ?)?ssh (?:-\S+ )*(?:\w+@)?(?P<name>{_HOST})(?: [^\n]*)?"),
)
_BETWEEN_RULES = re.compile(
    rf"(?P<name>{_HOST}|\S{{1,200}}\.(?:log|out|txt))(?: \([0-9]{{1,6}}\))?"
)
_ALONE = re.compile(
    r"(?:[#*=\[<~-]{1,8}|<b>|\*\*)?[ \t]*(?P<name>[A-Za-z][\w.-]{0,60}?)[ \t]*"
    r"(?:[#*=\]>~-]{1,8}|</b>|\*\*)?:?"
)
_SETTINGS = re.compile(
    r"(?:nps|snc|numa|socket|thread|core|cpu|rank|run|test|size|ddr|gcc|clang|icc|icx|o|omp|part|step"
    r"|table|section|version|v|case|iter(?:ation)?|pass|round|opt|domain|channel|exp(?:eriment)?)[_.-]?#",
    re.I,
)
"""Matches names that are a setting or a number of runs, and no node."""
_START = re.compile(r"[-=]{20,}[ \t]*$|STREAM\w{0,3} version|Function\b|```|BabelStream", re.I)
_FEWEST_NAMES = 3


def _by_head(lines: Sequence[str]) -> list[LabelledPart]:
    """The parts by lines that name a node before its whole output."""
    heads = _heads(lines)
    names = [name for _, name in heads]
    if len(set(names)) < 2:
        heads = _heads_alone(lines)
        if len({name for _, name in heads}) < _FEWEST_NAMES:
            return []
    parts: dict[str, LabelledPart] = {"": LabelledPart("")}
    starts = dict(heads)
    label = ""
    for number, line in enumerate(lines):
        if number in starts:
            label = starts[number]
        part = parts.setdefault(label, LabelledPart(label))
        if number not in starts and not (number + 1 in starts and _THIN.fullmatch(line.strip())):
            part.lines.append(line)
            part.numbers.append(number + 1)
    return [each for each in parts.values() if _has_row(each.lines)]


def _heads(lines: Sequence[str]) -> list[tuple[int, str]]:
    """The lines with the marks of tools that name a node, and the names."""
    found = []
    for number, line in enumerate(lines):
        bare = line.strip()
        if not bare or len(bare) > 2 * _LONGEST:
            continue
        match = next((m for each in _HEADS if (m := each.fullmatch(bare)) is not None), None)
        if match is None and 0 < number < len(lines) - 1:
            around = (lines[number - 1].strip(), lines[number + 1].strip())
            if all(_THIN.fullmatch(each) for each in around):
                match = _BETWEEN_RULES.fullmatch(bare)
        if match is not None:
            found.append((number, match["name"]))
    return found


def _heads_alone(lines: Sequence[str]) -> list[tuple[int, str]]:
    """Names of one pattern, such as node01 and node02, each alone on a line before a table."""
    found = []
    for number, line in enumerate(lines):
        match = _ALONE.fullmatch(line.strip()) if len(line) <= _LONGEST else None
        if match is None or not re.search(r"[0-9.]", match["name"]):
            continue
        after = next((each for each in lines[number + 1 : number + 4] if each.strip()), "")
        if _START.match(after.strip()) or _ROW.match(after.strip()):
            found.append((number, match["name"]))
    patterns = Counter(re.sub(r"[0-9]+", "#", name) for _, name in found)
    usual = patterns.most_common(1)[0][0] if patterns else ""
    if len(patterns) != 1 or _SETTINGS.match(usual):
        return []
    return found


def _by_every_line(lines: Sequence[str]) -> list[LabelledPart]:
    """The parts if every line has one of a few labels: of numbers, or of names with a colon."""
    filled = [line for line in lines if line.strip()]
    if len(filled) < _FEWEST:
        return []
    for pattern in (_NUMBERED, _NAMED):
        matches = [pattern.match(line) for line in filled]
        labels = Counter(each["label"] for each in matches if each is not None)
        if labels.total() < len(filled):
            continue
        few = min(labels.values()) >= _FEWEST and 2 * min(labels.values()) >= max(labels.values())
        if pattern is _NAMED and not (few and len(labels) > 1):
            continue
        parts: dict[str, LabelledPart] = {}
        for number, line in enumerate(lines, 1):
            found = pattern.match(line)
            label = found["label"].strip("[]") if found is not None else ""
            part = parts.setdefault(label, LabelledPart(label))
            part.lines.append(peeled(line[found.end() :] if found is not None else line))
            part.numbers.append(number)
        return [each for each in parts.values() if each.label]
    return []


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
    """What the label names: ``node``, ``pod``, ``file`` or ``task``."""
    if part.label.startswith("pod/"):
        return "pod"
    return "file" if part.is_file else "task" if _NUMBER.fullmatch(part.label) else "node"
