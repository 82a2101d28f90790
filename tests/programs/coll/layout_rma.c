/* SPDX-License-Identifier: Apache-2.0
 * One-sided communication over types of every kind of extent (layouts.h), at the origin, in what comes back,
 * and in the window, whose every byte is watched. */
#include "layout_sides.h"

enum { by_fence, by_lock, by_request, ways };

typedef struct {
  const test_case* t;
  int way, target;
  MPI_Win window;
  MPI_Aint at; /* where the target's elements begin: alike in all windows */
} access;

static void begin_access(const access* a) {
  if (a->way == by_fence)
    MPI_Win_fence(0, a->window);
  else if (a->way == by_lock)
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, a->target, 0, a->window);
  else
    MPI_Win_lock_all(0, a->window);
}
static void end_access(const access* a) {
  if (a->way == by_fence) {
    MPI_Win_fence(0, a->window);
    return;
  }
  if (a->way == by_lock)
    MPI_Win_unlock(a->target, a->window);
  else
    MPI_Win_unlock_all(a->window);
  MPI_Barrier(a->t->comm);
}
/* Calls `Name` with these arguments in the middle, up to the window. */
#define ACCESS(a, Name, ...)                           \
  do {                                                 \
    MPI_Request request;                               \
    begin_access(a);                                   \
    if ((a)->way == by_request) {                      \
      MPI_R##Name(__VA_ARGS__, (a)->window, &request); \
      MPI_Wait(&request, MPI_STATUS_IGNORE);           \
    } else {                                           \
      MPI_##Name##_(__VA_ARGS__, (a)->window);         \
    }                                                  \
    end_access(a);                                     \
  } while (0)
#define MPI_put_ MPI_Put
#define MPI_get_ MPI_Get
#define MPI_accumulate_ MPI_Accumulate
#define MPI_get_accumulate_ MPI_Get_accumulate

static void one_case(const test_case* t) {
  const int count = t->count, left = (t->rank + t->size - 1) % t->size, right = (t->rank + 1) % t->size;
  side origin = new_side(t->from, count, 0, 0), window = new_side(t->to, count, 0, 0);
  access a = {t, t->form, right, MPI_WIN_NULL, 0};
  a.at = (MPI_Aint)((window.data.origin - window.data.memory) * (long)sizeof(number));
  MPI_Win_create(window.data.memory, (MPI_Aint)(window.data.size * (long)sizeof(number)), 1, MPI_INFO_NULL,
                 t->comm, &a.window);
  const int window_receives = can_receive(t->to, count), origin_receives = can_receive(t->from, count);

  if (window_receives) {
    fill(&origin.data, t->rank);
    ACCESS(&a, put, origin.data.origin, count, origin.type, right, a.at, count, window.type);
    expect(&window, 0, origin.of, count, left, 0, count);
    check_side(t, &window, "put");
  }
  fill(&window.data, t->rank);
  fill(&window.want, t->rank);
  MPI_Barrier(t->comm);
  if (origin_receives) {
    free_buffer(&origin.data);
    origin.data = new_buffer(origin.of, count);
    ACCESS(&a, get, origin.data.origin, count, origin.type, right, a.at, count, window.type);
    expect(&origin, 0, window.of, count, right, 0, count);
    check_side(t, &origin, "get");
  }
  if (window_receives) {
    fill(&origin.data, t->rank);
    ACCESS(&a, accumulate, origin.data.origin, count, origin.type, right, a.at, count, window.type, MPI_SUM);
    for (int i = 0; i < count; ++i)
      for (int k = 0; k < 2; ++k)
        *place(&window.want, i, k) = value(t->rank, i, k) + value_in(origin.of, count, left, i, k);
    check_side(t, &window, "accumulate");
    MPI_Barrier(t->comm);

    /* The result buffer has a third kind of layout. */
    int third = (t->from + 2 * t->to + 1) % layout_kinds;
    if (!can_receive(third, count)) third = backwards;
    side before = new_side(third, count, 0, 0);
    ACCESS(&a, get_accumulate, origin.data.origin, count, origin.type, before.data.origin, count, before.type,
           right, a.at, count, window.type, t->count % 2 ? MPI_SUM : MPI_REPLACE);
    for (int i = 0; i < count; ++i)
      for (int k = 0; k < 2; ++k) {
        const number of_left = value_in(origin.of, count, left, i, k);
        *place(&before.want, i, k) = value(right, i, k) + value_in(origin.of, count, t->rank, i, k);
        *place(&window.want, i, k) = t->count % 2 ? value(t->rank, i, k) + of_left + of_left : of_left;
      }
    check_side(t, &before, "get_accumulate: before");
    check_side(t, &window, "get_accumulate");
    free_side(&before);
  }
  MPI_Win_free(&a.window);
  free_side(&origin);
  free_side(&window);
}

static void on_comm(MPI_Comm comm) { for_each_case(comm, one_case); }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  for_some_comms(on_comm);
  return finish("layout_rma");
}
