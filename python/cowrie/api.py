"""The groups of operations. Their methods are bound from the table; api.pyi has the signatures."""
from __future__ import annotations

from typing import Any, Callable, Mapping

from ._operation import Operation


class _Group:
    """Operations with a common first word."""


class Api:
    """The operations as methods that return the reply."""


class AsyncApi:
    """The operations as coroutines and asynchronous iterators."""


def bind(client: object, table: Mapping[str, Operation], make: Callable[[str, Operation], Any]) -> None:
    """Turns ``tasks.get`` into ``client.tasks.get()``."""
    for name, operation in table.items():
        *words, last = name.split(".")
        group = client
        for word in words:
            if word not in group.__dict__:
                group.__dict__[word] = _Group()
            group = group.__dict__[word]
        group.__dict__[last] = make(name, operation)
