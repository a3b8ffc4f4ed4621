"""The engine's own tests as a job in a guest, and what must become of them there."""

from __future__ import annotations

import re
from collections.abc import Sequence

from guest import Job, JobEnd


def tests_job(patterns: Sequence[str]) -> Job:
    """Run the engine's tests whose names match one of the patterns."""
    return Job("tests", f"engine_tests --gtest_filter='{':'.join(patterns)}'")


def judge_tests(done: JobEnd, may_be_skipped: Sequence[str] = ()) -> str:
    """All ran and passed; only those may have been skipped. The answer says how many passed."""
    printed = re.sub(r"^\[( RUN  |       OK|---------).*\n", "", done.output, flags=re.M)
    # Some tests start the program again; the counts of those runs come before its own.
    tests = re.findall(r"^\[=+\] (\d+) tests? .* ran", printed, re.M)
    passed = re.findall(r"^\[  PASSED  \] (\d+) test", printed, re.M)
    assert done.status == 0 and tests and passed, f"status {done.status}\n{printed}\n{done.errors}"
    skipped = re.findall(r"^\[  SKIPPED \] (\S+) \(", printed, re.M)
    assert set(skipped) <= set(may_be_skipped), f"skipped were {skipped}\n{printed}"
    assert 0 < int(passed[-1]) == int(tests[-1]) - len(skipped), printed
    return f"{passed[-1]} tests passed"
