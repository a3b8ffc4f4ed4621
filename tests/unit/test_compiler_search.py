"""Compilers: which are found, what they build, and what their object code shows."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from programs import WAIT_SECONDS
from time_limits import runs, wait_until

from streamgage.errors import UsageError
from streamgage.kernels import (
    build_kernels,
    find_compilers,
    find_sources,
    given_compiler,
    read_listings,
)
from streamgage.kernels.listing import parse_listings

GCC_COPY = """
0000000000001370 <streamgage_double_copy>:
    1370:	cmp    %r9,%r8
    1373:	jge    13a0 <streamgage_double_copy+0x30>
    1392:	call   1030 <memcpy@plt>
    1397:	vxorpd %xmm0,%xmm0,%xmm0
    139f:	ret

0000000000001600 <streamgage_double_triad>:
    1600:	cmp    %r9,%r8
    1650:	vmovupd (%rbx,%rax,1),%ymm1
    1655:	vfmadd213pd (%r12,%rax,1),%ymm2,%ymm1
    165b:	vmovupd %ymm1,(%rdi,%rax,1)
    1660:	add    $0x20,%rax
    1667:	jne    1650 <streamgage_double_triad+0x50>
    16a9:	vmovsd (%rsi,%r8,8),%xmm3
    16c3:	ret
"""
STREAMING = """
0000000000002000 <streamgage_double_init>:
    2000:	vbroadcastsd %xmm0,%zmm0
    2008:	vmovntpd %zmm0,(%rdi,%rax,8)
    2010:	add    $0x8,%rax
    2018:	jb     2008 <streamgage_double_init+0x8>
    201c:	sfence
    2020:	ret
"""
SCALAR = """
0000000000003000 <streamgage_float_add>:
    3000:	movss  (%rsi,%rax,4),%xmm0
    3008:	addss  (%rdx,%rax,4),%xmm0
    3010:	movss  %xmm0,(%rdi,%rax,4)
    3018:	inc    %rax
    3020:	jne    3000 <streamgage_float_add>
    3024:	ret
"""
NEON = """
0000000000004000 <streamgage_double_scale>:
    4000:	ldp	q1, q2, [x9, #-16]
    4004:	fmul	v1.2d, v1.2d, v0.d[0]
    4008:	stp	q1, q2, [x8, #-16]
    400c:	subs	x10, x10, #0x4
    4010:	b.ne	4000 <streamgage_double_scale>
    4014:	ret
"""
SVE = """
0000000000005000 <streamgage_double_scale>:
    5000:	ld1d	{z1.d}, p0/z, [x1, x8, lsl #3]
    5004:	st1d	{z1.d}, p0, [x0, x8, lsl #3]
    5008:	b.mi	5000 <streamgage_double_scale>
"""
RVV = """
0000000000006000 <streamgage_double_copy>:
    6000:	vle64.v	v8,(a1)
    6004:	vse64.v	v8,(a0)
    6008:	bnez	a5,6000 <streamgage_double_copy>
"""


TAIL_CALL = """
0000000000007000 <streamgage_double_copy>:
    7000:	cmp    %r9,%r8
    7003:	jge    700c <streamgage_double_copy+0xc>
    7007:	jmp    1030 <memcpy@plt>
    700c:	ret
"""


def program(folder: Path, name: str, body: str) -> Path:
    file = folder / name
    file.write_text(f"#!/bin/sh\n{body}\n", "utf-8")
    file.chmod(0o755)
    return file


@pytest.mark.parametrize(
    ("text", "kernel", "words"),
    [
        (GCC_COPY, "copy", "memcpy"),
        (GCC_COPY, "triad", "256 bits"),
        (STREAMING, "init", "512 bits, streaming stores"),
        (SCALAR, "add", "scalar"),
        (NEON, "scale", "128 bits"),
        (SVE, "scale", "scalable vectors"),
        (RVV, "copy", "scalable vectors"),
        (TAIL_CALL, "copy", "memcpy"),
    ],
)
def test_object_code_says_what_became_of_a_loop(text: str, kernel: str, words: str) -> None:
    assert parse_listings(text)[kernel].words() == words


def test_a_listing_has_the_lines_of_its_kernel_alone() -> None:
    listings = parse_listings(GCC_COPY)
    assert list(listings) == ["copy", "triad"]
    assert len(listings["copy"].lines) == 5 and "memcpy@plt" in listings["copy"].lines[2]
    assert listings["copy"].vector_bits is None
    assert parse_listings("") == {}


def test_each_compiler_is_found_once_and_versions_beside_plain_names(tmp_path: Path) -> None:
    old = program(tmp_path, "gcc-11", "echo gcc 11")
    (tmp_path / "gcc").symlink_to(program(tmp_path, "gcc-13", "echo gcc 13"))
    program(tmp_path, "gcc-ar", "echo no compiler")
    program(tmp_path, "clang++-16", "echo clang 16")
    program(tmp_path, "gfortran", "echo fortran")
    program(tmp_path, "zig", 'echo "zig $*"')
    (tmp_path / "gcc-99").write_text("not a program")
    path = f"{tmp_path}{os.pathsep}/no/such/folder{os.pathsep}/usr/bin/not"
    found = find_compilers({"PATH": path})
    assert [(each.name, each.language) for each in found] == [
        ("gcc", "c"),
        ("gcc-11", "c"),
        ("clang++-16", "c++"),
        ("gfortran", "fortran"),
        ("zig cc", "c"),
    ]
    assert [each.version for each in found][:2] == ["gcc 13", "gcc 11"]
    assert found[1].command == (str(old),)
    assert found[-1].version == "zig cc --version"
    assert find_compilers({"PATH": ""}) == []


def test_a_call_at_the_end_is_no_loop() -> None:
    assert parse_listings(TAIL_CALL)["copy"].vector_bits is None


def test_compilers_behind_one_wrapper_are_all_found(tmp_path: Path) -> None:
    ccache = program(tmp_path, "ccache", 'basename "$0"')
    for name in ("gcc", "clang", "g++"):
        (tmp_path / name).symlink_to(ccache)
    found = find_compilers({"PATH": f"{tmp_path}"})
    assert [each.version for each in found] == ["gcc", "clang", "g++"]


def test_zig_is_found_as_pypi_installs_it(tmp_path: Path) -> None:
    program(tmp_path, "python-zig", "echo clang 18")
    (zig,) = find_compilers({"PATH": str(tmp_path)})
    assert (zig.name, zig.language, zig.version) == ("python-zig cc", "c", "clang 18")


def test_a_compiler_can_be_given_with_its_flags(monkeypatch: pytest.MonkeyPatch) -> None:
    compiler = given_compiler("gcc -O2 -DNAME='a b'")
    assert compiler.flags == ("-O2", "-DNAME=a b")
    assert (compiler.name, compiler.language) == ("gcc", "c")
    assert given_compiler("g++").language == "c++"
    assert given_compiler("env gcc -O1").name == "env gcc"
    for text, said in (
        ("", "--cc is empty"),
        ("  ", "--cc is empty"),
        ("no-such-compiler -O2", "not a program on the PATH"),
        ("gcc 'x", "cannot be read"),
    ):
        with pytest.raises(UsageError, match=said):
            given_compiler(text)


@pytest.mark.parametrize("flags", [("-O2",), ("-O3", "-march=native")])
@pytest.mark.parametrize("name", ["gcc", "g++"])
def test_the_kernels_are_built(name: str, flags: tuple[str, ...], tmp_path: Path) -> None:
    built = build_kernels(given_compiler(name), flags, find_sources(), tmp_path)
    assert built.failure is None and built.library is not None
    listings = read_listings(built.library)
    assert listings is not None
    assert set(listings) == {
        *("init", "sum", "dot", "copy", "scale", "update", "add", "triad", "daxpy", "striad"),
        *("sdaxpy", "bracket"),
    }
    assert listings["copy"].calls == ("memcpy",)


@pytest.mark.needs("gfortran")
def test_the_fortran_twin_has_every_kernel(tmp_path: Path) -> None:
    built = build_kernels(given_compiler("gfortran"), ("-O2",), find_sources(), tmp_path)
    assert built.failure is None and built.library is not None
    assert len(read_listings(built.library) or {}) == 12


HANGS = "It did not end within 1 s, and was ended."


@pytest.mark.parametrize(
    ("body", "failure"),
    [
        ("echo 'x.c:1:2: error: no such thing' >&2; echo more; exit 1", "error: no such thing."),
        ("exit 3", "It failed with exit status 3."),
        ("exit 0", "The compiler reported no error, but wrote no library."),
        ("kill -SEGV $$", "It was ended by SIGSEGV."),
        ("sleep 1000", HANGS),
        ("sleep 1000 & echo started; wait", HANGS),
    ],
)
def test_a_compiler_that_fails_says_why(body: str, failure: str, tmp_path: Path) -> None:
    # Only those that hang may be out of time, on a machine that is ever so slow.
    most_seconds = 1 if failure is HANGS else WAIT_SECONDS
    tells_its_version = 'if test "$1" = --version; then exit; fi'
    compiler = given_compiler(str(program(tmp_path, "cc1", f"{tells_its_version}\n{body}")))
    built = build_kernels(compiler, (), find_sources(), tmp_path, most_seconds=most_seconds)
    assert built.library is None
    assert built.failure is not None and built.failure.endswith(failure)


def test_a_compiler_is_ended_with_what_it_started_when_we_are_interrupted(tmp_path: Path) -> None:
    started = tmp_path / "started"
    hanging = program(tmp_path, "cc1", f"sleep 1000 & echo $! > {started}.new\n"
                      f"mv {started}.new {started}; wait")  # fmt: skip
    call = f"run_for([{str(hanging)!r}], {WAIT_SECONDS})"
    code = f"from streamgage.process.program import run_for\n{call}"
    for number, status in ((signal.SIGINT, -signal.SIGINT), (signal.SIGTERM, 143)):
        us = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.DEVNULL)
        wait_until(started.exists)
        grandchild = int(started.read_text("utf-8"))
        us.send_signal(number)
        assert us.wait(WAIT_SECONDS) == status
        wait_until(lambda pid=grandchild: not runs(pid))
        started.unlink()


def test_paths_that_depend_on_the_folder_are_those_of_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "build"
    folder.mkdir()
    program(tmp_path, "mycc", 'exec gcc "$@"')
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "flags.h").write_text("\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    compiler = given_compiler("./mycc -O1 -I./inc -include flags.h")
    assert compiler.flags is not None
    built = build_kernels(compiler, compiler.flags, find_sources(), folder)
    assert built.failure is None


def test_a_compiler_that_is_no_program_any_more_says_so(tmp_path: Path) -> None:
    file = program(tmp_path, "cc1", "exit 0")
    compiler = given_compiler(str(file))
    file.unlink()
    built = build_kernels(compiler, (), find_sources(), tmp_path)
    assert built.failure == "It cannot be started: No such file or directory."


def test_what_is_no_library_has_no_listing(tmp_path: Path) -> None:
    file = tmp_path / "x.so"
    file.write_text("nothing")
    assert read_listings(file) is None


PADDED = """
0000000000001280 <streamgage_double_copy>:
    1280:\t4c 89 c0             \tmov    %r8,%rax
    1283:\te9 {0}       \tjmp    {1} <memcpy@plt>
    1288:\t0f 1f 84 00 00 00 00 00 \tnopl   0x0(%rax,%rax,1)
"""


def test_the_code_of_a_loop_is_its_bytes_without_where_the_library_lies() -> None:
    near, far = (
        parse_listings(PADDED.format(*where))["copy"]
        for where in (("98 fd ff ff", "1020"), ("a8 fd ff ff", "1030"))
    )
    assert near.code == far.code == "4c89c0 memcpy"
    assert near.calls == ("memcpy",)
    assert near.lines[0] == "    1280:\tmov    %r8,%rax"
    other = parse_listings(PADDED.format("98 fd ff ff", "1020").replace("4c 89 c0", "4d 89 c0"))
    assert other["copy"].code != near.code
    assert parse_listings(GCC_COPY)["copy"].code == ""  # without bytes nothing is known


BESIDE = """
0000000000001000 <_init>:
    1000:\tc3                   \tret
0000000000001020 <memcpy@plt>:
    1020:\tff 25 da 2f 00 00    \tjmp    *0x2fda(%rip)
0000000000001080 <boom>:
    1080:\t31 c0                \txor    %eax,%eax
"""


def test_what_else_a_library_has_belongs_to_the_code_of_its_loops() -> None:
    loops = PADDED.format("98 fd ff ff", "1020")
    alone = parse_listings(BESIDE.partition("0000000000001080")[0] + loops)["copy"]
    beside = parse_listings(BESIDE + loops)["copy"]
    assert alone.code == parse_listings(loops)["copy"].code
    assert beside.code != alone.code and beside.lines == alone.lines
