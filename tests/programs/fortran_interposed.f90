! SPDX-License-Identifier: Apache-2.0
! Procedures of the program that stand in front of MPI's in module mpi_f08, as tools do: by the specific names of table 19.1
! in MPI 4.1, with descriptors for buffers; they forward their arguments to the names with a P. They count calls and
! elements.
module counters
  implicit none
  integer, save :: sends = 0, receives = 0, elements = 0, asked = 0, large = 0
end module

subroutine MPI_Isend_f08ts(buf, count, datatype, dest, tag, comm, request, ierror)
  use mpi_f08, ours => MPI_Isend_f08ts
  use counters
  implicit none
  type(*), dimension(..), intent(in), asynchronous :: buf
  integer, intent(in) :: count, dest, tag
  type(MPI_Datatype), intent(in) :: datatype
  type(MPI_Comm), intent(in) :: comm
  type(MPI_Request) :: request
  integer, optional, intent(out) :: ierror
  integer :: error
  sends = sends + 1
  elements = elements + size(buf)
  call PMPI_Isend(buf, count, datatype, dest, tag, comm, request, error)
  if (present(ierror)) ierror = error
end subroutine

subroutine MPI_Irecv_c_f08ts(buf, count, datatype, source, tag, comm, request, ierror)
  use mpi_f08, ours => MPI_Irecv_c_f08ts
  use counters
  implicit none
  type(*), dimension(..), asynchronous :: buf
  integer(MPI_COUNT_KIND), intent(in) :: count
  integer, intent(in) :: source, tag
  type(MPI_Datatype), intent(in) :: datatype
  type(MPI_Comm), intent(in) :: comm
  type(MPI_Request) :: request
  integer, optional, intent(out) :: ierror
  large = large + 1
  call PMPI_Irecv(buf, count, datatype, source, tag, comm, request, ierror)
end subroutine

subroutine MPI_Recv_f08ts(buf, count, datatype, source, tag, comm, status, ierror)
  use mpi_f08, ours => MPI_Recv_f08ts
  use counters
  implicit none
  type(*), dimension(..) :: buf
  integer, intent(in) :: count, source, tag
  type(MPI_Datatype), intent(in) :: datatype
  type(MPI_Comm), intent(in) :: comm
  type(MPI_Status) :: status
  integer, optional, intent(out) :: ierror
  receives = receives + 1
  call PMPI_Recv(buf, count, datatype, source, tag, comm, status, ierror)
end subroutine

subroutine MPI_Comm_size_f08(comm, size, ierror)
  use mpi_f08, ours => MPI_Comm_size_f08
  use counters
  implicit none
  type(MPI_Comm), intent(in) :: comm
  integer :: size
  integer, optional, intent(out) :: ierror
  asked = asked + 1
  call PMPI_Comm_size(comm, size, ierror)
end subroutine

program fortran_interposed
  use mpi_f08
  use counters
  implicit none
  integer :: rank, ranks, left, right, i
  integer, asynchronous :: s(5, 5), r(5, 5)
  type(MPI_Request) :: requests(2)
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  right = mod(rank + 1, ranks)
  left = mod(rank + ranks - 1, ranks)
  s = reshape([(100 * rank + i, i = 1, 25)], [5, 5])
  r = -7
  call MPI_Irecv(r(2:4, 1:5:2), 9_MPI_COUNT_KIND, MPI_INTEGER, left, 3, MPI_COMM_WORLD, requests(1))
  call MPI_Isend(s(2:4, 5:1:-2), 9, MPI_INTEGER, right, 3, MPI_COMM_WORLD, requests(2))
  call MPI_Migrate()
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
  call check(all(reshape(r(2:4, 1:5:2), [9]) == 100 * left + [22, 23, 24, 12, 13, 14, 2, 3, 4]), 'what arrived')
  call MPI_Isend(s(3, :), 5, MPI_INTEGER, right, 4, MPI_COMM_WORLD, requests(1))
  call MPI_Recv(r(5, :), 5, MPI_INTEGER, left, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  call MPI_Wait(requests(1), MPI_STATUS_IGNORE)
  call check(all(r(5, :) == 100 * left + [3, 8, 13, 18, 23]), 'a row')
  call check(sends == 2 .and. elements == 14 .and. receives == 1 .and. large == 1 .and. asked == 1, 'how often they were called')
  call MPI_Finalize()
  if (rank == 0) print '(a)', 'fortran_interposed: all as it should be'
contains
  include 'check.inc'
end program
