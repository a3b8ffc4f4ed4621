"""The reference of the library, as pages of Markdown, from the comments of its public headers.

Doxygen reads them (docs/Doxyfile); what it warns of is an error, as is a function, type or header
without a comment.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[1]
LIBRARY = ROOT / "library"
TITLES = {
    "streamgage": "C",
    "kernel": "A kernel of one's own",
    "base": "C++: lists, errors, units",
    "topology": "C++: topology",
    "placement": "C++: placement",
    "team": "C++: teams of threads",
    "memory": "C++: memory",
    "clock": "C++: clocks",
    "counters": "C++: traffic",
    "statistics": "C++: statistics",
}
_SPELLED_BY_THE_LANGUAGE = re.compile(r"^~|^operator|=\s*(delete|default)$")


class UndocumentedError(Exception):
    """Parts of the public headers have no comment."""


def public_headers() -> list[str]:
    """The public headers below library/streamgage, as listed for the installation."""
    text = (LIBRARY / "CMakeLists.txt").read_text("utf-8")
    listed = re.search(r"set\(public_headers\n(.*?)\)", text, re.S)
    assert listed
    return [name for name in listed[1].split() if name != "streamgage.hpp"]


def pages() -> dict[str, str]:
    """Return the text of each page by its name."""
    with tempfile.TemporaryDirectory() as folder:
        _run_doxygen(Path(folder))
        files = _read(Path(folder) / "xml")
    undocumented = [what for entries in files.values() for what in _undocumented(entries)]
    if undocumented:
        raise UndocumentedError("no comment tells what these are: " + ", ".join(undocumented))
    made = {}
    for page, title in TITLES.items():
        headers = [name for name in public_headers() if re.match(rf"{page}[/.]", name)]
        parts = [f"# {title}"]
        for header in headers:
            parts += _header(header, files[header])
        made[page] = "\n\n".join(parts) + "\n"
    return made


def _run_doxygen(folder: Path) -> None:
    names = " ".join(f"library/streamgage/{name}" for name in public_headers())
    settings = (ROOT / "docs" / "Doxyfile").read_text("utf-8")
    settings += f"INPUT = {names}\nOUTPUT_DIRECTORY = {folder}\n"
    done = subprocess.run(
        ["doxygen", "-"], cwd=ROOT, input=settings, capture_output=True, text=True, check=False
    )
    if done.returncode != 0 or done.stderr:
        raise UndocumentedError(done.stderr)


Entry = ElementTree.Element


def _read(folder: Path) -> dict[str, list[Entry]]:
    """By header: the file itself, and what it declares, in its order."""
    files: dict[str, list[Entry]] = {name: [] for name in public_headers()}
    for path in sorted(folder.glob("*.xml")):
        compound = ElementTree.parse(path).getroot().find("compounddef")
        kind = None if compound is None else compound.get("kind")
        if compound is None or kind not in {"file", "namespace", "class", "struct"}:
            continue
        if kind == "namespace":
            for member in compound.findall("sectiondef/memberdef"):
                files[_file_of(member)].append(member)
            continue
        name = _file_of(compound)
        if kind == "file":
            files[name].insert(0, compound)
            inside = compound.findall("sectiondef/memberdef")
            files[name] += [each for each in inside if not _is_of_namespace(each)]
        elif "::" not in _name(compound).removeprefix("streamgage::"):
            files[name].append(compound)
    for entries in files.values():
        entries[1:] = sorted(entries[1:], key=_line)
    return files


def _file_of(entry: Entry) -> str:
    location = entry.find("location")
    assert location is not None
    return (location.get("file") or "").partition("streamgage/")[2]


def _is_of_namespace(entry: Entry) -> bool:
    return (entry.get("id") or "").startswith("namespace")


def _line(entry: Entry) -> int:
    location = entry.find("location")
    assert location is not None
    return int(location.get("line") or 0)


def _name(entry: Entry) -> str:
    return entry.findtext("name") or entry.findtext("compoundname") or ""


def _undocumented(entries: list[Entry]) -> Iterator[str]:
    for entry in entries:
        if not _shown(entry):
            continue
        described = _text(entry) or entry.get("kind") == "variable"
        if not described and _file_of(entry) != "kernel.h":
            yield f"{_name(entry)} ({_file_of(entry)})"
        for member in _public_members(entry):
            if member.get("kind") == "function" and not _text(member):
                yield f"{_name(entry)}::{_name(member)}"


def _shown(entry: Entry) -> bool:
    """Macros are for the headers themselves, and typedefs of C's types say the same twice."""
    if entry.get("kind") == "define":
        return bool(_text(entry))
    return not (entry.get("kind") == "typedef" and re.match(r"(struct|enum) ", _type(entry)))


def _public_members(entry: Entry) -> Iterator[Entry]:
    if entry.get("kind") not in {"class", "struct"}:
        return
    for member in entry.findall("sectiondef/memberdef"):
        words = f"{_name(member)} {member.findtext('argsstring') or ''}"
        named = _SPELLED_BY_THE_LANGUAGE.search(words)
        moves = re.search(r"\(\w+ &&|\(const \w+ &\)", words)
        if member.get("prot") == "public" and not named and not moves:
            yield member


def _type(entry: Entry) -> str:
    kind = entry.find("type")
    return "" if kind is None else _compact("".join(kind.itertext()))


def _compact(code: str) -> str:
    return re.sub(r"<\s+|\s+(?=>)", lambda found: found[0].strip(), code).replace("> >", ">>")


def _header(name: str, entries: list[Entry]) -> Iterator[str]:
    what, *declared = entries
    yield f"## `<streamgage/{name}>`"
    yield _text(what)
    for entry in declared:
        if _shown(entry):
            yield from _declaration(entry)


def _declaration(entry: Entry) -> Iterator[str]:
    kind = entry.get("kind")
    name = _name(entry).removeprefix("streamgage::")
    if kind in {"class", "struct"}:
        yield f"### {name}"
        yield f"```cpp\n{kind} {name}\n```"
        yield _text(entry)
        members = [*_public_members(entry)]
        fields = [member for member in members if member.get("kind") == "variable"]
        if fields:
            yield "\n".join(_field(member) for member in fields)
        for member in members:
            if member.get("kind") == "function":
                yield f"#### {name}::{_name(member)}"
                yield _signature(member)
                yield _text(member)
        return
    if kind == "variable":
        yield _field(entry)
        return
    yield f"### {name}"
    if kind == "enum":
        values = [_name(value) for value in entry.findall("enumvalue")]
        yield f"```cpp\nenum {name} {{ {', '.join(values)} }}\n```"
        yield _text(entry)
        described = [value for value in entry.findall("enumvalue") if _text(value)]
        yield "\n".join(f"- `{_name(value)}`: {_text(value)}" for value in described)
        return
    yield _signature(entry)
    yield _text(entry)


def _field(member: Entry) -> str:
    text = _text(member)
    declared = f"{_type(member)} {_name(member)}{member.findtext('argsstring') or ''}"
    default = _compact(member.findtext("initializer") or "")
    return f"- `{declared}{' ' + default if default else ''}`" + (f": {text}" if text else "")


def _signature(entry: Entry) -> str:
    """The declaration, broken where it is long."""
    if entry.get("kind") == "typedef":
        return f"```cpp\n{_compact(entry.findtext('definition') or '')}\n```"
    if entry.get("kind") == "define":
        return f"```cpp\n#define {_name(entry)}\n```"
    template = entry.findall("templateparamlist/param")
    before = f"template <{', '.join(_type(each) for each in template)}>\n" if template else ""
    static = "static " if entry.get("static") == "yes" else ""
    kind = f"{_type(entry)} " if _type(entry) else ""
    arguments = _compact(entry.findtext("argsstring") or "")
    line = f"{static}{kind}{_name(entry)}{arguments}"
    if len(line) > 90:
        line = line.replace(", ", ",\n    ").replace("(", "(\n    ", 1)
    return f"```cpp\n{before}{line}\n```"


def _text(entry: Entry) -> str:
    """The text of a comment as Markdown."""
    parts: list[str] = []
    for description in ("briefdescription", "detaileddescription"):
        for paragraph in entry.findall(f"{description}/para"):
            parts += _paragraph(paragraph)
    return "\n\n".join(part for part in parts if part)


def _paragraph(paragraph: Entry) -> Iterator[str]:
    text = paragraph.text or ""
    for child in paragraph:
        if child.tag == "programlisting":
            yield _prose(text)
            text = ""
            lines = [_code(line) for line in child.findall("codeline")]
            yield "```cpp\n" + "\n".join(lines) + "\n```"
        else:
            text += "".join(child.itertext())
        text += child.tail or ""
    yield _prose(text)


def _code(line: Entry) -> str:
    def text(element: Entry) -> str:
        inner = " " if element.tag == "sp" else element.text or ""
        return inner + "".join(text(child) + (child.tail or "") for child in element)

    return text(line)


def _prose(text: str) -> str:
    """With what is special to Markdown as itself, but for code between backticks."""
    words = " ".join(text.split())
    parts = re.split(r"(`[^`]*`)", words)
    return "".join(
        part if part.startswith("`") else re.sub(r"([*_<>\[\]#|])", r"\\\1", part) for part in parts
    )


if __name__ == "__main__":
    for page_name, page_text in pages().items():
        print(f"{page_name}: {len(page_text.splitlines())} lines")
