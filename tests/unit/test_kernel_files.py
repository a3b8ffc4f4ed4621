"""A user's own kernel from its source to a shared object: languages, compilers, first errors."""

from __future__ import annotations

import ctypes
import shutil
from pathlib import Path

import pytest
from programs import REPOSITORY

from streamgage.errors import UsageError
from streamgage.kernels import (
    KernelBuild,
    build_kernel,
    compilers_of,
    find_compilers,
    given_compiler,
    kernel_file,
)
from streamgage.kernels.find import first_compiler
from streamgage.kernels.kernel_file import first_error
from streamgage.measurement.kernel_files import given_kernels

EXAMPLES = REPOSITORY / "examples" / "kernels"
GFORTRAN = """my.f90:4:3:

    4 |  y = 3
      |   1
Error: Symbol 'y' at (1) has no IMPLICIT type
my.f90:9:1:
Error: Unexpected end
"""
WARNED = """my.c: In function 'run':
my.c:3:7: warning: unused variable 'x' [-Wunused-variable]
my.c:12:5: error: expected ';' before '}' token
my.c:13:5: error: something else
"""

FORTRAN = pytest.mark.needs("gfortran")


def program(folder: Path, name: str, body: str) -> str:
    file = folder / name
    file.write_text(f"#!/bin/sh\n{body}\n", "utf-8")
    file.chmod(0o755)
    return str(file)


def built(source: Path, folder: Path, *given: str) -> KernelBuild:
    file = kernel_file(str(source))
    compilers = compilers_of([file], [given_compiler(each) for each in given])
    return build_kernel(file, compilers[file.language] if file.language else None, folder)


@pytest.mark.parametrize(
    ("said", "first_line"),
    [
        (WARNED, "my.c:12: expected ';' before '}' token"),
        ("/tmp/x/my.c:1:10: fatal error: no.h: No such file\n", "my.c:1: no.h: No such file"),
        ("my.c:3: error: ';' expected (got \"}\")", "my.c:3: ';' expected (got \"}\")"),
        (GFORTRAN, "my.f90:4: Symbol 'y' at (1) has no IMPLICIT type"),
        ('"my.c", line 7: error: identifier "y" is undefined\n', 'my.c:7: identifier "y" is'),
        ("my.f90(12): error #5082: Syntax error, found END\n", "my.f90:12: Syntax error, found"),
        (
            "NVFORTRAN-S-0034-Syntax error at or near identifier y (my.f90: 3)\n",
            "my.f90:3: Syntax error at or near identifier y",
        ),
        ("/usr/bin/ld: cannot find -lnothing: No such file\n", "ld: cannot find -lnothing"),
        ("", ""),
    ],
)
def test_the_first_error_is_told_with_its_file_and_line(said: str, first_line: str) -> None:
    assert first_error(said).startswith(first_line) and bool(first_error(said)) == bool(first_line)


@pytest.mark.parametrize(
    "name",
    [
        *("triad.c", "stencil.c", "spmv_crs.c", "spmv_sell.c", "gather.c", "soa_update.c"),
        *("norm.cpp", pytest.param("triad.f90", marks=FORTRAN)),
    ],
)
def test_every_example_compiles_and_exports_its_declaration(name: str, tmp_path: Path) -> None:
    made = built(EXAMPLES / name, tmp_path)
    assert made.failure is None and made.library is not None
    assert ctypes.CDLL(str(made.library)).streamgage_declare_kernel is not None


@pytest.mark.parametrize("flags", ["-Wall -Wextra -Werror -O1", "-Wall -Werror -std=c11 -O2"])
@pytest.mark.parametrize(
    "compiler", ["gcc", pytest.param("clang-16", marks=pytest.mark.needs("clang-16"))]
)
def test_examples_in_c_have_no_warning(compiler: str, flags: str, tmp_path: Path) -> None:
    for source in sorted(EXAMPLES.glob("*.c")):
        assert built(source, tmp_path, f"{compiler} {flags}").failure is None


@pytest.mark.parametrize(
    ("name", "text", "failure"),
    [
        ("a.c", "#include <streamgage/kernel.h>\nint x = y;\n", "a.c:2: 'y' undeclared here"),
        ("b.c", "#include <nothing.h>\n", "b.c:1: nothing.h: No such file"),
        ("c.cpp", "#include <vector>\nint f() { return g(); }\n", "c.cpp:2: 'g' was not declared"),
        pytest.param(
            *("d.f90", "program d\nimplicit none\ny = 1\nend\n", "d.f90:3: Symbol 'y' at (1)"),
            marks=FORTRAN,
        ),
    ],
)
def test_a_source_that_does_not_compile_says_where(
    name: str, text: str, failure: str, tmp_path: Path
) -> None:
    source = tmp_path / name
    source.write_text(text, "utf-8")
    made = built(source, tmp_path)
    assert made.library is None and made.failure is not None
    assert made.failure.startswith(f"{source} does not compile by g")
    assert failure in made.failure and made.failure.endswith(".")


def test_headers_beside_a_source_are_found_from_wherever_it_is_compiled(tmp_path: Path) -> None:
    shutil.copy(EXAMPLES / "spmv_crs.c", tmp_path)
    shutil.copy(EXAMPLES / "spmv_matrix.h", tmp_path)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    assert built(tmp_path / "spmv_crs.c", elsewhere).failure is None


@FORTRAN
def test_modules_of_fortran_are_written_where_it_is_compiled(tmp_path: Path) -> None:
    assert built(EXAMPLES / "triad.f90", tmp_path).failure is None
    assert (tmp_path / "streamgage_kernel.mod").is_file()
    assert not list(EXAMPLES.glob("*.mod"))


def test_a_compiler_that_knows_no_native_processor_goes_without(tmp_path: Path) -> None:
    refusing = (
        'case "$*" in *native*) echo "error: bad value native for -march=" >&2; exit 1;; esac\n'
        'exec gcc "$@"'
    )
    compiler = program(tmp_path, "oldcc", refusing)
    made = built(EXAMPLES / "triad.c", tmp_path, compiler)
    assert made.failure is None and made.code == "oldcc -O3"
    given = built(EXAMPLES / "triad.c", tmp_path, f"{compiler} -march=native")
    assert given.library is None and "bad value native" in (given.failure or "")


def test_a_compiler_that_hangs_is_ended(tmp_path: Path) -> None:
    file = kernel_file(str(EXAMPLES / "triad.c"))
    compiler = given_compiler(program(tmp_path, "slowcc", 'test "$1" = --version || sleep 1000'))
    made = build_kernel(file, compiler, tmp_path, most_seconds=1)
    assert made.library is None and "did not end within 1 s" in (made.failure or "")


def test_a_shared_object_is_taken_as_it_is(tmp_path: Path) -> None:
    library = tmp_path / "mine.so"
    library.write_bytes(b"whatever")
    made = built(library, tmp_path)
    assert made.library == library and "as given" in made.code


@FORTRAN
def test_a_compiler_goes_to_the_files_of_its_language() -> None:
    files = [kernel_file(str(EXAMPLES / name)) for name in ("triad.c", "norm.cpp", "triad.f90")]
    chosen = compilers_of(files, [given_compiler("g++ -O1")])
    assert chosen["c++"].flags == ("-O1",)
    assert chosen["c"].flags is None and chosen["fortran"].language == "fortran"


@pytest.mark.parametrize(
    ("files", "cc", "timeout", "said"),
    [
        (["nothing.c"], None, None, "--kernel-file nothing.c is not there"),
        (["."], None, None, "is not in a known language"),
        (["triad.py"], None, None, "is not in a known language"),
        (["triad.c", "./triad.c"], None, None, "twice"),
        pytest.param(
            *(["triad.c"], ["gfortran"], None, "no --kernel-file is in that language"),
            marks=FORTRAN,
        ),
        (["triad.c"], ["gcc -O1", "gcc -O2"], None, "two compilers of C"),
        (["triad.c"], ["no-such-cc"], None, "not a program on the PATH"),
        (["triad.c"], None, "0", "--kernel-timeout '0' is not a number of seconds"),
        (["triad.c"], None, "soon", "--kernel-timeout 'soon' is not a number of seconds"),
        (None, ["gcc"], None, "--cc needs --kernel-file"),
        (None, None, "5", "--kernel-timeout needs --kernel-file"),
    ],
)
def test_a_wrong_request_is_refused_in_a_sentence(
    files: list[str] | None,
    cc: list[str] | None,
    timeout: str | None,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(EXAMPLES)
    with pytest.raises(UsageError, match=said.replace(".", r"\.")):
        given_kernels({"kernel_file": files, "cc": cc, "kernel_timeout": timeout})


def test_without_a_compiler_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    file = kernel_file(str(EXAMPLES / "triad.f90"))
    monkeypatch.setenv("PATH", "/no/such/folder")
    with pytest.raises(UsageError, match="No compiler of Fortran is on the PATH"):
        compilers_of([file], [])


@FORTRAN
def test_the_first_compiler_is_the_first_of_those_that_are_found() -> None:
    for language in ("c", "c++", "fortran"):
        found = [each for each in find_compilers() if each.language == language]
        assert first_compiler(language) == found[0]
    assert first_compiler("c", {"PATH": ""}) is None
