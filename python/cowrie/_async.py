"""The client for asyncio. The standard library has no asynchronous HTTP, so each call waits in a thread of a pool; cancelling a task
closes its connection, which ends the wait of the thread at once."""
from __future__ import annotations

import asyncio
import contextvars
import functools
import inspect
from concurrent.futures import ThreadPoolExecutor
from typing import Any, AsyncIterator, Callable, Iterator, Mapping, Optional

from ._client import Cowrie
from ._http import Cancel, Cancelled, _current
from ._operation import Operation
from ._operations import OPERATIONS
from .api import AsyncApi, bind

_END = object()


class AsyncCowrie(AsyncApi):
    """The same client for asyncio: methods are coroutines, and streams are asynchronous iterators.

    ``async with AsyncCowrie(url, key) as cowrie: print((await cowrie.me.get())["email"])``
    """

    def __init__(
        self, base_url: Optional[str] = None, key: Optional[str] = None, *, concurrency: int = 32, **options: Any
    ) -> None:
        """``concurrency``: how many calls may wait for the service at the same time. Further ones wait for their turn."""
        self._client = Cowrie(base_url, key, **options)
        self._pool = ThreadPoolExecutor(concurrency, thread_name_prefix="cowrie")
        bind(self, OPERATIONS, self._method)

    def follow_task(self, task_id: str, **options: Any) -> AsyncIterator[Any]:
        return self._iterate(lambda: self._client.follow_task(task_id, **options))

    def follow_research(self, run_id: str, **options: Any) -> AsyncIterator[Any]:
        return self._iterate(lambda: self._client.follow_research(run_id, **options))

    async def wait_for_turn(self, task_id: str, **options: Any) -> Any:
        return await self._run(lambda: self._client.wait_for_turn(task_id, **options))

    async def run_client_tools(self, task_id: str, handlers: Mapping[str, Any], **options: Any) -> Any:
        """As in the other client. Handlers may be coroutines; they run in the event loop."""
        loop = asyncio.get_running_loop()

        def adapted(handler: Callable[[Any], Any]) -> Callable[[Any], Any]:
            async def run(given: Any) -> Any:
                outcome = handler(given)
                return await outcome if inspect.isawaitable(outcome) else outcome

            return lambda given: asyncio.run_coroutine_threadsafe(run(given), loop).result()

        wrapped = {name: adapted(handler) for name, handler in handlers.items()}
        return await self._run(lambda: self._client.run_client_tools(task_id, wrapped, **options))

    async def collect(self, stream: Callable[..., Any], *args: Any, **options: Any) -> Any:
        """The last frame of a paid stream: ``await cowrie.collect(cowrie.agent.run_loop, body)``."""
        return await self._run(lambda: self._client.collect(_sync_of(stream), *args, **options))

    async def paginate(self, fetch: Callable[..., Any], items: str, **query: Any) -> AsyncIterator[Any]:
        async for item in self._iterate(lambda: self._client.paginate(_sync_of(fetch), items, **query)):
            yield item

    async def close(self) -> None:
        self._client.close()
        self._pool.shutdown(wait=False)

    async def __aenter__(self) -> "AsyncCowrie":
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.close()

    def _method(self, name: str, operation: Operation) -> Callable[..., Any]:
        sync: Any = functools.reduce(getattr, name.split("."), self._client)
        if operation.reply == "stream":

            def stream(*args: Any, **options: Any) -> AsyncIterator[Any]:
                return self._iterate(lambda: sync(*args, **options))

            stream.sync = sync  # type: ignore[attr-defined]
            return stream

        async def call(*args: Any, **options: Any) -> Any:
            return await self._run(lambda: sync(*args, **options))

        call.sync = sync  # type: ignore[attr-defined]
        return call

    async def _run(self, work: Callable[[], Any], cancel: Optional[Cancel] = None) -> Any:
        cancel = cancel or Cancel()
        context = contextvars.copy_context()
        context.run(_current.set, cancel)
        future = asyncio.get_running_loop().run_in_executor(self._pool, context.run, work)
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError:
            cancel.cancel()
            # The thread ends soon; nobody needs its result.
            future.add_done_callback(lambda done: done.cancelled() or done.exception())
            raise
        except Cancelled:
            raise asyncio.CancelledError from None

    async def _iterate(self, start: Callable[[], Iterator[Any]]) -> AsyncIterator[Any]:
        cancel = Cancel()
        frames: Any = await self._run(start, cancel)
        try:
            while True:
                frame = await self._run(lambda: next(frames, _END), cancel)
                if frame is _END:
                    return
                yield frame
        finally:
            cancel.cancel()


def _sync_of(method: Any) -> Any:
    """The method of the other client. A function of the caller runs in the thread as it is."""
    return getattr(method, "sync", method)
