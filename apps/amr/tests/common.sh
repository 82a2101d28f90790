# SPDX-License-Identifier: Apache-2.0
# Sourced by the tests beside it.
source "$(dirname "${BASH_SOURCE[0]}")/../../common/native_test.sh"

# amr PES OPTION...
amr() { start amr "$@"; }
