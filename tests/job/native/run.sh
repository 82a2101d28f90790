#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run.sh COMMAND...: exit status 0, and "passed" on standard output.
set -euo pipefail
said=$("$@")
[[ $said == *passed* ]]
