"""A machine among the cloud servers that others measured."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from streamgage.analysis.cloud.servers import ServerType
from streamgage.api.answers import BaseAnswer, PagedAnswer
from streamgage.comparison.cloud.document import Cloud, CloudGroup, OwnPlace
from streamgage.show.formats import formats_of, suffixes_of
from streamgage.units import count

if TYPE_CHECKING:
    from streamgage.show.page import Page
    from streamgage.show.picture_file import Width

FORMATS = formats_of(())


class CloudComparison(BaseAnswer[Cloud], PagedAnswer):
    """A machine among cloud servers that others measured."""

    _forms: ClassVar = suffixes_of(FORMATS)

    def __init__(
        self, document: Cloud, servers: Sequence[ServerType], notes: tuple[str, ...] = ()
    ) -> None:
        """Keep the document, and the ``servers`` that it compares with."""
        super().__init__(document, notes)
        self._servers = servers

    @property
    def yours(self) -> OwnPlace | None:
        """The figure of your machine; ``None`` if there is none."""
        return self.document.yours

    @property
    def groups(self) -> list[CloudGroup]:
        """Groups of servers: all of them first, then those more and more like your machine."""
        return list(self.document.groups)

    @cached_property
    def page(self) -> Page:
        """The page of the comparison, for any format."""
        from streamgage.comparison.cloud.page import page_of

        return page_of(self.document, self._servers)

    @property
    def nothing_to_draw(self) -> str | None:
        """``None``, because there always is a picture."""
        return None

    def picture(self, file: Path, width: Width | None = None) -> bytes:
        """The picture that the command draws, by the suffix of ``file``."""
        from streamgage.show.picture import draw

        return draw(self.page, file, width)

    def __repr__(self) -> str:
        return f"<among {count(len(self._servers), 'cloud server type')}>"
