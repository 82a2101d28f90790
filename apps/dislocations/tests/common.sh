# SPDX-License-Identifier: Apache-2.0
# Sourced by the tests beside it.
source "$(dirname "${BASH_SOURCE[0]}")/../../common/native_test.sh"

# Few short sources under a high stress: within the steps they emit loops, which join across the borders of the box.
run=(--sources 12 --length 150 --tension 0.2 --side 2000 --cells 5 --longest 60 --stride 6 --steps 120 --report 60)
# dislocations PROCESSES OPTION...
dislocations() { start dislocations "$1" "${run[@]}" "${@:2}"; }
