"""Fuzzes the reading of stores (atheris): bytes of the file changed, and values of its rows.

    python tests/support/fuzz_store.py [libFuzzer's options] [CORPUS ...]

A damaged store is listed, shown, compared, reported, exported, imported and emptied, or refused
with one sentence; anything else that is raised is a fault.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import atheris
import msgspec

with atheris.instrument_imports(include=["streamgage.records", "streamgage.store"]):
    from streamgage.errors import StreamgageError
    from streamgage.store import Filter, Store
    from streamgage.store.export import (
        FIGURE_COLUMNS,
        SAMPLE_COLUMNS,
        as_csv,
        export_document,
        figure_rows,
        results_to_export,
        sample_rows,
    )
    from streamgage.store.history import page_of as history_of
    from streamgage.store.load import load_all
    from streamgage.store.transfer import export_files, import_results, remove_results

from changed_files import store_with_change, store_with_results
from example_results import ignore

from streamgage.api.report_file import ReportFormat
from streamgage.api.report_file import page_of as report_of
from streamgage.comparison.compare.comparison import comparison
from streamgage.comparison.compare.page import page_of as compared_page
from streamgage.show.formats import FORMATS, ResultToWrite


class Target:
    """Writes what the fuzzer gives to a file in ``folder``, and uses it as a store."""

    def __init__(self, folder: Path) -> None:
        """Keep the folder."""
        self.path = folder / "fuzzed.sqlite"
        self.folder = folder

    def __call__(self, data: bytes) -> None:
        """Do everything with it, one by one; in the end it is emptied."""
        for use in self._uses():
            self._write(data)
            try:
                use()
            except StreamgageError as error:
                assert "\n" not in str(error)

    def _write(self, data: bytes) -> None:
        for each in self.folder.glob("*.sqlite*"):
            each.unlink()
        self.path.write_bytes(data)

    def _uses(self) -> Iterator[Callable[[], object]]:
        yield self._listed
        yield partial(self._shown, ["last"])
        yield partial(self._shown, ["1", "2"])
        yield partial(self._shown, ["3", "last-1"])
        yield self._exported
        yield lambda: list(export_files(["1", "3"], self.folder / "out", self.path, ignore))
        yield lambda: list(import_results([self.path], self.folder / "other.sqlite", ignore))
        yield lambda: remove_results(["1", "last"], self.path, ignore)

    def _listed(self) -> None:
        with Store(self.path, create=False) as store:
            entries = store.entries(ignore)
            store.entries(ignore, Filter("node", "triad", "measure", "2026", "2027", 3))
        page = history_of(entries, None)
        for each in FORMATS:
            if not each.needs:
                each.write(ResultToWrite(entries, lambda: page))

    def _shown(self, names: list[str]) -> None:
        loaded = load_all(names, self.path, ignore)
        for each in loaded:
            assert each.page.title
        report_of(loaded, ReportFormat.MD, "")
        if len(loaded) > 1 and loaded[0].kind == loaded[1].kind:
            compared_page(comparison([[each] for each in loaded]))

    def _exported(self) -> None:
        with results_to_export([], Filter(), self.path, ignore) as found:
            as_csv(FIGURE_COLUMNS, figure_rows(found))
            msgspec.json.encode(export_document(found, ignore))
            as_csv(SAMPLE_COLUMNS, sample_rows(found))


class StoreChanger:
    """Changes a store as libFuzzer asks for it."""

    def __init__(self, folder: Path) -> None:
        """Keep the folder to change it in."""
        self.path = folder / "changed"

    def __call__(self, data: bytes, most: int, seed: int) -> bytes:
        """``data`` with something changed."""

        def mutate(content: bytes) -> bytes:
            return atheris.Mutate(content, most)

        made = store_with_change(data, random.Random(seed), self.path, mutate)
        return made if len(made) <= most else mutate(data)


def main() -> None:
    """Run until the options say to stop."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        (folder / "seeds").mkdir()
        (folder / "seeds" / "store").write_bytes(store_with_results(folder / "seed.sqlite"))
        target, change = Target(folder), StoreChanger(folder)
        atheris.Setup([*sys.argv, str(folder / "seeds")], target, custom_mutator=change)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
