/* SPDX-License-Identifier: Apache-2.0
 * Datatypes of every kind of extent: below their true extent, so that elements lie among each other;
 * negative, zero, padded; with bytes before the origin. And buffers of such elements, in which each element's
 * place is found by formula, and every byte that belongs to none is watched. */
#ifndef SKEIN_TESTS_COLL_LAYOUTS_H
#define SKEIN_TESTS_COLL_LAYOUTS_H

#include "check.h"

/* Every element is two numbers, in this order; sizes and places count numbers. */
typedef unsigned number;
typedef struct {
  int at[2]; /* from where the element stands */
  int extent;
} layout;

enum layout_kind {
  plain,
  padded,
  shifted,     /* its numbers begin behind its origin, and follow those of the element before */
  descending,  /* the second number lies before the first */
  overlapping, /* each begins before the one before it has ended */
  interleaved, /* all first numbers, then all second ones */
  below,       /* before their origin */
  below_interleaved,
  backwards, /* each lies before the one before it */
  backwards_padded,
  backwards_interleaved,
  at_one_place, /* all lie where the first does: to be sent, or received if there is one */
  layout_kinds
};

/* `elements`: the most elements of a buffer. */
static layout layout_of(int kind, int elements) {
  const int apart = elements + 1;
  switch (kind) {
    case padded:
      return (layout){{0, 1}, 5};
    case shifted:
      return (layout){{2, 3}, 2};
    case descending:
      return (layout){{3, 0}, 4};
    case overlapping:
      return (layout){{0, 5}, 2};
    case interleaved:
      return (layout){{0, apart}, 1};
    case below:
      return (layout){{-3, -1}, 3};
    case below_interleaved:
      return (layout){{-apart, 0}, 1};
    case backwards:
      return (layout){{0, 1}, -2};
    case backwards_padded:
      return (layout){{1, 2}, -4};
    case backwards_interleaved:
      return (layout){{0, apart}, -1};
    case at_one_place:
      return (layout){{0, 2}, 0};
    default:
      return (layout){{0, 1}, 2};
  }
}

static int can_receive(int kind, int elements) { return kind != at_one_place || elements <= 1; }

static MPI_Datatype type_of(layout of) {
  MPI_Datatype numbers, type;
  const int apart = of.at[1] - of.at[0], lengths[2] = {1, 1};
  if (apart > 1) { /* as programs say it */
    MPI_Datatype vector;
    const MPI_Aint first = of.at[0] * (MPI_Aint)sizeof(number);
    const int once = 1;
    MPI_Type_vector(2, 1, apart, MPI_UNSIGNED, &vector);
    MPI_Type_create_hindexed(1, &once, &first, vector, &numbers);
    MPI_Type_free(&vector);
  } else {
    MPI_Type_indexed(2, lengths, of.at, MPI_UNSIGNED, &numbers);
  }
  MPI_Type_create_resized(numbers, 0, of.extent * (MPI_Aint)sizeof(number), &type);
  MPI_Type_free(&numbers);
  MPI_Type_commit(&type);
  return type;
}

/* Room for `elements` elements, with a margin. Numbers of no element are `hole()`. */
typedef struct {
  layout of;
  int elements;
  long size;
  number* memory;
  number* origin; /* where element 0 stands */
} buffer;

enum { margin = 7 };

static number hole(long i) { return 0xeeee0000u + (number)(i & 0xffff); }

static long least(long a, long b) { return a < b ? a : b; }
static long most(long a, long b) { return a > b ? a : b; }

static buffer new_buffer(layout of, int elements) {
  const long last = (long)of.extent * (elements > 0 ? elements - 1 : 0);
  const long begin = least(of.at[0], of.at[1]) + least(last, 0),
             end = most(of.at[0], of.at[1]) + most(last, 0) + 1;
  buffer b = {of, elements, end - begin + 2 * margin, NULL, NULL};
  b.memory = malloc((size_t)b.size * sizeof(number));
  b.origin = b.memory + margin - begin;
  for (long i = 0; i < b.size; ++i) b.memory[i] = hole(i);
  return b;
}
static void free_buffer(buffer* b) { free(b->memory); }

/* Returns the address of element `i`, which a call gets as its buffer. */
static number* element(const buffer* b, int i) { return b->origin + (long)i * b->of.extent; }
static number* place(const buffer* b, int i, int k) { return element(b, i) + b->of.at[k]; }

/* Returns the first value of a rank's element `i` of a buffer. Of elements at one place, the last is
 * there. */
static number value(int rank, int i, int k) {
  return (number)((rank * 40503u + (number)i * 2u + (number)k) * 2654435761u) | 0x10000u;
}
static number value_in(layout of, int elements, int rank, int i, int k) {
  return value(rank, of.extent == 0 ? elements - 1 : i, k);
}
static void fill(buffer* b, int rank) {
  for (int i = 0; i < b->elements; ++i)
    for (int k = 0; k < 2; ++k) *place(b, i, k) = value(rank, i, k);
}

/* Checks that two buffers of one layout have the same bytes, holes included. */
static void check_same(const buffer* got, const buffer* want, const char* what, const char* how) {
  for (long i = 0; i < got->size; ++i)
    if (got->memory[i] != want->memory[i]) {
      CHECK(0, "%s, %s: number %ld of %ld is 0x%x, not 0x%x", what, how, i, got->size, got->memory[i],
            want->memory[i]);
      return;
    }
  CHECK(1, "%s", what);
}

/* Calls test() on the world, the world in reverse order, and every other rank of it. */
__attribute__((unused)) static void for_some_comms(void (*test)(MPI_Comm)) {
  int rank;
  MPI_Comm reversed, some;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &some);
  test(MPI_COMM_WORLD);
  test(reversed);
  test(some);
  MPI_Comm_free(&some);
  MPI_Comm_free(&reversed);
}
/* Lets the ranks move with --sync-at MPI_Barrier, on communicators of all ranks. */
static void may_move(MPI_Comm comm) {
  int size, all;
  MPI_Comm_size(comm, &size);
  MPI_Comm_size(MPI_COMM_WORLD, &all);
  if (size == all) MPI_Barrier(MPI_COMM_WORLD);
}

static const char* name_of(int kind) {
  static const char* const names[] = {"plain",
                                      "padded",
                                      "shifted",
                                      "descending",
                                      "overlapping",
                                      "interleaved",
                                      "below",
                                      "below and interleaved",
                                      "backwards",
                                      "backwards and padded",
                                      "backwards and interleaved",
                                      "at one place"};
  return names[kind];
}

#endif
