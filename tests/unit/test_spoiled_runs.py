"""The harness of spoiled runs judges made documents; ``make spoiled`` makes real ones."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import loads
import one_run
import pytest
import spoiled_runs
from conditions import CONDITIONS, CannotMakeError, Condition, Setup
from example_records import MEMORY, as_lines, good_records
from judging import (
    CLEAN,
    SPOILED,
    SURE,
    ExpectedVerdict,
    Row,
    SeenVerdict,
    Triad,
    exit_status,
    in_all,
    judge,
    markdown,
    seen_in,
    summary,
)

from streamgage.results.measure.findings import CHECKS

CLEAN_RUN = ExpectedVerdict(CLEAN)
BURNT = ExpectedVerdict(frozenset({"not-quotable"}), {"other-load"})
WHY = {"code": "other-load", "text": "other programs used 64 % of the CPUs"}
LOAD = f"{WHY['code']}: {WHY['text']}"


def seen(verdict: str = "quotable", *codes: str, reasons: tuple[str, ...] = ()) -> SeenVerdict:
    return SeenVerdict(verdict, reasons, codes, Triad(40.0, 39.0, 41.0))


def kernel(
    name: str, store: str = "plain", median: float | None = 40.0, *, tuned: bool = False
) -> dict[str, Any]:
    bounds = {"low_gbps": 39.0, "high_gbps": 41.0}
    return {"kernel": name, "store": store, "tuned": tuned, "median_gbps": median, **bounds}


def document(*kernels: dict[str, Any]) -> dict[str, Any]:
    return {
        "trust": {"verdict": "not-quotable", "reasons": [WHY]},
        "findings": [{"code": "other-load"}, {"code": "no-counters"}],
        "kernels": list(kernels),
    }


def test_a_document_says_its_verdict_reasons_codes_and_triad() -> None:
    tuned = kernel("triad", median=50.0, tuned=True)
    found = seen_in(document(kernel("copy"), tuned, kernel("triad", "regular"), kernel("triad")))
    assert found == SeenVerdict(
        "not-quotable", (LOAD,), ("other-load", "no-counters"), Triad(40.0, 39.0, 41.0)
    )
    assert seen_in(document(kernel("triad", median=None))).triad is None


def test_a_spoiling_that_is_named_passes() -> None:
    row = judge("burnt", BURNT, seen("not-quotable", "other-load", "two-modes"))
    assert (row.state, row.why) == ("passed", "")


def test_a_spoiling_that_is_not_named_fails_whatever_the_verdict() -> None:
    row = judge("burnt", BURNT, seen("not-quotable", "two-modes"))
    assert (row.state, row.why) == ("failed", "nothing said of other-load")


def test_a_spoiled_run_that_is_called_quotable_fails() -> None:
    row = judge("burnt", BURNT, seen("with-care", "other-load"))
    assert (row.state, row.why) == ("failed", "called with-care")


def test_a_clean_run_that_is_called_spoiled_fails() -> None:
    assert judge("clean 1", CLEAN_RUN, seen("with-care", "steal")).state == "passed"
    row = judge("clean 1", CLEAN_RUN, seen("not-quotable", "steal"))
    assert (row.state, row.why) == ("failed", "called not-quotable")


def test_a_sentence_that_is_not_so_fails_unless_it_is_true_of_the_machine() -> None:
    confined = seen("quotable", "confined")
    row = judge("clean 1", CLEAN_RUN, confined)
    assert (row.state, row.why) == ("failed", "says confined, which is not so")
    assert judge("clean 1", CLEAN_RUN, confined, {"confined"}).state == "passed"
    also = ExpectedVerdict(SPOILED, {"memory-cap"}, also={"below-4x-rule"})
    both = seen("with-care", "memory-cap", "below-4x-rule")
    assert judge("capped", also, both).state == "passed"


def test_what_all_clean_runs_say_is_a_fact_of_the_machine_but_for_pauses() -> None:
    runs = [
        seen("with-care", "confined", "steal", "paused"),
        seen("quotable", "confined", "paused"),
    ]
    assert in_all(runs) == {"confined"}
    assert in_all([]) == frozenset()


def test_what_was_not_run_is_not_counted_as_passed() -> None:
    rows = [
        judge("burnt", BURNT, seen("not-quotable", "other-load", reasons=(LOAD,))),
        Row("CPU quota", "not run", "it needs root"),
    ]
    assert summary(rows) == "2 runs: 1 passed, 0 failed, 1 not run."
    assert exit_status(rows) == 0
    assert markdown(rows).splitlines()[2:] == [
        f"| burnt | not-quotable | {LOAD} | 40.0 (39.0 to 41.0) | passed |",
        "| CPU quota |  |  |  | **not run**: it needs root |",
    ]
    failed = judge("burnt", BURNT, seen())
    assert exit_status([*rows, failed]) == 1
    assert "| burnt | quotable |  | 40.0 (39.0 to 41.0) | **failed**: called quotable;" in markdown(
        [failed]
    )


def test_every_code_that_is_expected_is_one_of_a_finding() -> None:
    known = {code for code, _ in CHECKS}
    assert known >= SURE
    for condition in CONDITIONS:
        assert condition.expected.codes, condition.name
        assert known >= {*condition.expected.codes, *condition.expected.also}
        assert "quotable" not in condition.expected.verdicts or condition.name == "one allowed CPU"
    assert len({each.name for each in CONDITIONS}) == len(CONDITIONS)


def ended(folder: Path, found: dict[str, Any] | None, stderr: str = "") -> one_run.RunEnd:
    records = folder / "records.jsonl"
    records.write_bytes(as_lines(good_records()))
    return one_run.RunEnd(found, 0 if found else 1, stderr, "", records)


def cannot_make(rule_bytes: int) -> Iterator[Setup]:
    raise CannotMakeError("it needs root")
    yield Setup()


def loses_engine(rule_bytes: int) -> Iterator[Setup]:
    assert rule_bytes == MEMORY.rule_bytes
    raise RuntimeError("The engine ended before it could be stopped.")
    yield Setup()


def test_the_harness_goes_on_where_a_condition_cannot_be_made_or_gives_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clean = document(kernel("triad")) | {"trust": {"verdict": "quotable", "reasons": []}}
    answers = [ended(tmp_path, clean), ended(tmp_path, None, "streamgage: No memory.\n")]
    monkeypatch.setattr(spoiled_runs, "measure", lambda *_, **__: answers.pop(0))
    monkeypatch.setattr(spoiled_runs, "_REST_SECONDS", 0.0)
    harness = spoiled_runs.Harness(tmp_path)
    expected = ExpectedVerdict(SPOILED, {"niced"})
    harness.measure_spoiled(Condition("early", expected, cannot_make))
    harness.measure_clean(1)
    harness.measure_spoiled(Condition("quota", expected, cannot_make))
    harness.measure_spoiled(Condition("stopped", expected, loses_engine))
    harness.measure_clean(2)
    assert [(row.condition, row.state, row.why) for row in harness.rows()] == [
        ("early", "not run", "no clean run succeeded"),
        ("clean 1", "passed", ""),
        ("quota", "not run", "it needs root"),
        ("stopped", "failed", "The engine ended before it could be stopped."),
        ("clean 2", "failed", "no result, exit status 1: streamgage: No memory."),
    ]
    assert "quota: not run, it needs root" in capsys.readouterr().err


def test_a_condition_that_is_not_there_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        spoiled_runs.main(["--only", "sunspots"])
    assert "there is no condition sunspots; there are 'unbound'" in capsys.readouterr().err


def cpu_seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def children() -> set[int]:
    task = Path(f"/proc/self/task/{os.getpid()}/children")
    return {int(each) for each in task.read_text().split()}


def test_a_burner_keeps_its_cpu_busy_and_is_gone_afterwards() -> None:
    cpu = min(os.sched_getaffinity(0))
    before = children()
    with loads.burners([cpu]):
        (burner,) = children() - before
        assert os.sched_getaffinity(burner) == {cpu}
        while cpu_seconds(burner) < 0.05:
            time.sleep(0.01)
    assert children() == before
    assert not Path(f"/proc/{burner}").exists()


def test_a_memory_hog_uses_its_memory_and_is_gone_after_an_error_too() -> None:
    before = children()
    with suppress(KeyboardInterrupt), loads.memory_hog(32 << 20):
        (hog,) = children() - before
        (used,) = [
            int(line.split()[1])
            for line in Path(f"/proc/{hog}/status").read_text().splitlines()
            if line.startswith("VmRSS:")
        ]
        assert used >= 32 << 10
        raise KeyboardInterrupt
    assert children() == before


def test_a_load_ends_with_the_program_that_started_it() -> None:
    source = (
        "import sys, loads\n"
        f"with loads.burners([{min(os.sched_getaffinity(0))}]):\n"
        "    print('started', flush=True)\n"
        "    sys.stdin.read()\n"
    )
    folder = str(Path(loads.__file__).parent)
    parent = subprocess.Popen(
        [sys.executable, "-c", source],
        env=os.environ | {"PYTHONPATH": folder},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert parent.stdout is not None
    assert parent.stdout.readline() == b"started\n"
    listed = Path(f"/proc/{parent.pid}/task/{parent.pid}/children").read_text().split()
    (burner,) = map(int, listed)
    parent.kill()
    parent.communicate()
    while Path(f"/proc/{burner}").exists():
        state = Path(f"/proc/{burner}/stat").read_text().rpartition(")")[2].split()[0]
        if state == "Z":  # whoever adopted it has not asked yet
            break
        time.sleep(0.01)


def test_a_program_behind_the_wrapper_has_no_huge_pages() -> None:
    ask = "import ctypes; print(ctypes.CDLL(None).prctl(42, 0, 0, 0, 0))"  # PR_GET_THP_DISABLE
    command = [*loads.without_huge_pages(), sys.executable, "-c", ask]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "1\n"
    assert subprocess.run(command[3:], capture_output=True, text=True, check=True).stdout == "0\n"


def test_the_engine_of_a_run_is_found_below_its_front_alone(tmp_path: Path) -> None:
    engine = tmp_path / "streamgage-engine"
    engine.write_text("#!/bin/sh\nread line\n", "utf-8")
    engine.chmod(0o755)
    front = subprocess.Popen(
        ["sh", "-c", f"'{engine}' <&0; true"],
        stdin=subprocess.PIPE,
        start_new_session=True,
    )
    other = subprocess.Popen([engine], stdin=subprocess.PIPE)
    try:
        found = None
        while found is None and front.poll() is None:
            found = one_run.engine_of(front)
        assert found is not None
        assert found not in (front.pid, other.pid)
    finally:
        for process in (front, other):
            process.send_signal(signal.SIGTERM)
            process.communicate()
