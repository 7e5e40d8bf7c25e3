#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A server that is no model: it puts every request into a folder and waits until a
person, or an agent, has put the answer beside it. For writer_bench.py and for looking at
what the model writer asks.

    bench/model_relay.py FOLDER [--port 8080] [--wait HOURS]

A request is FOLDER/0001.request.md: the rules, then the turns. The answer is the text of
FOLDER/0001.answer.md; it is read when it has not changed for two seconds. An answer that
does not have the form that its request asks for is renamed to 0001.rejected-1.md, and
0001.problem.md says what is wrong; the third is passed on as it is. FOLDER/waiting.txt
lists the requests without an answer.

The same request has the same number, also after a restart: what was answered is not asked
for again. Both protocols are served, /v1/chat/completions and /v1/messages, streamed with
signs of life while nobody answers. Tokens are not counted; sibyl then estimates them from
the bytes.
"""
import argparse
import hashlib
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from writer import requests

MOST_REJECTIONS = 2
SIGN_OF_LIFE_SECONDS = 10
QUIET_SECONDS = 2


def events_of(path, model, text):
    """The answer as the events of a stream in the protocol of this path."""
    if path.endswith("/messages"):
        events = [
            {"type": "message_start", "message": {"model": model, "usage": {}}},
            {"type": "content_block_delta", "delta": {"type": "text_delta", "text": text}},
            {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {}},
            {"type": "message_stop"},
        ]
        return "".join(f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in events)
    piece = {"model": model, "choices": [{"delta": {"content": text}, "finish_reason": "stop"}]}
    return f"data: {json.dumps(piece)}\n\ndata: [DONE]\n\n"


def whole_answer(path, model, text):
    """The answer in one piece, as the protocol of this path has it."""
    if path.endswith("/messages"):
        return {"type": "message", "role": "assistant", "model": model,
                "content": [{"type": "text", "text": text}], "stop_reason": "end_turn"}
    return {"model": model, "choices": [{"message": {"role": "assistant", "content": text},
                                         "finish_reason": "stop"}]}


class Relay:
    def __init__(self, folder, wait, quiet=QUIET_SECONDS):
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.wait = wait
        self.quiet = quiet
        self.lock = threading.Lock()
        self.numbers = {}  # of requests, by the hash of their text
        self.waiting = set()
        for known in sorted(self.folder.glob("[0-9]*.request.md")):
            text = known.read_text(encoding="utf-8")
            self.numbers[self.key(text)] = int(known.name.split(".")[0])

    @staticmethod
    def key(text):
        return hashlib.sha256(text.encode()).hexdigest()

    def file(self, number, kind):
        return self.folder / f"{number:04}.{kind}.md"

    def write(self, path, text):
        whole = path.with_name("." + path.name + ".part")
        whole.write_text(text, encoding="utf-8")
        whole.rename(path)

    def open(self, body):
        """The number of a request; its file is there afterwards."""
        text = "".join(f"<<<<< {speaker}\n{said}\n" for speaker, said in requests.turns_of(body))
        with self.lock:
            number = self.numbers.setdefault(self.key(text), len(self.numbers) + 1)
            if not self.file(number, "request").exists():
                self.write(self.file(number, "request"), text)
            if not self.file(number, "answer").exists():
                self.waiting.add(number)
            self.list_waiting()
        return number

    def list_waiting(self):
        names = [self.file(number, "request").name + "\n" for number in sorted(self.waiting)]
        self.write(self.folder / "waiting.txt", "".join(names))

    def rejections(self, number):
        return len(list(self.folder.glob(f"{number:04}.rejected-*.md")))

    def look(self, number, body):
        """The answer, if it is there, whole and usable."""
        path = self.file(number, "answer")
        try:
            before = path.stat()
            if time.time() - before.st_mtime < self.quiet:
                return None
            text = path.read_text(encoding="utf-8")
        except (FileNotFoundError, UnicodeDecodeError):
            return None
        problem = requests.problem_of(body, text)
        with self.lock:
            rejected = self.rejections(number)
            if problem and rejected < MOST_REJECTIONS:
                if path.exists():
                    path.rename(self.file(number, f"rejected-{rejected + 1}"))
                self.write(self.file(number, "problem"),
                           f"{path.name} cannot be used. {problem} It is now "
                           f"{self.file(number, f'rejected-{rejected + 1}').name}; write "
                           f"{path.name} again.\n")
                return None
            self.file(number, "problem").unlink(missing_ok=True)
            self.waiting.discard(number)
            self.list_waiting()
        return text

    def ask(self, body, sign_of_life):
        """The answer; None if nobody gave one in time. Calls `sign_of_life` meanwhile."""
        number = self.open(body)
        until = time.monotonic() + self.wait
        next_sign = time.monotonic() + SIGN_OF_LIFE_SECONDS
        while time.monotonic() < until:
            text = self.look(number, body)
            if text is not None:
                return text
            if time.monotonic() >= next_sign:
                sign_of_life()
                next_sign += SIGN_OF_LIFE_SECONDS
            time.sleep(min(0.2, self.quiet or 0.01))
        return None


def make_handler(relay):
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):  # noqa: N802, the name is that of the library
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            try:
                if body.get("stream"):
                    self.stream(body)
                else:
                    self.answer_at_once(body)
            except (BrokenPipeError, ConnectionResetError):
                pass  # the request stays open, and the next one like it has its answer
            self.close_connection = True

        def stream(self, body):
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()

            def sign_of_life():
                self.wfile.write(b": waiting\n\n")
                self.wfile.flush()

            answer = relay.ask(body, sign_of_life)
            if answer is not None:  # otherwise the stream ends too early, and is retried
                self.wfile.write(events_of(self.path, body.get("model", ""), answer).encode())

        def answer_at_once(self, body):
            answer = relay.ask(body, lambda: None)
            if answer is None:
                self.send_error(504, "nobody answered")
                return
            data = json.dumps(whole_answer(self.path, body.get("model", ""), answer)).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_):
            pass

    return Handler


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("folder")
    parser.add_argument("--port", type=int, default=8080, help="0: any free port")
    parser.add_argument("--wait", type=float, default=12, metavar="HOURS",
                        help="for one answer [12]")
    arguments = parser.parse_args()
    relay = Relay(arguments.folder, arguments.wait * 3600)
    server = ThreadingHTTPServer(("127.0.0.1", arguments.port), make_handler(relay))
    print(f"http://127.0.0.1:{server.server_port}/v1", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
