"""Finds the compilers on the PATH, each once even if it has several names, and shared libraries."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from streamgage.errors import UsageError
from streamgage.process.program import run_for

_LIBRARY_LINE = re.compile(r"^\s*(\S+) \(([^)]*)\) => (\S+)$", re.M)


def find_shared_library(name: str, option: str) -> Path:
    """Find a library by its path, or by a name such as ``libomp.so.5`` or ``libomp``.

    Links are followed, so that the loaded file can be identified. Raises ``UsageError``, naming
    ``option``, if there is none, or if ``LD_PRELOAD`` cannot hold its path.
    """
    path = Path(name).resolve() if "/" in name else _of_the_linker(name)
    if path is None or not path.is_file():
        raise UsageError(
            f"{option} {name} was not found: name its file, such as"
            " /usr/lib/x86_64-linux-gnu/libomp.so.5."
        )
    if any(sign in str(path) for sign in " :"):
        raise UsageError(f"{option} {path} has a space or a colon in its path: copy it elsewhere.")
    return path


def _of_the_linker(name: str) -> Path | None:
    ldconfig = shutil.which("ldconfig") or "/sbin/ldconfig"
    try:
        done = subprocess.run(
            [ldconfig, "-p"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_WAIT_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    for library, _, path in _LIBRARY_LINE.findall(done.stdout):
        if library == name or library.startswith(f"{name}.so"):
            return Path(path).resolve()
    return None


Language = Literal["c", "c++", "fortran"]

_VERSIONED = r"(?:-[0-9]+(?:\.[0-9]+)*)?"
_KINDS: tuple[tuple[str, Language], ...] = (
    ("gcc", "c"),
    ("clang", "c"),
    ("icx", "c"),
    ("nvc", "c"),
    ("armclang", "c"),
    ("craycc", "c"),
    ("tcc", "c"),
    (r"g\+\+", "c++"),
    (r"clang\+\+", "c++"),
    ("icpx", "c++"),
    (r"nvc\+\+", "c++"),
    ("gfortran", "fortran"),
    ("flang-new", "fortran"),
    ("flang", "fortran"),
    ("ifx", "fortran"),
    ("nvfortran", "fortran"),
)
_WAIT_SECONDS = 20
_FORTRAN = re.compile(r"(gfortran|flang|ifx|ifort|nvfortran|ftn|crayftn|mpifort|mpif[79])")
_CPP = re.compile(r"\+\+|icpx|mpicxx")


@dataclass(frozen=True)
class Compiler:
    """A compiler and its command; ``flags`` come before those of a flag set."""

    command: tuple[str, ...]
    language: Language
    version: str | None
    """The first line that it prints about itself; ``None`` if it prints none."""
    flags: tuple[str, ...] | None = None
    """The user's flags for this compiler; ``None``: the flag sets are used."""

    @property
    def name(self) -> str:
        """The name of the command, such as ``gcc-12`` or ``zig cc``."""
        first, *rest = self.command
        return " ".join([Path(first).name, *rest])


def find_compilers(environment: Mapping[str, str] = os.environ) -> list[Compiler]:
    """Find every compiler on the PATH: for C, then C++, then Fortran."""
    found: dict[tuple[str, str], Compiler] = {}
    for pattern, language in _KINDS:
        for path in _programs(pattern, environment):
            real = _identity(path)
            if (real, language) not in found:
                found[real, language] = Compiler((path,), language, _version((path,)))
    zig = _zig(environment)
    if zig is not None:
        command = (*zig, "cc")
        found["zig", "c"] = Compiler(command, "c", _version(command))
    return list(found.values())


def first_compiler(
    language: Language, environment: Mapping[str, str] = os.environ
) -> Compiler | None:
    """Find the first compiler for a language; ``None`` if there is none."""
    for pattern, spoken in _KINDS:
        path = next(_programs(pattern, environment), None) if spoken == language else None
        if path is not None:
            return Compiler((path,), language, _version((path,)))
    zig = _zig(environment) if language == "c" else None
    return None if zig is None else Compiler((*zig, "cc"), "c", _version((*zig, "cc")))


def _identity(path: str) -> str:
    """Return a path that is equal for all names of one compiler.

    It is the file behind the links, unless that is a program such as ccache, which stands for many
    compilers.
    """
    real = os.path.realpath(path)
    name = Path(real).name
    known = "|".join(pattern for pattern, _ in _KINDS)
    is_compiler = re.fullmatch(rf"(?:\S+-)?(?:{known}){_VERSIONED}", name) is not None
    return real if is_compiler else str(Path(path).absolute())


def given_compiler(text: str, option: str = "--cc") -> Compiler:
    """The compiler and the flags of ``--cc 'CMD FLAGS'``, or of another option.

    Raises ``UsageError`` if that is empty, cannot be split, or names no program.
    """
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise UsageError(
            f"{option} {text!r} cannot be read ({error}): close the quotes."
        ) from error
    command = [words[0]] if words else []
    rest = words[1:]
    if rest and not rest[0].startswith("-"):  # zig cc, ccache gcc
        command.append(rest.pop(0))
    if not command:
        raise UsageError(f"{option} is empty: write a compiler and its flags, such as 'gcc -O2'.")
    path = shutil.which(command[0])
    if path is None:
        raise UsageError(f"{option} names {command[0]}, which is not a program on the PATH.")
    name = " ".join(Path(each).name for each in command)
    language: Language = "fortran" if _FORTRAN.search(name) else "c++" if _CPP.search(name) else "c"
    whole = (str(Path(path).absolute()), *command[1:])
    return Compiler(whole, language, _version(whole), tuple(rest))


def named_with(compiler: Compiler, flags: Sequence[str]) -> str:
    """The name of the compiler with these flags, such as ``gcc -O2``."""
    return " ".join([compiler.name, *flags])


def names_of(wanted: Sequence[tuple[Compiler, tuple[str, ...]]]) -> list[str]:
    """Names such as ``gcc -O2``; two compilers with equal names and flags get their whole path."""
    short = Counter(named_with(compiler, flags) for compiler, flags in wanted)
    return [
        name
        if short[name := named_with(compiler, flags)] == 1
        else " ".join([*compiler.command, *flags])
        for compiler, flags in wanted
    ]


def _programs(pattern: str, environment: Mapping[str, str]) -> Iterator[str]:
    """Yield the paths of programs with this name, with or without a version, newest first."""
    named = re.compile(pattern + _VERSIONED)
    seen: dict[str, str] = {}
    for folder in environment.get("PATH", "").split(os.pathsep):
        try:
            names = sorted(os.listdir(folder or "."))  # noqa: PTH208 - names alone
        except OSError:
            continue
        for name in names:
            path = str(Path(folder or ".") / name)
            if named.fullmatch(name) and os.access(path, os.X_OK):
                seen.setdefault(name, path)
    return (seen[name] for name in sorted(seen, key=_newest_first))


def _newest_first(name: str) -> tuple[float, ...]:
    """A sort key: ``gcc`` first, which most people call, then ``gcc-13``, then ``gcc-12``."""
    numbers = [int(part) for part in re.findall(r"[0-9]+", name.partition("-")[2])]
    return (0.0,) if not numbers else (1.0, *(-number for number in numbers))


def _zig(environment: Mapping[str, str]) -> tuple[str, ...] | None:
    """The command of zig: ``zig``, or the one in PyPI's package ``ziglang``."""
    for name in ("zig", "python-zig"):
        path = shutil.which(name, path=environment.get("PATH"))
        if path is not None:
            return (path,)
    return None


def _version(command: tuple[str, ...]) -> str | None:
    option = "-v" if command[0].endswith("tcc") else "--version"
    try:
        done = run_for([*command, option], _WAIT_SECONDS)
    except OSError:
        return None
    if done is None:
        return None
    lines = done.output.split("\n")
    return next((line.strip() for line in lines if line.strip()), None)
