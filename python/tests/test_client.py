"""The client against a server that fails in the ways of real networks. Run: python3 -m unittest discover python/tests"""
import asyncio
import base64
import gzip
import hashlib
import hmac
import json
import sys
import threading
import time
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from cowrie import AsyncCowrie, Cowrie, CowrieError, WebhookError, verify_webhook  # noqa: E402
from cowrie._events import EventParser  # noqa: E402


class FakeService:
    """Answers each request with the next of its scripted answers."""

    def __init__(self, *answers):
        self.answers, self.requests = list(answers), []
        self.released = threading.Event()
        fake = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                if self.headers.get("content-encoding") == "gzip":
                    body = gzip.decompress(body)
                headers = {name.lower(): value for name, value in self.headers.items()}
                fake.requests.append((self.command, self.path, headers, body))
                # An unexpected request fails the test at once, because nobody repeats this error.
                answer = fake.answers.pop(0) if fake.answers else reply({"error": "Bug.", "code": "internal"}, 500)
                answer(self)

            do_POST = do_PATCH = do_GET

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        # Clients that give up leave broken connections.
        self.server.handle_error = lambda *_: None
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    def __enter__(self):
        return self, f"http://127.0.0.1:{self.server.server_port}"

    def __exit__(self, *_):
        self.released.set()
        self.server.shutdown()
        self.server.server_close()

    def hang(self, handler):
        self.released.wait(20)
        handler.close_connection = True


def reply(body, status=200, **headers):
    def send(handler):
        content = json.dumps(body).encode()
        handler.send_response(status)
        for name, value in {"content-type": "application/json", "content-length": len(content), **headers}.items():
            handler.send_header(name.replace("_", "-"), str(value))
        handler.end_headers()
        handler.wfile.write(content)

    return send


def drop(handler):
    handler.close_connection = True
    handler.connection.close()


def events(*frames, is_cut=False, is_packed=False):
    def send(handler):
        text = "".join(f"id: {frame['seq']}\ndata: {json.dumps(frame)}\n\n" for frame in frames)
        content = gzip.compress(text.encode()) if is_packed else text.encode()
        handler.send_response(200)
        handler.send_header("content-type", "text/event-stream")
        if is_packed:
            handler.send_header("content-encoding", "gzip")
        handler.send_header("content-length", str(len(content) + (10 if is_cut else 0)))
        handler.end_headers()
        handler.wfile.write(content)
        handler.close_connection = True

    return send


class ClientTest(unittest.TestCase):
    def test_a_lost_answer_is_asked_for_again_with_the_same_key(self):
        with FakeService(drop, reply({"id": "agr_1"})) as (fake, url), Cowrie(url, "key") as cowrie:
            self.assertEqual(cowrie.agent.run({"prompt": "x"})["id"], "agr_1")
            keys = [headers["idempotency-key"] for _, _, headers, _ in fake.requests]
            self.assertEqual(len(set(keys)), 1)
            self.assertEqual(len(keys), 2)

    def test_a_call_without_a_key_is_never_repeated(self):
        with FakeService(drop) as (fake, url), Cowrie(url, "key") as cowrie:
            with self.assertRaises(CowrieError) as caught:
                cowrie.tasks.patch("tsk_1", {"title": "x"})
            self.assertEqual((caught.exception.code, caught.exception.outcome), ("network_error", "unknown"))
            self.assertEqual(len(fake.requests), 1)

    def test_money_is_exact_in_both_directions(self):
        huge = 9_007_199_254_740_993
        with FakeService(reply({"balanceMinor": huge}), reply({"balanceMinor": 1.5})) as (_, url):
            with Cowrie(url, "key") as cowrie:
                self.assertEqual(cowrie.wallet.get()["balanceMinor"], huge)
                with self.assertRaises(CowrieError) as caught:
                    cowrie.wallet.get(retries=0)
                self.assertEqual(caught.exception.code, "malformed_reply")
                with self.assertRaises(TypeError):
                    cowrie.tasks.turn("tsk_1", {"prompt": "x", "maxMinor": 1.5})

    def test_an_error_has_the_facts_of_the_service(self):
        body = {"error": "Top up.", "code": "insufficient_funds", "requestId": "req_1", "requiredMinor": 5}
        with FakeService(reply(body, 402)) as (_, url), Cowrie(url, "key") as cowrie:
            with self.assertRaises(CowrieError) as caught:
                cowrie.agent.run({"prompt": "x"})
            error = caught.exception
            self.assertEqual((error.status, error.code, error.request_id), (402, "insufficient_funds", "req_1"))
            self.assertEqual((error.detail, error.outcome), ({"requiredMinor": 5}, "decided"))

    def test_it_waits_for_retry_after_and_not_for_long_ones(self):
        busy = {"error": "Busy.", "code": "busy"}
        answers = (reply(busy, 503, retry_after=1), reply({"ok": 1}), reply(busy, 503, retry_after=3600))
        with FakeService(*answers) as (_, url), Cowrie(url, "key") as cowrie:
            since = time.monotonic()
            cowrie.me.get()
            self.assertGreaterEqual(time.monotonic() - since, 1)
            with self.assertRaises(CowrieError) as caught:
                cowrie.me.get()
            self.assertEqual(caught.exception.retry_after, 3600)

    def test_redirects_and_foreign_pages_are_named(self):
        page = reply("hello", 200, **{"content-type": "text/html"})
        with FakeService(reply({}, 302, location="/other"), page) as (_, url), Cowrie(url, "key") as cowrie:
            for code in ("unexpected_redirect", "malformed_reply"):
                with self.assertRaises(CowrieError) as caught:
                    cowrie.me.get()
                self.assertEqual(caught.exception.code, code)

    def test_large_bodies_are_compressed(self):
        with FakeService(reply({"turnId": "trn_1"})) as (fake, url), Cowrie(url, "key") as cowrie:
            cowrie.tasks.turn("tsk_1", {"prompt": "ọ" * 5000})
            _, _, headers, body = fake.requests[0]
            self.assertLess(int(headers["content-length"]), 200)
            self.assertEqual(json.loads(body)["prompt"], "ọ" * 5000)

    def test_a_broken_task_stream_goes_on_after_its_last_event(self):
        turn = {"id": "trn_1", "finishedAt": None}
        task = {"turns": [turn], "lastSeq": 0, "needs": []}
        one = {"seq": 1, "kind": "message", "turnId": "trn_1", "text": "a"}
        two = {"seq": 2, "kind": "status", "status": "finished", "turnId": "trn_1"}
        with FakeService(reply(task), events(one, is_cut=True), drop, events(one, two, is_packed=True)) as (fake, url):
            with Cowrie(url, "key") as cowrie:
                seen = [event["seq"] for event in cowrie.follow_task("tsk_1", turn_id="trn_1")]
        self.assertEqual(seen, [1, 2])
        self.assertEqual([path for _, path, _, _ in fake.requests[1:]][-1], "/tasks/tsk_1/stream?after=1")

    def test_tools_are_answered_once_and_exceptions_are_results(self):
        needs = [{"kind": "tool", "turnId": "trn_1", "callId": "call_1", "tool": "read", "input": {"path": "a"}}]
        turn = {"id": "trn_1", "finishedAt": None}
        done = {"seq": 9, "kind": "status", "status": "finished", "turnId": "trn_1"}
        task = {"turns": [turn], "lastSeq": 3, "needs": needs}
        ended = {"turns": [{"id": "trn_1", "finishedAt": "now"}], "lastSeq": 9, "needs": []}
        answers = (reply(task), reply({"accepted": ["call_1"]}), reply(task), events(done), reply(ended))
        with FakeService(*answers) as (fake, url), Cowrie(url, "key") as cowrie:
            turn = cowrie.run_client_tools("tsk_1", {"read": lambda given: 1 / 0})
        self.assertEqual(turn["finishedAt"], "now")
        self.assertEqual(
            json.loads(fake.requests[1][3])["results"],
            [{"callId": "call_1", "ok": False, "output": "division by zero"}],
        )

    def test_wrong_arguments_are_refused_before_anything_is_sent(self):
        with FakeService() as (_, url), Cowrie(url, "key") as cowrie:
            for call in (
                lambda: cowrie.tasks.get(".."),
                lambda: cowrie.tasks.turn("tsk_1"),
                lambda: cowrie.tasks.get("tsk_1", unknown=1),
                lambda: cowrie.me.get(idempotency_key="x"),
            ):
                with self.assertRaises(TypeError):
                    call()

    def test_a_cancelled_task_of_asyncio_ends_at_once(self):
        fake_service = FakeService()
        fake_service.answers = [fake_service.hang, reply({"email": "ada@example.com"})]

        async def main(url):
            async with AsyncCowrie(url, "key") as cowrie:
                with self.assertRaises(asyncio.TimeoutError):
                    await asyncio.wait_for(cowrie.me.get(), 0.1)
                return await cowrie.me.get()

        with fake_service as (_, url):
            self.assertEqual(asyncio.run(main(url))["email"], "ada@example.com")

    def test_asyncio_streams_and_tools(self):
        frames = [{"seq": n, "kind": "message", "turnId": None} for n in (1, 2, 3)]

        async def main(url):
            async with AsyncCowrie(url, "key") as cowrie:
                seen = []
                async for frame in cowrie.tasks.stream("tsk_1", after=0):
                    seen.append(frame["seq"])
                return seen

        with FakeService(events(*frames)) as (_, url):
            self.assertEqual(asyncio.run(main(url)), [1, 2, 3])


class EventsTest(unittest.TestCase):
    def test_frames_survive_any_split(self):
        text = ": hello\r\n\r\ndata: a\r\ndata: b\r\n\r\ndata:c\n\ndata: d\r\rdata: rest"
        for size in range(1, len(text)):
            parser = EventParser()
            found = [frame for at in range(0, len(text), size) for frame in parser.push(text[at : at + size])]
            self.assertEqual((found, parser.is_unfinished), (["a\nb", "c", "d"], True))


class WebhookTest(unittest.TestCase):
    def test_only_a_signed_and_recent_call_is_accepted(self):
        key = b"0123456789abcdef01234567"
        secret = "whsec_" + base64.b64encode(key).decode()
        body = '{"type":"ping","timestamp":"t","data":{}}'
        signature = base64.b64encode(hmac.new(key, f"evt_1.1000.{body}".encode(), hashlib.sha256).digest()).decode()
        headers = {"Webhook-Id": "evt_1", "Webhook-Timestamp": "1000", "Webhook-Signature": f"v1,AAAA v1,{signature}"}
        self.assertEqual(verify_webhook(secret, headers, body, now=1010)["id"], "evt_1")
        for bad in (
            lambda: verify_webhook(secret, headers, body + " ", now=1010),
            lambda: verify_webhook(secret, headers, body, now=2000),
            lambda: verify_webhook(secret, {**headers, "Webhook-Id": "evt_2"}, body, now=1010),
            lambda: verify_webhook(secret, {}, body, now=1010),
        ):
            with self.assertRaises(WebhookError):
                bad()


if __name__ == "__main__":
    unittest.main()
