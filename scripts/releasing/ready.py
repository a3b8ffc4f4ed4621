"""Says why a commit may not be released."""

from __future__ import annotations

import re
import subprocess
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from checks import checked
from checks.checked import PASSED, PartRecord
from checks.parts import CHECK, GATE

_SINCE = ("tests/checked.json", "CONTRIBUTING.md")
"""Files that may differ from the commit at which the parts passed: they say that they did."""


@dataclass(frozen=True)
class Project:
    """What pyproject.toml says of the project."""

    name: str
    version: str
    source: str
    """The address of its sources."""


def project(root: Path) -> Project:
    """Read pyproject.toml."""
    about = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    return Project(about["name"], about["version"], about["urls"]["Source"])


def git(root: Path, *words: str) -> str | None:
    """What git prints; ``None`` if it fails."""
    done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else None


def reasons_against(root: Path, version: str) -> list[str]:
    """Every reason why the checkout may not be released."""
    found = []
    if reason := checked.reason_against_records():
        found.append(reason)
    if not section_of((root / "CHANGELOG.md").read_text("utf-8"), version):
        found.append(f"CHANGELOG.md has no section [{version}], or an empty one")
    tagged = git(root, "rev-parse", "--verify", "--quiet", f"v{version}^{{commit}}")
    if tagged is not None and tagged != git(root, "rev-parse", "HEAD"):
        found.append(f"the tag v{version} is at another commit")
    return [*found, *_unchecked(root, checked.read())]


def section_of(changelog: str, version: str) -> str:
    """What the changelog says of a version; empty if nothing."""
    found = re.search(
        rf"^## \[{re.escape(version)}\][^\n]*\n(.*?)(?=^## |\Z)", changelog, re.M | re.S
    )
    return found[1].strip() if found else ""


def _unchecked(root: Path, known: Mapping[str, PartRecord]) -> list[str]:
    """The parts of `make check` that have not passed with these sources."""
    others = [f":!{each}" for each in _SINCE]
    found = []
    for part in CHECK:
        last = known.get(part.name)
        if part in GATE:
            continue
        if last is None:
            found.append(f"the part {part.name} of make check never ran")
        elif last.result not in PASSED:
            found.append(f"the part {part.name} of make check failed at {last.commit}")
        elif git(root, "diff", "--quiet", last.commit, "HEAD", "--", ".", *others) is None:
            found.append(f"the part {part.name} of make check last passed at {last.commit}")
    return found
