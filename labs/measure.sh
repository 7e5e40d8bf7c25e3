#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the labs, checks them (compute-sanitizer too, where it is), measures them and PyTorch beside
# them, and prints a table. Usage: labs/measure.sh OUT [LAB...]; OUT gets lines.jsonl and the logs.
set -u
labs=$(cd "$(dirname "$0")" && pwd)
out=${1:?usage: labs/measure.sh OUT [LAB...]}
shift
mkdir -p "$out"
build=${SIBYL_LAB_BUILD:-$labs/../build/labs-measure}
names=("$@")
if [ ${#names[@]} -eq 0 ]; then
  # The order of CMakeLists.txt.
  mapfile -t names < <(sed -n 's/^sibyl_lab(\([a-z]*\).*/\1/p' "$labs/CMakeLists.txt")
fi
status=0

cmake -S "$labs" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
  ${SIBYL_LAB_CMAKE:-} >"$out/build.log" 2>&1 && ninja -C "$build" >>"$out/build.log" 2>&1 ||
  { tail -n 40 "$out/build.log"; exit 2; }
ctest --test-dir "$build" -LE cuda >"$out/tests.log" 2>&1 || { tail -n 20 "$out/tests.log"; status=1; }

: >"$out/lines.jsonl"
: >"$out/talk.log"
for name in "${names[@]}"; do
  program=$build/lab_$name
  if command -v compute-sanitizer >/dev/null && [ -z "${SIBYL_LAB_NO_SANITIZER:-}" ]; then
    for tool in memcheck racecheck; do
      timeout 60 compute-sanitizer --tool $tool --error-exitcode 9 \
        "$program" --check --quick >"$out/sanitizer.txt" 2>&1
      code=$?
      echo "sanitizer $tool $name: exit $code" | tee -a "$out/talk.log"
      [ $code -eq 0 ] && continue
      grep -E '=====' "$out/sanitizer.txt" | head -n 12
      # racecheck does not follow the order of a warp's reads, __syncwarp and one lane's arrival
      # at an mbarrier, which gemm's cuda-cores relies on; see gemm/README.md.
      [ "$tool $name" = "racecheck gemm" ] || status=1
    done
  fi
  timeout 200 "$program" >>"$out/lines.jsonl" 2>>"$out/talk.log" || {
    echo "$name: exit $?"; tail -n 3 "$out/talk.log"; status=1; }
done
if command -v python3 >/dev/null && [ -z "${SIBYL_LAB_NO_TORCH:-}" ]; then
  anchored=$(python3 "$labs/torch_anchor.py" --names 2>/dev/null)
  wanted=()
  for name in "${names[@]}"; do
    case " $anchored " in *" $name "*) wanted+=("$name") ;; esac
  done
  if [ ${#wanted[@]} -gt 0 ]; then
    python3 "$labs/torch_anchor.py" "${wanted[@]}" >>"$out/lines.jsonl" 2>"$out/torch.log" ||
      tail -n 3 "$out/torch.log"
  fi
fi
python3 "$labs/table.py" "$out/lines.jsonl"
exit $status
