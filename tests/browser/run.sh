#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Drives chromium against the program's pages: run.sh SIBYL FOLDER [TEST]
# FOLDER is where playwright-core and axe-core are installed, from the npm registry
# at the first run, and where the oracle of the test is made. With SIBYL_UPDATE=1,
# the pictures in docs/pictures are written anew. Exits 77 (skipped) with the
# reason if there is no chromium, no node, no npm or no network.
set -euo pipefail

program=$(realpath "$1")
folder=$2
here=$(cd "$(dirname "$0")" && pwd)

skip() {
  printf 'skipped: %s\n' "$*"
  exit 77
}

chromium=$(command -v chromium) || skip "chromium is not installed (Debian: chromium)"
command -v node >/dev/null || skip "node is not installed"
command -v npm >/dev/null || skip "npm is not installed"
command -v git >/dev/null || skip "git is not installed"
# The oracle's source: CMake's own manual, which every machine has that builds this.
for manual in /usr/share/cmake-*/Help; do :; done
[[ -d $manual ]] || skip "CMake is installed without its manual"

mkdir -p "$folder"
folder=$(realpath "$folder")
if ! cmp -s "$here/package-lock.json" "$folder/installed.json"; then
  cp "$here/package.json" "$here/package-lock.json" "$folder"
  (cd "$folder" && npm install --no-save --no-audit --no-fund --prefer-offline --loglevel=error) ||
    skip "the packages could not be installed"
  [[ -x $folder/node_modules/node/bin/node ]] || skip "npm did not install its node"
  cp "$here/package-lock.json" "$folder/installed.json"
fi
cp "$here"/*.mjs "$folder"
rm -rf "$folder/room"
mkdir -p "$folder/room/home"
export HOME=$folder/room/home XDG_CACHE_HOME=$folder/room/cache XDG_STATE_HOME=$folder/room/state
export XDG_CONFIG_HOME=$folder/room/config TMPDIR=$folder/room
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org
export GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org
export SIBYL=$program CHROMIUM=$chromium CMAKE_SHARE=${manual%/Help}
SIBYL_REPOSITORY=$(cd "$here/../.." && pwd)
export SIBYL_REPOSITORY
cd "$folder"
# playwright-core needs a newer node than Debian 12 has.
exec node_modules/node/bin/node run.mjs "${@:3}"
