#!/usr/bin/env bash
# Runs every example and test program on one device, compares with the interpreter, then measures the benchmark.
#
# usage: gpu-check.sh DEVICE [GRIDLOOM [REPORT]]
#
# DEVICE is part of a device's name, as `gridloom run --device` takes it. It must be given: left to itself
# gridloom would take the interpreter where it finds no GPU, and the check would pass without one.
# GRIDLOOM is the program (default: target/release/gridloom). REPORT is a file for `gridloom bench --json`; without it nothing is
# measured. Nothing else is needed, so that this also runs on a machine without Rust, to which only the program and this folder were
# copied.
set -uo pipefail
device=${1:?usage: gpu-check.sh DEVICE [GRIDLOOM [REPORT]]}
cd "$(dirname "$0")/.." || exit 1
gridloom=${2:-target/release/gridloom}
report=${3:-}
[ -x "$gridloom" ] || { echo "gpu-check: $gridloom is not a program: build it, or name it as second argument" >&2; exit 1; }

# Checks one program; its whole verdict is one write, so that programs may run side by side.
check() {
  local log status
  log=$("$1" run "$3" --check --device "$2" 2>&1)
  status=$?
  if [ "$status" -eq 0 ]; then
    printf 'right  %s\n' "$3"
  else
    printf 'WRONG  %s (status %s)\n%s\n' "$3" "$status" "$(tail -n 12 <<<"$log" | sed 's/^/         /')"
  fi
}
export -f check

verdicts=$(printf '%s\0' examples/*.mlir tests/programs/*.mlir |
  xargs -0 -n 1 -P "$(nproc)" bash -c 'check "$@"' check "$gridloom" "$device")
printf '%s\n' "$verdicts"
right=$(grep -c '^right ' <<<"$verdicts")
wrong=$(grep -c '^WRONG ' <<<"$verdicts")
printf '%s right, %s wrong on %s\n' "$right" "$wrong" "$device"
[ "$wrong" -eq 0 ] && [ "$right" -gt 0 ] || exit 1

[ -z "$report" ] || "$gridloom" bench --device "$device" --time-budget 60 --json "$report"
