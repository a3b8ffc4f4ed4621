"""What the name of a test of likwid-bench says: ``stream_sp_mem_avx512_fma`` and the like.

After the tests of LIKWID 4 and 5 for x86-64, Armv8 and POWER (github.com/RRZE-HPC/likwid, bench/).
``stream`` is STREAM's triad; ``triad`` is the Schoenauer triad; ``_mem`` and ``_nt`` store past the
caches.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from streamgage.interop.kernels import KERNELS
from streamgage.records import ElementType


@dataclass(frozen=True)
class Test:
    """A test, in our words."""

    __test__ = False

    name: str
    kernel: str
    store: str
    isa: str
    type: ElementType


_KERNELS = {
    **{"copy": "copy", "clcopy": "copy"},
    **{"load": "load", "clload": "load"},
    **{"store": "init", "clstore": "init"},
    **{"stream": "triad", "stream_triad": "triad"},
    **{"triad": "striad", "schoenauer_triad": "striad"},
    **{"daxpy": "daxpy", "ddot": "dot", "sum": "sum", "update": "update"},
    **{"add": "add", "mul": "multiply"},
}
"""The ``cl`` tests touch one element a line: the same lines move."""

_ISA = re.compile(r"(?:sse|avx|avx512|neon|sve(?:128|256|512)|vsx)(?:[0-9]{1,2})?")
_UNROLLED = re.compile(r"(?<=[a-z])[0-9]{1,2}$")
_OF_NO_CONSEQUENCE = re.compile(r"fma|pair|plain|dp|scalar[0-9]{0,2}")


def read_test(name: str) -> Test | None:
    """What ``name`` says; null where it is no test of a kernel that is known."""
    words = name.lower().split("_")
    kernel = None
    for length in (2, 1):
        base = _UNROLLED.sub("", "_".join(words[:length]))
        if kernel is None and base in _KERNELS:
            kernel, words = _KERNELS[base], words[length:]
    if kernel is None:
        return None
    streaming, isa, single = False, "", False
    for word in words:
        if word in ("mem", "nt"):
            streaming = True
        elif word == "sp":
            single = True
        elif _ISA.fullmatch(word):
            isa = word
        elif not _OF_NO_CONSEQUENCE.fullmatch(word):
            return None
    stores = KERNELS[kernel].stores
    return Test(
        name=name,
        kernel=kernel,
        store="streaming" if streaming and stores else "regular",
        isa=isa,
        type="float" if single else "double",
    )
