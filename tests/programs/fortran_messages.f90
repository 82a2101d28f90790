! SPDX-License-Identifier: Apache-2.0
! Sends and receives of all kinds, their requests, probes and buffers as Fortran calls them, around a ring of ranks that
! move. Rank r sends 1000 * r plus a number of the call.
program fortran_messages
  use mpi
  implicit none
  integer, parameter :: room_bytes = 20 * (8 + MPI_BSEND_OVERHEAD)
  integer :: rank, ranks, right, left, ierr, out, in, request, requests(2), status(MPI_STATUS_SIZE), call_number = 0
  integer :: statuses(MPI_STATUS_SIZE, 2), index, count, indices(2), message, pair(2), size
  character, save :: room(room_bytes), detached(room_bytes)
  logical :: flag
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  right = mod(rank + 1, ranks)
  left = mod(rank + ranks - 1, ranks)
  call MPI_Buffer_attach(room, room_bytes, ierr)
  call sends()
  call persistent()
  call exchanges()
  call probes()
  call completions()
  call states()
  call MPI_Buffer_flush(ierr)
  call MPI_Buffer_iflush(request, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call MPI_Buffer_detach(detached, size, ierr)
  call check(size == room_bytes, 'buffer_detach')
  call MPI_Finalize(ierr)
  if (rank == 0) print '(a)', 'fortran_messages: all as it should be'
contains
  subroutine check(good, what)
    logical, intent(in) :: good
    character(*), intent(in) :: what
    integer :: ierror
    if (good) return
    write (0, *) 'rank', rank, ', call', call_number, ': not so: ', what
    call MPI_Abort(MPI_COMM_WORLD, 3, ierror)
  end subroutine

  ! Posts the receive of the next call, so that a ready send is allowed.
  subroutine expect()
    call_number = call_number + 1
    out = 1000 * rank + call_number
    in = -1
    call MPI_Irecv(in, 1, MPI_INTEGER, left, call_number, MPI_COMM_WORLD, requests(1), ierr)
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
  end subroutine
  subroutine received(what)
    character(*), intent(in) :: what
    call MPI_Migrate(ierr)
    call MPI_Wait(requests(1), status, ierr)
    call check(in == 1000 * left + call_number .and. status(MPI_SOURCE) == left &
        .and. status(MPI_TAG) == call_number, what)
  end subroutine

  subroutine sends()
    call expect(); call MPI_Send(out, 1, MPI_INTEGER, right, call_number, MPI_COMM_WORLD, ierr); call received('send')
    call expect(); call MPI_Ssend(out, 1, MPI_INTEGER, right, call_number, MPI_COMM_WORLD, ierr); call received('ssend')
    call expect(); call MPI_Rsend(out, 1, MPI_INTEGER, right, call_number, MPI_COMM_WORLD, ierr); call received('rsend')
    call expect(); call MPI_Bsend(out, 1, MPI_INTEGER, right, call_number, MPI_COMM_WORLD, ierr); call received('bsend')
    call expect(); call MPI_Isend(out, 1, MPI_INTEGER, right, call_number, MPI_COMM_WORLD, request, ierr)
    call received('isend'); call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call expect(); call MPI_Issend(out, 1, MPI_INTEGER, right, call_number, MPI_COMM_WORLD, request, ierr)
    call received('issend'); call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call expect(); call MPI_Irsend(out, 1, MPI_INTEGER, right, call_number, MPI_COMM_WORLD, request, ierr)
    call received('irsend'); call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call expect(); call MPI_Ibsend(out, 1, MPI_INTEGER, right, call_number, MPI_COMM_WORLD, request, ierr)
    call received('ibsend'); call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  end subroutine

  subroutine start_twice(what)
    character(*), intent(in) :: what
    integer :: k
    do k = 1, 2
      call MPI_Start(request, ierr)
      call received(what)
      call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
      if (k == 2) exit
      in = -1
      call MPI_Irecv(in, 1, MPI_INTEGER, left, call_number, MPI_COMM_WORLD, requests(1), ierr)
      call MPI_Barrier(MPI_COMM_WORLD, ierr)
    end do
    call MPI_Request_free(request, ierr)
  end subroutine

  subroutine persistent()
    call expect(); call MPI_Send_init(out, 1, MPI_INTEGER, right, call_number, MPI_COMM_WORLD, request, ierr)
    call start_twice('send_init')
    call expect(); call MPI_Ssend_init(out, 1, MPI_INTEGER, right, call_number, MPI_COMM_WORLD, request, ierr)
    call start_twice('ssend_init')
    call expect(); call MPI_Rsend_init(out, 1, MPI_INTEGER, right, call_number, MPI_COMM_WORLD, request, ierr)
    call start_twice('rsend_init')
    call expect(); call MPI_Bsend_init(out, 1, MPI_INTEGER, right, call_number, MPI_COMM_WORLD, request, ierr)
    call start_twice('bsend_init')
    call_number = call_number + 1
    out = 1000 * rank + call_number
    in = -1
    call MPI_Recv_init(in, 1, MPI_INTEGER, left, call_number, MPI_COMM_WORLD, requests(1), ierr)
    call MPI_Send_init(out, 1, MPI_INTEGER, right, call_number, MPI_COMM_WORLD, requests(2), ierr)
    call MPI_Startall(2, requests, ierr)
    call MPI_Migrate(ierr)
    call MPI_Waitall(2, requests, statuses, ierr)
    call check(in == 1000 * left + call_number .and. statuses(MPI_SOURCE, 1) == left, 'recv_init and startall')
    call MPI_Request_free(requests(1), ierr)
    call MPI_Request_free(requests(2), ierr)
  end subroutine

  subroutine exchanges()
    integer :: both
    call_number = call_number + 1
    out = 1000 * rank + call_number
    in = -1
    call MPI_Sendrecv(out, 1, MPI_INTEGER, right, 1, in, 1, MPI_INTEGER, left, 1, MPI_COMM_WORLD, status, ierr)
    call check(in == 1000 * left + call_number, 'sendrecv')
    both = out
    call MPI_Sendrecv_replace(both, 1, MPI_INTEGER, right, 1, left, 1, MPI_COMM_WORLD, status, ierr)
    call check(both == 1000 * left + call_number, 'sendrecv_replace')
    in = -1
    call MPI_Isendrecv(out, 1, MPI_INTEGER, right, 1, in, 1, MPI_INTEGER, left, 1, MPI_COMM_WORLD, request, ierr)
    call MPI_Wait(request, status, ierr)
    call check(in == 1000 * left + call_number, 'isendrecv')
    both = out
    call MPI_Isendrecv_replace(both, 1, MPI_INTEGER, right, 1, left, 1, MPI_COMM_WORLD, request, ierr)
    call MPI_Wait(request, status, ierr)
    call check(both == 1000 * left + call_number, 'isendrecv_replace')
  end subroutine

  subroutine probes()
    integer :: k
    do k = 1, 4
      call_number = call_number + 1
      out = 1000 * rank + call_number
      in = -1
      call MPI_Isend(out, 1, MPI_INTEGER, right, call_number, MPI_COMM_WORLD, request, ierr)
      select case (k)
      case (1)
        call MPI_Probe(left, MPI_ANY_TAG, MPI_COMM_WORLD, status, ierr)
        call MPI_Recv(in, 1, MPI_INTEGER, left, status(MPI_TAG), MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
      case (2)
        flag = .false.
        do while (.not. flag)
          call MPI_Iprobe(left, call_number, MPI_COMM_WORLD, flag, status, ierr)
        end do
        call MPI_Recv(in, 1, MPI_INTEGER, left, call_number, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
      case (3)
        call MPI_Mprobe(left, call_number, MPI_COMM_WORLD, message, status, ierr)
        call MPI_Mrecv(in, 1, MPI_INTEGER, message, status, ierr)
        call check(message == MPI_MESSAGE_NULL, 'mrecv takes the message')
      case (4)
        flag = .false.
        do while (.not. flag)
          call MPI_Improbe(MPI_ANY_SOURCE, call_number, MPI_COMM_WORLD, flag, message, status, ierr)
        end do
        call MPI_Imrecv(in, 1, MPI_INTEGER, message, requests(1), ierr)
        call MPI_Wait(requests(1), status, ierr)
      end select
      call check(in == 1000 * left + call_number .and. status(MPI_SOURCE) == left, 'probes')
      call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    end do
  end subroutine

  ! Starts two receives from the rank itself, of which the second completes first. Indices count from 1.
  subroutine begin_pair()
    pair = -1
    call MPI_Irecv(pair(1), 1, MPI_INTEGER, rank, 901, MPI_COMM_WORLD, requests(1), ierr)
    call MPI_Irecv(pair(2), 1, MPI_INTEGER, rank, 902, MPI_COMM_WORLD, requests(2), ierr)
  end subroutine
  subroutine send_to_self(tag)
    integer, intent(in) :: tag
    call MPI_Send(tag, 1, MPI_INTEGER, rank, tag, MPI_COMM_WORLD, ierr)
  end subroutine

  subroutine completions()
    call begin_pair()
    call MPI_Testany(2, requests, index, flag, status, ierr)
    call check(.not. flag .and. index == MPI_UNDEFINED, 'testany of none')
    call MPI_Testsome(2, requests, count, indices, statuses, ierr)
    call check(count == 0, 'testsome of none')
    call send_to_self(902)
    call MPI_Waitany(2, requests, index, status, ierr)
    call check(index == 2 .and. pair(2) == 902 .and. requests(2) == MPI_REQUEST_NULL, 'waitany')
    call MPI_Test(requests(1), flag, status, ierr)
    call check(.not. flag, 'test of none')
    call MPI_Testall(2, requests, flag, statuses, ierr)
    call check(.not. flag, 'testall of one')
    call send_to_self(901)
    call MPI_Waitsome(2, requests, count, indices, statuses, ierr)
    call check(count == 1 .and. indices(1) == 1 .and. statuses(MPI_TAG, 1) == 901, 'waitsome')
    call begin_pair()
    call send_to_self(902)
    call MPI_Testsome(2, requests, count, indices, statuses, ierr)
    call check(count == 1 .and. indices(1) == 2, 'testsome')
    call send_to_self(901)
    call MPI_Testany(2, requests, index, flag, status, ierr)
    call check(flag .and. index == 1, 'testany')
    call MPI_Testall(2, requests, flag, MPI_STATUSES_IGNORE, ierr)
    call check(flag, 'testall of none that is active')
  end subroutine

  subroutine states()
    integer :: buffer
    call begin_pair()
    call send_to_self(902)
    call MPI_Request_get_status(requests(2), flag, status, ierr)
    call check(flag .and. status(MPI_TAG) == 902, 'request_get_status')
    call MPI_Request_get_status_all(2, requests, flag, statuses, ierr)
    call check(.not. flag, 'request_get_status_all')
    call MPI_Request_get_status_any(2, requests, index, flag, status, ierr)
    call check(flag .and. index == 2, 'request_get_status_any')
    call MPI_Request_get_status_some(2, requests, count, indices, statuses, ierr)
    call check(count == 1 .and. indices(1) == 2, 'request_get_status_some')
    call MPI_Cancel(requests(1), ierr)
    call MPI_Waitall(2, requests, statuses, ierr)
    call MPI_Test_cancelled(statuses(:, 1), flag, ierr)
    call check(flag, 'cancel')
    call MPI_Get_count(statuses(:, 2), MPI_INTEGER, count, ierr)
    call check(count == 1, 'get_count')
    call MPI_Recv(buffer, 1, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, status, ierr)
    call check(status(MPI_SOURCE) == MPI_PROC_NULL, 'a receive from nobody')
  end subroutine
end program
