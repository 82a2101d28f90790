! SPDX-License-Identifier: Apache-2.0
! Files as Fortran calls them, while ranks move: every function of MPI 4.1, chapter 14. The ranks write i * 7 at place i
! of the file.
module representation
  use mpi
  implicit none
  integer, save :: conversions = 0
contains
  ! Every integer becomes its negative.
  subroutine negate(userbuf, datatype, count, filebuf, position, extra, ierror)
    integer :: userbuf(*), datatype, count, filebuf(*), ierror
    integer(MPI_OFFSET_KIND) :: position
    integer(MPI_ADDRESS_KIND) :: extra
    if (datatype /= MPI_INTEGER .or. extra /= 41) call MPI_Abort(MPI_COMM_WORLD, 4, ierror)
    filebuf(1:count) = -userbuf(int(position) + 1:int(position) + count)
    conversions = conversions + 1
    ierror = MPI_SUCCESS
  end subroutine
  subroutine negate_back(userbuf, datatype, count, filebuf, position, extra, ierror)
    integer :: userbuf(*), datatype, count, filebuf(*), ierror
    integer(MPI_OFFSET_KIND) :: position
    integer(MPI_ADDRESS_KIND) :: extra
    if (datatype /= MPI_INTEGER .or. extra /= 41) call MPI_Abort(MPI_COMM_WORLD, 4, ierror)
    userbuf(int(position) + 1:int(position) + count) = -filebuf(1:count)
    conversions = conversions + 1
    ierror = MPI_SUCCESS
  end subroutine
  subroutine four_bytes(datatype, extent, extra, ierror)
    integer :: datatype, ierror
    integer(MPI_ADDRESS_KIND) :: extent, extra
    extent = 4
    ierror = MPI_SUCCESS
    if (datatype /= MPI_INTEGER .or. extra /= 41) ierror = MPI_ERR_OTHER
  end subroutine
end module

program fortran_files
  use mpi
  use representation
  implicit none
  integer, parameter :: each = 40, ok = MPI_OFFSET_KIND
  integer :: rank, ranks, ierr, file, request, i, other, group, info, etype, filetype, calls
  integer :: status(MPI_STATUS_SIZE), data(each)
  integer(MPI_OFFSET_KIND) :: offset, place
  integer(MPI_ADDRESS_KIND) :: extent
  character(len=MPI_MAX_DATAREP_STRING) :: name
  logical :: flag
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  call objects()
  call explicit_offsets()
  call individual()
  call shared()
  call own_representation()
  call MPI_Finalize(ierr)
  if (rank == 0) print '(a)', 'fortran_files: all as it should be'
contains
  include 'check.inc'

  subroutine open_new(path)
    character(*), intent(in) :: path
    call MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE + MPI_MODE_RDWR + MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &
                       file, ierr)
    call check(ierr == MPI_SUCCESS, 'open '//path)
    call MPI_File_set_view(file, 0_ok, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL, ierr)
    call check(ierr == MPI_SUCCESS, 'set_view')
    calls = 0
  end subroutine
  subroutine close_it()
    call MPI_File_close(file, ierr)
    call check(ierr == MPI_SUCCESS .and. file == MPI_FILE_NULL, 'close')
  end subroutine

  ! Writes and reads take turns: the second of each two reads what the first has written.
  subroutine next()
    place = (calls / 2 * ranks + rank) * each
    if (mod(calls, 2) == 0) then
      data = [(7 * (int(place) + i), i = 1, each)]
    else
      data = -1
    end if
    calls = calls + 1
  end subroutine
  subroutine done(what)
    character(*), intent(in) :: what
    integer :: count
    call check(ierr == MPI_SUCCESS, what)
    call MPI_Get_count(status, MPI_INTEGER, count, ierr)
    call check(count == each, what//': count')
    call check(all(data == [(7 * (int(place) + i), i = 1, each)]), what//': data')
    call MPI_Migrate(ierr)
  end subroutine
  subroutine finish(what)
    character(*), intent(in) :: what
    call check(ierr == MPI_SUCCESS, what//': start')
    call MPI_Migrate(ierr)
    call MPI_Wait(request, status, ierr)
    call done(what)
  end subroutine

  subroutine explicit_offsets()
    call open_new('explicit_f')
    call next(); call MPI_File_write_at(file, place, data, each, MPI_INTEGER, status, ierr); call done('write_at')
    call next(); call MPI_File_read_at(file, place, data, each, MPI_INTEGER, status, ierr); call done('read_at')
    call next(); call MPI_File_write_at_all(file, place, data, each, MPI_INTEGER, status, ierr); call done('write_at_all')
    call next(); call MPI_File_read_at_all(file, place, data, each, MPI_INTEGER, status, ierr); call done('read_at_all')
    call next(); call MPI_File_iwrite_at(file, place, data, each, MPI_INTEGER, request, ierr); call finish('iwrite_at')
    call next(); call MPI_File_iread_at(file, place, data, each, MPI_INTEGER, request, ierr); call finish('iread_at')
    call next(); call MPI_File_iwrite_at_all(file, place, data, each, MPI_INTEGER, request, ierr)
    call finish('iwrite_at_all')
    call next(); call MPI_File_iread_at_all(file, place, data, each, MPI_INTEGER, request, ierr)
    call finish('iread_at_all')
    call next(); call MPI_File_write_at_all_begin(file, place, data, each, MPI_INTEGER, ierr)
    call MPI_File_write_at_all_end(file, data, status, ierr); call done('write_at_all_begin')
    call next(); call MPI_File_read_at_all_begin(file, place, data, each, MPI_INTEGER, ierr)
    call MPI_File_read_at_all_end(file, data, status, ierr); call done('read_at_all_begin')
    call close_it()
  end subroutine

  subroutine next_sought()
    call next()
    call MPI_File_seek(file, place, MPI_SEEK_SET, ierr)
    call check(ierr == MPI_SUCCESS, 'seek')
  end subroutine
  subroutine individual()
    call open_new('individual_f')
    call next_sought(); call MPI_File_write(file, data, each, MPI_INTEGER, status, ierr); call done('write')
    call next_sought(); call MPI_File_read(file, data, each, MPI_INTEGER, status, ierr); call done('read')
    call next_sought(); call MPI_File_write_all(file, data, each, MPI_INTEGER, status, ierr); call done('write_all')
    call next_sought(); call MPI_File_read_all(file, data, each, MPI_INTEGER, status, ierr); call done('read_all')
    call next_sought(); call MPI_File_iwrite(file, data, each, MPI_INTEGER, request, ierr); call finish('iwrite')
    call next_sought(); call MPI_File_iread(file, data, each, MPI_INTEGER, request, ierr); call finish('iread')
    call next_sought(); call MPI_File_iwrite_all(file, data, each, MPI_INTEGER, request, ierr); call finish('iwrite_all')
    call next_sought(); call MPI_File_iread_all(file, data, each, MPI_INTEGER, request, ierr); call finish('iread_all')
    call next_sought(); call MPI_File_write_all_begin(file, data, each, MPI_INTEGER, ierr)
    call MPI_File_write_all_end(file, data, status, ierr); call done('write_all_begin')
    call next_sought(); call MPI_File_read_all_begin(file, data, each, MPI_INTEGER, ierr)
    call MPI_File_read_all_end(file, data, status, ierr); call done('read_all_begin')
    call MPI_File_get_position(file, offset, ierr)
    call check(offset == place + each, 'get_position')
    call MPI_File_get_byte_offset(file, offset, offset, ierr)
    call check(offset == 4 * (place + each), 'get_byte_offset')
    call close_it()
  end subroutine

  ! The shared pointer goes back before the data is read.
  subroutine back()
    call MPI_File_seek_shared(file, place - rank * each, MPI_SEEK_SET, ierr)
    call check(ierr == MPI_SUCCESS, 'seek_shared')
  end subroutine
  subroutine shared()
    call open_new('shared_f')
    call next(); call MPI_File_write_ordered(file, data, each, MPI_INTEGER, status, ierr); call done('write_ordered')
    call back()
    call next(); call MPI_File_read_ordered(file, data, each, MPI_INTEGER, status, ierr); call done('read_ordered')
    call next(); call MPI_File_write_ordered_begin(file, data, each, MPI_INTEGER, ierr)
    call MPI_File_write_ordered_end(file, data, status, ierr); call done('write_ordered_begin')
    call back()
    call next(); call MPI_File_read_ordered_begin(file, data, each, MPI_INTEGER, ierr)
    call MPI_File_read_ordered_end(file, data, status, ierr); call done('read_ordered_begin')
    call MPI_File_get_position_shared(file, offset, ierr)
    call check(offset == 2 * ranks * each, 'get_position_shared')
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    ! In any order: each piece consists of one number.
    call MPI_File_seek_shared(file, 0_ok, MPI_SEEK_SET, ierr)
    data = rank
    call MPI_File_write_shared(file, data, each, MPI_INTEGER, status, ierr)
    call check(ierr == MPI_SUCCESS, 'write_shared')
    call MPI_File_iwrite_shared(file, data, each, MPI_INTEGER, request, ierr)
    call MPI_Wait(request, status, ierr)
    call check(ierr == MPI_SUCCESS, 'iwrite_shared')
    call MPI_Migrate(ierr)
    call MPI_File_seek_shared(file, 0_ok, MPI_SEEK_SET, ierr)
    call MPI_File_read_shared(file, data, each, MPI_INTEGER, status, ierr)
    call check(ierr == MPI_SUCCESS .and. all(data == data(1)), 'read_shared')
    i = data(1)
    call MPI_File_iread_shared(file, data, each, MPI_INTEGER, request, ierr)
    call MPI_Wait(request, status, ierr)
    call check(ierr == MPI_SUCCESS .and. all(data == data(1)), 'iread_shared')
    i = i + data(1)
    call MPI_Allreduce(i, other, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
    call check(other == ranks * (ranks - 1), 'all pieces once')
    call close_it()
  end subroutine

  subroutine objects()
    call MPI_Info_create(info, ierr)
    call MPI_Info_set(info, 'cb_buffer_size', '8192', ierr)
    call MPI_File_open(MPI_COMM_WORLD, 'objects_f', MPI_MODE_CREATE + MPI_MODE_RDWR, info, file, ierr)
    call check(ierr == MPI_SUCCESS, 'open')
    call MPI_File_set_info(file, info, ierr)
    call check(ierr == MPI_SUCCESS, 'set_info')
    call MPI_Info_free(info, ierr)
    call MPI_File_get_info(file, info, ierr)
    call MPI_Info_get(info, 'cb_buffer_size', MPI_MAX_DATAREP_STRING, name, flag, ierr)
    call check(flag .and. name == '8192', 'get_info')
    call MPI_Info_free(info, ierr)
    call MPI_File_get_amode(file, i, ierr)
    call check(i == MPI_MODE_CREATE + MPI_MODE_RDWR, 'get_amode')
    call MPI_File_get_group(file, group, ierr)
    call MPI_Group_size(group, i, ierr)
    call check(i == ranks, 'get_group')
    call MPI_Group_free(group, ierr)
    call MPI_File_set_atomicity(file, .true., ierr)
    call MPI_File_get_atomicity(file, flag, ierr)
    call check(flag, 'atomicity')
    call MPI_Migrate(ierr)
    call MPI_File_set_size(file, 100_ok, ierr)
    call MPI_File_get_size(file, offset, ierr)
    call check(offset == 100, 'set_size')
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    call MPI_File_preallocate(file, 1000_ok, ierr)
    call MPI_File_get_size(file, offset, ierr)
    call check(offset == 1000, 'preallocate')
    call MPI_File_sync(file, ierr)
    call check(ierr == MPI_SUCCESS, 'sync')
    call MPI_File_set_view(file, 8_ok, MPI_INTEGER, MPI_INTEGER, 'external32', MPI_INFO_NULL, ierr)
    call MPI_File_get_view(file, offset, etype, filetype, name, ierr)
    call check(offset == 8 .and. etype == MPI_INTEGER .and. filetype == MPI_INTEGER .and. name == 'external32', 'get_view')
    call MPI_File_get_type_extent(file, MPI_DOUBLE_PRECISION, extent, ierr)
    call check(extent == 8, 'get_type_extent')
    call MPI_File_close(file, ierr)
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    if (rank == 0) call MPI_File_delete('objects_f', MPI_INFO_NULL, ierr)
    call check(ierr == MPI_SUCCESS, 'delete')
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    call MPI_File_open(MPI_COMM_WORLD, 'objects_f', MPI_MODE_RDONLY, MPI_INFO_NULL, file, ierr)
    call MPI_Error_class(ierr, i, other)
    call check(i == MPI_ERR_NO_SUCH_FILE .and. file == MPI_FILE_NULL, 'open what is not there')
  end subroutine

  subroutine own_representation()
    integer(MPI_ADDRESS_KIND), parameter :: extra = 41
    call MPI_Register_datarep('negative', negate_back, negate, four_bytes, extra, ierr)
    call check(ierr == MPI_SUCCESS, 'register_datarep')
    call open_new('own_f')
    call MPI_File_set_view(file, 0_ok, MPI_INTEGER, MPI_INTEGER, 'negative', MPI_INFO_NULL, ierr)
    call next(); call MPI_File_write_at(file, place, data, each, MPI_INTEGER, status, ierr); call done('write_at, own')
    call next(); call MPI_File_read_at(file, place, data, each, MPI_INTEGER, status, ierr); call done('read_at, own')
    call check(conversions == 2, 'conversions')
    call MPI_File_set_view(file, 0_ok, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL, ierr)
    call MPI_File_read_at(file, place, data, each, MPI_INTEGER, status, ierr)
    call check(all(-data == [(7 * (int(place) + i), i = 1, each)]), 'what is in the file')
    call close_it()
  end subroutine
end program
