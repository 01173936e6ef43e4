"""Work that survives broken connections and restarts of the service: tasks, research and paid streams."""
from __future__ import annotations

import time
from typing import Any, Callable, Dict, Iterator, Mapping, Optional, Union

from ._errors import CowrieError
from ._http import current_cancel

_PATIENCE = 600.0
#: A stream that ends earlier without frames counts as a failure. The service ends a stream after 30 minutes.
_WORKING_STREAM = 5.0
_OUTPUT_MAX = 1_000_000

Outcome = Union[str, Mapping[str, Any]]
Handler = Callable[[Dict[str, Any]], Outcome]


class Following:
    """Methods of the client that go on by themselves over any number of connections."""

    def paginate(self, fetch: Callable[..., Any], items: str, **query: Any) -> Iterator[Any]:
        """Every item of a list: ``cowrie.paginate(cowrie.wallet.ledger, "entries")``."""
        cursor, seen = None, set()
        while True:
            page = fetch(**query, **({"cursor": cursor} if cursor else {}))
            yield from page[items]
            cursor = page["nextCursor"]
            if cursor is None:
                return
            if cursor in seen:
                raise RuntimeError("The same page came twice.")
            seen.add(cursor)

    def collect(
        self,
        stream: Callable[..., Iterator[Any]],
        *args: Any,
        idempotency_key: Optional[str] = None,
        on_frame: Optional[Callable[[Any], None]] = None,
        patience: float = _PATIENCE,
    ) -> Any:
        """The last frame of a paid stream. When the connection breaks, the call is repeated with the same key, which
        returns the outcome and never starts or charges the work twice."""
        from ._client import new_idempotency_key

        key = idempotency_key or new_idempotency_key()
        for frame in _reopening(lambda: stream(*args, idempotency_key=key), patience):
            if on_frame:
                on_frame(frame)
            if "result" in frame or "message" in frame:
                return frame
        raise _ended_early()

    def follow_research(self, run_id: str, *, after: int = 0, patience: float = _PATIENCE) -> Iterator[Any]:
        """Each frame of a research run once, from ``after`` to the end."""
        client: Any = self
        seen = after
        for frame in _reopening(lambda: client.research.stream(run_id, after=seen), patience):
            if frame["seq"] > seen:
                seen = frame["seq"]
                yield frame
                if frame["kind"] == "done":
                    return

    def follow_task(
        self, task_id: str, *, turn_id: Optional[str] = None, after: int = 0, patience: float = _PATIENCE
    ) -> Iterator[Any]:
        """Each event of a task once, typed by its ``kind``. Ends after ``turn_id``, or never without it."""
        client: Any = self
        seen, last = after, None
        if turn_id is not None:
            task = _patiently(lambda: client.tasks.get(task_id), patience)
            turn = _turn_of(task, turn_id)
            # The end of the turn may be an event that the caller has already.
            last = task["lastSeq"] if turn["finishedAt"] is not None else None
            if last is not None and seen >= last:
                return
        for event in _reopening(lambda: client.tasks.stream(task_id, after=seen), patience, may_be_idle=True):
            if event["seq"] <= seen:
                continue
            seen = event["seq"]
            yield event
            is_end = event["kind"] == "status" and event["status"] == "finished" and event["turnId"] == turn_id
            if (is_end and turn_id is not None) or (last is not None and seen >= last):
                return

    def run_client_tools(
        self,
        task_id: str,
        handlers: Mapping[str, Handler],
        *,
        turn_id: Optional[str] = None,
        on_event: Optional[Callable[[Any], None]] = None,
        patience: float = _PATIENCE,
    ) -> Any:
        """Answers the tool calls of a turn until it ends, and returns the turn. Without handlers it only waits.

        A handler gets the input of its tool and returns a text, or ``{"ok", "output", "changes"}``. An exception
        becomes the result of the call. After an error, call this again: open calls are run, answered ones are not.
        """
        client: Any = self
        task = _patiently(lambda: client.tasks.get(task_id), patience)
        turn = task["turns"][-1] if turn_id is None and task["turns"] else _turn_of(task, turn_id)
        answered = set()

        def answer(need: Mapping[str, Any]) -> None:
            if not handlers or need["callId"] in answered:
                return
            answered.add(need["callId"])
            given = need
            if need.get("isInputOmitted"):
                given = {**need, **_patiently(lambda: client.tasks.tool_output(task_id, need["callId"]), patience)}
            results = {"results": [_run(handlers, given)]}
            # A call takes one result: a repeated one is ignored.
            _patiently(lambda: client.tasks.tool_results(task_id, results), patience)

        if turn["finishedAt"] is None:
            for need in task["needs"]:
                if need["kind"] == "tool" and need["turnId"] == turn["id"]:
                    answer(need)
            for event in self.follow_task(
                task_id, turn_id=turn["id"], after=task["lastSeq"], patience=patience
            ):
                if on_event:
                    on_event(event)
                if event["kind"] == "needs_tool" and event["turnId"] == turn["id"]:
                    answer(event)
        return _turn_of(_patiently(lambda: client.tasks.get(task_id), patience), turn["id"])

    def wait_for_turn(
        self,
        task_id: str,
        *,
        turn_id: Optional[str] = None,
        on_event: Optional[Callable[[Any], None]] = None,
        patience: float = _PATIENCE,
    ) -> Any:
        """The turn when it has ended; by default the last one of the task. Its ``stopReason`` says why."""
        return self.run_client_tools(task_id, {}, turn_id=turn_id, on_event=on_event, patience=patience)


def _turn_of(task: Mapping[str, Any], turn_id: Optional[str]) -> Any:
    for turn in task["turns"]:
        if turn["id"] == turn_id:
            return turn
    raise ValueError(f"the task has no turn {turn_id}" if turn_id else "start a turn first")


def _run(handlers: Mapping[str, Handler], need: Mapping[str, Any]) -> Dict[str, Any]:
    call = {"callId": need["callId"], "ok": True}
    handler = handlers.get(need["tool"])
    if handler is None:
        return {**call, "ok": False, "output": f"This client does not offer the tool {need['tool']}."}
    try:
        outcome = handler(need["input"] or {})
    except Exception as error:  # The model reads it, and may try something else.
        return {**call, "ok": False, "output": _cut(str(error) or type(error).__name__)}
    if isinstance(outcome, str):
        return {**call, "output": _cut(outcome)}
    return {**call, **outcome, "output": _cut(outcome["output"])}


def _cut(output: str) -> str:
    if len(output) <= _OUTPUT_MAX:
        return output
    return output[: _OUTPUT_MAX - 100] + "\n… the rest of the output is left out"


def _patiently(call: Callable[[], Any], patience: float) -> Any:
    """Repeats a call that is safe to repeat while its failures can pass."""
    since, attempt = time.monotonic(), 0
    while True:
        attempt += 1
        try:
            return call()
        except CowrieError as error:
            _pause(error, attempt, since, patience)


def _reopening(
    open_stream: Callable[[], Iterator[Any]], patience: float, may_be_idle: bool = False
) -> Iterator[Any]:
    """Reopens a stream whenever it breaks or ends, until the caller stops reading or the service is silent for too long."""
    last_frame, failures = time.monotonic(), 0
    while True:
        failures += 1
        failure = _ended_early()
        opened = time.monotonic()
        stream = open_stream()
        try:
            for frame in stream:
                yield frame
                # Measured after the caller has handled the frame: its time does not count as silence.
                last_frame, failures = time.monotonic(), 0
            if may_be_idle and time.monotonic() - opened > _WORKING_STREAM:
                last_frame, failures = time.monotonic(), 0
        except CowrieError as error:
            failure = error
        finally:
            close: Any = getattr(stream, "close", None)
            if close:
                close()
        _pause(failure, max(1, failures), last_frame, patience)


def _pause(error: CowrieError, attempt: int, since: float, patience: float) -> None:
    from ._client import pause_after

    pause = pause_after(error, attempt)
    if not error.is_retryable or time.monotonic() + pause - since > patience:
        raise error
    current_cancel().wait(pause)


def _ended_early() -> CowrieError:
    return CowrieError("The stream ended before its last frame.", status=0, code="stream_cut")
