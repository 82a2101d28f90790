! SPDX-License-Identifier: Apache-2.0
! Sessions and ports as Fortran calls them, while ranks move.
module session_handlers
  use mpi
  implicit none
  integer, save :: calls = 0, last_class = MPI_SUCCESS
contains
  subroutine handle(session, code)
    integer :: session, code, ierror
    if (session == MPI_SESSION_NULL) return
    calls = calls + 1
    call MPI_Error_class(code, last_class, ierror)
  end subroutine
end module

program fortran_sessions
  use mpi
  use session_handlers
  implicit none
  integer :: session, group, comm, rank, ranks, ierr, count, length, i, handler, other, info, inter, root
  character(len=MPI_MAX_PSET_NAME_LEN) :: name
  character(len=MPI_MAX_PORT_NAME) :: port, found
  character(len=20) :: value
  integer :: errors(2)
  logical :: flag
  call MPI_Session_create_errhandler(handle, handler, ierr)
  call MPI_Session_init(MPI_INFO_NULL, handler, session, ierr)
  if (ierr /= MPI_SUCCESS) stop 3
  call MPI_Group_from_session_pset(session, 'mpi://WORLD', group, ierr)
  call MPI_Comm_create_from_group(group, 'fortran', MPI_INFO_NULL, MPI_ERRORS_RETURN, comm, ierr)
  call MPI_Group_free(group, ierr)
  call MPI_Comm_rank(comm, rank, ierr)
  call MPI_Comm_size(comm, ranks, ierr)
  call MPI_Session_get_num_psets(session, MPI_INFO_NULL, count, ierr)
  flag = .false.
  do i = 0, count - 1
    length = len(name)
    call MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, length, name, ierr)
    if (name == 'mpi://SELF') flag = length == 10
  end do
  call check(flag, 'session_get_nth_pset')
  call MPI_Session_get_pset_info(session, 'mpi://WORLD', info, ierr)
  length = len(value)
  call MPI_Info_get_string(info, 'mpi_size', length, value, flag, ierr)
  read (value, *) i
  call check(flag .and. i == ranks, 'session_get_pset_info')
  call MPI_Info_free(info, ierr)
  call MPI_Session_get_info(session, info, ierr)
  call MPI_Info_get_nkeys(info, count, ierr)
  call check(count > 0, 'session_get_info')
  call MPI_Info_free(info, ierr)
  call MPI_Session_call_errhandler(session, MPI_ERR_TAG, ierr)
  call check(calls == 1 .and. last_class == MPI_ERR_TAG, 'session_call_errhandler')
  call MPI_Session_get_errhandler(session, other, ierr)
  call check(other == handler, 'session_get_errhandler')
  call MPI_Session_set_errhandler(session, MPI_ERRORS_RETURN, ierr)
  call MPI_Session_call_errhandler(session, MPI_ERR_TAG, ierr)
  call check(calls == 1, 'session_set_errhandler')
  call MPI_Migrate(ierr)
  call buffers()
  call ports()
  call refused()
  call MPI_Comm_free(comm, ierr)
  call MPI_Session_finalize(session, ierr)
  if (session /= MPI_SESSION_NULL) stop 3
  if (rank == 0) print '(a)', 'fortran_sessions: all as it should be'
contains
  subroutine check(good, what)
    logical, intent(in) :: good
    character(*), intent(in) :: what
    integer :: ierror
    if (good) return
    write (0, *) 'rank', rank, ': not so: ', what
    call MPI_Abort(comm, 3, ierror)
  end subroutine

  subroutine buffers()
    character, target, save :: room(2000), more(2000)
    integer :: bytes, sent, got, request
    call MPI_Session_attach_buffer(session, room, 2000, ierr)
    call MPI_Comm_attach_buffer(comm, more, 2000, ierr)
    sent = 55
    call MPI_Bsend(sent, 1, MPI_INTEGER, rank, 3, comm, ierr)
    call MPI_Recv(got, 1, MPI_INTEGER, rank, 3, comm, MPI_STATUS_IGNORE, ierr)
    call check(got == 55, 'bsend')
    call MPI_Comm_flush_buffer(comm, ierr)
    call MPI_Session_flush_buffer(session, ierr)
    call MPI_Comm_iflush_buffer(comm, request, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call MPI_Session_iflush_buffer(session, request, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call MPI_Comm_detach_buffer(comm, more, bytes, ierr)
    call check(bytes == 2000, 'comm_detach_buffer')
    call MPI_Session_detach_buffer(session, room, bytes, ierr)
    call check(bytes == 2000, 'session_detach_buffer')
  end subroutine

  ! Rank 0 accepts all others together.
  subroutine ports()
    integer :: part, number
    call MPI_Comm_split(comm, merge(1, 0, rank > 0), 0, part, ierr)
    root = 0
    if (rank == 0) then
      call MPI_Open_port(MPI_INFO_NULL, port, ierr)
      call MPI_Publish_name('fortran service', MPI_INFO_NULL, port, ierr)
      call MPI_Lookup_name('fortran service', MPI_INFO_NULL, found, ierr)
      call check(found == port, 'lookup_name')
    end if
    call MPI_Barrier(comm, ierr)
    if (rank > 0) call MPI_Lookup_name('fortran service', MPI_INFO_NULL, port, ierr)
    if (ranks > 1) then
      if (rank == 0) call MPI_Comm_accept(port, MPI_INFO_NULL, root, part, inter, ierr)
      if (rank > 0) call MPI_Comm_connect(port, MPI_INFO_NULL, root, part, inter, ierr)
      call MPI_Comm_remote_size(inter, number, ierr)
      call check(number == merge(ranks - 1, 1, rank == 0), 'accept and connect')
      call MPI_Comm_disconnect(inter, ierr)
    end if
    call MPI_Barrier(comm, ierr)  ! all have looked it up
    if (rank == 0) then
      call MPI_Unpublish_name('fortran service', MPI_INFO_NULL, port, ierr)
      call MPI_Close_port(port, ierr)
    end if
    call MPI_Comm_free(part, ierr)
  end subroutine

  subroutine refused()
    integer :: parent
    character(len=8) :: commands(1)
    commands = 'program'
    errors = -1
    call MPI_Comm_spawn('program', MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, comm, inter, errors, ierr)
    call check(ierr == MPI_ERR_SPAWN .and. inter == MPI_COMM_NULL, 'spawn')
    if (rank == 0) call check(all(errors == MPI_ERR_SPAWN), 'error codes of spawn')
    call MPI_Comm_spawn_multiple(1, commands, MPI_ARGVS_NULL, [1], [MPI_INFO_NULL], 0, comm, inter, errors, ierr)
    call check(ierr == MPI_ERR_SPAWN .and. inter == MPI_COMM_NULL, 'spawn_multiple')
    call MPI_Comm_get_parent(parent, ierr)
    call check(parent == MPI_COMM_NULL, 'get_parent')
  end subroutine
end program
