"""The errors that reach the user. Each is a sentence that says what is wrong and what to do."""

from __future__ import annotations

import re

FAILED = 1
"""Exit status of a measurement that failed or is invalid."""
USAGE = 2
"""Exit status of a request that cannot be met."""
UNCERTAIN = 3
"""Exit status of a comparison that cannot be decided."""
BROKEN = 4
"""Exit status of a command whose status 1 is a verdict on a node, if the command itself failed: the
disk is full, or a package is damaged. It says nothing about the node."""
INTERRUPTED = 130
"""Exit status after SIGINT (128 + 2)."""
TERMINATED = 143
"""Exit status after SIGTERM (128 + 15)."""


_MOST_OF_A_WORD = 400
_MOST = 4000
"""The most characters of a sentence; a longer one holds a value that was given by mistake."""


_PASSWORD = re.compile(
    r"((?:\b[A-Za-z][\w+.-]*\s*:/{1,2}|//|\b)[^\s:/@]*):(?!//)\S*@"
    r"|(\b\w*passw\w*\s*=\s*)('[^']*'?|[^\s&]*)",
    re.ASCII | re.IGNORECASE,
)


def shortened(sentence: str) -> str:
    """Return the sentence without passwords of addresses, and with too long values cut."""
    sentence = _PASSWORD.sub(
        lambda found: f"{found[1]}:***@" if found[1] else f"{found[2]}***", sentence
    )
    words = [
        word if len(word) <= _MOST_OF_A_WORD else f"{word[: _MOST_OF_A_WORD // 4]}...{word[-20:]}"
        for word in sentence.split(" ")
    ]
    text = " ".join(words)
    return text if len(text) <= _MOST else f"{text[: _MOST // 2]} ... {text[-_MOST // 4 :]}"


class StreamgageError(Exception):
    """A failure; ``str(error)`` is the sentence, ``exit_status`` that of the program."""

    exit_status = FAILED

    def __init__(self, sentence: str = "") -> None:
        """Keep the sentence, with too long values cut."""
        super().__init__(shortened(sentence))


class UsageError(StreamgageError):
    """A request that cannot be met, such as a wrong option."""

    exit_status = USAGE
