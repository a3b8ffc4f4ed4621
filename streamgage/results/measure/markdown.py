"""``--format markdown``: a table to paste into an issue or a page."""

from __future__ import annotations

from streamgage.analysis.shapes import describe_shape
from streamgage.results.measure.counted_lines import counted_lines
from streamgage.results.measure.crossing import crossed_gbps, verdict
from streamgage.results.measure.document import KernelResult
from streamgage.results.measure.judge import Answer
from streamgage.results.measure.own_kernel_lines import own_kernel_lines
from streamgage.show.machine_lines import machine_line, setting_line
from streamgage.show.symbols import UNICODE
from streamgage.units import format_change, format_rate

_UNKNOWN = "–"
_COUNTED = (
    "Rates count nominal bytes, as STREAM does; what crossed the bus has the lines in it that"
    " stores read. n is the number of timed samples, taken on so many allocations of the arrays."
)


def render(answer: Answer) -> str:
    """Machine, table, quote and findings."""
    lines = [
        escape_markdown(line)
        for line in (machine_line(answer, UNICODE), setting_line(answer, UNICODE))
        if line
    ]
    lines = [line for text in lines for line in (text, "")]
    lines += [
        "| kernel | store | shape | best GB/s | median GB/s | 95 % of the median | gain"
        " | crossed the bus GB/s | write-allocate | n | allocations | valid |",
        "|---|---|---|--:|--:|--:|--:|--:|---|--:|--:|---|",
    ]
    several = answer.run.stores_of_several_isas()
    lines += [_row(result, name_isa=result.store in several) for result in answer.result.kernels]
    if any(result.tuned for result in answer.result.kernels):
        lines += ["", "Gain: of a tuned shape over the default one, paired block by block."]
    lines += ["", _COUNTED]
    counted = list(counted_lines(answer))
    if counted:
        lines += ["", "Counters of the memory controllers:", ""]
        lines += [f"- {escape_markdown(f'{name}: {text}')}" for name, text in counted]
    own = list(own_kernel_lines(answer.result))
    if own:
        lines += ["", "Kernels of one's own:", ""]
        lines += [f"- {escape_markdown(f'{name}: {text}')}" for name, text in own]
    if answer.result.quote:
        lines += ["", f"> {escape_markdown(answer.result.quote)}"]
    if answer.result.findings:
        lines += [""]
        lines += [
            f"- **{finding.code}** ({finding.severity}): {escape_markdown(finding.text)}"
            for finding in answer.result.findings
        ]
    return "\n".join(lines) + "\n"


def _row(result: KernelResult, *, name_isa: bool) -> str:
    interval = _UNKNOWN
    if result.low_gbps is not None and result.high_gbps is not None:
        interval = f"{format_rate(result.low_gbps)} to {format_rate(result.high_gbps)}"
    valid = {True: "yes", False: "**no**", None: "not checked"}[result.valid]
    store = f"{result.store} {result.isa}" if name_isa else result.store
    shape = describe_shape(result.shape) if result.shape else _UNKNOWN
    gain = _UNKNOWN if result.gain is None else format_change(result.gain)
    cells = [
        *(result.kernel, store, shape, _rate(result.best_gbps), _rate(result.median_gbps)),
        *(interval, gain, crossed_gbps(result) or _UNKNOWN, verdict(result)),
        *(str(result.n), str(result.epochs), valid),
    ]
    return f"| {' | '.join(cells)} |"


def _rate(gbps: float | None) -> str:
    return _UNKNOWN if gbps is None else format_rate(gbps)


def escape_markdown(text: str) -> str:
    """Text that Markdown shows as it stands."""
    return "".join("\\" + letter if letter in "\\`*_|<>" else letter for letter in text)
