! SPDX-License-Identifier: Apache-2.0
! The calls of a Fortran program by `use mpi`. bindings_test.cpp runs them and reads what arrived in C.

module callbacks
  implicit none
contains
  subroutine add_twice(in, inout, length, datatype)
    use mpi
    integer, intent(in) :: length, datatype
    integer, intent(in) :: in(length)
    integer, intent(inout) :: inout(length)
    if (datatype == MPI_INTEGER) inout = inout + 2 * in
  end subroutine

  subroutine handle_error(comm, code)
    use mpi
    integer :: comm, code, ierror
    call MPI_Send(MPI_BOTTOM, code, MPI_INTEGER, 0, 0, comm, ierror)
  end subroutine

  subroutine copy_attribute(comm, keyval, extra, attribute_in, attribute_out, flag, ierror)
    use mpi
    integer :: comm, keyval, ierror
    integer(MPI_ADDRESS_KIND) :: extra, attribute_in, attribute_out
    logical :: flag
    attribute_out = attribute_in + extra
    flag = .true.
    ierror = MPI_SUCCESS
  end subroutine

  subroutine query(extra, status, ierror)
    use mpi
    integer(MPI_ADDRESS_KIND) :: extra
    integer :: status(MPI_STATUS_SIZE), ierror
    status(MPI_TAG) = int(extra)
    ierror = 21
  end subroutine

  subroutine release(extra, ierror)
    use mpi
    integer(MPI_ADDRESS_KIND) :: extra
    integer :: ierror
    ierror = int(extra) + 1
  end subroutine

  subroutine cancel(extra, complete, ierror)
    use mpi
    integer(MPI_ADDRESS_KIND) :: extra
    logical :: complete
    integer :: ierror
    if (complete) extra = extra + 5
    ierror = 22
  end subroutine
end module

subroutine run_point_to_point(error)
  use mpi
  implicit none
  integer, intent(out) :: error
  integer :: status(MPI_STATUS_SIZE)
  real :: x(4)
  double precision :: y
  call MPI_Init(error)
  call MPI_Send(x, 4, MPI_REAL, 1, 7, MPI_COMM_WORLD, error)
  call MPI_Send(y, 1, MPI_DOUBLE_PRECISION, MPI_PROC_NULL, 8, MPI_COMM_SELF, error)
  call MPI_Recv(x(2), 3, MPI_REAL, 2, MPI_ANY_TAG, MPI_COMM_WORLD, status, error)
  if (status(MPI_SOURCE) /= 12 .or. status(MPI_TAG) /= 8 .or. status(MPI_ERROR) /= MPI_SUCCESS) error = -1
  call MPI_Recv(x, 3, MPI_REAL, 2, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
end subroutine

subroutine run_requests(requests, index, some, indices)
  use mpi
  implicit none
  integer, intent(out) :: requests(40), index(2), some, indices(40)
  integer :: i, x, ierror, statuses(MPI_STATUS_SIZE, 40)
  do i = 1, 40
    call MPI_Isend(x, 1, MPI_INTEGER, i, 0, MPI_COMM_WORLD, requests(i), ierror)
  end do
  call MPI_Waitany(3, requests, index(1), MPI_STATUS_IGNORE, ierror)
  call MPI_Waitany(1, requests, index(2), statuses(:, 1), ierror)
  call MPI_Waitsome(5, requests, some, indices, statuses, ierror)
  call MPI_Waitall(40, requests, MPI_STATUSES_IGNORE, ierror)
end subroutine

subroutine run_collectives()
  use mpi
  implicit none
  integer :: x(2), ierror, comm, dims(2) = [3, 2]
  logical :: periods(2) = [.true., .false.]
  call MPI_Allreduce(MPI_IN_PLACE, x, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
  call MPI_Allreduce(x, x, 2, MPI_2REAL, MPI_MAXLOC, MPI_COMM_WORLD, ierror)
  call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, .true., comm, ierror)
  call MPI_Send(x, 1, MPI_INTEGER, 0, 0, comm, ierror)
end subroutine

subroutine run_strings(name, length, flag)
  use mpi
  implicit none
  character(len=8), intent(out) :: name
  integer, intent(out) :: length
  logical, intent(out) :: flag
  integer :: ierror
  call MPI_Comm_set_name(MPI_COMM_WORLD, '  two words   ', ierror)
  call MPI_Info_set(MPI_INFO_ENV, '  key ', ' a value  ', ierror)
  call MPI_Get_processor_name(name, length, ierror)
  call MPI_Initialized(flag, ierror)
end subroutine

subroutine run_datatypes(newtype)
  use mpi
  implicit none
  integer, intent(out) :: newtype
  integer(MPI_ADDRESS_KIND) :: displacements(2) = [0_MPI_ADDRESS_KIND, 123456789012_MPI_ADDRESS_KIND]
  integer :: ierror
  call MPI_Type_create_struct(2, [1, 5], displacements, [MPI_INTEGER, MPI_REAL8], newtype, ierror)
end subroutine

subroutine run_callbacks(op, handler)
  use mpi
  use callbacks
  implicit none
  integer, intent(out) :: op, handler
  integer :: ierror
  call MPI_Op_create(add_twice, .true., op, ierror)
  call MPI_Comm_create_errhandler(handle_error, handler, ierror)
end subroutine

subroutine run_attributes(values)
  use mpi
  use callbacks
  implicit none
  integer(MPI_ADDRESS_KIND), intent(out) :: values(2)
  integer :: keyval, comm, ierror
  logical :: flag
  call MPI_Comm_create_keyval(copy_attribute, MPI_COMM_NULL_DELETE_FN, keyval, 1000_MPI_ADDRESS_KIND, ierror)
  call MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, -77_MPI_ADDRESS_KIND, ierror)
  call MPI_Comm_get_attr(MPI_COMM_WORLD, keyval, values(1), flag, ierror)
  call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, values(2), flag, ierror)
  call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierror)
end subroutine

subroutine run_inquiry(time, sizes)
  use mpi
  implicit none
  double precision, intent(out) :: time
  integer, intent(out) :: sizes(5)
  integer :: ierror
  complex(8) :: z(2, 2)
  real :: r
  character(len=9) :: text
  logical :: l(3)
  integer(8) :: i
  time = MPI_Wtime()
  call MPI_Sizeof(z, sizes(1), ierror)
  call MPI_Sizeof(r, sizes(2), ierror)
  call MPI_Sizeof(text, sizes(3), ierror)
  call MPI_Sizeof(l, sizes(4), ierror)
  call MPI_Sizeof(i, sizes(5), ierror)
end subroutine

subroutine run_alltoallw()
  use mpi
  implicit none
  integer :: x(4), n(4) = 1, d(4) = 0, ierror, sent(4), received(4)
  integer(MPI_ADDRESS_KIND) :: wide(4) = 9876543210_MPI_ADDRESS_KIND
  sent = [MPI_INTEGER, MPI_REAL, MPI_COMPLEX, MPI_LOGICAL]
  received = [MPI_REAL4, MPI_REAL8, MPI_INTEGER4, MPI_INTEGER8]
  call MPI_Alltoallw(x, n, d, sent, x, n, d, received, MPI_COMM_WORLD, ierror)
  call MPI_Alltoallw(x, n, d, sent, x, n, d, received, MPI_COMM_SELF, ierror)
  call MPI_Alltoallw(MPI_IN_PLACE, n, d, sent, x, n, d, received, MPI_COMM_WORLD, ierror)
  call MPI_Neighbor_alltoallw(x, n, wide, sent, x, n, wide, received, MPI_COMM_WORLD, ierror)
  call MPI_Neighbor_alltoallw(x, n, wide, sent, x, n, wide, received, MPI_COMM_SELF, ierror)
end subroutine

subroutine run_mpi1(extent, newtype)
  use mpi
  implicit none
  integer, intent(out) :: extent, newtype
  integer :: ierror
  call MPI_Type_struct(2, [4, 1], [0, -8], [MPI_INTEGER, MPI_UB], newtype, ierror)
  call MPI_Type_extent(MPI_INTEGER, extent, ierror)
end subroutine

subroutine run_information(value, lengths, flags)
  use mpi
  implicit none
  character(len=8), intent(out) :: value(3)
  integer, intent(out) :: lengths(3)
  logical, intent(out) :: flags(3)
  integer :: ierror
  value = 'untouch.'
  lengths = [8, 3, 8]
  call MPI_Info_get_string(MPI_INFO_ENV, ' key', lengths(1), value(1), flags(1), ierror)
  call MPI_Info_get_string(MPI_INFO_ENV, 'key ', lengths(2), value(2), flags(2), ierror)
  call MPI_Info_get_string(MPI_INFO_ENV, 'none', lengths(3), value(3), flags(3), ierror)
end subroutine

subroutine run_requests_of_its_own(size)
  use mpi
  use callbacks
  implicit none
  integer, intent(out) :: size
  integer :: request, ierror
  integer(MPI_ADDRESS_KIND) :: extra
  character(len=16) :: buffer
  extra = 30
  call MPI_Grequest_start(query, release, cancel, extra, request, ierror)
  call MPI_Buffer_detach(buffer, size, ierror)
  if (extra /= 35) size = -1
end subroutine

subroutine run_spawn()
  use mpi
  implicit none
  integer :: comm, ierror
  character(len=6) :: list(3) = ['-v    ', 'a b   ', '      ']
  character(len=4) :: lists(2, 3)
  lists(1, :) = ['one ', 'two ', '    ']
  lists(2, :) = ['last', '    ', 'no  ']
  call MPI_Comm_spawn('worker ', list, 4, MPI_INFO_NULL, 1, MPI_COMM_WORLD, comm, MPI_ERRCODES_IGNORE, ierror)
  call MPI_Comm_spawn('worker', MPI_ARGV_NULL, 4, MPI_INFO_NULL, 1, MPI_COMM_WORLD, comm, MPI_ERRCODES_IGNORE, ierror)
  call MPI_Comm_spawn('worker', list, 4, MPI_INFO_NULL, 0, MPI_COMM_WORLD, comm, MPI_ERRCODES_IGNORE, ierror)
  call MPI_Comm_spawn_multiple(2, ['left ', 'right'], lists, [5, 6], [MPI_INFO_NULL, MPI_INFO_ENV], 1, &
                               MPI_COMM_WORLD, comm, MPI_ERRCODES_IGNORE, ierror)
end subroutine
