"""How parts are run: at once, alone, or after another; and what a flaky test costs."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from checks import session
from checks.failures import Failure
from checks.parts import Part
from checks.session import MOST_FLAKY
from checks.steps import Command
from programs import REPOSITORY, WAIT_SECONDS
from small_checks import FakeStep, Project, failed_test, small_project
from time_limits import runs, wait_until


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    return small_project(tmp_path, monkeypatch)


def of_cpus(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session.os, "sched_getaffinity", lambda _: set(range(number)))


def test_a_run_that_passes_has_a_row_for_each_part(project: Project) -> None:
    assert project.run(Part("one", (FakeStep(),)), Part("other", (FakeStep(), FakeStep()))) == 0
    assert re.search(r"^ok    one +[0-9]+ s$", project.text, re.M)
    assert project.text.endswith("2 passed, 0 failed")
    assert project.flaky == []


def test_a_test_that_passes_when_it_is_run_once_more_is_flaky_and_green(project: Project) -> None:
    step = FakeStep(failed_test("test_x", "the first time it was 7"))
    assert project.run(Part("one", (step,)), Part("other", (FakeStep(),))) == 0
    assert step.asked_again == [["test_x"]]
    assert "once more: test_x" in project.lines
    assert re.search(r"^flaky one ", project.text, re.M)
    assert (
        "flaky: test_x (one), which failed once by\n\n    the first time it was 7" in project.text
    )
    assert project.flaky == ["test_x"]
    assert project.text.endswith("2 passed, 0 failed")


def test_a_test_that_fails_twice_is_red_with_the_text_of_its_first_failure(
    project: Project,
) -> None:
    again = [failed_test("test_x", "another text")]
    step = FakeStep(failed_test("test_x", "the first text"), failed_test("test_y"), again=again)
    assert project.run(Part("one", (step,))) == 1
    assert step.asked_again == [["test_x", "test_y"]]
    assert "FAIL: test_x (build/test-logs/one.log)\n\n    the first text" in project.text
    assert "another text" not in project.text
    assert project.flaky == ["test_y"]
    assert project.text.endswith("0 passed, 1 failed")


def test_a_second_run_that_fails_in_another_way_leaves_all_red(project: Project) -> None:
    again = [Failure("test_y ended the program", "Segmentation fault")]
    step = FakeStep(failed_test("test_x"), failed_test("test_y"), again=again)
    assert project.run(Part("one", (step,))) == 1
    assert project.flaky == []
    assert "FAIL: test_x" in project.text and "FAIL: test_y" in project.text


def test_as_many_flaky_tests_as_are_allowed_are_green(project: Project) -> None:
    parts = [Part(f"p{each}", (FakeStep(failed_test(f"t{each}")),)) for each in range(MOST_FLAKY)]
    assert project.run(*parts) == 0
    assert len(project.flaky) == MOST_FLAKY


def test_more_flaky_tests_are_a_failure_and_are_not_run_once_more(project: Project) -> None:
    names = [f"t{each}" for each in range(MOST_FLAKY + 1)]
    steps = [FakeStep(*map(failed_test, names[:2])), FakeStep(*map(failed_test, names[2:]))]
    assert project.run(*(Part(f"p{n}", (step,)) for n, step in enumerate(steps))) == 1
    assert [step.asked_again for step in steps] == [[], []]
    assert f"{len(names)} tests failed: more than {MOST_FLAKY} are not run" in project.text
    assert all(f"FAIL: {name} " in project.text for name in names)


def test_next_to_what_is_no_test_nothing_is_run_once_more(project: Project) -> None:
    command, flaky = FakeStep(Failure("`make` (status 2)", "no rule")), FakeStep(failed_test("t"))
    assert project.run(Part("build", (command,)), Part("tests", (flaky,))) == 1
    assert (command.asked_again, flaky.asked_again) == ([], [])


def test_failed_tests_are_run_once_more_when_all_else_has_ended(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    of_cpus(2, monkeypatch)
    running, most = [0], [0]

    def alone_at_the_end() -> None:
        running[0] += 1
        most.append(running[0])
        time.sleep(0.1)
        running[0] -= 1

    steps = [FakeStep(failed_test(f"t{each}"), during=alone_at_the_end) for each in range(2)]
    assert project.run(*(Part(f"p{n}", (step,)) for n, step in enumerate(steps))) == 0
    assert most[-2:] == [1, 1]


def test_steps_run_in_turn_until_one_fails(project: Project) -> None:
    steps = [FakeStep(), FakeStep(Failure("it", "broke")), FakeStep()]
    assert project.run(Part("one", tuple(steps))) == 1
    assert [each.runs for each in steps] == [1, 1, 0]


def test_steps_that_do_not_need_each_other_all_run(project: Project) -> None:
    steps = [FakeStep(Failure("ruff", "one")), FakeStep(Failure("mypy", "other")), FakeStep()]
    assert project.run(Part("lint", tuple(steps), go_on=True)) == 1
    assert [each.runs for each in steps] == [1, 1, 1]
    assert "FAIL: ruff" in project.text and "FAIL: mypy" in project.text


class Timeline:
    """Which parts ran at the same time as which."""

    def __init__(self, wanted: int) -> None:
        """``wanted``: parts that a step waits for before it ends, once there can be so many."""
        self._condition = threading.Condition()
        self._wanted = wanted
        self.running: set[str] = set()
        self.order: list[str] = []
        self.together: dict[str, set[str]] = {}

    def part(self, name: str, *, after: str | None = None, alone: bool = False) -> Part:
        """A part that notes its course; but for one that is alone it waits for company."""

        def take_part() -> None:
            with self._condition:
                self.running.add(name)
                self.order.append(name)
                for each in self.running:
                    self.together.setdefault(each, set()).update(self.running)
                self._condition.notify_all()
                if not alone:
                    self._condition.wait_for(lambda: len(self.together[name]) >= self._wanted, 5)
            time.sleep(0.05)
            with self._condition:
                self.running.discard(name)

        return Part(name, (FakeStep(during=take_part),), after=after, alone=alone)


def test_as_many_parts_run_at_once_as_there_are_cpus(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    of_cpus(2, monkeypatch)
    timeline = Timeline(2)
    assert project.run(*(timeline.part(name) for name in "abcd")) == 0
    assert set(timeline.order[:2]) == {"a", "b"}
    assert all(len(each) >= 2 for each in timeline.together.values())


def test_on_one_cpu_parts_run_in_turn(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    of_cpus(1, monkeypatch)
    timeline = Timeline(1)
    assert project.run(*(timeline.part(name) for name in "abc")) == 0
    assert timeline.order == ["a", "b", "c"]
    assert all(timeline.together[name] == {name} for name in "abc")


def test_a_part_that_must_be_alone_runs_first_and_alone(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    of_cpus(4, monkeypatch)
    timeline = Timeline(2)
    parts = [
        *(timeline.part("a"), timeline.part("b"), timeline.part("x", alone=True)),
        *(timeline.part("c"), timeline.part("y", alone=True)),
    ]
    assert project.run(*parts) == 0
    assert timeline.order[:2] == ["x", "y"]
    assert (timeline.together["x"], timeline.together["y"]) == ({"x"}, {"y"})
    rows = [each.split()[1] for each in project.lines if each.startswith("ok ")]
    assert rows[-5:] == ["a", "b", "x", "c", "y"], "the table is in the order of the parts"


def test_a_part_waits_for_the_one_that_builds_what_it_needs(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    of_cpus(3, monkeypatch)
    timeline = Timeline(1)
    parts = [timeline.part("guest", after="cross"), timeline.part("cross"), timeline.part("other")]
    assert project.run(*parts) == 0
    assert timeline.order.index("guest") > timeline.order.index("cross")
    assert "cross" not in timeline.together["guest"]


def test_what_was_to_come_first_need_not_be_asked_for(project: Project) -> None:
    assert project.run(Part("guest", (FakeStep(),), after="cross")) == 0


def test_a_part_alone_may_wait_for_another(project: Project) -> None:
    first, other = Part("first", (FakeStep(),)), Part("other", (FakeStep(),))
    assert project.run(Part("last", (FakeStep(),), after="first", alone=True), first, other) == 0


def test_a_program_that_is_not_there_is_a_failure_and_others_go_on(project: Project) -> None:
    step = FakeStep()
    assert project.run(Part("gone", (Command("no/such program"),)), Part("one", (step,))) == 1
    assert step.runs == 1
    assert "FAIL: `no/such program` (status 127)" in project.text
    assert "no/such cannot be started: No such file or directory" in project.text


RUNNER = """
import sys
sys.path.insert(0, {scripts!r})
from pathlib import Path
from checks import session, steps
from checks.parts import Part
for module in (session, steps):
    module.ROOT = Path({top!r})
    module.LOGS = module.ROOT / "logs"
parts = [Part(name, (steps.Command("./" + name), steps.Command("./later"))) for name in ("a", "b")]
session.os.sched_getaffinity = lambda _: {{0, 1}}
session.run_parts(parts)
"""


def test_ctrl_c_ends_all_that_runs_and_starts_nothing_more(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_text(f"#!/bin/sh\necho $$ >{name}.new\nmv {name}.new {name}.pid\n"
                                     "exec sleep 1000\n")  # fmt: skip
        (tmp_path / name).chmod(0o755)
    (tmp_path / "later").write_text("#!/bin/sh\ntouch came\n")
    (tmp_path / "later").chmod(0o755)
    program = RUNNER.format(scripts=str(REPOSITORY / "scripts"), top=str(tmp_path))
    run = subprocess.Popen([sys.executable, "-c", program], stderr=subprocess.PIPE, text=True)
    wait_until(lambda: all((tmp_path / f"{name}.pid").exists() for name in ("a", "b")))
    run.send_signal(signal.SIGINT)
    _, lines = run.communicate(timeout=WAIT_SECONDS)
    assert run.returncode != 0 and "KeyboardInterrupt" in lines
    for name in ("a", "b"):
        number = int((tmp_path / f"{name}.pid").read_text())
        wait_until(lambda number=number: not runs(number))
    assert not (tmp_path / "came").exists()
