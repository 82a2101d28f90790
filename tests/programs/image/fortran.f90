! SPDX-License-Identifier: Apache-2.0
! Module variables, common blocks, allocatable components, internal files and strided arguments.
module state
  implicit none
  integer, save :: counter = 0
  real(8), allocatable, save :: field(:, :)
  type particle
    real(8) :: position(3)
    character(len=16) :: name
    integer, allocatable :: tags(:)
  end type
  type(particle), allocatable, save :: particles(:)
  character(len=:), allocatable :: message
  procedure(add), pointer :: operation => null()
contains
  integer function add(a, b)
    integer, intent(in) :: a, b
    add = a + b
  end function
end module

subroutine add_to_common(amount)
  integer :: amount, total
  common /block/ total
  total = total + amount
end subroutine

integer function read_common()
  integer :: total
  common /block/ total
  read_common = total
end function

subroutine add_twice(a, n)  ! the caller packs a strided section into a temporary
  integer :: n, i
  real(8) :: a(n)
  do i = 1, n
    a(i) = a(i) + 1
  end do
  call skein_test_yield()
  do i = 1, n
    a(i) = a(i) + 1
  end do
end subroutine

program main
  use state
  implicit none
  integer, external :: read_common, skein_test_rank
  integer :: rank, round, i, failures, number, status
  real(8) :: strip(20)
  character(len=80) :: line
  rank = skein_test_rank()
  failures = 0
  allocate (field(50, 40), particles(3))
  field = rank
  operation => add
  do i = 1, 3
    particles(i)%position = rank + i
    write (particles(i)%name, '(a,i0)') 'p', rank*10 + i
    allocate (particles(i)%tags(i))
    particles(i)%tags = i*rank
  end do
  message = 'message'
  do round = 1, 6
    counter = counter + rank + 1
    call add_to_common(rank)
    field = field + 1.0d0
    call skein_test_yield()
    if (counter /= round*(rank + 1)) failures = failures + 1
    if (read_common() /= round*rank) failures = failures + 1
    if (abs(sum(field) - 2000d0*(rank + round)) > 1d-9) failures = failures + 1
    do i = 1, 3
      write (line, '(a,i0)') 'p', rank*10 + i
      if (line(1:16) /= particles(i)%name) failures = failures + 1
      if (any(particles(i)%tags /= i*rank)) failures = failures + 1
    end do
    message = message//'.'
    if (len(message) /= 7 + round) failures = failures + 1
    if (operation(2, 3) /= 5) failures = failures + 1
    strip = 1
    call add_twice(strip(1:20:2), 10)
    if (any(strip(1:20:2) /= 3) .or. any(strip(2:20:2) /= 1)) failures = failures + 1
    line = '12 words'
    read (line, *, iostat=status) number
    if (status /= 0 .or. number /= 12) failures = failures + 1
    read (line(4:), *, iostat=status) number
    if (status == 0) failures = failures + 1
  end do
  write (*, '(a,i0,a,i0)') 'rank ', rank, ' counter ', counter
  if (failures /= 0) stop 1
end program
