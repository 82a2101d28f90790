#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# told_end.sh MPIEXEC PES PROGRAM: a job that is to end by skein::exit() does so, or reports that it does not.
set -uo pipefail
source "$(dirname "$0")/mistake.sh"

said=$(timeout 60 "$mpiexec" -n "$pes" "$program" complete 2>&1) && [[ $said == done ]] || {
  echo "complete: $said"
  failed=1
}
said=$(run_failing "$mpiexec" -n "$pes" "$program" error 2>&1)
status=$?
if ((status != 7)); then
  echo "error: status $status, $said"
  failed=1
fi
mistake forgotten 'no progress' 'nobody has called skein::exit(), by which this program ends' 'elements of Cell on this PE'
exit $failed
