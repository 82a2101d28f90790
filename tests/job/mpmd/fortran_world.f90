! SPDX-License-Identifier: Apache-2.0
! fortran_world N: mpif.h, the module mpi and the module mpi_f08 all see N processes.
module expectations
  implicit none
  integer :: expected = 0
contains
  subroutine check(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what
    if (.not. holds) then
      write (0, *) 'not so: ', what
      error stop 1
    end if
  end subroutine
end module

subroutine with_header()
  use expectations
  implicit none
  include 'mpif.h'
  integer :: error, size, rank, total, group, dup, keyval
  integer(kind=MPI_ADDRESS_KIND) :: value, extra
  logical :: found
  call MPI_COMM_SIZE(MPI_COMM_WORLD, size, error)
  call check(size == expected, 'mpif.h: size')
  call MPI_COMM_RANK(MPI_COMM_WORLD, rank, error)
  call MPI_ALLREDUCE(rank, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  call check(total == expected * (expected - 1) / 2, 'mpif.h: sum of ranks')
  call MPI_COMM_GROUP(MPI_COMM_WORLD, group, error)
  call MPI_GROUP_SIZE(group, size, error)
  call check(size == expected, 'mpif.h: group')
  call MPI_COMM_GET_ATTR(MPI_COMM_WORLD, MPI_TAG_UB, value, found, error)
  call check(found .and. value >= 32767, 'mpif.h: MPI_TAG_UB')
  call MPI_COMM_CREATE_KEYVAL(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, keyval, extra, error)
  value = 41
  call MPI_COMM_SET_ATTR(MPI_COMM_WORLD, keyval, value, error)
  call MPI_COMM_DUP(MPI_COMM_WORLD, dup, error)
  value = 0
  call MPI_COMM_GET_ATTR(dup, keyval, value, found, error)
  call check(found .and. value == 41, 'mpif.h: attribute of a duplicate')
  call MPI_COMM_FREE(dup, error)
end subroutine

subroutine with_module()
  use expectations
  use mpi
  implicit none
  integer :: error, size, rank, next, got, status(MPI_STATUS_SIZE), window
  integer(kind=MPI_ADDRESS_KIND) :: bytes
  integer :: word
  call MPI_Comm_size(MPI_COMM_WORLD, size, error)
  call check(size == expected, 'mpi: size')
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  next = mod(rank + 1, expected)
  call MPI_Sendrecv(rank, 1, MPI_INTEGER, next, 3, got, 1, MPI_INTEGER, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, status, error)
  call check(got == mod(rank + expected - 1, expected), 'mpi: ring')
  bytes = 4
  call MPI_Win_create(word, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, window, error)
  call MPI_Win_free(window, error)
end subroutine

subroutine with_f08()
  use expectations
  use mpi_f08
  implicit none
  integer :: size, rank, root
  type(MPI_Comm) :: half
  type(MPI_Request) :: request
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  call check(size == expected, 'mpi_f08: size')
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_split(MPI_COMM_WORLD, 0, rank, half)
  call MPI_Comm_size(half, size)
  call check(size == expected, 'mpi_f08: split')
  root = merge(17, 0, rank == 0)
  call MPI_Ibcast(root, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, request)
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  call check(root == 17, 'mpi_f08: broadcast')
  call MPI_Comm_free(half)
end subroutine

program fortran_world
  use expectations
  use mpi_f08
  implicit none
  character(8) :: text
  integer :: rank
  call get_command_argument(1, text)
  read (text, *) expected
  call MPI_Init()
  call with_header()
  call with_module()
  call with_f08()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  print '(a,i0,a)', 'Fortran process ', rank, ': all as it should be'
  call MPI_Finalize()
end program
