// SPDX-License-Identifier: Apache-2.0
// PEs as a team that decides together (skein/lb/parallel.hpp), with a communicator of their own, so that
// their messages meet neither active messages nor the collectives of all PEs. With let_threads_call_mpi(), a
// team may be used on another thread than the PE's own, by one at a time.
#pragma once

#include <memory>

#include "skein/lb/parallel.hpp"

namespace skein::net {

/// Makes the team of the PEs `first` and above. Collective over all PEs, from their own stacks. Returns null
/// on the others.
std::unique_ptr<lb::Team> make_team(int first);

}  // namespace skein::net
