"""The verdict on a node: its words, its exit status, and the sentence that says it.

The front's check and that of the engine alone give the same. The build of the engine makes C++ from
this file; ``{}`` stands for a value in both languages.
"""

from __future__ import annotations

from typing import Literal

from streamgage.errors import FAILED, UNCERTAIN

Verdict = Literal["fine", "slow", "wrong", "cannot-tell"]
"""``slow``: a figure is certainly below its limit. ``wrong``: a result was wrong, however fast.
``cannot-tell``: the run was disturbed, or there is nothing to compare the node with."""
RunVerdict = Literal["fine", "slow", "wrong", "cannot-tell", "undecided"]
"""The verdict on one run. ``undecided``: a figure is below its limit, but not certainly."""

EXIT_STATUS_OF: dict[Verdict, int] = {
    "fine": 0,
    "slow": FAILED,
    "wrong": FAILED,
    "cannot-tell": UNCERTAIN,
}
WORDS_OF: dict[Verdict, str] = {
    "fine": "ok",
    "slow": "slow",
    "wrong": "wrong",
    "cannot-tell": "cannot tell",
}

LONGEST_REASON = 200
"""The most bytes of the sentence with its newline: Slurm and its tools show no longer reason."""
REASON_MARKS = " .,:;%+/()[]'-"
"""What the sentence may have besides letters and digits. A shell or Slurm might take other
characters for more than text."""

WRONG_RESULTS = "results are wrong, test the memory and the {}"
NEAR_ITS_LIMIT = "below the limit twice, but the 95 % interval reaches it"
NO_TIME_LEFT = "there was no time for a second run to decide"
FIGURE_AND_LIMIT = "{} {}, expected at least {}{}"
"""A kernel, its rate, and its limit with how that was made (``ALLOWANCE``)."""
NOT_MEASURED = "was not measured"
ALLOWANCE = " ({} - {:.3g} %)"
"""The expected rate, and how much of it may be missing."""
LEAST_ALLOWANCE = 1e-9
"""A smaller share that may be missing is only rounding, and is not shown."""
MEASURED_TWICE = "measured twice"
