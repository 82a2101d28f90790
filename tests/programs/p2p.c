// SPDX-License-Identifier: Apache-2.0
// `p2p [ROUNDS]`: point-to-point: every way to send, receive, probe and complete, and the order of messages.
#include <string.h>

#include "check.h"

enum { ring_tag = 9, most_bytes = 1 << 20 };

static int right, left;

// ---- payloads, whose bytes follow from sender and message

static unsigned hash(unsigned a, unsigned b, unsigned c) {
  unsigned x = a * 2654435761u ^ (b + 0x9e3779b9u) * 2246822519u ^ (c + 1) * 3266489917u;
  x ^= x >> 15;
  x *= 2654435761u;
  return x ^ x >> 13;
}

static void fill(unsigned char* data, size_t bytes, unsigned seed) {
  for (size_t i = 0; i < bytes; ++i) data[i] = (unsigned char)(seed + i * 7 + (i >> 8));
}

static int filled(const unsigned char* data, size_t bytes, unsigned seed) {
  for (size_t i = 0; i < bytes; ++i)
    if (data[i] != (unsigned char)(seed + i * 7 + (i >> 8))) return 0;
  return 1;
}

static void check_status(const MPI_Status* status, int source, int tag, int ints) {
  int count;
  MPI_Get_count(status, MPI_INT, &count);
  CHECK(status->MPI_SOURCE == source && status->MPI_TAG == tag && count == ints);
}

// ---- send modes, around the ring

typedef int (*Send)(const void*, int, MPI_Datatype, int, int, MPI_Comm);
typedef int (*Start)(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);

static const Send sends[] = {MPI_Send, MPI_Ssend, MPI_Bsend, MPI_Rsend};
static const Start starts[] = {MPI_Isend, MPI_Issend, MPI_Ibsend, MPI_Irsend};
static const Start inits[] = {MPI_Send_init, MPI_Ssend_init, MPI_Bsend_init, MPI_Rsend_init};
static const int sizes[] = {0, 1, 100, 3000, 70000};

/// Ensures that the receive for a ready send is posted: the receiver says so. Returns when the right
/// neighbour has come here.
static void receive_is_posted(void) {
  MPI_Sendrecv(NULL, 0, MPI_INT, left, 77, NULL, 0, MPI_INT, right, 77, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void modes(int round) {
  static int out[70000], in[70000];
  for (int mode = 0; mode < 4; ++mode) {
    for (int s = 0; s < 5; ++s) {
      const int n = sizes[s];
      for (int i = 0; i < n; ++i) out[i] = my_rank * 7 + i + mode;
      for (int nonblocking = 0; nonblocking < 2; ++nonblocking) {
        MPI_Request receive, send;
        MPI_Status status;
        memset(in, 0xff, sizeof(int) * (size_t)n);
        MPI_Irecv(in, n, MPI_INT, left, ring_tag + mode, MPI_COMM_WORLD, &receive);
        receive_is_posted();
        if (nonblocking) {
          starts[mode](out, n, MPI_INT, right, ring_tag + mode, MPI_COMM_WORLD, &send);
          if ((round + s + mode) % 5 == 0) maybe_move();
          MPI_Wait(&send, MPI_STATUS_IGNORE);
          CHECK(send == MPI_REQUEST_NULL);
        } else {
          sends[mode](out, n, MPI_INT, right, ring_tag + mode, MPI_COMM_WORLD);
        }
        MPI_Wait(&receive, &status);
        check_status(&status, left, ring_tag + mode, n);
        for (int i = 0; i < n; ++i) CHECK(in[i] == left * 7 + i + mode);
      }
    }
  }
}

static void persistent(void) {
  for (int mode = 0; mode < 4; ++mode) {
    int out[50], in[50];
    MPI_Request both[2];
    MPI_Recv_init(in, 50, MPI_INT, left, 21, MPI_COMM_WORLD, &both[0]);
    inits[mode](out, 50, MPI_INT, right, 21, MPI_COMM_WORLD, &both[1]);
    for (int cycle = 0; cycle < 4; ++cycle) {
      for (int i = 0; i < 50; ++i) out[i] = my_rank + i * cycle;
      MPI_Status status[2];
      int done;
      MPI_Test(&both[0], &done, &status[0]);  // inactive: done, and empty
      CHECK(done && status[0].MPI_SOURCE == MPI_ANY_SOURCE);
      if (mode == 3) {
        MPI_Start(&both[0]);
        receive_is_posted();
        MPI_Start(&both[1]);
      } else {
        MPI_Startall(2, both);
      }
      if (cycle % 2) maybe_move();
      MPI_Waitall(2, both, status);
      check_status(&status[0], left, 21, 50);
      CHECK(both[0] != MPI_REQUEST_NULL && both[1] != MPI_REQUEST_NULL);
      for (int i = 0; i < 50; ++i) CHECK(in[i] == left + i * cycle);
      maybe_move();  // with persistent requests alive
    }
    MPI_Request_free(&both[0]);
    MPI_Request_free(&both[1]);
  }
}

static void exchanges(void) {
  int mine[3] = {my_rank, my_rank * my_rank, -my_rank}, theirs[3];
  MPI_Status status;
  MPI_Sendrecv(mine, 3, MPI_INT, right, 4, theirs, 3, MPI_INT, left, 4, MPI_COMM_WORLD, &status);
  check_status(&status, left, 4, 3);
  CHECK(theirs[0] == left && theirs[1] == left * left && theirs[2] == -left);
  MPI_Sendrecv_replace(mine, 3, MPI_INT, right, 5, left, 5, MPI_COMM_WORLD, &status);
  check_status(&status, left, 5, 3);
  CHECK(mine[0] == left && mine[1] == left * left && mine[2] == -left);
}

// ---- probes, cancel, null processes, errors

static void probes(void) {
  int out[10], in[10], flag;
  MPI_Status status;
  MPI_Request send;
  MPI_Message message;
  for (int i = 0; i < 10; ++i) out[i] = my_rank * 10 + i;

  MPI_Isend(out, 10, MPI_INT, right, 31, MPI_COMM_WORLD, &send);
  maybe_move();
  MPI_Probe(MPI_ANY_SOURCE, 31, MPI_COMM_WORLD, &status);
  check_status(&status, left, 31, 10);
  do MPI_Iprobe(left, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status);
  while (!flag);
  check_status(&status, left, 31, 10);
  MPI_Recv(in, 10, MPI_INT, left, 31, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&send, MPI_STATUS_IGNORE);
  CHECK(in[9] == left * 10 + 9);

  // A message that a matched probe has taken belongs to it alone, and stays while its rank moves.
  MPI_Isend(out, 5, MPI_INT, right, 32, MPI_COMM_WORLD, &send);
  MPI_Mprobe(left, 32, MPI_COMM_WORLD, &message, &status);
  check_status(&status, left, 32, 5);
  maybe_move();
  MPI_Iprobe(left, 32, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  CHECK(!flag);
  MPI_Mrecv(in, 5, MPI_INT, &message, &status);
  CHECK(message == MPI_MESSAGE_NULL);
  check_status(&status, left, 32, 5);
  MPI_Wait(&send, MPI_STATUS_IGNORE);

  MPI_Isend(out, 7, MPI_INT, right, 33, MPI_COMM_WORLD, &send);
  do MPI_Improbe(MPI_ANY_SOURCE, 33, MPI_COMM_WORLD, &flag, &message, &status);
  while (!flag);
  MPI_Request receive;
  MPI_Imrecv(in, 7, MPI_INT, &message, &receive);
  MPI_Wait(&receive, &status);
  check_status(&status, left, 33, 7);
  CHECK(in[6] == left * 10 + 6);
  MPI_Wait(&send, MPI_STATUS_IGNORE);
}

static void cancels(void) {
  int in = -1, flag;
  MPI_Request receive;
  MPI_Status status;
  MPI_Irecv(&in, 1, MPI_INT, left, 41, MPI_COMM_WORLD, &receive);
  maybe_move();
  MPI_Cancel(&receive);
  MPI_Wait(&receive, &status);
  MPI_Test_cancelled(&status, &flag);
  CHECK(flag && in == -1);
  // A cancelled receive takes no message: the next one with its tag goes to the next receive.
  receive_is_posted();
  MPI_Sendrecv(&my_rank, 1, MPI_INT, right, 41, &in, 1, MPI_INT, left, 41, MPI_COMM_WORLD, &status);
  MPI_Test_cancelled(&status, &flag);
  CHECK(!flag && in == left);
}

static void null_processes(void) {
  int in = 5;
  MPI_Status status;
  MPI_Request requests[2];
  MPI_Send(&in, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
  MPI_Recv(&in, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &status);
  check_status(&status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
  MPI_Probe(MPI_PROC_NULL, 1, MPI_COMM_WORLD, &status);
  check_status(&status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
  MPI_Message message;
  MPI_Mprobe(MPI_PROC_NULL, 1, MPI_COMM_WORLD, &message, &status);
  CHECK(message == MPI_MESSAGE_NO_PROC);
  MPI_Mrecv(&in, 1, MPI_INT, &message, &status);
  check_status(&status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
  MPI_Isend(&in, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(&in, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  CHECK(in == 5);
}

static void errors(void) {
  int in[2], out[4] = {1, 2, 3, 4};
  MPI_Status status;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);  // for errors that belong to no communicator
  CHECK(class_of(MPI_Send(out, 1, MPI_INT, rank_count, 0, MPI_COMM_WORLD)) == MPI_ERR_RANK);
  CHECK(class_of(MPI_Send(out, -1, MPI_INT, right, 0, MPI_COMM_WORLD)) == MPI_ERR_COUNT);
  CHECK(class_of(MPI_Send(out, 1, MPI_INT, right, -5, MPI_COMM_WORLD)) == MPI_ERR_TAG);
  CHECK(class_of(MPI_Send(out, 1, MPI_DATATYPE_NULL, right, 0, MPI_COMM_WORLD)) == MPI_ERR_TYPE);
  CHECK(class_of(MPI_Send(out, 1, MPI_INT, right, 0, MPI_COMM_NULL)) == MPI_ERR_COMM);
  MPI_Request send;
  MPI_Isend(out, 4, MPI_INT, right, 51, MPI_COMM_WORLD, &send);
  CHECK(class_of(MPI_Recv(in, 2, MPI_INT, left, 51, MPI_COMM_WORLD, &status)) == MPI_ERR_TRUNCATE);
  MPI_Wait(&send, MPI_STATUS_IGNORE);
  // The type of an empty message is not checked.
  MPI_Isend(NULL, 0, MPI_DATATYPE_NULL, right, 34, MPI_COMM_WORLD, &send);
  MPI_Recv(NULL, 0, MPI_DATATYPE_NULL, left, 34, MPI_COMM_WORLD, &status);
  check_status(&status, left, 34, 0);
  MPI_Wait(&send, MPI_STATUS_IGNORE);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
}

// ---- completing several

enum { several = 6 };

/// Receives tags 60, 61, ... from the left and sends them to the right, the last tag first.
static void start_several(MPI_Request* requests, int* in, const int* out) {
  for (int i = 0; i < several; ++i) {
    in[i] = -1;
    MPI_Irecv(&in[i], 1, MPI_INT, left, 60 + i, MPI_COMM_WORLD, &requests[i]);
  }
  for (int i = several - 1; i >= 0; --i) MPI_Send(&out[i], 1, MPI_INT, right, 60 + i, MPI_COMM_WORLD);
}

static void completions(void) {
  MPI_Request requests[several];
  MPI_Status statuses[several], status;
  int in[several], out[several], indices[several], index, flag, count, seen;
  for (int i = 0; i < several; ++i) out[i] = my_rank * 100 + i;

  start_several(requests, in, out);
  for (seen = 0; seen < several; ++seen) {
    MPI_Waitany(several, requests, &index, &status);
    check_status(&status, left, 60 + index, 1);
    CHECK(in[index] == left * 100 + index && requests[index] == MPI_REQUEST_NULL);
  }
  MPI_Waitany(several, requests, &index, &status);
  CHECK(index == MPI_UNDEFINED);

  start_several(requests, in, out);
  maybe_move();
  for (seen = 0; seen < several; seen += count) {
    MPI_Waitsome(several, requests, &count, indices, statuses);
    CHECK(count > 0);
    for (int i = 0; i < count; ++i) {
      check_status(&statuses[i], left, 60 + indices[i], 1);
      CHECK(in[indices[i]] == left * 100 + indices[i]);
    }
  }
  MPI_Waitsome(several, requests, &count, indices, statuses);
  CHECK(count == MPI_UNDEFINED);

  start_several(requests, in, out);
  for (seen = 0; seen < several;) {
    MPI_Testany(several, requests, &index, &flag, &status);
    if (!flag) continue;
    check_status(&status, left, 60 + index, 1);
    ++seen;
  }
  MPI_Testany(several, requests, &index, &flag, &status);
  CHECK(flag && index == MPI_UNDEFINED);

  start_several(requests, in, out);
  for (seen = 0; seen < several; seen += count) {
    MPI_Testsome(several, requests, &count, indices, statuses);
    for (int i = 0; i < count; ++i) check_status(&statuses[i], left, 60 + indices[i], 1);
  }

  start_several(requests, in, out);
  MPI_Request_get_status(requests[0], &flag, &status);
  do MPI_Testall(several, requests, &flag, statuses);
  while (!flag);
  for (int i = 0; i < several; ++i) {
    check_status(&statuses[i], left, 60 + i, 1);
    CHECK(in[i] == left * 100 + i);
  }
}

// ---- large and noncontiguous

static void large(void) {
  enum { rows = 1024, columns = 1536, width = columns / 3, whole = rows * columns, part = rows * width };
  int* const out = malloc(sizeof(int) * whole);
  int* const packed = malloc(sizeof(int) * part);
  int* const spread = malloc(sizeof(int) * whole);
  for (int i = 0; i < whole; ++i) {
    out[i] = i ^ my_rank;
    spread[i] = -1;
  }
  MPI_Datatype strided;
  MPI_Type_vector(rows, width, columns, MPI_INT, &strided);
  MPI_Type_commit(&strided);
  MPI_Request requests[4];
  MPI_Irecv(packed, part, MPI_INT, left, 71, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(spread, 1, strided, left, 72, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(out, 1, strided, right, 71, MPI_COMM_WORLD, &requests[2]);
  MPI_Isend(out, part, MPI_INT, right, 72, MPI_COMM_WORLD, &requests[3]);
  maybe_move();
  MPI_Type_free(&strided);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < part; ++i) CHECK(packed[i] == ((i / width * columns + i % width) ^ left));
  for (int i = 0; i < whole; ++i) {
    const int column = i % columns;
    CHECK(spread[i] == (column < width ? (i / columns * width + column) ^ left : -1));
  }
  free(out);
  free(packed);
  free(spread);
}

// ---- order: all pairs, sizes from 0 to 1 MiB, one tag, sequence numbers kept by the sizes and the bytes

enum { per_pair = 3, order_tag = 99 };

/// Returns sizes that are more often small than large, as in real programs.
static size_t order_bytes(int round, int source, int target, int i) {
  const unsigned h = hash((unsigned)(round * per_pair + i), (unsigned)source, (unsigned)target);
  const size_t limit = (size_t)1 << (h % 21);
  return (h >> 8) % (limit + 1) % most_bytes;
}

static unsigned order_seed(int round, int source, int target, int i) {
  return hash((unsigned)target, (unsigned)(round * per_pair + i), (unsigned)source);
}

static MPI_Comm apart;  // the world again, for messages that no wildcard may take

/// Returns when every rank has come here: messages sent from now on do not meet an earlier wildcard.
static void everybody(void) {
  for (int distance = 1; distance < rank_count; distance *= 2)
    MPI_Sendrecv(NULL, 0, MPI_INT, (my_rank + distance) % rank_count, 98, NULL, 0, MPI_INT,
                 (my_rank - distance + rank_count) % rank_count, 98, apart, MPI_STATUS_IGNORE);
}

static void order(int round) {
  const int messages = rank_count * per_pair;
  MPI_Request* const sends_under_way = malloc(sizeof(MPI_Request) * (size_t)messages);
  unsigned char** const buffers = malloc(sizeof *buffers * (size_t)messages);
  int* const next = calloc((size_t)rank_count, sizeof *next);
  unsigned char* const in = malloc(most_bytes);
  int started = 0;
  for (int i = 0; i < per_pair; ++i) {
    for (int hop = 0; hop < rank_count; ++hop) {
      const int target = (my_rank + hop) % rank_count;
      const size_t bytes = order_bytes(round, my_rank, target, i);
      buffers[started] = malloc(bytes + 1);
      fill(buffers[started], bytes, order_seed(round, my_rank, target, i));
      MPI_Isend(buffers[started], (int)bytes, MPI_BYTE, target, order_tag, MPI_COMM_WORLD,
                &sends_under_way[started]);
      ++started;
    }
    maybe_move();
  }
  for (int received = 0; received < messages; ++received) {
    // Half of the rounds take any message; the others ask for one source after the other.
    const int wanted = round % 2 ? received % rank_count : MPI_ANY_SOURCE;
    MPI_Status status;
    MPI_Recv(in, most_bytes, MPI_BYTE, wanted, round % 3 ? order_tag : MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    const int source = status.MPI_SOURCE, i = next[source]++;
    int bytes;
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    CHECK(i < per_pair && (size_t)bytes == order_bytes(round, source, my_rank, i));
    CHECK(filled(in, (size_t)bytes, order_seed(round, source, my_rank, i)));
    if (received % (rank_count + 1) == rank_count && received + 1 < messages) maybe_move();
  }
  MPI_Waitall(messages, sends_under_way, MPI_STATUSES_IGNORE);
  for (int i = 0; i < messages; ++i) free(buffers[i]);
  free(sends_under_way);
  free(buffers);
  free(next);
  free(in);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  const int rounds = number_argument(argc, argv, 1, 3);
  right = (my_rank + 1) % rank_count;
  left = (my_rank + rank_count - 1) % rank_count;
  MPI_Comm_dup(MPI_COMM_WORLD, &apart);
  const int buffer_bytes = 4 * (70000 * (int)sizeof(int) + MPI_BSEND_OVERHEAD);
  void* buffer = malloc((size_t)buffer_bytes);
  MPI_Buffer_attach(buffer, buffer_bytes);
  for (int round = 0; round < rounds; ++round) {
    modes(round);
    persistent();
    exchanges();
    probes();
    cancels();
    null_processes();
    errors();
    completions();
    large();
    everybody();
    order(round);
    everybody();
    maybe_move();
  }
  int detached;
  MPI_Buffer_detach(&buffer, &detached);
  CHECK(detached == buffer_bytes);
  free(buffer);
  MPI_Comm_free(&apart);
  finish("p2p");
  return 0;
}
