"""A kind of result: everything that the rest of the program must know about it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from types import GenericAlias
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, Union, cast

import msgspec

from streamgage.analysis.conclusion import Conclusion, finding_no_firmer, no_firmer
from streamgage.analysis.finding import Finding, by_weight
from streamgage.analysis.grade import Grade
from streamgage.analysis.trust import Trust, trust_of
from streamgage.results.comparable import Conventions
from streamgage.results.document import Document, Words, other_load
from streamgage.results.run_findings import known_roughly
from streamgage.results.settings import UNKNOWN, Settings
from streamgage.show.formats import formats_of
from streamgage.units import format_figure, format_gbps, format_nanoseconds

if TYPE_CHECKING:
    from streamgage.records import BenchmarkOutput
    from streamgage.results.summary import SummaryRate
    from streamgage.show.page import Page

D = TypeVar("D", bound=Document)
_UNFINISHED = "unfinished"
_FIRST = "triad"
_WORDS: Mapping[str, Any] = {"text": str, "reason": str, "grade": Grade}
"""The fields of a finding that hold words, with their types."""


@dataclass(frozen=True)
class Headline:
    """A figure that stands for a result, such as: triad plain, 29.7 GB/s."""

    what: str
    value: float
    unit: Literal["GB/s", "s"] = "GB/s"
    low: float | None = None
    """``low`` and ``high`` bound the value; ``None`` if it has no bounds, or if the kind checks
    them itself."""
    high: float | None = None

    @property
    def figure(self) -> str:
        """The value with its unit."""
        if self.unit == "s":
            return f"{format_nanoseconds(self.value)} ns"
        return (
            format_gbps(self.value)
            if self.unit == "GB/s"
            else f"{format_figure(self.value)} {self.unit}"
        )


def deferred(place: str) -> Callable[..., Any]:
    """Make a function that imports ``"streamgage.a.b:function"`` when it is first called.

    This way a list of results loads no pages and no plots.
    """
    module, _, name = place.partition(":")

    def call(*positional: object, **named: object) -> object:
        return getattr(import_module(module), name)(*positional, **named)

    return call


def of_document(place: str) -> Callable[..., Any]:
    """Make a function like ``deferred``, which gets only the document of a result."""
    function = deferred(place)

    def call(result: Any, *_: object) -> object:  # noqa: ANN401 - a Result, which holds a Kind
        return function(result.document)

    return call


def checks(place: str) -> Callable[[Any], Iterator[Finding]]:
    """Make a function that runs a list of checks, named like ``"streamgage.a.b:CHECKS"``.

    Each check has a code, and a function that returns a finding, several, or ``None``.
    """
    module, _, name = place.partition(":")

    def find(document: object) -> Iterator[Finding]:
        for _, check in getattr(import_module(module), name):
            found = check(document)
            yield from () if found is None else [found] if isinstance(found, Finding) else found

    return find


def nothing(*_: object) -> Iterable[Any]:
    """Return no figures, for a kind without them."""
    return ()


_LOAD = frozenset({"other-load", "steal"})
"""The codes of findings on what others took."""


def _all_findings(
    document: Document, own: Iterable[Finding], best: Headline | None, *, facts: bool
) -> Iterator[Finding]:
    """Yield the kind's findings. If none is on load, a rough figure or a stopped run, add these.

    ``facts``: whether the findings are facts of the document, judged with the records. They then
    know the load better.
    """
    found = list(own)
    load = None if facts else other_load(document)
    if load is not None and _LOAD.isdisjoint(each.code for each in found):
        yield load
    wide = None if best is None else known_roughly(best.what, best.value, best.low, best.high)
    if wide is not None and all(each.code != wide.code for each in found):
        yield wide
    if document.interrupted and all(each.code != _UNFINISHED for each in found):
        yield Finding(
            code=_UNFINISHED,
            severity="warning",
            reason="it was stopped early",
            text="The measurement was stopped early: the figures come from what was measured until"
            " then. To quote figures, measure again.",
        )
    yield from found


@dataclass(frozen=True, eq=False)
class Kind(Generic[D]):
    """One kind of result; its name is that of its folder, and mostly that of the command."""

    name: str
    document: type[D]
    """The type of the stored document, whose ``kind`` field has the name."""
    page: Callable[..., Page]
    """Makes the page of a ``Result``; the result then adds the words."""
    headlines: Callable[[D], Iterable[Headline]]
    """Yields figures; the best of them stands for the result, unless ``main`` chooses another."""
    asked: str = ""
    """The command with the option that asks for it; empty if the command has the kind's name."""
    main: Callable[[D], Headline | None] | None = None
    """Returns the figure that stands for the result. ``None``: the best of ``headlines``, for triad
    if it was measured."""
    conclusions: Callable[[D], Iterable[Conclusion]] | None = None
    """Yields the conclusions by the figures alone; ``None`` if the kind has none. ``words`` makes
    none of them firmer than the trust in the result."""
    findings: Callable[[D], Iterable[Finding]] = nothing
    """Yields the findings, most important first."""
    facts: tuple[type[Any], ...] = ()
    """The types of its document's ``findings``: values, which ``finding`` turns into words. It is
    empty if the findings follow from the rest of the document."""
    quote: Callable[[D, Trust], str | None] | None = None
    """Makes the sentence by which a result is quoted, including how far to trust it. ``None`` if
    results of this kind have no such sentence."""
    rates: Callable[[D], Iterable[SummaryRate]] = nothing
    """Yields the bandwidths; lists show the best one of each kernel with each kind of store."""
    threads: Callable[[D], int | None] = lambda _: None
    """Returns the number of threads or ranks."""
    reported: Callable[[D], BenchmarkOutput | None] = lambda _: None
    """Returns what another benchmark reports about itself, if the result is its output."""
    started: Callable[[D], str | None] = lambda _: None
    """Returns the time of the measurement, if no single machine's record has it."""
    invalid: Callable[[D], bool] = lambda _: False
    """Returns ``True`` if a kernel computed something wrong."""
    settings: Callable[[D], Settings] = lambda _: UNKNOWN
    """Returns the settings that the document has without the records."""
    varied: frozenset[str] = frozenset()
    """The settings, as ``compare`` names them, that differ from figure to figure."""
    comparable: Callable[..., Iterable[Any]] = nothing
    """Yields the figures for ``compare``, from a ``Result`` under ``Conventions``."""
    conventions: Callable[[Sequence[D]], Conventions] = lambda _: Conventions()
    """Returns the conventions under which results can be compared."""
    identity: Callable[[D], object] = lambda document: document
    """Returns an identity; two documents share it only if they are the same measurement."""
    replayed: Callable[[D], bool] = lambda _: False
    """Returns ``True`` if the counters were played back from a recording."""
    of_run: Callable[..., Any] | None = None
    """Makes the ``Result`` from the records of one run, the user's facts, and whether only its
    rates are needed; returns ``None`` if the records are of another kind. The field is ``None`` if
    records of a single run never make such a result."""
    gives: frozenset[str] = frozenset({"picture"})
    """What it offers beyond tables and data: ``picture``, ``columns``."""
    own: Mapping[str, Callable[..., str]] = field(default_factory=dict)
    """Formats that only this kind has, by name; each function writes a ``Result``."""

    @property
    def command(self) -> str:
        """The command that makes it: ``scale``, ``measure --runs``."""
        return self.asked or self.name

    @property
    def formats(self) -> tuple[str, ...]:
        """The names of the formats in which it can be written."""
        return formats_of({*self.gives, "tables", *(["quote"] if self.quote is not None else [])})

    def headline(self, document: D) -> Headline | None:
        """The main figure: a bandwidth, of triad if it was measured; for a latency, of memory.

        ``None`` if nothing was measured.
        """
        if self.main is not None:
            return self.main(document)
        found = list(self.headlines(document))
        of_triad = [each for each in found if each.what.startswith(_FIRST)]
        return max(of_triad or found, key=lambda each: each.value, default=None)

    def words(self, document: D) -> Words:
        """Derive the conclusions from a document."""
        own = self.findings(document)
        best = self.headline(document)
        findings = by_weight(_all_findings(document, own, best, facts=bool(self.facts)))
        trust = trust_of(findings)
        concluded = self.conclusions(document) if self.conclusions else ()
        return Words(
            conclusions=no_firmer(concluded, trust),
            findings=[finding_no_firmer(each, trust) for each in findings],
            trust=trust,
            quote=self.quote(document, trust) if self.quote else None,
        )

    @cached_property
    def printed_type(self) -> type[Document]:
        """The type that is printed as JSON: the document with its words."""
        lacks = {name for name in ("conclusions", "quote") if getattr(self, name) is None}
        known = {*self.document.__struct_fields__, *lacks}
        words = [(e.name, e.type) for e in msgspec.structs.fields(Words) if e.name not in known]
        if self.facts:
            printed: Any = Union[tuple(self._printed_facts.values())]  # noqa: UP007
            words.append(("findings", GenericAlias(list, printed)))
        made = msgspec.defstruct(
            self.document.__name__,
            words,
            bases=(self.document,),
            namespace={"__doc__": self.document.__doc__},
            tag=self.name,
            frozen=True,
            kw_only=True,
        )
        return cast("type[Document]", made)

    @cached_property
    def _printed_facts(self) -> dict[type[Any], type[Any]]:
        """For each type of fact, the type with its words."""
        return {
            each: msgspec.defstruct(
                each.__name__,
                list(_WORDS.items()),
                bases=(each,),
                namespace={"__doc__": each.__doc__},
                tag_field=each.__struct_config__.tag_field,
                tag=each.__struct_config__.tag,
                frozen=True,
                kw_only=True,
            )
            for each in self.facts
        }

    def _printed_fact(self, fact: Any, trust: Trust) -> object:  # noqa: ANN401 - one of ``facts``
        words = msgspec.structs.asdict(finding_no_firmer(fact.finding(), trust))
        return self._printed_facts[type(fact)](
            **msgspec.structs.asdict(fact), **{name: words[name] for name in _WORDS}
        )

    def printed(self, document: D) -> Document:
        """The document as it is printed as JSON, with its words."""
        words = self.words(document)
        found = msgspec.structs.asdict(words) | msgspec.structs.asdict(document)
        if self.facts:
            found["findings"] = [
                self._printed_fact(each, words.trust) for each in found["findings"]
            ]
        return self.printed_type(
            **{name: found[name] for name in self.printed_type.__struct_fields__}
        )
