"""Links between pages lead somewhere in the source tree; building the site sees to them there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from doc_lines import documents
from programs import REPOSITORY

from streamgage.explanations import codes

_LINK = re.compile(r"\]\(([^)\s]+)\)")


@pytest.mark.parametrize("page", documents(), ids=lambda path: str(path.relative_to(REPOSITORY)))
def test_every_link_of_a_page_leads_to_a_file(page: Path) -> None:
    for link in _LINK.findall(page.read_text("utf-8")):
        target, _, anchor = link.partition("#")
        if "://" in link:
            continue
        found = page.parent / target if target else page
        assert found.exists(), link
        assert not anchor or anchor in anchors(found), link


def anchors(page: Path) -> set[str]:
    """What the headings of a page can be linked by."""
    headings = re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.MULTILINE)
    return {
        re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-") for heading in headings
    }


def test_the_tutorial_and_the_how_to_pages_name_findings_that_there_are() -> None:
    named = set()
    for page in documents():
        named |= set(
            re.findall(r"\]\((?:\.\./)*(?:docs/)?findings/([\w-]+)\.md\)", page.read_text())
        )
    assert len(named) > 10
    assert named <= set(codes())
