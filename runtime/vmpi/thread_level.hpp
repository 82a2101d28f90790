// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/log.hpp"
#include "runtime/rank/rank.hpp"
#include "runtime/vmpi/api.hpp"

namespace skein::vmpi {

/// Rank 0 tells whoever asks for MPI_THREAD_MULTIPLE why it is granted.
inline void tell_of_thread_level(const Rank& rank, int asked) {
  if (asked != MPI_THREAD_MULTIPLE || rank.id != 0) return;
  SKEIN_WARN(
      "MPI_THREAD_MULTIPLE is granted, as a rank has one thread and can start no other: no two of its calls "
      "overlap");
}

}  // namespace skein::vmpi
