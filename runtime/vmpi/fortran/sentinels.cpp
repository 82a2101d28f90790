// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/fortran/sentinels.hpp"

alignas(64) MPI_Fint skein_mpi_sentinels_[32];
