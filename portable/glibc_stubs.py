#!/usr/bin/env python3
"""Writes libraries to link against that look like glibc 2.28.

    glibc_stubs.py COMPILER FOLDER

A program asks the C library for the newest version of each symbol that there was when the program
was linked. Each library here has the symbols of the installed one, but none that is newer than
2.28, and no code. What is linked against them runs with every glibc since 2.28, because glibc keeps
its old versions.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

NEWEST = (2, 28)

# Since glibc 2.34 the C library has what was in the three last; older ones must be loaded for it.
LIBRARIES = {"libc": 6, "libm": 6, "libpthread": 0, "libdl": 2, "librt": 1}

# What glibc has programs link into themselves; and what is added here.
NONSHARED = "libc_nonshared.a"
SOURCES = ("since_glibc_2_28.c", "program_start.c")


@dataclass(frozen=True)
class Symbol:
    """A function or an object that a library has, in one version."""

    name: str
    version: tuple[int, ...]
    address: int
    size: int
    is_object: bool
    is_weak: bool


def read_symbols(library: Path) -> list[Symbol]:
    """Return what programs may link against, in all versions."""
    text = subprocess.run(
        ["readelf", "--wide", "--dyn-syms", library], check=True, capture_output=True, text=True
    ).stdout
    line = re.compile(
        r"^ *\d+: (?P<address>[0-9a-f]+) +(?P<size>\w+) (?P<type>FUNC|IFUNC|OBJECT) +"
        r"(?P<binding>\w+) +DEFAULT +(?:\[[^]]*\] +)?\d+ "
        r"(?P<name>\w+)@@?GLIBC_(?P<version>[0-9.]+)",
        re.MULTILINE,
    )
    return [
        Symbol(
            name=found["name"],
            version=tuple(map(int, found["version"].split("."))),
            address=int(found["address"], 16),
            size=int(found["size"], 0),
            is_object=found["type"] == "OBJECT",
            is_weak=found["binding"] == "WEAK",
        )
        for found in line.finditer(text)
    ]


def choose_versions(symbols: list[Symbol]) -> list[Symbol]:
    """Return each symbol once: the newest version that glibc 2.28 may have."""
    chosen: dict[str, Symbol] = {}
    for symbol in sorted(symbols, key=lambda symbol: symbol.version):
        if symbol.version <= NEWEST:
            chosen[symbol.name] = symbol
    return sorted(chosen.values(), key=lambda symbol: symbol.name)


def write_assembler(symbols: list[Symbol]) -> str:
    """Return a source that defines the symbols; objects keep their sizes and their aliases."""
    lines = [".text"]
    for symbol in symbols:
        if not symbol.is_object:
            lines += [f".globl {symbol.name}", f".type {symbol.name}, %function", f"{symbol.name}:"]
    lines.append(".data")
    places: dict[int, list[Symbol]] = defaultdict(list)
    for symbol in symbols:
        if symbol.is_object:
            places[symbol.address].append(symbol)
    for aliases in places.values():
        lines.append(".balign 64")
        for symbol in aliases:
            lines += [
                f"{'.weak' if symbol.is_weak else '.globl'} {symbol.name}",
                f".type {symbol.name}, %object",
                f".size {symbol.name}, {symbol.size}",
                f"{symbol.name}:",
            ]
        lines.append(f".zero {max(symbol.size for symbol in aliases)}")
    return "\n".join([*lines, '.section .note.GNU-stack,"",%progbits', ""])


def write_versions(symbols: list[Symbol]) -> str:
    """Return a version script for the linker."""
    names: dict[tuple[int, ...], list[str]] = defaultdict(list)
    for symbol in symbols:
        names[symbol.version].append(symbol.name)
    return "".join(
        f"GLIBC_{'.'.join(map(str, version))} {{ {' '.join(f'{name};' for name in listed)} }};\n"
        for version, listed in sorted(names.items())
    )


def write_stub(compiler: str, library: Path, stub: Path) -> None:
    """Make a library without code that has the name and the older symbols of an installed one."""
    symbols = choose_versions(read_symbols(library))
    source, script = stub.with_suffix(".s"), stub.with_suffix(".map")
    source.write_text(write_assembler(symbols), encoding="utf-8")
    script.write_text(write_versions(symbols), encoding="utf-8")
    options = [f"-Wl,-soname,{library.name}", f"-Wl,--version-script={script}"]
    subprocess.run([compiler, "-shared", "-nostdlib", *options, source, "-o", stub], check=True)


def find(compiler: str, name: str) -> Path:
    """Return where the compiler finds a library of its target."""
    found = subprocess.run(
        [compiler, f"-print-file-name={name}"], check=True, capture_output=True, text=True
    ).stdout.strip()
    if "/" not in found:
        sys.exit(f"glibc_stubs: {compiler} finds no {name}; install the C library of its target.")
    return Path(found)


def write_archive(compiler: str, folder: Path) -> Path:
    """Compile what glibc 2.28 lacks."""
    archive = folder / "libsince.a"
    archive.unlink(missing_ok=True)
    objects = []
    for source in SOURCES:
        objects.append(folder / f"{source}.o")
        path = Path(__file__).parent / source
        options = ["-O2", "-fPIC", "-Wall", "-Wextra", "-Werror"]
        subprocess.run([compiler, *options, "-c", path, "-o", objects[-1]], check=True)
    asked = [compiler, "-print-prog-name=ar"]
    ar = subprocess.run(asked, check=True, capture_output=True, text=True).stdout.strip()
    subprocess.run([ar, "-rcs", archive, *objects], check=True)
    return archive


def main() -> None:
    """Write the libraries; that of ``-lc`` is a script for the linker, as glibc's own is."""
    compiler, folder = sys.argv[1], Path(sys.argv[2]).absolute()
    folder.mkdir(parents=True, exist_ok=True)
    libraries = {name: find(compiler, f"{name}.so.{number}") for name, number in LIBRARIES.items()}
    for name, library in libraries.items():
        write_stub(compiler, library, folder / f"{name}.so")
    loader = next(
        path for path in sorted(libraries["libc"].parent.glob("ld*.so.*")) if path.name[2] in "-6"
    )
    write_stub(compiler, loader, folder / "loader.so")
    (folder / "libc.so").rename(folder / "libc-2.28.so")
    parts = f"{folder}/libc-2.28.so {write_archive(compiler, folder)} {find(compiler, NONSHARED)}"
    script = f"GROUP ( {parts} AS_NEEDED ( {folder}/loader.so ) )\n"
    (folder / "libc.so").write_text(script, encoding="utf-8")


if __name__ == "__main__":
    main()
