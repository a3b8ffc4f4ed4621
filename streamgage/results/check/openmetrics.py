"""A check for a monitoring system: what node_exporter's textfile collector reads."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from streamgage.results.check.document import Check, Verdict

_VERDICTS: tuple[Verdict, ...] = ("fine", "slow", "wrong", "cannot-tell")


def render(check: Check) -> str:
    """The text of the exposition format 1.0.0, which needs no package. Rates are bytes per second.

    All are gauges: collectors that read files know no other type for a state.
    """
    return "".join(f"{each}\n" for each in _lines(check))


def _lines(check: Check) -> Iterator[str]:
    host = f'host="{check.host}"'
    yield "# TYPE streamgage_check_verdict gauge"
    yield "# HELP streamgage_check_verdict What the newest check says of the node."
    for each in _VERDICTS:
        state = int(each == check.verdict)
        yield f'streamgage_check_verdict{{{host},verdict="{each}"}} {state}'
    yield "# TYPE streamgage_check_bandwidth_bytes_per_second gauge"
    yield "# UNIT streamgage_check_bandwidth_bytes_per_second bytes_per_second"
    yield "# HELP streamgage_check_bandwidth_bytes_per_second Median by STREAM's counting."
    for figure in check.last.figures:
        labels = f'{host},kernel="{figure.kernel}"'
        yield f"streamgage_check_bandwidth_bytes_per_second{{{labels}}} {figure.gbps * 1e9:.6g}"
    yield "# TYPE streamgage_check_limit_bytes_per_second gauge"
    yield "# UNIT streamgage_check_limit_bytes_per_second bytes_per_second"
    yield "# HELP streamgage_check_limit_bytes_per_second Below it the node is slow."
    for limit in check.limits:
        if limit.decides and limit.limit_gbps is not None:
            labels = f'{host},kernel="{limit.kernel}",source="{limit.source}"'
            value = limit.limit_gbps * 1e9
            yield f"streamgage_check_limit_bytes_per_second{{{labels}}} {value:.6g}"
    yield "# TYPE streamgage_check_timestamp_seconds gauge"
    yield "# UNIT streamgage_check_timestamp_seconds seconds"
    yield "# HELP streamgage_check_timestamp_seconds Start of the newest check, since 1970."
    yield (
        f"streamgage_check_timestamp_seconds{{{host}}}"
        f" {datetime.fromisoformat(check.time).timestamp():.0f}"
    )
    yield "# EOF"
