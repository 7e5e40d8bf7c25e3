#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs one fuzzer for SIBYL_FUZZ_SECONDS (default 3): run.sh PROGRAM SEEDS SCRATCH
#
# New inputs stay in SCRATCH, outside the repository; copy an input worth keeping to
# fuzz/corpus by hand, with a descriptive name.
set -eu
program=$1
seeds=$2
scratch=$3

mkdir -p "$scratch/corpus" "$scratch/crashes"
exec "$program" -max_total_time="${SIBYL_FUZZ_SECONDS:-3}" -timeout=10 -rss_limit_mb=2048 \
  -max_len=65536 -print_final_stats=1 -artifact_prefix="$scratch/crashes/" \
  "$scratch/corpus" "$seeds"
