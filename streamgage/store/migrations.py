"""The layout of a store, as the steps that lead to it from an empty database.

``PRAGMA user_version`` is the number of steps that were taken. A step is never changed once it was
released: what is to be different is a step more.
"""

from __future__ import annotations

APPLICATION_ID = 0x53474147
"""``SGAG``: ``PRAGMA application_id``, by which ``file`` and we tell a store from other
databases."""

STEPS: tuple[str, ...] = (
    """
    CREATE TABLE runs (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      digest BLOB NOT NULL UNIQUE,
      kind TEXT NOT NULL,
      started TEXT,
      added TEXT NOT NULL,
      host TEXT,
      processor TEXT,
      tool TEXT,
      threads INTEGER,
      array_bytes INTEGER,
      state TEXT NOT NULL
    );
    CREATE INDEX runs_by_time ON runs (coalesce(started, added));
    CREATE INDEX runs_by_host ON runs (host);
    CREATE TABLE rates (
      run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
      kernel TEXT NOT NULL,
      store TEXT NOT NULL,
      isa TEXT,
      tuned INTEGER NOT NULL,
      type TEXT,
      threads INTEGER,
      n INTEGER,
      best_gbps REAL,
      median_gbps REAL,
      low_gbps REAL,
      high_gbps REAL,
      hardware_gbps REAL
    );
    CREATE INDEX rates_by_run ON rates (run);
    CREATE INDEX rates_by_kernel ON rates (kernel, run);
    CREATE TABLE files (
      run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      bytes INTEGER NOT NULL,
      content BLOB NOT NULL,
      PRIMARY KEY (run, name)
    ) WITHOUT ROWID;
    """,
)
"""``files.content`` is compressed by zlib (RFC 1950); ``runs.digest`` is of the contents, so that
the same result is kept once."""
