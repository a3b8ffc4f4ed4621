"""Each term has a page that a reader can find, and that leads on to others."""

from __future__ import annotations

import re

import pytest
from programs import REPOSITORY

from streamgage.explanations import codes, names, page, summary, terms
from streamgage.interop.kernels import CATALOGUE
from streamgage.records import Kernel


def test_no_term_has_the_name_of_a_finding() -> None:
    assert len(set(names())) == len(names())
    assert set(terms()).isdisjoint(codes())


@pytest.mark.parametrize("term", terms())
def test_a_page_begins_with_a_sentence_and_ends_with_where_to_read_on(term: str) -> None:
    text = page(term)
    assert text.startswith(f"# {term}\n\n{summary(term)}\n\n")
    assert len(summary(term)) <= 78 and summary(term).endswith(".")
    (linked,) = re.findall(r"^See also: (.*)\.$", text, re.MULTILINE)
    assert set(linked.split(", ")) <= set(names()) - {term}
    assert all(len(line) <= 100 for line in text.splitlines())


@pytest.mark.parametrize("kernel", CATALOGUE, ids=lambda kernel: kernel.name)
def test_every_kernel_has_a_page_with_its_formula(kernel: Kernel) -> None:
    assert f"`{kernel.formula}`" in page(kernel.name)


@pytest.mark.parametrize(
    ("kernel", "counted", "crossed"), [("triad", 24, 32), ("copy", 16, 24), ("init", 8, 16)]
)
def test_a_kernels_page_says_what_is_counted_and_what_crosses(
    kernel: str, counted: int, crossed: int
) -> None:
    text = page(kernel)
    assert f"with double: {counted}\n" in text
    assert text.endswith(f"before the store: {crossed}\n")


def test_a_kernel_that_reads_its_target_moves_what_is_counted() -> None:
    assert "The same bytes cross" in page("daxpy")
    assert "nothing is stored" in page("sum")


@pytest.mark.parametrize("store", ["plain", "regular", "streaming", "claim", "libc"])
def test_every_kind_of_store_has_a_page(store: str) -> None:
    assert summary(store)


def test_the_pages_are_in_the_documentation() -> None:
    folder = REPOSITORY / "docs" / "terms"
    assert {path.stem for path in folder.glob("*.md")} == set(terms())
