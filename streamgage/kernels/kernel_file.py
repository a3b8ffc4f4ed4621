"""Builds a user's own kernel: from its source to a shared object."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from streamgage.advice import advice
from streamgage.errors import UsageError
from streamgage.kernels.build import MOST_SECONDS, line_of_error, run_compiler
from streamgage.kernels.find import Compiler, Language, first_compiler
from streamgage.kernels.sources import find_kernel_sources
from streamgage.plan import DeviceLanguage
from streamgage.units import listed, shortened

_SUFFIXES: dict[str, Language] = {
    **dict.fromkeys((".c",), "c"),
    **dict.fromkeys((".cc", ".cpp", ".cxx", ".C"), "c++"),
    **dict.fromkeys((".f90", ".F90", ".f95", ".F95", ".f03", ".F03", ".f08", ".F08"), "fortran"),
}
_SHARED_OBJECT = ".so"


@dataclass(frozen=True)
class DeviceKind:
    """Devices of one language, which their drivers compile."""

    language: DeviceLanguage
    name: str
    """The name of the language for people."""
    drivers: tuple[str, ...]
    """The words before the numbers of devices."""

    @property
    def devices(self) -> str:
        """Its devices for people: ``cuda:N and hip:N``."""
        return listed([f"{each}:N" for each in self.drivers])


_ON_DEVICES = {
    ".cl": DeviceKind("opencl-c", "OpenCL C", ("opencl",)),
    ".cu": DeviceKind("cuda-c++", "CUDA C++", ("cuda", "hip")),
    ".hip": DeviceKind("cuda-c++", "HIP C++", ("cuda", "hip")),
}
_OF_DEVICES = {
    kind.devices: [suffix for suffix, each in _ON_DEVICES.items() if each.devices == kind.devices]
    for kind in _ON_DEVICES.values()
}
FOR_DEVICES = ", ".join(
    f"{' or '.join(suffixes)} for {devices}" for devices, suffixes in _OF_DEVICES.items()
)
"""The suffixes of files for devices, in words."""
_NAMES: dict[Language, str] = {"c": "C", "c++": "C++", "fortran": "Fortran"}
_USUAL: dict[Language, str] = {"c": "gcc", "c++": "g++", "fortran": "gfortran"}
_FLAG_SETS = (("-O3", "-march=native"), ("-O3", "-mcpu=native"), ("-O3",))
"""Sets of flags; a compiler gets the first that it accepts, as some do not know ``native``."""
_ABOUT_THE_PROCESSOR = ("-march", "-mcpu", "native")
_GIVEN = {
    _SHARED_OBJECT: "shared object, as given",
    **{suffix: each.name for suffix, each in _ON_DEVICES.items()},
}
"""What is not compiled here."""
_MOST_CHARACTERS = 200
_PLACED = (
    # gcc, clang, icx, flang: x.c:12:5: error: ... (tcc without the column)
    re.compile(r"^(?P<file>[^\s:][^:]*):(?P<line>\d+):(?:\d+:)? (?:fatal )?error: (?P<what>.*)"),
    # nvc: "x.c", line 12: error: ...
    re.compile(r'^"(?P<file>[^"]+)", line (?P<line>\d+): (?:catastrophic )?error: (?P<what>.*)'),
    # ifx: x.f90(12): error #5082: ...
    re.compile(r"^(?P<file>[^\s(]+)\((?P<line>\d+)\): (?:\w+ )?error ?[^:]*: (?P<what>.*)"),
    # nvfortran: NVFORTRAN-S-0034-Syntax error at or near ... (x.f90: 12)
    re.compile(r"^\S+-[SF]-\d+-(?P<what>.*) \((?P<file>[^():]+): (?P<line>\d+)\)"),
)
_PLACE = re.compile(r"^(?P<file>[^\s:][^:]*):(?P<line>\d+):\d+:$")
"""gfortran prints the place first, then the line of source, then the error."""
_WHAT = re.compile(r"^(?:Fatal )?Error: (?P<what>.*)")


@dataclass(frozen=True)
class KernelFile:
    """A file that the user named; ``language`` is None for what is not compiled here."""

    source: str
    """The name that the user gave."""
    path: Path
    language: Language | None

    @property
    def of_device(self) -> DeviceKind | None:
        """The devices whose drivers compile it; ``None`` for what runs on the processor."""
        return _ON_DEVICES.get(Path(self.source).suffix)


@dataclass(frozen=True)
class KernelBuild:
    """The result of a build: either ``library`` or ``failure`` is set."""

    file: KernelFile
    code: str
    """The compiler and flags that built it."""
    library: Path | None
    failure: str | None
    """A sentence, with the file and the line of the compiler's first error."""
    command: tuple[str, ...] = ()
    seconds: float = 0.0


def kernel_file(source: str) -> KernelFile:
    """Find the file and its language. Raises ``UsageError`` for no such file or language."""
    path = Path(source)
    known = path.suffix in _GIVEN or path.suffix in _SUFFIXES
    if not known:
        raise UsageError(
            f"--kernel-file {source} is not in a known language: name a .c, .cpp or .f90 file,"
            f" a shared object, .so, or a file for a device: {FOR_DEVICES}."
        )
    if not path.is_file():
        why = "is no file" if path.exists() else "is not there"
        raise UsageError(f"--kernel-file {source} {why}: name the source of a kernel.")
    return KernelFile(source, path.resolve(), _SUFFIXES.get(path.suffix))


def compilers_of(
    files: Sequence[KernelFile], named: Sequence[Compiler]
) -> dict[Language, Compiler]:
    """Choose a compiler for each language: the user's, else the first that is found.

    Raises ``UsageError`` if there is none, or if the user named two for one language, or one for a
    language in which no file is written.
    """
    wanted = {each.language for each in files if each.language is not None}
    chosen: dict[Language, Compiler] = {}
    for compiler in named:
        if compiler.language not in wanted:
            raise UsageError(
                f"--cc {compiler.name} compiles {_NAMES[compiler.language]}, but no --kernel-file"
                " is in that language: leave it out, or name the compiler of another language."
            )
        if compiler.language in chosen:
            raise UsageError(
                f"--cc names two compilers of {_NAMES[compiler.language]}: leave one out, or"
                f" compare them with {advice('compilers', '--kernel-file', 'FILE')}."
            )
        chosen[compiler.language] = compiler
    for language in sorted(wanted - chosen.keys()):
        found = first_compiler(language)
        if found is None:
            raise UsageError(
                f"No compiler of {_NAMES[language]} is on the PATH: install one, such as Debian's"
                f" {_USUAL[language]}, or name one with --cc."
            )
        chosen[language] = found
    return chosen


def build_kernel(
    file: KernelFile,
    compiler: Compiler | None,
    folder: Path,
    *,
    flags: Sequence[str] | None = None,
    most_seconds: float = MOST_SECONDS,
) -> KernelBuild:
    """Compile ``file`` in ``folder``, which must exist; a shared object is used as it is.

    It gets ``flags``; without them the flags that the user gave with the compiler; else the usual
    ones, because a kernel that is not optimised is not worth measuring. A compiler that hangs is
    ended.
    """
    if compiler is None or file.language is None:  # what is not compiled here
        return KernelBuild(file, _GIVEN[Path(file.source).suffix], file.path, None)
    chosen = compiler.flags or None if flags is None else tuple(flags)
    flag_sets = _FLAG_SETS if chosen is None else (chosen,)
    library = folder / "kernel.so"
    start = time.monotonic()
    for each in flag_sets:
        command = _command(file, compiler, each, library)
        failure = run_compiler(command, most_seconds, folder=folder, first_error=first_error)
        if failure is None or not _about_the_processor(failure, each):
            break
    if failure is None and not library.is_file():
        failure = "The compiler reported no error, but made no library."
    code = " ".join([compiler.name, *each])
    seconds = time.monotonic() - start
    if failure is None:
        return KernelBuild(file, code, library, None, command, seconds)
    why = f"{file.source} does not compile by {code}: {failure}"
    return KernelBuild(file, code, None, why, command, seconds)


def _about_the_processor(failure: str, flags: Sequence[str]) -> bool:
    """Return whether the compiler may have refused the flag for this processor's instructions."""
    named = any(flag.startswith(_ABOUT_THE_PROCESSOR) for flag in flags)
    return named and any(sign in failure for sign in _ABOUT_THE_PROCESSOR)


def _command(
    file: KernelFile, compiler: Compiler, flags: Sequence[str], library: Path
) -> tuple[str, ...]:
    """The command to compile ``file``. Fortran modules go to the folder in which it runs."""
    sources = find_kernel_sources()
    module = (str(sources.fortran),) if file.language == "fortran" else ()
    mathematics = ("-lm",) if file.language == "c" else ()
    return (
        *compiler.command,
        *flags,
        f"-I{sources.include}",
        f"-I{file.path.parent}",
        *("-shared", "-fPIC", "-o", str(library)),
        *module,
        str(file.path),
        *mathematics,
    )


@dataclass(frozen=True)
class CompileError:
    """One error of a compiler; ``line`` counts from 1."""

    file: str
    line: int
    what: str

    def words(self) -> str:
        """The error in words, such as ``my.c:12: expected ';' before 'x'``."""
        message = self.what.strip().rstrip(".?")
        return f"{Path(self.file).name}:{self.line}: {shortened(message, _MOST_CHARACTERS)}"


def compile_errors(text: str) -> Iterator[CompileError]:
    """The errors that name a file and a line, in the order in which they were printed."""
    place: re.Match[str] | None = None
    for line in text.splitlines():
        placed = next((found for each in _PLACED if (found := each.match(line))), None)
        if placed is not None:
            yield CompileError(placed["file"], int(placed["line"]), placed["what"])
        place = _PLACE.match(line) or place
        what = _WHAT.match(line)
        if what is not None and place is not None:
            yield CompileError(place["file"], int(place["line"]), what["what"])


def first_error(text: str) -> str:
    """The first error in words. One without a source line, such as a linker's, stays as printed."""
    placed = next(compile_errors(text), None)
    return line_of_error(text) if placed is None else placed.words()
