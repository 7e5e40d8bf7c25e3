#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `sibyl inspect` beside the programs people use instead, interleaved in one run:
# inspect_peers.sh [ROUNDS]. Prints for each the least wall and processor time of
# all rounds, since a busy machine only ever adds. SIBYL names the program,
# SIBYL_BENCH_CUDA the folder of libraries; what is not installed is left out.
set -euo pipefail

rounds=${1:-5}
sibyl=${SIBYL:-$(dirname "$0")/../build/release/sibyl}
folder=$(readlink -f "${SIBYL_BENCH_CUDA:-/usr/local/cuda/lib64}")
largest=$(find -L "$folder" -maxdepth 1 -type f -name '*.so*' -printf '%s %p\n' 2>/dev/null |
  sort -n | tail -1 | cut -d' ' -f2-)
if [ -z "$largest" ]; then
  echo "inspect_peers: no libraries in $folder; name a folder in SIBYL_BENCH_CUDA" >&2
  exit 0
fi

names=(
  'sibyl inspect --quick, largest'
  'sibyl inspect, largest'
  'sibyl inspect, all'
  'readelf -SW, largest'
  'strings | grep sm_, largest'
  'cuobjdump --list-elf, largest'
  'cuobjdump --list-elf, all'
)
list_all() {
  find "$folder" -maxdepth 1 -type f -name '*.so*' -exec cuobjdump --list-elf {} \;
}
run() {
  case $1 in
    0) "$sibyl" inspect --quick "$largest" ;;
    1) "$sibyl" inspect "$largest" ;;
    2) "$sibyl" inspect "$folder" ;;
    3) readelf -SW "$largest" ;;
    4) strings -n 5 "$largest" | grep -c 'sm_[0-9]' ;;
    5) cuobjdump --list-elf "$largest" ;;
    6) list_all ;;
  esac
}

programs=(sibyl sibyl sibyl readelf strings cuobjdump cuobjdump)
TIMEFORMAT='%R %U %S'
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for ((round = 0; round < rounds; ++round)); do
  for i in "${!names[@]}"; do
    if [ "${programs[i]}" != sibyl ] && ! command -v "${programs[i]}" >/dev/null 2>&1; then
      continue
    fi
    { time run "$i" >/dev/null 2>&1; } 2>>"$scratch/$i" || true
  done
done

printf '%s, %d bytes; %s, %d bytes; load average %s\n' "$(basename "$largest")" \
  "$(stat -c %s "$largest")" "$folder" \
  "$(find "$folder" -maxdepth 1 -type f -printf '%s\n' | awk '{ sum += $1 } END { printf "%.0f", sum }')" \
  "$(cut -d' ' -f1 /proc/loadavg)"
printf '%-34s %10s %12s\n' '' 'wall s' 'processor s'
for i in "${!names[@]}"; do
  if [ ! -s "$scratch/$i" ]; then
    printf '%-34s %10s\n' "${names[i]}" 'not installed'
    continue
  fi
  awk -v name="${names[i]}" '
    NF == 3 { cpu = $2 + $3; if (!n++ || $1 < wall) wall = $1; if (n == 1 || cpu < least) least = cpu }
    END { printf "%-34s %10.3f %12.3f\n", name, wall, least }' "$scratch/$i"
done
