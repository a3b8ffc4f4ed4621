"""A result as an entry for a bibliography."""

from __future__ import annotations

import re

from example_results import every_kind
from msgspec.structs import replace

from streamgage.records.content import digest_of
from streamgage.results.kinds import KINDS
from streamgage.show.bibtex import render


def test_the_entry_has_the_quote_and_the_identity_of_the_records() -> None:
    [measured, *_] = (each for each in every_kind() if each.kind.name == "measure")
    entry = render(measured.page)
    identity = digest_of(measured.files).hex()[:12]
    assert entry.startswith("@misc{streamgage-") and entry.endswith("}\n")
    assert f"-{identity},\n" in entry and f"Records: {identity} (SHA-256)." in entry
    assert "interval of 95 \\%" in entry and "based on a variant of the STREAM benchmark" in entry
    assert entry.count("{") == entry.count("}")


def test_special_letters_do_not_end_the_entry() -> None:
    [measured, *_] = (each for each in every_kind() if each.kind.name == "measure")
    page = measured.page
    assert page.machine is not None
    odd = replace(page, machine=replace(page.machine, host="a}b_c%"), headline="x} \\input{y} 5 %")
    entry = render(odd)
    assert re.match(r"@misc\{streamgage-a-b-c-", entry)
    assert r"title = {x\} \textbackslash{}input\{y\} 5 \%}" in entry


def test_only_kinds_with_a_quote_have_the_format() -> None:
    for kind in KINDS:
        assert ("bibtex" in kind.formats) == (kind.quote is not None)
