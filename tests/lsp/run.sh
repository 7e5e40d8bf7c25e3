#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs Neovim's language client against the program: run.sh SIBYL FOLDER
# FOLDER is replaced by a repository for the test. Exits 77 (skipped) with the reason
# if there is no Neovim or no git.
set -euo pipefail

program=$(realpath "$1")
folder=$2
here=$(cd "$(dirname "$0")" && pwd)

skip() {
  printf 'skipped: %s\n' "$*"
  exit 77
}

command -v nvim >/dev/null || skip "nvim is not installed (Debian: neovim)"
command -v git >/dev/null || skip "git is not installed"

rm -rf "$folder"
mkdir -p "$folder/repo/src" "$folder/repo/docs" "$folder/home"
folder=$(realpath "$folder")
export HOME=$folder/home XDG_CONFIG_HOME=$folder/home XDG_DATA_HOME=$folder/home
export XDG_STATE_HOME=$folder/home XDG_CACHE_HOME=$folder/home
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org
export GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org

cd "$folder/repo"
git init -q -b main
printf 'fn first() {\n    one();\n}\n\nfn second() {\n    two();\n}\n' >src/a.rs
# Two UTF-16 units and four bytes before the citation.
# shellcheck disable=SC2016 # the backticks are Markdown
printf '😀 `second` (`src/a.rs:5-7`) calls two.\n' >docs/a.md
git add -A
git commit -q -m one
printf '// 1\n// 2\n// 3\n// 4\n// 5\n// 6\n%s\n' "$(cat src/a.rs)" >src/new.rs
mv src/new.rs src/a.rs

SIBYL=$program timeout 60 nvim --headless --clean -u NONE -i NONE -n \
  -c "luafile $here/client.lua" docs/a.md 2>&1
# The client wrote the document; the server wrote nothing.
status=$(git status --porcelain)
[[ $status == $' M docs/a.md\n M src/a.rs' ]] || {
  printf 'unexpected files:\n%s\n' "$status"
  exit 1
}
