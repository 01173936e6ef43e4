"""Verifies webhooks of the service, which follow Standard Webhooks."""
from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import time
from typing import Any, Mapping, Optional, Union

from ._json import from_json


class WebhookError(Exception):
    """The signature or timestamp is not valid. Answer 400 and do nothing."""


def verify_webhook(
    secret: str,
    headers: Mapping[str, str],
    body: Union[str, bytes],
    *,
    tolerance: float = 300,
    now: Optional[float] = None,
) -> Any:
    """The event, if the call came from the service. ``body`` is the raw body: parsed and printed again, it would have
    another signature. Events can arrive more than once; their ``id`` stays the same."""
    found = {name.lower(): value for name, value in headers.items()}

    def header(name: str) -> str:
        if not found.get(name):
            raise WebhookError(f"The call has no {name} header.")
        return found[name]

    event_id, timestamp = header("webhook-id"), header("webhook-timestamp")
    if not timestamp.isascii() or not timestamp.isdigit() or len(timestamp) > 12:
        raise WebhookError("The webhook-timestamp header is not a timestamp.")
    if abs((time.time() if now is None else now) - int(timestamp)) > tolerance:
        raise WebhookError("The signature is too old, or the clocks differ.")
    key = _decoded(secret[6:]) if secret.startswith("whsec_") else None
    if not key:
        raise ValueError("secret must be the whsec_… secret of the endpoint")
    content = body.encode() if isinstance(body, str) else body
    expected = hmac.new(key, f"{event_id}.{timestamp}.".encode() + content, hashlib.sha256).digest()
    # There is one signature for each valid secret.
    for signature in header("webhook-signature").split(" "):
        given = _decoded(signature[3:]) if signature.startswith("v1,") else None
        if given and hmac.compare_digest(given, expected):
            return {**from_json(content.decode()), "id": event_id}
    raise WebhookError("No signature of the call matches this secret.")


def _decoded(text: str) -> Optional[bytes]:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
