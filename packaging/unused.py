# SPDX-License-Identifier: Apache-2.0
"""Stand-ins for libraries that libcurl and libpq name but the bundle does without.

Debian's libcurl also speaks ssh, rtmp, ldap and Kerberos. Sibyl allows only http and https
(net/transfer.cc), without Negotiate, but the loader maps the libraries of all protocols: 19 of
47, half of the time to start. The bundle has stand-ins with the same names: calling them ends
the program. docs/decisions/0120-the-bundle.md has the figures.

libpq uses two of them, Kerberos and ldap, if a server or a service file asks for it. In the bundle
these calls fail, as they do without a ticket or a directory, so that libpq reports an error.
"""

import pathlib
import subprocess
import tempfile

UNUSED = ["libssh2.so.1", "librtmp.so.1", "libldap-2.5.so.0", "liblber-2.5.so.0",
          "libgssapi_krb5.so.2"]
# What libcurl calls when it starts and ends.
ANSWERED = {"libssh2_init", "libssh2_exit", "libssh2_version"}


def symbols(path, kind):
    """{name: version} of the symbols that a library defines or needs ("UND")."""
    table = subprocess.run(["readelf", "--dyn-syms", "--wide", path], capture_output=True, text=True,
                           check=True).stdout
    found = {}
    for row in map(str.split, table.splitlines()):
        if len(row) >= 8 and (row[6] == "UND") == (kind == "UND") and row[0][:-1].isdigit():
            name, _, version = row[7].partition("@")
            found[name] = version.lstrip("@")
    return found


def needed_by(path):
    """The names of the libraries that the file itself needs."""
    table = subprocess.run(["readelf", "--dynamic", "--wide", path], capture_output=True, text=True,
                           check=True).stdout
    return [row.split("[")[1].rstrip("]") for row in table.splitlines() if "(NEEDED)" in row]


def body(symbol):
    if symbol in ANSWERED or symbol.startswith("ldap_"):
        return "return 0;"  # of a function of ldap: no connection
    return "return 16L << 16;" if symbol.startswith("gss_") else "__builtin_trap();"  # unavailable


def stand_in(name, path, users):
    """A library `name` that defines what `users` take from the one at `path`."""
    defined = symbols(path, "defined")
    taken = {symbol: defined[symbol] for user in users for symbol in symbols(user, "UND")
             if symbol in defined}
    source = "".join(f"long {symbol}(void) {{ {body(symbol)} }}\n" for symbol in sorted(taken))
    versions = "".join(
        f"{version} {{ {' '.join(s + ';' for s in sorted(taken) if taken[s] == version)} }};\n"
        for version in sorted(set(taken.values()) - {""}))
    with tempfile.TemporaryDirectory() as folder:
        files = pathlib.Path(folder)
        (files / "a.c").write_text(source)
        (files / "a.map").write_text(versions)
        command = ["gcc", "-shared", "-fPIC", "-Os", "-nostdlib", "-s", f"-Wl,-soname,{name}",
                   "-Wl,--build-id=none", "-o", files / "a.so", files / "a.c"]
        if versions:
            command.append(f"-Wl,--version-script={files / 'a.map'}")
        subprocess.run(command, check=True)
        return (files / "a.so").read_bytes()


def reachable(program, found):
    """The libraries of {name: path} that are still needed when UNUSED need nothing."""
    seen, waiting = set(), needed_by(program)
    while waiting:
        name = waiting.pop()
        if name in seen or name not in found:
            continue
        seen.add(name)
        if name not in UNUSED:
            waiting += needed_by(found[name])
    return seen
