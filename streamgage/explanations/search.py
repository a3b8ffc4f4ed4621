"""Finds what explains some words: a name, a word of the index, or the full text of every page.

The pages are those of findings and terms, and each section of the documentation. Nothing is
guessed: a page is found only if one of its paragraphs has most of what the words say, and a
misspelt word is replaced only by one that has nearly the same letters.
"""

from __future__ import annotations

import math
import re
import sqlite3
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from streamgage.advice import advice
from streamgage.errors import UsageError
from streamgage.explanations import names, page, summary

_LEAST_SHARE = 0.7
"""A page is found if a paragraph has this share of the words, each weighted by how rare it is."""
_FEW = 3
"""So few words must all be in one paragraph."""
_COMMON = 1 / 8
"""A word that this share of the pages has says too little to be looked up by itself."""
_LIKENESS = 0.82
"""The least likeness of letters (``difflib``) between a misspelt word and the one meant."""
_SHORTEST = 4
"""Characters of the shortest word that is corrected: shorter ones resemble too much."""
_MOST_WORDS = 24
_MOST_CHARACTERS = 30
_MOST_PAGES = 6
_NAME, _INDEXED, _TEXT = 10.0, 8.0, 1.0
"""Weights of a page's name, of its words in the index, and of its text."""
_WORD = re.compile(r"[a-z0-9%]+")
_EMPTY = frozenset(
    re.findall(
        "[a-z]+",
        "a about all an and any are as at be but by can did do does for from get give gives "
        "has have how i if in is it its lot me mean means much my of off ok on or our should "
        "so than that the their them then there these they this to too versus vs was we what "
        "when where whether which why will with would you your",
    )
)
"""Words that say nothing about what is asked for."""
_ASKING = frozenset(
    re.findall(
        "[a-z]+",
        "affect affects bandwidth bad benefit best better change changes cost costs decrease "
        "difference between effect explain faster good happen help helps hurt impact important "
        "improve increase influence limit limits lower matter matters memory need performance "
        "reduce slower speed tell use useful want work works worth",
    )
)
"""Words of questions that do not say what they are about, where other words do."""
_THINGS = frozenset(("bandwidth", "memory", "performance", "speed"))
"""Those of them that are no question by themselves."""
_LINK = re.compile(r"\[([^]]*)\]\([^)]*\)")


@dataclass(frozen=True)
class Entry:
    """Something that can be shown: a finding, a term, or a section of the documentation."""

    name: str
    """What to ask for to get it."""
    text: str
    """Its Markdown."""
    summary: str
    """Its first sentence."""
    heading: str = ""
    """What else names a section, where it names no other one: its heading, or its file's name."""


@dataclass(frozen=True)
class Found:
    """What explains some words."""

    entries: tuple[Entry, ...]
    """The best first; empty if nothing does."""
    exact: bool = False
    """``True`` if the words name the first entry."""
    in_part: bool = False
    """``True`` if no page has most of the words, and these are about some of them."""
    corrected: tuple[tuple[str, str], ...] = ()
    """Words that nothing has, each with the one that was taken in its place."""


def search(words: str) -> Found:
    """Find what explains ``words``, which may be a name, some words or a question."""
    found = _named(words) or _in_texts(_telling(words))
    if found is not None:
        return found
    better = {word: near for word in _words(words) if (near := _corrected(word)) is not None}
    retried = " ".join(better.get(word, word) for word in _words(words))
    found = (better and (_named(retried) or _in_texts(_telling(retried)))) or _parts(retried)
    return Found(found.entries, found.exact, found.in_part, tuple(better.items()))


@cache
def index() -> dict[str, list[str]]:
    """The index: the name of an entry, and the words and questions that lead to it."""
    return tomllib.loads((files(__package__) / "index.toml").read_text("utf-8"))


@cache
def entries() -> dict[str, Entry]:
    """Everything that can be shown, by its name."""
    found = {name: _explained(name) for name in names()}
    for file, text in _documentation():
        for entry in _sections(file, text):
            found.setdefault(entry.name, entry)
    return found


def _explained(name: str) -> Entry:
    return Entry(name, page(name), summary(name))


def _words(text: str, without: frozenset[str] = frozenset()) -> list[str]:
    """The words of a text, in their singular."""
    words = [word for word in _WORD.findall(text.lower()) if word not in without]
    return [_singular(word[:_MOST_CHARACTERS]) for word in words[:_MOST_WORDS]]


def _telling(text: str) -> list[str]:
    """The words that say what is asked for."""
    return _words(text, _EMPTY)


def _topic(text: str) -> list[str]:
    """The words that are left of a question about bandwidth, such as ``ecc``."""
    return _words(text, _EMPTY | _ASKING)


def _singular(word: str) -> str:
    plural = len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is"))
    return word[:-1] if plural else word


def _keys(named: Iterable[tuple[str, str]]) -> dict[str, str]:
    """What is asked for, with all words or with the telling ones, and the entry's name."""
    pairs = [*named]
    found: dict[str, str] = {}
    for words in (_words, _telling):
        for text, name in pairs:
            found.setdefault(" ".join(words(text)), name)
    found.pop("", None)
    return found


@cache
def _listed() -> dict[str, str]:
    """The findings and terms by their names, then every entry by its words in the index."""
    indexed = [(text, name) for name, texts in index().items() for text in texts]
    return _keys([*((name, name) for name in names()), *indexed])


@cache
def _headings() -> dict[str, str]:
    """The sections of the documentation by their names, and by their headings."""
    found = entries().values()
    files_first = sorted(found, key=lambda entry: entry.name.endswith(f": {entry.heading}"))
    headings = [(entry.heading, entry.name) for entry in files_first]
    return _keys([*((entry.name, entry.name) for entry in found), *headings])


def _named(text: str) -> Found | None:
    """What has these very words as its name, in the index, or as its heading.

    If nothing has, a question is about what its other words name.
    """
    for words in (_words, _telling, _topic):
        if words is _topic and not _asks(text):
            return None
        for lists in (_listed, _headings):  # the second one reads the documentation
            name = lists().get(" ".join(words(text)))
            if name is not None:
                return Found((_explained(name) if name in names() else entries()[name],), True)
    return None


def _asks(text: str) -> bool:
    """Return whether the words ask about something, so that its name alone may be looked up.

    The ``max`` of ``memory.max`` is not what its other words are about.
    """
    topic = _topic(text)
    asking = {word for word in _telling(text) if word in _ASKING} - _THINGS
    return bool(asking) or len(topic) > 1 or (len(topic) == 1 and topic[0] in names())


def _parts(text: str) -> Found:
    """What the longest pieces of the text name, each by itself."""
    words = _words(text)
    found: list[str] = []
    while words:
        lengths = range(len(words), 0, -1)
        length = next((n for n in lengths if " ".join(words[:n]) in _listed()), 0)
        if length > 1 or (length and _says_enough(words[0])):
            found.append(_listed()[" ".join(words[:length])])
        words = words[length or 1 :]
    unique = dict.fromkeys(found)
    return Found(tuple(entries()[name] for name in unique)[:_MOST_PAGES], in_part=True)


def _says_enough(word: str) -> bool:
    """``True`` for a name, and for a word of the index that few pages have."""
    return word in names() or (
        word not in _EMPTY and len(_pages_of(_places(_texts(), word))) < _COMMON * len(entries())
    )


def _in_texts(wanted: Sequence[str]) -> Found | None:
    """The pages with a paragraph that has most of the words, those with all of them first."""
    if not wanted:
        return None
    texts = _texts()
    places = {word: _places(texts, word) for word in dict.fromkeys(wanted)}
    heads = {word: _places(texts, word, "{name words} : ") for word in places}
    weights = {
        word: math.log(1 + len(entries()) / (1 + len(_pages_of(at)))) for word, at in places.items()
    }
    whole = sum(weights.values())
    least = _LEAST_SHARE if len(places) > _FEW else 1 - 1e-9
    ranked: list[tuple[float, float, int]] = []
    for row in set().union(*places.values()):
        share = sum(weights[word] for word, at in places.items() if row in at) / whole
        if share >= least:
            ranks = [at[row] for at in places.values() if row in at]
            named = sum(weights[word] for word, at in heads.items() if row in at) / whole
            ranked.append((-round(share + named, 1), sum(ranks), row))
    best = dict.fromkeys(_paragraphs()[row][0] for *_, row in sorted(ranked))
    return Found(tuple(entries()[name] for name in best)[:_MOST_PAGES]) if best else None


def _pages_of(rows: Iterable[int]) -> set[str]:
    return {_paragraphs()[row][0] for row in rows}


def _places(texts: sqlite3.Connection, word: str, where: str = "") -> dict[int, float]:
    """The rows that have a word, each with its rank (less is better)."""
    rows = texts.execute(
        "SELECT rowid, bm25(texts, ?, ?, ?) FROM texts WHERE texts MATCH ?",
        (_NAME, _INDEXED, _TEXT, f'{where}"{word}"'),
    )
    return {int(row): float(rank) for row, rank in rows}


@cache
def _texts() -> sqlite3.Connection:
    """The full text of all entries; row numbers are places in ``_paragraphs``."""
    texts = sqlite3.connect(":memory:", check_same_thread=False)
    try:
        texts.execute("CREATE VIRTUAL TABLE texts USING fts5(name, words, text, tokenize='porter')")
    except sqlite3.OperationalError as error:
        raise UsageError(
            f"SQLite has no full-text search here ({error}): choose a name from the list:"
            f" {advice('explain')}."
        ) from error
    words = index()
    texts.executemany(
        "INSERT INTO texts (rowid, name, words, text) VALUES (?, ?, ?, ?)",
        (
            (row, *map(_singulars, (name, " ".join(words.get(name, [])), paragraph)))
            for row, (name, paragraph) in enumerate(_paragraphs())
        ),
    )
    return texts


@cache
def _paragraphs() -> list[tuple[str, str]]:
    """Each paragraph of all entries, after the name of its entry."""
    return [
        (entry.name, paragraph)
        for entry in entries().values()
        for paragraph in entry.text.split("\n\n")
    ]


def _singulars(text: str) -> str:
    return " ".join(map(_singular, _WORD.findall(text.lower())))


def _corrected(word: str) -> str | None:
    """What has nearly the same letters as an unknown word; ``None`` if nothing has."""
    if len(word) < _SHORTEST or _places(_texts(), word):
        return None
    known = _spellings()
    near = get_close_matches(word, known, n=1, cutoff=_LIKENESS)
    return known[near[0]] if near else None


@cache
def _spellings() -> dict[str, str]:
    """What a misspelt word may mean: what is listed by itself, without the blanks."""
    known = {each.replace(" ", ""): each for each in _listed()}
    return {letters: each for letters, each in known.items() if len(letters) >= _SHORTEST}


def _documentation() -> Iterator[tuple[str, str]]:
    """The pages of docs/, each by its path there, without those that this package holds."""
    installed = files("streamgage") / "docs"
    folder: Traversable | Path = (
        installed if installed.is_dir() else Path(__file__).parents[2] / "docs"
    )
    yield from sorted(_below(folder, "")) if folder.is_dir() else ()


def _below(folder: Traversable, path: str) -> Iterator[tuple[str, str]]:
    for each in folder.iterdir():
        if each.is_dir():
            if not (each / "__init__.py").is_file() and each.name != "terms":
                yield from _below(each, f"{path}{each.name}/")
        elif each.name.endswith(".md"):
            yield f"{path}{each.name}", each.read_text("utf-8")


def _sections(file: str, text: str) -> Iterable[Entry]:
    """The sections of a page; the first is what stands before the first heading."""
    stem = file.removesuffix(".md").rpartition("/")[2]
    title, *parts = _split(text)
    for heading, body in [("", title), *(part.split("\n", 1) for part in parts)]:
        shown = _LINK.sub(r"\1", body).strip()
        if heading:
            name, shown = f"{stem}: {heading}", f"# {heading}\n\n{shown}"
        else:
            name = shown.partition("\n")[0].removeprefix("# ")
        yield Entry(
            name,
            f"{shown}\n\nFrom docs/{file}.\n",
            _first_sentence(shown.partition("\n")[2]),
            heading or stem,
        )


def _split(text: str) -> list[str]:
    """The text before the first heading of level two, then each heading with its text."""
    parts = [""]
    fenced = False
    for line in text.splitlines(keepends=True):
        fenced ^= line.startswith("```")
        if line.startswith("## ") and not fenced:
            parts.append(line.removeprefix("## "))
        else:
            parts[-1] += line
    return parts


def _first_sentence(text: str) -> str:
    """The first sentence of the first paragraph that is one."""
    for paragraph in text.strip().split("\n\n"):
        if paragraph[:1].isalpha():
            sentence = re.split(r"(?<=[.?:])\s", " ".join(paragraph.split()))[0]
            return sentence.removesuffix(":") + "." * sentence.endswith(":")
    return ""
