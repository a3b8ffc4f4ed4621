"""What a run left in its folder: steps, findings of the probes, documents and records."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from gpu_checking.findings import FindingType, read_findings

STEPS_FILE = "steps.jsonl"
FINDINGS, DOCUMENT, RECORDS = RESULT_SUFFIXES = (".jsonl", ".json", ".records.jsonl")
"""Behind the name of the step that left the file."""


class NotTriedError(Exception):
    """Nothing was recorded that decides a claim; the text says why."""


@dataclass(frozen=True)
class CommandRecord:
    """One command of a step."""

    words: list[str]
    status: int | None
    """``None``: it was ended at its limit."""
    seconds: float
    output: str

    @property
    def last_line(self) -> str:
        """What it said last."""
        lines = self.output.strip().splitlines()
        return lines[-1] if lines else "it printed nothing"


@dataclass(frozen=True)
class StepRecord:
    """What became of a step."""

    name: str
    limit_seconds: float
    seconds: float
    left_out: str | None
    """Why it was not run."""
    commands: list[CommandRecord]
    may_fail: bool = False
    """Whether commands that fail are no trouble: they show what fails."""

    @property
    def trouble(self) -> str | None:
        """Why it did not run to its end, in a sentence; ``None`` if it did."""
        if self.left_out is not None:
            return self.left_out
        for command in self.commands:
            if command.status is None:
                return f"it was ended at its limit of {self.limit_seconds:.0f} s"
            if command.status != 0 and not self.may_fail:
                return f"status {command.status}: {command.last_line}"
        return None


class Recorded:
    """A folder of results. What is missing there raises ``NotTriedError`` with the reason."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        file = folder / STEPS_FILE
        lines = file.read_text("utf-8").splitlines() if file.exists() else []
        self.steps = {step.name: step for step in map(_step_of, lines)}

    def step(self, name: str) -> StepRecord:
        """A step that was run, whether or not to its end."""
        step = self.steps.get(name)
        if step is None:
            raise NotTriedError(f"the step {name} did not run")
        if step.left_out is not None:
            raise NotTriedError(step.left_out)
        return step

    def findings(self, probe: str, kind: type[FindingType]) -> list[FindingType]:
        """The findings of one kind of a probe, at least one."""
        file = self.folder / f"{probe}{FINDINGS}"
        found = read_findings(file) if file.exists() else iter(())
        of_kind = [finding for finding in found if isinstance(finding, kind)]
        if not of_kind:
            raise NotTriedError(self._why_nothing(probe))
        return of_kind

    def document(self, step: str) -> dict[str, Any]:
        """The result of a command of streamgage."""
        file = self.folder / f"{step}{DOCUMENT}"
        if not file.exists():
            raise NotTriedError(self._why_nothing(step))
        found = json.loads(file.read_text("utf-8"))
        if isinstance(found, list):  # of several devices
            found = found[0]
        assert isinstance(found, dict)
        return found

    def records(self, step: str, tag: str) -> list[dict[str, Any]]:
        """The records of one kind that the engine wrote, at least one."""
        file = self.folder / f"{step}{RECORDS}"
        lines = file.read_text("utf-8").splitlines() if file.exists() else []
        found = [record for record in map(json.loads, lines) if record.get("record") == tag]
        if not found:
            raise NotTriedError(self._why_nothing(step))
        return found

    def device(self) -> dict[str, Any]:
        """The device as the engine lists it."""
        device = listed_device(self.step("listed"), self.request()["device"])
        if device is None:
            raise NotTriedError(missing_device(self.step("listed"), self.request()["device"]))
        return device

    def request(self) -> dict[str, Any]:
        """What was asked for: the device and the size of arrays."""
        file = self.folder / "request.json"
        if not file.exists():
            raise NotTriedError(f"there is no {file.name} in the folder")
        found = json.loads(file.read_text("utf-8"))
        assert isinstance(found, dict)
        return found

    def is_small(self) -> bool:
        """Whether the arrays were made small by choice."""
        return self.request()["size_bytes"] is not None

    def _why_nothing(self, step: str) -> str:
        record = self.step(step)
        return f"{step}: {record.trouble or 'it left no figure'}"


def write_step(folder: Path, step: StepRecord) -> None:
    """Add a step to the file of all steps."""
    with (folder / STEPS_FILE).open("a", encoding="utf-8") as file:
        file.write(json.dumps(asdict(step)) + "\n")


def listed_device(listed: StepRecord, device: str) -> dict[str, Any] | None:
    """The device of a name, by what ``streamgage-engine --devices all`` printed."""
    found = (entry for entry in _listing(listed).get("devices", []) if entry["id"] == device)
    return next(found, None)


def missing_device(listed: StepRecord, device: str) -> str:
    """Why that device is not listed: what its driver's sentence begins with, if there is one."""
    driver = device.partition(":")[0].lower()
    reasons: Iterable[str] = _listing(listed).get("reasons", [])
    for reason in reasons:
        if driver in reason.lower():
            return re.split(r" \(|: ", reason)[0]
    if listed.trouble is not None:
        return f"devices could not be listed: {listed.trouble}"
    names = [entry["id"] for entry in _listing(listed).get("devices", [])]
    return f"the engine lists no {device}, but {', '.join(names) or 'none at all'}"


def _listing(listed: StepRecord) -> dict[str, Any]:
    for line in listed.commands[0].output.splitlines() if listed.commands else ():
        if line.startswith('{"record":"devices"'):
            found = json.loads(line)
            assert isinstance(found, dict)
            return found
    return {}


def _step_of(line: str) -> StepRecord:
    fields = json.loads(line)
    fields["commands"] = [CommandRecord(**command) for command in fields["commands"]]
    return StepRecord(**fields)
