"""The notices name everything that is compiled into the engine, not only what a list says."""

from __future__ import annotations

import json
import re
import subprocess
from importlib import metadata
from pathlib import Path

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from programs import REPOSITORY

BUILD = REPOSITORY / "build" / "wheel"
OF_THE_COMPILER = re.compile(r"libc6-dev|linux-libc-dev|lib(stdc\+\+|gcc)-\d+-dev")
"""Debian's packages of the C library, the kernel's headers and the compiler."""


def compiled_files() -> set[str]:
    """The files outside the project that ninja saw the engine's sources include."""
    listed = subprocess.run(
        ["ninja", "-C", BUILD, "-t", "deps"], check=True, capture_output=True, text=True
    ).stdout
    blocks = (block.splitlines() for block in listed.split("\n\n") if block.strip())
    own = [lines for lines in blocks if re.match(r"(engine|library)/(?!.*test)", lines[0])]
    assert own, "ninja knows nothing of the engine"
    return {path for _, *lines in own for line in lines if (path := line.strip())[0] == "/"}


def packages_of(files: set[str]) -> set[str]:
    """Debian's packages that have these files, without those of the compiler."""
    named = subprocess.run(
        ["dpkg", "--search", *sorted(files)], check=False, capture_output=True, text=True
    ).stdout
    found = {line.partition(":")[0] for line in named.splitlines()}
    return {name for name in found if not OF_THE_COMPILER.fullmatch(name)}


def test_a_bill_of_materials_names_what_has_a_notice() -> None:
    text = (BUILD / "engine.cdx.json").read_text("utf-8")
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    bill = json.loads(text)
    assert bill["metadata"]["component"]["version"] == metadata.version("streamgage")
    notices = (BUILD / "NOTICES").read_text("utf-8")
    said = set(re.findall(r"^(\S.*) \(([^()]+)\)\nhttps://", notices, re.MULTILINE))
    parts = {(each["name"], each["licenses"][0]["expression"]) for each in bill["components"]}
    assert len(parts) >= 5 and parts == said
    assert all(each["version"] for each in bill["components"])


def test_every_package_that_is_compiled_in_has_its_notice() -> None:
    packages = packages_of({path for path in compiled_files() if path.startswith("/usr/include")})
    assert len(packages) >= 5, packages
    notices = (BUILD / "NOTICES").read_text("utf-8")
    without = {
        name
        for name in packages
        if Path("/usr/share/doc", name, "copyright").read_text("utf-8") not in notices
    }
    assert without == set()
