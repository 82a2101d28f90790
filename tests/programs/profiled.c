// SPDX-License-Identifier: Apache-2.0
// A tool that overrides functions of MPI and calls their PMPI_ names: as a library (-DTOOL), linked to the
// program or given to it by --preload; or in the program itself (-DOWN). Its counts are each rank's own.
#include <string.h>

#include "check.h"

#if defined TOOL || defined OWN
int tool_calls = 0, tool_bytes = 0;

int MPI_Send(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  int size;
  PMPI_Type_size(type, &size);
  ++tool_calls;
  tool_bytes += count * size;
  return PMPI_Send(buffer, count, type, to, tag, comm);
}

int MPI_Comm_set_name(MPI_Comm comm, const char* name) {  // by this a preloaded tool reports its counts
  (void)name;
  char counts[64];
  snprintf(counts, sizeof counts, "%d calls, %d bytes", tool_calls, tool_bytes);
  return PMPI_Comm_set_name(comm, counts);
}
#endif

#ifndef TOOL
int main(int argc, char** argv) {
  begin(&argc, &argv);
  const int next = (my_rank + 1) % rank_count, before = (my_rank + rank_count - 1) % rank_count;
  int calls = 0, bytes = 0;
  for (int round = 0; round < 5; ++round) {
    double data[8] = {0}, got[8];
    MPI_Request request;
    MPI_Irecv(got, 8, MPI_DOUBLE, before, round, MPI_COMM_WORLD, &request);
    for (int i = 0; i <= my_rank % 3; ++i) {  // the further ones to itself
      if (i > 0) MPI_Irecv(got, 8, MPI_DOUBLE, my_rank, 100, MPI_COMM_WORLD, &request);
      MPI_Send(data, round + 1, MPI_DOUBLE, i == 0 ? next : my_rank, i == 0 ? round : 100, MPI_COMM_WORLD);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      ++calls;
      bytes += (round + 1) * 8;
    }
    maybe_move();
  }
  char name[MPI_MAX_OBJECT_NAME], expected[64];
  int length;
  MPI_Comm_set_name(MPI_COMM_SELF, "nobody was in between");
  MPI_Comm_get_name(MPI_COMM_SELF, name, &length);
  snprintf(expected, sizeof expected, "%d calls, %d bytes", calls, bytes);
  CHECK(strcmp(name, expected) == 0);
  finish("profiled");
  return 0;
}
#endif
