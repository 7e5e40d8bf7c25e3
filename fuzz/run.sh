#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs one fuzzer: run.sh PROGRAM SEEDS SCRATCH
#
# Without SIBYL_FUZZ_SECONDS it is a test: the same inputs in the same order each time,
# three seconds of them at most. With it, the inputs are new ones each time.
#
# New inputs stay in SCRATCH, outside the repository; copy an input worth keeping to
# fuzz/corpus by hand, with a descriptive name.
set -eu
program=$1
seeds=$2
scratch=$3

if [ -n "${SIBYL_FUZZ_SECONDS:-}" ]; then
  corpus=$scratch/corpus
  set -- -max_total_time="$SIBYL_FUZZ_SECONDS"
else
  corpus=$scratch/test
  rm -rf "$corpus"
  set -- -seed=1 -max_total_time=3
fi
mkdir -p "$corpus" "$scratch/crashes"
exec "$program" "$@" -timeout=10 -rss_limit_mb=2048 \
  -max_len=65536 -print_final_stats=1 -artifact_prefix="$scratch/crashes/" \
  "$corpus" "$seeds"
