"""What other programs and the hypervisor take is seen, kept and shown by every kind of result."""

from __future__ import annotations

import os
import resource
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from example_compilers import row
from example_numa import cell_runs
from example_numa import machine_of as nodes_of
from example_records import DISTURBANCE, MACHINE, good_records
from example_repeat import settings_of
from example_results import every_kind, measured, of_document
from example_scale import machine_of, scaling_of
from example_study import study_of
from msgspec.structs import replace

from streamgage.analysis.statistics.rounds import FreshRun
from streamgage.comparison.compare.settings.surroundings import SETTINGS
from streamgage.process import cpu_time
from streamgage.process.cpu_time import OthersWatch
from streamgage.programs.predict.judge import predicted
from streamgage.programs.predict.page import page_of
from streamgage.records.run import collect
from streamgage.results.compilers.judge import CompilersSetup, judge_compilers
from streamgage.results.document import common
from streamgage.results.kinds import words_of
from streamgage.results.numa.judge import cell_name, judge_numa
from streamgage.results.repeat.judge import judge_repeat
from streamgage.results.result import Result
from streamgage.show.markdown import render as markdown

DISTURBED = [
    *good_records(),
    replace(DISTURBANCE, first_block=20, last_block=39, other_seconds=6.0, steal_seconds=4.0),
]
"""Of 40 CPU-seconds others had 10."""
KINDS = [each for each in every_kind() if each.kind.name not in ("measure", "scale")]
"""Those two find it in more detail."""
(OTHERS,) = [each for each in SETTINGS if each.what == "other programs"]


def found(result: Result[Any]) -> list[str]:
    """What the result says of other load."""
    return [each.text for each in words_of(result.document).findings if each.code == "other-load"]


@pytest.mark.parametrize("kind", KINDS, ids=[each.kind.name for each in KINDS])
def test_a_result_from_which_others_took_cpus_says_so(kind: Result[Any]) -> None:
    disturbed = of_document(replace(kind.document, taken=0.3), kind.name)
    (text,) = found(disturbed)
    assert "took 30 % of the CPUs' time from this measurement" in text
    assert found(of_document(replace(kind.document, taken=0.01), kind.name)) == []
    assert found(of_document(replace(kind.document, taken=None), kind.name)) == []


@pytest.mark.parametrize("kind", KINDS, ids=[each.kind.name for each in KINDS])
def test_compare_sees_how_much_it_was(kind: Result[Any]) -> None:
    known = OTHERS.of(of_document(replace(kind.document, taken=0.3), kind.name))
    assert known is not None and known.text == "30 % of CPU time"


def test_the_share_is_of_the_time_of_all_runs_of_which_it_is_known() -> None:
    quiet, unknown = collect(good_records()), collect([])
    assert common([collect(DISTURBED), quiet, unknown])["taken"] == pytest.approx(10 / 60)
    assert common([unknown])["taken"] is None


def test_every_judge_keeps_it() -> None:
    def runs(name: str) -> list[FreshRun]:
        return [FreshRun(name, 1, collect(DISTURBED), None, None)]

    nodes = nodes_of(1)
    _, layout = cell_runs(nodes)
    answers = [
        measured(DISTURBED).document,
        judge_repeat(runs("cores"), settings_of("cores"), rounds=1, seed=7),
        judge_numa(runs(cell_name(0, 0)), layout, nodes, rounds=1, seed=7),
        judge_compilers(runs("gcc -O3"), [row("gcc -O3")], CompilersSetup(1, 7), MACHINE),
    ]
    assert [each.taken for each in answers] == [pytest.approx(0.25)] * 4


def test_a_study_tells_of_what_lost_more_of_stream_and_the_program() -> None:
    assert study_of(lambda n: 1 / n, taken=(0.5, 2.0)).taken == pytest.approx(0.25)
    both = study_of(lambda n: 1 / n, taken=(0.5, 2.0), taken_from_stream=0.4)
    assert both.taken == pytest.approx(0.4)
    assert study_of(lambda n: 1 / n, taken=(-0.01, 2.0)).taken == 0.0


def test_a_prediction_hands_on_what_spoilt_the_points_that_it_rests_on() -> None:
    scaling = scaling_of(
        machine_of(), ["compact"], [1, 2, 4, 8], taken=lambda each: 0.3 if each.n == 4 else 0.0
    )
    rests = predicted(scaling, 6)
    assert rests.taken == pytest.approx(0.3)
    assert [each.code for each in rests.findings] == ["other-load"]
    text = markdown(page_of(rests))
    assert "30 % of the CPUs' time from the scaling behind this prediction" in text
    apart = predicted(scaling, 2)
    assert (apart.taken, apart.findings) == (0.0, [])
    assert "other-load" not in markdown(page_of(apart))


@dataclass
class Accounts:
    """The kernel's accounts, as a test sets them."""

    folder: Path
    at: float = 0.0
    front: float = 0.0
    children: float = 0.0
    given_up: int = 0
    lost: int = 0

    def used(self, who: int) -> SimpleNamespace:
        """What ``getrusage`` gives."""
        seconds = self.front if who == resource.RUSAGE_SELF else self.children
        return SimpleNamespace(
            ru_utime=0.75 * seconds,
            ru_stime=0.25 * seconds,
            ru_nvcsw=self.given_up,
            ru_nivcsw=self.lost,
        )

    def busy(self, *cpus: int, steal: int = 0) -> None:
        """Ticks that each CPU was busy and idle."""
        lines = [f"cpu{each} {busy} 0 0 999 7 0 0 {steal} 0 0" for each, busy in enumerate(cpus)]
        (self.folder / "stat").write_text("\n".join(["cpu  5 5 5 5 5 5 5 5 5 5", *lines, "intr 3"]))


@pytest.fixture(name="accounts")
def fixture_accounts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Accounts:
    """Four CPUs that have done nothing yet."""
    made = Accounts(tmp_path)
    made.busy(0, 0, 0, 0)
    monkeypatch.setattr(cpu_time.time, "monotonic", lambda: made.at)
    monkeypatch.setattr(cpu_time.resource, "getrusage", made.used)
    return made


TICKS = os.sysconf("SC_CLK_TCK")


def test_others_had_what_neither_the_program_nor_the_front_used(accounts: Accounts) -> None:
    watch = OthersWatch([1, 2], accounts.folder)
    accounts.at, accounts.front, accounts.children = 10.0, 0.5, 15.0
    accounts.busy(0, 10 * TICKS, 8 * TICKS, 5 * TICKS, steal=TICKS)
    taken = watch.taken()
    assert taken is not None
    assert taken == pytest.approx((10 + 8 + 2 - 15 - 0.5, 20.0))


def test_the_work_of_a_batch_system_is_not_taken_for_that_of_others(accounts: Accounts) -> None:
    watch = OthersWatch([0, 1], accounts.folder)
    accounts.at, accounts.children, accounts.given_up, accounts.lost = 10.0, 0.2, 50, 3
    accounts.busy(10 * TICKS, 10 * TICKS)
    assert watch.taken() is None


def test_a_program_that_others_keep_from_the_cpus_is_seen_to_be_kept(accounts: Accounts) -> None:
    watch = OthersWatch([0, 1], accounts.folder)
    accounts.at, accounts.children, accounts.given_up, accounts.lost = 10.0, 1.0, 9, 200
    accounts.busy(10 * TICKS, 10 * TICKS)
    assert watch.taken() == pytest.approx((19.0, 20.0))


def test_a_kernel_that_keeps_no_accounts_is_not_believed(accounts: Accounts) -> None:
    for cpus in ([0, 1], [7], []):
        watch = OthersWatch(cpus, accounts.folder)
        accounts.at, accounts.children = accounts.at + 10.0, accounts.children + 20.0
        assert watch.taken() is None
    gone = OthersWatch([0], accounts.folder / "nowhere")
    accounts.at, accounts.children = accounts.at + 10.0, accounts.children + 10.0
    assert gone.taken() is None
