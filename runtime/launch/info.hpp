// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace skein::launch {

/// `skein info`: what a run would find on this machine, on standard output, one subject a line. Under a
/// launcher it starts MPI to count PEs and nodes, and only the first PE prints. Returns the exit status.
int info(std::span<const char* const> words);

}  // namespace skein::launch
