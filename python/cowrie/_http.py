"""One request and its answer over HTTP/1.1, with connections that are kept open."""
from __future__ import annotations

import codecs
import gzip
import http.client
import re
import socket
import ssl
import threading
import time
import zlib
from contextvars import ContextVar
from email.utils import parsedate_to_datetime
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Union
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from ._errors import CowrieError, error_from_body
from ._events import EventParser
from ._json import InexactMoney, from_json

REPLY_MAX_BYTES = 64 * 1024 * 1024
_IDLE_CONNECTIONS_MAX = 8
#: Servers close idle connections after some seconds. A younger one still works.
_IDLE_MAX_SECONDS = 4.0
_COMPRESS_FROM_BYTES = 1024
_CHUNK_BYTES = 64 * 1024
_JSON = re.compile(r"^application/(?:[\w.+-]+\+)?json\b")

_Connection = Union[http.client.HTTPConnection, http.client.HTTPSConnection]


class Cancelled(Exception):
    """The caller gave up: the task of an asynchronous call was cancelled."""


class Cancel:
    """Ends a call from another thread, also while it waits for the network."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self._lock = threading.Lock()
        self._socket: Optional[socket.socket] = None

    def cancel(self) -> None:
        with self._lock:
            self._event.set()
            if self._socket:
                try:
                    self._socket.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass  # The other side has closed it.

    def watch(self, connection: Optional[_Connection]) -> None:
        with self._lock:
            self._socket = connection.sock if connection else None
        self.check()

    def check(self) -> None:
        if self._event.is_set():
            raise Cancelled

    def wait(self, seconds: float) -> None:
        self._event.wait(seconds)
        self.check()


_current: "ContextVar[Optional[Cancel]]" = ContextVar("cowrie_cancel", default=None)


def current_cancel() -> Cancel:
    """That of the asynchronous call which this thread works for."""
    return _current.get() or Cancel()


class Request(NamedTuple):
    method: str
    path: str
    headers: Dict[str, str]
    body: Optional[bytes]
    #: Safe to send twice. Others never use a connection that the server may just have closed.
    is_repeatable: bool
    timeout: float
    stream_silence: float
    cancel: Cancel


class Connections:
    """The open connections to one service. Any number of threads may use it."""

    def __init__(self, base_url: str, context: Optional[ssl.SSLContext] = None) -> None:
        if not re.match(r"^https?://[^?#\s]+$", base_url):
            raise ValueError("base_url must be an http or https address without query")
        url = urlsplit(base_url)
        self._host = url.hostname or ""
        self._port = url.port or (443 if url.scheme == "https" else 80)
        self._prefix = url.path.rstrip("/")
        self._context = (context or ssl.create_default_context()) if url.scheme == "https" else None
        proxy = None if proxy_bypass(self._host) else getproxies().get(url.scheme)
        self._proxy = urlsplit(proxy if "//" in proxy else f"http://{proxy}") if proxy else None
        self._idle: List[Any] = []
        self._lock = threading.Lock()

    def exchange(self, request: Request) -> Reply:
        connection = self._take(request)
        try:
            request.cancel.watch(connection)
            deadline = time.monotonic() + request.timeout
            _set_timeout(connection, deadline)
            body, headers = _compressed(request)
            connection.request(request.method, self._prefix + request.path, body=body, headers=headers)
            request.cancel.watch(connection)
            response = connection.getresponse()
        except BaseException as error:
            connection.close()
            request.cancel.check()
            raise _network_error(error) from error
        return Reply(self, connection, response, request, deadline)

    def release(self, connection: _Connection) -> None:
        with self._lock:
            if len(self._idle) < _IDLE_CONNECTIONS_MAX:
                self._idle.append((time.monotonic(), connection))
                return
        connection.close()

    def close(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for _, connection in idle:
            connection.close()

    def _take(self, request: Request) -> _Connection:
        while request.is_repeatable:
            with self._lock:
                if not self._idle:
                    break
                since, connection = self._idle.pop()
            if time.monotonic() - since < _IDLE_MAX_SECONDS:
                return connection
            connection.close()
        return self._connect(request.timeout)

    def _connect(self, timeout: float) -> _Connection:
        proxy = self._proxy
        host, port = (proxy.hostname or "", proxy.port or 80) if proxy else (self._host, self._port)
        if self._context:
            secure = http.client.HTTPSConnection(host, port, timeout=timeout, context=self._context)
            if proxy:
                secure.set_tunnel(self._host, self._port)
            return secure
        connection = http.client.HTTPConnection(host, port, timeout=timeout)
        if proxy:
            connection.set_tunnel(self._host, self._port)
        return connection


class Reply:
    """An answer with a 2xx status. Call exactly one of the readers, once: it also releases the connection."""

    def __init__(
        self,
        connections: Connections,
        connection: _Connection,
        response: http.client.HTTPResponse,
        request: Request,
        deadline: float,
    ) -> None:
        self._connections, self._connection, self._response = connections, connection, response
        self._request, self._deadline = request, deadline
        self.status = response.status
        self.headers = response.headers
        self._request_id = response.headers.get("x-request-id")
        if not 200 <= self.status < 300:
            raise self._error()

    def bytes(self) -> bytes:
        chunks: List[bytes] = []
        size = 0
        for chunk in self._chunks(None):
            size += len(chunk)
            if size > REPLY_MAX_BYTES:
                self.close()
                raise self._unusable("reply_too_large", "The answer is too large. Request less at once.")
            chunks.append(chunk)
        return b"".join(chunks)

    def text(self) -> str:
        return self.bytes().decode("utf-8", "replace")

    def json(self) -> Any:
        content = self.bytes()
        if not _JSON.match(self._type()):
            raise self._unusable(
                "malformed_reply", "The answer is not JSON. Check that the base URL is the service itself."
            )
        return self._parse(content.decode("utf-8", "replace"))

    def frames(self) -> Iterator[Any]:
        if not self._type().startswith("text/event-stream"):
            self.close()
            raise self._unusable("malformed_reply", "The answer is not a stream. Check the base URL.")
        parser, decoder = EventParser(), codecs.getincrementaldecoder("utf-8")("replace")
        try:
            for chunk in self._chunks(self._request.stream_silence):
                for data in parser.push(decoder.decode(chunk)):
                    frame = self._parse(data)
                    error = error_from_body(frame, status=None, request_id=self._request_id)
                    if error:
                        raise error
                    yield frame
            if parser.is_unfinished:
                raise CowrieError("The stream ended inside a frame.", status=0, code="stream_cut")
        finally:
            self.close()

    def close(self) -> None:
        self._connection.close()

    def _chunks(self, silence: Optional[float]) -> Iterator[bytes]:
        """The content without its compression. ``silence``: a stream, which may last for hours."""
        coding = (self.headers.get("content-encoding") or "identity").lower()
        if coding not in ("identity", "gzip"):
            self.close()
            raise self._unusable("malformed_reply", f"The answer has the unknown coding {coding[:40]}.")
        inflate = zlib.decompressobj(31) if coding == "gzip" else None
        try:
            while True:
                _set_timeout(self._connection, time.monotonic() + silence if silence else self._deadline)
                chunk = self._response.read1(_CHUNK_BYTES)
                if not chunk:
                    break
                while inflate and chunk:
                    yield inflate.decompress(chunk, _CHUNK_BYTES)
                    chunk = inflate.unconsumed_tail
                if not inflate:
                    yield chunk
        except GeneratorExit:
            self.close()
            raise
        except BaseException as error:
            self.close()
            self._request.cancel.check()
            raise _network_error(error, "stream_cut" if silence else "network_error") from error
        if self._response.length:
            self.close()
            raise CowrieError("The connection broke.", status=0, code="stream_cut" if silence else "network_error")
        self._request.cancel.watch(None)
        # The connection accepts no further request while its answer counts as open.
        self._response.close()
        if self._response.will_close:
            self.close()
        else:
            self._connections.release(self._connection)

    def _error(self) -> CowrieError:
        if 300 <= self.status < 400:
            self.close()
            return self._unusable(
                "unexpected_redirect", "The address answered with a redirect. Check the base URL."
            )
        retry_after = _retry_after(self.headers.get("retry-after"))
        content = self.bytes()
        if _JSON.match(self._type()):
            error = error_from_body(
                self._parse(content.decode("utf-8", "replace")),
                status=self.status,
                request_id=self._request_id,
                retry_after=retry_after,
            )
            if error:
                return error
        message = f"The answer was HTTP {self.status} without an error code. A proxy may have sent it."
        foreign = self._unusable("malformed_reply", message)
        foreign.retry_after = retry_after
        return foreign

    def _parse(self, text: str) -> Any:
        try:
            return from_json(text)
        except InexactMoney as error:
            raise self._unusable("malformed_reply", f"The answer has an amount that is not exact: {error}.")
        except ValueError:
            raise self._unusable("malformed_reply", "The answer is not valid JSON.")

    def _unusable(self, code: str, message: str) -> CowrieError:
        return CowrieError(message, status=self.status, code=code, request_id=self._request_id)

    def _type(self) -> str:
        return (self.headers.get("content-type") or "").lower()


def _compressed(request: Request) -> Any:
    if request.body is None or len(request.body) < _COMPRESS_FROM_BYTES:
        return request.body, request.headers
    return gzip.compress(request.body, 6), {**request.headers, "content-encoding": "gzip"}


def _set_timeout(connection: _Connection, deadline: float) -> None:
    left = max(0.001, deadline - time.monotonic())
    connection.timeout = left
    if connection.sock:
        connection.sock.settimeout(left)


def _network_error(error: BaseException, code: str = "network_error") -> BaseException:
    if isinstance(error, (CowrieError, Cancelled)) or not isinstance(error, Exception):
        return error
    if isinstance(error, (socket.timeout, TimeoutError)):
        return CowrieError("The service sent no complete answer in time.", status=0, code="timeout")
    if isinstance(error, (OSError, http.client.HTTPException, zlib.error, EOFError)):
        reason = str(error) or type(error).__name__
        return CowrieError(f"The service could not be reached, or the connection broke: {reason}", status=0, code=code)
    return error


def _retry_after(header: Optional[str]) -> Optional[float]:
    if header is None:
        return None
    if re.match(r"^\s*\d{1,9}\s*$", header):
        return float(header)
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except (TypeError, ValueError):
        return None
