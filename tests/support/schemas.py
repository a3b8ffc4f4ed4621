"""Checks documents by the JSON Schemas of the Python types."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator, ValidationError
from jsonschema.validators import extend
from referencing import Registry, Resource

from streamgage.manual import schema


@cache
def validator(name: str) -> Draft202012Validator:
    """A validator by ``NAME.schema.json``, which also finds types in other files."""
    described = schemas()[name]
    Draft202012Validator.check_schema(described)
    checker = extend(Draft202012Validator, {"anyOf": _any_of})
    made: Draft202012Validator = checker(described, registry=_registry())
    return made


def _any_of(
    checker: Draft202012Validator,
    choices: list[dict[str, Any]],
    value: object,
    described: dict[str, Any],
) -> Iterator[ValidationError]:
    """``anyOf``, where the tag of ``value`` names the only choice that it can meet: that alone.

    Every choice requires its own tag, and to try all of them takes most of the time.
    """
    by_tag = described.get("discriminator", {"propertyName": None, "mapping": {}})
    tag = value.get(by_tag["propertyName"]) if isinstance(value, dict) else None
    if isinstance(tag, str) and tag in by_tag["mapping"]:
        choice = {"$ref": by_tag["mapping"][tag]}
        assert choice in choices
        yield from checker.descend(value, choice)
    else:
        yield from Draft202012Validator.VALIDATORS["anyOf"](checker, choices, value, described)


@cache
def schemas() -> dict[str, dict[str, Any]]:
    """The schema of each document, by its name."""
    return schema.documents()


@cache
def _registry() -> Registry[Any]:
    """Every file by its ``$id``; no other address is ever asked."""
    files = map(Resource.from_contents, schemas().values())
    return Registry().with_resources((str(each.id()), each) for each in files)
