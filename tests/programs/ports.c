// SPDX-License-Identifier: Apache-2.0
// Ports and names (MPI 4.1, 11.8, 11.9) between groups of one job, while ranks move; and calls that are
// refused.
#include <string.h>

#include "check.h"

/// Sends from each rank of one side to each of the other: a message carries its sender's number.
static void use(MPI_Comm inter, int side, const int* sizes) {
  int remote = -1, size = -1, rank = -1;
  MPI_Comm_remote_size(inter, &remote);
  MPI_Comm_size(inter, &size);
  MPI_Comm_rank(inter, &rank);
  CHECK(size == sizes[side] && remote == sizes[!side]);
  MPI_Request* const sends = malloc(sizeof(MPI_Request) * (size_t)remote);
  const int mine = 1000 * side + rank;
  for (int to = 0; to < remote; ++to) MPI_Isend(&mine, 1, MPI_INT, to, 4, inter, &sends[to]);
  maybe_move();
  for (int from = 0; from < remote; ++from) {
    int got = -1;
    MPI_Recv(&got, 1, MPI_INT, from, 4, inter, MPI_STATUS_IGNORE);
    CHECK(got == 1000 * !side + from);
  }
  MPI_Waitall(remote, sends, MPI_STATUSES_IGNORE);
  free(sends);
  MPI_Comm merged;
  int sum = 1, total = 0;
  MPI_Intercomm_merge(inter, side, &merged);
  MPI_Allreduce(&sum, &total, 1, MPI_INT, MPI_SUM, merged);
  CHECK(total == size + remote);
  MPI_Comm_free(&merged);
}

/// The first ranks accept, the others connect; they learn the port by a name, or by a message.
static void meet(int by_name) {
  if (rank_count < 2) return;
  const int servers = (rank_count + 1) / 2, side = my_rank >= servers,
            sizes[] = {servers, rank_count - servers};
  char port[MPI_MAX_PORT_NAME] = "";
  MPI_Comm group, inter;
  MPI_Comm_split(MPI_COMM_WORLD, side, 0, &group);
  const int root = sizes[side] - 1;  // of each side the last one
  if (side == 0 && my_rank == root) {
    MPI_Open_port(MPI_INFO_NULL, port);
    if (by_name) MPI_Publish_name("meeting", MPI_INFO_NULL, port);
    if (!by_name) MPI_Send(port, MPI_MAX_PORT_NAME, MPI_CHAR, rank_count - 1, 1, MPI_COMM_WORLD);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (side == 1 && my_rank == rank_count - 1) {
    if (by_name) MPI_Lookup_name("meeting", MPI_INFO_NULL, port);
    if (!by_name)
      MPI_Recv(port, MPI_MAX_PORT_NAME, MPI_CHAR, servers - 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  maybe_move();
  for (int round = 0; round < 3; ++round) {
    if (side == 0) MPI_Comm_accept(port, MPI_INFO_NULL, root, group, &inter);
    if (side == 1) MPI_Comm_connect(port, MPI_INFO_NULL, root, group, &inter);
    use(inter, side, sizes);
    MPI_Comm_disconnect(&inter);
    CHECK(inter == MPI_COMM_NULL);
  }
  if (side == 0 && my_rank == root) {
    if (by_name) MPI_Unpublish_name("meeting", MPI_INFO_NULL, port);
    MPI_Close_port(port);
  }
  MPI_Comm_free(&group);
}

/// All ranks but rank 0 connect by themselves, in any order; rank 0 accepts each.
static void one_by_one(void) {
  char port[MPI_MAX_PORT_NAME] = "";
  if (my_rank == 0) MPI_Open_port(MPI_INFO_NULL, port);
  MPI_Bcast(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, MPI_COMM_WORLD);
  int sum = 0;
  MPI_Comm inter;
  for (int i = 1; my_rank == 0 && i < rank_count; ++i) {
    int who = -1;
    MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &inter);
    MPI_Recv(&who, 1, MPI_INT, 0, 0, inter, MPI_STATUS_IGNORE);
    sum += who;
    MPI_Comm_disconnect(&inter);
  }
  if (my_rank > 0) {
    MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &inter);
    MPI_Send(&my_rank, 1, MPI_INT, 0, 0, inter);
    MPI_Comm_disconnect(&inter);
  }
  if (my_rank == 0) {
    CHECK(sum == rank_count * (rank_count - 1) / 2);
    MPI_Close_port(port);
  }
}

#define FAILS(call, wanted) CHECK(class_of(call) == (wanted))

static void wrong(void) {
  char port[MPI_MAX_PORT_NAME], name[32], found[MPI_MAX_PORT_NAME];
  MPI_Comm comm, inter = MPI_COMM_WORLD, parent = MPI_COMM_WORLD;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  snprintf(name, sizeof name, "service %d", my_rank);
  MPI_Open_port(MPI_INFO_NULL, port);
  FAILS(MPI_Lookup_name(name, MPI_INFO_NULL, found), MPI_ERR_NAME);
  FAILS(MPI_Unpublish_name(name, MPI_INFO_NULL, port), MPI_ERR_SERVICE);
  CHECK(MPI_Publish_name(name, MPI_INFO_NULL, port) == MPI_SUCCESS);
  FAILS(MPI_Publish_name(name, MPI_INFO_NULL, port), MPI_ERR_SERVICE);
  CHECK(MPI_Lookup_name(name, MPI_INFO_NULL, found) == MPI_SUCCESS && strcmp(found, port) == 0);
  CHECK(MPI_Unpublish_name(name, MPI_INFO_NULL, port) == MPI_SUCCESS);
  FAILS(MPI_Lookup_name(name, MPI_INFO_NULL, found), MPI_ERR_NAME);
  CHECK(MPI_Close_port(port) == MPI_SUCCESS);
  FAILS(MPI_Close_port(port), MPI_ERR_PORT);
  FAILS(MPI_Close_port("nothing"), MPI_ERR_PORT);
  FAILS(MPI_Comm_connect(port, MPI_INFO_NULL, 0, comm, &inter), MPI_ERR_PORT);  // on all ranks
  CHECK(inter == MPI_COMM_NULL);
  FAILS(MPI_Comm_accept("nothing", MPI_INFO_NULL, rank_count - 1, comm, &inter), MPI_ERR_PORT);
  FAILS(MPI_Comm_accept(port, MPI_INFO_NULL, rank_count, comm, &inter), MPI_ERR_ROOT);
  FAILS(MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_NULL, &inter), MPI_ERR_COMM);

  int errors[5] = {-1, -1, -1, -1, -1};
  char command[] = "program";
  char* commands[] = {command, command};
  const int ranks[] = {2, 3};
  const MPI_Info infos[] = {MPI_INFO_NULL, MPI_INFO_NULL};
  FAILS(MPI_Comm_spawn(command, MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, comm, &inter, errors), MPI_ERR_SPAWN);
  CHECK(inter == MPI_COMM_NULL);
  if (my_rank == 0) CHECK(errors[0] == MPI_ERR_SPAWN && errors[1] == MPI_ERR_SPAWN && errors[2] == -1);
  FAILS(MPI_Comm_spawn(command, MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, comm, &inter, MPI_ERRCODES_IGNORE),
        MPI_ERR_SPAWN);
  FAILS(MPI_Comm_spawn_multiple(2, commands, MPI_ARGVS_NULL, ranks, infos, 0, comm, &inter, errors),
        MPI_ERR_SPAWN);
  if (my_rank == 0) CHECK(errors[4] == MPI_ERR_SPAWN);
  FAILS(MPI_Comm_join(0, &inter), MPI_ERR_UNSUPPORTED_OPERATION);
  CHECK(inter == MPI_COMM_NULL);
  MPI_Comm_get_parent(&parent);
  CHECK(parent == MPI_COMM_NULL);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_free(&comm);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  meet(0);
  maybe_move();
  meet(1);
  maybe_move();
  one_by_one();
  wrong();
  finish("ports");
  return 0;
}
