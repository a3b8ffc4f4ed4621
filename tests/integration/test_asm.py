"""`make asm` shows the loops of what was built."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest
from programs import REPOSITORY

ON_X86 = platform.machine() == "x86_64"


def asm(*options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(REPOSITORY / "scripts" / "asm.py"), *options],
        capture_output=True,
        text=True,
        check=False,
    )


def loops(text: str) -> list[str]:
    return text.split("\nloop ")[1:]


@pytest.mark.skipif(not ON_X86, reason="names instructions of x86-64")
def test_streaming_stores_are_seen_in_the_loop_of_the_vector_kernel() -> None:
    said = asm("KERNEL=triad", "ISA=avx512", "STORE=streaming")
    assert said.returncode == 0, said.stderr
    assert "N_AVX3::Triad" in said.stdout
    assert any("vmovntpd %zmm" in loop for loop in loops(said.stdout))
    narrower = asm("KERNEL=triad", "ISA=AVX2", "STORE=streaming", "TYPE=float")
    assert any("vmovntps %ymm" in loop for loop in loops(narrower.stdout))


@pytest.mark.skipif(not ON_X86, reason="names instructions of x86-64")
def test_a_copy_that_became_memcpy_has_no_loop_and_shows_the_call() -> None:
    said = asm("KERNEL=copy", "ISA=avx512")
    assert "no loop: the whole function" in said.stdout
    assert "<memcpy@plt>" in said.stdout


@pytest.mark.skipif(not ON_X86, reason="names instructions of x86-64")
def test_a_loop_holds_from_the_target_of_its_jump_to_the_jump() -> None:
    said = asm("KERNEL=triad", "ISA=avx512", "ALL=")
    (loop,) = loops(said.stdout)
    lines = [line for line in loop.splitlines()[1:] if line]
    first = lines[0].split()
    assert first[0] == ">"
    assert lines[-1].split()[-1] == first[1]
    whole = asm("KERNEL=triad", "ISA=avx512", "ALL=1")
    assert len(whole.stdout.splitlines()) > len(said.stdout.splitlines())


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ((), "KERNEL= is not known: use add, bracket"),
        (("KERNEL=tirad",), "KERNEL=tirad is not known"),
        (("KERNEL=triad", "ISA=mmx"), "ISA=mmx is not known: use "),
        (("KERNEL=sum", "STORE=streaming"), "sum stores nothing"),
        (("KERNEL=triad", "STREAMS=3"), "STREAMS=3 is not known: use 1, 2, 4, 8"),
    ],
)
def test_a_wrong_request_is_told_in_one_sentence(options: tuple[str, ...], sentence: str) -> None:
    said = asm(*options)
    assert said.returncode == 2
    assert sentence in said.stderr
    assert said.stderr.count("\n") == 1
