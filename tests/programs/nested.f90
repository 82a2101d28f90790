! SPDX-License-Identifier: Apache-2.0
! An internal procedure that uses its host's variables is passed as an argument, and called behind moves.
module apply
  use mpi
  implicit none
contains
  integer function sum_of(f, n)
    interface
      integer function f(i)
        integer, intent(in) :: i
      end function
    end interface
    integer, intent(in) :: n
    integer :: i, code
    sum_of = 0
    do i = 1, n
      call MPI_Migrate(code)
      sum_of = sum_of + f(i)
    end do
  end function
  subroutine check(offset)
    integer, intent(in) :: offset
    integer :: calls, code
    calls = 0
    if (sum_of(shifted, 12) /= 78 + 12 * offset .or. calls /= 12) call MPI_Abort(MPI_COMM_WORLD, 3, code)
  contains
    integer function shifted(i)
      integer, intent(in) :: i
      calls = calls + 1
      shifted = i + offset
    end function
  end subroutine
end module

program nested
  use mpi
  use apply
  implicit none
  integer :: me, code
  call MPI_Init(code)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, code)
  call check(me)
  if (me == 0) print '(a)', 'nested: all as it should be'
  call MPI_Finalize(code)
end program
