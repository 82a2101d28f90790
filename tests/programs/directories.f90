! SPDX-License-Identifier: Apache-2.0
! The checks of directories.cpp and children.c in a Fortran program: files, inquiries and commands in a folder of each
! rank, and a loop that waits for a file of the next rank.
program directories
  use mpi
  implicit none
  integer :: rank, ranks, ierr, unit, found, status
  logical :: there
  character(len=4096) :: home, here
  character(len=32) :: folder, whose

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  write (folder, '("folder", i0)') rank
  call getcwd(home)
  call execute_command_line('mkdir '//trim(folder))
  call chdir(folder, status)
  call expect(status == 0, 'chdir')
  call others_run()
  call getcwd(here)
  call expect(trim(here) == trim(home)//'/'//trim(folder), 'getcwd')

  open (newunit=unit, file='mine', status='new', action='readwrite')
  call others_run()
  write (unit, '(i0)') rank
  call others_run()
  flush (unit)
  inquire (file='mine', exist=there)
  call expect(there, 'inquire')
  call others_run()
  rewind (unit)
  read (unit, *) found
  call expect(found == rank, 'read')
  close (unit)
  call execute_command_line('cp mine copy', exitstat=status)
  call expect(status == 0, 'execute_command_line')
  call others_run()
  open (newunit=unit, file='copy', status='old', action='read')
  read (unit, *) found
  call expect(found == rank, 'copy')
  close (unit, status='delete')

  ! The ranks end their loops from the last to the first.
  write (whose, '("../folder", i0, "/done")') rank + 1
  do while (rank + 1 < ranks)
    inquire (file=trim(whose), exist=there)
    if (there) exit
    call sleep(0)
  end do
  open (newunit=unit, file='done', status='new')
  close (unit)
  call others_run()
  call execute_command_line('rm mine done')
  call chdir(home, status)
  call expect(status == 0, 'chdir back')
  call others_run()
  call execute_command_line('rmdir '//trim(folder))
  call MPI_Finalize(ierr)
  if (rank == 0) print '(a)', 'directories: all as it should be'

contains

  subroutine others_run()
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    call MPI_Migrate(ierr)
  end subroutine

  subroutine expect(good, what)
    logical, intent(in) :: good
    character(len=*), intent(in) :: what
    if (good) return
    print '(a, i0, 2a)', 'rank ', rank, ': not so: ', what
    call MPI_Abort(MPI_COMM_WORLD, 3, ierr)
  end subroutine
end program
