"""Adds to the pages of docs/ the reference, and the program's explanations, for mkdocs.yml.

They are made from the program with the site, and not stored.
"""

from __future__ import annotations

import re
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

SOURCE = Path(__file__).resolve().parents[1]
# The pages come from these sources, not from an installed version.
sys.path[:0] = [str(SOURCE), str(SOURCE / "scripts")]

import docs_gallery  # noqa: E402
import library_reference  # noqa: E402

from streamgage.explanations import codes, summary, terms  # noqa: E402
from streamgage.explanations import page as explained  # noqa: E402
from streamgage.manual import commands, engine, markdown, schema, schema_page  # noqa: E402

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

COMMANDS = "reference/commands"
DOCUMENTS = "reference/documents"
FINDINGS = "findings/index.md"
TERMS = "terms/index.md"
LIBRARY = "reference/library"
FOREIGN_WORKER = "https://unpkg.com/iframe-worker/shim"
OWN_WORKER = "style/worker.js"


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put the made pages into the navigation, where it names their folders."""
    made = {
        COMMANDS: list(_command_pages()),
        DOCUMENTS: list(_document_pages()),
        LIBRARY: list(_library_pages()),
        "findings": [FINDINGS, *(f"findings/{code}.md" for code in codes())],
        docs_gallery.FOLDER: [docs_gallery.INDEX],
        "terms": [TERMS, *(f"terms/{term}.md" for term in terms())],
    }
    config.nav = _expanded(config.nav, made)
    return config


def on_post_page(output: str, page: Page, **_: object) -> str:
    """Let the search of pages that are read from files take the site's own script."""
    return output.replace(FOREIGN_WORKER, "../" * page.url.count("/") + OWN_WORKER)


def on_post_template(output_content: str, **_: object) -> str:
    """Do the same for other pages, such as the one for wrong addresses."""
    return output_content.replace(FOREIGN_WORKER, f"/{OWN_WORKER}")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the made pages to the site's files."""
    from mkdocs.structure.files import File

    made = {**_command_pages(), **_document_pages(), **_library_pages()}
    made |= {FINDINGS: _findings(), TERMS: _terms()}
    for path, content in {**made, **docs_gallery.files()}.items():
        files.append(File.generated(config, path, content=content))
    return files


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Let a link to the folder of findings or terms, as in the source tree, lead to their list.

    A file of the source tree, named by itself in a fence, is shown there. A term's page is the one
    that the program shows, with links to those that it names.
    """
    place = Path(page.file.src_uri)
    if place.parent.name == "terms" and place.stem in terms():
        return _term(place.stem)
    shown = re.sub(
        r"(?m)^```(\w+)\n--8<-- (\S+)\n```$",
        lambda found: f"```{found[1]}\n{(SOURCE / found[2]).read_text('utf-8')}```",
        markdown,
    )
    return re.sub(r"\(((?:\.\./)*)(findings|terms)\)", r"(\1\2/index.md)", shown)


def _term(name: str) -> str:
    """The page of a term, with links where it says what to see also."""
    before, also, after = explained(name).partition("See also: ")
    named, end, rest = after.partition(".\n")
    links = ", ".join(_link_to(each) for each in named.split(", "))
    return before + also + links + end + rest


def _link_to(name: str) -> str:
    """From the page of a term to that of another, or of a finding."""
    return f"[{name}]({name}.md)" if name in terms() else f"[{name}](../findings/{name}.md)"


def _expanded(nav: Any, made: dict[str, list[str]]) -> Any:  # noqa: ANN401 - of mkdocs
    """The navigation with the pages of a folder in place of its name."""
    if isinstance(nav, dict):
        return {
            title: made[below]
            if isinstance(below, str) and below in made
            else _expanded(below, made)
            for title, below in nav.items()
        }
    return [_expanded(each, made) for each in nav] if isinstance(nav, list) else nav


def _command_pages() -> dict[str, str]:
    pages = [*commands.pages(), engine.page()]
    return {
        f"{COMMANDS}/{page.title}.md": markdown.render(page, _more(page.name)) for page in pages
    }


def _more(name: str) -> dict[str, str]:
    """The page of docs/ that has the command's own name."""
    word = name.rsplit(maxsplit=1)[-1]
    if not (SOURCE / "docs" / f"{word}.md").is_file():
        return {}
    return {"what it does and how to read it": f"../../{word}.md"}


def _document_pages() -> dict[str, str]:
    texts = schema_page.texts_of(SOURCE / "streamgage")
    return {
        f"{DOCUMENTS}/{name}.md": schema_page.render(name, described, texts)
        for name, described in sorted(schema.documents().items())
    }


@cache
def _library_pages() -> dict[str, str]:
    return {f"{LIBRARY}/{name}.md": text for name, text in library_reference.pages().items()}


def _findings() -> str:
    lines = [
        "# Findings",
        "",
        "What streamgage says about a measurement, next to its figures. Each has a page, which the",
        "program shows, too: `streamgage explain CODE`.",
        "",
        "| code | |",
        "|---|---|",
        *(f"| [{code}]({code}.md) | {summary(code)} |" for code in codes()),
    ]
    return "\n".join(lines) + "\n"


def _terms() -> str:
    lines = [
        "# Glossary",
        "",
        "The words that streamgage uses. Each has a page, which the program shows, too:",
        "`streamgage explain triad`, for example.",
        "",
        "| term | |",
        "|---|---|",
        *(f"| [{term}]({term}.md) | {summary(term)} |" for term in terms()),
    ]
    return "\n".join(lines) + "\n"
