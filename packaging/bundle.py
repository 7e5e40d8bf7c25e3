#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the bundle: bundle.py PROGRAM FOLDER

One tar.gz with the program, its shared libraries, the dynamic loader and documentation. It
runs on any x86-64 Linux with kernel 4.18 or newer, in any folder, without installing
anything. The libraries are those of this machine (Debian 12), with their licences.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import artifact
import documents
import sbom
import unused
from artifact import Entry

LOADER = "ld-linux-x86-64.so.2"
# Empty since glibc 2.34, but libraries of the host (NVML) name them, and its copies belong to
# another glibc.
LOADED_LATER = ["libdl.so.2", "libpthread.so.0", "librt.so.1"]
GCONV = pathlib.Path("/usr/lib/x86_64-linux-gnu/gconv")
# The encodings of the web, https://encoding.spec.whatwg.org, as glibc names its modules.
CHARSETS = re.compile(r"UTF-(16|32)|ISO8859-\d+|CP125\d|CP932|IBM866|IBM874|KOI8-[RU]|MACINTOSH|"
                      r"MAC-UK|GBK|GB18030|BIG5(HKSCS)?|EUC-(CN|JP|KR|TW)|ISO-2022-JP|SJIS|UHC|"
                      r"TIS-620|lib[A-Z0-9]+")


def output_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def libraries(program):
    """{soname: path} of everything that the loader maps for the program."""
    found = {}
    for line in output_of("ldd", program).splitlines():
        words = line.split()
        if "not found" in line:
            artifact.fail(f"{program} needs {words[0]}, which is not installed")
        paths = [word for word in words if word.startswith("/")]
        if paths:
            found[pathlib.Path(words[0]).name] = pathlib.Path(paths[0])
    folder = found["libc.so.6"].parent
    found.update({name: folder / name for name in LOADED_LATER})
    return found


def stripped(program):
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "sibyl"
        subprocess.run(["strip", "-o", copy, program], check=True)
        return copy.read_bytes()


def launcher():
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "launcher"
        source = artifact.ROOT / "packaging" / "launcher.cc"
        subprocess.run(["g++", "-std=c++20", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-Os",
                        "-static", "-s", "-o", program, source], check=True)
        return program.read_bytes()


def charsets():
    """The modules of iconv for web pages, with a table that lists no others."""
    modules = [path for path in GCONV.glob("*.so") if CHARSETS.fullmatch(path.stem)]
    names = {path.stem for path in modules}
    table, known = [], set()
    rows = [line.split() for path in [GCONV / "gconv-modules",
                                      *sorted((GCONV / "gconv-modules.d").glob("*.conf"))]
            for line in path.read_text(encoding="latin-1").splitlines()]
    for row in rows:
        if row[:1] == ["module"] and row[3] in names:
            table.append("\t".join(row))
            known.update(row[1:3])
    table += ["\t".join(row) for row in rows if row[:1] == ["alias"] and row[2] in known]
    files = {path.name: Entry(path.read_bytes()) for path in modules}
    files["gconv-modules"] = Entry("\n".join(sorted(table) + [""]).encode())
    return files


def documentation(program):
    def shown(*words):
        return Entry(output_of(program, *words).encode())

    files = {
        "share/man/man1/sibyl.1": shown("help", "--man"),
        "share/bash-completion/completions/sibyl": shown("completions", "bash"),
        "share/zsh/site-functions/_sibyl": shown("completions", "zsh"),
        "share/fish/vendor_completions.d/sibyl.fish": shown("completions", "fish"),
    }
    files[f"{documents.DOC}/LICENSE"] = Entry((artifact.ROOT / "LICENSE").read_bytes())
    files.update(documents.documents())
    for folder in ["skill", "labs", "oracles", "examples"]:
        for name, path in documents.shipped(folder):
            files[documents.place_of(name)] = Entry(path.read_bytes())
    return files


def licences(packages):
    """The copyright files of the packages, and the licences that these refer to."""
    files = {}
    for package in packages:
        path = pathlib.Path("/usr/share/doc") / package.name.split(":")[0] / "copyright"
        if path.exists():
            files[f"share/doc/sibyl/licenses/{package.name}"] = Entry(path.read_bytes())
    said = b"".join(entry.data for entry in files.values())
    for path in sorted(pathlib.Path("/usr/share/common-licenses").glob("*")):
        if f"common-licenses/{path.name}".encode() in said:
            files[f"share/doc/sibyl/licenses/common/{path.name}"] = Entry(path.read_bytes())
    return files


def collect(program, version, time):
    everything = libraries(program)
    kept = unused.reachable(program, everything) | {LOADER, *LOADED_LATER}
    stand_ins = [name for name in unused.UNUSED if name in kept]
    found = {name: path for name, path in everything.items()
             if name in kept and name not in stand_ins}
    files = {"bin/sibyl": Entry(launcher(), 0o755), "lib/sibyl/sibyl": Entry(stripped(program), 0o755),
             artifact.INSTALLED_AS: Entry(b"bundle\n")}
    for name, path in found.items():
        # The kernel runs the loader; libraries are only mapped.
        files[f"lib/sibyl/{name}"] = Entry(path.read_bytes(), 0o755 if name == LOADER else 0o644)
    for name in stand_ins:
        library = unused.stand_in(name, everything[name],
                                  [everything["libcurl.so.4"], everything["libpq.so.5"]])
        files[f"lib/sibyl/{name}"] = Entry(library)
    files.update({f"lib/sibyl/gconv/{name}": entry for name, entry in charsets().items()})
    files.update(documentation(program))
    packages = sbom.packages_of({f"lib/sibyl/{name}": path for name, path in found.items()})
    files.update(licences(packages))
    document = sbom.document(version, time, packages, files)
    files["share/doc/sibyl/sbom.spdx.json"] = Entry((json.dumps(document, indent=1) + "\n").encode())
    return files


def main():
    if len(sys.argv) != 3:
        artifact.fail("usage: bundle.py PROGRAM FOLDER")
    program = str(pathlib.Path(sys.argv[1]).resolve())
    for tool in ["ldd", "readelf", "strip", "g++", "gcc"]:
        if not shutil.which(tool):
            artifact.fail(f"{tool} is not installed")
    version = output_of(program, "version").split()[1]
    time = artifact.epoch()
    name = f"sibyl-{version}-{artifact.MACHINE}"
    files = {f"{name}/{path}": entry for path, entry in collect(program, version, time).items()}
    artifact.write(pathlib.Path(sys.argv[2]) / f"{name}.tar.gz",
                   artifact.compress(artifact.tar(files, time)))


if __name__ == "__main__":
    main()
