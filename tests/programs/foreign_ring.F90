! SPDX-License-Identifier: Apache-2.0
! The parts of MPI's three Fortran interfaces that a stand-in must serve: handles, statuses, special arguments,
! arrays of requests, strings. USE_MPI or USE_F08 choose the interface, else it is mpif.h.
program foreign_ring
#ifdef USE_F08
  use mpi_f08
  implicit none
  type(MPI_Comm) :: half
  type(MPI_Request) :: requests(2)
  type(MPI_Status) :: status, statuses(2)
#define FIELD(s, name) s%name
#define FIELD_OF(s, i, name) s(i)%name
#else
#ifdef USE_MPI
  use mpi
  implicit none
#else
  implicit none
  include 'mpif.h'
#endif
  integer :: half, requests(2), status(MPI_STATUS_SIZE), statuses(MPI_STATUS_SIZE, 2)
#define FIELD(s, name) s(name)
#define FIELD_OF(s, i, name) s(name, i)
#endif
  integer :: rank, ranks, left, right, sent, came(2), total, count, length, error, nobody
  logical :: done
  character(len=MPI_MAX_OBJECT_NAME) :: name

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  right = mod(rank + 1, ranks)
  left = mod(rank + ranks - 1, ranks)

  sent = rank
  call MPI_Sendrecv(sent, 1, MPI_INTEGER, right, 5, came, 1, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &
                    status, error)
  call MPI_Get_count(status, MPI_INTEGER, count, error)
  call expect(came(1) == left .and. FIELD(status, MPI_SOURCE) == left .and. FIELD(status, MPI_TAG) == 5, 'a status')
  call expect(count == 1, 'a count')

  call MPI_Irecv(came(2), 1, MPI_INTEGER, left, 6, MPI_COMM_WORLD, requests(1), error)
  call MPI_Isend(sent, 1, MPI_INTEGER, right, 6, MPI_COMM_WORLD, requests(2), error)
  call MPI_Waitall(2, requests, statuses, error)
  call expect(came(2) == left .and. FIELD_OF(statuses, 1, MPI_SOURCE) == left, 'statuses')
  call expect(requests(1) == MPI_REQUEST_NULL .and. requests(2) == MPI_REQUEST_NULL, 'requests')
  nobody = MPI_PROC_NULL
  call MPI_Recv(came, 1, MPI_INTEGER, nobody, 6, MPI_COMM_WORLD, status, error)
  call expect(FIELD(status, MPI_SOURCE) == MPI_PROC_NULL, 'nobody')
  call MPI_Iprobe(MPI_ANY_SOURCE, 77, MPI_COMM_WORLD, done, MPI_STATUS_IGNORE, error)
  call expect(.not. done, 'a flag')

  total = rank
  call MPI_Allreduce(MPI_IN_PLACE, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  call expect(total == ranks * (ranks - 1) / 2, 'a sum in place')

  call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), rank, half, error)
  call MPI_Comm_set_name(half, 'a half', error)
  call MPI_Comm_get_name(half, name, length, error)
  call expect(name == 'a half' .and. length == 6, 'a name')
  call MPI_Comm_free(half, error)
  call expect(half == MPI_COMM_NULL, 'no communicator')

  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, error)
  call MPI_Send(sent, 1, MPI_INTEGER, ranks, 0, MPI_COMM_WORLD, error)
  call expect(error == MPI_ERR_RANK, 'an error')
  call MPI_Finalize(error)
contains
  subroutine expect(holds, what)
    logical, intent(in) :: holds
    character(len=*), intent(in) :: what
    if (holds) return
    print '(a, i0, 2a)', 'rank ', rank, ' is wrong about ', what
    call MPI_Abort(MPI_COMM_WORLD, 1, error)
  end subroutine expect
end program foreign_ring
