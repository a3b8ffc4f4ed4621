"""The pages that explain findings and terms, by their names.

A finding's page is ``CODE.md`` next to this file (``docs/findings``), a term's is
``terms/NAME.md`` (``docs/terms``).
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files


def codes() -> list[str]:
    """The codes of findings that have a page, in alphabetical order."""
    return [*_pages("")]


def terms() -> list[str]:
    """The terms that have a page, in alphabetical order."""
    return [*_pages("terms")]


def names() -> list[str]:
    """Everything that has a page: findings, then terms."""
    return [*codes(), *terms()]


def page(name: str) -> str:
    """The page of a finding or a term. Raises ``KeyError`` if there is none."""
    if name in codes():
        return (files(__package__) / f"{name}.md").read_text("utf-8")
    if name in terms():
        return (files(__package__) / "terms" / f"{name}.md").read_text("utf-8") + _facts(name)
    raise KeyError(name)


def summary(name: str) -> str:
    """The first sentence of a page. Raises ``KeyError`` if there is none."""
    return page(name).split("\n\n")[1].strip()


@cache
def _pages(folder: str) -> tuple[str, ...]:
    found = (each.name for each in (files(__package__) / folder).iterdir())
    return tuple(sorted(name.removesuffix(".md") for name in found if name.endswith(".md")))


def _facts(name: str) -> str:
    """The formula and the bytes of a kernel, from the catalogue; empty for other terms."""
    from streamgage.interop.kernels import CATALOGUE  # which takes longer to load than a page

    kernel = next((each for each in CATALOGUE if each.name == name), None)
    if kernel is None:
        return ""
    size = 8
    counted = (kernel.loads + kernel.stores) * size
    lines = [
        f"- Formula: `{kernel.formula}`",
        f"- In each iteration: loads {kernel.loads}, stores {kernel.stores},"
        f" floating-point operations {kernel.flops}",
        f"- Nominal bytes in each iteration, with double: {counted}",
    ]
    if kernel.write_allocates:
        lines.append(
            "- Bytes that cross the memory bus if the hardware reads each line before the store:"
            f" {counted + kernel.stores * size}"
        )
    elif kernel.stores:
        lines.append(
            "- The same bytes cross the memory bus, because the kernel itself reads what it"
            " overwrites"
        )
    else:
        lines.append("- The same bytes cross the memory bus, because nothing is stored")
    return "\n## Figures\n\n" + "\n".join(lines) + "\n"
