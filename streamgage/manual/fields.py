"""What the sources say of each field of a type: the string below it.

Python keeps the docstring of a class and drops those of its fields, so they are read from the
sources.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

Fields = Mapping[str, str]
"""Name of each field, with what is said of it, which may be nothing."""


class FieldTexts:
    """The fields of every class of a package."""

    def __init__(self, package: Path) -> None:
        """Read all of its sources."""
        self._classes: dict[str, list[tuple[list[str], Fields]]] = defaultdict(list)
        for path in sorted(package.rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.ClassDef):
                    bases = [base.id for base in node.bases if isinstance(base, ast.Name)]
                    self._classes[node.name].append((bases, dict(_fields(node))))

    def of(self, name: str, fields: Collection[str]) -> Fields:
        """Those of the class of that name; of several, of the one with most of these fields."""
        found = [self._with_bases(each) for each in self._classes.get(name, [])]
        return max(found, key=lambda each: len(set(fields) & set(each)), default={})

    def _with_bases(self, one: tuple[list[str], Fields]) -> Fields:
        bases, own = one
        inherited: dict[str, str] = {}
        for base in bases:
            for each in self._classes.get(base, [])[:1]:
                inherited |= self._with_bases(each)
        return inherited | dict(own)


def _fields(node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    following = [*node.body[1:], None]
    for statement, after in zip(node.body, following, strict=True):
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            yield statement.target.id, _string(after)


def _string(statement: ast.stmt | None) -> str:
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return " ".join(str(statement.value.value).split())
    return ""
