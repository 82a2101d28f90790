// SPDX-License-Identifier: Apache-2.0
// Intercommunicators (MPI 4.1, 7.6), made, used, changed and freed while ranks move. The members and the
// order of the groups follow from the ranks in the world.
#include <string.h>

#include "check.h"

static int side, ours, theirs;  // of the intercommunicator at hand

/// Returns the world rank of a member. The groups are the even and the odd ranks, the odd ones backwards.
static int world_rank(int of_side, int rank) {
  const int odd = rank_count / 2;
  return of_side ? 2 * (odd - 1 - rank) + 1 : 2 * rank;
}

/// Makes the intercommunicator of even and odd ranks. The leaders are the last of their groups.
static MPI_Comm make(int tag) {
  MPI_Comm local, inter;
  side = my_rank % 2;
  theirs = side ? (rank_count + 1) / 2 : rank_count / 2;
  ours = rank_count - theirs;
  MPI_Comm_split(MPI_COMM_WORLD, side, side ? -my_rank : my_rank, &local);
  MPI_Intercomm_create(local, ours - 1, MPI_COMM_WORLD, world_rank(!side, theirs - 1), tag, &inter);
  MPI_Comm_free(&local);
  return inter;
}

static void check_group(MPI_Group group, int of_side, int size) {
  int actual = -1;
  MPI_Group world;
  MPI_Group_size(group, &actual);
  CHECK(actual == size);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  for (int rank = 0; rank < size; ++rank) {
    int in_world = -1;
    MPI_Group_translate_ranks(group, 1, &rank, world, &in_world);
    CHECK(in_world == world_rank(of_side, rank));
  }
  MPI_Group_free(&world);
  MPI_Group_free(&group);
}

/// Checks that `inter` is the intercommunicator of even and odd ranks.
static void check_inquiry(MPI_Comm inter) {
  int flag = -1, rank = -1, size = -1, remote = -1;
  MPI_Comm_test_inter(inter, &flag);
  MPI_Comm_rank(inter, &rank);
  MPI_Comm_size(inter, &size);
  MPI_Comm_remote_size(inter, &remote);
  CHECK(flag == 1 && size == ours && remote == theirs && world_rank(side, rank) == my_rank);
  MPI_Group group;
  MPI_Comm_group(inter, &group);
  check_group(group, side, ours);
  MPI_Comm_remote_group(inter, &group);
  check_group(group, !side, theirs);
  int kind = -1;
  MPI_Topo_test(inter, &kind);
  CHECK(kind == MPI_UNDEFINED);
}

/// Every rank sends to every one of the other group and receives in another order, with and without wildcards
/// and probes. Equal tags on another communicator do not interfere.
static void check_messages(MPI_Comm inter, int tag) {
  int rank = -1;
  MPI_Comm_rank(inter, &rank);
  enum { length = 5000 };  // eager or not
  MPI_Request* const sends = malloc(sizeof(MPI_Request) * (size_t)(2 * theirs));
  int(*const out)[length] = malloc(sizeof(int[length]) * (size_t)theirs);
  for (int to = 0; to < theirs; ++to) {
    for (int i = 0; i < length; ++i) out[to][i] = 1000 * my_rank + to + i;
    MPI_Isend(out[to], to % 2 ? length : 1, MPI_INT, to, tag, inter, &sends[2 * to]);
    MPI_Isend(&my_rank, 1, MPI_INT, world_rank(!side, to), tag, MPI_COMM_WORLD, &sends[2 * to + 1]);
  }
  maybe_move();
  int* const in = malloc(sizeof(int) * length);
  const int expected = rank % 2 ? length : 1;
  for (int from = theirs - 1; from >= 0; --from) {
    MPI_Status status;
    int count = -1, flag = 0;
    if (from % 3 == 0) {  // all others are received: this is the last rank, or one of those still to come
      MPI_Probe(from, MPI_ANY_TAG, inter, &status);
      CHECK(status.MPI_SOURCE == from && status.MPI_TAG == tag);
      MPI_Message message;
      MPI_Improbe(from, tag, inter, &flag, &message, &status);
      CHECK(flag);
      MPI_Mrecv(in, length, MPI_INT, &message, &status);
    } else {
      MPI_Recv(in, length, MPI_INT, from, tag, inter, &status);
    }
    MPI_Get_count(&status, MPI_INT, &count);
    CHECK(status.MPI_SOURCE == from && count == expected);
    CHECK(in[0] == 1000 * world_rank(!side, from) + rank && in[count - 1] == in[0] + count - 1);
  }
  for (int from = 0; from < theirs; ++from) {
    int got = -1;
    MPI_Recv(&got, 1, MPI_INT, world_rank(!side, from), tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(got == world_rank(!side, from));
  }
  MPI_Waitall(2 * theirs, sends, MPI_STATUSES_IGNORE);
  // From any source: each rank of the other group once.
  int sum = 0, seen = 0;
  MPI_Request wildcard;
  MPI_Irecv(in, 1, MPI_INT, MPI_ANY_SOURCE, tag + 1, inter, &wildcard);
  maybe_move();
  for (int to = 0; to < theirs; ++to) MPI_Send(&my_rank, 1, MPI_INT, to, tag + 1, inter);
  for (int k = 0; k < theirs; ++k) {
    MPI_Status status;
    if (k == 0)
      MPI_Wait(&wildcard, &status);
    else
      MPI_Recv(in, 1, MPI_INT, MPI_ANY_SOURCE, tag + 1, inter, &status);
    CHECK(in[0] == world_rank(!side, status.MPI_SOURCE));
    sum += in[0];
    seen += world_rank(!side, k);
  }
  CHECK(sum == seen);
  // Messages in both directions at once, and with MPI_PROC_NULL.
  const int partner = rank < theirs ? rank : MPI_PROC_NULL;
  int got = -1;
  MPI_Sendrecv(&my_rank, 1, MPI_INT, partner, tag, &got, 1, MPI_INT, partner, tag, inter, MPI_STATUS_IGNORE);
  CHECK(got == (partner == MPI_PROC_NULL ? -1 : world_rank(!side, rank)));
  free(in);
  free(out);
  free(sends);
}

static int comparison(MPI_Comm a, MPI_Comm b) {
  int result = -1;
  MPI_Comm_compare(a, b, &result);
  return result;
}

static int copies, deletions;
static int copy(MPI_Comm comm, int keyval, void* extra, void* in, void* out, int* flag) {
  (void)comm;
  (void)keyval;
  *(void**)out = (char*)in + *(int*)extra;
  *flag = 1;
  ++copies;
  return MPI_SUCCESS;
}
static int drop(MPI_Comm comm, int keyval, void* value, void* extra) {
  (void)comm;
  (void)keyval;
  (void)value;
  (void)extra;
  ++deletions;
  return MPI_SUCCESS;
}

static int handled, handled_class;
static void handle(MPI_Comm* comm, int* code, ...) {
  (void)comm;
  ++handled;
  handled_class = class_of(*code);
}

static void duplicates(MPI_Comm inter) {
  int keyval, step = 3, flag = 0, length = -1;
  char name[MPI_MAX_OBJECT_NAME], *value = NULL, place[8];
  copies = deletions = 0;
  MPI_Comm_create_keyval(copy, drop, &keyval, &step);
  MPI_Comm_set_attr(inter, keyval, place);
  MPI_Comm_set_name(inter, "two groups");
  MPI_Errhandler handler, got;
  MPI_Comm_create_errhandler(handle, &handler);
  MPI_Comm_set_errhandler(inter, handler);

  MPI_Comm made[4];
  MPI_Request requests[2];
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Comm_dup(inter, &made[0]);
  MPI_Comm_dup_with_info(inter, info, &made[1]);
  MPI_Comm_idup(inter, &made[2], &requests[0]);
  MPI_Comm_idup_with_info(inter, info, &made[3], &requests[1]);
  maybe_move();
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Info_free(&info);
  CHECK(copies == 4 && deletions == 0);
  MPI_Comm_get_name(inter, name, &length);
  CHECK(!strcmp(name, "two groups"));
  for (int k = 0; k < 4; ++k) {
    CHECK(comparison(made[k], inter) == MPI_CONGRUENT);
    check_inquiry(made[k]);
    check_messages(made[k], 40 + k);
    MPI_Comm_get_attr(made[k], keyval, &value, &flag);
    CHECK(flag && value == place + 3);
    MPI_Comm_get_name(made[k], name, &length);
    CHECK(length == 0);
    MPI_Comm_get_errhandler(made[k], &got);
    CHECK(got == handler);
    MPI_Errhandler_free(&got);
    handled = 0;
    CHECK(class_of(MPI_Send(name, 1, MPI_CHAR, theirs, 0, made[k])) == MPI_ERR_RANK);
    CHECK(handled == 1 && handled_class == MPI_ERR_RANK);
    int sum = -1;
    MPI_Allreduce(&my_rank, &sum, 1, MPI_INT, MPI_SUM, made[k]);
    int expected = 0;
    for (int i = 0; i < theirs; ++i) expected += world_rank(!side, i);
    CHECK(sum == expected);
    if (k % 2)
      MPI_Comm_disconnect(&made[k]);
    else
      MPI_Comm_free(&made[k]);
    CHECK(made[k] == MPI_COMM_NULL && deletions == k + 1);
  }
  MPI_Comm_delete_attr(inter, keyval);
  MPI_Comm_free_keyval(&keyval);
  MPI_Comm_set_errhandler(inter, MPI_ERRORS_ARE_FATAL);
  MPI_Errhandler_free(&handler);
}

/// Merges to the world, with the high group behind the other one.
static void merges(MPI_Comm inter) {
  for (int high_side = 0; high_side < 3; ++high_side) {
    MPI_Comm all;
    // The third time both sides say the same: either order is right, and all ranks have the same one.
    const int high = high_side < 2 ? side == high_side : 1;
    MPI_Intercomm_merge(inter, high, &all);
    maybe_move();
    int rank = -1, size = -1, flag = -1, in_group = -1;
    MPI_Comm_test_inter(all, &flag);
    MPI_Comm_rank(all, &rank);
    MPI_Comm_size(all, &size);
    MPI_Comm_rank(inter, &in_group);
    CHECK(!flag && size == rank_count);
    int behind = rank >= theirs + in_group ? 1 : 0;
    if (high_side < 2) CHECK(behind == high);
    CHECK(rank == (behind ? theirs + in_group : in_group));
    int mine[2] = {side, behind}, sum = -1;
    int* const everybody = malloc(sizeof(int) * 2 * (size_t)size);
    MPI_Allgather(mine, 2, MPI_INT, everybody, 2, MPI_INT, all);
    for (int i = 0; i < size; ++i) CHECK((everybody[2 * i] == side) == (everybody[2 * i + 1] == behind));
    free(everybody);
    MPI_Allreduce(&my_rank, &sum, 1, MPI_INT, MPI_SUM, all);
    CHECK(sum == rank_count * (rank_count - 1) / 2);
    CHECK(comparison(all, inter) == MPI_UNEQUAL);
    MPI_Comm_free(&all);
  }
}

/// Splits each group into halves, with backward keys; one colour occurs in one group only.
static void splits(MPI_Comm inter) {
  int rank = -1, size = -1, remote = -1, got = -1;
  MPI_Comm_rank(inter, &rank);
  MPI_Comm part;
  MPI_Comm_split(inter, rank % 2, -rank, &part);
  const int mine = (ours - rank % 2 + 1) / 2, others = (theirs - rank % 2 + 1) / 2;
  if (others == 0) {
    CHECK(part == MPI_COMM_NULL);
  } else {
    int here = -1;
    MPI_Comm_rank(part, &here);
    MPI_Comm_size(part, &size);
    MPI_Comm_remote_size(part, &remote);
    CHECK(size == mine && remote == others && here == mine - 1 - rank / 2);
    // The first of the other half is the last of its parity in its group.
    const int first = world_rank(!side, 2 * (others - 1) + rank % 2);
    MPI_Request send;
    int* const sent = &my_rank;
    MPI_Isend(sent, 1, MPI_INT, 0, 8, part, &send);
    if (here == 0) {
      for (int k = 0; k < others; ++k) {
        MPI_Recv(&got, 1, MPI_INT, k, 8, part, MPI_STATUS_IGNORE);
        CHECK(got == world_rank(!side, 2 * (others - 1 - k) + rank % 2));
        if (k == 0) CHECK(got == first);
      }
    }
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    MPI_Comm_free(&part);
  }
  maybe_move();
  MPI_Comm_split(inter, side == 0 ? 1 : MPI_UNDEFINED, 0, &part);
  CHECK(part == MPI_COMM_NULL);
  MPI_Comm_split(inter, side, 0, &part);
  CHECK(part == MPI_COMM_NULL);
}

/// Creates communicators of the first rank of each group and its successors; if one side names no rank, no
/// rank gets one.
static void creations(MPI_Comm inter) {
  MPI_Group all, some;
  MPI_Comm part;
  int rank = -1;
  MPI_Comm_rank(inter, &rank);
  MPI_Comm_group(inter, &all);
  const int keep = side ? 1 : (ours + 1) / 2, others = side ? (theirs + 1) / 2 : 1;
  int range[1][3] = {{keep - 1, 0, -1}};  // backwards
  MPI_Group_range_incl(all, 1, range, &some);
  MPI_Comm_create(inter, some, &part);
  CHECK((part != MPI_COMM_NULL) == (rank < keep));
  if (part != MPI_COMM_NULL) {
    int here = -1, size = -1, remote = -1, sum = 0;
    MPI_Comm_rank(part, &here);
    MPI_Comm_size(part, &size);
    MPI_Comm_remote_size(part, &remote);
    CHECK(here == keep - 1 - rank && size == keep && remote == others);
    MPI_Allreduce(&my_rank, &sum, 1, MPI_INT, MPI_SUM, part);
    int expected = 0;
    for (int i = 0; i < others; ++i) expected += world_rank(!side, i);
    CHECK(sum == expected);
    MPI_Comm_free(&part);
  }
  maybe_move();
  MPI_Comm_create(inter, side ? some : MPI_GROUP_EMPTY, &part);
  CHECK(part == MPI_COMM_NULL);
  MPI_Group_free(&some);
  MPI_Group_free(&all);
}

static void comparisons(MPI_Comm inter) {
  MPI_Comm other, local;
  CHECK(comparison(inter, inter) == MPI_IDENT && comparison(inter, MPI_COMM_WORLD) == MPI_UNEQUAL);
  // An intercommunicator of the same groups in another order.
  MPI_Comm_split(MPI_COMM_WORLD, side, my_rank, &local);
  MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, !side, 3, &other);
  CHECK(comparison(inter, other) == (rank_count >= 4 ? MPI_SIMILAR : MPI_CONGRUENT));
  MPI_Comm_free(&other);
  // One with another remote group: the odd ranks without their last, seen from the even ones.
  if (rank_count >= 4) {
    const int in = side == 0 || my_rank > 1;
    MPI_Comm_free(&local);
    MPI_Comm_split(MPI_COMM_WORLD, in ? side : MPI_UNDEFINED, my_rank, &local);
    if (in) {
      MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, side ? 0 : 3, 3, &other);
      CHECK(comparison(inter, other) == MPI_UNEQUAL);
      MPI_Comm_free(&other);
    }
  }
  if (local != MPI_COMM_NULL) MPI_Comm_free(&local);
}

/// Makes several at once between the same leaders, told apart by tag, and through a communicator that is not
/// the world; an intercommunicator may be the peer as well.
static void several(void) {
  MPI_Comm local, peer, made[2];
  MPI_Comm_dup(MPI_COMM_WORLD, &peer);
  MPI_Comm_split(peer, side, my_rank, &local);
  MPI_Request noise;
  int sent = -7, got = 0;  // equal tags of the program do not interfere
  if (my_rank < 2) MPI_Isend(&sent, 1, MPI_INT, !my_rank, 1, peer, &noise);
  for (int k = 0; k < 2; ++k) MPI_Intercomm_create(local, 0, peer, !side, k, &made[k]);
  if (my_rank < 2) {
    MPI_Recv(&got, 1, MPI_INT, !my_rank, 1, peer, MPI_STATUS_IGNORE);
    MPI_Wait(&noise, MPI_STATUS_IGNORE);
    CHECK(got == -7);
  }
  MPI_Comm_free(&peer);
  maybe_move();
  int rank = -1, from_first = -1, from_second = -1;
  MPI_Comm_rank(local, &rank);
  if (rank == 0) {
    MPI_Request sends[2];
    const int numbers[2] = {my_rank + 100, my_rank + 200};
    for (int k = 0; k < 2; ++k) MPI_Isend(&numbers[k], 1, MPI_INT, 0, 5, made[k], &sends[k]);
    MPI_Recv(&from_second, 1, MPI_INT, 0, 5, made[1], MPI_STATUS_IGNORE);
    MPI_Recv(&from_first, 1, MPI_INT, 0, 5, made[0], MPI_STATUS_IGNORE);
    CHECK(from_first == !my_rank + 100 && from_second == !my_rank + 200);
    MPI_Waitall(2, sends, MPI_STATUSES_IGNORE);
  }
  MPI_Comm through;
  MPI_Intercomm_create(local, 0, made[0], 0, 9, &through);
  CHECK(comparison(through, made[0]) == MPI_CONGRUENT);
  MPI_Comm_free(&through);
  MPI_Comm_free(&made[0]);
  MPI_Comm_free(&made[1]);
  MPI_Comm_free(&local);
}

/// Makes them from groups alone, without a communicator that has both. Calls with other strings do not
/// interfere.
static void from_groups(MPI_Comm inter) {
  MPI_Group local, remote;
  MPI_Comm_group(inter, &local);
  MPI_Comm_remote_group(inter, &remote);
  MPI_Comm made[2], single;
  MPI_Info info;
  MPI_Info_create(&info);
  static const char* const names[2] = {"first of two", "second of two"};
  for (int k = 0; k < 2; ++k) {
    // Only the leaders know the remote group.
    const int leader = k ? ours - 1 : 0, other = k ? theirs - 1 : 0;
    MPI_Intercomm_create_from_groups(local, leader,
                                     my_rank == world_rank(side, leader) ? remote : MPI_GROUP_NULL, other,
                                     names[k], info, MPI_ERRORS_RETURN, &made[k]);
    maybe_move();
  }
  for (int k = 0; k < 2; ++k) {
    MPI_Errhandler handler;
    CHECK(comparison(made[k], inter) == MPI_CONGRUENT);
    check_messages(made[k], 50 + k);
    MPI_Comm_get_errhandler(made[k], &handler);
    CHECK(handler == MPI_ERRORS_RETURN);
    MPI_Comm_free(&made[k]);
  }
  MPI_Comm_create_from_group(local, "one of each side", info, MPI_ERRORS_ARE_FATAL, &single);
  int rank = -1, size = -1, sum = -1, expected = 0;
  MPI_Comm_rank(single, &rank);
  MPI_Comm_size(single, &size);
  CHECK(size == ours && world_rank(side, rank) == my_rank);
  MPI_Allreduce(&my_rank, &sum, 1, MPI_INT, MPI_SUM, single);
  for (int i = 0; i < ours; ++i) expected += world_rank(side, i);
  CHECK(sum == expected);
  MPI_Comm_free(&single);
  MPI_Comm_create_from_group(MPI_GROUP_EMPTY, "nobody", info, MPI_ERRORS_RETURN, &single);
  CHECK(single == MPI_COMM_NULL);
  // If either group is empty no other rank is needed (MPI 4.1, 7.6.2).
  if (my_rank == 0) {
    for (int k = 0; k < 2; ++k) {
      single = MPI_COMM_WORLD;
      CHECK(MPI_Intercomm_create_from_groups(k ? local : MPI_GROUP_EMPTY, 0, k ? MPI_GROUP_EMPTY : remote, 0,
                                             "nobody", info, MPI_ERRORS_RETURN, &single) == MPI_SUCCESS);
      CHECK(single == MPI_COMM_NULL);
    }
  }

  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  CHECK(class_of(MPI_Comm_create_from_group(remote, "x", info, MPI_ERRORS_RETURN, &single)) == MPI_ERR_GROUP);
  CHECK(class_of(MPI_Comm_create_from_group(local, "x", info, MPI_ERRHANDLER_NULL, &single)) ==
        MPI_ERR_ERRHANDLER);
  CHECK(class_of(MPI_Intercomm_create_from_groups(local, ours, remote, 0, "x", info, MPI_ERRORS_RETURN,
                                                  &single)) == MPI_ERR_RANK);
  // The leader finds that there is no such leader, and tells its group.
  const int error = class_of(
      MPI_Intercomm_create_from_groups(local, 0, remote, theirs, "y", info, MPI_ERRORS_RETURN, &single));
  CHECK(error == MPI_ERR_RANK && single == MPI_COMM_NULL);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
  MPI_Info_free(&info);
  MPI_Group_free(&local);
  MPI_Group_free(&remote);
}

static void errors(MPI_Comm inter) {
  MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Comm made = MPI_COMM_NULL;
  MPI_Group group;
  int number = 0, place = -1;
  const int dims[1] = {1}, periods[1] = {0};
  // Calls without meaning for the other kind of communicator.
  CHECK(class_of(MPI_Comm_remote_size(MPI_COMM_SELF, &number)) == MPI_ERR_COMM);
  CHECK(class_of(MPI_Comm_remote_group(MPI_COMM_SELF, &group)) == MPI_ERR_COMM);
  CHECK(class_of(MPI_Intercomm_merge(MPI_COMM_SELF, 0, &made)) == MPI_ERR_COMM);
  CHECK(class_of(MPI_Intercomm_create(inter, 0, MPI_COMM_WORLD, 0, 0, &made)) == MPI_ERR_COMM);
  CHECK(class_of(MPI_Cart_create(inter, 1, dims, periods, 0, &made)) == MPI_ERR_COMM);
  CHECK(class_of(MPI_Cart_map(inter, 1, dims, periods, &place)) == MPI_ERR_COMM);
  CHECK(class_of(MPI_Comm_split_type(inter, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made)) == MPI_ERR_COMM);
  MPI_Comm_group(inter, &group);
  CHECK(class_of(MPI_Comm_create_group(inter, group, 0, &made)) == MPI_ERR_COMM);
  MPI_Group_free(&group);
  // Only the leader has these arguments of MPI_Intercomm_create; it tells its group.
  CHECK(class_of(MPI_Intercomm_create(MPI_COMM_SELF, 1, MPI_COMM_WORLD, 0, 0, &made)) == MPI_ERR_RANK);
  CHECK(class_of(MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_NULL, 0, 0, &made)) == MPI_ERR_COMM);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  CHECK(class_of(MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, rank_count, 0, &made)) ==
        MPI_ERR_RANK);
  CHECK(class_of(MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 0, -1, &made)) == MPI_ERR_TAG);
  CHECK(class_of(MPI_Intercomm_create(MPI_COMM_WORLD, rank_count - 1, MPI_COMM_WORLD, -5, 0, &made)) ==
        MPI_ERR_RANK);
  // Groups that have a rank in common: both consist of this rank.
  CHECK(class_of(MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, my_rank, 0, &made)) == MPI_ERR_GROUP);
  CHECK(made == MPI_COMM_NULL);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
  CHECK(class_of(MPI_Recv(&number, 1, MPI_INT, theirs, 0, inter, MPI_STATUS_IGNORE)) == MPI_ERR_RANK);
  MPI_Comm_set_errhandler(inter, MPI_ERRORS_ARE_FATAL);
}

/// Frees a communicator while messages on it are under way; no other communicator has its id.
static void freed_early(void) {
  MPI_Comm inter = make(11);
  int rank = -1, got = -1;
  MPI_Comm_rank(inter, &rank);
  const int partner = rank < theirs ? rank : MPI_PROC_NULL;
  MPI_Request requests[2];
  MPI_Irecv(&got, 1, MPI_INT, partner, 2, inter, &requests[0]);
  MPI_Isend(&my_rank, 1, MPI_INT, partner, 2, inter, &requests[1]);
  MPI_Comm_free(&inter);
  maybe_move();
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  CHECK(got == (partner == MPI_PROC_NULL ? -1 : world_rank(!side, rank)));
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  const int rounds = number_argument(argc, argv, 1, 3);
  for (int round = 0; rank_count > 1 && round < rounds; ++round) {
    MPI_Comm inter = make(round);
    maybe_move();
    check_inquiry(inter);
    check_messages(inter, 20);
    duplicates(inter);
    merges(inter);
    splits(inter);
    creations(inter);
    comparisons(inter);
    several();
    from_groups(inter);
    errors(inter);
    freed_early();
    check_messages(inter, 30);
    MPI_Comm_free(&inter);
  }
  finish("intercomm");
  return 0;
}
