"""What is shown of a failure: its name, and the first lines from its cause on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from checks.failures import (
    SHOWN_LINES,
    crash_of_google_test,
    failures_of_google_test,
    failures_of_pytest,
    shown,
    skipped_google_tests,
)

BEFORE = [f"[{number}/300] Building CXX object" for number in range(100)]
AFTER = [f"note {number}" for number in range(100)]


def test_a_short_text_is_shown_from_its_start() -> None:
    lines = ["Building", "a.cpp:3: error: no", "note"]
    assert shown("\n".join(lines) + "\n\n") == "\n".join(lines)


@pytest.mark.parametrize(
    "cause",
    [
        "a.cpp:3:5: error: 'x' was not declared in this scope",
        "FAILED: engine/a.cpp.o",
        "ERROR at setup of test_x",
        "E       assert 1 == 2",
        "ValueError: no number",
        "==7==ERROR: AddressSanitizer: heap-use-after-free",
        "b.cpp:9:1: runtime error: signed integer overflow",
        "FAIL test_x",
    ],
)
def test_of_a_long_text_the_first_lines_from_the_cause_are_shown(cause: str) -> None:
    lines = shown("\n".join([*BEFORE, cause, *AFTER])).splitlines()
    assert lines[:3] == [*BEFORE[-2:], cause]
    assert len(lines) == SHOWN_LINES + 1
    assert lines[-2] == AFTER[SHOWN_LINES - 4]
    assert lines[-1] == f"... and {len(AFTER) - (SHOWN_LINES - 3)} more lines in the log"


def test_of_a_long_text_without_a_cause_the_start_is_shown() -> None:
    lines = shown("\n".join(AFTER)).splitlines()
    assert lines == [*AFTER[:SHOWN_LINES], f"... and {100 - SHOWN_LINES} more lines in the log"]


def test_colours_are_no_part_of_it() -> None:
    assert shown("\x1b[1;31mred\x1b[0m") == "red"


def test_a_report_that_was_cut_off_gives_what_is_whole(tmp_path: Path) -> None:
    whole = {"$report_type": "TestReport", "nodeid": "t.py::x", "outcome": "failed"}
    passed = whole | {"nodeid": "t.py::y", "outcome": "passed"}
    lines = [json.dumps(each | {"longrepr": "why"}) for each in (passed, whole, whole)]
    (tmp_path / "log").write_text("\n".join([*lines, lines[0][:40]]))
    (failure,) = failures_of_pytest(tmp_path / "log")
    assert (failure.name, failure.text, failure.again) == ("t.py::x", "why", "t.py::x")


def google(tmp_path: Path, *tests: dict[str, object]) -> Path:
    suites = [{"name": "Suite", "testsuite": list(tests)}]
    (tmp_path / "json").write_text(json.dumps({"testsuites": suites}))
    return tmp_path / "json"


def test_a_failed_google_test_is_named_with_all_that_it_said(tmp_path: Path) -> None:
    failed = {"name": "B", "failures": [{"failure": "b.cpp:7\none"}, {"failure": "other"}]}
    results = google(tmp_path, {"name": "A"}, failed)
    (failure,) = failures_of_google_test(results)
    assert (failure.name, failure.text) == ("Suite.B", "b.cpp:7\none\nother")
    assert failure.again == "Suite.B"


def test_skipped_tests_are_found_by_their_file(tmp_path: Path) -> None:
    results = google(
        tmp_path,
        {"name": "A", "result": "SKIPPED", "file": "engine/perf_tool_test.cpp"},
        {"name": "B", "result": "SKIPPED", "file": "engine/other_test.cpp"},
        {"name": "C", "result": "COMPLETED", "file": "engine/perf_tool_test.cpp"},
    )
    assert skipped_google_tests(results, r"perf_tool_test[.]cpp$") == ["Suite.A"]


OUTPUT = """\
[ RUN      ] Suite.First
[       OK ] Suite.First (0 ms)
[ RUN      ] Suite.Second
terminate called
"""


def test_a_crash_is_named_by_the_test_that_it_was_in() -> None:
    failure = crash_of_google_test(OUTPUT)
    assert failure.name == "Suite.Second ended the program"
    assert failure.text == "[ RUN      ] Suite.Second\nterminate called\n"
    assert failure.again is None


@pytest.mark.parametrize(
    "output", ["", "loading failed\n", f"{OUTPUT}[       OK ] Suite.Second (1 ms)\nleaks\n"]
)
def test_a_crash_outside_of_all_tests_is_not_put_down_to_one(output: str) -> None:
    failure = crash_of_google_test(output)
    assert (failure.name, failure.text) == ("the program with the tests", output)
