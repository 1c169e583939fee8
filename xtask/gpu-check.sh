#!/usr/bin/env bash
# Runs every example on one device and compares with the interpreter.
#
# usage: gpu-check.sh DEVICE [GRIDLOOM]
#
# DEVICE is part of a device's name, as `gridloom run --device` takes it. It must be given: left to itself
# gridloom would take the interpreter where it finds no GPU, and the check would pass without one.
# GRIDLOOM is the program (default: target/release/gridloom). Nothing else is needed, so that this also
# runs on a machine without Rust, to which only the program and this folder were copied.
set -uo pipefail
device=${1:?usage: gpu-check.sh DEVICE [GRIDLOOM]}
cd "$(dirname "$0")/.." || exit 1
gridloom=${2:-target/release/gridloom}
[ -x "$gridloom" ] || { echo "gpu-check: $gridloom is not a program: build it, or name it as second argument" >&2; exit 1; }

log=$(mktemp)
trap 'rm -f "$log"' EXIT
right=0
wrong=0
for file in examples/*.mlir tests/programs/*.mlir; do
  "$gridloom" run "$file" --check --device "$device" >"$log" 2>&1
  status=$?
  if [ "$status" -eq 0 ]; then
    right=$((right + 1))
    printf 'right  %s\n' "$file"
  else
    wrong=$((wrong + 1))
    printf 'WRONG  %s (status %s)\n' "$file" "$status"
    tail -n 12 "$log" | sed 's/^/         /'
  fi
done
printf '%s right, %s wrong on %s\n' "$right" "$wrong" "$device"
[ "$wrong" -eq 0 ] && [ "$right" -gt 0 ]
