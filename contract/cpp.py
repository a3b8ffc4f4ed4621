"""Writes declarations as C++: structs, names of words, readers and writers."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from declarations import (
    REQUIRED,
    Boolean,
    DeclarationError,
    EitherNumber,
    Field,
    Integer,
    ListOf,
    Made,
    MapOf,
    Module,
    Number,
    Reference,
    Sources,
    Struct,
    Text,
    Type,
    Words,
)

_WIDTH = 100
_PLAIN = {Boolean: "bool", Number: "double", Text: "std::string", EitherNumber: "AnyNumber"}
_INT = (-(1 << 31), (1 << 31) - 1)


@dataclass(frozen=True)
class ByHand:
    """A type that C++ has already; only what reads or writes it is made."""

    name: str
    header: str
    words: Mapping[str, str] = field(default_factory=dict)
    """The enumerator of each word, if it does not follow from the word."""


@dataclass(frozen=True)
class Unit:
    """A header and its source."""

    name: str
    """``contract/NAME.hpp``."""
    roots: Sequence[Reference] = ()
    """The classes that it has, with all that they consist of."""
    reads: bool = True
    """``True`` if the engine reads them, ``False`` if it writes them."""
    constants: Sequence[Reference] = ()
    """Numbers, texts, and texts or numbers for each of some words."""
    module: str = ""
    """A module whose constants it has, and whose choices of words (``Literal``) as enums."""
    namespace: str = ""
    """The namespace inside that of the engine; empty: records have one, others have none."""
    leaves_out_defaults: bool = False
    """``True`` if what the engine writes has no field with its default."""


def enumerator(word: str) -> str:
    """``kFourWords`` of ``four-words``, ``k3To1`` of ``3:1``, ``kCudaCpp`` of ``cuda-c++``."""
    spelled = word.replace("+", "p").replace(":", "-to-")
    return "k" + "".join(
        part[:1].upper() + part[1:] for part in re.split(r"[^A-Za-z0-9]+", spelled)
    )


def constant_name(name: str) -> str:
    """``kSchemaVersion`` of ``SCHEMA_VERSION``."""
    return "k" + "".join(part.capitalize() for part in name.split("_"))


class Writer:
    """Writes the units of a contract, each type once: in the first unit that needs it."""

    def __init__(
        self,
        sources: Sources,
        by_hand: Mapping[Reference, ByHand],
        names: Mapping[Reference, str],
        texts: Collection[tuple[str, str]] = (),
    ) -> None:
        """``names``: what a class is called in C++, if not as in Python.

        ``texts``: classes and fields whose words come from elsewhere as texts, without an enum.
        """
        self._sources = sources
        self._texts = texts
        self._by_hand = by_hand
        self._names = names
        self._home: dict[Reference | str, Unit] = {}
        """The unit that has each type: a class, or the name of an enum."""
        self._done: set[tuple[Reference, bool]] = set()
        """The classes that have a reader (``True``) or a writer."""
        self._words_by_hand = {reference.name: made for reference, made in by_hand.items()}

    def files(self, unit: Unit) -> Iterator[tuple[str, str]]:
        """The name and the text of each file of the unit."""
        parts = _Parts(self, unit)
        for root in unit.roots:
            parts.add(root)
        yield f"{unit.name}.hpp", parts.header()
        if unit.roots:
            yield f"{unit.name}.cpp", parts.source()

    def name(self, reference: Reference) -> str:
        """What a class is called in C++."""
        made = self._by_hand.get(reference)
        if made:
            return made.name
        home = self._home.get(reference)
        name = self._names.get(reference, reference.name)
        return f"record::{name}" if home and not home.reads else name

    def by_hand(self, reference: Reference) -> ByHand | None:
        """The type that C++ has already."""
        return self._by_hand.get(reference)

    def words_by_hand(self, words: Words) -> ByHand | None:
        """The enum that C++ has already."""
        return self._words_by_hand.get(words.alias) if words.alias else None

    def struct(self, reference: Reference) -> Struct:
        """The declaration of a class."""
        struct = self._sources.struct(reference)
        fields = tuple(
            replace(each, type=_as_text(each.type))
            if (reference.name, each.name) in self._texts
            else each
            for each in struct.fields
        )
        return replace(struct, fields=fields)

    def module(self, name: str) -> Module:
        """What a module declares."""
        return self._sources.module(name)

    def settle(self, reference: Reference | str, unit: Unit) -> Unit:
        """The unit that has a type: this one, unless an earlier one has it."""
        return self._home.setdefault(reference, unit)

    def is_first(self, reference: Reference, unit: Unit) -> bool:
        """Return whether no earlier unit reads, or writes, the class."""
        known = (reference, unit.reads)
        is_first = known not in self._done
        self._done.add(known)
        return is_first


class _Parts:
    """The types of one unit, in an order in which each follows what it consists of."""

    def __init__(self, writer: Writer, unit: Unit) -> None:
        self._writer = writer
        self._unit = unit
        self._words: dict[str, Words] = {}
        self._structs: dict[Reference, Struct] = {}
        self._headers: set[str] = set()

    def add(self, reference: Reference) -> None:
        """Add a class with all that it consists of."""
        if reference in self._structs:
            return
        struct = self._writer.struct(reference)
        for each in self._fields(struct):
            self._add_type(each.type, struct, each)
        made = self._writer.by_hand(reference)
        if made:
            self._headers.add(f'"{made.header}"')
        home = self._writer.settle(reference, self._unit)
        if home != self._unit:
            self._headers.add(f'"contract/{home.name}.hpp"')
        if self._writer.is_first(reference, self._unit):
            self._structs[reference] = struct

    def header(self) -> str:
        """The text of the header."""
        constants = list(self._unit.constants)
        if self._unit.module:
            module = self._writer.module(self._unit.module)
            constants += [Reference(module.name, name) for name in module.constants()]
            for name in module.words():
                self._writer.settle(name, self._unit)
                self._words[name] = module.words_of(name)
        modules = sorted({each.module for each in (*self._structs, *constants)})
        lines = [
            f"// Made by contract/generate.py from {', '.join(modules)}: change these instead.",
            "#pragma once",
            "// NOLINTBEGIN: nobody reads it to change it",
            "",
            *(f"#include <{each}>" for each in ("array", "cstdint", "map", "optional", "string")),
            *("#include <string_view>", "#include <vector>", ""),
            "#include <nlohmann/json_fwd.hpp>",
            "",
            *(f"#include {each}" for each in sorted(self._headers)),
            '#include "base/json_number.hpp"',
            '#include "streamgage/base/error.hpp"',
            "",
            f"namespace {self._namespace()} {{",
        ]
        for name, words in self._words.items():
            lines += ["", *self._enum(name, words)]
        for each in constants:
            lines += ["", *self._constant(each)]
        for reference, struct in self._structs.items():
            made = self._writer.by_hand(reference)
            if made:
                lines += ["", *self._checks(made, struct)]
            elif self._writer.settle(reference, self._unit) == self._unit:
                lines += ["", *self._struct(struct)]
        if not self._unit.reads:
            lines += ["", "}  // namespace streamgage::engine::record", ""]
            lines += ["namespace streamgage::engine {"]
        for struct in self._structs.values():
            lines += ["", *self._declared(struct)]
        end = "streamgage::engine" if self._structs else self._namespace()
        return "\n".join([*lines, "", f"}}  // namespace {end}", "// NOLINTEND", ""])

    def _namespace(self) -> str:
        """Records have one of their own: many of them are named as what they are made from."""
        inside = self._unit.namespace or ("" if self._unit.reads else "record")
        return f"streamgage::engine::{inside}" if inside else "streamgage::engine"

    def source(self) -> str:
        """The text of the source."""
        lines = [
            "// NOLINTBEGIN",
            f'#include "contract/{self._unit.name}.hpp"',
            "",
            "#include <utility>",
            "",
            f'#include "base/json_{"reader" if self._unit.reads else "writer"}.hpp"',
            "",
            "namespace streamgage::engine {",
        ]
        for struct in self._structs.values():
            lines += ["", *(self._reader(struct) if self._unit.reads else self._writes(struct))]
        return "\n".join([*lines, "", "}  // namespace streamgage::engine", "// NOLINTEND", ""])

    def _fields(self, struct: Struct) -> Iterator[Field]:
        """The fields that the struct in C++ has."""
        for each in struct.fields:
            is_fixed = isinstance(each.type, Words) and len(each.type.words) == 1
            is_unread = each.name == "schema" or is_fixed or each.can_be_left_out
            if not (self._unit.reads and is_unread):
                yield each

    def _add_type(self, kind: Type, struct: Struct, of: Field) -> None:
        if isinstance(kind, ListOf):
            self._add_type(kind.item, struct, of)
        elif isinstance(kind, MapOf):
            self._add_type(kind.value, struct, of)
        elif isinstance(kind, Reference):
            self.add(kind)
        elif isinstance(kind, Words):
            made = self._writer.words_by_hand(kind)
            if made:
                self._headers.add(f'"{made.header}"')
                return
            if self._writer.by_hand(struct.reference) and not kind.alias:
                return  # its enum is by hand, too
            name = self._enum_name(kind, struct, of)
            home = self._writer.settle(name, self._unit)
            if home == self._unit:
                self._words[name] = kind
            else:
                self._headers.add(f'"contract/{home.name}.hpp"')

    def _enum_name(self, words: Words, struct: Struct, of: Field) -> str:
        if words.alias:
            return words.alias.lstrip("_")
        name = self._writer.name(struct.reference).rpartition("::")[2]
        return name + enumerator(of.name)[1:]

    def _type(self, kind: Type, struct: Struct, of: Field) -> str:
        if isinstance(kind, Boolean | Number | Text | EitherNumber):
            return _PLAIN[type(kind)]
        if isinstance(kind, Integer):
            is_scalar = kind is of.type and not self._unit.reads
            return "WholeNumber" if is_scalar else _integer(kind, of.name.endswith("bytes"))
        if isinstance(kind, ListOf):
            return f"std::vector<{self._type(kind.item, struct, of)}>"
        if isinstance(kind, MapOf):
            return f"std::map<std::string, {self._type(kind.value, struct, of)}>"
        if isinstance(kind, Words):
            made = self._writer.words_by_hand(kind)
            return made.name if made else self._enum_name(kind, struct, of)
        return self._writer.name(kind)

    def _constant(self, reference: Reference) -> Iterator[str]:
        module = self._writer.module(reference.module)
        value = module.constant(reference.name)
        yield from _comment(module.doc(reference.name))
        if isinstance(value, dict):
            words = module.keys(reference.name)
            if set(value) != set(words.words):
                raise DeclarationError(f"{reference.name} needs a value for each {words.alias}")
            yield f"constexpr {_plain_type(reference, next(iter(value.values())))}"
            yield f"{reference.name.lower()}({words.alias} value) {{"
            yield "  switch (value) {"
            for word in words.words:
                yield f"    case {words.alias}::{enumerator(word)}:"
                yield f"      return {_plain_literal(value[word])};"
            yield "  }"
            yield "  return {};"
            yield "}"
        else:
            kind = _plain_type(reference, value)
            name = constant_name(reference.name)
            yield f"inline constexpr {kind} {name} = {_plain_literal(value)};"

    def _enum(self, name: str, words: Words) -> Iterator[str]:
        yield from _comment(words.doc)
        values = [enumerator(each) for each in words.words]
        yield from _wrapped(f"enum class {name} {{", values, "};")
        yield ""
        yield from _wrapped(
            f"inline constexpr std::array<{name}, {len(values)}> kEach{name} = {{",
            [f"{name}::{each}" for each in values],
            "};",
        )
        yield ""
        yield f"constexpr std::string_view name_of({name} value) {{"
        yield "  switch (value) {"
        for word, value in zip(words.words, values, strict=True):
            yield f"    case {name}::{value}:"
            yield f'      return "{word}";'
        yield "  }"
        yield "  return {};"
        yield "}"

    def _struct(self, struct: Struct) -> Iterator[str]:
        yield from _comment(struct.doc)
        name = self._writer.name(struct.reference)
        yield f"struct {name.removeprefix('record::')} {{"
        for each in self._fields(struct):
            yield from _comment(each.doc, "  ")
            kind = self._type(each.type, struct, each)
            if each.is_nullable or each.can_be_left_out:
                kind = f"std::optional<{kind}>"
            # What the engine writes has to be given: the compiler names what is missing.
            is_given = each.default is REQUIRED and not self._unit.reads
            default = "" if is_given else f" = {self._default(each, struct)}"
            yield f"  {kind} {each.name}{default};"
        yield "};"

    def _default(self, of: Field, struct: Struct) -> str:
        value = of.default
        if (of.is_nullable or of.can_be_left_out) and (value is None or value is REQUIRED):
            return "std::nullopt"
        if value is REQUIRED or value in ([], {}) or isinstance(value, Made):
            return "{}"
        return self._literal(of, struct, value)

    def _literal(self, of: Field, struct: Struct, value: Any) -> str:  # noqa: ANN401
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(of.type, Number):
            return _number(value)
        if isinstance(value, int):
            return str(value)
        if isinstance(of.type, Words):
            return f"{self._type(of.type, struct, of)}::{self._enumerator(of.type, value)}"
        if isinstance(value, str):
            return f'"{value}"'
        raise DeclarationError(
            f"the default of {of.name} in {struct.reference.module} has no form in C++"
        )

    def _enumerator(self, words: Words, word: str) -> str:
        made = self._writer.words_by_hand(words)
        return made.words.get(word, enumerator(word)) if made else enumerator(word)

    def _checks(self, made: ByHand, struct: Struct) -> Iterator[str]:
        """What C++ has by hand has the same defaults."""
        for each in self._fields(struct):
            value = each.default
            if value is REQUIRED or value == [] or isinstance(value, Made):
                continue
            if value is None:
                fact = f"!{made.name}{{}}.{each.name}"
                if isinstance(each.type, ListOf):
                    fact = f"{made.name}{{}}.{each.name}.empty()"
            else:
                fact = f"{made.name}{{}}.{each.name} == {self._literal(each, struct, value)}"
            yield f'static_assert({fact}, "the contract has another default");'

    def _declared(self, struct: Struct) -> Iterator[str]:
        name = self._writer.name(struct.reference)
        if self._unit.reads:
            yield "// Reads the object; `where` is what an error calls it."
            yield "Result<void> read_json(const nlohmann::ordered_json& object,"
            yield f"                       const std::string& where, {name}& value);"
        else:
            yield f"nlohmann::ordered_json to_json(const {name}& value);"

    def _reader(self, struct: Struct) -> Iterator[str]:
        name = self._writer.name(struct.reference)
        yield "Result<void> read_json(const Json& object, const std::string& where,"
        yield f"                       {name}& value) {{"
        yield "  JsonReader reader(object, where);"
        known = [each.name for each in struct.fields if not each.can_be_left_out]
        yield from _wrapped("  reader.allow_only({", [f'"{each}"' for each in known], "});")
        required = [each.name for each in self._fields(struct) if each.default is REQUIRED]
        if required:
            words = [f'"{each}"' for each in required]
            yield from _wrapped("  reader.require({", words, "});")
        for each in self._fields(struct):
            yield from self._read(each, struct)
        yield "  return reader.result();"
        yield "}"

    def _read(self, of: Field, struct: Struct) -> Iterator[str]:
        if isinstance(of.type, Reference):
            yield f'  reader.object("{of.name}", value.{of.name});'
        elif isinstance(of.type, ListOf) and isinstance(of.type.item, Reference):
            if of.type.least or of.type.unread:
                raise _unread(of, struct)
            yield f'  reader.objects("{of.name}", value.{of.name});'
        else:
            form = self._form(of.type, struct, of)
            words = [f'"{of.name}"', form, f"value.{of.name}"]
            yield from _wrapped("  reader.member(", words, ");")

    def _form(self, kind: Type, struct: Struct, of: Field) -> str:
        """What a value must be, as base/json_reader.hpp says it."""
        if isinstance(kind, Text | ListOf) and kind.unread:
            raise _unread(of, struct)
        if isinstance(kind, Boolean):
            return "TrueOrFalse{}"
        if isinstance(kind, Text):
            return "AnyText{}"
        if isinstance(kind, Integer):
            return _limited(
                "Whole", kind.least, kind.most, noun=f'"{kind.noun}"' if kind.noun else ""
            )
        if isinstance(kind, Number):
            is_above = "true" if kind.is_above else ""
            return _limited("Decimal", kind.least, kind.most, is_above=is_above)
        if isinstance(kind, Words):
            name = self._type(kind, struct, of)
            values = ", ".join(f"{name}::{self._enumerator(kind, each)}" for each in kind.words)
            return f"OneOf{{std::array{{{values}}}}}"
        if isinstance(kind, ListOf):
            return f"ListOf{{{self._form(kind.item, struct, of)}, {kind.least}}}"
        raise _unread(of, struct)

    def _writes(self, struct: Struct) -> Iterator[str]:
        name = self._writer.name(struct.reference)
        yield f"Json to_json(const {name}& value) {{"
        yield "  Json json = Json::object();"
        if struct.tag:
            yield f'  json["{struct.tag_field}"] = "{struct.tag}";'
        for each in self._fields(struct):
            written = self._written(each, struct)
            condition = self._condition(each, struct)
            if condition:
                yield f"  if ({condition}) {{"
                yield f'    json["{each.name}"] = {written};'
                yield "  }"
            else:
                yield f'  json["{each.name}"] = {written};'
        yield "  return json;"
        yield "}"

    def _condition(self, of: Field, struct: Struct) -> str:
        """When the field is written; empty: always."""
        value = f"value.{of.name}"
        if of.can_be_left_out:
            return value
        home = self._writer.settle(struct.reference, self._unit)
        if of.default is REQUIRED or not (of.is_left_out or home.leaves_out_defaults):
            return ""
        if of.default is None:
            return value
        if of.default in ([], {}):
            return f"!{value}.empty()"
        return f"{value} != {self._literal(of, struct, of.default)}"

    def _written(self, of: Field, struct: Struct) -> str:
        """The value of the field as JSON."""
        value = f"value.{of.name}"
        form = self._json(of.type, "each")
        if of.can_be_left_out or (of.is_nullable and self._condition(of, struct)):
            return self._json(of.type, f"*{value}")
        if not of.is_nullable:
            return self._json(of.type, value)
        if form == "each":
            return f"or_null({value})"
        return f"or_null({value}, [](const auto& each) {{ return {form}; }})"

    def _json(self, kind: Type, value: str) -> str:
        if isinstance(kind, Words):
            return f"name_of({value})"
        if isinstance(kind, Reference):
            return f"to_json({value})"
        if isinstance(kind, Integer | EitherNumber) and not value.startswith("item"):
            return f"number_of({value})"
        if isinstance(kind, ListOf | MapOf):
            inside = self._json(kind.item if isinstance(kind, ListOf) else kind.value, "item")
            if inside == "item":
                return value
            made = "list_of" if isinstance(kind, ListOf) else "map_of"
            return f"{made}({value}, [](const auto& item) {{ return Json({inside}); }})"
        return value


def _as_text(kind: Type) -> Type:
    if isinstance(kind, ListOf):
        return replace(kind, item=_as_text(kind.item))
    return Text()


def _integer(kind: Integer, is_size: bool) -> str:
    """``int`` where that holds every value, otherwise 64 bits, with a sign if it is needed.

    A size in bytes always has 64.
    """
    if kind.least is None or kind.least < _INT[0]:
        return "std::int64_t"
    if kind.most is not None and kind.most <= _INT[1] and not is_size:
        return "int"
    return "std::uint64_t" if kind.least >= 0 else "std::int64_t"


def _unread(of: Field, struct: Struct) -> DeclarationError:
    return DeclarationError(f"{of.name} of {struct.reference.name} cannot be read by the engine")


def _limited(name: str, least: float | None, most: float | None, **options: str) -> str:
    """A form with its limits; a whole number that is too large for a double is an ``int``."""
    given = {"least": least, "most": most}
    limits = {
        word: str(limit) if isinstance(limit, int) else _number(limit)
        for word, limit in given.items()
        if limit is not None
    }
    words = {**limits, **{word: value for word, value in options.items() if value}}
    return f"{name}{{{', '.join(f'.{word} = {value}' for word, value in words.items())}}}"


def _number(value: float) -> str:
    text = repr(float(value))
    return text if "." in text or "e" in text else f"{text}.0"


def _plain_type(reference: Reference, value: object) -> str:
    if isinstance(value, str):
        return "std::string_view"
    if isinstance(value, float):
        return "double"
    if isinstance(value, int):
        return "int" if _INT[0] <= value <= _INT[1] else "std::uint64_t"
    raise DeclarationError(f"{reference.name} of {reference.module} has no form in C++")


def _plain_literal(value: Any) -> str:  # noqa: ANN401 - a constant of any type
    if isinstance(value, str):
        return json.dumps(value)
    return _number(value) if isinstance(value, float) else str(value)


def _comment(doc: str, indent: str = "") -> Iterable[str]:
    text = " ".join(doc.replace("``", "`").split())
    start = f"{indent}// "
    return textwrap.wrap(text, _WIDTH, initial_indent=start, subsequent_indent=start)


def _wrapped(start: str, words: Sequence[str], end: str) -> Iterable[str]:
    """The words between start and end, in one line if they fit."""
    whole = f"{start}{', '.join(words)}{end}"
    if len(whole) <= _WIDTH:
        return [whole]
    indent = " " * (len(start) - len(start.lstrip()))
    inside = textwrap.wrap(
        ", ".join(words),
        _WIDTH,
        initial_indent=indent + "    ",
        subsequent_indent=indent + "    ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [start, *inside, indent + end]
