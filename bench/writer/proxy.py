# SPDX-License-Identifier: Apache-2.0
"""A server between sibyl and a model's: it counts requests and plants falsehoods."""
import collections
import http.client
import json
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from . import requests

KEPT_HEADERS = ("Content-Type", "Retry-After")


class Proxy:
    def __init__(self, url, planter):
        self.target = urllib.parse.urlsplit(url)
        self.planter = planter
        self.requests = collections.Counter()
        self.lock = threading.Lock()
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):  # noqa: N802, the name is that of the library
                proxy.forward(self)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def url(self):
        return f"http://127.0.0.1:{self.server.server_port}{self.target.path}"

    def forward(self, handler):
        body = json.loads(handler.rfile.read(int(handler.headers["Content-Length"])))
        stage = requests.stage_of(body)
        with self.lock:
            self.requests[stage] += 1
            if stage in ("writing", "repair") and self.planter.most > 0:
                for turn in body["messages"]:
                    if turn["role"] == "user" and isinstance(turn["content"], str):
                        turn["content"] = self.planter.change(turn["content"])
        kind = (http.client.HTTPSConnection if self.target.scheme == "https"
                else http.client.HTTPConnection)
        server = kind(self.target.hostname, self.target.port, timeout=24 * 3600)
        headers = {name: value for name, value in handler.headers.items()
                   if name.lower() not in ("host", "content-length", "accept-encoding")}
        server.request("POST", handler.path, json.dumps(body).encode(), headers)
        answer = server.getresponse()
        handler.send_response(answer.status)
        for name in KEPT_HEADERS:
            if answer.getheader(name):
                handler.send_header(name, answer.getheader(name))
        handler.end_headers()  # without a length: as it arrives, until the end
        while piece := answer.read1(65536):
            handler.wfile.write(piece)
            handler.wfile.flush()
        handler.close_connection = True
