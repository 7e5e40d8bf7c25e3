#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes an npm package that carries the bundle: npm.py BUNDLE FOLDER

The same kind of file as 'npm pack' writes. Its command is the launcher itself, which npm links
into node_modules/.bin, so that no JavaScript runs when sibyl starts.
"""

import json
import pathlib
import sys

import artifact
import documents
from artifact import Entry


def manifest(version):
    return {
        "name": "sibyl",
        "version": version,
        "description": "Knowledge bases in which every statement has a citation that a program "
                       "can check",
        "license": "Apache-2.0",
        **({"mcpName": name} if (name := artifact.registry_name()) else {}),
        "keywords": ["citations", "cuda", "mcp", "documentation", "audit"],
        "os": ["linux"],
        "cpu": ["x64"],
        "bin": {"sibyl": "bundle/bin/sibyl"},
        "man": [f"bundle/{artifact.MAN}"],
        "files": ["bundle"],
    }


def in_package(path):
    place = documents.place_of(path)
    return place and f"bundle/{place}"


def main():
    if len(sys.argv) != 3:
        artifact.fail("usage: npm.py BUNDLE FOLDER")
    version, bundle = artifact.read_bundle(sys.argv[1])
    files = {f"package/bundle/{name}": entry
             for name, entry in artifact.as_package(bundle, "npm").items()}
    # With -g, npm links it where man looks.
    files[f"package/bundle/{artifact.MAN}"] = bundle[artifact.MAN]
    files["package/package.json"] = Entry((json.dumps(manifest(version), indent=2) + "\n").encode())
    readme = (artifact.ROOT / "README.md").read_text(encoding="utf-8")
    files["package/README.md"] = Entry(documents.relinked(
        readme, "README.md", "README.md", in_package).encode())
    files["package/LICENSE"] = bundle["share/doc/sibyl/LICENSE"]
    # Like npm, without entries for folders.
    archive = artifact.tar(files, artifact.epoch(), with_folders=False)
    artifact.write(pathlib.Path(sys.argv[2]) / f"sibyl-{version}.tgz", artifact.compress(archive))


if __name__ == "__main__":
    main()
