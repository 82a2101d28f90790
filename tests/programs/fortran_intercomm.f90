! SPDX-License-Identifier: Apache-2.0
! Intercommunicators as Fortran calls them: odd ranks of the world against even ones, while ranks move.
program fortran_intercomm
  use mpi
  implicit none
  integer :: me, ranks, side, rank, ours, theirs, local, inter, copy, later, merged, group, others
  integer :: ierr, i, request, length
  integer :: got, total, result, root
  integer, allocatable :: of_all(:), counts(:), places(:), types(:), sent(:), received(:)
  character(len=MPI_MAX_OBJECT_NAME) :: name
  logical :: flag
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  side = mod(me, 2)
  call MPI_Comm_split(MPI_COMM_WORLD, side, me, local, ierr)
  call MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, 1 - side, 4, inter, ierr)
  call MPI_Migrate(ierr)
  call MPI_Comm_test_inter(local, flag, ierr)
  call check(.not. flag, 'the local communicator is none')
  call MPI_Comm_test_inter(inter, flag, ierr)
  call MPI_Comm_rank(inter, rank, ierr)
  call MPI_Comm_size(inter, ours, ierr)
  call MPI_Comm_remote_size(inter, theirs, ierr)
  call MPI_Comm_remote_group(inter, group, ierr)
  call MPI_Group_size(group, got, ierr)
  call check(flag .and. rank == me / 2 .and. ours + theirs == ranks .and. got == theirs, 'inquiry')
  call MPI_Group_free(group, ierr)
  call MPI_Comm_set_name(inter, 'odd and even', ierr)
  call MPI_Comm_get_name(inter, name, length, ierr)
  call check(name == 'odd and even' .and. length == 12, 'the name')

  got = -1
  if (rank < theirs) then
    call MPI_Sendrecv(me, 1, MPI_INTEGER, rank, 3, got, 1, MPI_INTEGER, rank, 3, inter, MPI_STATUS_IGNORE, ierr)
    call check(got == me + 1 - 2 * side, 'messages')
  end if

  call MPI_Comm_dup(inter, copy, ierr)
  call MPI_Comm_idup(inter, later, request, ierr)
  call MPI_Migrate(ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call MPI_Comm_compare(copy, later, result, ierr)
  call check(result == MPI_CONGRUENT, 'duplicates')

  ! The first even rank speaks to the odd ones.
  root = 0
  if (side == 0) root = merge(MPI_ROOT, MPI_PROC_NULL, rank == 0)
  got = 17 + me
  call MPI_Bcast(got, 1, MPI_INTEGER, root, copy, ierr)
  call check(got == merge(17, 17 + me, side == 1), 'broadcast')
  call MPI_Allreduce(me, total, 1, MPI_INTEGER, MPI_SUM, copy, ierr)
  call check(total == sum([(2 * i + 1 - side, i = 0, theirs - 1)]), 'allreduce')
  allocate (of_all(0:theirs - 1), counts(0:theirs - 1), places(0:theirs - 1), types(0:theirs - 1))
  allocate (sent(0:theirs - 1), received(0:theirs - 1))
  call MPI_Allgather(me, 1, MPI_INTEGER, of_all, 1, MPI_INTEGER, later, ierr)
  call check(all(of_all == [(2 * i + 1 - side, i = 0, theirs - 1)]), 'allgather')
  ! The arrays have an entry for each rank of the remote group.
  counts = 1
  types = MPI_INTEGER
  places = [(4 * i, i = 0, theirs - 1)]
  sent = [(100 * me + i, i = 0, theirs - 1)]
  received = -1
  call MPI_Alltoallw(sent, counts, places, types, received, counts, places, types, later, ierr)
  call check(all(received == [(100 * (2 * i + 1 - side) + rank, i = 0, theirs - 1)]), 'alltoallw')

  ! The odd ranks behind the even ones.
  call MPI_Intercomm_merge(inter, side == 1, merged, ierr)
  call MPI_Migrate(ierr)
  call MPI_Comm_rank(merged, got, ierr)
  call check(got == rank + side * theirs, 'merge')
  call MPI_Comm_free(merged, ierr)

  ! The same intercommunicator is made from groups alone.
  call MPI_Comm_group(inter, group, ierr)
  call MPI_Comm_remote_group(inter, others, ierr)
  call MPI_Comm_create_from_group(group, 'odd or even', MPI_INFO_NULL, MPI_ERRORS_RETURN, merged, ierr)
  call MPI_Comm_size(merged, got, ierr)
  call check(got == ours, 'create_from_group')
  call MPI_Comm_free(merged, ierr)
  call MPI_Intercomm_create_from_groups(group, 0, others, 0, 'both', MPI_INFO_NULL, MPI_ERRORS_RETURN, merged, ierr)
  call MPI_Comm_compare(inter, merged, result, ierr)
  call check(result == MPI_CONGRUENT, 'intercomm_create_from_groups')
  call MPI_Comm_free(merged, ierr)
  call MPI_Group_free(group, ierr)
  call MPI_Group_free(others, ierr)
  call MPI_Comm_free(copy, ierr)
  call MPI_Comm_free(later, ierr)
  call MPI_Comm_free(inter, ierr)
  call MPI_Comm_free(local, ierr)
  call MPI_Finalize(ierr)
  if (me == 0) print '(a)', 'fortran_intercomm: all as it should be'
contains
  subroutine check(good, what)
    logical, intent(in) :: good
    character(*), intent(in) :: what
    integer :: ierror
    if (good) return
    write (0, *) 'rank', me, ': not so: ', what
    call MPI_Abort(MPI_COMM_WORLD, 3, ierror)
  end subroutine
end program
