"""A project of a few small files, of which ``scripts/checks`` runs parts."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from checks import session, steps
from checks.failures import Failure
from checks.parts import Part
from checks.steps import Run


@dataclass
class Project:
    """A small project: its top folder, and the output of a run of its parts."""

    top: Path
    lines: list[str] = field(default_factory=list)

    def write(self, name: str, text: str) -> str:
        """Write an executable file."""
        path = self.top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        path.chmod(0o755)
        return name

    def run(self, *parts: Part) -> int:
        """Run parts, and return the exit status."""
        self.lines.clear()
        return session.run_parts(parts, self.lines.append)

    @property
    def text(self) -> str:
        """The whole output."""
        return "\n".join(self.lines)

    @property
    def flaky(self) -> list[str]:
        """The tests that the run has listed as flaky."""
        return (session.LOGS / "flaky.txt").read_text("utf-8").splitlines()


def small_project(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """Make an empty project, with the Python of this process in ``.venv``."""
    logs = folder / "build" / "test-logs"
    logs.mkdir(parents=True)
    (folder / ".venv").symlink_to(sys.prefix)
    for module in (session, steps):
        monkeypatch.setattr(module, "ROOT", folder)
        monkeypatch.setattr(module, "LOGS", logs)
    return Project(folder)


class FakeStep:
    """A step that does what a test wants, and counts how often it ran."""

    def __init__(
        self,
        *failures: Failure,
        again: Iterable[Failure] = (),
        during: Callable[[], object] = lambda: None,
    ) -> None:
        """Fail with ``failures``, and when run again with ``again``; ``during`` is called then."""
        self.failures, self.failures_again = failures, [*again]
        self.during = during
        self.runs = 0
        self.asked_again: list[list[str]] = []

    def run(self, _run: Run) -> list[Failure]:
        """Run as a step does."""
        self.runs += 1
        self.during()
        return [*self.failures]

    def run_again(self, _run: Run, failures: Iterable[Failure]) -> list[Failure]:
        """Run as a step does."""
        self.asked_again.append([each.name for each in failures])
        self.during()
        return self.failures_again


def failed_test(name: str, text: str = "assert 1 == 2") -> Failure:
    """A test that may be run once more."""
    return Failure(name, text, again=name)
