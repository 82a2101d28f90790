! SPDX-License-Identifier: Apache-2.0
! Procedures of a Fortran program that MPI calls, through each of the three interfaces, and handles that go to C and back.
! USE_MPI or USE_F08 choose the interface, else it is mpif.h. foreign_calls.c is linked with it.
#ifdef USE_F08
#define HANDLE(kind) type(kind)
#define VALUE_OF(handle) handle%MPI_VAL
#define STATUS_HERE type(MPI_Status) :: status
#define TAG_OF(status) status%MPI_TAG
#else
#define HANDLE(kind) integer
#define VALUE_OF(handle) handle
#define STATUS_HERE integer :: status(MPI_STATUS_SIZE)
#define TAG_OF(status) status(MPI_TAG)
#endif
#if defined(USE_F08)
#define WITH_MPI use mpi_f08
#define WITH_HEADER
#elif defined(USE_MPI)
#define WITH_MPI use mpi
#define WITH_HEADER
#else
#define WITH_MPI
#define WITH_HEADER include 'mpif.h'
#endif

module calls
  implicit none
  integer :: handled = 0, copied = 0, removed = 0, released = 0
end module calls

! Keeps the greater values; the type is that of the call.
subroutine greatest(in, inout, count, datatype)
  WITH_MPI
  use, intrinsic :: iso_c_binding
  implicit none
  WITH_HEADER
#ifdef USE_F08
  type(c_ptr), value :: in, inout
  integer, pointer :: from(:), into(:)
#else
  integer :: in(*), inout(*)
#endif
  integer :: count, i
  HANDLE(MPI_Datatype) :: datatype
  if (datatype /= MPI_INTEGER) error stop 'the type of an operation'
#ifdef USE_F08
  call c_f_pointer(in, from, [count])
  call c_f_pointer(inout, into, [count])
  do i = 1, count
    into(i) = max(into(i), from(i))
  end do
#else
  do i = 1, count
    inout(i) = max(inout(i), in(i))
  end do
#endif
end subroutine greatest

subroutine handle(comm, code)
  WITH_MPI
  use calls, only: handled
  implicit none
  WITH_HEADER
  HANDLE(MPI_Comm) :: comm
  integer :: code, class, error
  if (comm /= MPI_COMM_WORLD) error stop 'whose error it is'
  call MPI_Error_class(code, class, error)
  handled = class
end subroutine handle

subroutine copy(comm, key, extra, in, out, flag, error)
  WITH_MPI
  use calls, only: copied
  implicit none
  WITH_HEADER
  HANDLE(MPI_Comm) :: comm
  integer :: key, error
  integer(MPI_ADDRESS_KIND) :: extra, in, out
  logical :: flag
  if (comm /= MPI_COMM_WORLD .or. extra /= 7) error stop 'what is copied'
  copied = copied + 1
  out = in + 1
  flag = .true.
  error = MPI_SUCCESS
end subroutine copy

subroutine remove(comm, key, value, extra, error)
  WITH_MPI
  use calls, only: removed
  implicit none
  WITH_HEADER
  HANDLE(MPI_Comm) :: comm
  integer :: key, error
  integer(MPI_ADDRESS_KIND) :: value, extra
  if (extra /= 7) error stop 'what is removed'
  removed = removed + int(value)
  error = MPI_SUCCESS
end subroutine remove

subroutine query(extra, status, error)
  WITH_MPI
  implicit none
  WITH_HEADER
  integer(MPI_ADDRESS_KIND) :: extra
  STATUS_HERE
  integer :: error
  call MPI_Status_set_elements(status, MPI_INTEGER, 3, error)
  call MPI_Status_set_cancelled(status, .false., error)
  TAG_OF(status) = int(extra)
end subroutine query

subroutine release(extra, error)
  WITH_MPI
  use calls, only: released
  implicit none
  WITH_HEADER
  integer(MPI_ADDRESS_KIND) :: extra
  integer :: error
  released = released + 1
  error = MPI_SUCCESS
end subroutine release

subroutine cancel(extra, complete, error)
  WITH_MPI
  implicit none
  WITH_HEADER
  integer(MPI_ADDRESS_KIND) :: extra
  logical :: complete
  integer :: error
  error = MPI_SUCCESS
end subroutine cancel

program foreign_calls
  WITH_MPI
  use calls
  implicit none
  WITH_HEADER
  external :: greatest, handle, copy, remove, query, release, cancel
  integer :: rank, ranks, most, error, key, same, length, bytes
  integer, external :: ranks_for_c
  integer(MPI_ADDRESS_KIND) :: extra, value
  logical :: flag
  character(len=16) :: text
  integer :: buffer(64)
  HANDLE(MPI_Op) :: op
  HANDLE(MPI_Errhandler) :: handler
  HANDLE(MPI_Comm) :: duplicate
  HANDLE(MPI_Request) :: request
  HANDLE(MPI_Info) :: info
  STATUS_HERE

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)

  call MPI_Op_create(greatest, .true., op, error)
  call MPI_Allreduce(rank, most, 1, MPI_INTEGER, op, MPI_COMM_WORLD, error)
  call expect(most == ranks - 1, 'an operation')
  call MPI_Migrate(error)
  call MPI_Allreduce(-rank, most, 1, MPI_INTEGER, op, MPI_COMM_WORLD, error)
  call expect(most == 0, 'an operation after a move')
  call MPI_Op_free(op, error)
  call expect(op == MPI_OP_NULL, 'no operation')

  call MPI_Comm_create_errhandler(handle, handler, error)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler, error)
  call MPI_Send(rank, 1, MPI_INTEGER, ranks, 0, MPI_COMM_WORLD, error)
  call expect(handled == MPI_ERR_RANK, 'an error')
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL, error)

  extra = 7
  call MPI_Comm_create_keyval(copy, remove, key, extra, error)
  value = 40
  call MPI_Comm_set_attr(MPI_COMM_WORLD, key, value, error)
  call MPI_Migrate(error)
  call MPI_Comm_dup(MPI_COMM_WORLD, duplicate, error)
  call MPI_Comm_get_attr(duplicate, key, value, flag, error)
  call expect(flag .and. value == 41 .and. copied == 1, 'a copied attribute')
  call MPI_Comm_free(duplicate, error)
  call MPI_Comm_delete_attr(MPI_COMM_WORLD, key, error)
  call expect(removed == 81, 'removed attributes')
  call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, value, flag, error)
  call expect(flag .and. value >= 32767, 'a predefined attribute')
  call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, key, extra, error)
  call MPI_Comm_set_attr(MPI_COMM_WORLD, key, extra, error)
  call MPI_Comm_dup(MPI_COMM_WORLD, duplicate, error)
  call MPI_Comm_get_attr(duplicate, key, value, flag, error)
  call expect(flag .and. value == 7, 'a duplicated attribute')
  call MPI_Comm_free(duplicate, error)

  extra = 5
  call MPI_Grequest_start(query, release, cancel, extra, request, error)
  call MPI_Migrate(error)
  call MPI_Grequest_complete(request, error)
  call MPI_Wait(request, status, error)
  call MPI_Get_count(status, MPI_INTEGER, length, error)
  call expect(TAG_OF(status) == 5 .and. length == 3 .and. released == 1, 'a generalized request')

  call MPI_Info_create(info, error)
  call MPI_Info_set(info, 'key', 'value', error)
  call MPI_Info_get(info, 'key', 16, text, flag, error)
  call expect(flag .and. text == 'value', 'a value of an info')
  call MPI_Info_free(info, error)

  call MPI_Buffer_attach(buffer, 256, error)
#ifndef USE_F08
  call MPI_Buffer_detach(buffer, bytes, error)
  call expect(bytes == 256, 'a buffer')
#endif
#ifdef USE_MPI
  call MPI_Sizeof(buffer, bytes, error)
  call expect(bytes == 4, 'a size')
#endif

  same = VALUE_OF(MPI_COMM_WORLD)
  call expect(ranks_for_c(VALUE_OF(MPI_COMM_WORLD), VALUE_OF(MPI_INTEGER), same) == ranks, 'handles for C')
  call expect(same == VALUE_OF(MPI_COMM_WORLD), 'a handle from C')
  if (rank == 0) print '(a)', 'foreign_calls: all as it should be'
  call MPI_Finalize(error)
contains
  subroutine expect(holds, what)
    logical, intent(in) :: holds
    character(len=*), intent(in) :: what
    if (holds) return
    print '(a, i0, 2a)', 'rank ', rank, ' is wrong about ', what
    call MPI_Abort(MPI_COMM_WORLD, 1, error)
  end subroutine expect
end program foreign_calls
