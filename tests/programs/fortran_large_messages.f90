! SPDX-License-Identifier: Apache-2.0
! Messages of module mpi_f08 with large counts: by the same names, counts of kind MPI_COUNT_KIND (MPI 4.1,
! section 19.1.5). Expected results come from formulas of the ranks.
program fortran_large_messages
  use, intrinsic :: iso_c_binding, only: c_ptr, c_associated, c_loc
  use mpi_f08
  implicit none
  integer(MPI_COUNT_KIND), parameter :: two = 2
  integer, asynchronous :: sent(2), got(2)
  integer :: rank, ranks, left, right
  type(MPI_Request) :: incoming, request
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  right = mod(rank + 1, ranks)
  left = mod(rank + ranks - 1, ranks)
  call sends()
  call MPI_Migrate()
  call receives()
  call MPI_Migrate()
  call buffers()
  call MPI_Finalize()
  if (rank == 0) print '(a)', 'fortran_large_messages: all as it should be'
contains
  include 'check.inc'

  ! Lets all ranks post a receive for the next message on the ring.
  subroutine post()
    sent = [rank, -rank]
    got = -1000
    call MPI_Irecv(got, two, MPI_INTEGER, left, 7, MPI_COMM_WORLD, incoming)
    call MPI_Barrier(MPI_COMM_WORLD)
  end subroutine
  subroutine arrived(what)
    character(len=*), intent(in) :: what
    call MPI_Wait(incoming, MPI_STATUS_IGNORE)
    call check(all(got == [left, -left]), what)
  end subroutine

  ! Completes a call in its three forms: blocking, nonblocking, persistent. `form` counts them.
  subroutine complete(form)
    integer, intent(in) :: form
    if (form == 3) call MPI_Start(request)
    if (form > 1) call MPI_Wait(request, MPI_STATUS_IGNORE)
    if (form == 3) call MPI_Request_free(request)
  end subroutine

  subroutine sends()
    integer :: form
    character, allocatable, target :: room(:)
    type(c_ptr) :: back
    integer(MPI_COUNT_KIND) :: size
    size = 2000 + MPI_BSEND_OVERHEAD
    allocate (room(size))
    call MPI_Buffer_attach(room, size)
    do form = 1, 3
      call post()
      select case (form)
      case (1)
        call MPI_Send(sent, two, MPI_INTEGER, right, 7, MPI_COMM_WORLD)
      case (2)
        call MPI_Isend(sent, two, MPI_INTEGER, right, 7, MPI_COMM_WORLD, request)
      case (3)
        call MPI_Send_init(sent, two, MPI_INTEGER, right, 7, MPI_COMM_WORLD, request)
      end select
      call complete(form)
      call arrived('MPI_Send')
      call post()
      select case (form)
      case (1)
        call MPI_Bsend(sent, two, MPI_INTEGER, right, 7, MPI_COMM_WORLD)
      case (2)
        call MPI_Ibsend(sent, two, MPI_INTEGER, right, 7, MPI_COMM_WORLD, request)
      case (3)
        call MPI_Bsend_init(sent, two, MPI_INTEGER, right, 7, MPI_COMM_WORLD, request)
      end select
      call complete(form)
      call arrived('MPI_Bsend')
      call post()
      select case (form)
      case (1)
        call MPI_Ssend(sent, two, MPI_INTEGER, right, 7, MPI_COMM_WORLD)
      case (2)
        call MPI_Issend(sent, two, MPI_INTEGER, right, 7, MPI_COMM_WORLD, request)
      case (3)
        call MPI_Ssend_init(sent, two, MPI_INTEGER, right, 7, MPI_COMM_WORLD, request)
      end select
      call complete(form)
      call arrived('MPI_Ssend')
      call post()
      select case (form)
      case (1)
        call MPI_Rsend(sent, two, MPI_INTEGER, right, 7, MPI_COMM_WORLD)
      case (2)
        call MPI_Irsend(sent, two, MPI_INTEGER, right, 7, MPI_COMM_WORLD, request)
      case (3)
        call MPI_Rsend_init(sent, two, MPI_INTEGER, right, 7, MPI_COMM_WORLD, request)
      end select
      call complete(form)
      call arrived('MPI_Rsend')
    end do
    size = 0
    call MPI_Buffer_detach(back, size)
    call check(size == 2000 + MPI_BSEND_OVERHEAD .and. c_associated(back, c_loc(room)), 'MPI_Buffer_detach')
  end subroutine

  subroutine receives()
    type(MPI_Message) :: message
    type(MPI_Status) :: status
    integer(MPI_COUNT_KIND) :: many
    integer :: kind
    do kind = 1, 4
      sent = [rank, -rank]
      got = -1000
      call MPI_Isend(sent, two, MPI_INTEGER, right, 8, MPI_COMM_WORLD, incoming)
      select case (kind)
      case (1)
        call MPI_Recv(got, two, MPI_INTEGER, left, 8, MPI_COMM_WORLD, status)
      case (2)
        call MPI_Mprobe(left, 8, MPI_COMM_WORLD, message, MPI_STATUS_IGNORE)
        call MPI_Mrecv(got, two, MPI_INTEGER, message, status)
      case (3)
        call MPI_Mprobe(left, 8, MPI_COMM_WORLD, message, MPI_STATUS_IGNORE)
        call MPI_Imrecv(got, two, MPI_INTEGER, message, request)
        call MPI_Wait(request, status)
      case (4)
        call MPI_Recv_init(got, two, MPI_INTEGER, left, 8, MPI_COMM_WORLD, request)
        call MPI_Start(request)
        call MPI_Wait(request, status)
        call MPI_Request_free(request)
      end select
      call arrived('a receive')
      call MPI_Get_elements(status, MPI_INTEGER, many)
      call check(many == 2 .and. status%MPI_SOURCE == left, 'MPI_Get_elements')
    end do
    call MPI_Status_set_elements(status, MPI_INTEGER, 5_MPI_COUNT_KIND)
    call MPI_Get_elements(status, MPI_INTEGER, many)
    call check(many == 5, 'MPI_Status_set_elements')
    incoming = MPI_REQUEST_NULL
    sent = [rank, -rank]
    call MPI_Sendrecv(sent, two, MPI_INTEGER, right, 9, got, two, MPI_INTEGER, left, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call arrived('MPI_Sendrecv')
    got = sent
    call MPI_Sendrecv_replace(got, two, MPI_INTEGER, right, 9, left, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call arrived('MPI_Sendrecv_replace')
    got = -1000
    call MPI_Isendrecv(sent, two, MPI_INTEGER, right, 9, got, two, MPI_INTEGER, left, 9, MPI_COMM_WORLD, incoming)
    call arrived('MPI_Isendrecv')
    got = sent
    call MPI_Isendrecv_replace(got, two, MPI_INTEGER, right, 9, left, 9, MPI_COMM_WORLD, incoming)
    call arrived('MPI_Isendrecv_replace')
  end subroutine

  ! Buffers of a communicator and of a session.
  subroutine buffers()
    character, allocatable, target :: room(:)
    type(c_ptr) :: back
    type(MPI_Session) :: session
    integer(MPI_COUNT_KIND) :: size
    size = 100
    allocate (room(size))
    call MPI_Comm_attach_buffer(MPI_COMM_WORLD, room, size)
    size = 0
    call MPI_Comm_detach_buffer(MPI_COMM_WORLD, back, size)
    call check(size == 100 .and. c_associated(back, c_loc(room)), 'MPI_Comm_detach_buffer')
    call MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, session)
    call MPI_Session_attach_buffer(session, room, size)
    size = 0
    call MPI_Session_detach_buffer(session, back, size)
    call check(size == 100 .and. c_associated(back, c_loc(room)), 'MPI_Session_detach_buffer')
    call MPI_Session_finalize(session)
  end subroutine
end program
