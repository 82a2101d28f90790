! SPDX-License-Identifier: Apache-2.0
! `state [rounds]`: everything that a Fortran program may keep between two statements, while its rank moves.
module held_by_module
  use mpi
  implicit none
  integer, parameter :: wide = selected_real_kind(15), table_size = 5000
  integer :: my_rank = -1, rank_count = 0, start_value = 41
  real(wide), save :: fixed_table(table_size)
  real(wide), allocatable :: growing(:), grid(:, :)
  character(len=:), allocatable :: text
  integer, pointer :: first => null()
  type item
    integer :: number
    type(item), pointer :: next => null()
  end type
  type(item), pointer :: list => null()
  integer :: list_length = 0
contains
  subroutine check(holds, what)
    logical, intent(in) :: holds
    character(len=*), intent(in) :: what
    integer :: error
    if (holds) return
    write (0, '(a, i0, 2a)') 'rank ', my_rank, ': not so: ', what
    call MPI_Abort(MPI_COMM_WORLD, 3, error)
  end subroutine

  subroutine maybe_move()
    integer :: error
    call MPI_Migrate(error)
    call check(error == MPI_SUCCESS, 'MPI_Migrate succeeds')
  end subroutine

  subroutine fill_module()
    integer :: i
    call check(start_value == 41, 'an initialised module variable')
    start_value = 1000 + my_rank
    fixed_table = [(my_rank + i * 0.5_wide, i = 1, table_size)]
    allocate (growing(0), grid(-3:20, 5))
    grid = reshape([(real(my_rank * i, wide), i = 1, size(grid))], shape(grid))
    text = ''
    allocate (first)
    first = my_rank
  end subroutine

  subroutine check_module(round)
    integer, intent(in) :: round
    integer :: at
    type(item), pointer :: walk
    at = mod(round * 7919 + my_rank, table_size) + 1
    call check(start_value == 1000 + my_rank, 'a module variable')
    call check(fixed_table(at) == my_rank + at * 0.5_wide, 'a module array')
    growing = [growing, real(round, wide)]
    text = text // achar(97 + mod(round, 26))
    allocate (walk)
    walk%number = list_length
    walk%next => list
    list => walk
    list_length = list_length + 1
    call maybe_move()
    call check(size(growing) == round .and. sum(growing) == round * (round + 1) / 2, 'an allocatable')
    call check(lbound(grid, 1) == -3 .and. grid(20, 5) == my_rank * size(grid), 'an allocatable grid')
    call check(len(text) == round .and. text(round:round) == achar(97 + mod(round, 26)), 'a deferred length')
    call check(first == my_rank, 'a pointer')
    at = list_length
    walk => list
    do while (associated(walk))
      at = at - 1
      call check(walk%number == at, 'a linked list')
      walk => walk%next
    end do
    call check(at == 0, 'the whole list')
  end subroutine

  recursive integer function depth_sum(level) result(total)
    integer, intent(in) :: level
    integer :: mine(32), i
    mine = [(level * 32 + i, i = 1, 32)]
    total = 0
    if (level > 0) then
      total = depth_sum(level - 1)
    else
      call maybe_move()
    end if
    do i = 1, 32
      call check(mine(i) == level * 32 + i, 'an array on the stack')
    end do
    total = total + sum(mine)
  end function
end module

! Units that stay open: one written formatted, one read while others write, one scratch unit, one stream.
subroutine files(round, rounds)
  use held_by_module
  implicit none
  integer, intent(in) :: round, rounds
  character(len=64), save :: name
  character(len=24) :: line
  integer, save :: log_unit, scratch_unit, raw_unit
  integer :: i, number, position
  real(wide) :: value
  if (round == 1) then
    write (name, '(a, i0)') 'state_f90.', my_rank
    open (newunit=log_unit, file=trim(name), status='replace', action='readwrite', form='formatted')
    open (newunit=scratch_unit, status='scratch', form='unformatted')
    open (newunit=raw_unit, file=trim(name) // '.raw', status='replace', access='stream', form='unformatted')
  end if
  write (log_unit, '(a, i6, f12.4)') 'round', round, round * 0.5_wide + my_rank
  write (scratch_unit) round, [(real(i * round, wide), i = 1, 10)]
  write (raw_unit) round
  call maybe_move()
  inquire (unit=raw_unit, pos=position)
  call check(position == 4 * round + 1, 'the position of a stream')
  if (round < rounds) return
  rewind (log_unit)
  rewind (scratch_unit)
  do i = 1, rounds
    read (log_unit, '(a5, i6, f12.4)') line, number, value
    call check(line == 'round' .and. number == i .and. value == i * 0.5_wide + my_rank, 'a line of a file')
    read (scratch_unit) number, value
    call check(number == i .and. value == i, 'a record of a scratch file')
    read (raw_unit, pos=4 * i - 3) number
    call check(number == i, 'a number of a stream')
    if (mod(i, 8) == 0) call maybe_move()
  end do
  close (log_unit, status='delete')
  close (scratch_unit)
  close (raw_unit, status='delete')
end subroutine

program state
  use held_by_module
  implicit none
  integer :: error, rounds, round
  character(len=16) :: argument
  character(len=32) :: line
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, my_rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, rank_count, error)
  rounds = 60
  if (command_argument_count() > 0) then
    call get_command_argument(1, argument)
    read (argument, *) rounds
  end if
  call fill_module()
  do round = 1, rounds
    call check_module(round)
    call old_style(round)
    call files(round, rounds)
    call check(depth_sum(9) == 320 * 321 / 2, 'the stack')
    write (line, '(i5, f10.3)') round, round * 0.125_wide
    call check(adjustl(line(1:5)) == trim(decimal(round)), 'an internal file')
  end do
  call MPI_Finalize(error)
  if (my_rank == 0) print '(a)', 'state: all as it should be'
contains
  function decimal(number) result(digits)
    integer, intent(in) :: number
    character(len=5) :: digits
    write (digits, '(i0)') number
  end function
end program
