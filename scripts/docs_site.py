"""What mkdocs.yml adds to the pages of docs/: the reference and the list of findings.

They come from the program itself, so they are made with the site and kept nowhere.
"""

from __future__ import annotations

import re
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

SOURCE = Path(__file__).resolve().parents[1]
# The pages are those of these sources, whatever is installed.
sys.path[:0] = [str(SOURCE), str(SOURCE / "scripts")]

import library_reference  # noqa: E402

from streamgage.manual import commands, engine, markdown, schema, schema_page  # noqa: E402
from streamgage.tools.explain import codes, summary  # noqa: E402

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

COMMANDS = "reference/commands"
DOCUMENTS = "reference/documents"
FINDINGS = "findings/index.md"
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
    }
    config.nav = _expanded(config.nav, made)
    return config


def on_post_page(output: str, page: Page, **_: object) -> str:
    """Let the search of pages that are read from files take the site's own script."""
    return output.replace(FOREIGN_WORKER, "../" * page.url.count("/") + OWN_WORKER)


def on_post_template(output_content: str, **_: object) -> str:
    """The same for pages that are no documents, such as the one for wrong addresses."""
    return output_content.replace(FOREIGN_WORKER, f"/{OWN_WORKER}")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the made pages to those that are there."""
    from mkdocs.structure.files import File

    made = {**_command_pages(), **_document_pages(), **_library_pages(), FINDINGS: _findings()}
    for path, text in made.items():
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, **_: object) -> str:
    """Let a link to the folder of findings, as in the source tree, lead to their list.

    A file of the source tree, named by itself in a fence, is shown there.
    """
    shown = re.sub(
        r"(?m)^```(\w+)\n--8<-- (\S+)\n```$",
        lambda found: f"```{found[1]}\n{(SOURCE / found[2]).read_text('utf-8')}```",
        markdown,
    )
    return shown.replace("(findings)", f"({FINDINGS})")


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
        "What streamgage says of a measurement beside its figures. Each has a page; the program",
        "shows the same ones by `streamgage explain CODE`.",
        "",
        "| code | |",
        "|---|---|",
        *(f"| [{code}]({code}.md) | {summary(code)} |" for code in codes()),
    ]
    return "\n".join(lines) + "\n"
