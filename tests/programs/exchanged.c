// SPDX-License-Identifier: Apache-2.0
// `exchanged [ROUNDS [MORE]]`: short blocking collectives on many communicators of ranks that share PEs,
// between moves. With MORE as many further communicators exist at once: more than the PEs' memory holds
// exchanges for. Communicators of the world's ranks in other orders, of two in three, and of pairs of halves,
// are made and freed in every round, some of them before other members have finished the last call on them.
// Members compute for different times, so that each comes last at some time; rooted collectives follow each
// other without any in which all wait. Values are a function of call, rank and index.
#include <string.h>

#include "check.h"

enum { comms = 12, calls = 26, longest = 2000, most_ranks = 64, in_a_row = 30 };

static MPI_Datatype spaced;  // a long, and room for another
static MPI_Op after;         // the program's own, does not commute: digits of its operands in their order

static unsigned long seed;
/// Returns the same number on all ranks.
static int draw(int below) {
  seed = seed * 6364136223846793005UL + 1442695040888963407UL;
  return (int)((seed >> 33) % (unsigned long)below);
}

/// Delays this rank by up to some microseconds, others by other times.
static void dawdle(int call) {
  const int turns = my_rank * 31 % (call % 7 + 2) * 200;
  for (volatile int i = 0; i < turns; ++i) {
  }
}

static long in[longest], out[longest];
/// Pieces for each rank, spaced or not.
static long pieces_in[2 * most_ranks * 256], pieces_out[2 * most_ranks * 256];

static long sum_of_ranks(long size) { return size * (size - 1) / 2; }

static void allreduce(MPI_Comm comm, int rank, int size, int count, int call) {
  for (int i = 0; i < count; ++i) in[i] = rank * 3 + call + i, out[i] = -1;
  MPI_Allreduce(in, out, count, MPI_LONG, MPI_SUM, comm);
  for (int i = 0; i < count; ++i) CHECK(out[i] == 3 * sum_of_ranks(size) + (long)size * (call + i));
}

static void reduce(MPI_Comm comm, int rank, int size, int count, int call) {
  const int root = call % size;
  for (int i = 0; i < count; ++i) in[i] = rank == (call + i) % size ? call + i : -rank, out[i] = -1;
  MPI_Reduce(in, out, count, MPI_LONG, MPI_MAX, root, comm);
  for (int i = 0; i < count; ++i) CHECK(out[i] == (rank == root ? call + i : -1));
}

static void bcast(MPI_Comm comm, int rank, int size, int count, int call) {
  const int root = call % size;
  for (int i = 0; i < count; ++i) in[i] = rank == root ? call * 7 + i : -1;
  MPI_Bcast(in, count, MPI_LONG, root, comm);
  for (int i = 0; i < count; ++i) CHECK(in[i] == call * 7 + i);
}

static long value(int from, int to, int call, int i) { return from * 1000003L + to * 1009L + call * 17 + i; }

/// The data of gather, scatter, allgather and alltoall: `count` longs from each rank or for each. One side is
/// spaced where `step` is 2.
typedef struct {
  MPI_Comm comm;
  int rank, size, count, step, call, in_place;
} Pieces;

static MPI_Datatype type_of(const Pieces* p) { return p->step == 2 ? spaced : MPI_LONG; }
static void write_piece(long* buffer, int step, const Pieces* p, int index, int from, int to) {
  for (int i = 0; i < p->count; ++i) buffer[(index * p->count + i) * step] = value(from, to, p->call, i);
}
static void check_piece(const long* buffer, int step, const Pieces* p, int index, int from, int to) {
  for (int i = 0; i < p->count; ++i) {
    CHECK(buffer[(index * p->count + i) * step] == value(from, to, p->call, i));
    if (step == 2) CHECK(buffer[(index * p->count + i) * step + 1] == -5);
  }
}
static void clear(long* buffer) {
  for (int i = 0; i < 2 * most_ranks * 256; ++i) buffer[i] = -5;
}

static void gather(const Pieces* p, int root) {
  const int here = p->rank == root, in_place = here && p->in_place;
  write_piece(pieces_in, 1, p, 0, p->rank, root);
  if (here) clear(pieces_out);
  if (in_place) write_piece(pieces_out, p->step, p, root, root, root);
  MPI_Gather(in_place ? MPI_IN_PLACE : pieces_in, p->count, MPI_LONG, here ? pieces_out : NULL, p->count,
             type_of(p), root, p->comm);
  memset(pieces_in, 0x55, sizeof(long) * (size_t)p->count);  // the data has been read
  for (int from = 0; here && from < p->size; ++from) check_piece(pieces_out, p->step, p, from, from, root);
}
static void scatter(const Pieces* p, int root) {
  const int here = p->rank == root, in_place = here && p->in_place;
  for (int to = 0; here && to < p->size; ++to) write_piece(pieces_in, p->step, p, to, root, to);
  for (int i = 0; i < p->count; ++i) pieces_out[i] = -1;
  MPI_Scatter(here ? pieces_in : NULL, p->count, type_of(p), in_place ? MPI_IN_PLACE : pieces_out, p->count,
              MPI_LONG, root, p->comm);
  if (here) memset(pieces_in, 0x55, sizeof pieces_in);
  if (!in_place) check_piece(pieces_out, 1, p, 0, root, p->rank);
}
static void allgather(const Pieces* p) {
  write_piece(pieces_in, 1, p, 0, p->rank, 7);
  clear(pieces_out);
  if (p->in_place) write_piece(pieces_out, p->step, p, p->rank, p->rank, 7);
  MPI_Allgather(p->in_place ? MPI_IN_PLACE : pieces_in, p->count, MPI_LONG, pieces_out, p->count, type_of(p),
                p->comm);
  memset(pieces_in, 0x55, sizeof(long) * (size_t)p->count);
  for (int from = 0; from < p->size; ++from) check_piece(pieces_out, p->step, p, from, from, 7);
}
static void alltoall(const Pieces* p) {
  clear(pieces_out);
  for (int to = 0; to < p->size; ++to) {
    write_piece(pieces_in, 1, p, to, p->rank, to);
    if (p->in_place) write_piece(pieces_out, p->step, p, to, p->rank, to);
  }
  MPI_Alltoall(p->in_place ? MPI_IN_PLACE : pieces_in, p->count, MPI_LONG, pieces_out, p->count, type_of(p),
               p->comm);
  memset(pieces_in, 0x55, sizeof(long) * (size_t)(p->count * p->size));
  for (int from = 0; from < p->size; ++from) check_piece(pieces_out, p->step, p, from, from, p->rank);
}

/// The lengths of the forms with counts: pieces of different lengths, some of them empty, the last one first,
/// with a gap behind each. In place both directions have the same length.
static int length(const Pieces* p, int from, int to) {
  return (p->in_place ? from + to + p->call : from * 7 + to * 3 + p->call) % 5 * p->count / 4;
}
static int sizes[most_ranks], starts[most_ranks];
/// Lays out the pieces from `from` to each rank, or, if `from` is negative, from each rank to `to`. Returns
/// the total length.
static int lay_out(int* lengths, int* places, const Pieces* p, int from, int to) {
  int at = 0;
  for (int i = p->size - 1; i >= 0; --i) {
    lengths[i] = from < 0 ? length(p, i, to) : length(p, from, i);
    places[i] = at;
    at += lengths[i] + 1;
  }
  return at;
}
static void write_counted(long* at, int step, const Pieces* p, int from, int to) {
  for (int i = 0; i < length(p, from, to); ++i) at[i * step] = value(from, to, p->call, i);
}
static void check_counted(const long* at, int step, const Pieces* p, int from, int to) {
  for (int i = 0; i < length(p, from, to); ++i) {
    CHECK(at[i * step] == value(from, to, p->call, i));
    if (step == 2) CHECK(at[i * step + 1] == -5);
  }
  CHECK(at[length(p, from, to) * step] == -5);
}

static void gatherv(const Pieces* p, int root) {
  const int here = p->rank == root, in_place = here && p->in_place;
  write_counted(pieces_in, 1, p, p->rank, root);
  if (here) {
    clear(pieces_out);
    lay_out(sizes, starts, p, -1, root);
    if (in_place) write_counted(pieces_out + starts[root] * p->step, p->step, p, root, root);
  }
  MPI_Gatherv(in_place ? MPI_IN_PLACE : pieces_in, length(p, p->rank, root), MPI_LONG,
              here ? pieces_out : NULL, here ? sizes : NULL, here ? starts : NULL, type_of(p), root, p->comm);
  memset(pieces_in, 0x55, sizeof(long) * (size_t)p->count);  // the data has been read
  for (int from = 0; here && from < p->size; ++from)
    check_counted(pieces_out + starts[from] * p->step, p->step, p, from, root);
}
static void scatterv(const Pieces* p, int root) {
  const int here = p->rank == root, in_place = here && p->in_place;
  clear(pieces_out);
  if (here) {
    lay_out(sizes, starts, p, root, -1);
    for (int to = 0; to < p->size; ++to)
      write_counted(pieces_in + starts[to] * p->step, p->step, p, root, to);
  }
  MPI_Scatterv(here ? pieces_in : NULL, here ? sizes : NULL, here ? starts : NULL, type_of(p),
               in_place ? MPI_IN_PLACE : pieces_out, length(p, root, p->rank), MPI_LONG, root, p->comm);
  if (here) memset(pieces_in, 0x55, sizeof pieces_in);
  if (!in_place) check_counted(pieces_out, 1, p, root, p->rank);
}
/// Each rank has the same for all as for rank 0.
static void allgatherv(const Pieces* p) {
  lay_out(sizes, starts, p, -1, 0);
  write_counted(pieces_in, 1, p, p->rank, 0);
  clear(pieces_out);
  if (p->in_place) write_counted(pieces_out + starts[p->rank] * p->step, p->step, p, p->rank, 0);
  MPI_Allgatherv(p->in_place ? MPI_IN_PLACE : pieces_in, length(p, p->rank, 0), MPI_LONG, pieces_out, sizes,
                 starts, type_of(p), p->comm);
  memset(pieces_in, 0x55, sizeof(long) * (size_t)p->count);
  for (int from = 0; from < p->size; ++from)
    check_counted(pieces_out + starts[from] * p->step, p->step, p, from, 0);
}
/// With types by rank, the data of every other rank is spaced.
static void alltoallv(const Pieces* p, int by_type) {
  static int out_counts[most_ranks], out_starts[most_ranks];
  MPI_Datatype out_types[most_ranks], in_types[most_ranks];
  const int all = lay_out(out_counts, out_starts, p, p->rank, -1);
  lay_out(sizes, starts, p, -1, p->rank);
  clear(pieces_out);
  for (int i = 0; i < p->size; ++i) {
    const int spaced_in = by_type ? i % 2 : p->step == 2;
    out_types[i] = MPI_LONG;
    in_types[i] = spaced_in ? spaced : MPI_LONG;
    write_counted(pieces_in + out_starts[i], 1, p, p->rank, i);
    if (by_type) out_starts[i] *= (int)sizeof(long), starts[i] *= 2 * (int)sizeof(long);
    if (p->in_place)
      write_counted(pieces_out + (by_type ? starts[i] / (int)sizeof(long) : starts[i] * p->step),
                    spaced_in ? 2 : 1, p, p->rank, i);
  }
  if (by_type)
    MPI_Alltoallw(p->in_place ? MPI_IN_PLACE : pieces_in, out_counts, out_starts, out_types, pieces_out,
                  sizes, starts, in_types, p->comm);
  else
    MPI_Alltoallv(p->in_place ? MPI_IN_PLACE : pieces_in, out_counts, out_starts, MPI_LONG, pieces_out, sizes,
                  starts, type_of(p), p->comm);
  memset(pieces_in, 0x55, sizeof(long) * (size_t)all);
  for (int from = 0; from < p->size; ++from) {
    const int spaced_in = by_type ? from % 2 : p->step == 2;
    const long* const at = pieces_out + (by_type ? starts[from] / (int)sizeof(long) : starts[from] * p->step);
    check_counted(at, spaced_in ? 2 : 1, p, from, p->rank);
  }
}

static long sum_below(long rank) { return rank * (rank - 1) / 2; }
static void scans(MPI_Comm comm, int rank, int count, int call) {
  for (int i = 0; i < count; ++i) in[i] = rank + call + i, out[i] = -1;
  MPI_Scan(in, out, count, MPI_LONG, MPI_SUM, comm);
  for (int i = 0; i < count; ++i) CHECK(out[i] == sum_below(rank + 1) + (rank + 1L) * (call + i));
  memcpy(out, in, sizeof(long) * (size_t)count);
  MPI_Exscan(MPI_IN_PLACE, out, count, MPI_LONG, MPI_SUM, comm);
  for (int i = 0; rank > 0 && i < count; ++i) CHECK(out[i] == sum_below(rank) + (long)rank * (call + i));
}
static void reduce_scatter(MPI_Comm comm, int rank, int size, int count, int call) {
  for (int i = 0; i < size * count; ++i) pieces_in[i] = rank + call + i;
  MPI_Reduce_scatter_block(pieces_in, out, count, MPI_LONG, MPI_SUM, comm);
  for (int i = 0; i < count; ++i) CHECK(out[i] == sum_below(size) + (long)size * (call + rank * count + i));
  int counts[most_ranks], before = 0, all = 0;
  for (int i = 0; i < size; ++i) {
    counts[i] = (i + call) % 3;
    if (i < rank) before += counts[i];
    all += counts[i];
  }
  for (int i = 0; i < all; ++i) pieces_in[i] = rank - call + i;
  MPI_Reduce_scatter(pieces_in, out, counts, MPI_LONG, MPI_SUM, comm);
  for (int i = 0; i < counts[rank]; ++i) CHECK(out[i] == sum_below(size) + (long)size * (before + i - call));
}

/// Combines pairs (value, 3 to the power of its length): in * 3^(length of inout) + inout, modulo a prime.
static const long prime = 1000003;
static void put_after(void* in_, void* inout_, int* count, MPI_Datatype* type) {
  const long* const before = in_;
  long* const behind = inout_;
  (void)type;
  for (int i = 0; i < *count; ++i) {
    behind[2 * i] = (before[2 * i] * behind[2 * i + 1] + behind[2 * i]) % prime;
    behind[2 * i + 1] = before[2 * i + 1] * behind[2 * i + 1] % prime;
  }
}
/// Returns the result of ranks first to last for digits d of rank r and place i.
static long digits(int first, int last, int call, int i) {
  long all = 0;
  for (int r = first; r <= last; ++r) all = (all * 3 + (r + call + i) % 3) % prime;
  return all;
}
static MPI_Datatype pair;
static void write_digits(int rank, int count, int call) {
  for (int i = 0; i < count; ++i) in[2 * i] = (rank + call + i) % 3, in[2 * i + 1] = 3, out[2 * i] = -1;
}
static void own_operation(MPI_Comm comm, int rank, int size, int count, int call) {
  const int root = call % size, last = size - 1;
  write_digits(rank, count, call);
  MPI_Allreduce(in, out, count, pair, after, comm);
  for (int i = 0; i < count; ++i) CHECK(out[2 * i] == digits(0, last, call, i));
  write_digits(rank, count, call);
  MPI_Reduce(in, out, count, pair, after, root, comm);
  for (int i = 0; i < count; ++i) CHECK(out[2 * i] == (rank == root ? digits(0, last, call, i) : -1));
  write_digits(rank, count, call);
  memcpy(out, in, 2 * sizeof(long) * (size_t)count);
  MPI_Scan(MPI_IN_PLACE, out, count, pair, after, comm);
  for (int i = 0; i < count; ++i) CHECK(out[2 * i] == digits(0, rank, call, i));
  write_digits(rank, count, call);
  MPI_Exscan(in, out, count, pair, after, comm);
  for (int i = 0; rank > 0 && i < count; ++i) CHECK(out[2 * i] == digits(0, rank - 1, call, i));
  // One element for each rank.
  write_digits(rank, size, call);
  MPI_Reduce_scatter_block(in, out, 1, pair, after, comm);
  CHECK(out[0] == digits(0, last, call, rank));
}

/// Makes collectives of one root in a row, with nothing for which it or the others would have to wait.
static void in_row(MPI_Comm comm, int rank, int size, int round) {
  const int root = round % size;
  Pieces p = {comm, rank, size, 1, 1, 0, 0};
  for (int k = 0; k < in_a_row; ++k)
    dawdle(k % 5 ? 0 : rank == root ? 2 : 6), bcast(comm, rank, size, 3, root);
  for (int k = 0; k < in_a_row; ++k)
    dawdle(k % 5 ? 0 : rank == root ? 6 : 2), reduce(comm, rank, size, 2, root);
  for (p.call = 0; p.call < in_a_row; ++p.call) gather(&p, root);
  for (p.call = 0; p.call < in_a_row; ++p.call) scatter(&p, root);
  p.count = 4;
  for (p.call = 0; p.call < in_a_row; ++p.call) gatherv(&p, root);
  for (p.call = 0; p.call < in_a_row; ++p.call) scatterv(&p, root);
}

/// Checks that no rank leaves a barrier before all have come: each records its arrival by a word in the
/// memory of the first.
static void barrier(MPI_Comm comm, MPI_Win window, int size, int call) {
  const long one = 1;
  long came = -1;
  MPI_Accumulate(&one, 1, MPI_LONG, 0, 0, 1, MPI_LONG, MPI_SUM, window);
  MPI_Win_flush(0, window);
  MPI_Barrier(comm);
  MPI_Get(&came, 1, MPI_LONG, 0, 0, 1, MPI_LONG, window);
  MPI_Win_flush(0, window);
  CHECK(came >= (long)size * (call + 1));
}

static void use(MPI_Comm comm, int round) {
  static const int lengths[] = {1, 5, 62, 63, 300, 1024, 1025, longest},
                   piece_counts[] = {1, 2, 4, 15, 64, 250};
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  for (int k = 0; k < calls; ++k) {
    const int kind = draw(19), count = kind % 2 ? 1 : lengths[draw(8)], call = k + round;
    Pieces p = {comm, rank, size, piece_counts[draw(6)], 1 + draw(2), call, draw(3) == 0};
    dawdle(call);
    if (kind < 2) allreduce(comm, rank, size, count, call);
    if (kind == 2 || kind == 3) reduce(comm, rank, size, count, call);
    if (kind == 4 || kind == 5) bcast(comm, rank, size, count, call);
    if (kind == 6) gather(&p, call % size);
    if (kind == 7) scatter(&p, call % size);
    if (kind == 8) allgather(&p);
    if (kind == 9) alltoall(&p);
    if (kind == 10) scans(comm, rank, count, call);
    if (kind == 11) reduce_scatter(comm, rank, size, draw(9), call);
    if (kind == 12) own_operation(comm, rank, size, count < 500 ? count : 500, call);
    if (kind == 13) MPI_Barrier(comm);
    if (kind == 14) gatherv(&p, call % size);
    if (kind == 15) scatterv(&p, call % size);
    if (kind == 16) allgatherv(&p);
    if (kind >= 17) alltoallv(&p, kind == 18);
  }
}

/// Uses more communicators at once than there is memory for: all collectives must be right, whichever way
/// they take.
static void use_many(int more) {
  MPI_Comm* const many = malloc(sizeof(MPI_Comm) * (size_t)more);
  for (int i = 0; i < more; ++i) {
    MPI_Comm_dup(MPI_COMM_WORLD, &many[i]);
    MPI_Barrier(many[i]);
  }
  for (int i = 0; i < more; i += i < more - 8 ? 29 : 1) {
    seed = (unsigned long)i;
    use(many[i], i);
  }
  for (int i = 0; i < more; ++i) MPI_Comm_free(&many[i]);
  free(many);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  const int rounds = number_argument(argc, argv, 1, 3), more = number_argument(argc, argv, 2, 0);
  MPI_Type_create_resized(MPI_LONG, 0, 2 * sizeof(long), &spaced);
  MPI_Type_commit(&spaced);
  MPI_Type_contiguous(2, MPI_LONG, &pair);
  MPI_Type_commit(&pair);
  MPI_Op_create(put_after, 0, &after);
  static MPI_Comm kept;  // across moves
  MPI_Comm_dup(MPI_COMM_WORLD, &kept);
  for (int round = 0; round < rounds; ++round) {
    MPI_Comm some[comms];
    for (int i = 0; i < comms; ++i) {
      seed = (unsigned long)(round * comms + i + 1);
      const int colour = i % 3 == 0 ? 0 : i % 3 == 1 ? (my_rank + i) % 3 / 2 : my_rank % 2;
      if (i % 4 == 3)
        MPI_Comm_dup(kept, &some[i]);
      else
        MPI_Comm_split(MPI_COMM_WORLD, colour, my_rank * (i + 5) % 11, &some[i]);
      use(some[i], round);
    }
    maybe_move();
    // All communicators exist at once, and each has been used on other PEs before.
    for (int i = 0; i < comms; ++i) {
      seed = (unsigned long)(round * comms + i + 1000);
      use(some[i], round + 1);
      if (i % 2) MPI_Comm_free(&some[i]);
    }
    use(kept, round);
    maybe_move();
    use(kept, round);
    int rank;
    MPI_Comm_rank(kept, &rank);
    in_row(kept, rank, rank_count, round);
    for (int i = 0; i < comms; i += 2) MPI_Comm_free(&some[i]);
  }
  long* word;
  MPI_Win window;
  MPI_Win_allocate(sizeof *word, sizeof *word, MPI_INFO_NULL, kept, &word, &window);
  *word = 0;
  MPI_Barrier(kept);
  MPI_Win_lock_all(0, window);
  for (int k = 0; k < calls; ++k) {
    dawdle(k);
    barrier(kept, window, rank_count, k);
  }
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
  if (more > 0) use_many(more);
  MPI_Op_free(&after);
  MPI_Type_free(&pair);
  MPI_Type_free(&spaced);
  MPI_Comm_free(&kept);
  finish("exchanged");
  return 0;
}
