"""The store: every result in one SQLite file, with the files that it was made from."""

from streamgage.store.database import StoreError
from streamgage.store.place import VARIABLE, store_place
from streamgage.store.store import Filter, Store

__all__ = ["VARIABLE", "Filter", "Store", "StoreError", "store_place"]
