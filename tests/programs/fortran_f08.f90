! SPDX-License-Identifier: Apache-2.0
! Module mpi_f08: handles and statuses of their own types, omitted error codes, large counts by the same names, callbacks
! with the interfaces of MPI 4.1, annex A.3. Expected answers come from the text of the standard and the ranks in the
! world.
module callbacks
  use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
  use mpi_f08
  implicit none
  integer, save :: copies = 0, deletions = 0, handled = 0
contains
  subroutine multiply(invec, inoutvec, len, datatype)
    type(c_ptr), value :: invec, inoutvec
    integer :: len
    type(MPI_Datatype) :: datatype
    integer, pointer :: in(:), inout(:)
    if (datatype /= MPI_INTEGER) error stop 'the datatype of a user operation'
    call c_f_pointer(invec, in, [len])
    call c_f_pointer(inoutvec, inout, [len])
    inout = inout * in
  end subroutine
  subroutine multiply_many(invec, inoutvec, len, datatype)
    type(c_ptr), value :: invec, inoutvec
    integer(MPI_COUNT_KIND) :: len
    type(MPI_Datatype) :: datatype
    call multiply(invec, inoutvec, int(len), datatype)
  end subroutine
  subroutine copy(oldcomm, comm_keyval, extra_state, attribute_val_in, attribute_val_out, flag, ierror)
    type(MPI_Comm) :: oldcomm
    integer :: comm_keyval, ierror
    integer(MPI_ADDRESS_KIND) :: extra_state, attribute_val_in, attribute_val_out
    logical :: flag
    copies = copies + 1
    if (oldcomm == MPI_COMM_NULL .or. comm_keyval == MPI_KEYVAL_INVALID) copies = -1000
    attribute_val_out = attribute_val_in + extra_state
    flag = .true.
    ierror = MPI_SUCCESS
  end subroutine
  subroutine drop(comm, comm_keyval, attribute_val, extra_state, ierror)
    type(MPI_Comm) :: comm
    integer :: comm_keyval, ierror
    integer(MPI_ADDRESS_KIND) :: attribute_val, extra_state
    deletions = deletions + 1
    if (comm == MPI_COMM_NULL .or. comm_keyval == MPI_KEYVAL_INVALID) deletions = -1000
    if (attribute_val < 41 .or. extra_state /= 1) deletions = -1000
    ierror = MPI_SUCCESS
  end subroutine
  subroutine handle(comm, error_code)
    type(MPI_Comm) :: comm
    integer :: error_code
    integer :: class
    call MPI_Error_class(error_code, class)
    if (comm /= MPI_COMM_NULL .and. class == MPI_ERR_RANK) handled = handled + 1
  end subroutine
end module

program fortran_f08
  use, intrinsic :: ieee_arithmetic, only: ieee_value, ieee_positive_inf
  use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer, c_loc, c_associated
  use mpi_f08
  use callbacks
  implicit none
  integer :: rank, ranks, provided, ierror
  logical :: flag
  call MPI_Init_thread(required=MPI_THREAD_FUNNELED, provided=provided)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  call check(ierror == MPI_SUCCESS .and. provided >= MPI_THREAD_SINGLE, 'start')
  call messages()
  call MPI_Migrate()
  call statuses()
  call collectives()
  call graphs()
  call MPI_Migrate()
  call types()
  call MPI_Migrate()
  call attributes()
  call MPI_Migrate()
  call errors()
  call own_functions()
  call MPI_Migrate()
  call memory()
  call profiling()
  call MPI_Finalize()
  call MPI_Finalized(flag)
  if (.not. flag) error stop 'MPI_Finalized'
  if (rank == 0) print '(a)', 'fortran_f08: all as it should be'
contains
  include 'check.inc'

  ! A ring: by MPI_Sendrecv, by requests, with large counts.
  subroutine messages()
    integer :: sent(4), got(4), left, right, next
    integer(MPI_COUNT_KIND) :: many
    type(MPI_Request) :: requests(2)
    type(MPI_Status) :: status, both(2)
    type(MPI_Message) :: message
    right = mod(rank + 1, ranks)
    left = mod(rank + ranks - 1, ranks)
    sent = [rank, 2 * rank, 3 * rank, 4 * rank]
    call MPI_Sendrecv(sent, 4, MPI_INTEGER, right, 7, got, 4, MPI_INTEGER, left, 7, MPI_COMM_WORLD, status)
    call check(all(got == [left, 2 * left, 3 * left, 4 * left]), 'MPI_Sendrecv')
    call check(status%MPI_SOURCE == left .and. status%MPI_TAG == 7, 'components of a status')
    call MPI_Get_count(status, MPI_INTEGER, next)
    call MPI_Get_count(status, MPI_INTEGER, many)
    call check(next == 4 .and. many == 4, 'MPI_Get_count of both kinds')
    got = -1
    many = 4
    call MPI_Irecv(got, many, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, requests(1))
    call MPI_Isend(buf=sent, count=4, datatype=MPI_INTEGER, dest=right, tag=8, comm=MPI_COMM_WORLD, request=requests(2))
    call MPI_Migrate()
    call MPI_Waitall(2, requests, both)
    call check(all(requests == MPI_REQUEST_NULL) .and. both(1)%MPI_SOURCE == left .and. got(4) == 4 * left, 'MPI_Waitall')
    call MPI_Isend(sent, 4, MPI_INTEGER, right, 9, MPI_COMM_WORLD, requests(1))
    status%MPI_ERROR = MPI_ERR_OTHER
    call MPI_Probe(left, 9, MPI_COMM_WORLD, status)
    call check(status%MPI_ERROR == MPI_ERR_OTHER, 'MPI_Probe leaves the error of a status alone')
    call MPI_Mprobe(left, 9, MPI_COMM_WORLD, message, status)
    call check(message /= MPI_MESSAGE_NULL .and. status%MPI_ERROR == MPI_ERR_OTHER, 'MPI_Mprobe')
    call MPI_Mrecv(got, 4, MPI_INTEGER, message, status)
    call check(message == MPI_MESSAGE_NULL .and. got(2) == 2 * left, 'MPI_Mrecv')
    call MPI_Waitall(1, requests, MPI_STATUSES_IGNORE)
    call MPI_Send(MPI_BOTTOM, 0, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD)
    call MPI_Testany(1, requests, next, flag, status)
    call check(flag .and. next == MPI_UNDEFINED, 'MPI_Testany')
  end subroutine

  subroutine statuses()
    type(MPI_Status) :: status, again
    integer :: array(MPI_STATUS_SIZE)
    call MPI_Recv(array, 0, MPI_INTEGER, MPI_PROC_NULL, 3, MPI_COMM_WORLD, status)
    call MPI_Status_f082f(status, array)
    call check(array(MPI_SOURCE) == MPI_PROC_NULL .and. array(MPI_TAG) == MPI_ANY_TAG, 'MPI_Status_f082f')
    array(MPI_SOURCE) = 5
    call MPI_Status_f2f08(array, again, ierror)
    call check(again%MPI_SOURCE == 5 .and. ierror == MPI_SUCCESS, 'MPI_Status_f2f08')
  end subroutine

  subroutine collectives()
    integer :: mine, all_of_it, expected, i
    type(MPI_Op) :: operation
    type(MPI_Comm) :: half
    mine = rank + 1
    call MPI_Allreduce(mine, all_of_it, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    call check(all_of_it == ranks * (ranks + 1) / 2, 'MPI_Allreduce')
    call MPI_Allreduce(MPI_IN_PLACE, mine, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD)
    call check(mine == ranks, 'MPI_IN_PLACE')
    expected = 1
    do i = 1, min(ranks, 12)
      expected = expected * i
    end do
    mine = merge(rank + 1, 1, rank < 12)
    call MPI_Op_create(multiply, .true., operation)
    call MPI_Allreduce(mine, all_of_it, 1, MPI_INTEGER, operation, MPI_COMM_WORLD)
    call check(all_of_it == expected, 'a user operation')
    call MPI_Op_free(operation)
    call check(operation == MPI_OP_NULL, 'MPI_Op_free')
    call MPI_Op_create_c(multiply_many, .true., operation)
    call MPI_Allreduce(mine, all_of_it, 1_MPI_COUNT_KIND, MPI_INTEGER, operation, MPI_COMM_WORLD)
    call check(all_of_it == expected, 'a user operation with large counts')
    call MPI_Op_free(operation)
    call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), rank, half)
    call MPI_Comm_size(half, i)
    call check(i == (ranks + merge(1, 0, mod(rank, 2) == 0)) / 2, 'MPI_Comm_split')
    call MPI_Comm_free(half)
    call check(half == MPI_COMM_NULL, 'MPI_Comm_free')
  end subroutine

  ! Weights are arrays, and so are their special values.
  subroutine graphs()
    type(MPI_Comm) :: ring
    integer :: around(2), weights(2), in(2), out(2), in_weights(2), out_weights(2)
    logical :: weighted
    around = [mod(rank + ranks - 1, ranks), mod(rank + 1, ranks)]
    weights = [3, 4]
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, around, weights, 2, around, weights, MPI_INFO_NULL, .false., ring)
    call MPI_Dist_graph_neighbors(ring, 2, in, in_weights, 2, out, out_weights)
    call check(all(in == around) .and. all(in_weights == weights) .and. all(out_weights == weights), 'weights')
    call MPI_Comm_free(ring)
    call MPI_Dist_graph_create(MPI_COMM_WORLD, 1, [rank], [2], around, weights, MPI_INFO_NULL, .false., ring)
    call MPI_Dist_graph_neighbors(ring, 2, in, in_weights, 2, out, out_weights)
    call check(sum(in) == sum(around) .and. sum(in_weights) == 7, 'MPI_Dist_graph_create')
    call MPI_Comm_free(ring)
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, around, MPI_UNWEIGHTED, 2, around, MPI_UNWEIGHTED, &
                                        MPI_INFO_NULL, .false., ring)
    call MPI_Dist_graph_neighbors(ring, 2, in, MPI_UNWEIGHTED, 2, out, MPI_UNWEIGHTED)
    call check(all(out == around), 'MPI_UNWEIGHTED')
    call MPI_Comm_free(ring)
    call MPI_Dist_graph_create(MPI_COMM_WORLD, 0, [rank], [0], in, MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, .false., ring)
    call MPI_Dist_graph_neighbors_count(ring, in(1), out(1), weighted)
    call check(in(1) == 0 .and. out(1) == 0 .and. weighted, 'MPI_WEIGHTS_EMPTY')
    call MPI_Comm_free(ring)
  end subroutine

  subroutine types()
    type(MPI_Datatype) :: column, made
    integer(MPI_ADDRESS_KIND) :: lower, extent, at(2), here
    integer(MPI_COUNT_KIND) :: bytes
    integer :: small, matrix(3, 4), got(4), i
    type(MPI_Status) :: status
    call MPI_Type_vector(4, 1, 3, MPI_INTEGER, column)
    call MPI_Type_commit(column)
    call MPI_Type_size(column, small)
    call MPI_Type_size(column, bytes)
    call MPI_Type_get_extent(column, lower, extent)
    call check(small == 16 .and. bytes == 16 .and. lower == 0 .and. extent == 40, 'MPI_Type_vector')
    matrix = reshape([(i, i = 1, 12)], [3, 4])
    call MPI_Sendrecv(matrix, 1, column, 0, 0, got, 4, MPI_INTEGER, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE)
    call check(all(got == [1, 4, 7, 10]), 'a column')
    call MPI_Type_free(column)
    call MPI_Get_address(matrix(1, 1), here)
    call MPI_Get_address(matrix(3, 2), at(2))
    at = [0_MPI_ADDRESS_KIND, MPI_Aint_diff(at(2), here)]
    call MPI_Type_create_struct(2, [1, 1], at, [MPI_INTEGER, MPI_INTEGER], made)
    call MPI_Type_commit(made)
    call MPI_Sendrecv(matrix, 1, made, 0, 0, got, 2, MPI_INTEGER, 0, 0, MPI_COMM_SELF, status)
    call check(all(got(1:2) == [1, 6]), 'MPI_Type_create_struct')
    call MPI_Type_free(made)
  end subroutine

  subroutine attributes()
    integer :: keyval
    integer(MPI_ADDRESS_KIND) :: value
    type(MPI_Comm) :: other
    call MPI_Comm_create_keyval(copy, drop, keyval, 1_MPI_ADDRESS_KIND)
    call MPI_Comm_set_attr(MPI_COMM_SELF, keyval, 41_MPI_ADDRESS_KIND)
    call MPI_Comm_dup(MPI_COMM_SELF, other)
    call MPI_Comm_get_attr(comm=other, comm_keyval=keyval, attribute_val=value, flag=flag)
    call check(flag .and. value == 42 .and. copies == 1, 'a copied attribute')
    call MPI_Comm_free(other)
    call MPI_Comm_delete_attr(MPI_COMM_SELF, keyval)
    call check(deletions == 2, 'deleted attributes')
    call MPI_Comm_free_keyval(keyval)
    call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, keyval, 0_MPI_ADDRESS_KIND)
    call MPI_Comm_set_attr(MPI_COMM_SELF, keyval, 7_MPI_ADDRESS_KIND)
    call MPI_Comm_dup(MPI_COMM_SELF, other)
    call MPI_Comm_get_attr(other, keyval, value, flag)
    call check(flag .and. value == 7, 'MPI_COMM_DUP_FN')
    call MPI_Comm_free(other)
    call MPI_Comm_free_keyval(keyval)
  end subroutine

  subroutine errors()
    type(MPI_Errhandler) :: handler, found
    integer :: class, length
    character(len=MPI_MAX_ERROR_STRING) :: text
    call MPI_Comm_create_errhandler(handle, handler)
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, handler)
    call MPI_Comm_get_errhandler(MPI_COMM_SELF, found)
    call MPI_Send(class, 1, MPI_INTEGER, 99, 0, MPI_COMM_SELF, ierror)
    call MPI_Send(class, 1, MPI_INTEGER, 99, 0, MPI_COMM_SELF)
    call check(handled == 2, 'an error handler')
    call MPI_Error_class(ierror, class)
    call MPI_Error_string(ierror, text, length)
    call check(class == MPI_ERR_RANK .and. length > 0 .and. text /= ' ', 'MPI_Error_string')
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL)
    call MPI_Errhandler_free(found)
    call MPI_Errhandler_free(handler)
    call check(handler == MPI_ERRHANDLER_NULL, 'MPI_Errhandler_free')
  end subroutine

  ! Skein's own functions: those that declare a load and a position reject wrong values; no state is written unrequested.
  subroutine own_functions()
    integer :: class
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN)
    call MPIX_Load_set(-1d0, ierror)
    call MPI_Error_class(ierror, class)
    call check(class == MPI_ERR_ARG, 'a negative load')
    call MPIX_Load_set(0.25d0, ierror)
    call check(ierror == MPI_SUCCESS, 'MPIX_Load_set')
    call MPIX_Position_set(0d0, ieee_value(0d0, ieee_positive_inf), 0d0, ierror)
    call MPI_Error_class(ierror, class)
    call check(class == MPI_ERR_ARG, 'a position without end')
    call MPIX_Position_set(1d0, 2d0, 3d0, ierror)
    call check(ierror == MPI_SUCCESS, 'MPIX_Position_set')
    call MPIX_Checkpoint(ierror)
    call check(ierror == MPI_SUCCESS, 'MPIX_Checkpoint')
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL)
  end subroutine

  subroutine memory()
    type(c_ptr) :: address, back
    integer, pointer :: numbers(:)
    character, pointer :: room(:)
    integer :: size, got
    type(MPI_Info) :: info
    character(len=20) :: value
    call MPI_Info_create(info)
    call MPI_Info_set(info, ' alignment ', ' 64 ')
    size = len(value)  ! Fortran needs no room for a terminator
    call MPI_Info_get_string(info, 'alignment', size, value, flag)
    call check(flag .and. value == '64' .and. size == 2, 'MPI_Info_get_string')
    call MPI_Alloc_mem(400_MPI_ADDRESS_KIND, info, address)
    call c_f_pointer(address, numbers, [100])
    numbers = rank
    call MPI_Free_mem(numbers)
    call MPI_Info_free(info)
    call check(info == MPI_INFO_NULL, 'MPI_Info_free')
    allocate (room(1000 + MPI_BSEND_OVERHEAD))
    call MPI_Buffer_attach(room, 1000 + MPI_BSEND_OVERHEAD)
    call MPI_Bsend(rank, 1, MPI_INTEGER, 0, 1, MPI_COMM_SELF)
    call MPI_Recv(got, 1, MPI_INTEGER, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE)
    call MPI_Buffer_detach(back, size)
    call check(got == rank .and. size == 1000 + MPI_BSEND_OVERHEAD .and. c_associated(back, c_loc(room)), 'MPI_Buffer_detach')
    call MPI_F_sync_reg(got)
    deallocate (room)
  end subroutine

  subroutine profiling()
    integer :: again
    double precision :: time
    call PMPI_Comm_rank(MPI_COMM_WORLD, again)
    time = PMPI_Wtime()
    call check(again == rank .and. MPI_Wtime() >= time, 'PMPI names')
    call MPI_Sizeof(time, again)
    call check(again == 8, 'MPI_Sizeof')
  end subroutine
end program
