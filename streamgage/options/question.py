"""The questions that people come with. Each command answers one, and the help lists it there."""

from __future__ import annotations

from enum import StrEnum


class Question(StrEnum):
    """A question, in the order of the help."""

    MEMORY = "How fast is this memory?"
    PARTS = "Caches, cores, nodes, GPUs?"
    GOOD = "Is a figure good?"
    NODE = "Is this machine in order?"
    FLEET = "Which of many nodes are slow?"
    PROGRAM = "And my program?"
    EARLIER = "Earlier results"
    MEANING = "What does it mean?"
