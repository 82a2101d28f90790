// SPDX-License-Identifier: Apache-2.0
// Buffers attached to communicators and sessions (MPI 4.1, 3.6), while ranks move: a send uses its
// communicator's buffer, else its session's, else the rank's.
#include <string.h>

#include "check.h"

enum { length = 1000, room = length + MPI_BSEND_OVERHEAD };  // for one message, not for two
static char out[length], in[length];

/// Returns true if a message to the rank itself fits.
static int fits(MPI_Comm comm, int tag) {
  int rank;
  MPI_Comm_rank(comm, &rank);
  const int code = MPI_Bsend(out, length, MPI_CHAR, rank, tag, comm);
  CHECK(code == MPI_SUCCESS || class_of(code) == MPI_ERR_BUFFER);
  return code == MPI_SUCCESS;
}

static void receive(MPI_Comm comm, int tag) {
  int rank;
  MPI_Comm_rank(comm, &rank);
  memset(in, 0, length);
  MPI_Recv(in, length, MPI_CHAR, rank, tag, comm, MPI_STATUS_IGNORE);
  CHECK(memcmp(in, out, length) == 0);
}

static void check_detached(char* buffer, count_type size, const char* wanted, int wanted_size) {
  CHECK(buffer == wanted && size == wanted_size);
}

/// Checks that each of two communicators has its own room, and a third one uses the rank's.
static void communicators(void) {
  char own[2][room], rooms_of_all[room];
  char* buffer;
  count_type size;
  MPI_Comm comms[3];
  for (int i = 0; i < 3; ++i) {
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    MPI_Comm_set_errhandler(comms[i], MPI_ERRORS_RETURN);
  }
  CHECK(!fits(comms[0], 1));  // there is no buffer anywhere
  MPI_Buffer_attach(rooms_of_all, room);
  for (int i = 0; i < 2; ++i) CHECK(MPI_Comm_attach_buffer(comms[i], own[i], room) == MPI_SUCCESS);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  CHECK(class_of(MPI_Comm_attach_buffer(comms[0], own[1], room)) == MPI_ERR_BUFFER);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  for (int i = 0; i < 3; ++i) CHECK(fits(comms[i], 2));
  for (int i = 0; i < 3; ++i) CHECK(!fits(comms[i], 3));
  maybe_move();
  receive(comms[0], 2);
  CHECK(!fits(comms[1], 4) && !fits(comms[2], 4) && fits(comms[0], 4));
  receive(comms[0], 4);
  receive(comms[1], 2);
  receive(comms[2], 2);
  MPI_Request request;
  CHECK(MPI_Comm_flush_buffer(comms[0]) == MPI_SUCCESS && MPI_Comm_flush_buffer(comms[2]) == MPI_SUCCESS);
  MPI_Comm_iflush_buffer(comms[1], &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_iflush_buffer(comms[2], &request);  // the communicator has no buffer
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_detach_buffer(comms[0], &buffer, &size);
  check_detached(buffer, size, own[0], room);
  MPI_Comm_detach_buffer(comms[0], &buffer, &size);
  check_detached(buffer, size, NULL, 0);
  CHECK(fits(comms[0], 5) && !fits(comms[2], 5) && fits(comms[1], 5));  // the rank's buffer serves again
  receive(comms[0], 5);
  receive(comms[1], 5);
  int bytes = -1;
  MPI_Buffer_detach(&buffer, &bytes);
  check_detached(buffer, (count_type)bytes, rooms_of_all, room);
  for (int i = 0; i < 3; ++i) MPI_Comm_free(&comms[i]);  // one of them with its buffer
}

/// Sends messages to the next rank, which moves before it receives; the communicator is freed meanwhile.
static void freed(void) {
  static char own[4 * room];
  MPI_Comm comm;
  MPI_Request request;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_attach_buffer(comm, own, 4 * room);
  const int next = (my_rank + 1) % rank_count, before = (my_rank + rank_count - 1) % rank_count;
  MPI_Irecv(in, length, MPI_CHAR, before, 0, comm, &request);
  MPI_Bsend(out, length, MPI_CHAR, next, 0, comm);
  MPI_Comm_free(&comm);
  maybe_move();
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK(memcmp(in, out, length) == 0);
}

static void sessions(void) {
  char of_session[room], of_comm[room];
  char* buffer;
  count_type size;
  MPI_Session session;
  MPI_Group group, reversed;
  MPI_Comm comm, copy, part;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
  MPI_Group_range_incl(group, 1, (int[][3]){{rank_count - 1, 0, -1}}, &reversed);
  MPI_Comm_create_from_group(reversed, "attached", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
  MPI_Group_free(&group);
  MPI_Group_free(&reversed);
  MPI_Comm_dup(comm, &copy);
  MPI_Comm_split(copy, 0, 0, &part);
  CHECK(!fits(comm, 1));
  CHECK(MPI_Session_attach_buffer(session, of_session, room) == MPI_SUCCESS);
  CHECK(fits(comm, 2) && !fits(copy, 2) && !fits(part, 2));  // the communicators share the buffer
  CHECK(MPI_Comm_attach_buffer(part, of_comm, room) == MPI_SUCCESS);
  CHECK(fits(part, 3) && !fits(part, 4) && !fits(copy, 3));
  maybe_move();
  receive(comm, 2);
  CHECK(fits(copy, 5));
  receive(copy, 5);
  receive(part, 3);
  MPI_Request request;
  CHECK(MPI_Session_flush_buffer(session) == MPI_SUCCESS);
  MPI_Session_iflush_buffer(session, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Session_detach_buffer(session, &buffer, &size);
  check_detached(buffer, size, of_session, room);
  CHECK(MPI_Session_attach_buffer(session, of_session, room) == MPI_SUCCESS);  // is detached with the session
  MPI_Comm_free(&comm);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&part);
  MPI_Session_finalize(&session);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  for (int i = 0; i < length; ++i) out[i] = (char)(i * 7 + 1);
  communicators();
  freed();
  sessions();
  finish("attached");
  return 0;
}
