! SPDX-License-Identifier: Apache-2.0
! Graphs and neighbourhood collectives as Fortran calls them, while ranks move: a ring, in which rank r
! contributes 100 * r + the number of the edge.
program fortran_topologies
  use mpi
  implicit none
  integer, parameter :: blocking = 0, nonblocking = 1, persistent = 2
  integer :: rank, ranks, ierr, form, request, below, above, number, other, i
  integer :: out(2), in(2), counts(2), places(2), types(2), wanted(2)
  integer :: to_there(2) = [0, 1]
  integer(MPI_ADDRESS_KIND) :: bytes(2), from_here(2) = [0_MPI_ADDRESS_KIND, 4_MPI_ADDRESS_KIND]
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  below = mod(rank + ranks - 1, ranks)
  above = mod(rank + 1, ranks)
  out = [100 * rank, 100 * rank + 1]
  counts = 1
  places = [1, 0]  ! pieces in reverse order
  bytes = 4 * places
  types = MPI_INTEGER
  call graph()
  call distributed()
  call grid()
  call MPI_Finalize(ierr)
  if (rank == 0) print '(a)', 'fortran_topologies: all as it should be'
contains
  subroutine check(good, what)
    logical, intent(in) :: good
    character(*), intent(in) :: what
    integer :: ierror
    if (good) return
    write (0, *) 'rank', rank, ', form', form, ': not so: ', what
    call MPI_Abort(MPI_COMM_WORLD, 3, ierror)
  end subroutine

  ! Each rank has edges to the next rank and back.
  subroutine graph()
    integer :: ring, index(ranks), edges(2 * ranks), got(2 * ranks), ends(ranks)
    form = blocking
    index = [(2 * i, i = 1, ranks)]
    do i = 1, ranks
      edges(2 * i - 1:2 * i) = [mod(i - 2 + ranks, ranks), mod(i, ranks)]
    end do
    call MPI_Graph_map(MPI_COMM_WORLD, ranks, index, edges, number, ierr)
    call check(number >= 0 .and. number < ranks, 'graph_map')
    call MPI_Graph_create(MPI_COMM_WORLD, ranks, index, edges, .false., ring, ierr)
    call MPI_Migrate(ierr)
    call MPI_Topo_test(ring, number, ierr)
    call check(number == MPI_GRAPH, 'topo_test')
    call MPI_Graphdims_get(ring, number, other, ierr)
    call check(number == ranks .and. other == 2 * ranks, 'graphdims_get')
    call MPI_Graph_get(ring, ranks, 2 * ranks, ends, got, ierr)
    call check(all(ends == index) .and. all(got == edges), 'graph_get')
    call MPI_Graph_neighbors_count(ring, rank, number, ierr)
    call check(number == 2, 'graph_neighbors_count')
    call MPI_Graph_neighbors(ring, rank, 2, in, ierr)
    call check(all(in == [below, above]), 'graph_neighbors')
    ! The first edge to a rank that is both neighbours is the first from it.
    call all_forms(ring, merge([100 * below, 100 * above + 1], [100 * below + 1, 100 * above], ranks < 3))
    call MPI_Comm_free(ring, ierr)
  end subroutine

  subroutine distributed()
    integer :: ring, from(2), to(2), from_weights(2), to_weights(2), degree(1), own(1)
    logical :: weighted
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, [below, above], MPI_UNWEIGHTED, 2, [below, above], &
                                        MPI_UNWEIGHTED, MPI_INFO_NULL, .false., ring, ierr)
    call MPI_Dist_graph_neighbors_count(ring, number, other, weighted, ierr)
    call check(number == 2 .and. other == 2 .and. .not. weighted, 'dist_graph_neighbors_count')
    call MPI_Dist_graph_neighbors(ring, 2, from, MPI_UNWEIGHTED, 2, to, MPI_UNWEIGHTED, ierr)
    call check(all(from == [below, above]) .and. all(to == from), 'dist_graph_neighbors')
    call all_forms(ring, merge([100 * below, 100 * above + 1], [100 * below + 1, 100 * above], ranks < 3))
    call MPI_Comm_free(ring, ierr)
    degree = 2
    own = rank
    call MPI_Dist_graph_create(MPI_COMM_WORLD, 1, own, degree, [below, above], [3, 4], MPI_INFO_NULL, .true., &
                               ring, ierr)
    call MPI_Dist_graph_neighbors_count(ring, number, other, weighted, ierr)
    call MPI_Dist_graph_neighbors(ring, 2, from, from_weights, 2, to, to_weights, ierr)
    call check(number == 2 .and. other == 2 .and. weighted .and. sum(to) == below + above, 'dist_graph_create')
    call check(sum(from) == below + above .and. sum(to_weights) == 7 .and. sum(from_weights) == 7, 'weights')
    call MPI_Comm_free(ring, ierr)
    call MPI_Dist_graph_create(MPI_COMM_WORLD, 0, own, degree, in, MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, .false., ring, ierr)
    call MPI_Dist_graph_neighbors_count(ring, number, other, weighted, ierr)
    call check(number == 0 .and. other == 0 .and. weighted, 'no edges')
    call MPI_Comm_free(ring, ierr)
  end subroutine

  ! Data that goes down arrives from above.
  subroutine grid()
    integer :: ring
    call MPI_Cart_create(MPI_COMM_WORLD, 1, [ranks], [.true.], .false., ring, ierr)
    call all_forms(ring, [100 * below + 1, 100 * above])
    call MPI_Comm_free(ring, ierr)
  end subroutine

  ! `exchanged`: the expected result of alltoall.
  subroutine all_forms(ring, exchanged)
    integer, intent(in) :: ring, exchanged(2)
    integer :: mine
    mine = 100 * rank
    wanted = [100 * below, 100 * above]
    do form = blocking, persistent
      in = -1
      select case (form)
      case (blocking); call MPI_Neighbor_allgather(mine, 1, MPI_INTEGER, in, 1, MPI_INTEGER, ring, ierr)
      case (nonblocking); call MPI_Ineighbor_allgather(mine, 1, MPI_INTEGER, in, 1, MPI_INTEGER, ring, request, ierr)
      case (persistent)
        call MPI_Neighbor_allgather_init(mine, 1, MPI_INTEGER, in, 1, MPI_INTEGER, ring, MPI_INFO_NULL, request, ierr)
      end select
      call finish()
      call check(all(in == wanted), 'allgather')

      in = -1
      select case (form)
      case (blocking)
        call MPI_Neighbor_allgatherv(mine, 1, MPI_INTEGER, in, counts, places, MPI_INTEGER, ring, ierr)
      case (nonblocking)
        call MPI_Ineighbor_allgatherv(mine, 1, MPI_INTEGER, in, counts, places, MPI_INTEGER, ring, request, ierr)
      case (persistent)
        call MPI_Neighbor_allgatherv_init(mine, 1, MPI_INTEGER, in, counts, places, MPI_INTEGER, ring, &
                                          MPI_INFO_NULL, request, ierr)
      end select
      call finish()
      call check(all(in([2, 1]) == wanted), 'allgatherv')

      in = -1
      select case (form)
      case (blocking); call MPI_Neighbor_alltoall(out, 1, MPI_INTEGER, in, 1, MPI_INTEGER, ring, ierr)
      case (nonblocking); call MPI_Ineighbor_alltoall(out, 1, MPI_INTEGER, in, 1, MPI_INTEGER, ring, request, ierr)
      case (persistent)
        call MPI_Neighbor_alltoall_init(out, 1, MPI_INTEGER, in, 1, MPI_INTEGER, ring, MPI_INFO_NULL, request, ierr)
      end select
      call finish()
      call check(all(in == exchanged), 'alltoall')

      in = -1
      select case (form)
      case (blocking)
        call MPI_Neighbor_alltoallv(out, counts, to_there, MPI_INTEGER, in, counts, places, MPI_INTEGER, ring, ierr)
      case (nonblocking)
        call MPI_Ineighbor_alltoallv(out, counts, to_there, MPI_INTEGER, in, counts, places, MPI_INTEGER, ring, &
                                     request, ierr)
      case (persistent)
        call MPI_Neighbor_alltoallv_init(out, counts, to_there, MPI_INTEGER, in, counts, places, MPI_INTEGER, ring, &
                                         MPI_INFO_NULL, request, ierr)
      end select
      call finish()
      call check(all(in([2, 1]) == exchanged), 'alltoallv')

      in = -1
      select case (form)
      case (blocking)
        call MPI_Neighbor_alltoallw(out, counts, from_here, types, in, counts, bytes, types, ring, ierr)
      case (nonblocking)
        call MPI_Ineighbor_alltoallw(out, counts, from_here, types, in, counts, bytes, types, ring, request, ierr)
      case (persistent)
        call MPI_Neighbor_alltoallw_init(out, counts, from_here, types, in, counts, bytes, types, ring, &
                                         MPI_INFO_NULL, request, ierr)
      end select
      call finish()
      call check(all(in([2, 1]) == exchanged), 'alltoallw')
    end do
  end subroutine

  ! Ends what a nonblocking or a persistent call has begun.
  subroutine finish()
    if (form == blocking) return
    if (form == persistent) call MPI_Start(request, ierr)
    call MPI_Migrate(ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    if (form == persistent) call MPI_Request_free(request, ierr)
  end subroutine
end program
