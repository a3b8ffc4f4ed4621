"""Turns a header's comments into those that Doxygen reads: the file's text on standard output.

    python3 scripts/doxygen_filter.py HEADER

In the sources a comment is `//` or, in C, `/* */`: above a declaration, or behind it. Declarations
that follow each other without an empty line between share the comment above the first.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

_TRAILING = re.compile(
    r"^(?P<code>\s*[^\s/].*?[;,{})\w])\s*(?:\s//|/\*)\s(?P<text>.*?)\s*(?:\*/)?$"
)
_ESCAPED = re.compile(r"[\\@<>#&$%\"~]")
_CODE = "    "
_PREPROCESSOR = re.compile(r"^\s*(#|namespace|extern|}|public:|private:)")


def escaped(text: str) -> str:
    """Escape everything that has a meaning in Doxygen."""
    return _ESCAPED.sub(r"\\\g<0>", text)


def comment(lines: list[str], *, of_file: bool = False) -> Iterator[str]:
    """The lines of a comment as one that is read, with examples of code as they are."""
    yield "/**" + (" @file" if of_file else "")
    inside = False
    for line in lines:
        if line.startswith(_CODE) != inside and line:
            yield " * @endcode" if inside else " * @code{.cpp}"
            inside = not inside
        yield " * " + (line.removeprefix(_CODE) if inside else escaped(line))
    if inside:
        yield " * @endcode"
    yield " */"


def _comment_lines(lines: list[str], start: int) -> tuple[list[str], int]:
    """The text of the comment that begins there, if one does, and the line after it."""
    first = lines[start].strip()
    text: list[str] = []
    number = start
    if first.startswith("//"):
        while number < len(lines) and lines[number].strip().startswith("//"):
            text.append(re.sub(r"^\s*// ?", "", lines[number].rstrip()))
            number += 1
    elif first.startswith("/*"):
        while True:
            line = lines[number].rstrip()
            text.append(re.sub(r"^\s*(/\*|\*/|\*) ?|\s*\*/$", "", line))
            number += 1
            if line.endswith("*/"):
                break
        while text and not text[-1].strip():
            text.pop()
    return text, number


def _declarations(lines: list[str], start: int) -> list[int]:
    """Where the declarations begin that follow there without an empty line between."""
    begins, depth, ended = [], 0, True
    for number in range(start, len(lines)):
        line = lines[number]
        if not line.strip() or (depth == 0 and ended and _PREPROCESSOR.match(line)):
            break
        if line.strip().startswith(("//", "/*")) and depth == 0 and ended:
            break
        if depth == 0 and ended:
            begins.append(number)
        code = re.sub(r"//.*|/\*.*?(\*/|$)", "", line)
        depth += code.count("{") - code.count("}") + code.count("(") - code.count(")")
        ended = depth == 0 and code.rstrip().endswith((";", "}"))
    return begins


def filtered(text: str) -> Iterator[str]:
    """The header's lines, with comments that Doxygen reads."""
    lines = text.splitlines()
    block, number = _comment_lines(lines, 0)
    yield from comment(block, of_file=True)
    repeated: dict[int, list[str]] = {}
    while number < len(lines):
        if number in repeated:
            yield from comment(repeated[number])
        block, after = _comment_lines(lines, number)
        if block and block[0].startswith("---"):
            number = after
            continue
        if block:
            yield from comment(block)
            for begin in _declarations(lines, after)[1:]:
                if "(" in lines[begin]:
                    repeated[begin] = block
            number = after
            continue
        line = lines[number]
        trailing = _TRAILING.match(line)
        number += 1
        if not trailing:
            yield line
            continue
        words = [trailing["text"]]
        if "/*" in line and "*/" not in line:
            while True:
                words.append(re.sub(r"\s*\*/$", "", lines[number].strip()))
                number += 1
                if lines[number - 1].rstrip().endswith("*/"):
                    break
        while number < len(lines) and re.match(r"^\s{12,}// ", lines[number]):
            words.append(lines[number].strip().removeprefix("// "))
            number += 1
        yield f"{trailing['code']}  /**< {escaped(' '.join(words))} */"


if __name__ == "__main__":
    print("\n".join(filtered(Path(sys.argv[1]).read_text("utf-8"))))
