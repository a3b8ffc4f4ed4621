"""What may be the address of a server is never taken for the name of a file, and never printed."""

from __future__ import annotations

from pathlib import Path

import pytest
from example_records import as_lines, good_records
from programs import environment
from tries import tried

ADDRESSES = (
    "host=db port=5432 user=ann password=geheim",
    "HOST='db' PASSWORD='geheim'",
    "user=ann password = geheim",
    "postgresql ://ann:geheim@db/r",
    " postgresql://ann:geheim@db/r",
    "postgresql:ann:geheim@db/r",
    "postgresql//ann:geheim@db/r",
    "//ann:geheim@db/r",
    "ann:geheim@db/r",
    "ann:geheim@db",
    "ann@db/geheim",
    "postgresql://ann:geheim",
    "postgresql://ann:geheim/r",
    "postgresql://ann%3Ageheim@db/r",
    "postgresql://db/r?user=ann:geheim@db",
    "postgresql://db/r?options=password%3Dgeheim",
    "jdbc:postgresql://db/r?password=geheim",
    "https://ann:geheim@db/r",
)
LINES = (
    ["results", "import", "m.jsonl", "--store", "{}"],
    ["--store", "{}", "history"],
    ["show", "1", "--store={}"],
    ["results", "export", "--store", "{}", "-o", "x.csv"],
)


@pytest.mark.parametrize("address", ADDRESSES)
def test_no_address_is_a_file(address: str, tmp_path: Path) -> None:
    folder = tmp_path / "here"
    folder.mkdir()
    (folder / "m.jsonl").write_bytes(as_lines(good_records()))
    variables = environment(tmp_path, None)
    ends = [tried([each.format(address) for each in line], folder, variables) for line in LINES]
    named = variables | {"STREAMGAGE_STORE": address}
    ends += [
        tried(line, folder, named)
        for line in (["history"], ["results", "import", "m.jsonl"], ["results", "rm", "1"])
    ]
    for end in ends:
        assert end.status == 2 and end.stderr.startswith("streamgage: The address of the store")
        assert "geheim" not in end.stderr + end.stdout
    assert [each.name for each in folder.iterdir()] == ["m.jsonl"]


@pytest.mark.parametrize("address", ADDRESSES)
def test_an_address_in_place_of_a_file_shows_no_password(address: str, tmp_path: Path) -> None:
    folder = tmp_path / "here"
    folder.mkdir()
    variables = environment(tmp_path, None)
    for line in (["results", "import", address], ["show", address], ["interpret", address]):
        end = tried(line, folder, variables)
        assert end.status == 2 and "geheim" not in end.stderr, end
