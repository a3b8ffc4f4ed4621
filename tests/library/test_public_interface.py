"""What is installed is what is public, and no more."""

from __future__ import annotations

import re
from pathlib import Path

from installed_library import EXAMPLES, InstalledLibrary, run
from programs import REPOSITORY

LIBRARY = REPOSITORY / "library"
DECLARED = re.compile(r"\b(streamgage_\w+)\(")
WRITTEN_FOR_OTHERS = {
    *("streamgage/kernel.h", "streamgage/streamgage.h", "streamgage/version.h"),
    "streamgage/streamgage_kernel.f90",
}


def included(header: str) -> set[str]:
    """The library's headers that one includes, and so on."""
    found: set[str] = set()
    waiting = [header]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            text = (LIBRARY / name).read_text("utf-8")
            waiting += re.findall(r'^#include "([^"]+)"', text, re.M)
    return found


def test_the_headers_are_those_that_the_one_for_all_includes(installed: InstalledLibrary) -> None:
    there = {
        str(path.relative_to(installed.prefix / "include"))
        for path in installed.headers.rglob("*")
        if path.is_file()
    }
    assert there - WRITTEN_FOR_OTHERS == included("streamgage/streamgage.hpp")
    assert there >= WRITTEN_FOR_OTHERS


def test_each_header_stands_alone_and_needs_no_more_than_the_standard_and_expected(
    installed: InstalledLibrary, tmp_path: Path
) -> None:
    for path in sorted(installed.headers.rglob("*.hpp")):
        foreign = re.findall(r"^#include <(\w+[./]\S*)>", path.read_text("utf-8"), re.M)
        assert set(foreign) <= {"tl/expected.hpp"}, path
        source = tmp_path / "alone.cpp"
        source.write_text(f'#include "{path}"\n#include "{path}"\n')
        run(
            *("g++", "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Werror"),
            *(f"-I{installed.prefix / 'include'}", source),
            folder=tmp_path,
        )


def test_the_headers_of_c_are_c11_and_go_together(
    installed: InstalledLibrary, tmp_path: Path
) -> None:
    text = "#include <streamgage/streamgage.h>\n#include <streamgage/kernel.h>\n"
    for compiler, name in (("gcc -std=c11", "both.c"), ("g++ -std=c++20", "both.cpp")):
        (tmp_path / name).write_text(text)
        run(
            *(*compiler.split(), "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Werror"),
            *(f"-I{installed.prefix / 'include'}", name),
            folder=tmp_path,
        )


def test_the_library_for_c_exports_what_its_header_declares(installed: InstalledLibrary) -> None:
    (shared,) = installed.libraries.glob("libstreamgage.so.0")
    listed = run("nm", "-D", "--defined-only", shared, folder=installed.prefix)
    exported = {line.split()[2].partition("@")[0] for line in listed.splitlines()}
    text = re.sub(r"/\*.*?\*/", "", (installed.headers / "streamgage.h").read_text(), flags=re.S)
    assert exported - {"STREAMGAGE_0"} == set(DECLARED.findall(text))


def test_the_library_never_prints_and_never_ends_the_program(installed: InstalledLibrary) -> None:
    wanted = run("nm", "-u", "-C", installed.libraries / "libstreamgage-cpp.a", folder=Path("/"))
    names = {line.split()[-1] for line in wanted.splitlines() if " U " in line}
    assert "sched_getcpu" in names
    assert not names & {"exit", "_exit", "quick_exit", "puts", "printf", "fprintf", "putchar"}
    assert not names & {"std::cout", "std::cerr", "std::clog", "stdout", "stderr", "perror"}


def test_a_micro_benchmark_takes_fewer_than_seventy_lines() -> None:
    assert len((EXAMPLES / "microbenchmark.cpp").read_text("utf-8").splitlines()) < 70
