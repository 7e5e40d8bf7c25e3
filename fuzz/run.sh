#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Lets one fuzzer invent for a while: run.sh PROGRAM SEEDS SCRATCH
#
# What it finds interesting stays in SCRATCH, out of the repository; an input
# worth keeping is copied to fuzz/corpus by hand, with a telling name. Runs for
# SIBYL_FUZZ_SECONDS (default 3).
set -eu
program=$1
seeds=$2
scratch=$3

mkdir -p "$scratch/corpus" "$scratch/crashes"
exec "$program" -max_total_time="${SIBYL_FUZZ_SECONDS:-3}" -timeout=10 -rss_limit_mb=2048 \
  -max_len=65536 -print_final_stats=1 -artifact_prefix="$scratch/crashes/" \
  "$scratch/corpus" "$seeds"
