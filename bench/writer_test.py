#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of what writer_bench.py and model_relay.py decide. Run by ctest as bench/writer."""
import json
import tempfile
import threading
import time
import unittest
import urllib.request
from http.server import ThreadingHTTPServer
from pathlib import Path

import model_relay
import writer_bench
from writer import pages, planting, requests

PAGE = """# The cache

> sibyl 1.0 · 2026-11-19 · model-written by small

| planned | covered by |
| --- | --- |
| Cache size | [1.1](#11-cache-size) |
| Eviction | [1.2](#12-eviction), contradicted by the sources |
| Warm-up | [1.3](#13-warm-up) |
| Price | known: [Prices](02-prices.md#price) |
| Colour | not found |

## 1. Sizes

### 1.1 Cache size

It holds 48 KB.[^p1-1] It does not evict by age.[^p1-2]

| name | bytes |
| --- | --- |
| line | 299[^p1-1] |

```c
int size_ng = 48;
## 2. no heading
```
[^p1-2]

### 1.2 Eviction

- It evicts nothing.[^p1-3]

### 1.3 Warm-up

Details:

## Not found

- Colour (299): nothing

## Sources

[^p1-1]: gad [docs/a.md#L10-L20](https://x.org/a.md#L10-L20) <!-- swh:1:cnt:00;origin=https://x.org;path=/docs/a.md;lines=10-20 -->
[^p1-2]: gad [docs/b.md#L3](https://x.org/b.md#L3) <!-- swh:1:cnt:00;origin=https://x.org;path=/docs/b.md;lines=3 -->
[^p1-3]: gad [docs/c.md#L7](https://x.org/c.md#L7) <!-- swh:1:cnt:00;origin=https://x.org;path=/docs/c.md;lines=7 -->
"""


def planted(kind, place, line, was, now, text):
    return {"kind": kind, "place": place, "line": line, "was": was, "is": now, "text": text}


class Pages(unittest.TestCase):
    def test_a_point_is_answered_by_a_cited_statement(self):
        fates = pages.points_of(PAGE)
        self.assertEqual(fates["answered"], ["Cache size"])
        self.assertEqual(fates["contradicted"], ["Eviction"])
        self.assertEqual(fates["known"], ["Price"])
        self.assertEqual(fates["open"], ["Warm-up", "Colour"])

    def test_statements_have_the_marks_behind_them(self):
        texts = {text: marks for _, text, marks in pages.statements_of(PAGE)}
        self.assertEqual(texts["It holds 48 KB."], ["p1-1"])
        self.assertEqual(texts["It does not evict by age."], ["p1-2"])
        self.assertEqual(texts["int size_ng = 48;\n## 2. no heading"], ["p1-2"])

    def test_citations_are_read_from_the_machines_part(self):
        self.assertEqual(pages.citations_of(PAGE)["p1-1"], ("docs/a.md", 10, 20))


class Planting(unittest.TestCase):
    def fate(self, *one, lost=()):
        return planting.fate_of(planted(*one), [PAGE, "# Another page\n"], lost)

    def test_a_number_got_through_if_its_line_is_cited(self):
        one = ("number", "gad docs/a.md", 12, "96", "299", "A line has 299 bytes.")
        self.assertEqual(self.fate(*one), "got through")

    def test_the_same_number_of_another_place_is_another(self):
        one = ("number", "gad docs/z.md", 12, "96", "299", "A line has 299 bytes.")
        self.assertEqual(self.fate(*one), "not used")
        one = ("number", "gad docs/a.md", 90, "96", "299", "A line has 299 bytes.")
        self.assertEqual(self.fate(*one), "not used")

    def test_a_page_before_the_last_is_judged_too(self):
        one = planted("number", "gad docs/a.md", 12, "96", "299", "A line has 299 bytes.")
        self.assertEqual(planting.fate_of(one, ["# First\n\n## Sources\n", PAGE], []),
                         "got through")

    def test_a_name_in_code_got_through(self):
        one = ("name", "gad docs/b.md", 3, "size", "size_ng", "int size_ng = 48;")
        self.assertEqual(self.fate(*one), "got through")

    def test_a_denial_needs_the_words_of_its_line(self):
        one = ("denial", "gad docs/b.md", 4, "does ", "does not ", "It does not evict lines by age")
        self.assertEqual(self.fate(*one), "got through")
        one = ("denial", "gad docs/b.md", 4, "is ", "is not ", "Warm caches is not slower here")
        self.assertEqual(self.fate(*one), "not used")

    def test_what_a_check_took_away_was_refused(self):
        one = ("number", "gad docs/z.md", 12, "96", "299", "A line has 299 bytes.")
        self.assertEqual(self.fate(*one, lost=[{"text": "It has 299 bytes."}]), "refused")
        self.assertEqual(self.fate(*one, lost=[{"text": "It has 2990 bytes."}]), "not used")

    def test_the_same_line_is_changed_in_the_same_way(self):
        prompt = "[kbcdfghjk] gad docs/a.md:8-11, Title\n    9 | x\n   10 | It has 96 bytes.\n"
        planter = planting.Planter(1)
        first = planter.change(prompt)
        self.assertIn("10 | It has 299 bytes.", first)
        self.assertEqual(planter.change(prompt), first)
        self.assertEqual(len(planter.planted), 1)
        self.assertEqual(planter.planted[0]["place"], "gad docs/a.md")


def body_of(system, text="x"):
    return {"messages": [{"role": "system", "content": system}, {"role": "user", "content": text}],
            "stream": True}


class Requests(unittest.TestCase):
    def test_stages_are_known_by_their_rules(self):
        write = "You write one section of it."
        self.assertEqual(requests.stage_of(body_of("You choose what x")), "reading")
        self.assertEqual(requests.stage_of(body_of(write)), "writing")
        self.assertEqual(requests.stage_of(body_of(write, "A check did not confirm")), "repair")
        anthropic = {"system": write, "messages": [{"role": "user", "content": "x"}]}
        self.assertEqual(requests.stage_of(anthropic), "writing")

    def test_the_form_of_an_answer_is_checked(self):
        write = body_of("You write one section of it.")
        self.assertIsNone(requests.problem_of(write, "**=== 1**\nIt is.\n"))
        self.assertIn("=== 1", requests.problem_of(write, "It is.\n"))
        judge = body_of("You are shown numbered statements", "## 1\n## 2\n")
        self.assertIsNone(requests.problem_of(judge, "1: SUPPORTED\n2. NOT ENOUGH\n"))
        self.assertIn("2", requests.problem_of(judge, "1: SUPPORTED\n"))
        search = body_of("You prepare the search for it.")
        self.assertIsNone(requests.problem_of(search, "1.1 query: cache size\n"))
        self.assertIn("empty", requests.problem_of(search, " \n"))


class Relay(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name)
        self.relay = model_relay.Relay(self.path, wait=20, quiet=0)
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), model_relay.make_handler(self.relay))
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def tearDown(self):
        self.server.shutdown()
        self.server.server_close()
        self.folder.cleanup()

    def post(self, body):
        answers = []

        def send():
            address = f"http://127.0.0.1:{self.server.server_port}/v1/chat/completions"
            request = urllib.request.Request(address, json.dumps(body).encode())
            with urllib.request.urlopen(request, timeout=20) as answer:
                answers.append(answer.read().decode())

        thread = threading.Thread(target=send)
        thread.start()
        return thread, answers

    def wait_for(self, name):
        until = time.monotonic() + 10
        while not (self.path / name).exists():
            self.assertLess(time.monotonic(), until, name)
            time.sleep(0.02)
        return (self.path / name).read_text(encoding="utf-8")

    def test_a_wrong_form_is_reported_and_asked_for_again(self):
        thread, answers = self.post(body_of("You write one section of it."))
        self.assertIn("You write one section", self.wait_for("0001.request.md"))
        self.assertEqual(self.wait_for("waiting.txt"), "0001.request.md\n")
        (self.path / "0001.answer.md").write_text("It is.", encoding="utf-8")
        self.assertIn('"=== 1"', self.wait_for("0001.problem.md"))
        self.assertTrue((self.path / "0001.rejected-1.md").exists())
        (self.path / "0001.answer.md").write_text("=== 1\nIt is.", encoding="utf-8")
        thread.join(10)
        self.assertIn("=== 1\\nIt is.", answers[0])
        self.assertFalse((self.path / "0001.problem.md").exists())
        self.assertEqual((self.path / "waiting.txt").read_text(), "")

    def test_the_same_request_is_not_asked_for_twice(self):
        (self.path / "0001.answer.md").write_text("=== 1\nIt is.", encoding="utf-8")
        for _ in range(2):
            thread, answers = self.post(body_of("You write one section of it."))
            thread.join(10)
            self.assertIn("It is.", answers[0])
        self.assertEqual(len(list(self.path.glob("*.request.md"))), 1)
        self.assertEqual(len(model_relay.Relay(self.path, 1).numbers), 1)

    def test_the_third_answer_is_passed_on(self):
        thread, answers = self.post(body_of("You write one section of it."))
        for number in (1, 2):
            (self.path / "0001.answer.md").write_text("No.", encoding="utf-8")
            self.wait_for(f"0001.rejected-{number}.md")
        (self.path / "0001.answer.md").write_text("No.", encoding="utf-8")
        thread.join(10)
        self.assertIn("No.", answers[0])


class Bench(unittest.TestCase):
    def test_the_settings_of_the_model_replace_those_of_the_oracle(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "sibyl.toml"
            file.write_text('[model]\nname = "old"\n\n[web]\nexpand = false\n', encoding="utf-8")
            arguments = type("Arguments", (), {"api": "openai", "model": "new", "price": None})
            writer_bench.configure(Path(folder), arguments)
            text = file.read_text(encoding="utf-8")
        self.assertNotIn("old", text)
        self.assertIn('name = "new"', text)
        self.assertIn("[web]", text)


if __name__ == "__main__":
    unittest.main()
