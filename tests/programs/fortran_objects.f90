! SPDX-License-Identifier: Apache-2.0
! Groups, communicators, grids, info objects, error handlers, attributes and inquiry as Fortran calls them; expected
! answers come from the text of MPI 4.1 and the ranks in the world.
module handlers
  use mpi
  implicit none
  integer, save :: calls = 0, last_class = MPI_SUCCESS
contains
  subroutine handle(comm, code)
    integer :: comm, code, ierror
    if (comm == MPI_COMM_NULL) return
    calls = calls + 1
    call MPI_Error_class(code, last_class, ierror)
  end subroutine
  subroutine handle_file(file, code)
    integer :: file, code
    if (file == MPI_FILE_NULL) calls = calls + 1
    last_class = code
  end subroutine
  subroutine drop(comm, keyval, attribute, extra, ierror)
    integer :: comm, keyval, ierror
    integer(MPI_ADDRESS_KIND) :: attribute, extra
    calls = calls + 1
    if (comm == MPI_COMM_NULL .or. keyval == MPI_KEYVAL_INVALID .or. attribute /= 55 .or. extra /= 7) calls = -1000
    ierror = MPI_SUCCESS
  end subroutine
  subroutine drop_narrow(comm, keyval, attribute, extra, ierror)
    integer :: comm, keyval, attribute, extra, ierror
    calls = calls + 1
    if (comm == MPI_COMM_NULL .or. keyval == MPI_KEYVAL_INVALID .or. attribute /= 56 .or. extra /= 8) calls = -1000
    ierror = MPI_SUCCESS
  end subroutine
end module

program fortran_objects
  use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
  use mpi
  use handlers
  implicit none
  integer :: rank, ranks, ierr, provided, number, other, length, i
  logical :: flag
  call MPI_Initialized(flag, ierr)
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  call check(.not. flag .and. provided >= MPI_THREAD_SINGLE, 'init_thread')
  call inquiry()
  call groups()
  call communicators()
  call grids()
  call infos()
  call errors()
  call attributes()
  call MPI_Finalize(ierr)
  call MPI_Finalized(flag, ierr)
  if (.not. flag) stop 4
  if (rank == 0) print '(a)', 'fortran_objects: all as it should be'
contains
  include 'check.inc'

  subroutine inquiry()
    character(len=MPI_MAX_LIBRARY_VERSION_STRING) :: text
    character(len=MPI_MAX_PROCESSOR_NAME) :: name
    integer(MPI_ADDRESS_KIND) :: place, further
    type(c_ptr) :: memory
    integer, pointer :: numbers(:)
    integer :: pair(2), old
    call MPI_Get_version(number, other, ierr)
    call check(number == MPI_VERSION .and. other == MPI_SUBVERSION, 'get_version')
    call MPI_Get_library_version(text, length, ierr)
    call check(length > 0 .and. index(text, 'Skein') > 0, 'get_library_version')
    call MPI_Get_processor_name(name, length, ierr)
    call check(len_trim(name) == length, 'get_processor_name')
    call MPI_Query_thread(number, ierr)
    call MPI_Is_thread_main(flag, ierr)
    call check(number == provided .and. flag, 'query_thread')
    call MPI_Pcontrol(1)
    call check(MPI_Wtick() > 0 .and. MPI_Wtime() > 0, 'the clock')
    call MPI_Get_address(pair(1), place, ierr)
    call MPI_Get_address(pair(2), further, ierr)
    call check(MPI_Aint_diff(further, place) == 4 .and. MPI_Aint_add(place, further - place) == further, 'addresses')
    call MPI_Address(rank, old, ierr)
    call MPI_Alloc_mem(400_MPI_ADDRESS_KIND, MPI_INFO_NULL, memory, ierr)
    call c_f_pointer(memory, numbers, [100])
    numbers = [(i, i = 1, 100)]
    call MPI_Migrate(ierr)
    call check(sum(numbers) == 5050, 'alloc_mem')
    call MPI_Free_mem(numbers, ierr)
    call MPI_Get_hw_resource_info(old, ierr)
    call MPI_Info_get_nkeys(old, number, ierr)
    call check(number > 0, 'get_hw_resource_info')
    call MPI_Info_free(old, ierr)
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
    call MPI_Comm_join(0, old, ierr)
    call check(ierr == MPI_ERR_UNSUPPORTED_OPERATION .and. old == MPI_COMM_NULL, 'comm_join')
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL, ierr)
    call MPI_Alloc_mem(100_MPI_ADDRESS_KIND, MPI_INFO_NULL, place, ierr)  ! the address as a number
    call check(place /= 0, 'alloc_mem without C pointers')
  end subroutine

  subroutine groups()
    integer :: world, evens, low, result, size, ranges(3, 1), mine(1), there(1)
    integer :: even_ranks((ranks + 1) / 2)
    even_ranks = [(2 * i, i = 0, (ranks - 1) / 2)]
    call MPI_Comm_group(MPI_COMM_WORLD, world, ierr)
    call MPI_Group_incl(world, size_of(even_ranks), even_ranks, evens, ierr)
    call MPI_Group_rank(evens, number, ierr)
    call check(number == merge(rank / 2, MPI_UNDEFINED, mod(rank, 2) == 0), 'group_rank')
    ranges(:, 1) = [0, (ranks - 1) / 2, 1]
    call MPI_Group_range_incl(world, 1, ranges, low, ierr)
    call MPI_Group_union(evens, low, result, ierr)
    call MPI_Group_size(result, size, ierr)
    call check(size == (ranks + 1) / 2 + ((ranks + 1) / 2) / 2, 'group_union')
    call MPI_Group_free(result, ierr)
    call MPI_Group_intersection(evens, low, result, ierr)
    call MPI_Group_size(result, size, ierr)
    call check(size == ((ranks + 1) / 2 + 1) / 2, 'group_intersection')
    call MPI_Group_free(result, ierr)
    call MPI_Group_difference(world, evens, result, ierr)
    call MPI_Group_size(result, size, ierr)
    call check(size == ranks / 2, 'group_difference')
    call MPI_Group_free(result, ierr)
    call MPI_Group_excl(world, size_of(even_ranks), even_ranks, result, ierr)
    call MPI_Group_size(result, size, ierr)
    call check(size == ranks / 2, 'group_excl')
    call MPI_Group_free(result, ierr)
    call MPI_Group_range_excl(world, 1, ranges, result, ierr)
    call MPI_Group_size(result, size, ierr)
    call check(size == ranks - (ranks + 1) / 2, 'group_range_excl')
    call MPI_Group_free(result, ierr)
    mine = (ranks - 1) / 2
    call MPI_Group_translate_ranks(evens, 1, mine, world, there, ierr)
    call check(there(1) == 2 * mine(1), 'group_translate_ranks')
    call MPI_Group_compare(world, world, number, ierr)
    call check(number == MPI_IDENT, 'group_compare')
    call MPI_Comm_create(MPI_COMM_WORLD, evens, other, ierr)
    call check((other == MPI_COMM_NULL) .eqv. (mod(rank, 2) == 1), 'comm_create')
    if (other /= MPI_COMM_NULL) call MPI_Comm_free(other, ierr)
    if (mod(rank, 2) == 0) then
      call MPI_Comm_create_group(MPI_COMM_WORLD, evens, 3, other, ierr)
      call MPI_Comm_rank(other, number, ierr)
      call check(number == rank / 2, 'comm_create_group')
      call MPI_Comm_disconnect(other, ierr)
    end if
    call MPI_Group_free(world, ierr)
    call MPI_Group_free(evens, ierr)
    call MPI_Group_free(low, ierr)
  end subroutine

  integer function size_of(list)
    integer, intent(in) :: list(:)
    size_of = size(list)
  end function

  subroutine communicators()
    integer :: info, copy, later, request
    call MPI_Info_create(info, ierr)
    call MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, copy, ierr)
    call MPI_Comm_idup_with_info(MPI_COMM_WORLD, info, later, request, ierr)
    call MPI_Migrate(ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call MPI_Comm_compare(copy, later, number, ierr)
    call check(number == MPI_CONGRUENT, 'comm_idup_with_info')
    call MPI_Comm_set_info(copy, info, ierr)
    call MPI_Info_free(info, ierr)
    call MPI_Comm_get_info(copy, info, ierr)
    call check(info /= MPI_INFO_NULL, 'comm_get_info')
    call MPI_Info_free(info, ierr)
    call MPI_Comm_free(copy, ierr)
    call MPI_Comm_free(later, ierr)
    call MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, copy, ierr)
    call MPI_Comm_size(copy, number, ierr)
    call check(number == 1 .or. number == ranks, 'comm_split_type')
    call MPI_Comm_free(copy, ierr)
  end subroutine

  subroutine grids()
    integer :: dims(2), coords(2), got(2), grid, row, source, target
    logical :: periods(2), keep(2)
    dims = 0
    call MPI_Dims_create(ranks, 2, dims, ierr)
    periods = [.true., .false.]
    call MPI_Cart_map(MPI_COMM_WORLD, 2, dims, periods, number, ierr)
    call check(number >= 0 .and. number < ranks, 'cart_map')
    call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, .false., grid, ierr)
    call MPI_Topo_test(grid, number, ierr)
    call MPI_Cartdim_get(grid, other, ierr)
    call check(number == MPI_CART .and. other == 2, 'cartdim_get')
    call MPI_Cart_get(grid, 2, got, periods, coords, ierr)
    call check(all(got == dims) .and. periods(1) .and. .not. periods(2), 'cart_get')
    call MPI_Cart_rank(grid, coords, number, ierr)
    call MPI_Cart_coords(grid, number, 2, got, ierr)
    call check(number == rank .and. all(got == coords) .and. rank == coords(1) * dims(2) + coords(2), 'cart_coords')
    call MPI_Cart_shift(grid, 0, 1, source, target, ierr)
    call check(target == mod(coords(1) + 1, dims(1)) * dims(2) + coords(2), 'cart_shift')
    keep = [.false., .true.]
    call MPI_Cart_sub(grid, keep, row, ierr)
    call MPI_Comm_rank(row, number, ierr)
    call check(number == coords(2), 'cart_sub')
    call MPI_Comm_free(row, ierr)
    call MPI_Comm_free(grid, ierr)
  end subroutine

  subroutine infos()
    integer :: info, copy
    character(len=20) :: key, value
    call MPI_Info_create(info, ierr)
    call MPI_Info_set(info, 'first', 'one', ierr)
    call MPI_Info_set(info, 'second', 'two words', ierr)
    call MPI_Info_dup(info, copy, ierr)
    call MPI_Info_delete(info, 'first', ierr)
    call MPI_Info_get_nkeys(info, number, ierr)
    call MPI_Info_get_nthkey(info, 0, key, ierr)
    call check(number == 1 .and. key == 'second', 'info_get_nthkey')
    call MPI_Info_get(copy, 'second', 20, value, flag, ierr)
    call check(flag .and. value == 'two words', 'info_get')
    call MPI_Info_get_valuelen(copy, 'second', length, flag, ierr)
    call check(flag .and. length == 9, 'info_get_valuelen')
    length = 20
    call MPI_Info_get_string(copy, 'first', length, value, flag, ierr)
    call check(flag .and. length == 3 .and. value == 'one', 'info_get_string')
    call MPI_Info_free(copy, ierr)
    call MPI_Info_create_env(copy, ierr)
    call check(copy /= MPI_INFO_NULL, 'info_create_env')
    call MPI_Info_free(copy, ierr)
    call MPI_Info_free(info, ierr)
    call check(info == MPI_INFO_NULL, 'info_free')
  end subroutine

  subroutine errors()
    integer :: handler, before, new_class, new_code
    character(len=MPI_MAX_ERROR_STRING) :: text
    call MPI_Comm_create_errhandler(handle, handler, ierr)
    call MPI_Comm_get_errhandler(MPI_COMM_WORLD, before, ierr)
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler, ierr)
    call MPI_Errhandler_free(handler, ierr)
    calls = 0
    call MPI_Send(rank, 1, MPI_INTEGER, ranks, 0, MPI_COMM_WORLD, ierr)
    call check(calls == 1 .and. last_class == MPI_ERR_RANK, 'the program handles an error')
    call MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_TAG, ierr)
    call check(calls == 2 .and. last_class == MPI_ERR_TAG, 'comm_call_errhandler')
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, before, ierr)
    ! The names of MPI-1.
    call MPI_Errhandler_create(handle, handler, ierr)
    call MPI_Errhandler_set(MPI_COMM_WORLD, handler, ierr)
    call MPI_Errhandler_get(MPI_COMM_WORLD, number, ierr)
    call check(number == handler, 'errhandler_get')
    call MPI_Errhandler_set(MPI_COMM_WORLD, before, ierr)
    call MPI_File_create_errhandler(handle_file, handler, ierr)
    call MPI_File_set_errhandler(MPI_FILE_NULL, handler, ierr)
    call MPI_File_get_errhandler(MPI_FILE_NULL, number, ierr)
    call MPI_File_call_errhandler(MPI_FILE_NULL, MPI_ERR_FILE, ierr)
    call check(number == handler .and. calls == 3 .and. last_class == MPI_ERR_FILE, 'file_call_errhandler')
    call MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN, ierr)
    call MPI_Add_error_class(new_class, ierr)
    call MPI_Add_error_code(new_class, new_code, ierr)
    call MPI_Add_error_string(new_code, 'what went wrong', ierr)
    call MPI_Error_string(new_code, text, length, ierr)
    call MPI_Error_class(new_code, number, ierr)
    call check(text(:length) == 'what went wrong' .and. number == new_class, 'errors of the program')
    call MPI_Remove_error_string(new_code, ierr)
    call MPI_Remove_error_code(new_code, ierr)
    call MPI_Remove_error_class(new_class, ierr)
  end subroutine

  subroutine attributes()
    integer :: keyval, comm, narrow
    integer(MPI_ADDRESS_KIND) :: value
    calls = 0
    call MPI_Comm_dup(MPI_COMM_SELF, comm, ierr)
    call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, drop, keyval, 7_MPI_ADDRESS_KIND, ierr)
    call MPI_Comm_set_attr(comm, keyval, 55_MPI_ADDRESS_KIND, ierr)
    call MPI_Comm_get_attr(comm, keyval, value, flag, ierr)
    call check(flag .and. value == 55, 'comm_get_attr')
    call MPI_Comm_delete_attr(comm, keyval, ierr)
    call check(calls == 1, 'comm_delete_attr')
    call MPI_Comm_free_keyval(keyval, ierr)
    ! The names of MPI-1.
    call MPI_Keyval_create(MPI_NULL_COPY_FN, drop_narrow, keyval, 8, ierr)
    call MPI_Attr_put(comm, keyval, 56, ierr)
    call MPI_Attr_get(comm, keyval, narrow, flag, ierr)
    call check(flag .and. narrow == 56, 'attr_get')
    call MPI_Attr_delete(comm, keyval, ierr)
    call check(calls == 2, 'attr_delete')
    call MPI_Keyval_free(keyval, ierr)
    call MPI_Comm_free(comm, ierr)
  end subroutine
end program
