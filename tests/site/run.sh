#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Writes the oracles of this repository and of its examples as static sites, and
# checks every file of them: run.sh SIBYL FOLDER
set -euo pipefail

program=$(realpath "$1")
folder=$2
here=$(cd "$(dirname "$0")" && pwd)
repository=$(cd "$here/../.." && pwd)

rm -rf "$folder"
mkdir -p "$folder/home"
folder=$(realpath "$folder")
# Sources that are fetched already are used; without them, receipts say so.
export SIBYL_OFFLINE=1
export XDG_STATE_HOME=$folder/state XDG_CONFIG_HOME=$folder/config
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org
export GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org

# make_site ORACLE NAME: writes it twice, which must give the same bytes.
make_site() {
  "$program" -C "$1" site "$folder/$2" >/dev/null
  "$program" -C "$1" site "$folder/again" >/dev/null
  diff -r "$folder/$2" "$folder/again"
  rm -r "$folder/again"
  python3 "$here/check_site.py" "$folder/$2" --pages "$(find "$1" -name '*.md' -not -path '*/_*' -not -path '*/.*' | wc -l)"
}

for oracle in "$repository"/oracles/*/; do
  cp -r "$oracle" "$folder/oracle"  # nothing is written into the repository
  rm -rf "$folder/oracle/.sibyl"
  make_site "$folder/oracle" "site-$(basename "$oracle")"
  rm -rf "$folder/oracle"
done

# The examples: all of their plans in one oracle, but for the one that needs its own;
# carried out with what this machine has, which is CMake's manual.
for share in /usr/share/cmake-*/; do :; done
if [[ ! -d $share/Help ]]; then
  printf 'CMake is installed without its manual: the examples are left out\n'
  exit 0
fi
example=$folder/example
git init -q "$example"
"$program" init -q "$example"
"$program" -C "$example" source add "${share%/}" --name cmake >/dev/null
for plan in "$repository"/examples/plans/*.md; do
  name=$(basename "$plan" .md)
  [[ $name == README ]] && continue
  [[ $name == cuda-in-cmake ]] && to=$plan || to=$folder/$name.md
  [[ $to == "$plan" ]] || sed "s|cuda/|$name/|g" "$plan" >"$to"
  # A part without an answer in the manual is left open, and the command says so (1).
  "$program" -C "$example" expand "$to" >"$folder/$name.log" 2>&1 || [[ $? == 1 ]]
done
mkdir -p "$example/notes"
cp "$repository/examples/notes"/*.md "$example/notes"
make_site "$example" site-example
[[ -f $folder/site-example/page/cuda/01-cuda-language.html ]]
printf 'all sites are whole\n'
