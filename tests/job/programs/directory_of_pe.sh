#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# directory_of_pe.sh SKEIN PROGRAM: relative paths on the command line belong to the folder where the job was started,
# although its ranks go elsewhere. PROGRAM is tests/programs/directories.cpp.
set -euo pipefail
skein=$1 program=$2
work=$(mktemp -d "${TMPDIR:-/tmp}/skein-directories.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
"$skein" run -p 2 -n 4 --lb rotate --lb-period 1 --lb-report report --lb-dump dump.json "$program" >/dev/null
if [[ ! -s report || ! -s dump.json || $(ls) != $'dump.json\nreport' ]]; then
  echo "FAILED: files here:" >&2
  ls -lR >&2
  exit 1
fi
