// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace skein::pe {

/// Gives all PEs of a node the standard streams of its first PE. Launchers hand each process a pipe of its
/// own and merge what arrives in any order, so without this the lines of a rank that moves would change
/// places, and rank 0 would lose its input. Between nodes lines still can. Collective over all PEs, once the
/// descriptor channel is open; nothing happens where it cannot pass any.
void share_standard_streams();

}  // namespace skein::pe
