C     SPDX-License-Identifier: Apache-2.0
      program main
      implicit none
      include 'mpif.h'
      integer rank, total, code
      call MPI_INIT(code)
      call MPI_COMM_RANK(MPI_COMM_WORLD, rank, code)
      call MPI_ALLREDUCE(rank, total, 1, MPI_INTEGER, MPI_SUM,
     &                   MPI_COMM_WORLD, code)
      if (rank .eq. 0) print '(A,I0)', 'sum ', total
      call MPI_FINALIZE(code)
      end
