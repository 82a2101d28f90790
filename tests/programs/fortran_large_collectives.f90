! SPDX-License-Identifier: Apache-2.0
! Collectives of module mpi_f08 with large counts: by the same names, counts of kind MPI_COUNT_KIND and displacements of
! kind MPI_ADDRESS_KIND (MPI 4.1, section 19.1.5). Expected results come from formulas of the ranks.
program fortran_large_collectives
  use mpi_f08
  implicit none
  integer(MPI_COUNT_KIND), parameter :: one = 1, two = 2
  integer(MPI_COUNT_KIND), allocatable :: ones(:)
  integer(MPI_ADDRESS_KIND), allocatable :: places(:), bytes(:)
  type(MPI_Datatype), allocatable :: types(:)
  integer, allocatable, asynchronous :: mine(:), all_of_it(:), from_all(:), to_all(:)
  integer :: rank, ranks, left, right, i
  type(MPI_Request) :: request
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  right = mod(rank + 1, ranks)
  left = mod(rank + ranks - 1, ranks)
  mine = [rank]
  allocate (all_of_it(ranks))
  ones = [(one, i = 1, ranks)]
  places = [(int(i - 1, MPI_ADDRESS_KIND), i = 1, ranks)]
  bytes = 4 * places
  types = [(MPI_INTEGER, i = 1, ranks)]
  from_all = [(100 * i + rank, i = 0, ranks - 1)]
  to_all = [(100 * rank + i, i = 0, ranks - 1)]
  call movement()
  call MPI_Migrate()
  call reductions()
  call MPI_Migrate()
  call neighbours()
  call MPI_Finalize()
  if (rank == 0) print '(a)', 'fortran_large_collectives: all as it should be'
contains
  include 'check.inc'

  ! Completes a call in its three forms: blocking, nonblocking, persistent. `form` counts them.
  subroutine complete(form)
    integer, intent(in) :: form
    if (form == 3) call MPI_Start(request)
    if (form > 1) call MPI_Wait(request, MPI_STATUS_IGNORE)
    if (form == 3) call MPI_Request_free(request)
  end subroutine

  subroutine movement()
    integer :: form
    do form = 1, 3
      all_of_it(1) = 5 + rank
      select case (form)
      case (1)
        call MPI_Bcast(all_of_it, ones(1), MPI_INTEGER, 0, MPI_COMM_WORLD)
      case (2)
        call MPI_Ibcast(all_of_it, ones(1), MPI_INTEGER, 0, MPI_COMM_WORLD, request)
      case (3)
        call MPI_Bcast_init(all_of_it, ones(1), MPI_INTEGER, 0, MPI_COMM_WORLD, MPI_INFO_NULL, request)
      end select
      call complete(form)
      call check(all_of_it(1) == 5, 'MPI_Bcast')
      all_of_it = -1
      select case (form)
      case (1)
        call MPI_Gather(mine, one, MPI_INTEGER, all_of_it, one, MPI_INTEGER, 0, MPI_COMM_WORLD)
      case (2)
        call MPI_Igather(mine, one, MPI_INTEGER, all_of_it, one, MPI_INTEGER, 0, MPI_COMM_WORLD, request)
      case (3)
        call MPI_Gather_init(mine, one, MPI_INTEGER, all_of_it, one, MPI_INTEGER, 0, MPI_COMM_WORLD, MPI_INFO_NULL, request)
      end select
      call complete(form)
      call check(rank > 0 .or. all(all_of_it == [(i, i=0, ranks - 1)]), 'MPI_Gather')
      all_of_it = -1
      select case (form)
      case (1)
        call MPI_Gatherv(mine, one, MPI_INTEGER, all_of_it, ones, places, MPI_INTEGER, 0, MPI_COMM_WORLD)
      case (2)
        call MPI_Igatherv(mine, one, MPI_INTEGER, all_of_it, ones, places, MPI_INTEGER, 0, MPI_COMM_WORLD, request)
      case (3)
        call MPI_Gatherv_init(mine, one, MPI_INTEGER, all_of_it, ones, places, MPI_INTEGER, 0, MPI_COMM_WORLD, &
                              MPI_INFO_NULL, request)
      end select
      call complete(form)
      call check(rank > 0 .or. all(all_of_it == [(i, i=0, ranks - 1)]), 'MPI_Gatherv')
      all_of_it = -1
      select case (form)
      case (1)
        call MPI_Scatter(to_all, one, MPI_INTEGER, all_of_it, one, MPI_INTEGER, 0, MPI_COMM_WORLD)
      case (2)
        call MPI_Iscatter(to_all, one, MPI_INTEGER, all_of_it, one, MPI_INTEGER, 0, MPI_COMM_WORLD, request)
      case (3)
        call MPI_Scatter_init(to_all, one, MPI_INTEGER, all_of_it, one, MPI_INTEGER, 0, MPI_COMM_WORLD, &
                              MPI_INFO_NULL, request)
      end select
      call complete(form)
      call check(all_of_it(1) == rank, 'MPI_Scatter')
      all_of_it = -1
      select case (form)
      case (1)
        call MPI_Scatterv(to_all, ones, places, MPI_INTEGER, all_of_it, one, MPI_INTEGER, 0, MPI_COMM_WORLD)
      case (2)
        call MPI_Iscatterv(to_all, ones, places, MPI_INTEGER, all_of_it, one, MPI_INTEGER, 0, MPI_COMM_WORLD, request)
      case (3)
        call MPI_Scatterv_init(to_all, ones, places, MPI_INTEGER, all_of_it, one, MPI_INTEGER, 0, MPI_COMM_WORLD, &
                               MPI_INFO_NULL, request)
      end select
      call complete(form)
      call check(all_of_it(1) == rank, 'MPI_Scatterv')
      all_of_it = -1
      select case (form)
      case (1)
        call MPI_Allgather(mine, one, MPI_INTEGER, all_of_it, one, MPI_INTEGER, MPI_COMM_WORLD)
      case (2)
        call MPI_Iallgather(mine, one, MPI_INTEGER, all_of_it, one, MPI_INTEGER, MPI_COMM_WORLD, request)
      case (3)
        call MPI_Allgather_init(mine, one, MPI_INTEGER, all_of_it, one, MPI_INTEGER, MPI_COMM_WORLD, MPI_INFO_NULL, request)
      end select
      call complete(form)
      call check(all(all_of_it == [(i, i=0, ranks - 1)]), 'MPI_Allgather')
      all_of_it = -1
      select case (form)
      case (1)
        call MPI_Allgatherv(mine, one, MPI_INTEGER, all_of_it, ones, places, MPI_INTEGER, MPI_COMM_WORLD)
      case (2)
        call MPI_Iallgatherv(mine, one, MPI_INTEGER, all_of_it, ones, places, MPI_INTEGER, MPI_COMM_WORLD, request)
      case (3)
        call MPI_Allgatherv_init(mine, one, MPI_INTEGER, all_of_it, ones, places, MPI_INTEGER, MPI_COMM_WORLD, &
                                 MPI_INFO_NULL, request)
      end select
      call complete(form)
      call check(all(all_of_it == [(i, i=0, ranks - 1)]), 'MPI_Allgatherv')
      all_of_it = -1
      select case (form)
      case (1)
        call MPI_Alltoall(to_all, one, MPI_INTEGER, all_of_it, one, MPI_INTEGER, MPI_COMM_WORLD)
      case (2)
        call MPI_Ialltoall(to_all, one, MPI_INTEGER, all_of_it, one, MPI_INTEGER, MPI_COMM_WORLD, request)
      case (3)
        call MPI_Alltoall_init(to_all, one, MPI_INTEGER, all_of_it, one, MPI_INTEGER, MPI_COMM_WORLD, MPI_INFO_NULL, request)
      end select
      call complete(form)
      call check(all(all_of_it == from_all), 'MPI_Alltoall')
      all_of_it = -1
      select case (form)
      case (1)
        call MPI_Alltoallv(to_all, ones, places, MPI_INTEGER, all_of_it, ones, places, MPI_INTEGER, MPI_COMM_WORLD)
      case (2)
        call MPI_Ialltoallv(to_all, ones, places, MPI_INTEGER, all_of_it, ones, places, MPI_INTEGER, MPI_COMM_WORLD, request)
      case (3)
        call MPI_Alltoallv_init(to_all, ones, places, MPI_INTEGER, all_of_it, ones, places, MPI_INTEGER, &
                                MPI_COMM_WORLD, MPI_INFO_NULL, request)
      end select
      call complete(form)
      call check(all(all_of_it == from_all), 'MPI_Alltoallv')
      all_of_it = -1
      select case (form)
      case (1)
        call MPI_Alltoallw(to_all, ones, bytes, types, all_of_it, ones, bytes, types, MPI_COMM_WORLD)
      case (2)
        call MPI_Ialltoallw(to_all, ones, bytes, types, all_of_it, ones, bytes, types, MPI_COMM_WORLD, request)
      case (3)
        call MPI_Alltoallw_init(to_all, ones, bytes, types, all_of_it, ones, bytes, types, MPI_COMM_WORLD, &
                                MPI_INFO_NULL, request)
      end select
      call complete(form)
      call check(all(all_of_it == from_all), 'MPI_Alltoallw')
    end do
  end subroutine

  subroutine reductions()
    integer :: form, total, before, two_more(2)
    total = ranks * (ranks - 1) / 2
    before = rank * (rank - 1) / 2
    do form = 1, 3
      all_of_it = -1
      select case (form)
      case (1)
        call MPI_Reduce(mine, all_of_it, one, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD)
      case (2)
        call MPI_Ireduce(mine, all_of_it, one, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, request)
      case (3)
        call MPI_Reduce_init(mine, all_of_it, one, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, MPI_INFO_NULL, request)
      end select
      call complete(form)
      call check(rank > 0 .or. all_of_it(1) == total, 'MPI_Reduce')
      all_of_it = -1
      select case (form)
      case (1)
        call MPI_Allreduce(mine, all_of_it, one, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
      case (2)
        call MPI_Iallreduce(mine, all_of_it, one, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request)
      case (3)
        call MPI_Allreduce_init(mine, all_of_it, one, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, request)
      end select
      call complete(form)
      call check(all_of_it(1) == total, 'MPI_Allreduce')
      all_of_it = -1
      select case (form)
      case (1)
        call MPI_Scan(mine, all_of_it, one, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
      case (2)
        call MPI_Iscan(mine, all_of_it, one, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request)
      case (3)
        call MPI_Scan_init(mine, all_of_it, one, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, request)
      end select
      call complete(form)
      call check(all_of_it(1) == before + rank, 'MPI_Scan')
      all_of_it = -1
      select case (form)
      case (1)
        call MPI_Exscan(mine, all_of_it, one, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
      case (2)
        call MPI_Iexscan(mine, all_of_it, one, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request)
      case (3)
        call MPI_Exscan_init(mine, all_of_it, one, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, request)
      end select
      call complete(form)
      call check(rank == 0 .or. all_of_it(1) == before, 'MPI_Exscan')
      all_of_it = -1
      select case (form)
      case (1)
        call MPI_Reduce_scatter(to_all, all_of_it, ones, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
      case (2)
        call MPI_Ireduce_scatter(to_all, all_of_it, ones, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request)
      case (3)
        call MPI_Reduce_scatter_init(to_all, all_of_it, ones, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, request)
      end select
      call complete(form)
      call check(all_of_it(1) == sum(from_all), 'MPI_Reduce_scatter')
      all_of_it = -1
      select case (form)
      case (1)
        call MPI_Reduce_scatter_block(to_all, all_of_it, one, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
      case (2)
        call MPI_Ireduce_scatter_block(to_all, all_of_it, one, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request)
      case (3)
        call MPI_Reduce_scatter_block_init(to_all, all_of_it, one, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, &
                                           MPI_INFO_NULL, request)
      end select
      call complete(form)
      call check(all_of_it(1) == sum(from_all), 'MPI_Reduce_scatter_block')
    end do
    two_more = [10, 20]
    call MPI_Reduce_local([3, 4], two_more, two, MPI_INTEGER, MPI_SUM)
    call check(all(two_more == [13, 24]), 'MPI_Reduce_local')
  end subroutine

  ! On a ring without weights: one neighbour to receive from, one to send to.
  subroutine neighbours()
    type(MPI_Comm) :: ring
    integer :: form
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, [left], MPI_UNWEIGHTED, 1, [right], MPI_UNWEIGHTED, &
                                        MPI_INFO_NULL, .false., ring)
    do form = 1, 3
      all_of_it = -1
      select case (form)
      case (1)
        call MPI_Neighbor_allgather(mine, one, MPI_INTEGER, all_of_it, one, MPI_INTEGER, ring)
      case (2)
        call MPI_Ineighbor_allgather(mine, one, MPI_INTEGER, all_of_it, one, MPI_INTEGER, ring, request)
      case (3)
        call MPI_Neighbor_allgather_init(mine, one, MPI_INTEGER, all_of_it, one, MPI_INTEGER, ring, MPI_INFO_NULL, request)
      end select
      call complete(form)
      call check(all_of_it(1) == left, 'MPI_Neighbor_allgather')
      all_of_it = -1
      select case (form)
      case (1)
        call MPI_Neighbor_allgatherv(mine, one, MPI_INTEGER, all_of_it, ones, places, MPI_INTEGER, ring)
      case (2)
        call MPI_Ineighbor_allgatherv(mine, one, MPI_INTEGER, all_of_it, ones, places, MPI_INTEGER, ring, request)
      case (3)
        call MPI_Neighbor_allgatherv_init(mine, one, MPI_INTEGER, all_of_it, ones, places, MPI_INTEGER, ring, &
                                          MPI_INFO_NULL, request)
      end select
      call complete(form)
      call check(all_of_it(1) == left, 'MPI_Neighbor_allgatherv')
      all_of_it = -1
      select case (form)
      case (1)
        call MPI_Neighbor_alltoall(mine, one, MPI_INTEGER, all_of_it, one, MPI_INTEGER, ring)
      case (2)
        call MPI_Ineighbor_alltoall(mine, one, MPI_INTEGER, all_of_it, one, MPI_INTEGER, ring, request)
      case (3)
        call MPI_Neighbor_alltoall_init(mine, one, MPI_INTEGER, all_of_it, one, MPI_INTEGER, ring, MPI_INFO_NULL, request)
      end select
      call complete(form)
      call check(all_of_it(1) == left, 'MPI_Neighbor_alltoall')
      all_of_it = -1
      select case (form)
      case (1)
        call MPI_Neighbor_alltoallv(mine, ones, places, MPI_INTEGER, all_of_it, ones, places, MPI_INTEGER, ring)
      case (2)
        call MPI_Ineighbor_alltoallv(mine, ones, places, MPI_INTEGER, all_of_it, ones, places, MPI_INTEGER, ring, request)
      case (3)
        call MPI_Neighbor_alltoallv_init(mine, ones, places, MPI_INTEGER, all_of_it, ones, places, MPI_INTEGER, ring, &
                                         MPI_INFO_NULL, request)
      end select
      call complete(form)
      call check(all_of_it(1) == left, 'MPI_Neighbor_alltoallv')
      all_of_it = -1
      select case (form)
      case (1)
        call MPI_Neighbor_alltoallw(mine, ones, bytes, types, all_of_it, ones, bytes, types, ring)
      case (2)
        call MPI_Ineighbor_alltoallw(mine, ones, bytes, types, all_of_it, ones, bytes, types, ring, request)
      case (3)
        call MPI_Neighbor_alltoallw_init(mine, ones, bytes, types, all_of_it, ones, bytes, types, ring, &
                                         MPI_INFO_NULL, request)
      end select
      call complete(form)
      call check(all_of_it(1) == left, 'MPI_Neighbor_alltoallw')
    end do
    call MPI_Comm_free(ring)
  end subroutine
end program
