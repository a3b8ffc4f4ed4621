"""What may be released, and what describes the files of a release."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from checks import checked
from checks.checked import PartRecord
from checks.parts import CHECK, GATE
from programs import REPOSITORY
from releasing.build import clone_of, differences, processors
from releasing.listing import write_index, write_provenance, write_sums
from releasing.ready import Project, project, reasons_against, section_of

ABOUT = Project("streamgage", "1.2.0", "https://streamgage.example/streamgage")
PARTS = [each.name for each in CHECK if each not in GATE]
CHANGELOG = "# Changelog\n\n## [Unreleased]\n\n## [1.2.0] - 2026-12-01\n\n- Something.\n"
Commit = Callable[[str, str], str]


@pytest.fixture
def commit(tmp_path: Path) -> Commit:
    """Writes a file into a repository, commits it, and returns the commit."""

    def git(*words: str) -> str:
        command = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *words]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    git("init", "--quiet")

    def made(name: str, text: str) -> str:
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, "utf-8")
        git("add", ".")
        git("commit", "--quiet", "--message", f"Change {name}")
        return git("rev-parse", "--short=12", "HEAD")

    return made


def reasons(
    root: Path, monkeypatch: pytest.MonkeyPatch, at: str, result: str = "ok", left_out: str = ""
) -> list[str]:
    """The reasons where all parts but one ran at a commit, and ended in one way."""
    known = {
        name: PartRecord(at, "2026-12-01", result, 1, "a processor")
        for name in PARTS
        if name != left_out
    }
    monkeypatch.setattr(checked, "read", lambda: known)
    monkeypatch.setattr(checked, "reason_against_records", lambda: None)
    return reasons_against(root, "1.2.0")


def test_parts_that_passed_at_this_commit_or_before_their_record_are_enough(
    tmp_path: Path, commit: Commit, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = commit("CHANGELOG.md", CHANGELOG)
    assert reasons(tmp_path, monkeypatch, at) == []
    commit("tests/checked.json", "{}")
    assert reasons(tmp_path, monkeypatch, at) == []


def test_each_reason_against_a_release_is_said(
    tmp_path: Path, commit: Commit, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = commit("CHANGELOG.md", CHANGELOG.replace("- Something.\n", ""))
    assert reasons(tmp_path, monkeypatch, at) == [
        "CHANGELOG.md has no section [1.2.0], or an empty one"
    ]
    commit("CHANGELOG.md", CHANGELOG)
    found = reasons(tmp_path, monkeypatch, at)
    assert found == [f"the part {name} of make check last passed at {at}" for name in PARTS]
    at = commit("a.txt", "a")
    assert reasons(tmp_path, monkeypatch, at, "FAIL") == [
        f"the part {name} of make check failed at {at}" for name in PARTS
    ]
    assert reasons(tmp_path, monkeypatch, at, left_out=PARTS[0]) == [
        f"the part {PARTS[0]} of make check never ran"
    ]
    subprocess.run(["git", "tag", "v1.2.0"], cwd=tmp_path, check=True)
    at = commit("a.txt", "b")
    assert reasons(tmp_path, monkeypatch, at) == ["the tag v1.2.0 is at another commit"]


def test_a_section_ends_where_the_next_begins() -> None:
    text = f"{CHANGELOG}\n## [1.1.0] - 2026-11-01\n\n- Other.\n"
    assert section_of(text, "1.2.0") == "- Something."
    assert section_of(text, "1.1.0") == "- Other."
    assert section_of(text, "1.1") == section_of(text, "Unreleased") == ""


def files(folder: Path, **contents: str) -> Path:
    folder.mkdir()
    for name, text in contents.items():
        (folder / name).write_text(text, "utf-8")
    return folder


def test_both_builds_are_of_the_commit_that_was_there_first(tmp_path: Path, commit: Commit) -> None:
    at = commit("a.txt", "first")
    commit("a.txt", "second")
    clone_of(tmp_path, at, tmp_path / "clone")
    assert (tmp_path / "clone" / "a.txt").read_text("utf-8") == "first"


def test_files_that_differ_or_are_missing_are_named(tmp_path: Path) -> None:
    one = files(tmp_path / "one", a="1", b="2", c="3")
    other = files(tmp_path / "other", a="1", b="4", d="5")
    assert differences(one, other) == ["b", "c", "d"]
    assert differences(one, one) == []


def test_an_index_leads_to_every_package_with_its_sum(tmp_path: Path) -> None:
    wheel = "streamgage-1.2.0-py3-none-manylinux_2_28_x86_64.whl"
    names = (wheel, "streamgage-1.2.0.tar.gz", "streamgage_cloud-1.2.0-py3-none-any.whl")
    others = ("streamgage-engine-1.2.0-linux-x86_64", "streamgage-1.2.0-recipes.tar.gz", "NOTICES")
    out = files(tmp_path / "out", **{name: name for name in (*names, *others)})
    write_index(out, ABOUT)
    assert re.findall('href="(.*?)"', (out / "simple/index.html").read_text()) == [
        "streamgage/",
        "streamgage-cloud/",
    ]
    for package, of_package in (("streamgage", names[:2]), ("streamgage-cloud", names[2:])):
        page = out / "simple" / package / "index.html"
        links = dict(re.findall('href="(.*?)#sha256=(.*?)"', page.read_text()))
        assert {(page.parent / link).resolve().name for link in links} == set(of_package)
        for link, said in links.items():
            content = (page.parent / link).resolve().read_bytes()
            assert said == hashlib.sha256(content).hexdigest()


def test_sums_and_provenance_hold_for_every_file(tmp_path: Path) -> None:
    out = files(tmp_path / "out", a="1", b="2")
    write_provenance(out, "c0ffee", ABOUT)
    write_sums(out)
    done = subprocess.run(
        ["sha256sum", "--check", "SHA256SUMS"], cwd=out, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == ["a: OK", "b: OK", "provenance.json: OK"]
    said = json.loads((out / "provenance.json").read_text())
    assert [each["name"] for each in said["subject"]] == ["a", "b"]
    for each in said["subject"]:
        content = (out / each["name"]).read_bytes()
        assert each["digest"] == {"sha256": hashlib.sha256(content).hexdigest()}
    definition = said["predicate"]["buildDefinition"]
    assert definition["externalParameters"] == {"version": "1.2.0"}
    assert definition["resolvedDependencies"][0]["digest"] == {"gitCommit": "c0ffee"}


def test_engines_are_built_for_every_processor_with_a_toolchain() -> None:
    names = {each.stem for each in (REPOSITORY / "cross" / "toolchains").glob("*.cmake")}
    assert names <= set(processors(REPOSITORY))
    assert project(REPOSITORY).name == "streamgage"
