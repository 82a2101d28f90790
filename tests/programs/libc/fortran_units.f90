! SPDX-License-Identifier: Apache-2.0
! Open units across pauses: a formatted file, a scratch file and an unformatted stream. See c_library.c.
program fortran_units
  use, intrinsic :: iso_c_binding
  implicit none
  interface
    integer(c_int) function pause() bind(c, name="sched_yield")
      import :: c_int
    end function
  end interface
  character(200) :: directory, path
  integer, target :: here
  integer :: i, a, b, ignored
  double precision :: x
  call get_command_argument(command_argument_count(), directory)
  write (path, '(a,a,z0)') trim(directory), "/f", transfer(c_loc(here), 0_c_intptr_t) / 2**24
  open (10, file=trim(path), status="replace", action="readwrite")
  open (11, status="scratch")
  open (12, file=trim(path)//"b", status="replace", access="stream", form="unformatted")
  do i = 1, 2000
    write (10, *) i, 2 * i
    write (11, '(i8)') i
    write (12) 0.5d0 * i
    if (mod(i, 500) == 0) ignored = pause()
  end do
  rewind (10)
  rewind (11)
  rewind (12)
  do i = 1, 2000
    read (10, *) a, b
    if (a /= i .or. b /= 2 * i) error stop "formatted file"
    read (11, *) a
    if (a /= i) error stop "scratch file"
    read (12) x
    if (x /= 0.5d0 * i) error stop "stream"
    if (mod(i, 500) == 250) ignored = pause()
  end do
  close (10, status="delete")
  close (12, status="delete")
end program
