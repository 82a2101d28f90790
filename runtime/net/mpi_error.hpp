// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/check.hpp"

/// A call of the MPI underneath that must succeed: its communicators abort on errors, so this fails only
/// where that MPI returns an error from a call without one.
#define SKEIN_MPI_CALL(call)                                                         \
  do {                                                                               \
    const int skein_mpi_status = (call);                                             \
    SKEIN_CHECK(skein_mpi_status == MPI_SUCCESS, "%s: %d", #call, skein_mpi_status); \
  } while (0)
