! SPDX-License-Identifier: Apache-2.0
! Calls by INCLUDE 'mpif.h', in fixed form.
      subroutine run_included(time)
      implicit none
      include 'mpif.h'
      double precision time
      integer x(2), status(MPI_STATUS_SIZE), ierror
      call mpi_recv(x, 2, MPI_INTEGER, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD
     &             , MPI_STATUS_IGNORE, ierror)
      call mpi_recv(x, 2, MPI_INTEGER, 4, 3, MPI_COMM_WORLD, status,
     &              ierror)
      call mpi_allreduce(MPI_IN_PLACE, x, 2, MPI_INTEGER, MPI_MIN,
     &                   MPI_COMM_WORLD, ierror)
      call mpi_send(MPI_BOTTOM, 1, MPI_INTEGER, 0, 0, MPI_COMM_SELF,
     &              ierror)
      time = mpi_wtime()
      end
