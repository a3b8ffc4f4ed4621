"""Sentences on published values: who published how much, for which hardware, and where."""

from __future__ import annotations

from streamgage.analysis.expected.doubt import in_words
from streamgage.analysis.expected.match import Expectation
from streamgage.analysis.expected.value import ExpectedValue
from streamgage.units import count, format_share

_MOST_HARDWARE = 3
"""The number of kinds of hardware that a sentence lists if it is unclear which one is in use."""


def sentences_of(expectation: Expectation, *, every: bool = False) -> list[str]:
    """Write sentences, such as ``NVIDIA expects at least 410 GB/s for ... (page).``.

    The doubts follow. ``every``: write what all sources say, not only the first.
    """
    because = in_words(expectation.doubts)
    if expectation.ambiguous and not every:
        return [_ambiguous(expectation, because)]
    values = expectation.values if every else expectation.values[:1]
    sentences = [f"{_published(each)} ({each.page})." for each in values]
    return [*sentences, f"Compare with care: {because}."] if because else sentences


def _ambiguous(expectation: Expectation, because: str) -> str:
    """Write the first value of each kind of hardware that may be in use."""
    one_each = {each.hardware: each for each in reversed(expectation.values)}
    shown = sorted(one_each.values(), key=expectation.values.index)
    more = len(shown) - _MOST_HARDWARE
    texts = [_published(each) for each in shown[:_MOST_HARDWARE]]
    if more > 0:
        texts.append(f"{count(more, 'more kind')} of hardware")
    return f"Published for hardware like this, but {because}: {'; '.join(texts)}."


def _published(value: ExpectedValue) -> str:
    less = f", or up to {format_share(value.tolerance)} less," if value.tolerance else ""
    threads = f" with {value.threads} threads" if _are_fewer_than_cores(value) else ""
    return (
        f"{value.who} {_VERBS[value.bound]} {amount(value)} GB/s{less} for"
        f" {value.hardware}{threads}"
    )


def _are_fewer_than_cores(value: ExpectedValue) -> bool:
    return value.threads is not None and value.threads != value.cores


_VERBS = {"at least": "expects", "about": "expects", "measured": "measured"}


def amount(value: ExpectedValue) -> str:
    """The value in GB/s, without the unit.

    Examples: ``at least 410``, ``650 to 780``, ``about 430``, ``164.6``.
    """
    figure = f"{value.low_gbps:g}"
    if value.bound == "at least":
        return f"at least {figure}"
    if value.high_gbps > value.low_gbps:
        return f"{figure} to {value.high_gbps:g}"
    return figure if value.bound == "measured" else f"about {figure}"
