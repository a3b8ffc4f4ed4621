"""Writes the recipes of packaging/ with what pyproject.toml and scripts/bootstrap declare.

``python3 scripts/recipes.py FOLDER`` fills in the version, the description, the licence, and what
the build and the programs need. Each package manager has its own names; ``NAMES`` has those of what
is not from PyPI. A package that the bootstrap gains and that has no row there is an error.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
import tomllib
from email.utils import formatdate
from pathlib import Path
from time import gmtime, strftime
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
TEMPLATES = ROOT / "packaging"
_PLACE = re.compile(r"@([A-Z][A-Z_]+)@")
_REQUIREMENT = re.compile(r"([A-Za-z0-9._-]+?)\s*((?:[<>=!~]=?[0-9.]+,?)*)")
_ENVIRONMENT = {"python3", "python3-venv"}
"""The bootstrap's packages that are only for its virtual environment."""
_COMPILERS = {"g++", "make"}
"""Packages for which every recipe has its own name."""


class Names(NamedTuple):
    """The names of a package of Debian elsewhere."""

    conda: str
    """Of conda-forge."""
    spack: str
    easybuild: str
    """With the version of GCCcore 14.3.0."""
    fedora: str
    nix: str


NAMES = {
    "cmake": Names("cmake", "cmake", "('CMake', '4.0.3')", "cmake", "cmake"),
    "ninja-build": Names("ninja", "ninja", "('Ninja', '1.13.0')", "ninja-build", "ninja"),
    "pkg-config": Names(
        "pkg-config", "pkgconfig", "('pkgconf', '2.4.3')", "pkgconf-pkg-config", "pkg-config"
    ),
    "libhwloc-dev": Names("libhwloc", "hwloc", "('hwloc', '2.12.1')", "hwloc-devel", "hwloc"),
    "libhwy-dev": Names("libhwy", "highway", "('Highway', '1.3.0')", "highway-devel", "libhwy"),
    "nlohmann-json3-dev": Names(
        *("nlohmann_json", "nlohmann-json", "('nlohmann_json', '3.12.0')"),
        *("json-devel", "nlohmann_json"),
    ),
    "libcli11-dev": Names("cli11", "cli11", "('CLI11', '2.6.2')", "cli11-devel", "cli11"),
    "libfmt-dev": Names("fmt", "fmt", "('fmt', '11.2.0')", "fmt-devel", "fmt"),
    "libexpected-dev": Names(
        *("tl-expected", "tl-expected", "('tl-expected', '1.3.1', '', SYSTEM)"),
        *("expected-devel", "tl-expected"),
    ),
}
_TOOLS = {"cmake", "ninja-build", "pkg-config"}
_LIBRARIES = {"libhwloc-dev", "libfmt-dev"}
"""What the programs load when they run; the others are headers."""


def build_packages() -> list[str]:
    """Debian's packages that the build needs, from the bootstrap's list."""
    text = (ROOT / "scripts" / "bootstrap").read_text("utf-8")
    listed = re.search(r"^build_packages=\((.*?)^\)", text, re.M | re.S)
    if listed is None:
        raise SystemExit("scripts/bootstrap has no list build_packages")
    names = re.sub(r"#.*", "", listed[1]).split()
    unknown = [name for name in names if name not in {*NAMES, *_ENVIRONMENT, *_COMPILERS}]
    if unknown:
        raise SystemExit(f"give {unknown[0]} its names in NAMES of scripts/recipes.py")
    return [name for name in names if name not in _ENVIRONMENT]


def split_requirement(text: str) -> tuple[str, str]:
    """``typer`` and ``>=0.16,<0.29``."""
    match = _REQUIREMENT.fullmatch(text)
    if match is None:
        raise SystemExit(f"scripts/recipes.py does not know what '{text}' asks for")
    return match[1], match[2]


def for_spack(requirement: str) -> str:
    """``py-typer@0.16:0.28``: both ends of a range belong to it."""
    name, bounds = split_requirement(requirement)
    low = re.search(r">=([0-9.]+)", bounds)
    high = re.search(r"<([0-9.]+)", bounds)
    end = ""
    if high is not None:
        *first, last = high[1].split(".")
        end = ".".join([*first, str(int(last) - 1)]) if int(last) else f"{high[1]}a"
    span = f"@{low[1] if low else ''}:{end}" if low or high else ""
    return f"py-{name.lower()}{span}"


def for_conda(requirement: str) -> str:
    """``typer >=0.16,<0.29``."""
    return " ".join(split_requirement(requirement)).strip()


def for_nix(requirement: str) -> str:
    """``typer``: nixpkgs has one version of each package."""
    return split_requirement(requirement)[0].lower()


def lines(indent: str, parts: list[str]) -> str:
    """Join lines, without the newline of the last."""
    return "\n".join(f"{indent}{part}" for part in parts)


def facts() -> dict[str, str]:
    """Return the value for each placeholder."""
    project: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    about = project["project"]
    needs: list[str] = about["dependencies"]
    build: list[str] = project["build-system"]["requires"]
    packages = build_packages()
    named = [name for name in packages if name in NAMES]
    headers = [name for name in named if name not in _TOOLS]
    libraries = [name for name in named if name in _LIBRARIES]
    licence = (ROOT / "LICENSE").read_text("utf-8").splitlines()
    spack = [f'depends_on("{NAMES[name].spack}", type="{_spack_type(name)}")' for name in named]
    return {
        "VERSION": about["version"],
        "DESCRIPTION": about["description"],
        "LICENSE": about["license"],
        "LICENSE_TEXT": "\n".join(f" {line.strip() or '.'}" for line in licence),
        "COPYRIGHT": next(line for line in licence if line.startswith("Copyright (c) "))[14:],
        "HOMEPAGE": about["urls"]["Homepage"],
        "PYTHON": about["requires-python"].removeprefix(">="),
        "DATE": formatdate(_time_of_sources(), localtime=False),
        "WHEEL": f"build/wheels/streamgage-{about['version']}-*_x86_64.whl",
        "DEBIAN_BUILD": ", ".join(name for name in packages if name not in _COMPILERS),
        "SPACK_BUILD": lines("    ", spack),
        "SPACK_PYTHON": lines(
            "    ",
            [f'depends_on("{for_spack(each)}", type="build")' for each in build]
            + [f'depends_on("{for_spack(each)}", type=("build", "run"))' for each in needs],
        ),
        "CONDA_BUILD": lines("    - ", [NAMES[name].conda for name in named if name in _TOOLS]),
        "CONDA_HOST": lines(
            "    - ", [for_conda(each) for each in build] + [NAMES[name].conda for name in headers]
        ),
        "CONDA_RUN": lines("    - ", [for_conda(each) for each in needs]),
        "EASYBUILD_BUILD": lines(
            "    ", [f"{NAMES[name].easybuild}," for name in named if name not in libraries]
        ),
        "EASYBUILD_RUN": lines("    ", [f"{NAMES[name].easybuild}," for name in libraries]),
        "FEDORA_BUILD": lines("BuildRequires:  ", [NAMES[name].fedora for name in named]),
        "RPM_DATE": strftime("%a %b %d %Y", gmtime(_time_of_sources())),
        "NIX_TOOLS": lines("    ", [NAMES[name].nix for name in named if name in _TOOLS]),
        "NIX_LIBRARIES": lines("    ", [NAMES[name].nix for name in headers]),
        "NIX_ARGUMENTS": lines("  ", [f"{NAMES[name].nix}," for name in named]),
        "NIX_BUILD": lines("    ", [for_nix(each) for each in build]),
        "NIX_RUN": lines("    ", [for_nix(each) for each in needs]),
        **_facts_of_engine(),
    }


def _spack_type(name: str) -> str:
    return "link" if name in _LIBRARIES else "build"


def _time_of_sources() -> float:
    """When the last commit was made; the beginning of 1980 in a folder without git."""
    done = subprocess.run(
        ["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return float(done.stdout.strip() or 315532800)


def _facts_of_engine() -> dict[str, str]:
    """The size and the sum of the engine file; empty where none is built."""
    file = ROOT / "build" / "streamgage-engine"
    if not file.is_file():
        return {"ENGINE_BYTES": "", "ENGINE_SHA": ""}
    content = file.read_bytes()
    return {"ENGINE_BYTES": str(len(content)), "ENGINE_SHA": hashlib.sha256(content).hexdigest()}


def write(folder: Path) -> None:
    """Write every recipe below ``folder``, as it lies below packaging/."""
    known = facts()

    def filled(text: str) -> str:
        return _PLACE.sub(lambda found: known[found[1]], text)

    for template in sorted(TEMPLATES.rglob("*")):
        if template.is_file():
            name = filled(str(template.relative_to(TEMPLATES)))
            path = folder / name.removesuffix(".in")  # what is no Python until it is filled in
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(filled(template.read_text("utf-8")), "utf-8")
            path.chmod(template.stat().st_mode & 0o777)


if __name__ == "__main__":
    write(Path(sys.argv[1]))
