"""Check whether this environment is fit to measure."""

from __future__ import annotations

from pathlib import Path

from streamgage.api.answers import AS_FILE, BaseAnswer
from streamgage.errors import FAILED
from streamgage.machine.doctor import collect
from streamgage.machine.doctor.document import Check, DoctorResult
from streamgage.options.declaration import Display, command
from streamgage.options.question import Question
from streamgage.show.formats import as_json
from streamgage.units import count

ANSWERS = Question.NODE
EXAMPLES = (
    ("streamgage doctor", "What spoils a measurement here, with what to change."),
    ("streamgage doctor --details", "Every check, also those that passed."),
    ("streamgage doctor --counters", "Check only what can count memory traffic."),
    ("streamgage doctor --json -o examination.json", "Write the checks as one JSON document."),
)
EXIT_STATUSES = {
    "0": "Nothing was found that spoils a measurement.",
    "1": "Something spoils a measurement; with --counters: nothing can count memory traffic.",
}


class Doctor(BaseAnswer[DoctorResult]):
    """The checks, their verdict, and what to change."""

    @property
    def fit(self) -> bool:
        """``True`` if nothing spoils a measurement; with ``counters``, if a source works."""
        return self.document.fit

    @property
    def verdict(self) -> str:
        """The verdict of all checks, in one sentence."""
        return self.document.verdict

    @property
    def checks(self) -> list[Check]:
        """All checks, each with ``code``, ``state``, ``seen``, ``why`` and ``remedies``."""
        return list(self.document.checks)

    @property
    def exit_status(self) -> int:
        """The exit status of the command: 0 if the environment is fit, else 1."""
        return 0 if self.fit else FAILED

    def printed(self, form: str, file: Path | None = AS_FILE, details: bool = False) -> str:
        """The text that the command prints with ``--format``."""
        if form == "json":
            return as_json(self.document)
        from streamgage.machine.doctor.page import render
        from streamgage.show.terminal import terminal_for

        return render(self.document, terminal_for(file), details=details)

    def __repr__(self) -> str:
        return f"<{count(len(self.checks), 'check')}: {self.verdict}>"


@command(Display(("table", "json"), json="Print one document of JSON."))
def doctor(*, counters: bool = False) -> Doctor:
    """Say whether you can measure here, and what to change.

    It takes a few seconds and changes nothing. An environment that is not fit raises no error: see
    ``fit``.

    Args:
        counters: Check only what can count memory traffic; exit with status 1 if nothing can.

    Raises:
        StreamgageError: the engine is missing or fails.
    """
    return Doctor(collect.look_for_counters() if counters else collect.examine_environment())
