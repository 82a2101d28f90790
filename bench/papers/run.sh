#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The five papers played: see papers.py, which does it. bench/papers/run.sh --help lists the options.
set -euo pipefail
exec python3 -B "$(dirname "$0")/papers.py" "$@"
