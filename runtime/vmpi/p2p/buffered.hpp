// SPDX-License-Identifier: Apache-2.0
// Buffered sends. A copy of the data is made in the rank's slot; the buffer that the program attached is only
// accounted for, so that a program which would overrun it elsewhere is told so here.
#pragma once

#include "runtime/vmpi/comm/comm.hpp"
#include "runtime/vmpi/p2p/data.hpp"
#include "runtime/vmpi/state.hpp"

namespace skein::vmpi {

/// Complete on return. Raises MPI_ERR_BUFFER when the attached buffer is too small.
int buffered_send(const ApiCall& call, Comm& comm, const Data& data, int to, int tag);

/// When the last buffered message has left: completes the flushes.
void buffer_emptied(RankState& state);

}  // namespace skein::vmpi
