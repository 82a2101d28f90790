! SPDX-License-Identifier: Apache-2.0
! Acts like input.c, by Fortran's unit 5.
program input
  use mpi
  implicit none
  integer :: rank, code, status, going_on, i
  integer(8) :: number, count, total
  call MPI_Init(code)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
  count = 0
  total = 0
  going_on = 1
  do while (going_on == 1)
    do i = 1, 100
      read(*, *, iostat=status) number
      if (status /= 0) going_on = 0
      if (going_on == 0) exit
      count = count + 1
      total = total + number
    end do
    call MPI_Bcast(going_on, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, code)
    call MPI_Barrier(MPI_COMM_WORLD, code)
  end do
  if (rank == 0) print '(i0, a, i0)', count, ' numbers, sum ', total
  if (rank /= 0 .and. count /= 0) print '(a, i0, a)', 'rank ', rank, ' has read numbers of rank 0'
  call MPI_Finalize(code)
end program
