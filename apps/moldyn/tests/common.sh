# SPDX-License-Identifier: Apache-2.0
# Sourced by the tests beside it.
source "$(dirname "${BASH_SOURCE[0]}")/../../common/native_test.sh"

# Small enough for a test; the drop is as far on the left as in the real scenario.
small=(--scenario droplet --cutoff 2.5 --box 30,15,15 --radius 5 --outside 0.01)

# moldyn PES OPTION...
moldyn() { start moldyn "$@"; }

# A short wire: 884 atoms.
wire=(--box 40,20,20 --radius 3.5 --margin 0.3 --settle 4 --sync 1)
# voronoi PROCESSES OPTION...
voronoi() { start moldyn_voronoi "$@"; }
