"""A check for a monitoring system: what node_exporter's textfile collector reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from streamgage.results.check.document import VERDICTS, Check


def render(check: Check) -> str:
    """The text of the exposition format 1.0.0, which needs no package. Rates are bytes per second.

    All are gauges: collectors that read files know no other type for a state.
    """
    return render_all([check])


def render_all(checks: Sequence[Check]) -> str:
    """The text of several checks: a collector takes each name of a metric only once."""
    return "".join(f"{each}\n" for each in _lines(checks))


def _labels(check: Check) -> str:
    device = check.last.device
    return f'host="{check.host}"' + ("" if device is None else f',device="{device.id}"')


def _lines(checks: Sequence[Check]) -> Iterator[str]:
    yield "# TYPE streamgage_check_verdict gauge"
    yield "# HELP streamgage_check_verdict What the newest check says of the node."
    for check in checks:
        for each in VERDICTS:
            state = int(each == check.verdict)
            yield f'streamgage_check_verdict{{{_labels(check)},verdict="{each}"}} {state}'
    yield "# TYPE streamgage_check_bandwidth_bytes_per_second gauge"
    yield "# UNIT streamgage_check_bandwidth_bytes_per_second bytes_per_second"
    yield "# HELP streamgage_check_bandwidth_bytes_per_second Median by STREAM's counting."
    for check in checks:
        for figure in check.last.figures:
            labels = f'{_labels(check)},kernel="{figure.kernel}"'
            value = figure.gbps * 1e9
            yield f"streamgage_check_bandwidth_bytes_per_second{{{labels}}} {value:.6g}"
    yield "# TYPE streamgage_check_limit_bytes_per_second gauge"
    yield "# UNIT streamgage_check_limit_bytes_per_second bytes_per_second"
    yield "# HELP streamgage_check_limit_bytes_per_second Below it the node is slow."
    for check in checks:
        for limit in check.limits:
            if limit.decides and limit.limit_gbps is not None:
                labels = f'{_labels(check)},kernel="{limit.kernel}",source="{limit.source}"'
                value = limit.limit_gbps * 1e9
                yield f"streamgage_check_limit_bytes_per_second{{{labels}}} {value:.6g}"
    yield "# TYPE streamgage_check_timestamp_seconds gauge"
    yield "# UNIT streamgage_check_timestamp_seconds seconds"
    yield "# HELP streamgage_check_timestamp_seconds Start of the newest check, since 1970."
    for check in checks:
        start = datetime.fromisoformat(check.time).timestamp()
        yield f"streamgage_check_timestamp_seconds{{{_labels(check)}}} {start:.0f}"
    yield "# EOF"
