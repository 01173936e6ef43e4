"""The client: every operation of the table as a method, grouped by name."""
from __future__ import annotations

import os
import random
import re
import secrets
import ssl
from typing import Any, Callable, Dict, Iterator, Mapping, Optional
from urllib.parse import quote, urlencode

from ._errors import CowrieError
from ._follow import Following
from ._http import Connections, Reply, Request, current_cancel
from ._json import to_json
from ._operation import Operation
from ._operations import OPERATIONS, VERSION
from .api import Api, bind

_RETRIES_MAX = 10
_BACKOFF_FIRST = 0.5
_BACKOFF_MAX = 8.0
#: With a longer Retry-After the client does not wait: the caller gets the error at once.
_RETRY_AFTER_MAX = 30.0
_VISIBLE = re.compile(r"^[\x21-\x7e]+$")
_OPTIONS = ("idempotency_key", "timeout", "retries", "headers")


def new_idempotency_key() -> str:
    """A key to store before a paid call, so that a crash cannot cause a second charge."""
    return secrets.token_urlsafe(24)


class Cowrie(Api, Following):
    """A client of the service. It can be used from several threads.

    ``with Cowrie("https://cowrie.example", key) as cowrie: print(cowrie.me.get()["email"])``
    """

    def __init__(
        self,
        base_url: Optional[str] = None,
        key: Optional[str] = None,
        *,
        timeout: float = 120.0,
        stream_silence: float = 60.0,
        retries: int = 2,
        headers: Optional[Mapping[str, str]] = None,
        ssl_context: Optional[ssl.SSLContext] = None,
    ) -> None:
        """By default the address and the key are COWRIE_URL and COWRIE_API_KEY."""
        key = key if key is not None else os.environ.get("COWRIE_API_KEY")
        if key is not None and not (_VISIBLE.match(key) and len(key) <= 1000):
            raise ValueError("key must be visible ASCII characters without spaces")
        address = base_url or os.environ.get("COWRIE_URL") or "http://127.0.0.1:8080"
        self._connections = Connections(address.rstrip("/"), ssl_context)
        self._headers = {
            "user-agent": f"cowrie-python/{VERSION}",
            "accept-encoding": "gzip",
            **(headers or {}),
            **({"authorization": f"Bearer {key}"} if key else {}),
        }
        self._timeout, self._silence, self._retries = timeout, stream_silence, retries
        bind(self, OPERATIONS, self._method)

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Any = None,
        accept: str = "application/json, */*",
        **options: Any,
    ) -> Reply:
        """Makes any call. Read the reply with one of its methods: ``json()``, ``text()``, ``bytes()``, ``frames()``."""
        content = None if body is None else to_json(body)
        return self._send(method, path, query, content, accept, lambda reply: reply, options)

    def close(self) -> None:
        self._connections.close()

    def __enter__(self) -> "Cowrie":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def _method(self, name: str, operation: Operation) -> Callable[..., Any]:
        def call(*args: Any, **options: Any) -> Any:
            path, body, query = _arguments(name, operation, args, options)
            if operation.idempotent and options.get("idempotency_key") is None:
                options["idempotency_key"] = new_idempotency_key()
            kind = operation.reply
            accept = {"json": "application/json", "stream": "text/event-stream"}.get(kind, "*/*")

            def send(read: Callable[[Reply], Any]) -> Any:
                return self._send(operation.method, path, query, body, accept, read, options)

            if kind == "stream":
                return _stream(send, options.get("idempotency_key"))
            return send(lambda reply: getattr(reply, kind)())

        return call

    def _send(
        self,
        method: str,
        path: str,
        query: Optional[Mapping[str, Any]],
        body: Optional[str],
        accept: str,
        read: Callable[[Reply], Any],
        options: Mapping[str, Any],
    ) -> Any:
        """Sends the call and reads its reply. A retry repeats both."""
        cancel = current_cancel()
        key = options.get("idempotency_key")
        is_repeatable = method in ("GET", "HEAD") or key is not None
        retries = self._retries if options.get("retries") is None else options["retries"]
        if not 0 <= retries <= _RETRIES_MAX:
            raise ValueError(f"retries must be from 0 to {_RETRIES_MAX}")
        request = Request(
            method=method,
            path=path + _query_text(query or {}),
            headers=self._headers_of(accept, body, key, options.get("headers")),
            body=None if body is None else body.encode(),
            is_repeatable=is_repeatable,
            timeout=options.get("timeout") or self._timeout,
            stream_silence=self._silence,
            cancel=cancel,
        )
        attempt = 0
        while True:
            attempt += 1
            try:
                return read(self._connections.exchange(request))
            except CowrieError as error:
                error.idempotency_key = key
                # Other calls could take effect twice: a lost answer does not mean that nothing happened.
                if not is_repeatable or attempt > retries or not _may_retry(error):
                    raise
                cancel.wait(pause_after(error, attempt))

    def _headers_of(
        self, accept: str, body: Optional[str], key: Optional[str], more: Optional[Mapping[str, str]]
    ) -> Dict[str, str]:
        headers = {**self._headers, "accept": accept}
        if body is not None:
            headers["content-type"] = "application/json"
        if key is not None:
            if not (_VISIBLE.match(key) and len(key) <= 255):
                raise ValueError("idempotency_key must be 1 to 255 visible ASCII characters")
            headers["idempotency-key"] = key
        return {**headers, **(more or {})}


def _stream(send: Callable[[Callable[[Reply], Any]], Any], key: Optional[str]) -> Iterator[Any]:
    """Nothing is sent before the caller asks for the first frame."""
    try:
        yield from send(lambda reply: reply.frames())
    except CowrieError as error:
        error.idempotency_key = key
        raise


def _arguments(name: str, operation: Operation, args: Any, options: Dict[str, Any]) -> Any:
    """Takes the path, the body and the query out of the arguments. What is left are options of the call."""
    given = list(args)
    path = operation.path
    for param in operation.params:
        value = given.pop(0) if given else None
        if not isinstance(value, str) or value in ("", ".", ".."):
            raise TypeError(f'{name} needs {param} as a string other than "", "." and ".."')
        path = path.replace("{" + param + "}", quote(value, safe=""))
    body = None
    if operation.body:
        content = given.pop(0) if given else options.pop("body", None)
        if content is None and operation.body == "required":
            raise TypeError(f"{name} needs a body")
        body = None if content is None else to_json(content)
    if given:
        raise TypeError(f"{name} got too many arguments")
    query = {operation.query[word]: options.pop(word) for word in list(options) if word in operation.query}
    for word in options:
        if word not in _OPTIONS or (word == "idempotency_key" and not operation.idempotent):
            raise TypeError(f"{name} has no argument {word}")
    return path, body, query


def _query_text(query: Mapping[str, Any]) -> str:
    pairs = [
        (name, str(item).lower() if isinstance(item, bool) else str(item))
        for name, value in query.items()
        for item in (value if isinstance(value, (list, tuple)) else [value])
        if item is not None
    ]
    return "?" + urlencode(pairs) if pairs else ""


def _may_retry(error: CowrieError) -> bool:
    is_lasting = error.code == "stream_cut" or (
        error.code in ("malformed_reply", "unexpected_redirect") and error.status < 500 and error.status != 429
    )
    return error.is_retryable and not is_lasting and (error.retry_after or 0) <= _RETRY_AFTER_MAX


def pause_after(error: CowrieError, attempt: int) -> float:
    backoff = min(_BACKOFF_MAX, _BACKOFF_FIRST * 2 ** min(attempt - 1, 10))
    # Jitter: clients that failed together do not retry together.
    if error.retry_after is None:
        return backoff / 2 + random.random() * backoff / 2
    return error.retry_after + random.random() * _BACKOFF_FIRST
