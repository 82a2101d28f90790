! SPDX-License-Identifier: Apache-2.0
! Statuses, the program's own requests and inquiry as Fortran calls them; expected answers come from the text
! of MPI 4.1.
module own_requests
  implicit none
contains
  subroutine query(extra, status, ierror)
    use mpi
    integer(MPI_ADDRESS_KIND) :: extra
    integer :: status(MPI_STATUS_SIZE), ierror
    call MPI_Status_set_elements(status, MPI_INTEGER, int(extra), ierror)
    call MPI_Status_set_cancelled(status, .false., ierror)
    call MPI_Status_set_source(status, MPI_UNDEFINED, ierror)
    call MPI_Status_set_tag(status, 77, ierror)
  end subroutine

  subroutine release(extra, ierror)
    use mpi
    integer(MPI_ADDRESS_KIND) :: extra
    integer :: ierror
    extra = -extra
    ierror = MPI_SUCCESS
  end subroutine

  subroutine cancel(extra, complete, ierror)
    use mpi
    integer(MPI_ADDRESS_KIND) :: extra
    logical :: complete
    integer :: ierror
    if (.not. complete) extra = extra + 1
    ierror = MPI_SUCCESS
  end subroutine
end module

program fortran_statuses
  use mpi
  use own_requests
  implicit none
  ! Combiners that MPI-2 listed besides, removed in MPI-3.0: programs name them in SELECT CASE.
  integer, parameter :: of_old(3) = &
    [MPI_COMBINER_HVECTOR_INTEGER, MPI_COMBINER_HINDEXED_INTEGER, MPI_COMBINER_STRUCT_INTEGER]
  integer :: rank, ierr, request, status(MPI_STATUS_SIZE), source, tag, error, count, parent, type
  integer :: integers, addresses, types, combiner
  integer(MPI_COUNT_KIND) :: many
  integer(MPI_ADDRESS_KIND), save :: extra
  logical :: flag
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)

  ! The functions get the variable itself (13.2): either side sees the other's changes.
  extra = 10
  call MPI_Grequest_start(query, release, cancel, extra, request, ierr)
  extra = 20
  call MPI_Cancel(request, ierr)
  call check(extra == 21, 'cancel changes the extra state')
  extra = extra + 2
  call MPI_Migrate(ierr)
  call MPI_Grequest_complete(request, ierr)
  call MPI_Wait(request, status, ierr)
  call check(extra == -23, 'the free function changes the extra state')
  call MPI_Get_count(status, MPI_INTEGER, count, ierr)
  call MPI_Test_cancelled(status, flag, ierr)
  call check(count == 23 .and. .not. flag, 'the query function fills in the status')

  call MPI_Status_set_error(status, MPI_ERR_TRUNCATE, ierr)
  call MPI_Status_get_source(status, source, ierr)
  call MPI_Status_get_tag(status, tag, ierr)
  call MPI_Status_get_error(status, error, ierr)
  call check(source == MPI_UNDEFINED .and. tag == 77 .and. error == MPI_ERR_TRUNCATE, 'members by function')
  call MPI_Status_set_elements_x(status, MPI_INTEGER, 5_MPI_COUNT_KIND, ierr)
  call MPI_Get_elements_x(status, MPI_INTEGER, many, ierr)
  call MPI_Get_elements(status, MPI_INTEGER, count, ierr)
  call check(many == 5 .and. count == 5, 'elements')

  parent = MPI_COMM_WORLD
  call MPI_Comm_get_parent(parent, ierr)
  call check(parent == MPI_COMM_NULL, 'nobody was spawned')

  call MPI_Type_create_hvector(2, 1, 16_MPI_ADDRESS_KIND, MPI_REAL, type, ierr)
  call MPI_Type_get_envelope(type, integers, addresses, types, combiner, ierr)
  select case (combiner)
  case (MPI_COMBINER_HVECTOR)
    call check(integers == 2 .and. addresses == 1 .and. types == 1, 'the envelope of hvector')
  case default
    call check(.false. .or. any(of_old == 0), 'the combiner of hvector')
  end select
  call MPI_Type_free(type, ierr)
  call MPI_Finalize(ierr)
  if (rank == 0) print '(a)', 'fortran_statuses: all as it should be'
contains
  include 'check.inc'
end program
