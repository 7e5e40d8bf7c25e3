#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the Debian package with CPack: deb.py BUILD FOLDER

BUILD is a build folder with the target 'installables'. CPack takes the modes of folders and of the
members of the package from the umask, so it gets one; the times are those of artifact.epoch().
"""

import os
import pathlib
import subprocess
import sys
import tempfile

import artifact


def main():
    if len(sys.argv) != 3:
        artifact.fail("usage: deb.py BUILD FOLDER")
    build = pathlib.Path(sys.argv[1]).resolve()
    os.umask(0o022)
    with tempfile.TemporaryDirectory() as scratch:
        done = subprocess.run(["cpack", "-G", "DEB", "-B", scratch, "--config",
                               build / "CPackConfig.cmake"], cwd=build, capture_output=True, text=True,
                              env={**os.environ, "SOURCE_DATE_EPOCH": str(artifact.epoch())},
                              check=False)
        made = list(pathlib.Path(scratch).glob("*.deb"))
        if done.returncode != 0 or len(made) != 1:
            artifact.fail(f"cpack: {done.stdout}{done.stderr}")
        artifact.write(pathlib.Path(sys.argv[2]) / made[0].name, made[0].read_bytes())


if __name__ == "__main__":
    main()
