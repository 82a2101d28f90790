/* SPDX-License-Identifier: Apache-2.0
 * What collectives that move data are tested with: the two sides of a call, whose types are of any two kinds
 * of extent (layouts.h), and what is to arrive, element by element. */
#ifndef SKEIN_TESTS_COLL_LAYOUT_SIDES_H
#define SKEIN_TESTS_COLL_LAYOUT_SIDES_H

#include "layouts.h"

enum { most_ranks = 16 };

typedef struct {
  MPI_Comm comm;
  int rank, size;
  int from, to; /* kinds of layouts */
  int count, form;
} test_case;

static char how_text[200];
static const char* how(const test_case* t) {
  snprintf(how_text, sizeof how_text, "%d elements %s to %s, form %d, rank %d of %d", t->count,
           name_of(t->from), name_of(t->to), t->form, t->rank, t->size);
  return how_text;
}

/* One side of a call: a buffer, its type, and its pieces, one for each peer. */
typedef struct {
  layout of;
  MPI_Datatype type;
  buffer data, want;
  count_type counts[most_ranks];
  place_type starts[most_ranks]; /* in elements */
} side;

/* Makes a side of `elements` in all; its pieces have `count` each, side by side. */
static side new_side(int kind, int elements, int count, int pieces) {
  side s = {.of = layout_of(kind, elements)};
  s.type = type_of(s.of);
  s.data = new_buffer(s.of, elements);
  s.want = new_buffer(s.of, elements);
  for (int p = 0; p < pieces; ++p) {
    s.counts[p] = count;
    s.starts[p] = p * count;
  }
  return s;
}
static void free_side(side* s) {
  free_buffer(&s->data);
  free_buffer(&s->want);
  MPI_Type_free(&s->type);
}
/* Places pieces of different lengths in the order of falling peers, with an element between that belongs
 * to none. */
static int place_apart(int pieces, const int* counts, place_type* starts) {
  int at = 0;
  for (int p = pieces; p-- > 0; at += counts[p] + 1) starts[p] = at;
  return at;
}
static side new_counted_side(int kind, int pieces, const int* counts) {
  place_type starts[most_ranks];
  side s = new_side(kind, place_apart(pieces, counts, starts), 0, 0);
  for (int p = 0; p < pieces; ++p) {
    s.counts[p] = counts[p];
    s.starts[p] = starts[p];
  }
  return s;
}
/* Notes that elements from `to` on must be equal to `count` elements from `from` on in the buffer of a
 * rank. */
static void expect(side* s, int to, layout of, int elements, int rank, int from, int count) {
  for (int i = 0; i < count; ++i)
    for (int k = 0; k < 2; ++k) *place(&s->want, to + i, k) = value_in(of, elements, rank, from + i, k);
}
static void check_side(const test_case* t, const side* s, const char* what) {
  check_same(&s->data, &s->want, what, how(t));
}
static int total_of(const int* counts, int pieces) {
  int total = 0;
  for (int p = 0; p < pieces; ++p) total += counts[p];
  return total;
}

/* Returns how many elements a rank has in the calls with counts: some have none. */
static int count_of(const test_case* t, int rank) { return rank % 4 == 2 ? 0 : t->count + rank % 3; }

/* ---- every piece of a type of its own: each has its own buffer, and the call gets addresses */

typedef struct {
  side pieces[most_ranks];
  count_type counts[most_ranks];
  MPI_Aint places[most_ranks];
  MPI_Datatype types[most_ranks];
  int pieces_used;
} typed_side;

static void add_piece(typed_side* all, int kind, int count) {
  const int p = all->pieces_used++;
  side* const s = &all->pieces[p];
  *s = new_side(kind, count, 0, 0);
  all->counts[p] = count;
  all->types[p] = s->type;
  MPI_Get_address(s->data.origin, &all->places[p]);
}
static void free_typed(typed_side* all) {
  for (int p = 0; p < all->pieces_used; ++p) free_side(&all->pieces[p]);
}

static const int tried_counts[] = {1, 4, 90, 300, 7};

/* Runs every pair of kinds in every form, each with another count. */
static void for_each_case(MPI_Comm comm, void (*one_case)(const test_case*)) {
  test_case t = {.comm = comm};
  MPI_Comm_rank(comm, &t.rank);
  MPI_Comm_size(comm, &t.size);
  for (t.from = 0; t.from < layout_kinds; ++t.from) {
    may_move(comm);
    for (t.to = 0; t.to < layout_kinds; ++t.to)
      for (t.form = 0; t.form < forms; ++t.form) {
        t.count =
            tried_counts[(t.from + 2 * t.to + t.form) % (int)(sizeof tried_counts / sizeof tried_counts[0])];
        one_case(&t);
      }
  }
}

#endif
