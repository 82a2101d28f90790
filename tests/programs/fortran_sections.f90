! SPDX-License-Identifier: Apache-2.0
! Array sections with gaps as buffers of messages, in module mpi_f08: MPI reaches their elements where they are, in array
! element order, also after the call has returned (MPI 4.1, 19.1.12), while ranks move. Rank r sends elements 1000 r +
! place to the next rank, and nothing between the received elements may change.
module particles
  implicit none
  type particle
    double precision :: position(2)
    integer :: number
    character(len=3) :: name
  end type
  type box
    integer, allocatable :: inner(:, :)
  end type
  type shape
    integer :: corners
  end type
  type, extends(shape) :: coloured
    integer :: colour
  end type
end module

program fortran_sections
  use, intrinsic :: iso_c_binding, only: c_ptr
  use mpi_f08
  use particles
  implicit none
  integer, parameter :: gap = -7
  integer :: rank, ranks, left, right, i, j
  type(MPI_Request) :: requests(2)
  type(MPI_Status) :: statuses(2)
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  right = mod(rank + 1, ranks)
  left = mod(rank + ranks - 1, ranks)
  call check(MPI_SUBARRAYS_SUPPORTED .and. MPI_ASYNC_PROTECTS_NONBLOCKING, 'what the module says of itself')
  call one_dimension()
  call MPI_Migrate()
  call polymorphic()
  call several_dimensions()
  call most_dimensions()
  call MPI_Migrate()
  call kinds()
  call datatypes()
  call MPI_Migrate()
  call modes()
  call persistent()
  call MPI_Migrate()
  call exchanges()
  call packing()
  call copies_of_the_compiler()
  call MPI_Finalize()
  if (rank == 0) print '(a)', 'fortran_sections: all as it should be'
contains
  include 'check.inc'

  ! Waits for both requests under way, and checks the left rank's elements.
  subroutine arrive(elements)
    integer, intent(in) :: elements
    integer :: count
    call MPI_Migrate()
    call MPI_Waitall(2, requests, statuses)
    call MPI_Get_count(statuses(1), MPI_INTEGER, count)
    call check(count == elements, 'the count of a status')
  end subroutine

  subroutine one_dimension()
    integer, asynchronous :: s(100), r(100)
    integer, parameter :: steps(4) = [5, 1, -1, -3]
    integer :: expected(100), first, last, step
    integer(MPI_COUNT_KIND) :: many
    s = [(1000 * rank + i, i = 1, 100)]
    do j = 1, 4
      step = steps(j)
      first = merge(1, 100, step > 0)
      last = 101 - first
      r = gap
      ! MPI 4.1, 19.1.12: of s(1:100:5) the count takes the first three.
      call MPI_Irecv(r(first:last:step), 3, MPI_INTEGER, left, j, MPI_COMM_WORLD, requests(1))
      call MPI_Isend(s(1:100:5), 3, MPI_INTEGER, right, j, MPI_COMM_WORLD, requests(2))
      call arrive(3)
      expected = gap
      expected([first, first + step, first + 2 * step]) = 1000 * left + [1, 6, 11]
      call check(all(r == expected), 'a section of one dimension')
    end do
    many = 20
    r = gap
    call MPI_Irecv(r(100:1:-5), many, MPI_INTEGER, left, 5, MPI_COMM_WORLD, requests(1))
    call MPI_Isend(s(1:100:5), many, MPI_INTEGER, right, 5, MPI_COMM_WORLD, requests(2))
    call arrive(20)
    expected = gap
    expected(100:1:-5) = 1000 * left + [(i, i = 1, 100, 5)]
    call check(all(r == expected), 'a section backwards, with a large count')
    ! No element, and one.
    r = gap
    call MPI_Irecv(r(10:1:3), 0, MPI_INTEGER, left, 6, MPI_COMM_WORLD, requests(1))
    call MPI_Isend(s(7:7:2), 0, MPI_INTEGER, right, 6, MPI_COMM_WORLD, requests(2))
    call arrive(0)
    call MPI_Irecv(r(9:9:3), 1, MPI_INTEGER, left, 7, MPI_COMM_WORLD, requests(1))
    call MPI_Isend(s(9), 1, MPI_INTEGER, right, 7, MPI_COMM_WORLD, requests(2))
    call arrive(1)
    call check(count(r /= gap) == 1 .and. r(9) == 1000 * left + 9, 'sections of no element and of one')
  end subroutine

  ! The call's dummy arguments stand for a section, and so do its caller's.
  subroutine post(send, receive, elements)
    integer, asynchronous, intent(in) :: send(:, :)
    integer, asynchronous :: receive(0:, 0:)
    integer, intent(in) :: elements
    call MPI_Irecv(receive, elements, MPI_INTEGER, left, 11, MPI_COMM_WORLD, requests(1))
    call MPI_Isend(send, elements, MPI_INTEGER, right, 11, MPI_COMM_WORLD, requests(2))
  end subroutine
  subroutine post_any(send, receive, elements)
    type(*), dimension(..), asynchronous, intent(in) :: send
    type(*), dimension(..), asynchronous :: receive
    integer, intent(in) :: elements
    call MPI_Irecv(receive, elements, MPI_INTEGER, left, 11, MPI_COMM_WORLD, requests(1))
    call MPI_Isend(send, elements, MPI_INTEGER, right, 11, MPI_COMM_WORLD, requests(2))
  end subroutine
  subroutine post_assumed_size(send, receive, elements)
    integer, asynchronous, intent(in) :: send(9, *)
    integer, asynchronous :: receive(9, *)
    integer, intent(in) :: elements
    if (elements > 9) then  ! no section: all that there is, in one piece
      call MPI_Irecv(receive, elements, MPI_INTEGER, left, 11, MPI_COMM_WORLD, requests(1))
      call MPI_Isend(send, elements, MPI_INTEGER, right, 11, MPI_COMM_WORLD, requests(2))
    else
      call MPI_Irecv(receive(3, 1:elements), elements, MPI_INTEGER, left, 11, MPI_COMM_WORLD, requests(1))
      call MPI_Isend(send(3, 1:elements), elements, MPI_INTEGER, right, 11, MPI_COMM_WORLD, requests(2))
    end if
  end subroutine

  ! Elements with another type and size than the declaration's.
  subroutine post_polymorphic(send, receive)
    class(*), asynchronous, intent(in) :: send(:)
    class(*), asynchronous :: receive(:)
    call MPI_Irecv(receive, 6, MPI_INTEGER, left, 13, MPI_COMM_WORLD, requests(1))
    call MPI_Isend(send, 6, MPI_INTEGER, right, 13, MPI_COMM_WORLD, requests(2))
  end subroutine
  subroutine post_extended(send, receive)
    class(shape), asynchronous, intent(in) :: send(:)
    class(shape), asynchronous :: receive(:)
    call MPI_Irecv(receive, 6, MPI_INTEGER, left, 13, MPI_COMM_WORLD, requests(1))
    call MPI_Isend(send, 6, MPI_INTEGER, right, 13, MPI_COMM_WORLD, requests(2))
  end subroutine
  subroutine polymorphic()
    type(coloured), asynchronous :: s(6), r(6)
    do j = 1, 2
      s = [(coloured(1000 * rank + i, 2000 * rank + i), i = 1, 6)]
      r = coloured(gap, gap)
      if (j == 1) call post_polymorphic(s(1:6:2), r(6:2:-2))
      if (j == 2) call post_extended(s(1:6:2), r(6:2:-2))
      call arrive(6)
      call check(all(r(6:2:-2)%corners == 1000 * left + [1, 3, 5]) .and. all(r(6:2:-2)%colour == 2000 * left + [1, 3, 5]) &
                 .and. count(r%corners == gap) == 3 .and. count(r%colour == gap) == 3, 'polymorphic arrays')
    end do
  end subroutine

  subroutine several_dimensions()
    integer, asynchronous, target :: s(9, 9), r(9, 9)
    integer :: theirs(9, 9), expected(9, 9), elements
    integer, pointer :: from(:, :), to(:, :)
    type(box) :: boxes(2)
    s = 1000 * rank + reshape([(i, i = 1, 81)], [9, 9])
    theirs = 1000 * left + reshape([(i, i = 1, 81)], [9, 9])
    do elements = 1, 12  ! not all of them end a row
      r = gap
      expected = gap
      select case (mod(elements, 6))
      case (0)
        call MPI_Irecv(r(:, 2:6:2), elements, MPI_INTEGER, left, 11, MPI_COMM_WORLD, requests(1))
        call MPI_Isend(s(:, 2:6:2), elements, MPI_INTEGER, right, 11, MPI_COMM_WORLD, requests(2))
        call place(expected, theirs, [(i, i = 1, 9)], [2, 4, 6], elements)
      case (1)
        call post(s(2:8:2, 3:5), r(2:8:2, 3:5), elements)
        call place(expected, theirs, [2, 4, 6, 8], [3, 4, 5], elements)
      case (2)
        call post_any(s(8:2:-2, 9:1:-4), r(8:2:-2, 9:1:-4), elements)
        call place(expected, theirs, [8, 6, 4, 2], [9, 5, 1], elements)
      case (3)
        from => s(1:9:3, ::2)
        to => r(1:9:3, ::2)
        call MPI_Irecv(to, elements, MPI_INTEGER, left, 11, MPI_COMM_WORLD, requests(1))
        call MPI_Isend(from(:, :), elements, MPI_INTEGER, right, 11, MPI_COMM_WORLD, requests(2))
        call place(expected, theirs, [1, 4, 7], [1, 3, 5, 7, 9], elements)
      case (4)
        call post(s(1:9:8, 1:9:1), r(1:9:8, 1:9:1), elements)
        call place(expected, theirs, [1, 9], [(i, i = 1, 9)], elements)
      case (5)
        call post_assumed_size(s, r, elements)
        if (elements > 9) call place(expected, theirs, [(i, i = 1, 9)], [(i, i = 1, 9)], elements)
        if (elements <= 9) call place(expected, theirs, [3], [(i, i = 1, 9)], elements)
      end select
      call arrive(elements)
      call check(all(r == expected), 'a section of two dimensions')
    end do
    do i = 1, 2
      allocate (boxes(i)%inner(4, 4), source=merge(1000 * rank + 5, gap, i == 1))
    end do
    call post(boxes(1)%inner(2:3, 2:3), boxes(2)%inner(2:3, 2:3), 4)
    call arrive(4)
    call check(all(boxes(2)%inner(2:3, 2:3) == 1000 * left + 5) .and. count(boxes(2)%inner == gap) == 12, 'of a component')
  end subroutine
  ! Places the first elements of a section that takes these rows and columns.
  subroutine place(into, from, rows, columns, elements)
    integer, intent(inout) :: into(9, 9)
    integer, intent(in) :: from(9, 9), rows(:), columns(:), elements
    integer :: k, row, column
    do k = 0, elements - 1
      row = rows(mod(k, size(rows)) + 1)
      column = columns(k / size(rows) + 1)
      into(row, column) = from(row, column)
    end do
  end subroutine

  subroutine most_dimensions()
    integer, parameter :: elements = 2 * 2**13 * 2
    integer, asynchronous, allocatable, dimension(:, :, :, :, :, :, :, :, :, :, :, :, :, :, :) :: s, r
    allocate (s(3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3), r(3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3))
    s = gap
    r = gap
    s(1:3:2, :, :, :, :, :, :, :, :, :, :, :, :, :, 3:1:-2) = &
      reshape([(1000 * rank + i, i = 1, elements)], [2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2])
    call MPI_Irecv(r(3:1:-2, :, :, :, :, :, :, :, :, :, :, :, :, :, 1:3:2), elements, MPI_INTEGER, left, 12, &
                   MPI_COMM_WORLD, requests(1))
    call MPI_Isend(s(1:3:2, :, :, :, :, :, :, :, :, :, :, :, :, :, 3:1:-2), elements, MPI_INTEGER, right, 12, &
                   MPI_COMM_WORLD, requests(2))
    call arrive(elements)
    call check(all(reshape(r(3:1:-2, :, :, :, :, :, :, :, :, :, :, :, :, :, 1:3:2), [elements]) == &
                   [(1000 * left + i, i = 1, elements)]) .and. count(r == gap) == size(r) - elements, 'rank 15')
  end subroutine

  subroutine kinds()
    character(len=3), asynchronous :: words(8), got(8)
    complex(8), asynchronous :: c(12), d(12)
    logical, asynchronous :: truths(12), believed(12)
    integer(1), asynchronous :: bytes(12), octets(12)
    type(particle), asynchronous :: gas(6), wall(6)
    type(MPI_Datatype) :: particles
    do i = 1, 8
      write (words(i), '(i1, i2.2)') i, mod(rank, 100)
    end do
    got = '---'
    call MPI_Irecv(got(8:1:-2), 7, MPI_CHARACTER, left, 21, MPI_COMM_WORLD, requests(1))
    call MPI_Isend(words(1:8:3), 7, MPI_CHARACTER, right, 21, MPI_COMM_WORLD, requests(2))
    call MPI_Waitall(2, requests, statuses)
    call check(got(8)(1:1) == '1' .and. got(6)(1:1) == '4' .and. got(4) == '7--' .and. all(got(1:7:2) == '---'), 'characters')
    read (got(6)(2:3), '(i2)') j
    call check(j == mod(left, 100), 'characters of the left')
    c = [(cmplx(rank, i, 8), i = 1, 12)]
    d = 0
    call MPI_Irecv(d(2:12:5), 3, MPI_DOUBLE_COMPLEX, left, 22, MPI_COMM_WORLD, requests(1))
    call MPI_Isend(c(12:1:-4), 3, MPI_DOUBLE_COMPLEX, right, 22, MPI_COMM_WORLD, requests(2))
    call MPI_Waitall(2, requests, statuses)
    call check(all(d(2:12:5) == [(cmplx(left, i, 8), i = 12, 4, -4)]) .and. count(d == 0) == 9, 'complex numbers')
    ! The two parts of each element are elements of the datatype.
    d = 0
    call MPI_Irecv(d(2:12:5), 5, MPI_DOUBLE_PRECISION, left, 23, MPI_COMM_WORLD, requests(1))
    call MPI_Isend(c(12:1:-4), 5, MPI_DOUBLE_PRECISION, right, 23, MPI_COMM_WORLD, requests(2))
    call MPI_Waitall(2, requests, statuses)
    call check(d(2) == cmplx(left, 12, 8) .and. d(7) == cmplx(left, 8, 8) .and. d(12) == cmplx(left, 0, 8), 'their parts')
    truths = [(mod(rank + i, 3) == 0, i = 1, 12)]
    believed = .false.
    call MPI_Irecv(believed(1:12:4), 3, MPI_LOGICAL, left, 24, MPI_COMM_WORLD, requests(1))
    call MPI_Isend(truths(2:12:4), 3, MPI_LOGICAL, right, 24, MPI_COMM_WORLD, requests(2))
    call MPI_Waitall(2, requests, statuses)
    call check(all(believed(1:12:4) .eqv. [(mod(left + i, 3) == 0, i = 2, 12, 4)]), 'logicals')
    bytes = [(int(mod(rank, 10) * 10 + mod(i, 10), 1), i = 1, 12)]
    octets = -1
    call MPI_Irecv(octets(12:1:-3), 4, MPI_INTEGER1, left, 25, MPI_COMM_WORLD, requests(1))
    call MPI_Isend(bytes(1:12:3), 4, MPI_INTEGER1, right, 25, MPI_COMM_WORLD, requests(2))
    call MPI_Waitall(2, requests, statuses)
    call check(all(octets(12:1:-3) == mod(left, 10) * 10 + [1, 4, 7, 0]) .and. count(octets == -1) == 8, 'bytes')
    particles = particle_type(gas)
    do i = 1, 6
      gas(i) = particle([dble(rank), dble(i)], 10 * rank + i, 'gas')
      wall(i) = particle([0d0, 0d0], gap, '---')
    end do
    call MPI_Irecv(wall(6:1:-2), 3, particles, left, 26, MPI_COMM_WORLD, requests(1))
    call MPI_Isend(gas(1:6:2), 3, particles, right, 26, MPI_COMM_WORLD, requests(2))
    call MPI_Type_free(particles)
    call MPI_Migrate()
    call MPI_Waitall(2, requests, statuses)
    call check(all(wall(6:1:-2)%number == 10 * left + [1, 3, 5]) .and. all(wall(1:6:2)%number == gap), 'a derived type')
    call check(all(wall(2:6:2)%name == 'gas') .and. wall(6)%position(1) == left .and. wall(2)%position(2) == 5, 'its components')
  end subroutine
  function particle_type(gas) result(made)
    type(particle), intent(in) :: gas(:)
    type(MPI_Datatype) :: made, parts
    integer(MPI_ADDRESS_KIND) :: places(4), next
    call MPI_Get_address(gas(1)%position, places(1))
    call MPI_Get_address(gas(1)%number, places(2))
    call MPI_Get_address(gas(1)%name, places(3))
    call MPI_Get_address(gas(2), next)
    call MPI_Type_create_struct(3, [2, 1, 3], places(1:3) - places(1), [MPI_DOUBLE_PRECISION, MPI_INTEGER, MPI_CHARACTER], parts)
    call MPI_Type_create_resized(parts, 0_MPI_ADDRESS_KIND, next - places(1), made)
    call MPI_Type_commit(made)
    call MPI_Type_free(parts)
  end function

  ! Displacements of a datatype are places in the buffer that the section stands for.
  subroutine datatypes()
    integer, asynchronous :: s(60), r(60)
    double precision :: number
    integer :: expected(60), taken(6), at
    type(MPI_Datatype) :: pairs
    s = [(1000 * rank + i, i = 1, 60)]
    taken = [0, 1, 4, 5, 8, 9]
    call MPI_Type_vector(3, 2, 4, MPI_INTEGER, pairs)
    call MPI_Type_commit(pairs)
    r = gap
    expected = gap
    call MPI_Irecv(r(60:1:-3), 1, pairs, left, 31, MPI_COMM_WORLD, requests(1))
    call MPI_Isend(s(1:60:5), 1, pairs, right, 31, MPI_COMM_WORLD, requests(2))
    call MPI_Type_free(pairs)
    call arrive(6)
    expected(60 - 3 * taken) = 1000 * left + 1 + 5 * taken
    call check(all(r == expected), 'a vector over a section')
    ! Elements of a datatype, each of which takes two elements of the section.
    number = rank + 0.25d0
    s(1:20:10) = transfer(number, s)
    r = gap
    call MPI_Irecv(r(2:60:7), 1, MPI_DOUBLE_PRECISION, left, 32, MPI_COMM_WORLD, requests(1))
    call MPI_Isend(s(1:20:10), 1, MPI_DOUBLE_PRECISION, right, 32, MPI_COMM_WORLD, requests(2))
    call MPI_Waitall(2, requests, statuses)
    number = left + 0.25d0
    call check(all([r(2), r(9)] == transfer(number, s)) .and. count(r == gap) == 58, 'a number over two elements')
    ! The count is larger than the section.
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
    call MPI_Isend(s(1:10:2), 6, MPI_INTEGER, right, 33, MPI_COMM_WORLD, requests(1), at)
    call MPI_Error_class(at, at)
    call check(at == MPI_ERR_BUFFER, 'a count that goes beyond the section')
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL)
  end subroutine

  subroutine modes()
    integer, asynchronous :: s(30), r(30)
    integer :: expected(30), form, number
    character, allocatable, asynchronous :: room(:)
    type(c_ptr) :: back
    type(MPI_Message) :: message
    s = [(1000 * rank + i, i = 1, 30)]
    expected = gap
    expected(3:21:9) = 1000 * left + [30, 26, 22]
    allocate (room(1000 + MPI_BSEND_OVERHEAD))
    call MPI_Buffer_attach(room, size(room))
    do form = 1, 8
      r = gap
      if (form == 6) then
        call MPI_Isend(s(30:1:-4), 3, MPI_INTEGER, right, 40, MPI_COMM_WORLD, requests(2))
        call MPI_Mprobe(left, 40, MPI_COMM_WORLD, message, statuses(1))
        call MPI_Imrecv(r(3:30:9), 3, MPI_INTEGER, message, requests(1))
      else
        call MPI_Irecv(r(3:30:9), 3, MPI_INTEGER, left, 40, MPI_COMM_WORLD, requests(1))
        call MPI_Barrier(MPI_COMM_WORLD)
        requests(2) = MPI_REQUEST_NULL
        select case (form)
        case (1)
          call MPI_Send(s(30:1:-4), 3, MPI_INTEGER, right, 40, MPI_COMM_WORLD)
        case (2)
          call MPI_Bsend(s(30:1:-4), 3, MPI_INTEGER, right, 40, MPI_COMM_WORLD)
        case (3)
          call MPI_Ibsend(s(30:1:-4), 3, MPI_INTEGER, right, 40, MPI_COMM_WORLD, requests(2))
        case (4)
          call MPI_Rsend(s(30:1:-4), 3, MPI_INTEGER, right, 40, MPI_COMM_WORLD)
        case (5)
          call MPI_Irsend(s(30:1:-4), 3, MPI_INTEGER, right, 40, MPI_COMM_WORLD, requests(2))
        case (7)
          call MPI_Issend(s(30:1:-4), 3, MPI_INTEGER, right, 40, MPI_COMM_WORLD, requests(2))
        case (8)
          call MPI_Ssend(s(30:1:-4), 3, MPI_INTEGER, right, 40, MPI_COMM_WORLD)
        end select
      end if
      call arrive(3)
      call check(all(r == expected), 'a send of each mode')
    end do
    call MPI_Isend(s(30:1:-4), 3, MPI_INTEGER, right, 40, MPI_COMM_WORLD, requests(2))
    r = gap
    call MPI_Recv(r(3:30:9), 3, MPI_INTEGER, left, 40, MPI_COMM_WORLD, statuses(1))
    call MPI_Wait(requests(2), MPI_STATUS_IGNORE)
    call check(all(r == expected), 'MPI_Recv')
    call MPI_Buffer_detach(back, number)
  end subroutine

  subroutine persistent()
    integer, asynchronous :: s(6, 6), r(6, 6)
    integer :: round
    call MPI_Recv_init(r(2:6:2, 1:6:5), 6, MPI_INTEGER, left, 50, MPI_COMM_WORLD, requests(1))
    call MPI_Send_init(s(1:6:5, 2:6:2), 6, MPI_INTEGER, right, 50, MPI_COMM_WORLD, requests(2))
    do round = 1, 4
      s = reshape([(1000 * rank + 100 * round + i, i = 1, 36)], [6, 6])
      r = gap
      call MPI_Startall(2, requests)
      call arrive(6)
      call check(all(r(2:6:2, 1) == 1000 * left + 100 * round + [7, 12, 19]) .and. &
                 all(r(2:6:2, 6) == 1000 * left + 100 * round + [24, 31, 36]) .and. count(r == gap) == 30, 'MPI_Start')
    end do
    call MPI_Request_free(requests(1))
    call MPI_Request_free(requests(2))
    call MPI_Precv_init(r(1:6:2, 2:6:2), 3, 3_MPI_COUNT_KIND, MPI_INTEGER, left, 51, MPI_COMM_WORLD, MPI_INFO_NULL, requests(1))
    call MPI_Psend_init(s(2:6:2, 1:6:2), 3, 3_MPI_COUNT_KIND, MPI_INTEGER, right, 51, MPI_COMM_WORLD, MPI_INFO_NULL, requests(2))
    do round = 1, 3
      s = gap - 1
      r = gap
      call MPI_Startall(2, requests)
      do i = 3, 1, -1
        s(:, 2 * i - 1) = [(1000 * rank + 100 * round + 10 * i + j, j = 1, 6)]
        call MPI_Pready(i - 1, requests(2))
        call MPI_Migrate()
      end do
      call MPI_Waitall(2, requests, statuses)
      call check(all(reshape(r(1:6:2, 2:6:2), [9]) == 1000 * left + 100 * round + [12, 14, 16, 22, 24, 26, 32, 34, 36]) .and. &
                 count(r == gap) == 27, 'a partitioned transfer')
    end do
    call MPI_Request_free(requests(1))
    call MPI_Request_free(requests(2))
  end subroutine

  subroutine exchanges()
    integer, asynchronous :: s(12), r(12)
    do i = 1, 4
      s = [(1000 * rank + j, j = 1, 12)]
      r = gap
      select case (i)
      case (1)
        call MPI_Sendrecv(s(2:12:5), 3, MPI_INTEGER, right, 60, r(1:12:4), 3, MPI_INTEGER, left, 60, MPI_COMM_WORLD, statuses(1))
      case (2)
        call MPI_Isendrecv(s(2:12:5), 3, MPI_INTEGER, right, 60, r(1:12:4), 3, MPI_INTEGER, left, 60, MPI_COMM_WORLD, requests(1))
      case (3)
        call MPI_Sendrecv_replace(s(2:12:5), 3, MPI_INTEGER, right, 60, left, 60, MPI_COMM_WORLD, statuses(1))
      case (4)
        call MPI_Isendrecv_replace(s(2:12:5), 3, MPI_INTEGER, right, 60, left, 60, MPI_COMM_WORLD, requests(1))
      end select
      if (mod(i, 2) == 0) then
        call MPI_Migrate()
        call MPI_Wait(requests(1), statuses(1))
      end if
      if (i > 2) r(1:12:4) = s(2:12:5)
      if (i > 2) s(2:12:5) = 1000 * rank + [2, 7, 12]
      call check(all(r(1:12:4) == 1000 * left + [2, 7, 12]) .and. all(s == [(1000 * rank + j, j = 1, 12)]), 'MPI_Sendrecv')
    end do
  end subroutine

  subroutine packing()
    integer :: s(12), r(12), position
    character :: packed(100)
    integer(MPI_ADDRESS_KIND) :: at
    s = [(1000 * rank + i, i = 1, 12)]
    r = gap
    packed = '-'
    position = 3
    call MPI_Pack(s(12:1:-5), 3, MPI_INTEGER, packed(2:100:3), 15, position, MPI_COMM_WORLD)
    call check(position == 15 .and. all(packed(1:100:3) == '-') .and. all(packed(2:10:3) == '-'), 'MPI_Pack')
    position = 3
    call MPI_Unpack(packed(2:100:3), 15, position, r(2:12:2), 3, MPI_INTEGER, MPI_COMM_WORLD)
    call check(all(r(2:6:2) == 1000 * rank + [12, 7, 2]) .and. count(r == gap) == 9, 'MPI_Unpack')
    r = gap
    at = 0
    call MPI_Pack_external('external32', s(12:1:-5), 3, MPI_INTEGER, packed, 15_MPI_ADDRESS_KIND, at)
    at = 0
    call MPI_Unpack_external('external32', packed, 15_MPI_ADDRESS_KIND, at, r(2:12:2), 3, MPI_INTEGER)
    call check(all(r(2:6:2) == 1000 * rank + [12, 7, 2]) .and. count(r == gap) == 9, 'MPI_Unpack_external')
  end subroutine

  ! gfortran passes a copy of components or substrings of array elements, and of expressions.
  subroutine copies_of_the_compiler()
    type(particle), asynchronous :: gas(6)
    integer, asynchronous :: r(3)
    integer :: error
    type(MPI_Win) :: window
    do i = 1, 6
      gas(i) = particle([0d0, 0d0], 1000 * rank + i, 'abc')
    end do
    call MPI_Irecv(r, 3, MPI_INTEGER, left, 70, MPI_COMM_WORLD, requests(1))
    call MPI_Barrier(MPI_COMM_WORLD)
    call MPI_Isend(gas(1:6:2)%number, 3, MPI_INTEGER, right, 70, MPI_COMM_WORLD, requests(2))
    call arrive(3)
    call check(all(r == 1000 * left + [1, 3, 5]), 'a nonblocking send of components')
    call MPI_Sendrecv(gas(1:6:2)%number, 3, MPI_INTEGER, right, 70, gas(2:6:2)%number, 3, MPI_INTEGER, left, 70, &
                      MPI_COMM_WORLD, statuses(1))
    call check(all(gas(2:6:2)%number == 1000 * left + [1, 3, 5]), 'a blocking receive of components')
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
    call MPI_Irecv(gas(1:6:2)%number, 3, MPI_INTEGER, left, 71, MPI_COMM_WORLD, requests(1), error)
    call MPI_Error_class(error, error)
    call check(error == MPI_ERR_BUFFER, 'a nonblocking receive of components')
    call MPI_Win_create(gas(1:6:2), 100_MPI_ADDRESS_KIND, 1, MPI_INFO_NULL, MPI_COMM_WORLD, window, error)
    call MPI_Error_class(error, error)
    call check(error == MPI_ERR_BUFFER, 'a window of a section with gaps')
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL)
  end subroutine
end program
