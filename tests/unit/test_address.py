"""Addresses of stores on servers, and that no password comes out of one."""

from __future__ import annotations

from pathlib import Path

import pytest

from streamgage.errors import StreamgageError, UsageError
from streamgage.records.address import Address, place_in
from streamgage.records.spool_folder import runs_for


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql://ann:secret@db:5433/results", "postgresql://ann@db:5433/results"),
        ("postgres://ann:secret@db/results", "postgresql://ann@db/results"),
        ("postgresql:///results", "postgresql:///results"),
        ("postgresql://", "postgresql://"),
        ("postgresql://ann:se%40cret@[::1]:1,h2/r", "postgresql://ann@[::1]:1,h2/r"),
        (
            "postgresql://db/r?user=ann&password=secret&sslmode=require&sslpassword=secret",
            "postgresql://db/r?user=ann&sslmode=require",
        ),
        ("postgresql://db/r?pasword=secret", "postgresql://db/r"),
    ],
)
def test_an_address_is_shown_without_its_password(url: str, shown: str) -> None:
    place = place_in(url)
    assert isinstance(place, Address)
    assert (place.url, str(place)) == (url, shown)
    assert "cret" not in f"{place} {place!r}"


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://ann:sec@ret@db/r",
        "postgresql://ann:sec/ret@db/r",
        "postgresql://ann:sec:ret@db/r",
        "postgresql://ann:sec%zzret@db/r",
        "postgresql://ann:sec%00ret@db/r",
        "postgresql://ann:sec ret@db/r",
        "postgresql:/ann:secret@db/r",  # of a Path, which has lost a slash
        "PostgreSQL://ann:secret@db/r",
        "mysql://ann:secret@db/r",
        "postgresql ://ann:secret@db/r",
        " postgresql://ann:secret@db/r",
        "postgresql//ann:secret@db/r",
        "jdbc:postgresql://db/r?user=ann&password=secret",
        "//ann:secret@db/r",
        "//ann@db/r",
        "ann:secret@db/r",
        "ann@db.example/r",
        "db.example:5432/r",
        "host=db port=5432 user=ann password=secret",
        "HOST = 'db' password = 'secret'",
        "dbname=r",
        "password=secret",
        "/var/lib/x:secret@y",
        "postgresql://ann:secret",
        "postgresql://db:5432,ann:secret/r",
        "postgresql://ann%3Asecret@db/r",
        "postgresql://db/r?dbname=postgresql://ann:secret@db/r",
        "postgresql://db/r?options=password%3Dsecret",
    ],
)
def test_an_address_that_cannot_be_read_is_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(UsageError, match="write postgresql://USER@HOST/DATABASE") as error:
        place_in(url)
    assert "ret" not in str(error.value) and "sec" not in str(error.value)


@pytest.mark.parametrize(
    "name", ["store.sqlite", "/a/b:c", "postgres/x", "~/p@q", "./a:b@c", "k=v/s.sqlite"]
)
def test_anything_else_is_a_file(name: str) -> None:
    assert place_in(name) == Path(name)


def test_a_new_password_leads_to_the_same_folder_of_runs() -> None:
    one, two = (place_in(f"postgresql://ann:{word}@db/r") for word in ("old", "new"))
    assert runs_for(one) == runs_for(two) != runs_for(place_in("postgresql://ann@db/other"))


def test_no_sentence_repeats_the_password_of_an_address() -> None:
    for url in (
        *("postgresql://ann:secret@db/r", "postgresql:/ann:secret@db/r"),
        *("postgresql ://ann:secret@db/r", "//ann:secret@db/r", "ann:secret@db/r"),
        *("host=db password=secret", "host=db password = 'se cret' user=x", "PGPASSWORD=secret x"),
    ):
        assert "cret" not in str(StreamgageError(f"{url} cannot be read: name another."))
    plain = "See http://host:80/page, or write to a@b: that is all."
    assert str(StreamgageError(plain)) == plain
