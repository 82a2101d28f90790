! SPDX-License-Identifier: Apache-2.0
! Every collective in its three forms as Fortran calls them, while ranks move. Rank r brings r, or r * 100 + place.
module operations
  implicit none
contains
  subroutine add_twice(in, in_out, length, datatype)
    use mpi
    integer :: length, datatype, in(length), in_out(length)
    if (datatype == MPI_INTEGER) in_out = in_out + 2 * in
  end subroutine
end module

program fortran_collectives
  use mpi
  implicit none
  integer, parameter :: blocking = 0, nonblocking = 1, persistent = 2
  integer :: rank, ranks, ierr, i, form, request, root
  integer, allocatable :: one(:), more(:), counts(:), places(:), bytes(:), types(:), piece(:), others(:)
  integer :: got, total, below
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  allocate (one(0:ranks - 1), more(0:ranks - 1), counts(0:ranks - 1), places(0:ranks - 1), bytes(0:ranks - 1))
  allocate (types(0:ranks - 1), piece(0:ranks - 1), others(0:ranks - 1))
  counts = 1
  types = MPI_INTEGER
  places = [(ranks - 1 - i, i = 0, ranks - 1)]  ! pieces in reverse order
  bytes = 4 * places
  total = ranks * (ranks - 1) / 2
  below = rank * (rank - 1) / 2
  root = ranks / 2
  do form = blocking, persistent
    call movement()
    call exchanges()
    call reductions()
    call MPI_Migrate(ierr)
  end do
  call operations_of_its_own()
  call MPI_Finalize(ierr)
  if (rank == 0) print '(a)', 'fortran_collectives: all as it should be'
contains
  subroutine check(good, what)
    logical, intent(in) :: good
    character(*), intent(in) :: what
    integer :: ierror
    if (good) return
    write (0, *) 'rank', rank, ', form', form, ': not so: ', what
    call MPI_Abort(MPI_COMM_WORLD, 3, ierror)
  end subroutine

  ! Ends what a nonblocking or a persistent call has begun.
  subroutine finish()
    integer :: ierror
    if (form == blocking) return
    if (form == persistent) call MPI_Start(request, ierror)
    call MPI_Migrate(ierror)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
    if (form == persistent) call MPI_Request_free(request, ierror)
    call check(request == MPI_REQUEST_NULL, 'the request is gone')
  end subroutine

  subroutine movement()
    select case (form)
    case (blocking); call MPI_Barrier(MPI_COMM_WORLD, ierr)
    case (nonblocking); call MPI_Ibarrier(MPI_COMM_WORLD, request, ierr)
    case (persistent); call MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, request, ierr)
    end select
    call finish()

    got = merge(77, -1, rank == root)
    select case (form)
    case (blocking); call MPI_Bcast(got, 1, MPI_INTEGER, root, MPI_COMM_WORLD, ierr)
    case (nonblocking); call MPI_Ibcast(got, 1, MPI_INTEGER, root, MPI_COMM_WORLD, request, ierr)
    case (persistent); call MPI_Bcast_init(got, 1, MPI_INTEGER, root, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierr)
    end select
    call finish()
    call check(got == 77, 'bcast')

    more = -1
    select case (form)
    case (blocking); call MPI_Gather(rank, 1, MPI_INTEGER, more, 1, MPI_INTEGER, root, MPI_COMM_WORLD, ierr)
    case (nonblocking); call MPI_Igather(rank, 1, MPI_INTEGER, more, 1, MPI_INTEGER, root, MPI_COMM_WORLD, request, &
        ierr)
    case (persistent)
      call MPI_Gather_init(rank, 1, MPI_INTEGER, more, 1, MPI_INTEGER, root, MPI_COMM_WORLD, MPI_INFO_NULL, &
          request, ierr)
    end select
    call finish()
    if (rank == root) call check(all(more == [(i, i = 0, ranks - 1)]), 'gather')

    more = -1
    select case (form)
    case (blocking)
      call MPI_Gatherv(rank, 1, MPI_INTEGER, more, counts, places, MPI_INTEGER, root, MPI_COMM_WORLD, ierr)
    case (nonblocking)
      call MPI_Igatherv(rank, 1, MPI_INTEGER, more, counts, places, MPI_INTEGER, root, MPI_COMM_WORLD, request, ierr)
    case (persistent)
      call MPI_Gatherv_init(rank, 1, MPI_INTEGER, more, counts, places, MPI_INTEGER, root, MPI_COMM_WORLD, &
                            MPI_INFO_NULL, request, ierr)
    end select
    call finish()
    if (rank == root) call check(all(more == places), 'gatherv')

    one = [(100 * rank + i, i = 0, ranks - 1)]
    select case (form)
    case (blocking); call MPI_Scatter(one, 1, MPI_INTEGER, got, 1, MPI_INTEGER, root, MPI_COMM_WORLD, ierr)
    case (nonblocking); call MPI_Iscatter(one, 1, MPI_INTEGER, got, 1, MPI_INTEGER, root, MPI_COMM_WORLD, request, ierr)
    case (persistent)
      call MPI_Scatter_init(one, 1, MPI_INTEGER, got, 1, MPI_INTEGER, root, MPI_COMM_WORLD, MPI_INFO_NULL, request, &
          ierr)
    end select
    call finish()
    call check(got == 100 * root + rank, 'scatter')

    select case (form)
    case (blocking)
      call MPI_Scatterv(one, counts, places, MPI_INTEGER, got, 1, MPI_INTEGER, root, MPI_COMM_WORLD, ierr)
    case (nonblocking)
      call MPI_Iscatterv(one, counts, places, MPI_INTEGER, got, 1, MPI_INTEGER, root, MPI_COMM_WORLD, request, ierr)
    case (persistent)
      call MPI_Scatterv_init(one, counts, places, MPI_INTEGER, got, 1, MPI_INTEGER, root, MPI_COMM_WORLD, &
                             MPI_INFO_NULL, request, ierr)
    end select
    call finish()
    call check(got == 100 * root + places(rank), 'scatterv')
  end subroutine

  subroutine exchanges()
    more = -1
    select case (form)
    case (blocking); call MPI_Allgather(rank, 1, MPI_INTEGER, more, 1, MPI_INTEGER, MPI_COMM_WORLD, ierr)
    case (nonblocking); call MPI_Iallgather(rank, 1, MPI_INTEGER, more, 1, MPI_INTEGER, MPI_COMM_WORLD, request, ierr)
    case (persistent)
      call MPI_Allgather_init(rank, 1, MPI_INTEGER, more, 1, MPI_INTEGER, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierr)
    end select
    call finish()
    call check(all(more == [(i, i = 0, ranks - 1)]), 'allgather')

    more = -1
    more(places(rank)) = rank
    select case (form)
    case (blocking)
      call MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_INTEGER, more, counts, places, MPI_INTEGER, MPI_COMM_WORLD, ierr)
    case (nonblocking)
      call MPI_Iallgatherv(MPI_IN_PLACE, 0, MPI_INTEGER, more, counts, places, MPI_INTEGER, MPI_COMM_WORLD, &
          request, ierr)
    case (persistent)
      call MPI_Allgatherv_init(MPI_IN_PLACE, 0, MPI_INTEGER, more, counts, places, MPI_INTEGER, MPI_COMM_WORLD, &
                               MPI_INFO_NULL, request, ierr)
    end select
    call finish()
    call check(all(more == places), 'allgatherv')

    one = [(100 * rank + i, i = 0, ranks - 1)]
    others = [(100 * i + rank, i = 0, ranks - 1)]
    more = -1
    select case (form)
    case (blocking); call MPI_Alltoall(one, 1, MPI_INTEGER, more, 1, MPI_INTEGER, MPI_COMM_WORLD, ierr)
    case (nonblocking); call MPI_Ialltoall(one, 1, MPI_INTEGER, more, 1, MPI_INTEGER, MPI_COMM_WORLD, request, ierr)
    case (persistent)
      call MPI_Alltoall_init(one, 1, MPI_INTEGER, more, 1, MPI_INTEGER, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierr)
    end select
    call finish()
    call check(all(more == others), 'alltoall')

    ! The piece for rank i, and that from rank i, stand at place ranks - 1 - i.
    piece(places) = one
    more = -1
    select case (form)
    case (blocking)
      call MPI_Alltoallv(piece, counts, places, MPI_INTEGER, more, counts, places, MPI_INTEGER, MPI_COMM_WORLD, ierr)
    case (nonblocking)
      call MPI_Ialltoallv(piece, counts, places, MPI_INTEGER, more, counts, places, MPI_INTEGER, MPI_COMM_WORLD, &
                          request, ierr)
    case (persistent)
      call MPI_Alltoallv_init(piece, counts, places, MPI_INTEGER, more, counts, places, MPI_INTEGER, MPI_COMM_WORLD, &
                              MPI_INFO_NULL, request, ierr)
    end select
    call finish()
    call check(all(more(places) == others), 'alltoallv')

    more = -1
    select case (form)
    case (blocking)
      call MPI_Alltoallw(piece, counts, bytes, types, more, counts, bytes, types, MPI_COMM_WORLD, ierr)
    case (nonblocking)
      call MPI_Ialltoallw(piece, counts, bytes, types, more, counts, bytes, types, MPI_COMM_WORLD, request, ierr)
    case (persistent)
      call MPI_Alltoallw_init(piece, counts, bytes, types, more, counts, bytes, types, MPI_COMM_WORLD, MPI_INFO_NULL, &
                              request, ierr)
    end select
    call finish()
    call check(all(more(places) == others), 'alltoallw')
  end subroutine

  subroutine reductions()
    got = -1
    select case (form)
    case (blocking); call MPI_Reduce(rank, got, 1, MPI_INTEGER, MPI_SUM, root, MPI_COMM_WORLD, ierr)
    case (nonblocking); call MPI_Ireduce(rank, got, 1, MPI_INTEGER, MPI_SUM, root, MPI_COMM_WORLD, request, ierr)
    case (persistent)
      call MPI_Reduce_init(rank, got, 1, MPI_INTEGER, MPI_SUM, root, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierr)
    end select
    call finish()
    call check(got == merge(total, -1, rank == root), 'reduce')

    select case (form)
    case (blocking); call MPI_Allreduce(rank, got, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
    case (nonblocking); call MPI_Iallreduce(rank, got, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request, ierr)
    case (persistent)
      call MPI_Allreduce_init(rank, got, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierr)
    end select
    call finish()
    call check(got == total, 'allreduce')

    select case (form)
    case (blocking); call MPI_Scan(rank, got, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
    case (nonblocking); call MPI_Iscan(rank, got, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request, ierr)
    case (persistent); call MPI_Scan_init(rank, got, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &
        request, ierr)
    end select
    call finish()
    call check(got == below + rank, 'scan')

    got = 0
    select case (form)
    case (blocking); call MPI_Exscan(rank, got, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
    case (nonblocking); call MPI_Iexscan(rank, got, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request, ierr)
    case (persistent)
      call MPI_Exscan_init(rank, got, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierr)
    end select
    call finish()
    call check(got == below, 'exscan')

    one = [(rank + i, i = 0, ranks - 1)]
    select case (form)
    case (blocking); call MPI_Reduce_scatter(one, got, counts, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
    case (nonblocking); call MPI_Ireduce_scatter(one, got, counts, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request, ierr)
    case (persistent)
      call MPI_Reduce_scatter_init(one, got, counts, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierr)
    end select
    call finish()
    call check(got == total + ranks * rank, 'reduce_scatter')

    got = -1
    select case (form)
    case (blocking); call MPI_Reduce_scatter_block(one, got, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
    case (nonblocking); call MPI_Ireduce_scatter_block(one, got, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request, ierr)
    case (persistent)
      call MPI_Reduce_scatter_block_init(one, got, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, request, &
          ierr)
    end select
    call finish()
    call check(got == total + ranks * rank, 'reduce_scatter_block')
  end subroutine

  subroutine operations_of_its_own()
    use operations
    integer :: op, two(2)
    logical :: commutes
    call MPI_Op_create(add_twice, .false., op, ierr)
    call MPI_Op_commutative(op, commutes, ierr)
    call check(.not. commutes, 'op_commutative')
    two = [3, 4]
    call MPI_Reduce_local([1, 2], two, 2, MPI_INTEGER, op, ierr)
    call check(all(two == [5, 8]), 'reduce_local')
    call MPI_Op_free(op, ierr)
    call check(op == MPI_OP_NULL, 'op_free')
  end subroutine
end program
