/* SPDX-License-Identifier: Apache-2.0
 * One of everything that a recording contains, in one order whatever the ranks do meanwhile:
 * tests/job/trace/recorded.txt is the expected trace. With 3 ranks. */
#include <fcntl.h>
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"

int MPI_Migrate(void);

enum { bytes = 100, large = 100000 };
static int me, left, right;
static char in[3][large], out[3][large];

static void messages(void) {
  MPI_Request requests[3];
  MPI_Irecv(in[0], bytes, MPI_BYTE, left, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(in[1], large, MPI_BYTE, right, 2, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(out[0], 40, MPI_BYTE, right, 1, MPI_COMM_WORLD, &requests[2]);
  MPI_Send(out[1], large, MPI_BYTE, left, 2, MPI_COMM_WORLD);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);

  MPI_Irecv(in[0], bytes, MPI_BYTE, left, 3, MPI_COMM_WORLD, &requests[0]);
  MPI_Ssend(out[0], bytes, MPI_BYTE, right, 3, MPI_COMM_WORLD);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);

  char* const buffer = malloc(1000 + MPI_BSEND_OVERHEAD);
  MPI_Buffer_attach(buffer, 1000 + MPI_BSEND_OVERHEAD);
  MPI_Bsend(out[0], 7, MPI_BYTE, right, 4, MPI_COMM_WORLD);
  MPI_Recv(in[0], bytes, MPI_BYTE, MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  int attached;
  char* address;
  MPI_Buffer_detach((void*)&address, &attached);
  free(buffer);

  MPI_Irecv(in[0], bytes, MPI_BYTE, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &requests[0]);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Rsend(out[0], 9, MPI_BYTE, left, 5, MPI_COMM_WORLD);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);

  MPI_Isend(out[0], 1, MPI_BYTE, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &requests[0]); /* nobody hears of it */
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
}

static void exchanges(void) {
  MPI_Sendrecv(out[0], 10, MPI_BYTE, right, 6, in[0], bytes, MPI_BYTE, left, MPI_ANY_TAG, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  MPI_Sendrecv(out[0], 11, MPI_BYTE, right, 6, in[0], bytes, MPI_BYTE, MPI_PROC_NULL, 6, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  MPI_Recv(in[0], bytes, MPI_BYTE, left, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Request request;
  MPI_Isendrecv(out[0], 12, MPI_BYTE, right, 6, in[0], bytes, MPI_BYTE, left, MPI_ANY_TAG, MPI_COMM_WORLD,
                &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);

  MPI_Request both[2];
  MPI_Recv_init(in[0], bytes, MPI_BYTE, left, 7, MPI_COMM_WORLD, &both[0]);
  MPI_Send_init(out[0], 13, MPI_BYTE, right, 7, MPI_COMM_WORLD, &both[1]);
  for (int i = 0; i < 2; ++i) {
    MPI_Startall(2, both);
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
  }
  MPI_Request_free(&both[0]);
  MPI_Request_free(&both[1]);
}

static void probes(void) {
  MPI_Request send;
  MPI_Status status;
  MPI_Message message;
  int flag = 0;
  MPI_Isend(out[0], 14, MPI_BYTE, right, 8, MPI_COMM_WORLD, &send);
  MPI_Probe(MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, &status);
  MPI_Recv(in[0], bytes, MPI_BYTE, left, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  while (!flag) MPI_Test(&send, &flag, MPI_STATUS_IGNORE);

  MPI_Isend(out[0], 15, MPI_BYTE, right, 9, MPI_COMM_WORLD, &send);
  MPI_Mprobe(left, 9, MPI_COMM_WORLD, &message, &status);
  MPI_Mrecv(in[0], bytes, MPI_BYTE, &message, MPI_STATUS_IGNORE);
  int index;
  MPI_Waitany(1, &send, &index, MPI_STATUS_IGNORE);

  MPI_Isend(out[0], 16, MPI_BYTE, right, 10, MPI_COMM_WORLD, &send);
  for (flag = 0; !flag;) MPI_Iprobe(left, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status);
  for (flag = 0; !flag;) MPI_Improbe(left, 10, MPI_COMM_WORLD, &flag, &message, &status);
  MPI_Request request;
  MPI_Imrecv(in[0], bytes, MPI_BYTE, &message, &request);
  MPI_Waitsome(1, &request, &index, &index, MPI_STATUSES_IGNORE);
  MPI_Wait(&send, MPI_STATUS_IGNORE);

  MPI_Irecv(in[0], bytes, MPI_BYTE, left, 11, MPI_COMM_WORLD, &request); /* nobody sends it */
  MPI_Cancel(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void collectives(void) {
  const int counts[] = {1, 2, 3}, starts[] = {0, 1, 3};
  int mine[6] = {0}, all[6] = {0}, some[6];
  MPI_Datatype types[] = {MPI_INT, MPI_INT, MPI_INT};
  const int places[] = {0, 4, 12};
  MPI_Bcast(mine, 6, MPI_INT, 1, MPI_COMM_WORLD);
  MPI_Gather(mine, 2, MPI_INT, all, 2, MPI_INT, 2, MPI_COMM_WORLD);
  MPI_Gather(me == 0 ? MPI_IN_PLACE : mine, 2, MPI_INT, all, 2, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Gatherv(mine, counts[me], MPI_INT, all, counts, starts, MPI_INT, 1, MPI_COMM_WORLD);
  MPI_Scatter(all, 2, MPI_INT, mine, 2, MPI_INT, 1, MPI_COMM_WORLD);
  MPI_Scatterv(all, counts, starts, MPI_INT, mine, counts[me], MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Allgather(mine, 2, MPI_INT, all, 2, MPI_INT, MPI_COMM_WORLD);
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 2, MPI_INT, MPI_COMM_WORLD);
  MPI_Allgatherv(mine, counts[me], MPI_INT, all, counts, starts, MPI_INT, MPI_COMM_WORLD);
  MPI_Alltoall(mine, 2, MPI_INT, all, 2, MPI_INT, MPI_COMM_WORLD);
  int to[3], from[3], at[] = {0, 2, 4}; /* from i to j go (i + j) % 3 */
  for (int i = 0; i < 3; ++i) to[i] = from[i] = (me + i) % 3;
  MPI_Alltoallv(mine, to, at, MPI_INT, all, from, at, MPI_INT, MPI_COMM_WORLD);
  MPI_Alltoallw(mine, to, places, types, all, from, places, types, MPI_COMM_WORLD);
  MPI_Reduce(mine, some, 3, MPI_INT, MPI_SUM, 2, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, mine, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Reduce_scatter_block(mine, some, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Reduce_scatter(mine, some, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Scan(mine, some, 5, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Exscan(mine, some, 6, MPI_INT, MPI_SUM, MPI_COMM_WORLD);

  MPI_Request requests[2];
  MPI_Iallreduce(mine, some, 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[0]);
  MPI_Ibarrier(MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Bcast_init(mine, 2, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
  for (int i = 0; i < 2; ++i) {
    MPI_Start(&requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  }
  MPI_Request_free(&requests[0]);
}

static void partitions(void) {
  MPI_Request both[2];
  MPI_Precv_init(in[0], 3, 4, MPI_BYTE, left, 12, MPI_COMM_WORLD, MPI_INFO_NULL, &both[0]);
  MPI_Psend_init(out[0], 2, 6, MPI_BYTE, right, 12, MPI_COMM_WORLD, MPI_INFO_NULL, &both[1]);
  MPI_Startall(2, both);
  MPI_Pready(1, both[1]);
  MPI_Pready(0, both[1]);
  MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
  MPI_Request_free(&both[0]);
  MPI_Request_free(&both[1]);
}

static void communicators(void) {
  MPI_Comm copy, half, grid, both, merged, reversed;
  MPI_Request request;
  MPI_Group group, backwards;
  const int order[] = {2, 1, 0};
  int number = me;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Sendrecv_replace(in[0], 5, MPI_BYTE, left, 1, right, 1, copy, MPI_STATUS_IGNORE);
  MPI_Comm_idup(copy, &grid, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_free(&grid);
  MPI_Comm_split(copy, me == 1, 0, &half); /* 0 and 2, and 1 alone */
  MPI_Barrier(half);
  MPI_Cart_create(MPI_COMM_WORLD, 1, (int[]){3}, (int[]){1}, 0, &grid);
  MPI_Neighbor_alltoall(out[0], 5, MPI_BYTE, in[1], 5, MPI_BYTE, grid);
  MPI_Ineighbor_allgather(out[0], 7, MPI_BYTE, in[1], 7, MPI_BYTE, grid, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Neighbor_alltoall_init(out[0], 3, MPI_BYTE, in[1], 3, MPI_BYTE, grid, MPI_INFO_NULL, &request);
  MPI_Start(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Request_free(&request);
  MPI_Comm_group(MPI_COMM_WORLD, &group);
  MPI_Group_incl(group, 3, order, &backwards);
  MPI_Comm_create_group(MPI_COMM_WORLD, backwards, 3, &reversed);
  MPI_Bcast(in[0], 8, MPI_BYTE, 0, reversed); /* from rank 2 of the world */
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, me == 1 ? 0 : 1, 12, &both);
  MPI_Barrier(both);
  MPI_Bcast(in[0], 3, MPI_BYTE, me == 1 ? MPI_ROOT : 0, both);
  MPI_Intercomm_merge(both, me == 1, &merged);
  MPI_Allreduce(MPI_IN_PLACE, &number, 1, MPI_INT, MPI_MAX, MPI_COMM_SELF);
  MPI_Comm_free(&merged);
  MPI_Comm_free(&both);
  MPI_Comm_free(&half);
  MPI_Comm_free(&grid);
  MPI_Comm_free(&reversed);
  MPI_Comm_free(&copy);
}

static void the_rest(void) {
  char name[] = "solve";
  MPI_Pcontrol(1, name);
  MPI_Pcontrol(1, "inner");
  MPI_Pcontrol(-1, "inner");
  MPI_Pcontrol(-1, name);
  MPI_Pcontrol(1, (char*)16); /* no string there */
  MPI_Pcontrol(0);
  MPI_Pcontrol(2);
  const int nothing = open("/dev/null", O_WRONLY), zeros = open("/dev/zero", O_RDONLY);
  CHECK(write(nothing, out[0], 5000) == 5000);
  CHECK(read(zeros, in[0], 300) == 300);
  CHECK(pread(zeros, in[0], 200, 0) == 200);
  close(nothing);
  close(zeros);
  MPI_File file;
  MPI_Request request;
  CHECK(MPI_File_open(MPI_COMM_WORLD, "recorded_file",
                      MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                      &file) == MPI_SUCCESS);
  MPI_File_write_at_all(file, 100 * me, out[0], 100, MPI_BYTE, MPI_STATUS_IGNORE);
  MPI_File_iread_at(file, 100 * me + 20, in[0], 30, MPI_BYTE, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
  usleep(1000);
  MPI_Migrate();
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  me = my_rank;
  CHECK(rank_count == 3);
  left = (me + 2) % 3;
  right = (me + 1) % 3;
  for (int round = 0; round < 2; ++round) {
    messages();
    exchanges();
    probes();
    collectives();
    partitions();
    communicators();
    the_rest();
  }
  if (me == 0) printf("recorded\n");
  MPI_Finalize();
  return 0;
}
