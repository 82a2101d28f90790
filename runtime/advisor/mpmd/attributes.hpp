// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace skein::mpmd {

/// Whether MPI itself keeps this attribute at its world: MPI_TAG_UB and the like.
bool is_kept_by_mpi(int keyval);

}  // namespace skein::mpmd
