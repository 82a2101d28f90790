#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# passes.sh TIMES COMMAND...: exit status 0, and so many lines "passed" on standard output.
set -euo pipefail
times=$1
shift
said=$("$@")
[[ $(grep -cx passed <<<"$said") == "$times" ]]
