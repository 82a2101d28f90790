// SPDX-License-Identifier: Apache-2.0
// files PATH MIB: all ranks write a file of MIB mebibytes together, each its part in one piece, by one
// MPI_File_write_at_all. Prints a line: the call, bytes, nanoseconds. The file exists before with full
// length, so that no time goes into finding room for it.
#include "timing.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc < 3) {
    if (rank == 0) fprintf(stderr, "files PATH MIB\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  const size_t bytes = (size_t)atoi(argv[2]) << 20, share = bytes / (size_t)ranks;
  char* const data = touched(share);
  MPI_File file;
  if (MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file) !=
      MPI_SUCCESS) {
    if (rank == 0) fprintf(stderr, "%s cannot be opened\n", argv[1]);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  const MPI_Offset at = (MPI_Offset)share * rank;
  double best = 1e9;
  for (int round = 0; round < 4; ++round) {
    memset(data, 'a' + (rank + round) % 26, share);
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    MPI_File_write_at_all(file, at, data, (int)share, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    const double seconds = MPI_Wtime() - start;
    if (round > 0 && seconds < best) best = seconds;
  }
  char last;
  MPI_File_read_at(file, at + (MPI_Offset)share - 1, &last, 1, MPI_BYTE, MPI_STATUS_IGNORE);
  expect(last == data[share - 1], "what was written is not what is read");
  print_row("write_at_all", bytes, best);
  MPI_File_close(&file);
  free(data);
  MPI_Finalize();
  return 0;
}
