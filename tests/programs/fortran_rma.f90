! SPDX-License-Identifier: Apache-2.0
! One-sided communication as Fortran calls it, while ranks move: every function once, against formulas.
module window_functions
  use mpi
  implicit none
  integer, save :: handled = 0, dropped = 0
contains
  subroutine handle(win, code)
    integer :: win, code
    if (win /= MPI_WIN_NULL) handled = code
  end subroutine
  subroutine drop(win, keyval, attribute, extra, ierror)
    integer :: win, keyval, ierror
    integer(MPI_ADDRESS_KIND) :: attribute, extra
    if (win /= MPI_WIN_NULL .and. keyval /= MPI_KEYVAL_INVALID .and. attribute == 55 .and. extra == 7) dropped = dropped + 1
    ierror = MPI_SUCCESS
  end subroutine
end module

program fortran_rma
  use mpi
  use window_functions
  implicit none
  integer, parameter :: cells = 100
  integer(MPI_ADDRESS_KIND), parameter :: bytes = 4 * cells
  integer :: memory(0:cells - 1), values(0:cells - 1)
  integer :: rank, ranks, right, left, win, ierr, i
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  right = mod(rank + 1, ranks)
  left = mod(rank + ranks - 1, ranks)
  call MPI_Win_create(memory, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
  call objects()
  call fences()
  call groups()
  call locks()
  call MPI_Win_free(win, ierr)
  call check(win == MPI_WIN_NULL .and. dropped == 2, 'win_free')
  call other_kinds()
  call MPI_Finalize(ierr)
  if (rank == 0) print '(a)', 'fortran_rma: all as it should be'
contains
  include 'check.inc'

  subroutine objects()
    character(MPI_MAX_OBJECT_NAME) :: name
    character(20) :: text
    integer :: keyval, length, info, handler, group, number
    integer(MPI_ADDRESS_KIND) :: value
    logical :: flag
    call MPI_Win_get_attr(win, MPI_WIN_SIZE, value, flag, ierr)
    call check(flag .and. value == bytes, 'MPI_WIN_SIZE')
    call MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, value, flag, ierr)
    call check(flag .and. value == 4, 'MPI_WIN_DISP_UNIT')
    call MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, drop, keyval, 7_MPI_ADDRESS_KIND, ierr)
    call MPI_Win_set_attr(win, keyval, 55_MPI_ADDRESS_KIND, ierr)
    call MPI_Migrate(ierr)
    call MPI_Win_get_attr(win, keyval, value, flag, ierr)
    call check(flag .and. value == 55, 'win_get_attr')
    call MPI_Win_delete_attr(win, keyval, ierr)
    call check(dropped == 1, 'win_delete_attr')
    call MPI_Win_set_attr(win, keyval, 55_MPI_ADDRESS_KIND, ierr)
    call MPI_Win_free_keyval(keyval, ierr)
    call MPI_Win_set_name(win, 'halo', ierr)
    call MPI_Win_get_name(win, name, length, ierr)
    call check(length == 4 .and. name == 'halo', 'win_get_name')
    call MPI_Info_create(info, ierr)
    call MPI_Info_set(info, 'no_locks', 'true', ierr)
    call MPI_Win_set_info(win, info, ierr)
    call MPI_Info_free(info, ierr)
    call MPI_Win_get_info(win, info, ierr)
    call MPI_Info_get(info, 'no_locks', 20, text, flag, ierr)
    call check(flag .and. text == 'true', 'win_get_info')
    call MPI_Info_free(info, ierr)
    call MPI_Win_get_group(win, group, ierr)
    call MPI_Group_size(group, number, ierr)
    call check(number == ranks, 'win_get_group')
    call MPI_Group_free(group, ierr)
    call MPI_Win_create_errhandler(handle, handler, ierr)
    call MPI_Win_set_errhandler(win, handler, ierr)
    call MPI_Errhandler_free(handler, ierr)
    call MPI_Win_call_errhandler(win, MPI_ERR_OTHER, ierr)
    call check(handled == MPI_ERR_OTHER, 'win_call_errhandler')
    call MPI_Win_get_errhandler(win, handler, ierr)
    call check(handler /= MPI_ERRORS_ARE_FATAL, 'win_get_errhandler')
    call MPI_Errhandler_free(handler, ierr)
  end subroutine

  subroutine fences()
    integer :: got(cells), before(1), sum(1)
    do i = 0, cells - 1
      memory(i) = 1000 * rank + i
      values(i) = -memory(i)
    end do
    call MPI_Win_fence(MPI_MODE_NOPRECEDE, win, ierr)
    call MPI_Get(got, cells, MPI_INTEGER, right, 0_MPI_ADDRESS_KIND, cells, MPI_INTEGER, win, ierr)
    call MPI_Win_fence(0, win, ierr)
    call check(all(got == [(1000 * right + i, i = 0, cells - 1)]), 'get')
    call MPI_Migrate(ierr)
    call MPI_Put(values, cells, MPI_INTEGER, right, 0_MPI_ADDRESS_KIND, cells, MPI_INTEGER, win, ierr)
    call MPI_Win_fence(0, win, ierr)
    call check(all(memory == [(-1000 * left - i, i = 0, cells - 1)]), 'put')
    call MPI_Win_fence(0, win, ierr)
    call MPI_Accumulate([1], 1, MPI_INTEGER, right, 3_MPI_ADDRESS_KIND, 1, MPI_INTEGER, MPI_SUM, win, ierr)
    call MPI_Win_fence(0, win, ierr)
    call check(memory(3) == -1000 * left - 2, 'accumulate')
    call MPI_Win_fence(0, win, ierr)
    sum = 5
    call MPI_Get_accumulate(sum, 1, MPI_INTEGER, before, 1, MPI_INTEGER, right, 4_MPI_ADDRESS_KIND, 1, MPI_INTEGER, &
                            MPI_SUM, win, ierr)
    call MPI_Win_fence(MPI_MODE_NOSUCCEED, win, ierr)
    call check(memory(4) == -1000 * left + 1 .and. before(1) == -1000 * rank - 4, 'get_accumulate')
  end subroutine

  subroutine groups()
    integer :: all_ranks, to, from
    logical :: over
    call MPI_Win_get_group(win, all_ranks, ierr)
    call MPI_Group_incl(all_ranks, 1, [right], to, ierr)
    call MPI_Group_incl(all_ranks, 1, [left], from, ierr)
    do i = 1, 2
      call MPI_Win_post(from, 0, win, ierr)
      call MPI_Win_start(to, 0, win, ierr)
      call MPI_Put([100 * rank + i], 1, MPI_INTEGER, right, 5_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)
      call MPI_Win_complete(win, ierr)
      if (i == 1) then
        call MPI_Win_wait(win, ierr)
      else
        over = .false.
        do while (.not. over)
          call MPI_Win_test(win, over, ierr)
        end do
      end if
      call check(memory(5) == 100 * left + i, 'win_post')
      call MPI_Migrate(ierr)
    end do
    call MPI_Group_free(to, ierr)
    call MPI_Group_free(from, ierr)
    call MPI_Group_free(all_ranks, ierr)
  end subroutine

  subroutine locks()
    integer :: got(1), ticket, requests(4), four(4)
    memory = rank
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    call MPI_Win_lock(MPI_LOCK_EXCLUSIVE, right, 0, win, ierr)
    call MPI_Fetch_and_op(3, ticket, MPI_INTEGER, right, 0_MPI_ADDRESS_KIND, MPI_SUM, win, ierr)
    call MPI_Win_flush(right, win, ierr)
    call check(ticket == right, 'fetch_and_op')
    call MPI_Compare_and_swap(77, right, ticket, MPI_INTEGER, right, 1_MPI_ADDRESS_KIND, win, ierr)
    call MPI_Win_flush_local(right, win, ierr)
    call check(ticket == right, 'compare_and_swap')
    call MPI_Win_unlock(right, win, ierr)
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    call MPI_Win_lock_all(0, win, ierr)
    call MPI_Win_sync(win, ierr)
    call check(memory(0) == rank + 3 .and. memory(1) == 77, 'win_lock')
    four = 9
    call MPI_Rput(four, 1, MPI_INTEGER, right, 10_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, requests(1), ierr)
    call MPI_Rget(got, 1, MPI_INTEGER, right, 11_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, requests(2), ierr)
    call MPI_Raccumulate(four, 1, MPI_INTEGER, right, 12_MPI_ADDRESS_KIND, 1, MPI_INTEGER, MPI_SUM, win, requests(3), ierr)
    call MPI_Rget_accumulate(four, 1, MPI_INTEGER, ticket, 1, MPI_INTEGER, right, 13_MPI_ADDRESS_KIND, 1, MPI_INTEGER, &
                             MPI_REPLACE, win, requests(4), ierr)
    call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE, ierr)
    call check(got(1) == right .and. ticket == right, 'rget')
    call MPI_Migrate(ierr)
    call MPI_Win_flush_all(win, ierr)
    call MPI_Win_flush_local_all(win, ierr)
    call MPI_Win_unlock_all(win, ierr)
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    call check(memory(10) == 9 .and. memory(12) == rank + 9 .and. memory(13) == 9, 'rput')
  end subroutine

  subroutine other_kinds()
    integer(MPI_ADDRESS_KIND) :: base, size, address
    integer :: unit
    call MPI_Win_allocate(bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, base, win, ierr)
    call check(base /= 0, 'win_allocate')
    call MPI_Win_free(win, ierr)
    call MPI_Win_allocate_shared(bytes, 4, MPI_INFO_NULL, MPI_COMM_SELF, base, win, ierr)
    call MPI_Win_shared_query(win, 0, size, unit, address, ierr)
    call check(size == bytes .and. unit == 4 .and. address == base, 'win_shared_query')
    call MPI_Win_free(win, ierr)
    call MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
    call MPI_Win_attach(win, memory, bytes, ierr)
    call MPI_Get_address(memory, address, ierr)
    call MPI_Win_fence(0, win, ierr)
    call MPI_Put([rank + 4], 1, MPI_INTEGER, rank, address, 1, MPI_INTEGER, win, ierr)
    call MPI_Win_fence(0, win, ierr)
    call check(memory(0) == rank + 4, 'win_attach')
    call MPI_Win_detach(win, memory, ierr)
    call MPI_Win_free(win, ierr)
  end subroutine
end program
