"""What makes two results the same: their content."""

from __future__ import annotations

from collections.abc import Mapping


def digest_of(files: Mapping[str, bytes]) -> bytes:
    """The SHA-256 digest of the contents, without the names; of the records alone if there are any.

    A document next to records is made from them, so it adds nothing.
    """
    import hashlib  # imported here because it loads OpenSSL, which reading never needs

    records = [content for name, content in files.items() if name.endswith(".jsonl")]
    digests = sorted(hashlib.sha256(content).digest() for content in records or files.values())
    return hashlib.sha256(b"".join(digests)).digest()
