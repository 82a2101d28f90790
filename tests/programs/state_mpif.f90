! SPDX-License-Identifier: Apache-2.0
! A part of state.f90 as programs were written before modules: the include file, COMMON and SAVE.
subroutine old_style(round)
  implicit none
  include 'mpif.h'
  integer round, error, rank, counter, status(MPI_STATUS_SIZE), got
  double precision values(10)
  logical started
  common /shared_block/ values, counter
  integer calls
  save calls
  data calls /0/
  calls = calls + 1
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  if (calls == 1) then
    values = rank
    counter = 0
  end if
  counter = counter + 1
  call MPI_Sendrecv(calls, 1, MPI_INTEGER, rank, 5, got, 1, MPI_INTEGER, rank, 5, MPI_COMM_WORLD, status, error)
  call MPI_Initialized(started, error)
  call MPI_Migrate(error)
  if (calls /= round .or. counter /= round .or. any(values /= rank) .or. got /= round .or. &
      status(MPI_SOURCE) /= rank .or. .not. started) then
    write (0, *) 'rank', rank, ': not so: COMMON, SAVE and mpif.h', calls, counter, got
    call MPI_Abort(MPI_COMM_WORLD, 3, error)
  end if
end subroutine
