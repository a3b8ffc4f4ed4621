"""Failures: the name, the first lines of output, and how to run the test again."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SHOWN_LINES = 40
"""Of a failure's own output, from its start: there stands the cause."""
_CAUSE = re.compile(
    r"\berror:|^FAILED: |^ERROR\b|^E  |Error:|ERROR: \w+Sanitizer|runtime error|^FAIL\b"
)
_TEST_STARTS = re.compile(r"^\[ RUN      \] (\S+)", re.M)
_TEST_ENDS = re.compile(r"^\[(?:       OK|  FAILED  |  SKIPPED) \] (\S+)", re.M)
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


@dataclass(frozen=True)
class Failure:
    """A failed test, or another failed step."""

    name: str
    text: str
    again: str | None = None
    """The argument with which the step runs this test alone; ``None``: it is never run again."""


def shown(text: str) -> str:
    """The first lines of ``text``, or those from the first that names an error."""
    lines = _COLOUR.sub("", text).rstrip().splitlines()
    cause = next((at for at, line in enumerate(lines) if _CAUSE.search(line)), 0)
    start = max(0, cause - 2) if len(lines) > SHOWN_LINES else 0
    rest = len(lines) - start - SHOWN_LINES
    more = [f"... and {rest} more lines in the log"] if rest > 0 else []
    return "\n".join([*lines[start : start + SHOWN_LINES], *more])


def failures_of_pytest(report_log: Path) -> list[Failure]:
    """Failed tests and files, from what the plugin pytest-reportlog writes."""
    found: dict[str, Failure] = {}
    for line in report_log.read_text("utf-8", "replace").splitlines():
        try:
            report = json.loads(line)
        except ValueError:  # pytest was ended while it wrote the line
            continue
        if report.get("outcome") == "failed" and report["nodeid"] not in found:
            name = report["nodeid"]
            collected = report["$report_type"] == "CollectReport"
            found[name] = Failure(name, _text_of_pytest(report), None if collected else name)
    return list(found.values())


def _text_of_pytest(report: dict[str, Any]) -> str:
    shown_as = report["longrepr"]
    if not isinstance(shown_as, dict):
        return str(shown_as)
    lines: list[str] = []
    for entry in shown_as["reprtraceback"]["reprentries"]:
        lines += entry["data"]["lines"]
        place = entry["data"].get("reprfileloc")
        if place:
            lines += [f"{place['path']}:{place['lineno']}: {place['message']}", ""]
    for title, text in report.get("sections", ()):
        lines += [f"--- {title}", text]
    return "\n".join(lines)


def failures_of_google_test(results: Path) -> list[Failure]:
    """Failed tests, from the JSON that a program with GoogleTest writes at its end."""
    return [
        Failure(name, "\n".join(each["failure"] for each in test["failures"]), name)
        for name, test in _google_tests(results)
        if test.get("failures")
    ]


def skipped_google_tests(results: Path, files: str) -> list[str]:
    """Names of the tests that were skipped and whose source matches ``files``."""
    return [
        name
        for name, test in _google_tests(results)
        if test["result"] == "SKIPPED" and re.search(files, test["file"])
    ]


def has_google_results(results: Path) -> bool:
    """Return whether the program reached its end, where it writes the results."""
    try:
        json.loads(results.read_text("utf-8", "replace"))
    except (OSError, ValueError):
        return False
    return True


def _google_tests(results: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    for suite in json.loads(results.read_text("utf-8", "replace"))["testsuites"]:
        for test in suite["testsuite"]:
            yield f"{suite['name']}.{test['name']}", test


def crash_of_google_test(output: str) -> Failure:
    """The failure of a program that crashed, with the test that it was in, if any."""
    started = list(_TEST_STARTS.finditer(output))
    if not started or _TEST_ENDS.search(output, started[-1].end()):
        return Failure("the program with the tests", output)
    return Failure(f"{started[-1][1]} ended the program", output[started[-1].start() :])
