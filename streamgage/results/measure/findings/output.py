"""Checks of another benchmark's saved output against that benchmark's own rules."""

from __future__ import annotations

from statistics import median

from streamgage.analysis.finding import Finding, Passed
from streamgage.analysis.traffic.consistency import CONTRAST, LOADS, contrast, held_back
from streamgage.analysis.traffic.readings import figures_of
from streamgage.records.run import Run
from streamgage.results.measure.findings.context import Context
from streamgage.results.measure.findings.outcome import Outcome, some
from streamgage.results.reported import contradicts_itself, cut_off
from streamgage.units import format_gbps, format_range, format_share, listed

_SPOILED = 2.0
"""Mean time over the best one: half of the repetitions took far longer."""
_UNSTEADY = 1.25
_WHOLE = 100
"""GB/s from which a limit needs no fraction."""
_FEWEST = 10
"""STREAM's own number of repetitions; it leaves out the first."""
_UNEVEN = 0.15
"""Add and Triad count the same bytes; they differ by less where memory is the limit."""
_BELOW, _ABOVE = 0.87, 1.30
"""Add and Triad over Copy and Scale: 1 to 9/8 by what stores read, within 15 %."""


def cut(context: Context) -> Outcome:
    """A table whose end is missing."""
    reported = context.run.reported
    return None if reported is None else cut_off(reported)


def contradiction(context: Context) -> Outcome:
    """Figures that contradict others of the same output."""
    reported = context.run.reported
    return None if reported is None else contradicts_itself(reported)


def its_warnings(context: Context) -> Outcome:
    """Warnings of the benchmark itself."""
    reported = context.run.reported
    if reported is None or not reported.warnings:
        return None
    return Finding(
        code="its-own-warning",
        severity="warning",
        reason=f"{reported.tool} itself warns: {reported.warnings[0]}",
        text=f"{reported.tool} itself warns: {some([repr(e) for e in reported.warnings])}. Mend"
        " that before you quote its figures.",
    )


def few_repetitions(context: Context) -> Outcome:
    """Fewer repetitions than the benchmark's own number."""
    reported = context.run.reported
    if reported is None or reported.repetitions is None:
        return None
    if reported.repetitions >= _FEWEST:
        return Passed("few-repetitions", f"each kernel ran {reported.repetitions} times")
    return Finding(
        code="few-repetitions",
        severity="note",
        reason=f"each kernel ran {reported.repetitions} times only",
        text=f"Each kernel ran {reported.repetitions} times; {_FEWEST} are usual (NTIMES of"
        " STREAM). The best of so few may be below what the memory reaches. Run it with more.",
    )


def unsteady(context: Context) -> Outcome:
    """Repetitions that took far longer than the best."""
    run = context.run
    if run.reported is None:
        return None
    ratios = {
        run.variants[number].kernel: rate.mean_seconds / rate.seconds
        for number, rates in run.rates.items()
        for rate in rates
        if rate.seconds and rate.mean_seconds
    }
    if not ratios:
        return None
    worst = max(ratios, key=lambda kernel: ratios[kernel])
    most = ratios[worst]
    seen = f"the mean time of {worst} is {most:.2f} times its best"
    if most < _UNSTEADY:
        return Passed("unsteady-table", seen)
    spoiled = most >= _SPOILED
    return Finding(
        code="unsteady-table",
        severity="warning" if spoiled else "note",
        reason=seen,
        text=f"{seen[0].upper()}{seen[1:]}, so"
        f" {('most repetitions were disturbed' if spoiled else 'some repetitions were slow')}."
        " Possible causes are other programs, threads that moved, or pages on other nodes."
        " The best rate is shown; a program gets less. Bind the threads and run it on an idle"
        " machine.",
    )


def uneven(context: Context) -> Outcome:
    """Add and Triad that differ, or a pair that departs from the other more than stores explain."""
    rates = nominal_rates(context.run)
    if context.run.reported is None or any(name not in rates for name in LOADS):
        return None
    slow = held_back(rates)
    pair = max(rates["add"], rates["triad"]) / min(rates["add"], rates["triad"]) - 1
    both = [rates["scale"]] if contrast(rates) > CONTRAST else [rates["copy"], rates["scale"]]
    ratio = (rates["add"] + rates["triad"]) / 2 / (sum(both) / len(both))
    if slow is not None:
        return Finding(
            code="uneven-kernels",
            severity="note",
            reason=f"{slow} alone is slow",
            text=f"{slow.capitalize()} alone is slow: {format_gbps(rates[slow])}, where the others"
            f" have {_range_of(rates, slow)}. The loops of one compiler have the same stores, so"
            f" something else held {slow} back, such as the code that was made of it. Quote Triad,"
            f" and look at the machine code of {slow}."
            if slow != "triad"
            else f"Triad alone is slow: {format_gbps(rates[slow])}, where the others have"
            f" {_range_of(rates, slow)}. Something other than the memory held it back, such as the"
            " code that was made of it. Look at the machine code of triad.",
        )
    if pair > _UNEVEN:
        return Finding(
            code="uneven-kernels",
            severity="warning",
            reason=f"add and triad differ by {format_share(pair)}",
            text=f"Add and Triad differ by {format_share(pair)}, though they move the same bytes:"
            " the arithmetic, or a disturbed run, and not the memory made the difference. Run it"
            " again, and look at the machine code of the slower one.",
        )
    if _BELOW <= ratio <= _ABOVE:
        return Passed(
            "uneven-kernels", f"add and triad have {ratio:.2f} of the rate of copy and scale"
        )
    one, other = (
        ("Add and Triad", "Copy and Scale") if ratio < 1 else ("Copy and Scale", "Add and Triad")
    )
    apart = 1 - ratio if ratio < 1 else 1 - 1 / ratio
    if ratio < 1:
        why = (
            "If stores read what they overwrite, they would be above. Known reasons: the path for"
            " reads is narrower than that for writes, or three streams fall on the same banks (try"
            " another OFFSET). A low share of the peak then need not mean empty channels."
        )
    else:
        why = (
            "Stores that read what they overwrite explain an eighth. Something else slowed them"
            " down."
        )
    return Finding(
        code="uneven-kernels",
        severity="note",
        reason=f"{one} are {format_share(apart)} below {other}",
        text=f"{one} are {format_share(apart)} below {other}, more than any kind of store"
        f" explains. {why}",
    )


def _range_of(rates: dict[str, float], without: str) -> str:
    others = [rate for name, rate in rates.items() if name != without and name in LOADS]
    return format_range(min(others), max(others))


def nominal_rates(run: Run) -> dict[str, float]:
    """GB/s of each kernel as STREAM counts, over the tables."""
    found = {}
    for number, variant in run.variants.items():
        times = run.element_times(number)
        moved = run.iteration_bytes(variant)
        if times and moved:
            found[variant.kernel] = moved / median(times) / 1e9
    return found


def two_readings(context: Context) -> Outcome:
    """The possible meanings of a table whose rates do not decide it."""
    found = context.readings
    if found is None:
        return None
    none, full = found.readings
    names = listed([name for name in none.gbps if name != found.apart])
    text = (
        f"{figures_of(none)} crossed the memory bus if {names} read none of the lines that they"
        f" overwrite, {figures_of(full)} if they read all. {_sentence(found.evidence)}; so"
    )
    if found.likely is None:
        text += " the table does not decide it."
    else:
        text += f" the {'first' if found.likely == 0 else 'second'} is likely, but do not quote it."
    least = found.peak_below_gbps
    if least is not None and context.peak is None:
        shown = f"{least:.0f} GB/s" if least >= _WHOLE else format_gbps(least)
        text += f" A peak below {shown} excludes the second: give --peak."
    else:
        text += " Only counters decide it: run `streamgage measure` on that machine."
    return Finding(
        code="two-readings",
        severity="note",
        reason=f"{figures_of(none)} or {figures_of(full)} crossed the memory bus",
        text=text,
    )


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]
