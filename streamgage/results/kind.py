"""A kind of result: all that other parts of the program have to know of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from types import GenericAlias
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, Union, cast

import msgspec

from streamgage.analysis.finding import Finding, by_weight
from streamgage.analysis.trust import Trust, trust_of
from streamgage.results.comparable import Conventions
from streamgage.results.document import Document, Words
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
_WORDS = ("text", "reason")
"""The words of a finding."""


@dataclass(frozen=True)
class Headline:
    """A figure that stands for a result, such as: triad plain, 29.7 GB/s."""

    what: str
    value: float
    unit: Literal["GB/s", "s"] = "GB/s"
    low: float | None = None
    """``low`` and ``high`` bound the value; ``None`` if nothing does, or the kind has a check of
    its own on that."""
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
    """A function that is imported when it is first called: ``"streamgage.a.b:function"``.

    What only lists results loads no page and no plot.
    """
    module, _, name = place.partition(":")

    def call(*positional: object, **named: object) -> object:
        return getattr(import_module(module), name)(*positional, **named)

    return call


def of_document(place: str) -> Callable[..., Any]:
    """Like ``deferred``, for a function of a result's document alone."""
    function = deferred(place)

    def call(result: Any, *_: object) -> object:  # noqa: ANN401 - a Result, which holds a Kind
        return function(result.document)

    return call


def checks(place: str) -> Callable[[Any], Iterator[Finding]]:
    """Run the checks of a list, which is named like ``"streamgage.a.b:CHECKS"``.

    Each has a code, and a function that gives a finding, several, or ``None``.
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


def _all_findings(
    document: Document, own: Iterable[Finding], best: Headline | None
) -> Iterator[Finding]:
    """The kind's findings, and one for a rough figure or a stopped run if none of them says so."""
    found = list(own)
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
    """One kind of result; its name is that of the command, and of its folder."""

    name: str
    document: type[D]
    """The type of the stored document; its ``kind`` field has the name."""
    page: Callable[..., Page]
    """Makes the page of a ``Result``, which adds the words."""
    headlines: Callable[[D], Iterable[Headline]]
    """Figures; the best of them stands for the result."""
    verdict: Callable[[D], Iterable[str]] | None = None
    """The verdict, a sentence each; ``None``: this kind has no such sentences."""
    findings: Callable[[D], Iterable[Finding]] = nothing
    """The findings, most important first."""
    facts: tuple[type[Any], ...] = ()
    """The types of its document's ``findings``: values, of which ``finding`` makes words. None if
    its findings follow from the rest of the document."""
    quote: Callable[[D, Trust], str | None] | None = None
    """The sentence to quote a result by, which says how far to trust it; ``None`` if results of
    this kind have none."""
    rates: Callable[[D], Iterable[SummaryRate]] = nothing
    """The bandwidths by which it is listed: of a series the best for each kernel."""
    threads: Callable[[D], int | None] = lambda _: None
    """The number of threads or ranks."""
    reported: Callable[[D], BenchmarkOutput | None] = lambda _: None
    """What another benchmark reports about itself, if the result is its output."""
    started: Callable[[D], str | None] = lambda _: None
    """The time of the measurement, if there is no single machine whose record has it."""
    invalid: Callable[[D], bool] = lambda _: False
    """``True`` if a kernel computed something wrong."""
    settings: Callable[[D], Settings] = lambda _: UNKNOWN
    """The settings, as far as the document alone has them."""
    varied: frozenset[str] = frozenset()
    """Settings, as ``compare`` calls them, that have their own value for each figure."""
    comparable: Callable[..., Iterable[Any]] = nothing
    """The figures that ``compare`` uses, from a ``Result`` under ``Conventions``."""
    conventions: Callable[[Sequence[D]], Conventions] = lambda _: Conventions()
    """The conventions under which results can be compared."""
    identity: Callable[[D], object] = lambda document: document
    """An identity that two documents only share if they are of the same measurement."""
    replayed: Callable[[D], bool] = lambda _: False
    """``True`` if counters were played back from a recording."""
    of_run: Callable[..., Any] | None = None
    """The ``Result`` from the records of one run, with what the user says of the machine and
    whether only its rates are wanted; ``None`` if the records are of another kind. No function: the
    records of one run make none."""
    gives: frozenset[str] = frozenset({"picture"})
    """What it offers beyond tables and data: ``picture``, ``columns``."""
    own: Mapping[str, Callable[..., str]] = field(default_factory=dict)
    """Formats that it writes in its own way, by name: each of a ``Result``."""

    @property
    def formats(self) -> tuple[str, ...]:
        """The formats that it can be written in."""
        return formats_of({*self.gives, "tables"})

    def headline(self, document: D) -> Headline | None:
        """The best bandwidth, of triad if measured; for a latency, that of memory.

        ``None`` if nothing was measured.
        """
        found = list(self.headlines(document))
        of_triad = [each for each in found if each.what.startswith(_FIRST)]
        return max(of_triad or found, key=lambda each: each.value, default=None)

    def words(self, document: D) -> Words:
        """The conclusions from a document."""
        own = self.findings(document)
        findings = by_weight(_all_findings(document, own, self.headline(document)))
        trust = trust_of(findings)
        return Words(
            verdict=list(self.verdict(document)) if self.verdict else [],
            findings=findings,
            trust=trust,
            quote=self.quote(document, trust) if self.quote else None,
        )

    @cached_property
    def printed_type(self) -> type[Document]:
        """The type printed as JSON: the document with its words."""
        lacks = {name for name in ("verdict", "quote") if getattr(self, name) is None}
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
        """Each type of fact with its words."""
        return {
            each: msgspec.defstruct(
                each.__name__,
                [(name, str) for name in _WORDS],
                bases=(each,),
                namespace={"__doc__": each.__doc__},
                tag_field=each.__struct_config__.tag_field,
                tag=each.__struct_config__.tag,
                frozen=True,
                kw_only=True,
            )
            for each in self.facts
        }

    def _printed_fact(self, fact: Any) -> object:  # noqa: ANN401 - one of ``facts``
        words = msgspec.structs.asdict(fact.finding())
        return self._printed_facts[type(fact)](
            **msgspec.structs.asdict(fact), **{name: words[name] for name in _WORDS}
        )

    def printed(self, document: D) -> Document:
        """The document as it is printed as JSON."""
        found = msgspec.structs.asdict(self.words(document)) | msgspec.structs.asdict(document)
        if self.facts:
            found["findings"] = [self._printed_fact(each) for each in found["findings"]]
        return self.printed_type(
            **{name: found[name] for name in self.printed_type.__struct_fields__}
        )
