/* SPDX-License-Identifier: Apache-2.0
 * Collectives that move data from types of every kind of extent to others (layout_sides.h), in all forms, in
 * place and not. */
#include "layout_sides.h"

/* ---- from one, to one */

static void broadcast(const test_case* t, int root) {
  const int here = t->rank == root ? t->from : t->to;
  if (!can_receive(t->to, t->count)) return;
  side s = new_side(here, t->count, t->count, 1);
  const layout of = layout_of(t->from, t->count);
  if (t->rank == root) {
    fill(&s.data, root);
    fill(&s.want, root);
  } else {
    expect(&s, 0, of, t->count, root, 0, t->count);
  }
  IN_FORM(t->form, Bcast, bcast, s.data.origin, t->count, s.type, root, t->comm);
  check_side(t, &s, "bcast");
  free_side(&s);
}

static void gathered(const test_case* t, int root, int in_place) {
  const int n = t->size, all_elements = n * t->count;
  if (!can_receive(t->to, all_elements)) return;
  side mine = new_side(t->from, t->count, t->count, 1), all = new_side(t->to, all_elements, t->count, n);
  fill(&mine.data, t->rank);
  const int absent = in_place && t->rank == root;
  if (absent)
    for (int i = 0; i < t->count; ++i)
      for (int k = 0; k < 2; ++k)
        *place(&all.data, t->rank * t->count + i, k) = value_in(mine.of, t->count, t->rank, i, k);
  IN_FORM(t->form, Gather, gather, absent ? MPI_IN_PLACE : (void*)mine.data.origin, t->count, mine.type,
          all.data.origin, t->count, all.type, root, t->comm);
  for (int r = 0; t->rank == root && r < n; ++r)
    expect(&all, r * t->count, mine.of, t->count, r, 0, t->count);
  check_side(t, &all, "gather");
  free_side(&mine);
  free_side(&all);
}

static void scattered(const test_case* t, int root) {
  const int n = t->size, all_elements = n * t->count;
  if (!can_receive(t->to, t->count)) return;
  side mine = new_side(t->to, t->count, t->count, 1), all = new_side(t->from, all_elements, t->count, n);
  fill(&all.data, t->rank);
  IN_FORM(t->form, Scatter, scatter, all.data.origin, t->count, all.type, mine.data.origin, t->count,
          mine.type, root, t->comm);
  expect(&mine, 0, all.of, all_elements, root, t->rank * t->count, t->count);
  check_side(t, &mine, "scatter");
  free_side(&mine);
  free_side(&all);
}

static void counts_of(const test_case* t, int* counts) {
  for (int r = 0; r < t->size; ++r) counts[r] = count_of(t, r);
}

static void gathered_counted(const test_case* t, int root) {
  int counts[most_ranks];
  counts_of(t, counts);
  if (!can_receive(t->to, total_of(counts, t->size))) return;
  side all = new_counted_side(t->to, t->size, counts);
  side mine = new_side(t->from, counts[t->rank], 0, 0);
  fill(&mine.data, t->rank);
  IN_FORM(t->form, Gatherv, gatherv, mine.data.origin, counts[t->rank], mine.type, all.data.origin,
          all.counts, all.starts, all.type, root, t->comm);
  for (int r = 0; t->rank == root && r < t->size; ++r)
    expect(&all, (int)all.starts[r], layout_of(t->from, counts[r]), counts[r], r, 0, counts[r]);
  check_side(t, &all, "gatherv");
  free_side(&mine);
  free_side(&all);
}

static void scattered_counted(const test_case* t, int root) {
  int counts[most_ranks];
  counts_of(t, counts);
  for (int r = 0; r < t->size; ++r)
    if (!can_receive(t->to, counts[r])) return;
  side all = new_counted_side(t->from, t->size, counts);
  side mine = new_side(t->to, counts[t->rank], 0, 0);
  fill(&all.data, t->rank);
  IN_FORM(t->form, Scatterv, scatterv, all.data.origin, all.counts, all.starts, all.type, mine.data.origin,
          counts[t->rank], mine.type, root, t->comm);
  expect(&mine, 0, all.of, all.data.elements, root, (int)all.starts[t->rank], counts[t->rank]);
  check_side(t, &mine, "scatterv");
  free_side(&mine);
  free_side(&all);
}

/* ---- to all */

static void gathered_by_all(const test_case* t, int in_place) {
  const int n = t->size, all_elements = n * t->count;
  if (!can_receive(t->to, all_elements)) return;
  side mine = new_side(t->from, t->count, t->count, 1), all = new_side(t->to, all_elements, t->count, n);
  fill(&mine.data, t->rank);
  if (in_place)
    for (int i = 0; i < t->count; ++i)
      for (int k = 0; k < 2; ++k)
        *place(&all.data, t->rank * t->count + i, k) = value_in(mine.of, t->count, t->rank, i, k);
  IN_FORM(t->form, Allgather, allgather, in_place ? MPI_IN_PLACE : (void*)mine.data.origin, t->count,
          mine.type, all.data.origin, t->count, all.type, t->comm);
  for (int r = 0; r < n; ++r) expect(&all, r * t->count, mine.of, t->count, r, 0, t->count);
  check_side(t, &all, "allgather");
  free_side(&mine);
  free_side(&all);
}

static void gathered_counted_by_all(const test_case* t) {
  int counts[most_ranks];
  counts_of(t, counts);
  if (!can_receive(t->to, total_of(counts, t->size))) return;
  side all = new_counted_side(t->to, t->size, counts);
  side mine = new_side(t->from, counts[t->rank], 0, 0);
  fill(&mine.data, t->rank);
  IN_FORM(t->form, Allgatherv, allgatherv, mine.data.origin, counts[t->rank], mine.type, all.data.origin,
          all.counts, all.starts, all.type, t->comm);
  for (int r = 0; r < t->size; ++r)
    expect(&all, (int)all.starts[r], layout_of(t->from, counts[r]), counts[r], r, 0, counts[r]);
  check_side(t, &all, "allgatherv");
  free_side(&mine);
  free_side(&all);
}

static void each_to_each(const test_case* t, int in_place) {
  const int n = t->size, elements = n * t->count;
  if (!can_receive(t->to, elements)) return;
  side out = new_side(in_place ? t->to : t->from, elements, t->count, n),
       in = new_side(t->to, elements, t->count, n);
  fill(in_place ? &in.data : &out.data, t->rank);
  IN_FORM(t->form, Alltoall, alltoall, in_place ? MPI_IN_PLACE : (void*)out.data.origin, t->count, out.type,
          in.data.origin, t->count, in.type, t->comm);
  for (int r = 0; r < n; ++r) expect(&in, r * t->count, out.of, elements, r, t->rank * t->count, t->count);
  check_side(t, &in, "alltoall");
  free_side(&out);
  free_side(&in);
}

/* What rank a has for rank b. In place it is as much in either direction. */
static int count_between(const test_case* t, int a, int b, int in_place) {
  return in_place ? t->count + (a * b) % 3 : (a + 2 * b) % 5 == 4 ? 0 : t->count + (2 * a + b) % 3;
}

static void each_to_each_counted(const test_case* t, int in_place) {
  int sent[most_ranks], received[most_ranks];
  const int n = t->size;
  for (int r = 0; r < n; ++r) {
    sent[r] = count_between(t, t->rank, r, in_place);
    received[r] = count_between(t, r, t->rank, in_place);
  }
  for (int r = 0; r < n; ++r) { /* all come to the same answer */
    int total = 0;
    for (int s = 0; s < n; ++s) total += count_between(t, s, r, in_place);
    if (!can_receive(t->to, total)) return;
  }
  side out = new_counted_side(in_place ? t->to : t->from, n, sent), in = new_counted_side(t->to, n, received);
  for (int r = 0; in_place && r < n; ++r)
    for (int i = 0; i < sent[r]; ++i)
      for (int k = 0; k < 2; ++k) {
        const int at = (int)in.starts[r] + i;
        *place(&in.data, at, k) = value(t->rank, at, k);
      }
  fill(&out.data, t->rank);
  IN_FORM(t->form, Alltoallv, alltoallv, in_place ? MPI_IN_PLACE : (void*)out.data.origin, out.counts,
          out.starts, out.type, in.data.origin, in.counts, in.starts, in.type, t->comm);
  for (int r = 0; r < n; ++r) {
    int theirs[most_ranks];
    place_type starts[most_ranks];
    for (int q = 0; q < n; ++q) theirs[q] = count_between(t, r, q, in_place);
    const int elements = place_apart(n, theirs, starts);
    expect(&in, (int)in.starts[r], layout_of(in_place ? t->to : t->from, elements), elements, r,
           (int)starts[t->rank], received[r]);
  }
  check_side(t, &in, "alltoallv");
  free_side(&out);
  free_side(&in);
}

/* MPI_Alltoallw's displacements are ints: here the types hold the addresses, and all count from
 * MPI_BOTTOM. */
static void each_to_each_typed(const test_case* t) {
  typed_side out = {.pieces_used = 0}, in = {.pieces_used = 0};
  const int n = t->size;
  place_type sent_at[most_ranks], received_at[most_ranks];
  MPI_Datatype sent[most_ranks], received[most_ranks];
  for (int r = 0; r < n; ++r) {
    const int to = count_between(t, t->rank, r, 0), from = count_between(t, r, t->rank, 0);
    add_piece(&out, (t->from + r) % layout_kinds, to);
    const int kind = (t->to + r) % layout_kinds;
    add_piece(&in, can_receive(kind, from) ? kind : plain, from);
  }
  for (int r = 0; r < n; ++r) {
    fill(&out.pieces[r].data, t->rank);
    const int out_length = (int)out.counts[r], in_length = (int)in.counts[r];
    MPI_Type_create_hindexed(1, &out_length, &out.places[r], out.types[r], &sent[r]);
    MPI_Type_create_hindexed(1, &in_length, &in.places[r], in.types[r], &received[r]);
    MPI_Type_commit(&sent[r]);
    MPI_Type_commit(&received[r]);
    out.counts[r] = in.counts[r] = 1;
    sent_at[r] = received_at[r] = 0;
  }
  IN_FORM(t->form, Alltoallw, alltoallw, MPI_BOTTOM, out.counts, sent_at, sent, MPI_BOTTOM, in.counts,
          received_at, received, t->comm);
  for (int r = 0; r < n; ++r) {
    const int count = count_between(t, r, t->rank, 0);
    side* const s = &in.pieces[r];
    expect(s, 0, layout_of((t->from + t->rank) % layout_kinds, count), count, r, 0, count);
    check_side(t, s, "alltoallw");
    MPI_Type_free(&sent[r]);
    MPI_Type_free(&received[r]);
  }
  free_typed(&out);
  free_typed(&in);
}

static void one_case(const test_case* t) {
  const int root = (t->from + t->count) % t->size;
  broadcast(t, root);
  scattered(t, root);
  gathered_counted(t, root);
  scattered_counted(t, root);
  gathered_counted_by_all(t);
  each_to_each_typed(t);
  for (int in_place = 0; in_place < 2; ++in_place) {
    gathered(t, root, in_place);
    gathered_by_all(t, in_place);
    each_to_each(t, in_place);
    each_to_each_counted(t, in_place);
  }
}

static void test(MPI_Comm comm) { for_each_case(comm, one_case); }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  for_some_comms(test);
  return finish("layout_movement");
}
