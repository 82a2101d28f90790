! SPDX-License-Identifier: Apache-2.0
! Array sections with gaps as buffers of collectives, in module mpi_f08, in their three forms, while ranks move; of one-sided
! operations and of files. A section stands for a contiguous buffer of its elements (MPI 4.1, 19.1.12). Rank r contributes
! 1000 r + place; nothing between the elements of a section may change, and memory that an operation does not use is the
! program's.
module multiplication
  implicit none
contains
  ! Multiplies pairs of numbers, which must be side by side.
  subroutine complex_product(invec, inoutvec, len, datatype)
    use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
    use mpi_f08
    type(c_ptr), value :: invec, inoutvec
    integer :: len
    type(MPI_Datatype) :: datatype
    integer, pointer :: in(:, :), inout(:, :)
    integer :: i, was
    if (datatype == MPI_INTEGER) error stop 'the datatype of an operation'
    call c_f_pointer(invec, in, [2, len])
    call c_f_pointer(inoutvec, inout, [2, len])
    do i = 1, len
      was = inout(1, i)
      inout(1, i) = in(1, i) * was - in(2, i) * inout(2, i)
      inout(2, i) = in(1, i) * inout(2, i) + in(2, i) * was
    end do
  end subroutine
end module

program fortran_section_collectives
  use mpi_f08
  use multiplication
  implicit none
  integer, parameter :: gap = -7, blocking = 0, nonblocking = 1, persistent = 2
  integer, parameter :: most = 64
  integer :: rank, ranks, form, i, root, left, right
  integer, allocatable :: counts(:), places(:), bytes(:)
  type(MPI_Datatype), allocatable :: types(:)
  ! Elements of s, backwards and two apart, are sent; a row of r receives.
  integer, asynchronous, target :: s(3 * most), r(4, most)
  integer, asynchronous, pointer :: from(:), to(:)
  type(MPI_Request) :: request
  type(MPI_Comm) :: ring
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call MPI_Cart_create(MPI_COMM_WORLD, 1, [ranks], [.true.], .false., ring)
  right = mod(rank + 1, ranks)
  left = mod(rank + ranks - 1, ranks)
  root = ranks / 2
  from => s(3 * most:1:-3)
  to => r(3, :)
  counts = [(2, i = 1, ranks)]
  places = [(2 * (ranks - i), i = 1, ranks)]  ! pieces in reverse order
  bytes = 4 * places
  allocate (types(ranks), source=MPI_INTEGER)
  call fill()
  do form = blocking, persistent
    call movement()
    call MPI_Migrate()
    call exchanges()
    call MPI_Migrate()
    call reductions()
    call neighbours()
    call MPI_Migrate()
  end do
  call own_operation()
  call meanwhile()
  call again_and_again()
  call one_sided()
  call MPI_Migrate()
  call files()
  call MPI_Comm_free(ring)
  call MPI_Finalize()
  if (rank == 0) print '(a)', 'fortran_section_collectives: all as it should be'
contains
  include 'check.inc'

  subroutine fill()
    s = gap
    from = [(1000 * rank + i, i = 1, most)]
    r = gap
  end subroutine
  subroutine complete()
    if (form == persistent) call MPI_Start(request)
    if (form /= blocking) call MPI_Migrate()
    if (form /= blocking) call MPI_Wait(request, MPI_STATUS_IGNORE)
    if (form == persistent) call MPI_Request_free(request)
  end subroutine
  ! Checks that these first elements, and no others, have arrived.
  subroutine came(expected, what)
    integer, intent(in) :: expected(:)
    character(len=*), intent(in) :: what
    call check(all(to(:size(expected)) == expected), what)
    to(:size(expected)) = gap
    call check(all(r == gap), what // ': what lies between')
    call check(all(from == [(1000 * rank + i, i = 1, most)]) .and. count(s == gap) == 2 * most, what // ': what was sent')
    call fill()
  end subroutine
  ! Returns two numbers of each rank, the first with that place; and the pairs backwards.
  function of_each(place) result(numbers)
    integer, intent(in) :: place
    integer :: numbers(2 * ranks), j
    numbers = [(1000 * (j / 2) + place + mod(j, 2), j = 0, 2 * ranks - 1)]
  end function
  function backwards(numbers) result(turned)
    integer, intent(in) :: numbers(:)
    integer :: turned(size(numbers)), j
    turned = [(numbers(size(numbers) - 1 - 2 * (j / 2) + mod(j, 2)), j = 0, size(numbers) - 1)]
  end function
  ! Returns the sums over ranks first to last of the numbers with these places.
  function sums(first, last, elements) result(numbers)
    integer, intent(in) :: first, last, elements(:)
    integer :: numbers(size(elements)), j
    numbers = [(sum([(1000 * j + elements(i), j = first, last)]), i = 1, size(elements))]
  end function

  subroutine movement()
    if (rank == root) then
      if (form == blocking) call MPI_Bcast(from, 5, MPI_INTEGER, root, MPI_COMM_WORLD)
      if (form == nonblocking) call MPI_Ibcast(from, 5, MPI_INTEGER, root, MPI_COMM_WORLD, request)
      if (form == persistent) call MPI_Bcast_init(from, 5, MPI_INTEGER, root, MPI_COMM_WORLD, MPI_INFO_NULL, request)
      call complete()
      call came([integer ::], 'MPI_Bcast, at the root')
    else
      if (form == blocking) call MPI_Bcast(to, 5, MPI_INTEGER, root, MPI_COMM_WORLD)
      if (form == nonblocking) call MPI_Ibcast(to, 5, MPI_INTEGER, root, MPI_COMM_WORLD, request)
      if (form == persistent) call MPI_Bcast_init(to, 5, MPI_INTEGER, root, MPI_COMM_WORLD, MPI_INFO_NULL, request)
      call complete()
      call came(1000 * root + [1, 2, 3, 4, 5], 'MPI_Bcast')
    end if
    if (form == blocking) call MPI_Gather(from, 2, MPI_INTEGER, to, 2, MPI_INTEGER, root, MPI_COMM_WORLD)
    if (form == nonblocking) call MPI_Igather(from, 2, MPI_INTEGER, to, 2, MPI_INTEGER, root, MPI_COMM_WORLD, request)
    if (form == persistent) call MPI_Gather_init(from, 2, MPI_INTEGER, to, 2, MPI_INTEGER, root, MPI_COMM_WORLD, &
      MPI_INFO_NULL, request)
    call complete()
    if (rank == root) call came(of_each(1), 'MPI_Gather')
    if (rank /= root) call came([integer ::], 'MPI_Gather, not at the root')
    if (form == blocking) call MPI_Gatherv(from, 2, MPI_INTEGER, to, counts, places, MPI_INTEGER, root, MPI_COMM_WORLD)
    if (form == nonblocking) call MPI_Igatherv(from, 2, MPI_INTEGER, to, counts, places, MPI_INTEGER, root, &
      MPI_COMM_WORLD, request)
    if (form == persistent) call MPI_Gatherv_init(from, 2, MPI_INTEGER, to, counts, places, MPI_INTEGER, root, &
      MPI_COMM_WORLD, MPI_INFO_NULL, request)
    call complete()
    if (rank == root) call came(backwards(of_each(1)), 'MPI_Gatherv')
    if (rank /= root) call came([integer ::], 'MPI_Gatherv, not at the root')
    if (form == blocking) call MPI_Scatter(from, 2, MPI_INTEGER, to, 2, MPI_INTEGER, root, MPI_COMM_WORLD)
    if (form == nonblocking) call MPI_Iscatter(from, 2, MPI_INTEGER, to, 2, MPI_INTEGER, root, MPI_COMM_WORLD, request)
    if (form == persistent) call MPI_Scatter_init(from, 2, MPI_INTEGER, to, 2, MPI_INTEGER, root, MPI_COMM_WORLD, &
      MPI_INFO_NULL, request)
    call complete()
    call came(1000 * root + 2 * rank + [1, 2], 'MPI_Scatter')
    if (form == blocking) call MPI_Scatterv(from, counts, places, MPI_INTEGER, to, 2, MPI_INTEGER, root, MPI_COMM_WORLD)
    if (form == nonblocking) call MPI_Iscatterv(from, counts, places, MPI_INTEGER, to, 2, MPI_INTEGER, root, &
      MPI_COMM_WORLD, request)
    if (form == persistent) call MPI_Scatterv_init(from, counts, places, MPI_INTEGER, to, 2, MPI_INTEGER, root, &
      MPI_COMM_WORLD, MPI_INFO_NULL, request)
    call complete()
    call came(1000 * root + places(rank + 1) + [1, 2], 'MPI_Scatterv')
    if (form == blocking) call MPI_Allgather(from, 2, MPI_INTEGER, to, 2, MPI_INTEGER, MPI_COMM_WORLD)
    if (form == nonblocking) call MPI_Iallgather(from, 2, MPI_INTEGER, to, 2, MPI_INTEGER, MPI_COMM_WORLD, request)
    if (form == persistent) call MPI_Allgather_init(from, 2, MPI_INTEGER, to, 2, MPI_INTEGER, MPI_COMM_WORLD, &
      MPI_INFO_NULL, request)
    call complete()
    call came(of_each(1), 'MPI_Allgather')
    if (form == blocking) call MPI_Allgatherv(from, 2, MPI_INTEGER, to, counts, places, MPI_INTEGER, MPI_COMM_WORLD)
    if (form == nonblocking) call MPI_Iallgatherv(from, 2, MPI_INTEGER, to, counts, places, MPI_INTEGER, &
      MPI_COMM_WORLD, request)
    if (form == persistent) call MPI_Allgatherv_init(from, 2, MPI_INTEGER, to, counts, places, MPI_INTEGER, &
      MPI_COMM_WORLD, MPI_INFO_NULL, request)
    call complete()
    call came(backwards(of_each(1)), 'MPI_Allgatherv')
    to(2 * rank + 1:2 * rank + 2) = 1000 * rank + [3, 4]
    if (form == blocking) call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, to, 2, MPI_INTEGER, MPI_COMM_WORLD)
    if (form == nonblocking) call MPI_Iallgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, to, 2, MPI_INTEGER, &
      MPI_COMM_WORLD, request)
    if (form == persistent) call MPI_Allgather_init(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, to, 2, MPI_INTEGER, &
      MPI_COMM_WORLD, MPI_INFO_NULL, request)
    call complete()
    call came(of_each(3), 'MPI_Allgather in place')
  end subroutine

  subroutine exchanges()
    if (form == blocking) call MPI_Alltoall(from, 2, MPI_INTEGER, to, 2, MPI_INTEGER, MPI_COMM_WORLD)
    if (form == nonblocking) call MPI_Ialltoall(from, 2, MPI_INTEGER, to, 2, MPI_INTEGER, MPI_COMM_WORLD, request)
    if (form == persistent) call MPI_Alltoall_init(from, 2, MPI_INTEGER, to, 2, MPI_INTEGER, MPI_COMM_WORLD, &
      MPI_INFO_NULL, request)
    call complete()
    call came(of_each(2 * rank + 1), 'MPI_Alltoall')
    if (form == blocking) call MPI_Alltoallv(from, counts, places, MPI_INTEGER, to, counts, places, MPI_INTEGER, MPI_COMM_WORLD)
    if (form == nonblocking) call MPI_Ialltoallv(from, counts, places, MPI_INTEGER, to, counts, places, MPI_INTEGER, &
      MPI_COMM_WORLD, request)
    if (form == persistent) call MPI_Alltoallv_init(from, counts, places, MPI_INTEGER, to, counts, places, &
      MPI_INTEGER, MPI_COMM_WORLD, MPI_INFO_NULL, request)
    call complete()
    call came(backwards(of_each(places(rank + 1) + 1)), 'MPI_Alltoallv')
    if (form == blocking) call MPI_Alltoallw(from, counts, bytes, types, to, counts, bytes, types, MPI_COMM_WORLD)
    if (form == nonblocking) call MPI_Ialltoallw(from, counts, bytes, types, to, counts, bytes, types, MPI_COMM_WORLD, request)
    if (form == persistent) call MPI_Alltoallw_init(from, counts, bytes, types, to, counts, bytes, types, &
      MPI_COMM_WORLD, MPI_INFO_NULL, request)
    call complete()
    call came(backwards(of_each(places(rank + 1) + 1)), 'MPI_Alltoallw')
  end subroutine

  subroutine reductions()
    integer :: j
    if (form == blocking) call MPI_Reduce(from, to, 3, MPI_INTEGER, MPI_SUM, root, MPI_COMM_WORLD)
    if (form == nonblocking) call MPI_Ireduce(from, to, 3, MPI_INTEGER, MPI_SUM, root, MPI_COMM_WORLD, request)
    if (form == persistent) call MPI_Reduce_init(from, to, 3, MPI_INTEGER, MPI_SUM, root, MPI_COMM_WORLD, &
      MPI_INFO_NULL, request)
    call complete()
    if (rank == root) call came(sums(0, ranks - 1, [1, 2, 3]), 'MPI_Reduce')
    if (rank /= root) call came([integer ::], 'MPI_Reduce, not at the root')
    if (form == blocking) call MPI_Allreduce(from, to, 3, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    if (form == nonblocking) call MPI_Iallreduce(from, to, 3, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request)
    if (form == persistent) call MPI_Allreduce_init(from, to, 3, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, request)
    call complete()
    call came(sums(0, ranks - 1, [1, 2, 3]), 'MPI_Allreduce')
    to(:3) = from(3:1:-1)
    if (form == blocking) call MPI_Allreduce(MPI_IN_PLACE, to, 3, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    if (form == nonblocking) call MPI_Iallreduce(MPI_IN_PLACE, to, 3, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request)
    if (form == persistent) call MPI_Allreduce_init(MPI_IN_PLACE, to, 3, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, &
      MPI_INFO_NULL, request)
    call complete()
    call came(sums(0, ranks - 1, [3, 2, 1]), 'MPI_Allreduce in place')
    if (form == blocking) call MPI_Scan(from, to, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    if (form == nonblocking) call MPI_Iscan(from, to, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request)
    if (form == persistent) call MPI_Scan_init(from, to, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, request)
    call complete()
    call came(sums(0, rank, [1, 2]), 'MPI_Scan')
    if (form == blocking) call MPI_Exscan(from, to, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    if (form == nonblocking) call MPI_Iexscan(from, to, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request)
    if (form == persistent) call MPI_Exscan_init(from, to, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, request)
    call complete()
    if (rank == 0) call came([integer ::], 'MPI_Exscan of the first')
    if (rank > 0) call came(sums(0, rank - 1, [1, 2]), 'MPI_Exscan')
    if (form == blocking) call MPI_Reduce_scatter(from, to, counts, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    if (form == nonblocking) call MPI_Ireduce_scatter(from, to, counts, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request)
    if (form == persistent) call MPI_Reduce_scatter_init(from, to, counts, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, &
      MPI_INFO_NULL, request)
    call complete()
    call came(sums(0, ranks - 1, 2 * rank + [1, 2]), 'MPI_Reduce_scatter')
    if (form == blocking) call MPI_Reduce_scatter_block(from, to, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    if (form == nonblocking) call MPI_Ireduce_scatter_block(from, to, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request)
    if (form == persistent) call MPI_Reduce_scatter_block_init(from, to, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, &
      MPI_INFO_NULL, request)
    call complete()
    call came(sums(0, ranks - 1, 2 * rank + [1, 2]), 'MPI_Reduce_scatter_block')
    to(:4) = [(j, j = 1, 4)]
    call MPI_Reduce_local(from, to, 4, MPI_INTEGER, MPI_SUM)
    call came([(1000 * rank + 2 * j, j = 1, 4)], 'MPI_Reduce_local')
  end subroutine

  subroutine neighbours()
    integer :: two(2), four(4)
    two = 2
    four = [1000 * left + [1, 2], 1000 * right + [1, 2]]
    if (form == blocking) call MPI_Neighbor_allgather(from, 2, MPI_INTEGER, to, 2, MPI_INTEGER, ring)
    if (form == nonblocking) call MPI_Ineighbor_allgather(from, 2, MPI_INTEGER, to, 2, MPI_INTEGER, ring, request)
    if (form == persistent) call MPI_Neighbor_allgather_init(from, 2, MPI_INTEGER, to, 2, MPI_INTEGER, ring, &
      MPI_INFO_NULL, request)
    call complete()
    call came(four, 'MPI_Neighbor_allgather')
    if (form == blocking) call MPI_Neighbor_allgatherv(from, 2, MPI_INTEGER, to, two, [2, 0], MPI_INTEGER, ring)
    if (form == nonblocking) call MPI_Ineighbor_allgatherv(from, 2, MPI_INTEGER, to, two, [2, 0], MPI_INTEGER, ring, request)
    if (form == persistent) call MPI_Neighbor_allgatherv_init(from, 2, MPI_INTEGER, to, two, [2, 0], MPI_INTEGER, &
      ring, MPI_INFO_NULL, request)
    call complete()
    call came([four(3:4), four(1:2)], 'MPI_Neighbor_allgatherv')
    if (ranks < 3) return  ! both neighbours are the same rank
    four = [1000 * left + [3, 4], 1000 * right + [1, 2]]
    if (form == blocking) call MPI_Neighbor_alltoall(from, 2, MPI_INTEGER, to, 2, MPI_INTEGER, ring)
    if (form == nonblocking) call MPI_Ineighbor_alltoall(from, 2, MPI_INTEGER, to, 2, MPI_INTEGER, ring, request)
    if (form == persistent) call MPI_Neighbor_alltoall_init(from, 2, MPI_INTEGER, to, 2, MPI_INTEGER, ring, &
      MPI_INFO_NULL, request)
    call complete()
    call came(four, 'MPI_Neighbor_alltoall')
    if (form == blocking) call MPI_Neighbor_alltoallv(from, two, [0, 2], MPI_INTEGER, to, two, [2, 0], MPI_INTEGER, ring)
    if (form == nonblocking) call MPI_Ineighbor_alltoallv(from, two, [0, 2], MPI_INTEGER, to, two, [2, 0], &
      MPI_INTEGER, ring, request)
    if (form == persistent) call MPI_Neighbor_alltoallv_init(from, two, [0, 2], MPI_INTEGER, to, two, [2, 0], &
      MPI_INTEGER, ring, MPI_INFO_NULL, request)
    call complete()
    call came([four(3:4), four(1:2)], 'MPI_Neighbor_alltoallv')
    if (form == blocking) call MPI_Neighbor_alltoallw(from, two, offsets([0, 2]), types, to, two, offsets([2, 0]), types, ring)
    if (form == nonblocking) call MPI_Ineighbor_alltoallw(from, two, offsets([0, 2]), types, to, two, offsets([2, &
      0]), types, ring, request)
    if (form == persistent) call MPI_Neighbor_alltoallw_init(from, two, offsets([0, 2]), types, to, two, offsets([2, &
      0]), types, ring, MPI_INFO_NULL, request)
    call complete()
    call came([four(3:4), four(1:2)], 'MPI_Neighbor_alltoallw')
  end subroutine
  function offsets(elements) result(in_bytes)
    integer, intent(in) :: elements(2)
    integer(MPI_ADDRESS_KIND) :: in_bytes(2)
    in_bytes = 4 * elements
  end function

  ! Operands are elements of the datatype side by side, whatever lies between those of the section. The result is the
  ! product of the complex numbers 1 + (r + 1) i over all ranks.
  subroutine own_operation()
    type(MPI_Op) :: times
    type(MPI_Datatype) :: pair
    complex(8) :: product
    integer :: j, few
    few = min(ranks, 8)
    product = 1
    do j = 1, few
      product = product * cmplx(1, j, 8)
    end do
    call MPI_Type_contiguous(2, MPI_INTEGER, pair)
    call MPI_Type_commit(pair)
    call MPI_Op_create(complex_product, .true., times)
    do form = blocking, persistent
      from(:4) = [1, rank + 1, 1, rank + 1]
      if (rank >= 8) from(:4) = [1, 0, 1, 0]
      if (form == blocking) call MPI_Allreduce(from, to, 2, pair, times, MPI_COMM_WORLD)
      if (form == nonblocking) call MPI_Iallreduce(from, to, 2, pair, times, MPI_COMM_WORLD, request)
      if (form == persistent) call MPI_Allreduce_init(from, to, 2, pair, times, MPI_COMM_WORLD, MPI_INFO_NULL, request)
      call complete()
      from(:4) = 1000 * rank + [1, 2, 3, 4]
      call came(nint([real(product), aimag(product), real(product), aimag(product)]), 'an operation of the program')
    end do
    call MPI_Op_free(times)
    call MPI_Type_free(pair)
  end subroutine

  ! Memory that a collective does not use belongs to the program while the collective is under way.
  subroutine meanwhile()
    integer :: j
    call MPI_Igatherv(from, 2, MPI_INTEGER, to, counts, places, MPI_INTEGER, root, MPI_COMM_WORLD, request)
    to(2 * ranks + 1:) = [(j, j = 2 * ranks + 1, most)]
    if (rank /= root) to = [(j, j = 1, most)]
    call MPI_Migrate()
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    if (rank == root) call check(all(to(:2 * ranks) == backwards(of_each(1))), 'MPI_Igatherv')
    if (rank == root) to(:2 * ranks) = [(j, j = 1, 2 * ranks)]
    call came([(j, j = 1, most)], 'elements that are left alone')
  end subroutine

  ! A persistent collective reads and writes the section at each start.
  subroutine again_and_again()
    integer :: round
    call MPI_Allreduce_init(from, to, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, request)
    do round = 1, 4
      from(:2) = rank + round * [10, 20]
      call MPI_Start(request)
      call MPI_Migrate()
      call MPI_Wait(request, MPI_STATUS_IGNORE)
      from(:2) = 1000 * rank + [1, 2]
      call came(ranks * (ranks - 1) / 2 + ranks * round * [10, 20], 'MPI_Allreduce_init')
    end do
    call MPI_Request_free(request)
  end subroutine

  subroutine one_sided()
    integer, asynchronous :: memory(most)
    type(MPI_Win) :: window
    integer(MPI_ADDRESS_KIND), parameter :: third = 2
    memory = gap
    call MPI_Win_create(memory, 4_MPI_ADDRESS_KIND * most, 4, MPI_INFO_NULL, MPI_COMM_WORLD, window)
    call MPI_Win_fence(0, window)
    call MPI_Put(from, 4, MPI_INTEGER, right, third, 4, MPI_INTEGER, window)
    call MPI_Win_fence(0, window)
    call check(all(memory(3:6) == 1000 * left + [1, 2, 3, 4]) .and. count(memory == gap) == most - 4, 'MPI_Put')
    call MPI_Barrier(MPI_COMM_WORLD)
    call MPI_Accumulate(from, 4, MPI_INTEGER, right, third, 4, MPI_INTEGER, MPI_SUM, window)
    call MPI_Win_fence(0, window)
    call check(all(memory(3:6) == 2000 * left + [2, 4, 6, 8]) .and. count(memory == gap) == most - 4, 'MPI_Accumulate')
    call MPI_Barrier(MPI_COMM_WORLD)
    call MPI_Get(to, 4, MPI_INTEGER, right, third, 4, MPI_INTEGER, window)
    call MPI_Win_fence(0, window)
    call came(2000 * rank + [2, 4, 6, 8], 'MPI_Get')
    call MPI_Barrier(MPI_COMM_WORLD)
    call MPI_Win_lock_all(0, window)
    call MPI_Rput(from(5:), 4, MPI_INTEGER, right, third, 4, MPI_INTEGER, window, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call MPI_Win_flush_all(window)
    call MPI_Raccumulate(from, 4, MPI_INTEGER, right, third, 4, MPI_INTEGER, MPI_SUM, window, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call MPI_Win_flush_all(window)
    call MPI_Rget(to, 4, MPI_INTEGER, right, third, 4, MPI_INTEGER, window, request)
    call MPI_Migrate()
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call came(2000 * rank + [6, 8, 10, 12], 'MPI_Rput, MPI_Raccumulate, MPI_Rget')
    call MPI_Get_accumulate(from, 2, MPI_INTEGER, to, 2, MPI_INTEGER, right, third, 2, MPI_INTEGER, MPI_SUM, window)
    call MPI_Win_flush_all(window)
    call came(2000 * rank + [6, 8], 'MPI_Get_accumulate')
    call MPI_Rget_accumulate(from, 2, MPI_INTEGER, to, 2, MPI_INTEGER, right, third, 2, MPI_INTEGER, MPI_NO_OP, window, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call came(3000 * rank + [7, 10], 'MPI_Rget_accumulate')
    call MPI_Fetch_and_op(from(2:), to, MPI_INTEGER, right, third, MPI_SUM, window)
    call MPI_Win_flush_all(window)
    call came([3000 * rank + 7], 'MPI_Fetch_and_op')
    call MPI_Compare_and_swap(from(3:), from, to, MPI_INTEGER, right, third + 20, window)
    call MPI_Win_flush_all(window)
    call came([gap], 'MPI_Compare_and_swap')
    call MPI_Win_unlock_all(window)
    call MPI_Barrier(MPI_COMM_WORLD)
    call check(all(memory(3:4) == [4000 * left + 9, 3000 * left + 10]) .and. memory(23) == gap, 'the window')
    call MPI_Win_free(window)
  end subroutine

  subroutine files()
    type(MPI_File) :: file
    integer(MPI_OFFSET_KIND) :: at
    at = 4 * 3 * rank
    call MPI_File_open(MPI_COMM_WORLD, 'sections.data', ior(MPI_MODE_RDWR, ior(MPI_MODE_CREATE, MPI_MODE_DELETE_ON_CLOSE)), &
                       MPI_INFO_NULL, file)
    call MPI_File_iwrite_at(file, at, from, 3, MPI_INTEGER, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call MPI_File_iread_at(file, at, to, 3, MPI_INTEGER, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call came(1000 * rank + [1, 2, 3], 'MPI_File_iread_at')
    call MPI_File_write_at_all_begin(file, at, from(2:), 3, MPI_INTEGER)
    call MPI_File_write_at_all_end(file, from(2:), MPI_STATUS_IGNORE)
    call MPI_File_sync(file)
    call MPI_Barrier(MPI_COMM_WORLD)
    call MPI_File_iread_at_all(file, 4_MPI_OFFSET_KIND * 3 * right, to, 3, MPI_INTEGER, request)
    call MPI_Migrate()
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call came(1000 * right + [2, 3, 4], 'MPI_File_iread_at_all')
    call MPI_File_write_at(file, at, from(3:), 3, MPI_INTEGER, MPI_STATUS_IGNORE)
    call MPI_File_read_at(file, at, to, 3, MPI_INTEGER, MPI_STATUS_IGNORE)
    call came(1000 * rank + [3, 4, 5], 'MPI_File_read_at')
    call MPI_File_close(file)
  end subroutine
end program
