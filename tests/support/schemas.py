"""What checks documents by the JSON Schemas that the Python types give."""

from __future__ import annotations

from functools import cache
from typing import Any

from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from streamgage.manual import schema


@cache
def validator(name: str) -> Draft202012Validator:
    """A validator by ``NAME.schema.json``; what it refers to in other files is found."""
    described = schemas()[name]
    Draft202012Validator.check_schema(described)
    return Draft202012Validator(described, registry=_registry())


@cache
def schemas() -> dict[str, dict[str, Any]]:
    """The schema of each document, by its name."""
    return schema.documents()


@cache
def _registry() -> Registry[Any]:
    """Every file by its ``$id``; no other address is ever asked."""
    files = map(Resource.from_contents, schemas().values())
    return Registry().with_resources((str(each.id()), each) for each in files)
