"""``--format markdown`` for the output of another benchmark."""

from __future__ import annotations

from streamgage.results.measure.crossing import crossed_gbps, verdict
from streamgage.results.measure.document import KernelResult, Spread
from streamgage.results.measure.judge import Answer
from streamgage.results.measure.markdown import escape_markdown
from streamgage.results.measure.reported_lines import reported_line, reported_setting_line
from streamgage.results.measure.reported_table import modes, reasons
from streamgage.show.symbols import UNICODE
from streamgage.units import format_rate

_UNKNOWN = "–"


def render(answer: Answer) -> str:
    """Whose output, the table, reasons and findings."""
    lines = []
    for line in (reported_line(answer, UNICODE), reported_setting_line(answer, UNICODE)):
        lines += [escape_markdown(line or ""), ""]
    lines += [
        "| kernel | stores | threads | median GB/s | mean | sd | min | max | modes | n"
        " | crossed the bus GB/s | write-allocate |",
        "|---|---|--:|--:|--:|--:|--:|--:|---|--:|--:|---|",
    ]
    lines += [_row(result) for result in answer.result.kernels]
    lines += ["", "Rates count nominal bytes, as STREAM does. n is the number of runs."]
    told = reasons(answer.result.kernels)
    lines += [""] if told else []
    lines += [f"- {names}: {escape_markdown(reason)}" for names, reason in told]
    findings = answer.result.findings
    lines += [""] if findings else []
    lines += [
        f"- **{finding.code}** ({finding.severity}): {escape_markdown(finding.text)}"
        for finding in findings
    ]
    return "\n".join(lines) + "\n"


def _row(result: KernelResult) -> str:
    spread = result.spread
    store = f"{result.store} {result.isa}" if result.isa else result.store
    cells = [
        *(result.kernel, escape_markdown(store), str(result.threads or _UNKNOWN)),
        _rate(spread.median_gbps if spread else result.median_gbps),
        *(_over_runs(spread, name) for name in ("mean", "deviation", "minimum", "maximum")),
        *(modes(result) or _UNKNOWN, str(result.n)),
        *(crossed_gbps(result) or _UNKNOWN, verdict(result)),
    ]
    return f"| {' | '.join(cells)} |"


def _over_runs(spread: Spread | None, name: str) -> str:
    return _UNKNOWN if spread is None else format_rate(getattr(spread, f"{name}_gbps"))


def _rate(gbps: float | None) -> str:
    return _UNKNOWN if gbps is None else format_rate(gbps)
