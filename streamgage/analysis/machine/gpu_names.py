"""GPUs with memory of their own, by the names that drivers give them."""

from __future__ import annotations

import re

_DISCRETE = re.compile(
    r"titan|geforce|tesla|radeon (?!.*graphics)|instinct|quadro|\b[AHPVKBL][0-9]{2,3}[A-Z]{0,3}\b"
    r"|\bMI[0-9]{2,3}[A-Z]?|gfx9[0-9a-f]{2}|\brtx\b|\bgtx\b|firepro|data center gpu",
    re.IGNORECASE,
)
_PROCESSOR = re.compile(
    r"emulation|xeon|epyc|core\(tm\)|ryzen|\bcpu\b|pthread|\bhost\b|processor|a64fx|cortex"
    r"|neoverse|graviton|thunderx|kunpeng|power[0-9]",
    re.IGNORECASE,
)


def is_discrete_gpu(name: str) -> bool:
    """Return whether the name is that of a GPU with memory of its own."""
    return _DISCRETE.search(name) is not None and _PROCESSOR.search(name) is None
