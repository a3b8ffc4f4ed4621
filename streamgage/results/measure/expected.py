"""What others publish for the figures of a run: next to them, and never a verdict on them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from streamgage.analysis.expected.hardware import hardware_of
from streamgage.analysis.expected.match import Expectation, expected_of, expected_of_device
from streamgage.analysis.expected.words import sentences_of
from streamgage.analysis.facts_file import DamagedTableError
from streamgage.analysis.peak.of_device import listed_device
from streamgage.records.run import Run
from streamgage.results.measure.document import ExpectedResult, KernelResult, Measure
from streamgage.results.measure.headline import headline_of
from streamgage.units import format_gbps, format_rate

_STORES = {"plain": "", "streaming": " with streaming stores"}
"""The stores of published figures, and how a sentence names them."""


def expected_results(
    run: Run, kernels: Sequence[KernelResult], own: Collection[str]
) -> tuple[list[ExpectedResult], str | None]:
    """What is published for each kernel, that of the headline first; why the list is not readable.

    Of standard figures of doubles alone, as published ones are.
    """
    first = headline_of(kernels, own)
    found = []
    try:
        published = _published_for(run)
        if published is None:
            return [], None
        for each in kernels:
            if each.kernel in own or not _is_standard(each) or each.median_gbps is None:
                continue
            expectation = published(each.kernel, each.store)
            if expectation is not None:
                found.append(_result(each, each.median_gbps, expectation))
    except DamagedTableError as error:
        return [], str(error)
    name = first.kernel if first is not None else ""
    return sorted(found, key=lambda each: (each.kernel != name, bool(each.doubts))), None


def _published_for(run: Run) -> Callable[[str, str], Expectation | None] | None:
    """Look a kernel with a kind of stores up for the hardware of a run; ``None`` if none is known.

    Raises ``DamagedTableError``.
    """
    if run.device is not None:
        device = listed_device(run.device)
        return None if device is None else lambda kernel, _: expected_of_device(device, kernel)
    hardware = hardware_of(run)
    return None if hardware is None else lambda *named: expected_of(hardware, *named)


def _is_standard(result: KernelResult) -> bool:
    """Return whether it may stand next to STREAM's: valid, of doubles, in the default shape."""
    of_stream = result.store in _STORES and result.type == "double" and not result.tuned
    return of_stream and result.valid is not False


def _result(result: KernelResult, median: float, expectation: Expectation) -> ExpectedResult:
    return ExpectedResult(
        kernel=result.kernel,
        store=result.store,
        median_gbps=median,
        best_gbps=result.best_gbps or median,
        values=list(expectation.values),
        doubts=list(expectation.doubts),
    )


def expected_line(result: Measure) -> str | None:
    """The first figure that has published values for this hardware, with them, or ``None``."""
    if not result.expected:
        return None
    first = result.expected[0]
    text = f"{_figure(first)} {' '.join(sentences_of(_expectation(first)))}"
    return f"{text} -> explain expected" if _is_below(first) else text


def expected_pairs(result: Measure) -> Iterator[tuple[str, str]]:
    """What it is published for, and all that is published: pages have no heading above it."""
    for each in result.expected:
        sentences = sentences_of(_expectation(each), every=True)
        yield f"published for {each.kernel} {each.store}", f"{_rates(each)}. {' '.join(sentences)}"


def _figure(found: ExpectedResult) -> str:
    return f"{found.kernel.capitalize()}{_STORES[found.store]} has {_rates(found)}."


def _rates(found: ExpectedResult) -> str:
    """The median, and the best, which most published figures are."""
    return f"{format_gbps(found.median_gbps)}, at best {format_rate(found.best_gbps)}"


def _is_below(found: ExpectedResult) -> bool:
    """Whether it is less than the source, that is said first, lets a healthy machine have."""
    value = found.values[0]
    return found.best_gbps < value.low_gbps * (1 - (value.tolerance or 0))


def _expectation(found: ExpectedResult) -> Expectation:
    return Expectation(values=found.values, doubts=found.doubts)
