! SPDX-License-Identifier: Apache-2.0
! Attributes that one language sets and the other gets, by the text of MPI 4.1, section 19.3.7: C gets a pointer to the
! integer that Fortran set, Fortran the address that C set. C's functions are called by their own names.
module c_forms
  use, intrinsic :: iso_c_binding
  use mpi_f08
  implicit none
  integer, save :: copies = 0
  interface
    function comm_of(number) bind(c, name='MPI_Comm_fromint') result(comm)
      import
      integer(c_int), value :: number
      type(c_ptr) :: comm
    end function
    integer(c_int) function c_create_keyval(copy, delete, keyval, extra) bind(c, name='MPI_Comm_create_keyval')
      import
      type(c_funptr), value :: copy, delete
      integer(c_int) :: keyval
      type(c_ptr), value :: extra
    end function
    integer(c_int) function c_set_attr(comm, keyval, value) bind(c, name='MPI_Comm_set_attr')
      import
      type(c_ptr), value :: comm, value
      integer(c_int), value :: keyval
    end function
    integer(c_int) function c_get_attr(comm, keyval, value, flag) bind(c, name='MPI_Comm_get_attr')
      import
      type(c_ptr), value :: comm
      integer(c_int), value :: keyval
      type(c_ptr) :: value
      integer(c_int) :: flag
    end function
    integer(c_int) function c_type_get_attr(datatype, keyval, value, flag) bind(c, name='MPI_Type_get_attr')
      import
      type(c_ptr), value :: datatype
      integer(c_int), value :: keyval
      type(c_ptr) :: value
      integer(c_int) :: flag
    end function
    function type_of(number) bind(c, name='MPI_Type_fromint') result(datatype)
      import
      integer(c_int), value :: number
      type(c_ptr) :: datatype
    end function
    integer(c_int) function c_win_get_attr(win, keyval, value, flag) bind(c, name='MPI_Win_get_attr')
      import
      type(c_ptr), value :: win
      integer(c_int), value :: keyval
      type(c_ptr) :: value
      integer(c_int) :: flag
    end function
    function win_of(number) bind(c, name='MPI_Win_fromint') result(win)
      import
      integer(c_int), value :: number
      type(c_ptr) :: win
    end function
  end interface
contains
  ! A copy function in C: the copy is a pointer two bytes further on.
  integer(c_int) function copy_pointer(comm, keyval, extra, in, out, flag) bind(c)
    type(c_ptr), value :: comm, extra
    integer(c_int), value :: keyval
    integer(c_intptr_t), value :: in
    integer(c_intptr_t) :: out
    integer(c_int) :: flag
    copies = copies + 1
    out = in + 2
    flag = merge(1, 0, c_associated(comm) .and. .not. c_associated(extra) .and. keyval /= MPI_KEYVAL_INVALID)
    copy_pointer = MPI_SUCCESS
  end function
  subroutine copy_integer(oldcomm, comm_keyval, extra_state, attribute_val_in, attribute_val_out, flag, ierror)
    type(MPI_Comm) :: oldcomm
    integer :: comm_keyval, ierror
    integer(MPI_ADDRESS_KIND) :: extra_state, attribute_val_in, attribute_val_out
    logical :: flag
    attribute_val_out = attribute_val_in + extra_state
    flag = oldcomm /= MPI_COMM_NULL .and. comm_keyval /= MPI_KEYVAL_INVALID
    ierror = MPI_SUCCESS
  end subroutine
end module

program fortran_and_c
  use c_forms
  implicit none
  integer :: rank
  integer(MPI_ADDRESS_KIND), parameter :: large = 123456789012_MPI_ADDRESS_KIND
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call from_fortran()
  call MPI_Migrate()
  call from_c()
  call other_objects()
  call MPI_Finalize()
  if (rank == 0) print '(a)', 'fortran_and_c: all as it should be'
contains
  include 'check.inc'

  integer(MPI_ADDRESS_KIND) function behind(address)
    type(c_ptr), intent(in) :: address
    integer(MPI_ADDRESS_KIND), pointer :: value
    call c_f_pointer(address, value)
    behind = value
  end function

  subroutine from_fortran()
    integer :: keyval, c_keyval, others(20), i
    integer(c_int) :: found
    integer(MPI_ADDRESS_KIND) :: value
    type(c_ptr) :: at, again
    type(MPI_Comm) :: comm, copy
    logical :: flag
    call MPI_Comm_dup(MPI_COMM_WORLD, comm)
    call MPI_Comm_create_keyval(copy_integer, MPI_COMM_NULL_DELETE_FN, keyval, 5_MPI_ADDRESS_KIND)
    call MPI_Comm_set_attr(comm, keyval, large + rank)
    call check(c_get_attr(comm_of(comm%MPI_VAL), keyval, at, found) == MPI_SUCCESS .and. found == 1, 'got in C')
    call check(behind(at) == large + rank, 'the integer behind the pointer in C')
    ! The pointer does not change while other attributes are set, and ranks move.
    do i = 1, size(others)
      call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, others(i), 0_MPI_ADDRESS_KIND)
      call MPI_Comm_set_attr(comm, others(i), int(i, MPI_ADDRESS_KIND))
    end do
    call MPI_Migrate()
    found = c_get_attr(comm_of(comm%MPI_VAL), keyval, again, found)
    call check(c_associated(at, again) .and. behind(at) == large + rank, 'the same pointer later')
    call MPI_Comm_dup(comm, copy)
    call MPI_Comm_get_attr(copy, keyval, value, flag)
    call check(flag .and. value == large + rank + 5, 'copied by a function of Fortran')
    found = c_get_attr(comm_of(copy%MPI_VAL), keyval, at, found)
    call check(behind(at) == value, 'the copy in C')
    call MPI_Comm_free(copy)
    ! The attribute is set anew: the old integer's room holds the new one or is free.
    call MPI_Comm_set_attr(comm, keyval, -3_MPI_ADDRESS_KIND)
    found = c_get_attr(comm_of(comm%MPI_VAL), keyval, at, found)
    call check(behind(at) == -3, 'set anew')
    ! With a key of C the copy function gets the pointer, and C owns its result.
    found = c_create_keyval(c_funloc(copy_pointer), c_null_funptr, c_keyval, c_null_ptr)
    call MPI_Comm_set_attr(comm, c_keyval, 77_MPI_ADDRESS_KIND)
    found = c_get_attr(comm_of(comm%MPI_VAL), c_keyval, at, found)
    call MPI_Comm_dup(comm, copy)
    call MPI_Comm_get_attr(copy, c_keyval, value, flag)
    call check(flag .and. copies == 1 .and. value == transfer(at, value) + 2, 'copied by a function of C')
    call MPI_Comm_free(copy)
    call MPI_Comm_free(comm)
  end subroutine

  subroutine from_c()
    integer :: keyval, found
    integer(MPI_ADDRESS_KIND) :: value
    type(MPI_Comm) :: copy
    type(c_ptr) :: at
    integer, target :: thing
    integer, pointer :: limit
    logical :: flag
    found = c_create_keyval(c_funloc(copy_pointer), c_null_funptr, keyval, c_null_ptr)
    found = c_set_attr(comm_of(MPI_COMM_SELF%MPI_VAL), keyval, c_loc(thing))
    call MPI_Comm_get_attr(MPI_COMM_SELF, keyval, value, flag)
    call check(flag .and. value == transfer(c_loc(thing), value), 'the address in Fortran')
    call MPI_Comm_dup(MPI_COMM_SELF, copy)
    found = c_get_attr(comm_of(copy%MPI_VAL), keyval, at, found)
    call check(transfer(at, value) == value + 2, 'a pointer copied in C')
    call MPI_Comm_free(copy)
    call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, value, flag)
    found = c_get_attr(comm_of(MPI_COMM_WORLD%MPI_VAL), MPI_TAG_UB, at, found)
    call c_f_pointer(at, limit)
    call check(flag .and. value >= 32767 .and. value == limit, 'MPI_TAG_UB')
  end subroutine

  subroutine other_objects()
    integer :: keyval, found
    integer(MPI_ADDRESS_KIND) :: value
    type(c_ptr) :: at
    type(MPI_Win) :: win
    integer, target :: memory(3)
    logical :: flag
    call MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, keyval, 0_MPI_ADDRESS_KIND)
    call MPI_Type_set_attr(MPI_INTEGER, keyval, large)
    call check(c_type_get_attr(type_of(MPI_INTEGER%MPI_VAL), keyval, at, found) == MPI_SUCCESS, 'MPI_Type_get_attr')
    call check(behind(at) == large, 'of a datatype')
    call MPI_Win_create(memory, 12_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win)
    call MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, keyval, 0_MPI_ADDRESS_KIND)
    call MPI_Win_set_attr(win, keyval, large)
    call check(c_win_get_attr(win_of(win%MPI_VAL), keyval, at, found) == MPI_SUCCESS, 'MPI_Win_get_attr')
    call check(behind(at) == large, 'of a window')
    call MPI_Win_get_attr(win, MPI_WIN_BASE, value, flag)
    call check(flag .and. value == transfer(c_loc(memory), value), 'MPI_WIN_BASE')
    call MPI_Win_get_attr(win, MPI_WIN_SIZE, value, flag)
    call check(flag .and. value == 12, 'MPI_WIN_SIZE')
    call MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, value, flag)
    call check(flag .and. value == 4, 'MPI_WIN_DISP_UNIT')
    call MPI_Win_free(win)
  end subroutine
end program
