#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A server that is no model: it puts every request into a folder and waits until a
person, or an agent, has put the answer beside it. For writer_bench.py and for looking at
what the model writer asks.

    bench/model_relay.py FOLDER [--port 8080] [--wait 3600]

A request is FOLDER/0001.request.md: the rules, then the turns. The answer is the text of
FOLDER/0001.answer.md, written under another name and renamed, so that it is whole. Both
protocols are served: /v1/chat/completions and /v1/messages. Tokens are not counted; sibyl
then estimates them from the bytes.
"""
import argparse
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


def text_of(content):
    """The text of a message, which may be a list of parts."""
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content)


def turns_of(body):
    """[(speaker, text)] of either protocol, with the rules as "system"."""
    turns = [("system", text_of(body["system"]))] if "system" in body else []
    return turns + [(one["role"], text_of(one["content"])) for one in body["messages"]]


def whole_answer(path, model, text):
    """The answer in one piece, as the protocol of this path has it."""
    if path.endswith("/messages"):
        return {
            "type": "message",
            "role": "assistant",
            "model": model,
            "content": [{"type": "text", "text": text}],
            "stop_reason": "end_turn",
        }
    return {
        "model": model,
        "choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
    }


class Relay:
    def __init__(self, folder, wait):
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.wait = wait
        self.lock = threading.Lock()

    def next_number(self):
        with self.lock:
            number = 1
            while (self.folder / f"{number:04}.request.md").exists():
                number += 1
            (self.folder / f"{number:04}.request.md").touch()
            return number

    def ask(self, turns):
        number = self.next_number()
        text = "".join(f"<<<<< {speaker}\n{said}\n" for speaker, said in turns)
        (self.folder / f"{number:04}.request.md").write_text(text, encoding="utf-8")
        answer = self.folder / f"{number:04}.answer.md"
        until = time.monotonic() + self.wait
        while time.monotonic() < until:
            if answer.exists():
                return answer.read_text(encoding="utf-8")
            time.sleep(0.2)
        return None


def make_handler(relay):
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):  # noqa: N802, the name is that of the library
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            answer = relay.ask(turns_of(body))
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
    parser.add_argument("--wait", type=float, default=3600, help="seconds until 504")
    arguments = parser.parse_args()
    relay = Relay(arguments.folder, arguments.wait)
    server = ThreadingHTTPServer(("127.0.0.1", arguments.port), make_handler(relay))
    print(f"http://127.0.0.1:{server.server_port}/v1", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
