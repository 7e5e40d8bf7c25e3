#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The documents of a package: documents.py FOLDER writes share/doc/sibyl below FOLDER.

Links between documents lead where the files are in the package; a link to what no package has,
such as the sources of the program, becomes its text.
"""

import pathlib
import posixpath
import re
import sys

import artifact
from artifact import Entry

DOC = "share/doc/sibyl"
# Where files of the repository are in a package. A folder has everything in it.
PLACES = {
    "README.md": f"{DOC}/README.md",
    "CHANGELOG.md": f"{DOC}/CHANGELOG.md",
    "SECURITY.md": f"{DOC}/SECURITY.md",
    "LICENSE": f"{DOC}/LICENSE",
    "docs": f"{DOC}/docs",
    "examples": f"{DOC}/examples",
    "skill": "share/sibyl/skill",
    "labs": "share/sibyl/labs",
    "oracles": "share/sibyl/oracles",
}
# Of labs/: measurements and the script that makes them; what oracles and python leave anywhere.
NOT_SHIPPED = {"results", "measure.sh", "__pycache__", ".sibyl"}
FENCE = re.compile(r"^ {0,3}(```|~~~)")
CODE_SPAN = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)")
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^()\s]+)\)")
# An image that is a link: [![a](b)](c) does not occur here, and test_documents.py would see it.


def place_of(path):
    """Where a path of the repository is in a package; None if it is not shipped."""
    parts = path.split("/")
    for length in range(1, len(parts) + 1):
        place = PLACES.get("/".join(parts[:length]))
        rest = parts[length:]
        if place and not NOT_SHIPPED & set(rest) and (artifact.ROOT / path).exists():
            return "/".join([place, *rest])
    return None


def relinked_line(line, folder, place, where):
    """One line of a document of `folder`, which is at `place` in the package."""
    def replacement(match):
        is_image, label, target = match.groups()
        path, mark, anchor = target.partition("#")
        if not path or re.match(r"[a-z]+:", path):
            return match.group(0)
        found = where(posixpath.normpath(posixpath.join(folder, path)))
        if found is None:
            return label
        shown = posixpath.relpath(found, posixpath.dirname(place))
        return f"{is_image}[{label}]({shown}{mark}{anchor})"

    def kept(match):
        spans.append(match.group(0))
        return f"\0{len(spans) - 1}\0"

    spans = []
    hidden = LINK.sub(replacement, CODE_SPAN.sub(kept, line))
    return re.sub("\0(\\d+)\0", lambda match: spans[int(match.group(1))], hidden)


def relinked(text, path, place, where=place_of):
    """A document of the repository, with links as they are from `place`; `where` maps a path of
    the repository to one of the package, or None."""
    lines, is_code = [], False
    for line in text.split("\n"):
        is_fence = FENCE.match(line)
        is_code = is_code != bool(is_fence)
        lines.append(line if is_fence or is_code else
                     relinked_line(line, posixpath.dirname(path), place, where))
    return "\n".join(lines)


def shipped(folder):
    """The files of a folder of the repository that are in packages, by their path there."""
    for path in sorted((artifact.ROOT / folder).rglob("*")):
        name = path.relative_to(artifact.ROOT).as_posix()
        if path.is_file() and not NOT_SHIPPED & set(name.split("/")):
            yield name, path


def documents():
    """{path in the package: Entry} of the README, the changelog and docs/."""
    files = {}
    names = [("README.md", artifact.ROOT / "README.md"),
             ("CHANGELOG.md", artifact.ROOT / "CHANGELOG.md"),
             ("SECURITY.md", artifact.ROOT / "SECURITY.md"), *shipped("docs")]
    for name, path in names:
        data, place = path.read_bytes(), place_of(name)
        if name.endswith(".md"):
            data = relinked(data.decode(), name, place).encode()
        files[place] = Entry(data)
    return files


def main():
    if len(sys.argv) != 2:
        artifact.fail("usage: documents.py FOLDER")
    for name, entry in documents().items():
        path = pathlib.Path(sys.argv[1]) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(entry.data)


if __name__ == "__main__":
    main()
