#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the official MCP clients and testers against the program:
#   run.sh SIBYL FOLDER [TEST]
# FOLDER is where they are installed, from the npm registry at the first run. Exits
# 77 (skipped) with the reason if there is no node, no npm or no network.
set -euo pipefail

program=$1
folder=$2
here=$(cd "$(dirname "$0")" && pwd)

skip() {
  printf 'skipped: %s\n' "$*"
  exit 77
}

command -v node >/dev/null || skip "node is not installed"
command -v npm >/dev/null || skip "npm is not installed"
mkdir -p "$folder"
if ! cmp -s "$here/package-lock.json" "$folder/installed.json"; then
  cp "$here/package.json" "$here/package-lock.json" "$folder"
  # Not `npm ci`: it rejects a lock without the packages of other platforms, which
  # a mirror may lack. The lock still determines the versions.
  (cd "$folder" && npm install --no-save --no-audit --no-fund --prefer-offline --loglevel=error) ||
    skip "the packages could not be installed"
  [[ -x $folder/node_modules/node/bin/node ]] || skip "npm did not install its node"
  cp "$here/package-lock.json" "$folder/installed.json"
fi
cp "$here"/*.mjs "$folder"
cd "$folder"
# The newest clients need a newer node than Debian 12 has.
exec node_modules/node/bin/node run.mjs "$program" "${@:3}"
