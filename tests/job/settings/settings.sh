#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# settings.sh SKEIN PROGRAM: a rank with an uncaught exception ends by the handler that it has set itself, not by that
# of the rank that set one last.
set -euo pipefail
skein=$1 program=$2
for options in "-p 1" "-p 2 --lb rotate --lb-period 1" "-p 2 --lb rotate --lb-period 1 --arena private"; do
  status=0
  # shellcheck disable=SC2086
  said=$("$skein" run -n 4 $options "$program" terminate 2>&1) || status=$?
  if ((status != 40)) || [[ $said != *"rank 0 terminates"* || $said == *"rank 1 terminates"* ]]; then
    echo "FAILED: $options: status $status, not 40: $said" >&2
    exit 1
  fi
done
