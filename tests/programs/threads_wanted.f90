! SPDX-License-Identifier: Apache-2.0
! The Fortran version of threads_wanted.c: `none`, `call`, `clause`.
program threads_wanted
  use mpi
  use omp_lib
  implicit none
  integer, parameter :: items = 1000
  integer :: ierr, rank, provided, done, i
  character(16) :: how

  call get_command_argument(1, how)
  call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided, ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call check(provided == MPI_THREAD_MULTIPLE, 'several threads are granted')
  call check(omp_get_max_threads() == 1 .and. omp_get_num_procs() == 1, 'one thread')
  if (how == 'call') call omp_set_num_threads(4)
  call check(omp_get_max_threads() == 1, 'one thread still')
  done = 0
  if (how == 'clause') then
    !$omp parallel do num_threads(4) reduction(+: done)
    do i = 1, items
      done = done + 1
    end do
  else
    !$omp parallel reduction(+: done)
    done = done + items / omp_get_max_threads()
    !$omp end parallel
  end if
  call check(done == items, 'all of the work')
  call MPI_Finalize(ierr)
  if (rank == 0) print '(a)', 'threads_wanted: all as it should be'

contains

  include 'check.inc'
end program
