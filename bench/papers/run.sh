#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Plays the five papers by papers.py. bench/papers/run.sh --help lists the options.
set -euo pipefail
exec python3 -B "$(dirname "$0")/papers.py" "$@"
