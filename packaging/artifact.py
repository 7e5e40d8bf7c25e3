# SPDX-License-Identifier: Apache-2.0
"""Archives with the same bytes for the same input: sorted names, one owner, one time."""

import gzip
import io
import json
import os
import pathlib
import subprocess
import sys
import tarfile
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parent.parent
MACHINE = "linux-x86_64"
# Which package a bundle came in; 'sibyl doctor' reads it.
INSTALLED_AS = "lib/sibyl/installed-as"
EARLIEST = 315532800  # 1980-01-01, the first time that a zip file can hold


class Entry(NamedTuple):
    data: bytes  # None: a folder
    mode: int = 0o644


def fail(message):
    """Ends the program like sibyl does."""
    sys.exit(f"{pathlib.Path(sys.argv[0]).name}: error: {message}")


def epoch():
    """The time of every file: SOURCE_DATE_EPOCH, or the date of the commit."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    if not given:
        command = ["git", "-C", ROOT, "log", "-1", "--format=%ct"]
        try:
            given = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        except (OSError, subprocess.CalledProcessError):
            given = str(EARLIEST)
    return max(int(given), EARLIEST)


MAN = "share/man/man1/sibyl.1"
COMPLETIONS = ("share/bash-completion/", "share/zsh/", "share/fish/")


def registry_name():
    """The name of the server in the MCP registry, which looks for it in the packages; None while
    its owner is a placeholder."""
    name = json.loads((ROOT / "server.json").read_text(encoding="utf-8"))["name"]
    return None if "OWNER" in name else name


def folders_of(names):
    """Every folder that contains one of the names."""
    return sorted({str(parent) for name in names
                   for parent in pathlib.PurePosixPath(name).parents} - {"."})


def tar(entries, time, with_folders=True):
    """A tar file of {name: Entry}, with no trace of the user or the clock."""
    members = {name: Entry(None, 0o755) for name in folders_of(entries)} if with_folders else {}
    members.update(entries)
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, entry in sorted(members.items()):
            member = tarfile.TarInfo(name)
            member.mtime, member.mode = time, entry.mode
            if entry.data is None:
                member.type = tarfile.DIRTYPE
                archive.addfile(member)
            else:
                member.size = len(entry.data)
                archive.addfile(member, io.BytesIO(entry.data))
    return out.getvalue()


def compress(data):
    """gzip without a name or a time."""
    return gzip.compress(data, compresslevel=6, mtime=0)


def write(path, data):
    """Writes the file and says so; an interrupted run leaves no half of it."""
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    part.write_bytes(data)
    part.replace(path)
    print(f"{path}: {len(data) / 1e6:.1f} MB")


def read_bundle(path):
    """The version of a bundle, and its files without the leading folder."""
    entries = {}
    try:
        with tarfile.open(path) as archive:
            for member in archive:
                folder, _, name = member.name.partition("/")
                if member.isfile():
                    entries[name] = Entry(archive.extractfile(member).read(), member.mode)
    except (OSError, tarfile.TarError) as error:
        fail(f"reading the bundle {path}: {error}")
    if INSTALLED_AS not in entries:
        fail(f"{path} is not a bundle; 'make bundle' makes one")
    return folder.removeprefix("sibyl-").removesuffix("-" + MACHINE), entries


def as_package(entries, kind):
    """The files of a bundle for a package of this kind, which has its own documentation."""
    chosen = {name: entry for name, entry in entries.items()
              if name.startswith(("bin/", "lib/", "share/doc/", "share/sibyl/"))}
    chosen[INSTALLED_AS] = Entry(f"{kind}\n".encode())
    return chosen
