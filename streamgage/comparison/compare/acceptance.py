"""Decides for ``--fail-below`` whether every ratio reaches the limit."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from streamgage.comparison.compare.document import Acceptance, ComparedFigure, ComparedSide
from streamgage.comparison.compare.words import NamedRatio, format_number, ratio_text
from streamgage.units import count, listed, some_of

_MOST = 4


def accept(
    limit: float,
    sides: Sequence[ComparedSide],
    figures: Sequence[ComparedFigure],
    kernels: Collection[str] | None,
    vanished: Sequence[Sequence[str]],
) -> Acceptance:
    """Decide whether every ratio reaches the limit.

    Only the value of a ratio counts; the text says where noise may be the reason. ``vanished``: for
    each side but A, the figures of A that it should have but lacks.
    """
    undecided = _undecided(sides, figures, kernels) or _missing(sides, vanished)
    if undecided is not None:
        return Acceptance(limit=limit, passed=None, below=[], text=undecided)
    several = len(sides) > 2
    ratios = [
        (f"{figure.name} of {ratio.side}" if several else figure.name, ratio)
        for figure in figures
        for ratio in figure.ratios
        if ratio.value is not None
    ]
    below = [each for each in ratios if (each[1].value or 0) < limit]
    return Acceptance(
        limit=limit,
        passed=not below,
        below=[name for name, _ in below],
        text=_failed(limit, below, ratios) if below else _passed(limit, ratios),
    )


def _undecided(
    sides: Sequence[ComparedSide],
    figures: Sequence[ComparedFigure],
    kernels: Collection[str] | None,
) -> str | None:
    """Why the outcome is unknown; ``None`` if it is known."""
    for side in sides:
        for each in side.results:
            if each.partial is not None:
                return (
                    f"--fail-below cannot be decided: {side.label} ({each.name}) is not complete."
                    f" {each.partial} Measure it again."
                )
            if each.errors:
                return (
                    f"--fail-below cannot be decided: {side.label} ({each.name}) has an error"
                    f" among its findings: {each.errors[0]}"
                )
    for number, side in enumerate(sides):
        for figure in figures:
            shown = figure.figures[number]
            if shown is not None and shown.valid is False:
                return (
                    f"--fail-below cannot be decided: {figure.name} of {side.label} ({side.name})"
                    " has wrong results. Measure it again, or choose other kernels with --kernel."
                )
    if any(ratio.verdict == "no conclusion" for figure in figures for ratio in figure.ratios):
        label, spoiled = next(
            (side.label, each)
            for side in sides
            for each in side.results
            if each.trust == "not-quotable"
        )
        return (
            f"--fail-below cannot be decided: {label} ({spoiled.name}) is not quotable:"
            f" {spoiled.trust_reasons[0]}. Measure it again."
        )
    for number, side in enumerate(sides[1:]):
        compared = [each for each in figures if each.ratios[number].value is not None]
        missing = sorted(set(kernels or ()) - {each.kernel for each in compared})
        if not compared or missing:
            what = f"{listed(missing)} of " if missing else ""
            return (
                f"--fail-below cannot be decided: no figure of {what}{side.label} ({side.name})"
                " can be compared with A. Measure the same kernels with the same stores."
            )
    return None


def _missing(sides: Sequence[ComparedSide], vanished: Sequence[Sequence[str]]) -> str | None:
    for side, names in zip(sides[1:], vanished, strict=True):
        if names:
            return (
                f"--fail-below cannot be decided: {side.label} ({side.name}) lacks figures that A"
                f" has: {some_of(names, _MOST, 'figure')}. Measure the same on both, or choose"
                " others with --kernel."
            )
    return None


def _failed(limit: float, below: Sequence[NamedRatio], ratios: Sequence[NamedRatio]) -> str:
    ordered = sorted(below, key=lambda each: each[1].value or 0)
    shown = listed([_shown(limit, each) for each in ordered[:_MOST]])
    more = f" and {len(ordered) - _MOST} more" if len(ordered) > _MOST else ""
    unsure = [each for each in below if not _surely(limit, each)]
    advice = (
        f" {'It' if len(below) == 1 else len(unsure)} may reach the limit within noise: give more"
        " runs of each side, separated by commas."
        if unsure
        else ""
    )
    return (
        f"Failed: {len(below)} of {count(len(ratios), 'ratio')}"
        f" {'is' if len(below) == 1 else 'are'} below {limit:g}: {shown}{more}.{advice}"
    )


def _surely(limit: float, named: NamedRatio) -> bool:
    return named[1].high is not None and named[1].high < limit


def _shown(limit: float, named: NamedRatio) -> str:
    name, ratio = named
    if ratio.high is None:
        sure = "noise unknown"
    elif ratio.high < limit:
        sure = "the whole interval is below"
    else:
        sure = "the interval reaches above"
    return f"{name} {ratio_text(ratio)} ({sure})"


def _passed(limit: float, ratios: Sequence[NamedRatio]) -> str:
    least = min(ratios, key=lambda each: each[1].value or 0)
    across = [each for each in ratios if each[1].low is None or each[1].low < limit]
    noise = (
        f" {count(len(across), 'ratio')} may be below the limit within noise: give more runs of"
        " each side, separated by commas."
        if across
        else ""
    )
    all_of = {1: "The ratio is", 2: "Both ratios are"}.get(
        len(ratios), f"All {len(ratios)} ratios are"
    )
    value = least[1].value or 0
    return (
        f"Passed: {all_of} at least {limit:g}; the least is {format_number(value)}"
        f" ({least[0]}).{noise}"
    )
