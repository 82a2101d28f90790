#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# registration.sh SKEIN MPIEXEC LIBRARY PROGRAM [ARGUMENT...]: ranks move inside and between two nodes under a network
# with a registration cache (LIBRARY, registration_cache.c), and no message uses pages that are no longer there.
set -euo pipefail
skein=$1 mpirun=$2 library=$3
shift 3
source "$(dirname "$0")/nodes.sh"
make_nodes
cd "$scratch"
mpirun_options="-x LD_PRELOAD=$library -x REGISTRATION_NOTES=$scratch"
for strategy in rotate random; do
  if ! job -n 8 --lb $strategy --lb-period 1 --lb-report "$scratch/report" "$@" >job.out 2>&1; then
    echo "FAILED: $strategy: the job failed" >&2
    tail -n 40 job.out >&2
    exit 1
  fi
  for field in bytes_handed_over bytes_copied; do
    grep -q "\"$field\":[1-9]" report || { echo "FAILED: $strategy: $field is zero in all steps" >&2; exit 1; }
  done
  rm -f ./*.given
done
