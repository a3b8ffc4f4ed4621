"""Writes what describes the files of a release: sums, an index, and where they come from."""

from __future__ import annotations

import hashlib
import html
import json
import platform
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

from releasing.ready import Project

SUMS = "SHA256SUMS"
PROVENANCE = "provenance.json"


def sum_of(file: Path) -> str:
    """The SHA-256 of a file."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _files(out: Path) -> Iterator[Path]:
    """All files but their sums, sorted by name."""
    return iter(sorted(each for each in out.iterdir() if each.is_file() and each.name != SUMS))


def write_sums(out: Path) -> None:
    """Write the sums of all files, as ``sha256sum --check`` reads them."""
    lines = [f"{sum_of(each)}  {each.name}\n" for each in _files(out)]
    (out / SUMS).write_text("".join(lines), "utf-8")


def sign(out: Path, key: str) -> None:
    """Sign the sums. Raises ``CalledProcessError`` if gpg cannot."""
    command = ["gpg", "--batch", "--yes", "--local-user", key, "--armor", "--detach-sign", SUMS]
    subprocess.run(command, cwd=out, check=True)


def write_index(out: Path, about: Project) -> None:
    """Write an index of the packages, as PEP 503 describes it: ``--index-url OUT/simple``."""
    sources = out / f"{about.name}-{about.version}.tar.gz"
    packages: dict[str, list[Path]] = {}
    for each in (*sorted(out.glob("*.whl")), sources):
        project = re.sub(r"[-_.]+", "-", each.name.partition("-")[0]).lower()
        packages.setdefault(project, []).append(each)
    simple = out / "simple"
    for project, files in packages.items():
        links = [
            f'<a href="../../{html.escape(each.name)}#sha256={sum_of(each)}">{each.name}</a><br>'
            for each in files
        ]
        _write_page(simple / project, links)
    _write_page(simple, [f'<a href="{each}/">{each}</a><br>' for each in sorted(packages)])


def _write_page(folder: Path, links: list[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    page = "\n".join(["<!DOCTYPE html>", "<html><body>", *links, "</body></html>", ""])
    (folder / "index.html").write_text(page, "utf-8")


def write_provenance(out: Path, commit: str, about: Project) -> None:
    """Write from which commit and how the files were built: in-toto's statement, SLSA's predicate.

    Source: https://slsa.dev/spec/v1.0/provenance.
    """
    statement = {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [
            {"name": each.name, "digest": {"sha256": sum_of(each)}} for each in _files(out)
        ],
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {
            "buildDefinition": {
                "buildType": f"{about.source}/blob/{commit}/scripts/release",
                "externalParameters": {"version": about.version},
                "internalParameters": {"compiler": _compiler(), "machine": platform.machine()},
                "resolvedDependencies": [
                    {"uri": f"git+{about.source}", "digest": {"gitCommit": commit}}
                ],
            },
            "runDetails": {"builder": {"id": f"{about.source}/blob/{commit}/scripts/release"}},
        },
    }
    (out / PROVENANCE).write_text(f"{json.dumps(statement, indent=1)}\n", "utf-8")


def _compiler() -> str:
    command = ["c++", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.partition("\n")[0]
