// SPDX-License-Identifier: Apache-2.0
// Which PEs share memory.
#pragma once

namespace skein::net {

/// How many PEs of a machine at a time are to be a node, as the variable SKEIN_PES_PER_NODE says; 0: all.
/// Throws skein::Error where that is no such number. Callable from anywhere.
int asked_pes_per_node();

/// What the world says of nodes, once it knows its PEs. For transport.cpp alone: collective, by the MPI
/// underneath; throws as above.
void learn_nodes();

}  // namespace skein::net
