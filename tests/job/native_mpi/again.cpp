// SPDX-License-Identifier: Apache-2.0
// The main() of programs whose own is renamed: runs that twice, MPI being initialised. A job that finds
// anything of the one before it is another than that.
#include <mpi.h>

int main_of_program(int argc, char** argv);

int main(int argc, char** argv) {
  int level = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  const int first = main_of_program(argc, argv);
  const int second = first != 0 ? first : main_of_program(argc, argv);
  MPI_Finalize();
  return second;
}
