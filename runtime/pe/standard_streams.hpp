// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace skein::pe {

/// Gives all PEs of a node the standard output and error of its first PE. Launchers hand each process a pipe
/// of its own and merge what arrives in any order, so without this the lines of a rank that moves would
/// change places. Between nodes they still can. Collective over all PEs, after start_mover().
void share_standard_streams();

}  // namespace skein::pe
