! SPDX-License-Identifier: Apache-2.0
program main
  use mpi
  implicit none
  integer :: rank, total, code
  call MPI_Init(code)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
  call MPI_Allreduce(rank, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, code)
  if (rank == 0) print '(a, i0)', 'sum ', total
  call MPI_Finalize(code)
end program
