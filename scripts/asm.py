"""Shows what the compiler made of a kernel: the loops in the built code.

    make asm KERNEL=triad [ISA=avx512] [STORE=plain] [TYPE=double] [STREAMS=1] [ALL=1]

``STORE`` is ``plain``, ``regular``, ``streaming`` or ``claim``; ``ISA`` is an instruction set in
any spelling (``avx512``, ``AVX-512``), by default the best that this processor has. ``ALL=1`` shows
the whole function.
"""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENGINE = ROOT / "build" / "wheel" / "engine" / "streamgage-engine"
VECTOR = ROOT / "engine" / "kernels" / "vector"
LEVELS = {"avx512": "x86_64_v4", "avx2": "x86_64_v3", "sse2": "x86_64"}
"""Of plain loops, by the vector instruction set that such a level allows."""
FLAGS = {"avx512": "avx512dq", "avx2": "avx2", "sve": "sve"}
"""The flags in /proc/cpuinfo that show that the processor has them."""
STORES = {"regular": "RegularStore", "streaming": "StreamingStore", "claim": "ClaimStore"}
REDUCTIONS = ("sum", "dot")
OPTIONS = {"KERNEL": None, "ISA": "", "STORE": "plain", "TYPE": "double", "STREAMS": "1", "ALL": ""}


@dataclass(frozen=True)
class Instruction:
    """One line of a listing; ``target``: where it jumps to, if it does."""

    address: int
    text: str
    target: int | None


@dataclass(frozen=True)
class Symbol:
    """A function in the engine."""

    address: int
    size: int
    name: str


def fail(sentence: str) -> None:
    """Print the sentence, and end with the status of a wrong request."""
    print(f"asm: {sentence}", file=sys.stderr)
    sys.exit(2)


def run(*command: str) -> str:
    """Run a program, and return its output."""
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def symbols() -> list[Symbol]:
    """Every function of the engine, by its name in the source."""
    found = re.findall(
        r"^([0-9a-f]+) ([0-9a-f]+) [tTwW] (.*)$",
        run("nm", "--demangle", "--print-size", str(ENGINE)),
        re.MULTILINE,
    )
    return [Symbol(int(address, 16), int(size, 16), name) for address, size, name in found]


def formulas() -> dict[str, str]:
    """The name of each kernel's formula in the vector code."""
    text = (VECTOR / "formulas-inl.hpp").read_text("utf-8")
    pairs = re.findall(r"struct (\w+) \{\s+static constexpr KernelId kId = KernelId::k(\w+);", text)
    return {kernel.lower(): formula for formula, kernel in pairs}


def spaces(functions: Sequence[Symbol]) -> dict[str, str]:
    """The namespace of each instruction set that was compiled, such as ``N_AVX3`` of ``avx512``."""
    text = (VECTOR / "targets.inc").read_text("utf-8")
    named = re.findall(r'^STREAMGAGE_TARGET\(\w+, (\w+), "?([\w-]+)"?\)', text, re.MULTILINE)
    return {
        plain(isa if isa != "STREAMGAGE_BASE_ISA" else "sse2"): space
        for space, isa in named
        if any(f"::{space}::" in each.name for each in functions)
    }


def plain(isa: str) -> str:
    """``AVX-512`` as ``avx512``."""
    return isa.lower().replace("-", "").replace("_", "")


def best_isa(known: Sequence[str]) -> str:
    """The first of these that this processor has."""
    flags = Path("/proc/cpuinfo").read_text("utf-8").split()
    return next((isa for isa in known if isa not in FLAGS or FLAGS[isa] in flags), known[-1])


def wanted_name(options: dict[str, str], isa: str, space: str) -> re.Pattern[str]:
    """A pattern for the name of the kernel's symbol."""
    kernel, store, element = options["KERNEL"], options["STORE"], options["TYPE"]
    if store == "plain":
        level = LEVELS.get(isa, "baseline")
        return re.compile(rf"plain_{level}_{element}_{kernel}$")
    formula, streams = formulas()[kernel], options["STREAMS"]
    loop = rf"map_elements<\S*::{formula}, \S*::{STORES[store]}, {streams}, {element}>\("
    if kernel in REDUCTIONS and store != "regular":
        fail(f"{kernel} stores nothing: it has STORE=plain and STORE=regular alone.")
    fold = rf"reduce_elements<\S*::{formula}, {streams}, {element}>\("
    return re.compile(rf"::{space}::(?:{loop}|{fold})")


def instructions(symbol: Symbol) -> list[Instruction]:
    """The function's code as objdump writes it."""
    text = run(
        "objdump",
        "--disassemble",
        "--demangle",
        "--no-show-raw-insn",
        f"--start-address={symbol.address}",
        f"--stop-address={symbol.address + symbol.size}",
        str(ENGINE),
    )
    lines = re.findall(r"^\s*([0-9a-f]+):\t(.*?)\s*$", text, re.MULTILINE)
    found = []
    for address, text in lines:
        called = re.match(r"(?:call|bl)\w*\s", text)
        shown = text if called else re.sub(r"\s+<.*>$", "", text)
        jump = re.match(r"(?:j(?!mp)\w+|b\.?\w*|cbn?z|tbn?z)\s.*?([0-9a-f]+)$", shown)
        found.append(Instruction(int(address, 16), shown, int(jump[1], 16) if jump else None))
    return found


def loops(code: list[Instruction]) -> Iterator[list[Instruction]]:
    """The innermost loops: from the target of a jump backwards to the jump."""
    backward = [
        (each.target, each.address)
        for each in code
        if each.target is not None and code[0].address <= each.target <= each.address
    ]
    for start, end in sorted(set(backward)):
        inside = [pair for pair in backward if start <= pair[0] and pair[1] <= end]
        if inside == [(start, end)]:
            yield [each for each in code if start <= each.address <= end]


def show(code: Sequence[Instruction]) -> None:
    """Print addresses and instructions, with targets of jumps marked."""
    targets = {each.target for each in code}
    for each in code:
        mark = ">" if each.address in targets else " "
        print(f"  {mark} {each.address:8x}  {each.text.expandtabs(10)}")


def read_options(words: Sequence[str]) -> dict[str, str]:
    """``KEY=VALUE`` words; every one is checked."""
    values = dict(word.partition("=")[::2] for word in words)
    options = {key: values.get(key) or default or "" for key, default in OPTIONS.items()}
    kernels = sorted(formulas())
    for key, choices in {
        "KERNEL": kernels,
        "STORE": ["plain", *STORES],
        "TYPE": ["double", "float"],
        "STREAMS": ["1", "2", "4", "8"],
    }.items():
        if options[key] not in choices:
            fail(f"{key}={options[key]} is not known: use {', '.join(choices)}.")
    return options


def main() -> None:
    """Find the function and print its loops."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # as much as the reader takes
    options = read_options(sys.argv[1:])
    if not ENGINE.is_file():
        fail("nothing is built yet: `make build` builds the engine.")
    functions = symbols()
    known = spaces(functions)
    wanted = plain(options["ISA"]) or best_isa(list(known))
    if wanted not in known:
        fail(f"ISA={options['ISA']} is not known: use {', '.join(known)}.")
    name = wanted_name(options, wanted, known[wanted])
    symbol = next((each for each in functions if name.search(each.name)), None)
    if symbol is None:
        fail(
            f"the engine that is built has no {options['KERNEL']} with {options['STORE']} stores"
            f" for {wanted}."
        )
        return
    code = instructions(symbol)
    print(f"{symbol.name}\n{len(code)} instructions, {symbol.size} bytes")
    if options["ALL"]:
        show(code)
        return
    found = list(loops(code))
    for number, loop in enumerate(found, 1):
        print(f"\nloop {number} of {len(found)}: {len(loop)} instructions")
        show(loop)
    if not found:
        print("\nno loop: the whole function")
        show(code)


if __name__ == "__main__":
    main()
