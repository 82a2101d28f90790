! SPDX-License-Identifier: Apache-2.0
! Datatypes and packing of module mpi_f08 with large counts: by the same names, with arguments of kind MPI_COUNT_KIND,
! where that tells them apart (MPI 4.1, section 19.1.5). The definition of a type gives the elements that it takes of
! a buffer.
program fortran_large_types
  use mpi_f08
  implicit none
  integer(MPI_COUNT_KIND), parameter :: one = 1, two = 2, three = 3
  integer :: rank, i
  integer :: numbers(12) = [(i, i = 1, 12)]
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call constructors()
  call MPI_Migrate()
  call contents()
  call packing()
  call MPI_Finalize()
  if (rank == 0) print '(a)', 'fortran_large_types: all as it should be'
contains
  include 'check.inc'

  ! Checks that the type takes these elements of 1, 2, 3, ...
  subroutine takes(type, expected, what)
    type(MPI_Datatype), intent(inout) :: type
    integer, intent(in) :: expected(:)
    character(len=*), intent(in) :: what
    integer :: got(size(expected))
    integer(MPI_COUNT_KIND) :: bytes
    call MPI_Type_commit(type)
    call MPI_Type_size(type, bytes)
    call check(bytes == 4 * size(expected), what)
    call MPI_Sendrecv(numbers, one, type, 0, 0, got, int(size(expected), MPI_COUNT_KIND), MPI_INTEGER, 0, 0, &
                      MPI_COMM_SELF, MPI_STATUS_IGNORE)
    call check(all(got == expected), what)
    call MPI_Type_free(type)
  end subroutine

  subroutine constructors()
    type(MPI_Datatype) :: type
    integer(MPI_COUNT_KIND) :: lower, extent
    call MPI_Type_contiguous(three, MPI_INTEGER, type)
    call takes(type, [1, 2, 3], 'MPI_Type_contiguous')
    call MPI_Type_vector(two, two, 3_MPI_COUNT_KIND, MPI_INTEGER, type)
    call takes(type, [1, 2, 4, 5], 'MPI_Type_vector')
    call MPI_Type_create_hvector(two, two, 20_MPI_COUNT_KIND, MPI_INTEGER, type)
    call takes(type, [1, 2, 6, 7], 'MPI_Type_create_hvector')
    call MPI_Type_indexed(two, [one, two], [3_MPI_COUNT_KIND, 6_MPI_COUNT_KIND], MPI_INTEGER, type)
    call takes(type, [4, 7, 8], 'MPI_Type_indexed')
    call MPI_Type_create_hindexed(two, [one, two], [4_MPI_COUNT_KIND, 32_MPI_COUNT_KIND], MPI_INTEGER, type)
    call takes(type, [2, 9, 10], 'MPI_Type_create_hindexed')
    call MPI_Type_create_indexed_block(two, two, [3_MPI_COUNT_KIND, 8_MPI_COUNT_KIND], MPI_INTEGER, type)
    call takes(type, [4, 5, 9, 10], 'MPI_Type_create_indexed_block')
    call MPI_Type_create_hindexed_block(two, two, [0_MPI_COUNT_KIND, 12_MPI_COUNT_KIND], MPI_INTEGER, type)
    call takes(type, [1, 2, 4, 5], 'MPI_Type_create_hindexed_block')
    call MPI_Type_create_struct(two, [two, one], [0_MPI_COUNT_KIND, 40_MPI_COUNT_KIND], [MPI_INTEGER, MPI_REAL], type)
    call MPI_Type_get_true_extent_c(type, lower, extent)
    call check(lower == 0 .and. extent == 44, 'MPI_Type_create_struct')
    call MPI_Type_free(type)
    call MPI_Type_create_resized_c(MPI_INTEGER, -4_MPI_COUNT_KIND, 16_MPI_COUNT_KIND, type)
    call MPI_Type_get_extent_c(type, lower, extent)
    call check(lower == -4 .and. extent == 16, 'MPI_Type_create_resized')
    call MPI_Type_free(type)
    ! Rows 2 and 3, columns 1 and 2 of three rows and four columns.
    call MPI_Type_create_subarray(2, [three, 4_MPI_COUNT_KIND], [two, two], [one, 0_MPI_COUNT_KIND], MPI_ORDER_FORTRAN, &
                                  MPI_INTEGER, type)
    call takes(type, [2, 3, 5, 6], 'MPI_Type_create_subarray')
    call MPI_Type_create_darray(2, 1, 1, [12_MPI_COUNT_KIND], [MPI_DISTRIBUTE_CYCLIC], [2], [2], MPI_ORDER_FORTRAN, &
                                MPI_INTEGER, type)
    call takes(type, [3, 4, 7, 8, 11, 12], 'MPI_Type_create_darray')
  end subroutine

  subroutine contents()
    type(MPI_Datatype) :: type, parts(1)
    integer(MPI_COUNT_KIND) :: integers, addresses, large, types, counts(4)
    integer(MPI_ADDRESS_KIND) :: no_addresses(1)
    integer :: combiner, no_integers(1)
    call MPI_Type_vector(two, three, 5_MPI_COUNT_KIND, MPI_INTEGER, type)
    call MPI_Type_get_envelope(type, integers, addresses, large, types, combiner)
    call check(integers == 0 .and. addresses == 0 .and. large == 3 .and. types == 1, 'MPI_Type_get_envelope')
    call check(combiner == MPI_COMBINER_VECTOR, 'a combiner')
    call MPI_Type_get_contents(type, integers, addresses, large, types, no_integers, no_addresses, counts, parts)
    call check(all(counts(1:3) == [2, 3, 5]) .and. parts(1) == MPI_INTEGER, 'MPI_Type_get_contents')
    call MPI_Type_free(type)
  end subroutine

  subroutine packing()
    integer(MPI_COUNT_KIND) :: size, position
    character, allocatable :: room(:)
    integer :: got(12)
    call MPI_Pack_size(12_MPI_COUNT_KIND, MPI_INTEGER, MPI_COMM_SELF, size)
    call check(size >= 48, 'MPI_Pack_size')
    allocate (room(size))
    position = 0
    call MPI_Pack(numbers, 12_MPI_COUNT_KIND, MPI_INTEGER, room, size, position, MPI_COMM_SELF)
    call check(position >= 48 .and. position <= size, 'MPI_Pack')
    position = 0
    call MPI_Unpack(room, size, position, got, 12_MPI_COUNT_KIND, MPI_INTEGER, MPI_COMM_SELF)
    call check(all(got == numbers), 'MPI_Unpack')
    deallocate (room)
    call MPI_Pack_external_size('external32', 12_MPI_COUNT_KIND, MPI_INTEGER, size)
    call check(size == 48, 'MPI_Pack_external_size')
    allocate (room(size))
    position = 0
    call MPI_Pack_external('external32', numbers, 12_MPI_COUNT_KIND, MPI_INTEGER, room, size, position)
    ! The big end first.
    call check(position == 48 .and. ichar(room(4)) == 1 .and. ichar(room(48)) == 12, 'MPI_Pack_external')
    position = 0
    got = 0
    call MPI_Unpack_external('external32', room, size, position, got, 12_MPI_COUNT_KIND, MPI_INTEGER)
    call check(all(got == numbers), 'MPI_Unpack_external')
  end subroutine
end program
