"""What the answers of Python that are no results say, and can be made into."""

from __future__ import annotations

import json
import signal
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from example_results import measured
from example_scale import machine_of, scaling_of
from example_traffic import NO_SOURCE, of_two
from in_process import measure_in
from stub_traffic import traffic_engine

import streamgage as sg
from streamgage.api.runs import BaseRun
from streamgage.api.series import run_of
from streamgage.commands.doctor import Doctor
from streamgage.machine.doctor.document import Check, DoctorResult
from streamgage.machine.doctor.page import render
from streamgage.programs.predict.page import page_of
from streamgage.records import Counters, Interval
from streamgage.results.kinds import result_of
from streamgage.results.scale.document import Scale
from streamgage.results.traffic.document import Trust
from streamgage.show.formats import ResultToWrite, as_json, write
from streamgage.show.terminal import terminal_for

SECONDS = of_two((30.0, 3.0), (30.0, 15.0))
FILE = Path("file")
FOUND = DoctorResult(
    machine=None,
    fit=False,
    verdict="Not fit to measure: binding spoils what would be measured now.",
    checks=[
        Check(
            code="binding",
            state="spoils",
            seen="all threads <on> CPU 0",
            why="threads that share a core take turns",
            remedies=["taskset -pc 0-1 $$"],
        ),
        Check(code="smt", state="passed", seen="one hardware thread a core"),
    ],
)


def scaling_run() -> BaseRun[Scale]:
    machine = machine_of(2, 2)
    scaling = scaling_of(machine, ["compact"], [1, 2, 4])
    return run_of(result_of(scaling, "run 3"))  # type: ignore[return-value]


def test_an_environment_tells_its_checks_as_the_command_does(tmp_path: Path) -> None:
    found = Doctor(FOUND)
    assert (found.fit, found.exit_status, found.verdict) == (False, 1, FOUND.verdict)
    assert [each.code for each in found.checks] == ["binding", "smt"]
    assert found.table() == render(FOUND, terminal_for(FILE)) == str(found)
    assert found.to_json() == as_json(FOUND)
    assert found.to_dict() == json.loads(found.to_json())
    assert found.save(tmp_path / "found.json").read_text() == found.to_json()
    assert found.save(tmp_path / "found.txt").read_text() == found.table()
    assert "all threads &lt;on&gt; CPU 0" in found._repr_html_()
    assert repr(found).startswith("<2 checks: Not fit")
    with pytest.raises(sg.UsageError, match=r"found\.csv has no suffix that is known: use \.txt"):
        found.save(tmp_path / "found.csv")


def test_a_scaling_that_is_here_is_predicted_from(tmp_path: Path) -> None:
    run = scaling_run()
    found = sg.scale(predict=3, result=run)
    assert (found.n, found.document.between, found.notes) == (3, [2, 4], ())
    assert found.speedup.value == pytest.approx(found.gbps.value / 30, rel=0.01)
    assert found.efficiency.value == pytest.approx(found.speedup.value / 3)
    for form, text in (
        ("table", found.table()),
        ("json", found.to_json()),
        ("csv", found.to_csv()),
        ("markdown", found.to_markdown()),
    ):
        assert text == write(
            form, ResultToWrite(found.document, lambda: page_of(found.document), FILE)
        )
    assert found.conclusions[0].text in " ".join(found.table().split())
    assert list(found.to_pandas().columns) == list(found.rates.columns)
    assert [(row["n"], row["placement"]) for row in found.rates] == [(3, "compact")]
    assert found.save(tmp_path / "found.csv").read_text() == found.to_csv()
    run.save(tmp_path / "scaling.json")
    assert sg.scale(predict="3", result=tmp_path / "scaling.json").to_json() == found.to_json()


@pytest.mark.parametrize(
    ("n", "sentence"),
    [(0, "--predict 0 is not a whole number"), (8, "8 threads are more than")],
)
def test_what_cannot_be_predicted_is_one_sentence(n: int, sentence: str) -> None:
    with pytest.raises(sg.UsageError, match=sentence):
        sg.scale(predict=n, result=scaling_run())


def test_only_a_scaling_is_predicted_from() -> None:
    with pytest.raises(sg.UsageError, match=r"run\.jsonl is a result of measure, not of"):
        sg.scale(predict=2, result=run_of(measured()))


@pytest.fixture
def watching(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with an engine that watches two seconds of two packages, whatever runs."""
    measure_in(tmp_path, monkeypatch, traffic_engine(tmp_path, SECONDS))
    return tmp_path


def test_traffic_is_watched_beside_a_program(watching: Path) -> None:
    seen = sg.traffic(["sh", "-c", "exit 7"], peak=200)
    assert (seen.exit_status, seen.failure, seen.notes) == (7, None, ())
    assert seen.document.command == ["sh", "-c", "exit 7"]
    assert seen.document.peak_gbps == 200
    assert seen.whole.bytes_total == pytest.approx(104e9)
    assert [each.name for each in seen.domains] == ["package 0", "package 1"]
    assert seen.source_trust.state == "not-calibrated" and seen.verdicts
    assert "Memory traffic during sh -c exit 7" in seen.table()
    assert [row["total_gbps"] for row in seen.rates] == [40, 4, 40, 20]
    assert list(seen.to_pandas().columns) == list(seen.rates.columns)
    assert seen.to_dict() == json.loads(seen.to_json())
    for name, start in (("t.csv", b"start_seconds,"), ("t.png", b"\x89PNG"), ("t.json", b"{")):
        assert seen.save(watching / name).read_bytes().startswith(start)
    assert sg.traffic("sh -c 'exit 3'").exit_status == 3
    assert repr(seen) == "<memory traffic in 2 intervals>"


def test_a_program_may_be_watched_by_another_thread(watching: Path) -> None:
    before = signal.getsignal(signal.SIGCHLD)
    found: list[sg.Traffic] = []
    thread = threading.Thread(target=lambda: found.append(sg.traffic("sleep 0.1")))
    thread.start()
    sg.traffic("sleep 0.2")
    thread.join()
    assert [each.exit_status for each in found] == [0]
    assert signal.getsignal(signal.SIGCHLD) == before


@pytest.mark.usefixtures("watching")
def test_a_watch_that_nobody_could_end_is_refused() -> None:
    said: list[str] = []

    def watch() -> None:
        with pytest.raises(sg.UsageError) as refused:
            sg.traffic()
        said.append(str(refused.value))

    thread = threading.Thread(target=watch)
    thread.start()
    thread.join()
    assert "ends with Ctrl-C, which only the main thread receives" in said[0]


def test_ctrl_c_ends_a_watch_and_what_is_new_is_shown_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stay = f"cat {tmp_path}/rest; trap 'exit 0' TERM; while :; do sleep 0.05; done"
    measure_in(tmp_path, monkeypatch, traffic_engine(tmp_path, SECONDS, after=stay))
    shown: list[float] = []

    def show(_counters: Counters, new: Sequence[Interval], _trust: Trust) -> None:
        shown.extend(each.start for each in new)
        if len(shown) == len(SECONDS):
            signal.raise_signal(signal.SIGINT)

    handler = signal.getsignal(signal.SIGINT)
    seen = sg.traffic(interval=0.1, show=show)
    assert shown == [each.start for each in seen.document.intervals] == [0, 1]
    assert (seen.exit_status, seen.document.command) == (0, None)
    assert signal.getsignal(signal.SIGINT) == handler


def test_without_a_source_the_program_is_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = traffic_engine(tmp_path, [], counters=NO_SOURCE, after="exit 1")
    measure_in(tmp_path, monkeypatch, engine)
    with pytest.raises(sg.NoCountersError, match="the program was not run") as missing:
        sg.traffic(["touch", str(tmp_path / "ran")])
    assert missing.value.counters.hypervisor == "KVM"
    assert missing.value.exit_status == 1
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"interval": 0}, "--interval 0 is not a number of seconds from 0.01"),
        ({"peak": -1}, "--peak -1 is not a number of GB/s"),
        ({"replay": "song"}, "There is no recording song"),
        ({"replay": "song", "command": "true"}, "--replay shows a recording"),
        ({"command": "sh -c 'exit"}, "close the quotes"),
    ],
)
def test_what_cannot_be_watched_is_one_sentence(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(sg.UsageError, match=sentence):
        sg.traffic(**options)
