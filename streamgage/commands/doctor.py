"""Whether this environment is fit to measure."""

from __future__ import annotations

from streamgage.api.answers import AS_FILE, BaseAnswer
from streamgage.errors import FAILED
from streamgage.tools.doctor import collect as study
from streamgage.tools.doctor.document import Check, Examination
from streamgage.units import count


class Environment(BaseAnswer[Examination]):
    """What was looked at here, what it comes to, and what to change."""

    @property
    def fit(self) -> bool:
        """Whether nothing was found that spoils a measurement; of counters: whether any count."""
        return self.document.fit

    @property
    def verdict(self) -> str:
        """What the checks come to, in a sentence."""
        return self.document.verdict

    @property
    def checks(self) -> list[Check]:
        """Each with ``code``, ``state``, ``seen``, ``why`` and ``remedies``."""
        return list(self.document.checks)

    @property
    def exit_status(self) -> int:
        """That of the command: 0 where it is fit, else 1."""
        return 0 if self.fit else FAILED

    def _text(self, form: str) -> str:
        from streamgage.tools.doctor import page as examination

        if form == "json":
            return examination.document(self.document)
        return examination.table(self.document, AS_FILE)

    def __repr__(self) -> str:
        return f"<{count(len(self.checks), 'check')}: {self.verdict}>"


def doctor(*, counters: bool = False) -> Environment:
    """Say whether this environment is fit to measure: ``streamgage doctor``.

    It takes a few seconds, and changes nothing. An environment that is not fit is returned like one
    that is: see ``fit``.

    Args:
        counters: check only what can count memory traffic.

    Raises:
        StreamgageError: the engine is missing, or fails.
    """
    return Environment(study.look_for_counters() if counters else study.examine_environment())
