! SPDX-License-Identifier: Apache-2.0
! The exceptions that a rank's arithmetic has signalled belong to the rank, as Fortran reports them, wherever
! it moves.
program floating
  use mpi
  use, intrinsic :: ieee_exceptions
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  integer, parameter :: long = selected_real_kind(18)
  integer :: ierr, rank, step
  logical :: divided, overflowed
  real(long), volatile :: large, none, x
  real(real64), volatile :: short, y
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call ieee_set_flag(ieee_all, .false.)
  large = huge(large)
  none = 0
  short = huge(short)
  if (mod(rank, 3) == 0) x = 1 / none
  if (mod(rank, 3) == 1) x = large * large
  if (mod(rank, 3) == 2) y = short * short
  do step = 1, 6
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    call MPI_Migrate(ierr)
    call ieee_get_flag(ieee_divide_by_zero, divided)
    call ieee_get_flag(ieee_overflow, overflowed)
    call check(divided .eqv. mod(rank, 3) == 0, 'division by zero is told of')
    call check(overflowed .eqv. mod(rank, 3) /= 0, 'overflow is told of')
  end do
  call ieee_set_flag(ieee_all, .false.)
  call MPI_Finalize(ierr)
  if (rank == 0) print '(a)', 'floating: all as it should be'

contains

  include 'check.inc'
end program
