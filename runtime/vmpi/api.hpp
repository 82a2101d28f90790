// SPDX-License-Identifier: Apache-2.0
// The MPI that ranks see, as its own implementation sees it. The launcher holds two MPIs: the real one
// underneath, which only net/ knows, and this one, whose functions carry the prefix `skein_` through the
// generated renames. No file may include this and the real <mpi.h>.
#pragma once

#include "mpi_rename.h"
#include "skein/mpi/mpi.h"
