! SPDX-License-Identifier: Apache-2.0
! Datatypes as Fortran makes, asks, sends and packs them. MPI 4.1, chapter 5, defines the elements that a type picks
! out of an array of numbers; every type is sent to the rank itself, which may have moved.
module type_attributes
  use mpi
  implicit none
  integer, save :: dropped = 0
contains
  subroutine drop(datatype, keyval, attribute, extra, ierror)
    integer :: datatype, keyval, ierror
    integer(MPI_ADDRESS_KIND) :: attribute, extra
    if (datatype /= MPI_DATATYPE_NULL .and. keyval /= MPI_KEYVAL_INVALID .and. attribute == 9 .and. extra == 4) &
      dropped = dropped + 1
    ierror = MPI_SUCCESS
  end subroutine
end module

program fortran_types
  use mpi
  use type_attributes
  implicit none
  integer, parameter :: n = 24, a = MPI_ADDRESS_KIND
  integer :: rank, ierr, type, other, i, number, numbers(n), got(n), size
  integer(MPI_ADDRESS_KIND) :: lower, extent
  integer(MPI_COUNT_KIND) :: long_lower, long_extent
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  numbers = [(i, i = 1, n)]
  call constructors()
  call arrays()
  call inquiry()
  call old_names()
  call attributes()
  call packing()
  call MPI_Finalize(ierr)
  if (rank == 0) print '(a)', 'fortran_types: all as it should be'
contains
  include 'check.inc'

  ! Checks that the type picks these of the numbers 1, 2, ...; frees the type.
  subroutine picks(expected, what)
    integer, intent(in) :: expected(:)
    character(*), intent(in) :: what
    integer :: request
    call MPI_Type_commit(type, ierr)
    got = 0
    call MPI_Irecv(got, n, MPI_INTEGER, rank, 1, MPI_COMM_WORLD, request, ierr)
    call MPI_Migrate(ierr)
    call MPI_Send(numbers, 1, type, rank, 1, MPI_COMM_WORLD, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call check(all(got(:ubound(expected, 1)) == expected) .and. all(got(ubound(expected, 1) + 1:) == 0), what)
    call MPI_Type_free(type, ierr)
    call check(type == MPI_DATATYPE_NULL, 'type_free')
  end subroutine

  subroutine constructors()
    call MPI_Type_contiguous(3, MPI_INTEGER, type, ierr)
    call picks([1, 2, 3], 'type_contiguous')
    call MPI_Type_vector(3, 2, 4, MPI_INTEGER, type, ierr)
    call picks([1, 2, 5, 6, 9, 10], 'type_vector')
    call MPI_Type_create_hvector(2, 1, 20_a, MPI_INTEGER, type, ierr)
    call picks([1, 6], 'type_create_hvector')
    call MPI_Type_indexed(2, [1, 2], [6, 1], MPI_INTEGER, type, ierr)
    call picks([7, 2, 3], 'type_indexed')
    call MPI_Type_create_hindexed(2, [1, 2], [24_a, 4_a], MPI_INTEGER, type, ierr)
    call picks([7, 2, 3], 'type_create_hindexed')
    call MPI_Type_create_indexed_block(2, 2, [8, 0], MPI_INTEGER, type, ierr)
    call picks([9, 10, 1, 2], 'type_create_indexed_block')
    call MPI_Type_create_hindexed_block(2, 2, [32_a, 0_a], MPI_INTEGER, type, ierr)
    call picks([9, 10, 1, 2], 'type_create_hindexed_block')
    call MPI_Type_create_struct(2, [1, 2], [4_a, 12_a], [MPI_INTEGER, MPI_INTEGER4], type, ierr)
    call picks([2, 4, 5], 'type_create_struct')
    call MPI_Type_create_resized(MPI_INTEGER, 0_a, 12_a, other, ierr)
    call MPI_Type_contiguous(3, other, type, ierr)
    call MPI_Type_free(other, ierr)
    call picks([1, 4, 7], 'type_create_resized')
    call MPI_Type_vector(2, 1, 5, MPI_INTEGER, other, ierr)
    call MPI_Type_dup(other, type, ierr)
    call MPI_Type_free(other, ierr)
    call picks([1, 6], 'type_dup')
  end subroutine

  subroutine arrays()
    ! Columns come first: the part (2:3, 3:4) of 4 by 6 numbers.
    call MPI_Type_create_subarray(2, [4, 6], [2, 2], [1, 2], MPI_ORDER_FORTRAN, MPI_INTEGER, type, ierr)
    call picks([10, 11, 14, 15], 'type_create_subarray')
    ! Two processes have 12 numbers in turn, two at a time; these are the second's.
    call MPI_Type_create_darray(2, 1, 1, [12], [MPI_DISTRIBUTE_CYCLIC], [2], [2], MPI_ORDER_FORTRAN, MPI_INTEGER, &
                                type, ierr)
    call picks([3, 4, 7, 8, 11, 12], 'type_create_darray')
  end subroutine

  subroutine inquiry()
    integer :: integers, addresses, types, combiner, list(3), made(1)
    integer(MPI_ADDRESS_KIND) :: places(1)
    character(len=MPI_MAX_OBJECT_NAME) :: name
    call MPI_Type_create_hvector(2, 1, 20_a, MPI_INTEGER, type, ierr)
    call MPI_Type_size(type, size, ierr)
    call MPI_Type_get_extent(type, lower, extent, ierr)
    call check(size == 8 .and. lower == 0 .and. extent == 24, 'type_get_extent')
    call MPI_Type_size_x(type, long_extent, ierr)
    call check(long_extent == 8, 'type_size_x')
    call MPI_Type_get_extent_x(type, long_lower, long_extent, ierr)
    call check(long_lower == 0 .and. long_extent == 24, 'type_get_extent_x')
    call MPI_Type_create_resized(type, -8_a, 64_a, other, ierr)
    call MPI_Type_get_true_extent(other, lower, extent, ierr)
    call MPI_Type_get_true_extent_x(other, long_lower, long_extent, ierr)
    call check(lower == 0 .and. extent == 24 .and. long_lower == 0 .and. long_extent == 24, 'type_get_true_extent')
    call MPI_Type_free(other, ierr)
    call MPI_Type_get_envelope(type, integers, addresses, types, combiner, ierr)
    call check(all([integers, addresses, types, combiner] == [2, 1, 1, MPI_COMBINER_HVECTOR]), 'type_get_envelope')
    call MPI_Type_get_contents(type, integers, addresses, types, list, places, made, ierr)
    call check(all(list(:2) == [2, 1]) .and. places(1) == 20 .and. made(1) == MPI_INTEGER, 'type_get_contents')
    call MPI_Type_set_name(type, 'two of six', ierr)
    call MPI_Type_get_name(type, name, number, ierr)
    call check(name == 'two of six' .and. number == 10, 'type_get_name')
    call MPI_Type_free(type, ierr)
    call MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, type, ierr)
    call MPI_Type_size(type, size, ierr)
    call check(size == 8, 'type_match_size')
    call MPI_Type_create_f90_real(12, MPI_UNDEFINED, type, ierr)
    call MPI_Type_size(type, size, ierr)
    call check(size == storage_size(1.0_8) / 8, 'type_create_f90_real')
    call MPI_Type_create_f90_complex(12, MPI_UNDEFINED, type, ierr)
    call MPI_Type_size(type, size, ierr)
    call check(size == 2 * storage_size(1.0_8) / 8, 'type_create_f90_complex')
    call MPI_Type_create_f90_integer(9, type, ierr)
    call MPI_Type_size(type, size, ierr)
    call check(size == 4, 'type_create_f90_integer')
    call MPI_Type_get_value_index(MPI_DOUBLE, MPI_INT, type, ierr)
    call check(type == MPI_DOUBLE_INT, 'type_get_value_index')
  end subroutine

  ! Functions of MPI-1, with displacements in default INTEGERs.
  subroutine old_names()
    call MPI_Type_hvector(2, 1, 20, MPI_INTEGER, type, ierr)
    call MPI_Type_extent(type, number, ierr)
    call check(number == 24, 'type_extent')
    call picks([1, 6], 'type_hvector')
    call MPI_Type_hindexed(2, [1, 2], [24, 4], MPI_INTEGER, type, ierr)
    call MPI_Type_lb(type, number, ierr)
    call MPI_Type_ub(type, i, ierr)
    call check(number == 4 .and. i == 28, 'type_lb and type_ub')
    call picks([7, 2, 3], 'type_hindexed')
    call MPI_Type_struct(2, [1, 2], [4, 12], [MPI_INTEGER, MPI_INTEGER4], type, ierr)
    call picks([2, 4, 5], 'type_struct')
  end subroutine

  subroutine attributes()
    integer :: keyval
    integer(MPI_ADDRESS_KIND) :: value
    logical :: flag
    call MPI_Type_create_keyval(MPI_TYPE_DUP_FN, drop, keyval, 4_a, ierr)
    call MPI_Type_contiguous(2, MPI_REAL, type, ierr)
    call MPI_Type_set_attr(type, keyval, 9_a, ierr)
    call MPI_Type_dup(type, other, ierr)
    call MPI_Type_get_attr(other, keyval, value, flag, ierr)
    call check(flag .and. value == 9, 'type_get_attr')
    call MPI_Type_delete_attr(type, keyval, ierr)
    call check(dropped == 1, 'type_delete_attr')
    call MPI_Type_free_keyval(keyval, ierr)
    call MPI_Type_free(other, ierr)
    call check(dropped == 2, 'the attribute goes with its type')
    call MPI_Type_free(type, ierr)
  end subroutine

  subroutine packing()
    integer :: position, needed
    integer(MPI_ADDRESS_KIND) :: long_position, long_needed
    character :: buffer(200)
    double precision :: x
    call MPI_Pack_size(3, MPI_INTEGER, MPI_COMM_WORLD, needed, ierr)
    call check(needed >= 12, 'pack_size')
    position = 0
    call MPI_Pack(numbers, 3, MPI_INTEGER, buffer, 200, position, MPI_COMM_WORLD, ierr)
    call MPI_Pack(2.5d0, 1, MPI_DOUBLE_PRECISION, buffer, 200, position, MPI_COMM_WORLD, ierr)
    position = 0
    got = 0
    call MPI_Unpack(buffer, 200, position, got, 3, MPI_INTEGER, MPI_COMM_WORLD, ierr)
    call MPI_Unpack(buffer, 200, position, x, 1, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, ierr)
    call check(all(got(:4) == [1, 2, 3, 0]) .and. x == 2.5d0, 'unpack')
    ! The most significant byte first.
    call MPI_Pack_external_size('external32', 2, MPI_INTEGER, long_needed, ierr)
    long_position = 0
    call MPI_Pack_external('external32', numbers, 2, MPI_INTEGER, buffer, 200_a, long_position, ierr)
    call check(long_needed == 8 .and. long_position == 8 .and. all(ichar(buffer(:8)) == [0, 0, 0, 1, 0, 0, 0, 2]), &
               'pack_external')
    long_position = 0
    got = 0
    call MPI_Unpack_external('external32', buffer, 200_a, long_position, got, 2, MPI_INTEGER, ierr)
    call check(all(got(:3) == [1, 2, 0]), 'unpack_external')
  end subroutine
end program
