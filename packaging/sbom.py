#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The software bill of materials of a bundle, as SPDX 2.3: which Debian packages, in which
versions, its libraries came from.

sbom.py BUNDLE     prints the one that a bundle contains
"""

import datetime
import hashlib
import subprocess
import sys
from typing import NamedTuple

import artifact

NAME = "share/doc/sibyl/sbom.spdx.json"


class Package(NamedTuple):
    name: str
    version: str
    source: str
    files: list


def dpkg_query(*words):
    """What dpkg-query prints; nothing where it is not installed."""
    try:
        return subprocess.run(["dpkg-query", *words], capture_output=True, text=True,
                              check=False).stdout
    except FileNotFoundError:
        return ""


def owners_of(paths):
    """{path: Debian package}. dpkg knows a path with or without /usr."""
    spellings = {}
    for path in paths:
        short = str(path).removeprefix("/usr")
        for spelling in [short, "/usr" + short, str(path.resolve())]:
            spellings[spelling] = path
    owners = {}
    for line in dpkg_query("-S", *spellings).splitlines():
        package, _, spelling = line.rpartition(": ")
        if spelling in spellings:
            owners[spellings[spelling]] = package.split(",")[0]
    return owners


def packages_of(paths):
    """The packages that {name in the bundle: path on this machine} come from."""
    owners = owners_of(paths.values())
    missing = [str(path) for path in paths.values() if path not in owners]
    if missing:
        artifact.fail(f"no Debian package has {missing[0]}; its licence is not known")
    files = {}
    for name, path in sorted(paths.items()):
        files.setdefault(owners[path], []).append(name)
    rows = dpkg_query("-W", "-f", "${binary:Package} ${Version} ${source:Package}\n", *files)
    known = {row.split()[0]: row.split()[1:] for row in rows.splitlines()}
    return [Package(package.split(":")[0], *known[package], names)
            for package, names in sorted(files.items())]


def identifier(text):
    return "SPDXRef-" + "".join(c if c.isalnum() else "-" for c in text)


def described(name, version, **more):
    return {"name": name, "SPDXID": identifier("package-" + name), "versionInfo": version,
            "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
            "copyrightText": "NOASSERTION", **more}


def document(version, time, packages, files):
    """The SPDX document of a bundle with these files."""
    when = datetime.datetime.fromtimestamp(time, datetime.timezone.utc)
    whole = hashlib.sha256()
    for name, entry in sorted(files.items()):
        whole.update(f"{name} {hashlib.sha256(entry.data).hexdigest()}\n".encode())
    rows = [described("sibyl", version, licenseDeclared="Apache-2.0", licenseConcluded="Apache-2.0")]
    relations = [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES",
                  "relatedSpdxElement": identifier("package-sibyl")}]
    for package in packages:
        sums = [f"{name} sha256:{hashlib.sha256(files[name].data).hexdigest()}" for name in package.files]
        rows.append(described(
            package.name, package.version, licenseDeclared="NOASSERTION",
            licenseConcluded="NOASSERTION", comment="files: " + ", ".join(sums),
            licenseComments=f"share/doc/sibyl/licenses/{package.name}",
            externalRefs=[{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                           "referenceLocator": f"pkg:deb/debian/{package.name}@{package.version}"
                                               f"?arch=amd64&upstream={package.source}"}]))
        relations.append({"spdxElementId": identifier("package-sibyl"),
                          "relationshipType": "DEPENDS_ON",
                          "relatedSpdxElement": identifier("package-" + package.name)})
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
            "name": f"sibyl-{version}",
            "documentNamespace": f"https://spdx.org/spdxdocs/sibyl-{version}-{whole.hexdigest()}",
            "creationInfo": {"created": when.strftime("%Y-%m-%dT%H:%M:%SZ"),
                             "creators": ["Tool: sibyl-packaging"]},
            "packages": rows, "relationships": relations}


def main():
    if len(sys.argv) != 2:
        artifact.fail("usage: sbom.py BUNDLE")
    _, files = artifact.read_bundle(sys.argv[1])
    sys.stdout.buffer.write(files[NAME].data)


if __name__ == "__main__":
    main()
