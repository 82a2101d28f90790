! SPDX-License-Identifier: Apache-2.0
! Partitioned communication as Fortran calls it, while ranks move: each rank sends six numbers to the next.
program fortran_partitioned
  use mpi
  implicit none
  integer :: rank, ranks, ierr, round, i, requests(2), above, below
  integer, volatile :: out(6), in(6)  ! read and written while calls are made that do not name them
  logical :: flag
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  above = mod(rank + 1, ranks)
  below = mod(rank + ranks - 1, ranks)
  call MPI_Precv_init(in, 2, 3_MPI_COUNT_KIND, MPI_INTEGER, below, 4, MPI_COMM_WORLD, MPI_INFO_NULL, requests(1), ierr)
  call MPI_Psend_init(out, 6, 1_MPI_COUNT_KIND, MPI_INTEGER, above, 4, MPI_COMM_WORLD, MPI_INFO_NULL, requests(2), ierr)
  do round = 1, 3
    out = [(100 * rank + 10 * round + i, i = 1, 6)]
    in = -1
    call MPI_Startall(2, requests, ierr)
    call MPI_Pready(0, requests(2), ierr)
    call MPI_Pready_range(1, 2, requests(2), ierr)
    call MPI_Migrate(ierr)
    flag = .false.
    do while (.not. flag)
      call MPI_Parrived(requests(1), 0, flag, ierr)
    end do
    call check(all(in(1:3) == [(100 * below + 10 * round + i, i = 1, 3)]), 'parrived')
    call MPI_Pready_list(3, [5, 3, 4], requests(2), ierr)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)
    call check(all(in == [(100 * below + 10 * round + i, i = 1, 6)]), 'all partitions')
  end do
  call MPI_Request_free(requests(1), ierr)
  call MPI_Request_free(requests(2), ierr)
  call MPI_Finalize(ierr)
  if (rank == 0) print '(a)', 'fortran_partitioned: all as it should be'
contains
  subroutine check(good, what)
    logical, intent(in) :: good
    character(*), intent(in) :: what
    integer :: ierror
    if (good) return
    write (0, *) 'rank', rank, ', round', round, ': not so: ', what
    call MPI_Abort(MPI_COMM_WORLD, 3, ierror)
  end subroutine
end program
