"""JSON with exact money: the value of a ``…Minor`` field is an integer, in both directions."""
from __future__ import annotations

import json
from typing import Any, List, Tuple


class InexactMoney(ValueError):
    """An amount must not be guessed."""


def from_json(text: str) -> Any:
    return json.loads(text, object_pairs_hook=_checked)


def _checked(pairs: List[Tuple[str, Any]]) -> Any:
    for name, value in pairs:
        if name.endswith("Minor") and isinstance(value, float):
            raise InexactMoney(f"{name} is {value}, not an integer")
    return dict(pairs)


def to_json(value: Any) -> str:
    _require_exact(value)
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _require_exact(value: Any, name: str = "") -> None:
    if isinstance(value, float) and name.endswith("Minor"):
        raise TypeError(f"{name} must be an int, not {value}")
    if isinstance(value, dict):
        for key, item in value.items():
            _require_exact(item, str(key))
    elif isinstance(value, (list, tuple)):
        for item in value:
            _require_exact(item)
