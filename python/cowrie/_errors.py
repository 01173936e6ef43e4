"""The one error that calls raise, and what it says about the request."""
from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional, Tuple

from ._operations import ERRORS

_TABLE: Dict[str, Tuple[int, str]] = {
    code: (status, outcome) for status, outcome, codes in ERRORS for code in codes.split(" ")
}
_UNREADABLE = {"malformed_reply", "unexpected_redirect", "reply_too_large"}
_ACCESS_STATUSES = {401, 403, 451}


class CowrieError(Exception):
    """An error of the service by its code, or the reason why there was no usable answer.

    ``status`` is 0 when the service could not be reached or its answer did not arrive whole: ``network_error``,
    ``timeout``, ``stream_cut``. Branch on ``code``; the message is for people.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int,
        code: str,
        request_id: Optional[str] = None,
        fields: Optional[List[Dict[str, str]]] = None,
        retry_after: Optional[float] = None,
        detail: Optional[Dict[str, Any]] = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.code = code
        #: Quote it when you report a problem.
        self.request_id = request_id
        #: The invalid fields of the request.
        self.fields = fields or []
        #: Seconds to wait before the next attempt, when the service sent Retry-After.
        self.retry_after = retry_after
        #: Further fields of the answer, such as ``requiredMinor``.
        self.detail = detail or {}
        #: The key of this call. Retry with it to learn or finish the outcome; see ``is_resumable``.
        self.idempotency_key: Optional[str] = None

    @property
    def outcome(self) -> str:
        """``decided``: the service refused or finished the request. ``retry``: it changed nothing, and the same request
        may succeed later. ``unknown``: it may have taken effect; send it again with the same key to find out."""
        known = _TABLE.get(self.code)
        if known:
            return known[1]
        if self.status == 0 or self.status >= 500 or self.code in _UNREADABLE:
            return "unknown"
        return "retry" if self.status in (408, 429) or self.retry_after is not None else "decided"

    @property
    def is_resumable(self) -> bool:
        """Whether to keep the idempotency key and send the same request again."""
        return self.outcome in ("unknown", "retry") or self.status in _ACCESS_STATUSES

    @property
    def is_retryable(self) -> bool:
        """Whether the same request can succeed later without any other change."""
        if self.outcome != "unknown":
            return self.outcome == "retry"
        known = _TABLE.get(self.code)
        if known:
            # A bug repeats its answer, and a card challenge waits for the payer.
            return known[0] not in (500, 402)
        return (
            self.status == 0
            or self.retry_after is not None
            or (self.code in _UNREADABLE and self.code != "reply_too_large")
        )


def error_from_body(
    body: Any, *, status: Optional[int], request_id: Optional[str], retry_after: Optional[float] = None
) -> Optional[CowrieError]:
    """The error in a body ``{error, code, …}``; None for other shapes. Frames have no status: it is that of the code."""
    if not isinstance(body, Mapping):
        return None
    rest = dict(body)
    message, code = rest.pop("error", None), rest.pop("code", None)
    if not isinstance(message, str) or not isinstance(code, str):
        return None
    own_id, fields = rest.pop("requestId", None), rest.pop("fields", None)
    return CowrieError(
        message,
        status=_TABLE.get(code, (500, ""))[0] if status is None else status,
        code=code,
        request_id=own_id if isinstance(own_id, str) else request_id,
        fields=fields if isinstance(fields, list) else [],
        retry_after=retry_after,
        detail=rest,
    )
