"""Finds PETSc: in a folder, by version, or the first that is installed."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from streamgage.errors import UsageError
from streamgage.process.launch import LauncherName
from streamgage.process.program import run_for
from streamgage.records.files import cache_folder
from streamgage.units import listed

INSTALL = (
    "install Debian's package petsc-dev, or `make petsc` in streamgage's source folder, or name the"
    " folder of yours with --petsc"
)
_NAMES = ("PETSc", "petsc")
"""The names of its file for pkg-config; the first one is used since 3.12."""
_MOST_SECONDS = 60.0
_PROBE = "#include <petscsys.h>\n#include <mpi.h>\n"
_DEFINED = re.compile(r"#define (\w+) (.*)")
_VERSION = ("PETSC_VERSION_MAJOR", "PETSC_VERSION_MINOR", "PETSC_VERSION_SUBMINOR")


@dataclass(frozen=True)
class Petsc:
    """A PETSc that programs can be built with."""

    version: tuple[int, int, int]
    folder: Path | None
    """The folder of its installation; ``None`` for the system's."""
    compiler: str
    """The C compiler of its MPI."""
    compile_flags: tuple[str, ...]
    link_flags: tuple[str, ...]
    debug: bool
    """``True`` if it was configured with debugging, which makes it much slower."""
    long_integers: bool
    mpi: str
    """Its MPI library, such as ``Open MPI 4.1.4``."""
    launcher: LauncherName
    """The launcher that starts programs of its MPI."""

    @property
    def number(self) -> str:
        """Its version, such as ``3.18.5``."""
        return ".".join(map(str, self.version))

    @property
    def name(self) -> str:
        """Its name, such as ``PETSc 3.18.5 in /opt/petsc``."""
        return f"PETSc {self.number}" + ("" if self.folder is None else f" in {self.folder}")


def find_petsc(which: str | None, environment: Mapping[str, str] = os.environ) -> list[Petsc]:
    """Find every PETSc that fits ``which``: a folder, a version such as ``3.18``, or any.

    There is at least one. The order is ``$PETSC_DIR`` with ``$PETSC_ARCH``, pkg-config's, then
    those of ``make petsc`` from the newest on. Raises ``UsageError`` if there is none, or it cannot
    be used.
    """
    if which is not None and ("/" in which or os.path.isdir(which)):  # noqa: PTH112 - raises nothing
        return [_in_folder(Path(which).expanduser().absolute(), environment)]
    named = _named_folder(environment)
    if named is not None and which is None:
        return [_in_folder(named, environment)]
    found: list[Petsc] = []
    refusals: list[str] = []
    for folder in _places(environment):
        try:
            installed = _described(folder, environment)
        except UsageError as refusal:
            refusals.append(str(refusal))
            continue
        if installed is not None:
            found.append(installed)
    fitting = [each for each in found if which is None or _fits(each, which)]
    if fitting:
        return fitting
    if refusals:
        raise UsageError(refusals[0])
    what = "no PETSc" if which is None else f"no PETSc {which}"
    others = f", but {listed([each.name for each in found])}" if found else ""
    raise UsageError(f"There is {what} here{others}: {INSTALL}.")


def _fits(petsc: Petsc, which: str) -> bool:
    return f"{petsc.number}.".startswith(f"{which}.")


def _places(environment: Mapping[str, str]) -> Iterator[Path | None]:
    """Yield the folders that may have one; ``None`` stands for what pkg-config finds by itself."""
    named = _named_folder(environment)
    if named is not None:
        yield named
    yield None
    cache = cache_folder(environment)
    if cache is not None:
        yield from sorted(
            (each.parent for each in (cache / "petsc").glob("*/complete")),
            key=lambda folder: [int(each) for each in re.findall(r"\d+", folder.name)],
            reverse=True,
        )


def _named_folder(environment: Mapping[str, str]) -> Path | None:
    """The folder that PETSc's own variables name; ``None`` if they name none."""
    folder = environment.get("PETSC_DIR")
    return Path(folder) / environment.get("PETSC_ARCH", "") if folder else None


def _in_folder(folder: Path, environment: Mapping[str, str]) -> Petsc:
    found = _described(folder, environment)
    if found is None:
        raise UsageError(
            f"{folder} has no lib/pkgconfig/PETSc.pc: name the folder that PETSc is installed in"
            " (PETSC_DIR, or PETSC_DIR/PETSC_ARCH where it was not installed)."
        )
    return found


def _described(folder: Path | None, environment: Mapping[str, str]) -> Petsc | None:
    """Describe the PETSc in ``folder``; ``None`` if there is none.

    Raises ``UsageError`` if it cannot be used.
    """
    name = _package(folder, environment)
    if name is None:
        return None
    where = "" if folder is None else f" in {folder}"
    cflags = shlex.split(_ask(["--cflags", name], environment) or "")
    libs = shlex.split(_ask(["--libs", name], environment) or "")
    rpaths = [f"-Wl,-rpath,{flag[2:]}" for flag in libs if flag.startswith("-L")]
    compilers = [_ask(["--variable=ccompiler", name], environment), "mpicc.openmpi", "mpicc.mpich"]
    failure = ""
    for compiler in dict.fromkeys(each for each in compilers if each and shutil.which(each)):
        macros, failure = _macros(compiler, cflags, failure)
        if all(each in macros for each in _VERSION):
            mpi, launcher = _mpi_of(macros, where)
            major, minor, subminor = (int(macros[each]) for each in _VERSION)
            return Petsc(
                version=(major, minor, subminor),
                folder=folder,
                compiler=compiler,
                compile_flags=tuple(cflags),
                link_flags=(*libs, *rpaths),
                debug=macros.get("PETSC_USE_DEBUG", "0") not in ("", "0"),
                long_integers="PETSC_USE_64BIT_INDICES" in macros,
                mpi=mpi,
                launcher=launcher,
            )
    why = f" ({failure})" if failure else ""
    raise UsageError(
        f"PETSc{where} cannot be used: there is no compiler of the MPI that it was built with{why};"
        " install Debian's packages libopenmpi-dev or libmpich-dev, or load its module."
    )


def _package(folder: Path | None, environment: Mapping[str, str]) -> str | None:
    """Its name in pkg-config; ``None`` if pkg-config does not know it."""
    if folder is None:
        return next((n for n in _NAMES if _ask(["--exists", n], environment) is not None), None)
    files = [folder / "lib" / "pkgconfig" / f"{name}.pc" for name in _NAMES]
    return next((str(each) for each in files if each.is_file()), None)


def _ask(words: list[str], environment: Mapping[str, str]) -> str | None:
    """The output of pkg-config; ``None`` if it fails.

    Raises ``UsageError`` if it is not installed.
    """
    program = shutil.which("pkg-config", path=environment.get("PATH"))
    if program is None:
        raise UsageError(
            "pkg-config, which knows how to build with PETSc, is not installed: install it."
        )
    done = run_for([program, *words], _MOST_SECONDS)
    return done.output.strip() if done is not None and done.status == 0 else None


def _macros(compiler: str, flags: list[str], before: str) -> tuple[dict[str, str], str]:
    """The macros that its headers define, and why they cannot be read (else ``before``)."""
    with tempfile.TemporaryDirectory(prefix="streamgage-") as folder:
        probe = Path(folder) / "probe.c"
        probe.write_text(_PROBE, "utf-8")
        done = run_for([compiler, *flags, "-dM", "-E", str(probe)], _MOST_SECONDS)
    if done is None or done.status != 0:
        error = re.search(r"error: (.*)", "" if done is None else done.output)
        return {}, before or (error[1].strip(' "') if error else f"{compiler} fails")
    return {each[1]: each[2] for each in _DEFINED.finditer(done.output)}, before


def _mpi_of(macros: Mapping[str, str], where: str) -> tuple[str, LauncherName]:
    if "OMPI_MAJOR_VERSION" in macros:
        parts = ("OMPI_MAJOR_VERSION", "OMPI_MINOR_VERSION", "OMPI_RELEASE_VERSION")
        number = ".".join(macros.get(each, "0") for each in parts)
        return f"Open MPI {number}", LauncherName.OPENMPI
    for name, version in (
        ("Intel MPI", "I_MPI_VERSION"),
        ("MVAPICH", "MVAPICH2_VERSION"),
        ("MPICH", "MPICH_VERSION"),
    ):
        if version in macros:
            return f"{name} {macros[version].strip(chr(34))}", LauncherName.MPICH
    raise UsageError(
        f"PETSc{where} was built without MPI, or with an unknown one (known: Open MPI, MPICH and"
        " its relatives): its scaling needs ranks."
    )
