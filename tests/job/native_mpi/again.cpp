// SPDX-License-Identifier: Apache-2.0
// Is linked before a program's own main() (--wrap), and runs that main() twice between
// MPI_Init() and MPI_Finalize(). The second job must find nothing of the first.
#include <mpi.h>

extern "C" int __real_main(int argc, char** argv);
extern "C" int __wrap_main(int argc, char** argv);

int __wrap_main(int argc, char** argv) {
  int level = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  const int first = __real_main(argc, argv);
  const int second = first != 0 ? first : __real_main(argc, argv);
  MPI_Finalize();
  return second;
}
