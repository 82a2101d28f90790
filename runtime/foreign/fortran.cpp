// SPDX-License-Identifier: Apache-2.0
// The blocks of special arguments, for programs that define none (whose own are used where they are there),
// and the calls whose arguments differ between the languages.
#include "fortran.hpp"

const MPI_Fint mpi_fortran_bottom_[1] = {}, mpi_fortran_in_place_[1] = {}, mpi_fortran_unweighted_[1] = {},
               mpi_fortran_weights_empty_[1] = {}, mpi_fortran_status_ignore_[6] = {},
               mpi_fortran_statuses_ignore_[6] = {}, mpi_fortran_errcodes_ignore_[1] = {};
const char mpi_fortran_argv_null_[1] = {}, mpi_fortran_argvs_null_[1] = {};

extern "C" {

void pmpi_init_(ErrorOut ierror) { ierror = MPI_Init(nullptr, nullptr); }
PROCEDURE(mpi_init_, pmpi_init_)
PROCEDURE(mpi_init_f08_, pmpi_init_)
PROCEDURE(pmpi_init_f08_, pmpi_init_)

void pmpi_init_thread_(const MPI_Fint* required, MPI_Fint* provided, ErrorOut ierror) {
  ierror = MPI_Init_thread(nullptr, nullptr, *required, provided);
}
PROCEDURE(mpi_init_thread_, pmpi_init_thread_)
PROCEDURE(mpi_init_thread_f08_, pmpi_init_thread_)
PROCEDURE(pmpi_init_thread_f08_, pmpi_init_thread_)
}
