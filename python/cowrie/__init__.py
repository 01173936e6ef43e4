"""The Cowrie API for Python: a wallet in local currency, and agents that never cost more than you were told."""
from ._async import AsyncCowrie
from ._client import Cowrie, new_idempotency_key
from ._errors import CowrieError
from ._json import from_json, to_json
from ._operations import VERSION as __version__
from ._webhook import WebhookError, verify_webhook

__all__ = [
    "AsyncCowrie",
    "Cowrie",
    "CowrieError",
    "WebhookError",
    "__version__",
    "from_json",
    "new_idempotency_key",
    "to_json",
    "verify_webhook",
]
