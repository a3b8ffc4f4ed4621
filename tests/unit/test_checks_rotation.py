"""The part of `make check` that the gate runs, too: which it is, and what becomes of its result."""

from __future__ import annotations

import json
import subprocess
from dataclasses import asdict
from pathlib import Path

import pytest
from checks import checked, rotation, session
from checks.checked import PartRecord
from checks.failures import Failure
from checks.parts import Part
from checks.steps import Command
from small_checks import FakeStep, Project, failed_test, small_project


class History(Project):
    """A project with commits, and records of what ran at which."""

    parts: list[Part]

    def commit(self, name: str) -> str:
        """Change a file; return the commit."""
        (self.top / name).write_text(f"{(self.top / name).exists()}", "utf-8")
        with (self.top / "log").open("a", encoding="utf-8") as log:
            log.write(f"{name}\n")
        self.git("add", name, "log")
        self.git("commit", "-q", "-m", name)
        return self.git("rev-parse", "--short=12", "HEAD")

    def git(self, *arguments: str) -> str:
        """What git prints."""
        known = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
        return subprocess.run(
            ["git", *known, *arguments], cwd=self.top, capture_output=True, text=True, check=True
        ).stdout.strip()

    def has_run(self, name: str, commit: str, result: str = "ok", seconds: int = 60) -> None:
        """Record it in the file that is committed."""
        checked.write(
            {**checked.read(), name: PartRecord(commit, "2026-01-01", result, seconds, "any")}
        )

    def rotate(self, gate_seconds: float = 1) -> str:
        """What is printed after a gate that passed."""
        self.lines.clear()
        rotation.run_next(gate_seconds, self.lines.append)
        return self.text


@pytest.fixture
def history(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> History:
    top = tmp_path / "project"
    top.mkdir()
    small_project(top, monkeypatch)
    made = History(top)
    made.parts = [Part(name, (FakeStep(),)) for name in ("a", "b", "c")]
    (top / "tests").mkdir()
    (top / ".gitignore").write_text("build\n.venv\n")
    (top / "CONTRIBUTING.md").write_text(f"Before\n{checked.BEGIN}\nold\n{checked.END}\nafter\n")
    monkeypatch.setattr(checked, "ROOT", top)
    monkeypatch.setattr(checked, "FILE", top / "tests" / "checked.json")
    monkeypatch.setattr(checked, "PAGE", top / "CONTRIBUTING.md")
    monkeypatch.setattr(checked, "CACHE", tmp_path / "cache")
    monkeypatch.setattr(checked, "_RECORDED", made.parts)
    monkeypatch.setattr(checked, "_KEPT", made.parts)
    monkeypatch.setattr(checked, "_LATEST", {})
    monkeypatch.setattr(rotation, "_TOOLS", Part("tools", (FakeStep(),)))
    made.git("init", "-q")
    made.git("add", ".gitignore", "CONTRIBUTING.md")
    made.commit("first")
    return made


def test_the_page_for_contributors_shows_how_long_each_part_took(history: History) -> None:
    history.parts[:] = [Part("a", (FakeStep(),), proves="that it works"), Part("b", (FakeStep(),))]
    commit = history.commit("x")
    history.has_run("a", commit, result="FAIL", seconds=1234)
    page = checked.PAGE.read_text()
    assert f"| a | that it works | 1,234 | {commit[:8]}, FAIL |" in page
    assert "| b |  | | never |" in page
    assert page.startswith("Before\n") and page.endswith("\nafter\n") and "old" not in page


def test_what_never_ran_comes_first_then_what_has_waited_longest(history: History) -> None:
    old, new = history.commit("x"), history.commit("y")
    history.has_run("a", new)
    history.has_run("b", old)
    history.commit("z")
    order = [history.rotate().split("make check: ")[1].split()[0] for _ in range(3)]
    assert order == ["c", "b", "a"]
    assert [each.steps[0].runs for each in history.parts] == [1, 1, 1]  # type: ignore[attr-defined]
    assert history.rotate() == "", "all ran at this commit"


def test_what_nothing_has_changed_for_does_not_wait(history: History) -> None:
    history.parts[:] = [Part("a", (FakeStep(),), paths=("engine",))]
    history.has_run("a", history.commit("x"))
    history.commit("y")
    assert history.rotate() == ""
    assert checked.unchecked() == []


def test_what_takes_too_long_waits_for_somebody_who_has_the_time(history: History) -> None:
    first = history.commit("x")
    history.has_run("a", first, seconds=round(rotation.SECONDS))
    history.has_run("b", first, seconds=round(rotation.SECONDS) - 1)
    history.has_run("c", history.commit("y"))
    history.commit("z")
    assert "b has waited longest" in history.rotate()
    assert "c has waited longest" in history.rotate()
    assert history.rotate() == ""
    assert checked.unchecked() == [f"not checked since {first} (2 commits): a"]


def test_a_part_that_fails_is_named_until_it_passes(history: History) -> None:
    step = FakeStep(Failure("`it`", "it broke"))
    history.parts[:] = [Part("a", (step,))]
    at = history.git("rev-parse", "--short=12", "HEAD")
    said = history.rotate()
    assert "FAIL: `it`" in said and "it broke" in said
    assert said.endswith(f"make check: failed at {at}: a")
    assert history.rotate() == f"make check: failed at {at}: a", "once for a commit"
    assert checked.unchecked() == [f"failed at {at}: a"]
    history.commit("x")
    step.failures = ()
    assert "failed" not in history.rotate()
    assert checked.unchecked() == []


def test_a_part_that_does_not_end_is_ended_and_recorded_as_that(
    history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = "./" + history.write("build/hang", "#!/bin/sh\nexec sleep 1000\n")
    history.parts[:] = [Part("a", (Command(line),))]
    monkeypatch.setattr(rotation, "SECONDS", 0.5)
    assert "did not end within 0.5 s" in history.rotate()
    at = history.git("rev-parse", "--short=12", "HEAD")
    assert checked.unchecked() == [f"did not end in time at {at}: a"]


@pytest.mark.parametrize("case", ["uncommitted", "slow", "no history"])
def test_where_nothing_could_be_recorded_or_the_gate_was_slow_nothing_runs(
    history: History, case: str
) -> None:
    if case == "uncommitted":
        (history.top / "first").write_text("changed")
    if case == "no history":
        (history.top / ".git").rename(history.top.parent / "gone")
    assert history.rotate(rotation.GATE_SECONDS + 1 if case == "slow" else 1) == ""
    assert history.parts[0].steps[0].runs == 0  # type: ignore[attr-defined]


def test_without_its_tools_no_part_runs_and_nothing_is_recorded(
    history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rotation, "_TOOLS", Part("tools", (FakeStep(Failure("apt", "no")),)))
    assert "a was not run, because its tools cannot be installed" in history.rotate()
    assert checked.read() == {}


def test_the_printed_record_is_what_is_written(history: History) -> None:
    said = history.rotate()
    assert not checked.FILE.exists(), "a gate leaves the checkout as it was"
    (line,) = [each for each in said.splitlines() if each.startswith(' "')]
    checked.write(checked.read())
    assert json.loads(f"{{{line}}}") == json.loads(checked.FILE.read_text())


def test_a_record_of_another_history_is_not_this_ones(history: History) -> None:
    main = history.git("rev-parse", "--abbrev-ref", "HEAD")
    history.git("checkout", "-q", "-b", "other")
    history.commit("x")
    history.rotate()
    history.git("checkout", "-q", main)
    assert checked.read() == {}


def test_the_newer_of_the_machines_and_the_committed_record_holds(history: History) -> None:
    first = history.commit("x")
    checked.keep(history.parts[0], "FAIL", 1)
    assert checked.read()["a"].result == "FAIL"
    second = history.commit("y")
    known = asdict(PartRecord(second, "2026-01-01", "ok", 2, "any"))
    checked.FILE.write_text(json.dumps({"a": known}))
    assert checked.read()["a"].commit == second
    checked.FILE.write_text(json.dumps({"a": {**known, "commit": "0" * 12}}))
    assert checked.read()["a"].commit == first


def test_a_run_that_is_stopped_keeps_the_parts_that_passed(
    history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(session.os, "sched_getaffinity", lambda _: {0})
    monkeypatch.setattr(session.PROCESSES, "end_all", lambda: None)  # of this process
    commit = history.commit("x")
    failed = Part("b", (FakeStep(failed_test("test_x")),))
    with pytest.raises(KeyboardInterrupt):
        history.run(history.parts[0], failed, Part("c", (FakeStep(during=stopped),)))
    assert checked.read()["a"].commit == commit
    assert [each.name for each in checked.rest()] == ["b", "c"]
    history.has_run("b", commit)
    history.has_run("c", commit, "FAIL")
    assert [each.name for each in checked.rest()] == ["c"]
    history.commit("y")
    assert [each.name for each in checked.rest()] == ["a", "b", "c"]


def test_a_cache_that_cannot_be_written_to_loses_no_record(history: History) -> None:
    checked.CACHE.parent.mkdir(exist_ok=True)
    checked.CACHE.write_text("no folder")
    assert checked.record([(history.parts[0], "ok", 3.0)]) is None
    assert json.loads(checked.FILE.read_text())["a"]["seconds"] == 3


def test_after_a_gate_that_failed_no_part_runs(
    history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[float] = []
    monkeypatch.setattr(session.checked, "_RECORDED", [])
    good, bad = Part("x", (FakeStep(),)), Part("y", (FakeStep(Failure("it", "broke")),))
    assert session.run_parts([good, bad], history.lines.append, asked.append) == 1
    assert asked == []
    assert session.run_parts([good], history.lines.append, asked.append) == 0
    assert len(asked) == 1
