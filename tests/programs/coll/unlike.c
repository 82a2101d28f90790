/* SPDX-License-Identifier: Apache-2.0
 * `unlike WHAT`: a wrong program, of four ranks and more. Rank 1 makes a call that does not fit those of the
 * others. */
#include <mpi.h>
#include <string.h>

enum { most = 64 };
static int out[most], in[most], sent[most], received[most], starts[most], equal[most], places[most];

static int is(const char* what, const char* wanted) { return strcmp(what, wanted) == 0; }

static void run(const char* what, int rank, int size) {
  const int odd = rank == 1;
  MPI_Comm world = MPI_COMM_WORLD, ring;
  MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  /* Rank r gets r + 1 numbers from each rank. In place it would send as many. */
  const void* from = odd ? MPI_IN_PLACE : (void*)out;
  const int above = (rank + 1) % size, below = (rank + size - 1) % size, periodic = 1;
  if (is(what, "in_place")) MPI_Alltoallv(from, sent, starts, MPI_INT, in, received, starts, MPI_INT, world);
  if (is(what, "in_place_later")) {
    MPI_Ialltoallv(from, sent, starts, MPI_INT, in, received, starts, MPI_INT, world, requests);
    MPI_Wait(requests, MPI_STATUS_IGNORE);
  }
  if (is(what, "in_place_among_others")) {
    MPI_Ialltoallv(from, sent, starts, MPI_INT, in, received, starts, MPI_INT, world, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  }
  if (is(what, "bcast")) MPI_Bcast(out, odd ? 1 : 2, MPI_INT, 0, world);
  if (is(what, "ibcast")) {
    MPI_Ibcast(out, odd ? 1 : 2, MPI_INT, 0, world, requests);
    MPI_Wait(requests, MPI_STATUS_IGNORE);
  }
  if (is(what, "gatherv")) MPI_Gatherv(out, odd ? 3 : 2, MPI_INT, in, equal, places, MPI_INT, 0, world);
  if (is(what, "neighbours")) {
    MPI_Cart_create(world, 1, &size, &periodic, 0, &ring);
    MPI_Neighbor_allgather(out, odd ? 3 : 2, MPI_INT, in, 2, MPI_INT, ring);
  }
  if (is(what, "bcast_root")) MPI_Bcast(out, 2, MPI_INT, odd, world);
  if (is(what, "reduce_root")) MPI_Reduce(out, in, 2, MPI_INT, MPI_SUM, odd, world);
  if (is(what, "gather_root")) MPI_Gather(out, 2, MPI_INT, in, 2, MPI_INT, odd, world);
  if (is(what, "gatherv_root")) MPI_Gatherv(out, 2, MPI_INT, in, equal, places, MPI_INT, odd, world);
  if (is(what, "count")) MPI_Allreduce(out, in, odd ? 1 : 2, MPI_INT, MPI_SUM, world);
  if (is(what, "type")) MPI_Allreduce(out, in, 2, odd ? MPI_DOUBLE : MPI_INT, MPI_SUM, world);
  if (is(what, "call")) {
    if (odd)
      MPI_Barrier(world);
    else
      MPI_Allreduce(out, in, 2, MPI_INT, MPI_SUM, world);
  }
  if (is(what, "halves")) { /* and so nobody goes on */
    MPI_Comm copy;
    MPI_Comm_dup(world, &copy);
    if (rank < size / 2)
      MPI_Barrier(world);
    else
      MPI_Bcast(out, 2, MPI_INT, 0, copy);
  }
  if (is(what, "receive")) {
    if (rank == 0) MPI_Send(out, 5, MPI_INT, 1, 3, world);
    if (odd) MPI_Recv(in, 2, MPI_INT, 0, 3, world, MPI_STATUS_IGNORE);
  }
  if (is(what, "receives")) {
    if (rank == 0) {
      MPI_Send(out, 2, MPI_INT, 1, 3, world);
      MPI_Send(out, 5, MPI_INT, 1, 4, world);
    }
    if (odd) {
      MPI_Irecv(in, 2, MPI_INT, 0, 3, world, &requests[0]);
      MPI_Irecv(in + 8, 2, MPI_INT, 0, 4, world, &requests[1]);
      MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
  }
  if (is(what, "exchange")) {
    MPI_Isendrecv(out, odd ? 5 : 2, MPI_INT, above, 1, in, 2, MPI_INT, below, 1, world, requests);
    MPI_Wait(requests, MPI_STATUS_IGNORE);
  }
  if (is(what, "partitioned")) { /* four parts of two numbers for two parts of two */
    if (rank == 0) MPI_Psend_init(out, 4, 2, MPI_INT, 1, 5, world, MPI_INFO_NULL, requests);
    if (odd) MPI_Precv_init(in, 2, 2, MPI_INT, 0, 5, world, MPI_INFO_NULL, requests);
    if (rank <= 1) MPI_Start(requests);
    if (rank == 0) MPI_Pready_range(0, 3, requests[0]);
    MPI_Wait(requests, MPI_STATUS_IGNORE);
  }
  if (is(what, "matched")) {
    MPI_Message message;
    if (rank == 0) MPI_Send(out, 5, MPI_INT, 1, 6, world);
    if (odd) {
      MPI_Mprobe(0, 6, world, &message, MPI_STATUS_IGNORE);
      MPI_Imrecv(in, 2, MPI_INT, &message, requests);
      MPI_Wait(requests, MPI_STATUS_IGNORE);
    }
  }
  if (is(what, "tested")) {
    int done = 0, index;
    if (rank == 0) MPI_Send(out, 5, MPI_INT, 1, 7, world);
    if (odd) MPI_Irecv(in, 2, MPI_INT, 0, 7, world, &requests[1]);
    while (odd && !done) MPI_Testany(2, requests, &index, &done, MPI_STATUS_IGNORE);
  }
  if (strncmp(what, "between", strlen("between")) == 0) { /* rank 0 alone on one side */
    MPI_Comm side, between;
    MPI_Comm_split(world, rank == 0, rank, &side);
    MPI_Intercomm_create(side, 0, world, rank == 0, 8, &between);
    if (is(what, "between_receive") && rank == 0) MPI_Send(out, 5, MPI_INT, 0, 9, between);
    if (is(what, "between_receive") && odd) {
      MPI_Irecv(in, 2, MPI_INT, 0, 9, between, requests);
      MPI_Wait(requests, MPI_STATUS_IGNORE);
    }
    if (is(what, "between_bcast"))
      MPI_Bcast(out, rank == 0 ? 5 : 2, MPI_INT, rank == 0 ? MPI_ROOT : 0, between);
    if (is(what, "between_ibcast")) {
      MPI_Ibcast(out, rank == 0 ? 5 : 2, MPI_INT, rank == 0 ? MPI_ROOT : 0, between, requests);
      MPI_Wait(requests, MPI_STATUS_IGNORE);
    }
    if (is(what, "between_gather"))
      MPI_Gather(out, odd ? 3 : 2, MPI_INT, in, 2, MPI_INT, rank == 0 ? MPI_ROOT : 0, between);
    if (is(what, "between_alltoall")) MPI_Alltoall(out, rank == 0 ? 5 : 2, MPI_INT, in, 2, MPI_INT, between);
  }
}

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < size; ++i) {
    sent[i] = i + 1;
    received[i] = rank + 1;
    equal[i] = 2;
    places[i] = 2 * i;
  }
  if (argc > 1) run(argv[1], rank, size);
  MPI_Finalize();
  return 0;
}
