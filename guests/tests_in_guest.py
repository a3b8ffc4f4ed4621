"""The engine's own tests as a job in a guest, and what must have become of them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from guest import Done, Job


def tests_job(patterns: Sequence[str]) -> Job:
    """Run the engine's tests whose names match one of the patterns."""
    return Job("tests", f"engine_tests --gtest_filter='{':'.join(patterns)}'")


def judge_tests(done: Done, may_be_skipped: Sequence[str] = ()) -> str:
    """All ran and passed, and those and only those were skipped; the answer says how many ran."""
    tests = re.search(r"^\[=+\] (\d+) tests? .* ran", done.output, re.M)
    assert done.status == 0, f"status {done.status}:\n{done.output[-4000:]}\n{done.errors}"
    assert tests is not None, f"the tests did not end:\n{done.output[-4000:]}"
    skipped = re.findall(r"^\[  SKIPPED \] (\S+) \(", done.output, re.M)
    assert sorted(skipped) == sorted(may_be_skipped), f"skipped were {skipped}:\n{done.output}"
    passed = re.findall(r"^\[       OK \] (\S+)", done.output, re.M)
    assert len(passed) + len(skipped) == int(tests[1]), done.output[-4000:]
    assert passed, "no test ran"
    return f"{len(passed)} tests passed"
