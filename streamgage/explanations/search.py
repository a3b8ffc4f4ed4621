"""Finds what explains some words: a name, a word of the index, or the pages that are about them.

The pages are those of findings and terms, and each section of the documentation. Every word that is
asked for weighs as much as it is rare, and ``synonyms.txt`` lists which words mean the same. A page
is about the words by its name, its words in the index, its first sentence and its best paragraph.
Nothing is guessed: words that no page has weigh most, and a page that lacks too much of what was
asked for is not found.
"""

from __future__ import annotations

import itertools
import math
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher, get_close_matches
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from streamgage.explanations import names, page, summary

_LIKENESS = 0.82
"""The least likeness of letters (``difflib``) between a misspelt word and the one meant."""
_MOST_EDITS = 2
"""Letters that are wrong in a misspelt word at most, and at most a third of its letters."""
_SHORTEST = 4
"""Characters of the shortest word that is corrected: shorter ones resemble too much."""
_MOST_WORDS = 24
_MOST_CHARACTERS = 30
_MOST_PAGES = 6
_LONGEST_PIECE = 5
_WORD = re.compile(r"[a-z0-9%]+")
_EMPTY = frozenset(
    re.findall(
        "[a-z]+",
        "a able about actually after all also always am an and any anyone anything are around as "
        "at back be been before being but by can come comes could did do does doing don during "
        "each ever every everyone everything few for from get gets getting give gives go got had "
        "has have having he her here him his how i if in into is it its itself just keep keeps "
        "let lot m may maybe me mean means might mine much must my never no not nothing of off "
        "often ok on one only or our out over own people per please quite rather really s said "
        "same say says shall she should since so some someone something sometimes still such t "
        "take takes tell tells than thank that the their them then there these they thing things "
        "this those to too under until up us usually ve versus very vs was we were what when "
        "where whether which while who whose why will with within would yes you your",
    )
)
"""Words that say nothing about what is asked for."""
_ASKING = frozenset(
    re.findall(
        "[a-z]+",
        "add affect again against another answer ask avoid bad become begin benefit best better "
        "between both call case cause change check choose clear come compare correct cost day "
        "decrease deep depend difference different disable easy effect enable end enough exact "
        "explain fast faster fill find fine full gain good great half hand happen hard help high "
        "hold hurt idea impact important improve increase influence instead kind know learn leave "
        "less like long look low main make matter meaning mine most move near need new next "
        "normal now number old open part performance place point possible problem put question "
        "reach read real reason reduce right see seem set short should show side slower "
        "small sort stand start stay stop sure talk test thing think time together true try turn "
        "understand use useful wait want watch way whole word words work worth write wrong",
    )
)
"""Words of questions that do not say what they are about, where other words do."""
_THINGS = frozenset(("memory", "bandwidth", "speed"))
"""What every question here is about."""
_PRODUCTS = frozenset(
    re.findall(
        "[a-z]+",
        "intel amd nvidia apple arm ampere xeon epyc ryzen threadripper opteron geforce radeon "
        "quadro rtx gtx graviton naples rome milan genoa turin nehalem westmere haswell broadwell "
        "skylake cascadelake icelake turing volta hopper blackwell",
    )
)
"""Names of makers and products: they say where, and `expected` what is known of it."""
_TAG = re.compile(
    r"^\s*(?:\[[^\]]{1,20}\]\s*|(?:misc\.? )?(?:bug|question|feature request|request|issue|proposal"
    r"|need help|help)\s*:\s*)+(?=\S)",
    re.I,
)
"""Matches what titles of threads begin with."""
_ENDING = re.compile(
    r"(?<=[a-z]{3})(?:i[sz]ation|at(?:e[ds]?|ing|ions?|ors?)|ions?|ments?|ingly|ings?|edly|ed"
    r"|able|ible|ity|(?<=ic)ally|ly|ives?|als?|es|s|(?<=[a-z]{4})e)$"
)
_OPEN = re.compile(r"[b-df-hj-np-tv-z][aeiou][b-df-hj-np-tv-z]")
"""Matches what is left of ``moved`` and ``moving``."""
_LINK = re.compile(r"\[([^]]*)\]\([^)]*\)")
_PROPER = re.compile(r"`([^`\s]+)`|(?<=[a-z,;(] )([A-Z][A-Za-z0-9+-]+)")
"""Matches code, and what has a capital within a sentence: names of programs, makers, options."""


_NAME, _INDEXED, _FIRST, _TEXT = 1.0, 0.95, 0.6, 0.5
"""How much a word in these places says that a page is about it: its name or heading, its words in
the index, its first sentence, and (at most) the rest of its text."""
_PROPER_NAME = 0.6
"""How much of a head's say the text has on a name, such as that of another program."""
_SYNONYM = 0.75
"""How much a synonym counts of what the word itself would."""
_PAIR = 0.6
"""How much two neighbouring words count that stand together on a page, too."""
_TOGETHER, _ALIKE = 0.25, 0.5
"""How much it counts that one paragraph has the words, and that a phrase of the index is like
them, next to where the single words stand."""
_APART = 0.3
"""What a page loses whose head and best paragraph have none of the words together."""
_LITTLE, _NUMBER, _ELSEWHERE, _UNKNOWN = 1.5, 1.0, 3.0, 4.0
"""The most that a word weighs that only asks, a number or a size, a word that no head has, and one
that no page has."""
_LEAST_SHARE, _LEAST_OF_FEW, _FEW = 0.7, 0.85, 2
"""Pages are found if one of them has this share of what is asked for together, with few words more
of it."""
_LEAST_HEAD = 0.4
"""What one of them must have in its head: the words of its text alone may say something else."""
_LEAST_PARTS = ((0.85, 0.3), (0.7, 0.45), (0.0, 0.65))
"""A page is said to be about a part of the words if its head has the second share, where the words
of all heads are the first share of what is asked for."""
_NEAR_SHARE, _NEAR = 0.4, 0.6
"""What further pages need, of the greatest share and of the score of the best page."""
_SECTION, _RECORD = 0.9, 0.7
"""How much a section of the documentation counts, and one that records what was measured."""
_ANSWERING = ("answers", "faq")
"""Pages of the documentation whose sections answer a question each."""
_RECORDING = ("benchmarks", "validation", "spoiled-runs", "petsc", "python-reference", "stability")


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
    found = _named(words)
    if found is not None:
        return found
    words = _TAG.sub("", words)
    asked = _split_words(words)
    better = {word: near for word in asked if (near := _corrected(word)) is not None}
    meant = " ".join(better.get(word, word) for word in asked)
    found = (better and _named(meant)) or _about(_stems(meant), _dotted(words))
    return Found(found.entries, found.exact, found.in_part, tuple(better.items()))


def pieces(words: str) -> Iterator[str]:
    """The pieces of a question that may be the name of a product, longest first.

    They are several words, or have a digit: ``Raspberry Pi``, ``MI300X``.
    """
    split = words.split()[:_MOST_WORDS]
    for length in range(min(_LONGEST_PIECE, len(split)), 0, -1):
        for start in range(len(split) - length + 1):
            piece = split[start : start + length]
            ends = [_words(word, _EMPTY | _ASKING) for word in (piece[0], piece[-1])]
            if all(ends) and (length > 1 or re.search("[0-9]", piece[0])):
                yield " ".join(piece).strip("?!.,;:")


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


def _split_words(text: str) -> list[str]:
    return [word[:_MOST_CHARACTERS] for word in _WORD.findall(text.lower())]


def _words(text: str, without: frozenset[str] = frozenset()) -> list[str]:
    """The words of a text, in their singular."""
    words = [word for word in _split_words(text) if word not in without]
    return [_singular(word) for word in words[:_MOST_WORDS]]


def _telling(text: str) -> list[str]:
    """The words that say what is asked for."""
    return _words(text, _EMPTY)


def _topic(text: str) -> list[str]:
    """The words that are left of a question about bandwidth, such as ``ecc``."""
    return _words(text, _EMPTY | _ASKING | _THINGS)


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    plural = len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is"))
    return word[:-1] if plural else word


@cache
def _stem(word: str) -> str:
    """The word without its ending, so that ``throttled`` and ``throttling`` are one."""
    word = _singular(word)
    shorter = _ENDING.sub("", word)
    if shorter == word:
        return word
    if shorter[-1] == shorter[-2] and shorter[-1] not in "lsz":
        return shorter[:-1]
    is_open = _OPEN.fullmatch(shorter) and word.endswith(("ed", "ing"))
    return f"{shorter}e" if is_open else shorter


def _stems(text: str) -> list[str]:
    return [_stem(word) for word in _split_words(text) if word not in _EMPTY]


def _dotted(text: str) -> list[str]:
    """The pairs of names such as ``memory.max``, whose parts alone say something else."""
    short = (word for word in text.lower().split() if len(word) <= _MOST_CHARACTERS)
    dotted = (word for word in short if re.fullmatch(r"[a-z_]+(?:\.[a-z_]+)+", word))
    return [pair for word in dotted for pair in _pairs(_stems(word))]


def _pairs(stems: Sequence[str]) -> list[str]:
    """Neighbouring stems, two by two."""
    return [" ".join(pair) for pair in itertools.pairwise(stems)]


@cache
def _asking() -> frozenset[str]:
    return frozenset(map(_stem, _ASKING))


@cache
def _meanings(stem: str) -> dict[str, float]:
    """What a word may be called on the pages, each name with how much it counts."""
    return {**dict.fromkeys(_synonyms().get(stem, ()), _SYNONYM), stem: 1.0}


@cache
def _synonyms() -> dict[str, frozenset[str]]:
    """The stems that mean much the same as a stem, and lead to its pages."""
    found: dict[str, set[str]] = defaultdict(set)
    for line in (files(__package__) / "synonyms.txt").read_text("utf-8").splitlines():
        group = [] if line.startswith("#") else line.split()
        meanings = {_stem(word.strip("()")) for word in group}
        for word in group:
            if not word.startswith("("):
                found[_stem(word)] |= meanings
    return {stem: frozenset(others - {stem}) for stem, others in found.items()}


@dataclass(frozen=True)
class _Pages:
    """The words of all entries, which are numbered, and where they stand."""

    entries: Sequence[Entry]
    heads: Sequence[Mapping[str, float]]
    """By entry: the stems and pairs of its head, each with how much it says."""
    texts: Sequence[Sequence[Sequence[str]]]
    """By entry and paragraph: its stems, one after the other."""
    paragraphs: Mapping[str, Mapping[int, set[int]]]
    """By stem and entry: the paragraphs that have it; empty if only the head has it."""
    proper: frozenset[str]
    """The stems of names of programs, makers and options in the texts."""
    own: frozenset[str]
    """These, and the stems of all heads."""
    phrases: Sequence[tuple[int, frozenset[str]]]
    """The stems of each name and of each phrase of the index, with the entry that it leads to."""


@cache
def _pages() -> _Pages:
    heads: list[dict[str, float]] = []
    texts: list[list[list[str]]] = []
    paragraphs: dict[str, dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
    phrases: list[tuple[int, frozenset[str]]] = []
    proper: set[str] = set()
    for number, entry in enumerate(entries().values()):
        heads.append({})
        for weight, phrased in (
            (_FIRST, [entry.summary]),
            (_INDEXED, index().get(entry.name, [])),
            (_NAME, [entry.name.rpartition(": ")[2].removeprefix("streamgage ")]),
        ):
            for stems in map(_stems, phrased):
                heads[-1].update(dict.fromkeys([*stems, *_pairs(stems)], weight))
                phrases.append((number, frozenset(stems)))
        texts.append([*map(_stems, entry.text.split("\n\n"))])
        for place, stems in enumerate(texts[-1]):
            for stem in stems:
                paragraphs[stem][number].add(place)
        for stem in heads[-1]:
            paragraphs[stem][number] |= set()
        for found in _PROPER.finditer(entry.text):
            proper.update(_stems(found[1] or found[2]))
    return _Pages(
        entries=[*entries().values()],
        heads=heads,
        texts=texts,
        paragraphs=paragraphs,
        proper=frozenset(proper),
        own=frozenset(proper.union(*heads)),
        phrases=phrases,
    )


@cache
def _places(stem: str) -> Mapping[int, set[int]]:
    """By entry that has a stem, or two that stand together: the paragraphs that have it."""
    pages = _pages()
    first, _, second = stem.partition(" ")
    if not second:
        return pages.paragraphs.get(stem, {})
    found = {number: set[int]() for number, head in enumerate(pages.heads) if stem in head}
    for number, places in pages.paragraphs.get(first, {}).items():
        for place in places & pages.paragraphs.get(second, {}).get(number, set()):
            if (first, second) in itertools.pairwise(pages.texts[number][place]):
                found.setdefault(number, set()).add(place)
    return found


@cache
def _weight(stem: str) -> float:
    """How much a word says about what is asked for: the fewer pages have it, the more."""
    having = _places(stem) or set[int]().union(*map(_places, _meanings(stem)))
    weight = math.log(1 + len(_pages().entries) / (1 + len(having)))
    if stem in _asking():
        return min(weight, _LITTLE)
    if stem in _PRODUCTS:
        return min(weight, _NUMBER)
    if _is_own(stem) and not stem.isdigit():
        return weight
    return min(weight, _NUMBER if re.search("[0-9]", stem) else _ELSEWHERE if having else _UNKNOWN)


def _is_own(stem: str) -> bool:
    """Whether some page is about the word, or about one that means the same."""
    return not _pages().own.isdisjoint(_meanings(stem))


@dataclass(frozen=True)
class _Standing:
    """How much of some words an entry has, in sums of the words' weights."""

    by_place: float = 0.0
    """Each word counts by what its place says."""
    in_head: float = 0.0
    together: float = 0.0
    """What the head and the best paragraph have."""


def _about(stems: Sequence[str], dotted: Sequence[str]) -> Found:
    """The pages that are about most of the words, or else about a part of them."""
    weights = {stem: _weight(stem) for stem in (*stems[:_MOST_WORDS], *dotted)}
    if all(stem.isdigit() for stem in weights):
        return Found(())
    whole = sum(weights.values())
    near = _standing({pair: _PAIR * _weight(pair) for pair in _pairs(stems[:_MOST_WORDS])})
    alike = _alike(weights)
    pages = _pages()
    scores: dict[int, float] = {}
    standing = _standing(weights)
    for number, has in standing.items():
        places = has.by_place + near.get(number, _Standing()).by_place + _TOGETHER * has.together
        score = places / whole + _ALIKE * alike.get(number, 0.0)
        apart = 1 - has.together / whole
        scores[number] = score * (1 - _APART * apart) * _prior(pages.entries[number].name)
    most = max(
        (has.together for has in standing.values() if has.in_head >= _LEAST_HEAD * whole),
        default=0.0,
    )
    in_part = most < whole * (_LEAST_OF_FEW if len(weights) <= _FEW else _LEAST_SHARE)
    if in_part:
        own = sum(weight for stem, weight in weights.items() if _is_own(stem)) / whole
        least = next(share for of_heads, share in _LEAST_PARTS if own >= of_heads)
        found = [number for number, has in standing.items() if has.in_head >= least * whole]
    else:
        least = _NEAR_SHARE * most
        found = [number for number, has in standing.items() if has.together >= least]
    best = max((scores[number] for number in found), default=0.0)
    found = [number for number in found if scores[number] >= _NEAR * best]
    found.sort(key=lambda number: -scores[number])
    return Found(tuple(pages.entries[number] for number in found[:_MOST_PAGES]), in_part=in_part)


def _prior(name: str) -> float:
    """How much a page counts, whatever it is about."""
    page = name.partition(": ")[0]
    if name in names() or page in _ANSWERING:
        return 1.0
    return _RECORD if page in _RECORDING else _SECTION


def _standing(weights: Mapping[str, float]) -> dict[int, _Standing]:
    """How much of the words each entry has that has one of them, by its number."""
    pages = _pages()
    standing: dict[int, float] = defaultdict(float)
    in_head: dict[int, float] = defaultdict(float)
    in_text: dict[int, dict[int, float]] = defaultdict(lambda: defaultdict(float))
    for stem, weight in weights.items():
        best: dict[int, float] = defaultdict(float)
        head: dict[int, float] = defaultdict(float)
        text: dict[tuple[int, int], float] = defaultdict(float)
        for other, counts in _meanings(stem).items():
            for number, places in _places(other).items():
                says = pages.heads[number].get(other)
                if says is None:
                    says = _TEXT * len(places) / (len(places) + 1)
                    if other in pages.proper:
                        head[number] = max(head[number], _PROPER_NAME * counts)
                else:
                    head[number] = max(head[number], counts)
                best[number] = max(best[number], counts * says)
                for place in places:
                    text[number, place] = max(text[number, place], counts)
        for number, says in best.items():
            standing[number] += weight * says
            in_head[number] += weight * head[number]
        for (number, place), counts in text.items():
            in_text[number][place] += weight * max(0.0, counts - head[number])
    return {
        number: _Standing(
            says,
            in_head[number],
            in_head[number] + max(in_text[number].values(), default=0.0),
        )
        for number, says in standing.items()
    }


def _alike(weights: Mapping[str, float]) -> dict[int, float]:
    """How like the words a name of each entry or a phrase of the index is, at most 1."""
    meant: dict[str, float] = defaultdict(float)
    for stem in weights:
        for other, counts in _meanings(stem).items():
            meant[other] = max(meant[other], counts)
    whole = sum(weights.values())
    found: dict[int, float] = defaultdict(float)
    for number, phrase in _pages().phrases:
        if phrase.isdisjoint(meant):
            continue
        asked = sum(
            weight * max(_meanings(stem).get(other, 0.0) for other in phrase)
            for stem, weight in weights.items()
        )
        said = sum(_weight(stem) * meant.get(stem, 0.0) for stem in phrase)
        asked, said = asked / whole, said / sum(map(_weight, phrase))
        found[number] = max(found[number], 2 * asked * said / (asked + said))
    return found


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
    asks = not _ASKING.isdisjoint(_telling(text)) and not _dotted(text)
    for words in (_words, _telling, *([_topic] if asks else [])):
        for lists in (_listed, _headings):  # the second one reads the documentation
            name = lists().get(" ".join(words(text)))
            if name is not None:
                return Found((_explained(name) if name in names() else entries()[name],), True)
    return None


def _corrected(word: str) -> str | None:
    """What has nearly the same letters as an unknown word; ``None`` if nothing has."""
    stem = _stem(word)
    if len(word) < _SHORTEST or word in _EMPTY or stem in _pages().paragraphs:
        return None
    if stem in _synonyms():
        return None
    known = [letters for letters in _spellings() if letters[0] == word[0]]
    near = get_close_matches(word, known, n=1, cutoff=_LIKENESS)
    wrong = _edits(word, near[0]) if near else math.inf
    return _spellings()[near[0]] if wrong <= min(_MOST_EDITS, len(word) // 3) else None


def _edits(word: str, other: str) -> int:
    """How many letters differ between two words, by blocks that they have in common."""
    blocks = SequenceMatcher(None, word, other, autojunk=False).get_opcodes()
    return sum(max(to - at, end - begin) for kind, at, to, begin, end in blocks if kind != "equal")


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
