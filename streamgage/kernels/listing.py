"""Reads what a compiler made of the loops, from the object code that objdump shows."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

_WAIT_SECONDS = 60
_FUNCTION = re.compile(r"^[0-9a-f]+ <streamgage_(?:double|float)_([a-z]+)>:$")
_OTHER_FUNCTION = re.compile(r"^[0-9a-f]+ <([^>]+)>:$")
_OF_THE_RUNTIME = re.compile(
    r"(?:_init|_fini|_start|(?:de)?register_tm_clones|__do_global_dtors_aux|frame_dummy"
    r"|call_weak_fn|[.]plt.*|.*@plt|.*_PLT_.*)$"
)
"""Functions that every shared library has, and that say nothing about its code."""
_INSTRUCTION = re.compile(r"^\s*([0-9a-f]+):\s+(.*)$")
_WITH_BYTES = re.compile(r"^(\s*[0-9a-f]+:)\t([0-9a-f ]+?)\s*(?:\t(.*))?$")
_PADDING = re.compile(r"^(?:data16 |cs )*(?:nop|xchg +%ax,%ax$|int3|udf|\(bad\)|\.inst)")
"""Instructions that fill the space between two functions."""
_CALL = re.compile(r"^(?:notrack )?(?:call|jmp|bl|b|jal|j)q?\s+\S+ <([A-Za-z_][A-Za-z0-9_]*)")
_JUMP = re.compile(r"^(?:j[a-z]+|b\.?[a-z]*|cbn?z|tbn?z)\s+(?:\S+,\s*)*([0-9a-f]+) <")
_STREAMING = re.compile(r"^(v?movnt[a-z0-9]*|stnp|stnt1[a-z]?)\b")
_STORES = ("mov", "vmov", "st", "vst", "fs", "sd")
_WIDTHS = (
    (re.compile(r"%zmm"), 512),
    (re.compile(r"%ymm"), 256),
    (re.compile(r"%xmm|\bq[0-9]+\b|\bv[0-9]+\.(?:2d|4s)\b"), 128),
)
_ONE_ELEMENT = re.compile(r"(sd|ss|hpd|lpd)$")
"""Endings of instructions that move one element of a vector register."""
_SCALABLE = re.compile(r"\bz[0-9]+\.[bhsd]\b|^v[ls]e[0-9]+\.v\b")


@dataclass(frozen=True)
class Listing:
    """The machine code of one kernel: its instructions as text, and what they show."""

    kernel: str
    lines: tuple[str, ...]
    calls: tuple[str, ...]
    """Library functions that it calls, such as ``memcpy``."""
    streaming: bool
    """``True`` if it has stores that go past the caches."""
    vector_bits: int | None
    """The width of the widest vectors that its loops load or store; 0: one element at a time;
    ``None`` if unknown, such as for a kernel that is a call."""
    scalable: bool
    """``True`` if the processor chooses the length of its vectors (SVE, RVV)."""
    code: str = ""
    """The kernel's code, to compare it with others: the bytes of each instruction in hexadecimal.
    Called library functions stand by name, because their distance differs. The rest of the library
    is included, because it may change what the kernel does. Empty if the bytes are not known."""

    def words(self) -> str:
        """What the code shows, such as ``memcpy``, ``512 bits, streaming`` or ``scalar``."""
        return describe_loop(self)


class LoopLike(Protocol):
    """The facts that the object code of a kernel shows; see ``Listing``."""

    @property
    def calls(self) -> Sequence[str]: ...
    @property
    def streaming(self) -> bool: ...
    @property
    def vector_bits(self) -> int | None: ...
    @property
    def scalable(self) -> bool: ...


def describe_loop(loop: LoopLike) -> str:
    """What the code shows, such as ``memcpy``, ``512 bits, streaming`` or ``scalar``."""
    parts = list(loop.calls)
    if loop.scalable:
        parts.append("scalable vectors")
    elif loop.vector_bits:
        parts.append(f"{loop.vector_bits} bits")
    elif loop.vector_bits == 0 and not loop.calls:
        parts.append("scalar")
    if loop.streaming:
        parts.append("streaming stores")
    return ", ".join(parts) or "?"


def read_listings(library: Path) -> dict[str, Listing] | None:
    """Read the listing of each kernel; ``None`` if no objdump can read the library."""
    objdump = shutil.which("objdump")
    if objdump is None:
        return None
    try:
        done = subprocess.run(
            [objdump, "--disassemble", "--wide", str(library)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_WAIT_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    if done.returncode != 0:
        return None
    return parse_listings(done.stdout.decode("utf-8", "replace"))


def parse_listings(text: str) -> dict[str, Listing]:
    """Find the kernels in the output of objdump."""
    functions: dict[str, list[str]] = {}
    others: list[str] = []
    lines: list[str] | None = None
    for line in text.splitlines():
        function = _FUNCTION.match(line)
        other = _OTHER_FUNCTION.match(line)
        if function:
            lines = functions.setdefault(function[1], [])
        elif other and not _OF_THE_RUNTIME.match(other[1]):
            lines = others
            others.append(f"<{other[1]}>")
        elif not line.strip() or line.endswith(":"):
            lines = None
        elif lines is not None:
            lines.append(line.rstrip())
    return {kernel: _listing(kernel, found, others) for kernel, found in functions.items()}


def _listing(kernel: str, lines: Sequence[str], others: Sequence[str]) -> Listing:
    parts = [_WITH_BYTES.match(line) for line in lines]
    code = ""
    if all(parts):
        known = [(part[2], part[3] or "") for part in parts if part]
        code = " ".join([_code(known), *others])
        lines = [f"{part[1]}\t{part[3] or ''}".rstrip() for part in parts if part]
    instructions = [
        (int(match[1], 16), match[2].strip())
        for line in lines
        if (match := _INSTRUCTION.match(line))
    ]
    looped = _in_loops(instructions)
    calls = [match[1] for _, text in instructions if (match := _CALL.match(text))]
    library = [name for name in calls if not name.startswith("streamgage_")]
    return Listing(
        kernel=kernel,
        lines=tuple(lines),
        calls=tuple(dict.fromkeys(library)),
        streaming=any(_STREAMING.match(text) for text in looped),
        vector_bits=_vector_bits(looped),
        scalable=any(_SCALABLE.search(text) for text in looped),
        code=code,
    )


def _code(instructions: Sequence[tuple[str, str]]) -> str:
    """The code as bytes and texts, without the padding after the function."""
    used = list(instructions)
    while used and _PADDING.match(used[-1][1].strip()):
        used.pop()
    named = []
    for raw, text in used:
        call = _CALL.match(text.strip())
        is_library = call is not None and not call[1].startswith("streamgage_")
        named.append(call[1] if call is not None and is_library else raw.replace(" ", ""))
    return " ".join(named)


def _in_loops(instructions: Sequence[tuple[int, str]]) -> list[str]:
    """The instructions between a jump backwards within the function and its target."""
    first = instructions[0][0] if instructions else 0
    spans = []
    for address, text in instructions:
        match = _JUMP.match(text)
        if match and first <= int(match[1], 16) <= address:
            spans.append((int(match[1], 16), address))
    return [
        text
        for address, text in instructions
        if any(first <= address <= last for first, last in spans)
    ]


def _vector_bits(looped: Sequence[str]) -> int | None:
    """The widest packed vector that the loops load or store; 0 for none, None without a loop."""
    if not looped:
        return None
    widest = 0
    for text in looped:
        mnemonic = text.split(maxsplit=1)[0]
        touches_memory = "(" in text or "[" in text
        if touches_memory and not _ONE_ELEMENT.search(mnemonic):
            widest = max([widest, *(bits for sign, bits in _WIDTHS if sign.search(text))])
    return widest
