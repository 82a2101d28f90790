! SPDX-License-Identifier: Apache-2.0
! Windows and files of module mpi_f08 with large counts: by the same names, counts of kind MPI_COUNT_KIND (MPI 4.1,
! section 19.1.5). Each rank writes numbers that name the rank and the place.
module negative
  use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
  use mpi_f08
  implicit none
  integer, save :: conversions = 0
contains
  ! In the file every integer is its negative, behind `position` elements of the user's.
  subroutine negate(userbuf, datatype, count, filebuf, position, extra_state, ierror)
    type(c_ptr), value :: userbuf, filebuf
    type(MPI_Datatype) :: datatype
    integer(MPI_COUNT_KIND) :: count
    integer(MPI_OFFSET_KIND) :: position
    integer(MPI_ADDRESS_KIND) :: extra_state
    integer :: ierror
    integer, pointer :: user(:), file(:)
    call c_f_pointer(userbuf, user, [position + count])
    call c_f_pointer(filebuf, file, [count])
    if (datatype /= MPI_INTEGER .or. extra_state /= 41) error stop 'a conversion'
    file = -user(position + 1:)
    conversions = conversions + 1
    ierror = MPI_SUCCESS
  end subroutine
  subroutine negate_back(userbuf, datatype, count, filebuf, position, extra_state, ierror)
    type(c_ptr), value :: userbuf, filebuf
    type(MPI_Datatype) :: datatype
    integer(MPI_COUNT_KIND) :: count
    integer(MPI_OFFSET_KIND) :: position
    integer(MPI_ADDRESS_KIND) :: extra_state
    integer :: ierror
    integer, pointer :: user(:), file(:)
    call c_f_pointer(userbuf, user, [position + count])
    call c_f_pointer(filebuf, file, [count])
    if (datatype /= MPI_INTEGER .or. extra_state /= 41) error stop 'a conversion back'
    user(position + 1:) = -file
    conversions = conversions + 1
    ierror = MPI_SUCCESS
  end subroutine
  subroutine four_bytes(datatype, extent, extra_state, ierror)
    type(MPI_Datatype) :: datatype
    integer(MPI_ADDRESS_KIND) :: extent, extra_state
    integer :: ierror
    extent = 4
    ierror = merge(MPI_SUCCESS, MPI_ERR_OTHER, datatype == MPI_INTEGER .and. extra_state == 41)
  end subroutine
end module

program fortran_large_access
  use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer, c_associated
  use mpi_f08
  use negative
  implicit none
  integer(MPI_COUNT_KIND), parameter :: two = 2
  integer :: rank, ranks, right, left
  integer, asynchronous :: mine(2), got(2)
  type(MPI_Request) :: request
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  right = mod(rank + 1, ranks)
  left = mod(rank + ranks - 1, ranks)
  mine = [rank, rank + 100]
  call windows()
  call MPI_Migrate()
  call accesses()
  call MPI_Migrate()
  call files()
  call MPI_Finalize()
  if (rank == 0) print '(a)', 'fortran_large_access: all as it should be'
contains
  include 'check.inc'

  subroutine windows()
    type(MPI_Win) :: window
    type(c_ptr) :: base, again
    integer, pointer :: numbers(:)
    integer(MPI_ADDRESS_KIND) :: bytes, unit
    integer(MPI_ADDRESS_KIND), parameter :: four = 4
    call MPI_Win_allocate(8_MPI_ADDRESS_KIND, four, MPI_INFO_NULL, MPI_COMM_WORLD, base, window)
    call c_f_pointer(base, numbers, [2])
    numbers = -1
    call MPI_Win_fence(0, window)
    call MPI_Put(mine, two, MPI_INTEGER, right, 0_MPI_ADDRESS_KIND, two, MPI_INTEGER, window)
    call MPI_Win_fence(0, window)
    call check(all(numbers == [left, left + 100]), 'MPI_Win_allocate')
    call MPI_Win_free(window)
    call MPI_Win_allocate_shared(8_MPI_ADDRESS_KIND, four, MPI_INFO_NULL, MPI_COMM_SELF, base, window)
    call MPI_Win_shared_query(window, 0, bytes, unit, again)
    call check(bytes == 8 .and. unit == 4 .and. c_associated(base, again), 'MPI_Win_shared_query')
    call MPI_Win_free(window)
  end subroutine

  subroutine accesses()
    type(MPI_Win) :: window
    integer, asynchronous, allocatable :: memory(:)
    integer(MPI_ADDRESS_KIND), parameter :: here = 0
    allocate (memory(2))
    memory = mine
    call MPI_Win_create(memory, 8_MPI_ADDRESS_KIND, 4_MPI_ADDRESS_KIND, MPI_INFO_NULL, MPI_COMM_WORLD, window)
    call MPI_Win_fence(0, window)
    call MPI_Get(got, two, MPI_INTEGER, right, here, two, MPI_INTEGER, window)
    call MPI_Win_fence(0, window)
    call check(all(got == [right, right + 100]), 'MPI_Get')
    call MPI_Accumulate([1, 2], two, MPI_INTEGER, right, here, two, MPI_INTEGER, MPI_SUM, window)
    call MPI_Win_fence(0, window)
    call check(all(memory == [rank + 1, rank + 102]), 'MPI_Accumulate')
    call MPI_Win_fence(0, window)
    call MPI_Get_accumulate([1, 2], two, MPI_INTEGER, got, two, MPI_INTEGER, right, here, two, MPI_INTEGER, MPI_SUM, window)
    call MPI_Win_fence(0, window)
    call check(all(memory == [rank + 2, rank + 104]) .and. all(got == [right + 1, right + 102]), 'MPI_Get_accumulate')
    call MPI_Win_fence(MPI_MODE_NOSUCCEED, window)
    call MPI_Win_lock_all(0, window)
    call MPI_Rget(got, two, MPI_INTEGER, right, here, two, MPI_INTEGER, window, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call check(all(got == [right + 2, right + 104]), 'MPI_Rget')
    call MPI_Barrier(MPI_COMM_WORLD)
    call MPI_Raccumulate([1, 2], two, MPI_INTEGER, right, here, two, MPI_INTEGER, MPI_SUM, window, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call MPI_Win_flush(right, window)
    call MPI_Rget_accumulate([1, 2], two, MPI_INTEGER, got, two, MPI_INTEGER, right, here, two, MPI_INTEGER, MPI_SUM, &
                             window, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call check(all(got == [right + 3, right + 106]), 'MPI_Raccumulate, MPI_Rget_accumulate')
    call MPI_Rput(mine, two, MPI_INTEGER, right, here, two, MPI_INTEGER, window, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call MPI_Win_unlock_all(window)
    call MPI_Barrier(MPI_COMM_WORLD)
    call check(all(memory == [left, left + 100]), 'MPI_Rput')
    call MPI_Win_free(window)
  end subroutine

  ! All the ways to write, each followed by its counterpart that reads.
  subroutine files()
    type(MPI_File) :: file
    type(MPI_Status) :: status
    integer(MPI_OFFSET_KIND) :: place
    integer(MPI_COUNT_KIND) :: extent
    integer :: way
    call MPI_File_open(MPI_COMM_WORLD, 'fortran_large_access', MPI_MODE_CREATE + MPI_MODE_RDWR + MPI_MODE_DELETE_ON_CLOSE, &
                       MPI_INFO_NULL, file)
    call MPI_File_set_view(file, 0_MPI_OFFSET_KIND, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL)
    call MPI_File_get_type_extent_c(file, MPI_INTEGER, extent)
    call check(extent == 4, 'MPI_File_get_type_extent')
    place = 2 * rank
    do way = 1, 14
      mine = [rank + 1000 * way, -rank - 1000 * way]
      got = 0
      call rewind_all(file, place)
      call write_by(file, place, way)
      call MPI_File_sync(file)
      call MPI_Barrier(MPI_COMM_WORLD)
      call rewind_all(file, place)
      call read_by(file, place, way, status)
      ! The order at a shared pointer that is not ordered is not defined.
      if (way > 12) then
        call check(got(1) == -got(2) .and. got(1) / 1000 == way, 'files: shared')
      else
        call check(all(got == mine), 'files: '//achar(iachar('a') + way - 1))
      end if
    end do
    call MPI_Register_datarep_c('negative', negate_back, negate, four_bytes, 41_MPI_ADDRESS_KIND)
    call MPI_File_set_view(file, 0_MPI_OFFSET_KIND, MPI_INTEGER, MPI_INTEGER, 'negative', MPI_INFO_NULL)
    call MPI_File_write_at(file, place, mine, two, MPI_INTEGER, status)
    call MPI_File_read_at(file, place, got, two, MPI_INTEGER, status)
    call check(all(got == mine) .and. conversions == 2, 'MPI_Register_datarep')
    call MPI_File_set_view(file, 0_MPI_OFFSET_KIND, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL)
    call MPI_File_read_at(file, place, got, two, MPI_INTEGER, status)
    call check(all(got == -mine), 'what is in the file')
    call MPI_File_close(file)
  end subroutine

  subroutine rewind_all(file, place)
    type(MPI_File), intent(in) :: file
    integer(MPI_OFFSET_KIND), intent(in) :: place
    call MPI_File_seek(file, place, MPI_SEEK_SET)
    call MPI_File_seek_shared(file, 0_MPI_OFFSET_KIND, MPI_SEEK_SET)
  end subroutine

  subroutine write_by(file, place, way)
    type(MPI_File), intent(in) :: file
    integer(MPI_OFFSET_KIND), intent(in) :: place
    integer, intent(in) :: way
    type(MPI_Status) :: status
    request = MPI_REQUEST_NULL
    select case (way)
    case (1)
      call MPI_File_write_at(file, place, mine, two, MPI_INTEGER, status)
    case (2)
      call MPI_File_write_at_all(file, place, mine, two, MPI_INTEGER, status)
    case (3)
      call MPI_File_iwrite_at(file, place, mine, two, MPI_INTEGER, request)
    case (4)
      call MPI_File_iwrite_at_all(file, place, mine, two, MPI_INTEGER, request)
    case (5)
      call MPI_File_write_at_all_begin(file, place, mine, two, MPI_INTEGER)
      call MPI_File_write_at_all_end(file, mine, status)
    case (6)
      call MPI_File_write(file, mine, two, MPI_INTEGER, status)
    case (7)
      call MPI_File_write_all(file, mine, two, MPI_INTEGER, status)
    case (8)
      call MPI_File_iwrite(file, mine, two, MPI_INTEGER, request)
    case (9)
      call MPI_File_iwrite_all(file, mine, two, MPI_INTEGER, request)
    case (10)
      call MPI_File_write_all_begin(file, mine, two, MPI_INTEGER)
      call MPI_File_write_all_end(file, mine, status)
    case (11)
      call MPI_File_write_ordered(file, mine, two, MPI_INTEGER, status)
    case (12)
      call MPI_File_write_ordered_begin(file, mine, two, MPI_INTEGER)
      call MPI_File_write_ordered_end(file, mine, status)
    case (13)
      call MPI_File_write_shared(file, mine, two, MPI_INTEGER, status)
    case (14)
      call MPI_File_iwrite_shared(file, mine, two, MPI_INTEGER, request)
    end select
    call MPI_Wait(request, MPI_STATUS_IGNORE)
  end subroutine

  subroutine read_by(file, place, way, status)
    type(MPI_File), intent(in) :: file
    integer(MPI_OFFSET_KIND), intent(in) :: place
    integer, intent(in) :: way
    type(MPI_Status), intent(out) :: status
    request = MPI_REQUEST_NULL
    select case (way)
    case (1)
      call MPI_File_read_at(file, place, got, two, MPI_INTEGER, status)
    case (2)
      call MPI_File_read_at_all(file, place, got, two, MPI_INTEGER, status)
    case (3)
      call MPI_File_iread_at(file, place, got, two, MPI_INTEGER, request)
    case (4)
      call MPI_File_iread_at_all(file, place, got, two, MPI_INTEGER, request)
    case (5)
      call MPI_File_read_at_all_begin(file, place, got, two, MPI_INTEGER)
      call MPI_File_read_at_all_end(file, got, status)
    case (6)
      call MPI_File_read(file, got, two, MPI_INTEGER, status)
    case (7)
      call MPI_File_read_all(file, got, two, MPI_INTEGER, status)
    case (8)
      call MPI_File_iread(file, got, two, MPI_INTEGER, request)
    case (9)
      call MPI_File_iread_all(file, got, two, MPI_INTEGER, request)
    case (10)
      call MPI_File_read_all_begin(file, got, two, MPI_INTEGER)
      call MPI_File_read_all_end(file, got, status)
    case (11)
      call MPI_File_read_ordered(file, got, two, MPI_INTEGER, status)
    case (12)
      call MPI_File_read_ordered_begin(file, got, two, MPI_INTEGER)
      call MPI_File_read_ordered_end(file, got, status)
    case (13)
      call MPI_File_read_shared(file, got, two, MPI_INTEGER, status)
    case (14)
      call MPI_File_iread_shared(file, got, two, MPI_INTEGER, request)
    end select
    call MPI_Wait(request, MPI_STATUS_IGNORE)
  end subroutine
end program
