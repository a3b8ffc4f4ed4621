"""The verdict on the ratios, in one or two sentences per side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from streamgage.advice import advice
from streamgage.analysis.conclusion import Conclusion, fact, sound, undecided
from streamgage.comparison.compare.document import (
    ComparedFigure,
    ComparedSide,
    Difference,
    SideRatio,
    Verdict,
)
from streamgage.comparison.compare.ratio import Ratio
from streamgage.comparison.compare.verdicts import verdict_of
from streamgage.results.kind import nothing
from streamgage.results.kinds import kind_named
from streamgage.units import count, format_share, listed

NamedRatio = tuple[str, SideRatio]
"""The name of a figure, and its ratio, which has a value."""
_MOST = 3
_DIFFERENT: tuple[Verdict, ...] = ("faster", "slower")


def ratio_text(ratio: SideRatio) -> str:
    """The ratio in words: ``0.972 [0.951 to 0.990]``, or ``0.972`` if it has no interval.

    Without a ratio it is ``-``.
    """
    if ratio.value is None:
        return "-"
    value = format_number(ratio.value)
    if ratio.low is None or ratio.high is None:
        return value
    return f"{value} [{format_number(ratio.low)} to {format_number(ratio.high)}]"


def format_number(ratio: float) -> str:
    """A ratio with three decimals up to 10, then with one.

    Very small and large ratios have an exponent.
    """
    if ratio < 0.0005 or ratio >= 1e6:
        return f"{ratio:.1e}"
    return f"{ratio:.3f}" if ratio < 9.9995 else f"{ratio:.1f}"


@dataclass(frozen=True)
class _Pair:
    """A side, and side A, which it is compared with."""

    side: ComparedSide
    base: ComparedSide
    margin: float
    differs: list[str]
    """The settings in which the two differ."""
    silent: Sequence[str]
    """The important properties that neither side records."""


def concluded(
    sides: Sequence[ComparedSide],
    figures: Sequence[ComparedFigure],
    margin: float,
    differing: Sequence[Difference],
    silent: Sequence[str] = (),
) -> list[Conclusion]:
    """Say what the ratios of each side except A mean, by the figures alone."""
    words = []
    for number, side in enumerate(sides[1:]):
        ratios = [
            (figure.name, figure.ratios[number])
            for figure in figures
            if figure.ratios[number].value is not None
        ]
        differs = [each.what for each in differing if side.label in each.sides]
        words.append(_verdict(_Pair(side, sides[0], margin, differs, silent), ratios))
    return words


def _verdict(pair: _Pair, ratios: Sequence[NamedRatio]) -> Conclusion:
    side, base = _named(pair.side), _named(pair.base)
    if not ratios:
        none = f"{side} has no figure that can be compared with {base}"
        kind = kind_named(pair.side.kind)
        if kind is not None and kind.comparable is nothing:
            return fact(
                f"{none}: more {kind.name} is neither better nor worse. Look at each by"
                f" {advice('show')}."
            )
        return fact(
            f"{none}: a comparison needs the same kernel, stores, shape (standard or tuned) and"
            " element type."
        )
    by_verdict: dict[Verdict, list[NamedRatio]] = {}
    for each in ratios:
        by_verdict.setdefault(_by_figures(each[1], pair.margin), []).append(each)
    same, noisy = by_verdict.get("same", []), by_verdict.get("too noisy to say", [])
    differing = [(word, by_verdict[word]) for word in _DIFFERENT if word in by_verdict]
    if not differing:
        return _no_difference(pair, same, noisy)
    parts = [
        f"{word} in {len(which)} of {count(len(ratios), 'figure')}, {_by(which)}"
        for word, which in differing
    ]
    if same:
        parts.append(f"the same within {format_share(pair.margin)} in {len(same)}")
    if noisy:
        parts.append(f"too noisy to say in {len(noisy)}")
    return sound(f"{side} against {base}: {'; '.join(parts)}.{_why(pair)}")


def _by_figures(ratio: SideRatio, margin: float) -> Verdict:
    """The verdict by the figures alone, as if the results of both sides supported it."""
    return verdict_of(Ratio(ratio.value or 0.0, ratio.low, ratio.high), margin)


def _why(pair: _Pair) -> str:
    if pair.differs:
        return f" These settings differ and may be the cause: {_some(pair.differs)}."
    if len(pair.side.results) > 1 and len(pair.base.results) > 1:
        return ""
    if pair.silent:
        return (
            f" No recorded setting differs, but neither records {listed(pair.silent)}: that may be"
            " the cause, or ordinary run-to-run variation."
        )
    return " No recorded setting differs. This may be ordinary run-to-run variation."


def _no_difference(
    pair: _Pair, same: Sequence[NamedRatio], noisy: Sequence[NamedRatio]
) -> Conclusion:
    side, base, within = _named(pair.side), _named(pair.base), format_share(pair.margin)
    although = f", although settings differ ({_some(pair.differs)})" if pair.differs else ""
    if not noisy:
        return sound(
            f"{side} is the same as {base} within {within} in {_all(len(same))}:"
            f" {_range(same)}{although}."
        )
    bounded = [each for each in noisy if each[1].low is not None]
    whether = f"It is too noisy to say whether {side} is faster or slower than {base}"
    if not bounded:
        return undecided(f"{whether}: {noisy[0][1].reason}; {_range(noisy)}.")
    widest = max(bounded, key=lambda each: (each[1].high or 1) / (each[1].low or 1))
    hold = f"the widest is {widest[0]}, {ratio_text(widest[1])}"
    if not same:
        single = len(bounded) == 1
        return undecided(
            f"{whether}: the {'interval includes' if single else 'intervals include'} 1 and"
            f" {('reaches' if single else 'reach')} more than {within} away from it ({hold})."
        )
    return undecided(
        f"Between {side} and {base} no difference is seen{although}:"
        f" {count(len(same), 'figure is', 'figures are')} the same within {within}, and"
        f" {count(len(noisy), 'is', 'are')} too noisy to say ({hold})."
    )


def _all(number: int) -> str:
    return {1: "the one figure", 2: "both figures"}.get(number, f"all {number} figures")


def _range(ratios: Sequence[NamedRatio]) -> str:
    values = sorted(ratio.value for _, ratio in ratios if ratio.value is not None)
    ends = list(dict.fromkeys(format_number(each) for each in (values[0], values[-1])))
    return f"the ratio is {ends[0]}" if len(ends) == 1 else f"ratios are {' to '.join(ends)}"


def _by(ratios: Sequence[NamedRatio]) -> str:
    """The sizes of the differences, and the figures that differ most."""
    ordered = sorted(ratios, key=lambda each: -abs(_share(each)))
    ends = [_much(each) for each in (ordered[-1], ordered[0])]
    much = ends[0] if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}"
    shown = [f"{name} {ratio_text(ratio)}" for name, ratio in ordered[:_MOST]]
    more = f" and {len(ordered) - _MOST} more" if len(ordered) > _MOST else ""
    by = "" if "times" in much else "by "
    return f"{by}{much} ({', '.join(shown)}{more})"


def _much(named: NamedRatio) -> str:
    share = _share(named)
    return f"{share + 1:.1f} times" if share >= 1 else format_share(abs(share))


def _share(named: NamedRatio) -> float:
    return (named[1].value or 1.0) - 1


def _some(names: Sequence[str]) -> str:
    if len(names) <= _MOST + 1:
        return listed(names)
    return f"{', '.join(names[:_MOST])} and {len(names) - _MOST} more"


def _named(side: ComparedSide) -> str:
    name = side.name if len(side.results) == 1 else f"{len(side.results)} results"
    return f"{side.label} ({name})"
