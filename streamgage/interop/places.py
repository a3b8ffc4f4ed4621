"""Finds the places of tables in a text: the line, the heading above, and what separates them.

Tables that are separated only by blank lines and the benchmark's own lines are repeated runs. A
heading or any other text between them is a reason to keep them separate. It also begins a section,
unless the same text stands before an earlier table, except for numbers: a script prints such lines
before each of its runs. Prose, another command line or another compiler never stands before both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

_RULE = re.compile(r"[\W_]{3,}")
_MARK = re.compile(r"\s*(?:\[[0-9]+(?:,[0-9]+)*\]<\w+>:|[0-9]{1,6}:(?=\s))\s?")
"""Matches the prefixes that launchers put before each line."""
_OF_LAUNCHERS = re.compile(
    r"\[pthread wrapper|\s+threadid [0-9]+ -> core|(?:Group|Allocate|Initialization|Sanitizing):? "
)
_FENCE = re.compile(r"```\w*|~~~\w*|</?(?:details|pre|code|summary)>", re.I)
_HEADING = re.compile(
    r"#{1,6}\s+(?P<hashes>\S.*?)\s*#*"
    r"|\[\s*(?P<brackets>[^\]\d][^\]]*?)\s*\]"
    r"|(?P<mark>[=*~_-])(?P=mark)+\s*(?P<rules>[^\s=*~_-].*?)\s*(?P=mark){2,}:?"
    r"|<h[1-6]>(?P<html>.*?)</h[1-6]>"
    r"|[0-9]{1,2}[.)]\s+(?P<number>\S.*)"
    r"|(?:ok|changed|fatal): \[(?P<task>\S+?)\](?: => \{)?"
    r"|(?P<node>\S+) \| [A-Z!]{2,12} \| rc=[0-9]+ >>"
    r"|(?P<colon>\S.*[^:\s])\s*:"
)
_BLANK = re.compile(r"\n{3,}")
_SETTING = re.compile(
    r"--?(?:arraysize|array-size|size|threads|ranks|nthreads|np?|ntasks(?:-per-node)?"
    r"|cpus-per-(?:task|rank|proc))[= ]\s*\S+"
    r"|\b(?:omp_num_threads|mkl_num_threads|goto_num_threads|omp_thread_limit)=\S*"
)
"""Matches what only sets the size of the arrays or the number of workers on a command line."""
_NUMBER = re.compile(r"(?<![a-z0-9])[0-9][0-9.,:]*\s?(?:[kmgt]i?b?\b|elements\b)?")
_PLURAL = re.compile(r"\b(thread|rank|core|process|processor|cpu|node|task|run)(?:s|es)\b")
_CALENDAR = re.compile(
    r"\b(?:mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\b"
)
_PROMPT = re.compile(r"\S{0,60}\s?\S{0,60}[$#%>]")
"""Matches a line on which only the prompt of a shell stands."""
_LONGEST = 80
_TAIL = 4096
"""The length of the text behind the last table that may be the end of its run."""
_MOST_LINES = 80
"""A heading stands at most this many lines above its table."""


@dataclass(frozen=True)
class Place:
    """The place of a table in the saved output of a benchmark."""

    line: int
    heading: str | None = None
    follows: bool = False
    """``True`` if only blank lines and the benchmark's own lines separate it from the table
    before."""
    section: int = 0
    """Nothing but numbers differs in the text before the tables of a section."""


def places(text: str, spans: Sequence[tuple[int, int]], own: re.Pattern[str]) -> list[Place]:
    """The place of each table; ``spans`` are their ends in the text, in ascending order.

    ``own`` matches the beginning of each line that the benchmark prints outside of its tables.
    """
    found: list[Place] = []
    tail = text[spans[-1][1] : spans[-1][1] + _TAIL] if spans else ""
    sections = _Sections(_words(_others(tail, own)))
    line, counted, before = 1, 0, 0
    for start, end in spans:
        line += text.count("\n", counted, start)
        counted = start
        first = text.rfind("\n", before, start) + 1 or before
        others = list(_others(_BLANK.sub("\n\n", text[before:first]), own))
        follows = bool(found) and not any(each.strip() for each, _ in others)
        found.append(Place(line, _heading(others), follows, sections.next(_words(others))))
        before = end
    return found


class _Sections:
    """Numbers the tables by the words before them."""

    def __init__(self, after: frozenset[str]) -> None:
        """``after``: the words behind the last table, which runs may print at their end."""
        self._after = after
        self._known: list[frozenset[str]] = []
        self._current = 0

    def next(self, words: frozenset[str]) -> int:
        """The section of the next table, with those words before it."""
        own = words - self._after
        if not self._known:
            self._known.append(words)
        elif own:
            same = [n for n, known in enumerate(self._known) if own <= known]
            self._current = same[0] if same else len(self._known)
            if not same:
                self._known.append(own)
        return self._current


def _words(others: Iterable[tuple[str, bool]]) -> frozenset[str]:
    """The lines without their numbers, dates and settings of size and threads."""
    found = set()
    for text, _ in others:
        bare = _CALENDAR.sub("", _SETTING.sub("", text.lower()))
        bare = " ".join(_PLURAL.sub(r"\1", _NUMBER.sub("#", bare)).split())
        if bare and not _PROMPT.fullmatch(bare) and not _FENCE.fullmatch(bare):
            found.add(bare)
    return frozenset(found)


def _others(between: str, own: re.Pattern[str]) -> Iterator[tuple[str, bool]]:
    """Yield the lines that are not the benchmark's own, and whether each stands alone."""
    lines = [_MARK.sub("", each, count=1) for each in between.split("\n")]
    for number, line in enumerate(lines):
        bare = line.strip()
        if not bare or (_RULE.fullmatch(bare) and not _FENCE.match(bare)):
            continue
        if own.match(bare) or _OF_LAUNCHERS.match(line):
            continue
        above = lines[number - 1].strip() if number else ""
        below = lines[number + 1].strip() if number + 1 < len(lines) else ""
        alone = all(not each or _FENCE.match(each) for each in (above, below))
        yield bare, alone and len(lines) - number <= _MOST_LINES


def _heading(others: Sequence[tuple[str, bool]]) -> str | None:
    """The last of the lines that is a heading, without its marks; ``None`` if none is."""
    for text, alone in reversed(others[-_MOST_LINES:]):
        if len(text) > _LONGEST or text[0] in "$>%" or _FENCE.match(text):
            continue
        found = _HEADING.fullmatch(text)
        if found is not None:
            words = next(
                value for key, value in found.groupdict().items() if value and key != "mark"
            )
            return words.strip(" *_:`") or None
        if alone and text[-1] not in ".,;" and len(text.split()) <= 8:
            return text.strip(" *_:`") or None
    return None
