#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks a static site: check_site.py FOLDER [--pages N]

Every link of every page leads to a file of the site (and to an id that it has) or to another
host; nothing is loaded from elsewhere; no page has a script, a style or a handler in itself.
With --pages, the site must have at least that many pages.
"""
import argparse
import pathlib
import sys
import urllib.parse
from html.parser import HTMLParser

LOADED = {("script", "src"), ("link", "href"), ("img", "src"), ("iframe", "src"), ("form", "action")}


class Page(HTMLParser):
    """The ids and links of a page, and what must not be in it."""

    def __init__(self):
        super().__init__()
        self.ids, self.links, self.wrong = set(), [], []
        self.has_policy = False

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if "id" in given:
            self.ids.add(given["id"])
        if tag == "script" and "src" not in given or tag == "style":
            self.wrong.append(f"<{tag}> in the page")
        if given.get("http-equiv", "").lower() == "content-security-policy":
            self.has_policy = True
        for name, value in attrs:
            if name.startswith("on") or name == "style":
                self.wrong.append(f"{tag} {name}=")
            if name in ("href", "src", "action"):
                self.links.append((value or "", (tag, name) in LOADED))


def read(file):
    page = Page()
    page.feed(file.read_text(encoding="utf-8"))
    if not page.has_policy:
        page.wrong.append("no Content-Security-Policy")
    return page


def check_link(folder, file, link, is_loaded, pages):
    """What is wrong with a link; empty if nothing is."""
    parts = urllib.parse.urlsplit(link)
    if parts.scheme or parts.netloc:
        allowed = parts.scheme in ("http", "https", "mailto") and not is_loaded
        return "" if allowed else f"{link} is loaded from elsewhere, or not a web address"
    if parts.path.startswith("/"):
        return f"{link} is not relative"
    target = (file.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else file
    if not target.is_relative_to(folder) or not target.is_file():
        return f"{link} leads nowhere"
    anchor = urllib.parse.unquote(parts.fragment)
    if anchor and target in pages and anchor not in pages[target].ids:
        return f"{link}: the page has no such id"
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("folder")
    parser.add_argument("--pages", type=int, default=1)
    options = parser.parse_args()
    folder = pathlib.Path(options.folder).resolve()
    pages = {file: read(file) for file in sorted(folder.rglob("*.html"))}
    wrong = []
    for file, page in pages.items():
        found = page.wrong + [check_link(folder, file, link, loaded, pages) for link, loaded in page.links]
        wrong += [f"{file.relative_to(folder)}: {each}" for each in found if each]
    written = len([file for file in pages if file.is_relative_to(folder / "page")])
    if written < options.pages:
        wrong.append(f"{written} pages were written, of {options.pages}")
    print(f"{folder.name}: {written} pages, {sum(len(page.links) for page in pages.values())} links, {len(wrong)} wrong")
    for each in wrong[:20]:
        print(f"  {each}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
