"""The description of an operation. The printed table consists of these."""
from __future__ import annotations

from typing import Dict, NamedTuple, Optional, Tuple


class Operation(NamedTuple):
    method: str
    #: The first arguments of the call fill its ``{name}`` parts.
    path: str
    params: Tuple[str, ...]
    #: Keyword arguments and the names that the service knows them by.
    query: Dict[str, str]
    #: "required", "optional" or None.
    body: Optional[str]
    #: Accepts an Idempotency-Key, so that a retry does not do the work twice.
    idempotent: bool
    #: "json", "text", "bytes" or "stream".
    reply: str
