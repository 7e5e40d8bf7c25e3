#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a Python wheel that carries the bundle: wheel.py BUNDLE FOLDER

No compiled extension is in it, and nothing is imported from it, so one wheel serves every
Python 3. Its tag names glibc 2.17, which its own libc does not need from the system: it is the
oldest tag that every pip understands.
"""

import base64
import hashlib
import io
import pathlib
import sys
import time
import zipfile

import artifact
import documents
from artifact import Entry

TAGS = ["py3-none-manylinux2014_x86_64", "py3-none-manylinux_2_17_x86_64",
        "py3-none-musllinux_1_1_x86_64"]

INIT = '''"""Sibyl: knowledge bases in which every statement has a citation that a program can check."""

import os
import sys
from pathlib import Path

PROGRAM = Path(__file__).resolve().parent / "bundle" / "bin" / "sibyl"


def main():
    """Replaces this process with the program."""
    try:
        os.execv(PROGRAM, ["sibyl", *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"sibyl: error: starting {PROGRAM}: {error.strerror}")
'''

MAIN = '''from . import main

main()
'''


def metadata(version):
    head = f"""Metadata-Version: 2.1
Name: sibyl
Version: {version}
Summary: Knowledge bases in which every statement has a citation that a program can check
License: Apache-2.0
Keywords: citations,cuda,mcp,documentation,audit
Classifier: Environment :: Console
Classifier: License :: OSI Approved :: Apache Software License
Classifier: Operating System :: POSIX :: Linux
Requires-Python: >=3.8
Description-Content-Type: text/markdown

"""
    if name := artifact.registry_name():
        head += f"<!-- mcp-name: {name} -->\n\n"
    readme = (artifact.ROOT / "README.md").read_text(encoding="utf-8")
    # Nothing is beside it where it is shown.
    return head + documents.relinked(readme, "README.md", "README.md", lambda path: None)


def record_row(name, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"


def files_of(version, bundle):
    info = f"sibyl-{version}.dist-info"
    tags = "".join(f"Tag: {tag}\n" for tag in TAGS)
    files = {f"sibyl/bundle/{name}": entry
             for name, entry in artifact.as_package(bundle, "wheel").items()}
    # pip puts them below the environment, where man and shells look beside its bin.
    files.update({f"sibyl-{version}.data/data/{name}": entry for name, entry in bundle.items()
                  if name == artifact.MAN or name.startswith(artifact.COMPLETIONS)})
    files["sibyl/__init__.py"] = Entry(INIT.encode())
    files["sibyl/__main__.py"] = Entry(MAIN.encode())
    files[f"{info}/METADATA"] = Entry(metadata(version).encode())
    files[f"{info}/WHEEL"] = Entry(("Wheel-Version: 1.0\nGenerator: sibyl\n"
                                    "Root-Is-Purelib: false\n" + tags).encode())
    files[f"{info}/entry_points.txt"] = Entry(b"[console_scripts]\nsibyl = sibyl:main\n")
    files[f"{info}/LICENSE"] = bundle["share/doc/sibyl/LICENSE"]
    rows = [record_row(name, entry.data) for name, entry in sorted(files.items())]
    files[f"{info}/RECORD"] = Entry("".join([*rows, f"{info}/RECORD,,\n"]).encode())
    return files


def zipped(files, when):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        # The specification asks for the folder with the metadata at the end.
        for name in sorted(files, key=lambda name: (".dist-info/" in name, name)):
            member = zipfile.ZipInfo(name, time.gmtime(when)[:6])
            member.compress_type = zipfile.ZIP_DEFLATED
            member.create_system = 3  # Unix, so that installers see the mode
            member.external_attr = (0o100000 | files[name].mode) << 16
            archive.writestr(member, files[name].data)
    return out.getvalue()


def main():
    if len(sys.argv) != 3:
        artifact.fail("usage: wheel.py BUNDLE FOLDER")
    version, bundle = artifact.read_bundle(sys.argv[1])
    platforms = ".".join(tag.removeprefix("py3-none-") for tag in TAGS)
    name = f"sibyl-{version}-py3-none-{platforms}.whl"
    artifact.write(pathlib.Path(sys.argv[2]) / name,
                   zipped(files_of(version, bundle), artifact.epoch()))


if __name__ == "__main__":
    main()
