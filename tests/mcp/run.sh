#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the official MCP clients and testers against the program:
#   run.sh SIBYL FOLDER [TEST]
# FOLDER is where they are installed. Exits 77, with a word, where they cannot
# be had: no node, no npm, or no registry.
set -euo pipefail

program=$1
folder=$2
here=$(cd "$(dirname "$0")" && pwd)

skip() {
  printf 'skipped: %s\n' "$*"
  exit 77
}

command -v node >/dev/null || skip "there is no node"
command -v npm >/dev/null || skip "there is no npm"
mkdir -p "$folder"
if ! cmp -s "$here/package-lock.json" "$folder/installed.json"; then
  cp "$here/package.json" "$here/package-lock.json" "$folder"
  # Not `npm ci`: it refuses a lock without the packages of other platforms, which
  # a mirror need not have. The lock still says which versions are taken.
  (cd "$folder" && npm install --no-save --no-audit --no-fund --prefer-offline --loglevel=error) ||
    skip "the packages could not be installed"
  [[ -x $folder/node_modules/node/bin/node ]] || skip "the program node of npm was not installed"
  cp "$here/package-lock.json" "$folder/installed.json"
fi
cp "$here"/*.mjs "$folder"
cd "$folder"
# The newest clients want a newer node than Debian 12 has.
exec node_modules/node/bin/node run.mjs "$program" "${@:3}"
