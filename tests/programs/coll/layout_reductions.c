/* SPDX-License-Identifier: Apache-2.0
 * Reductions by operations of the program over types of every kind of extent (layouts.h), long and short, in
 * all forms, in place and not. One operation adds; the other, which does not commute, composes maps x -> a x
 * + b over the integers modulo 2^16, so that its result depends on every rank's place. */
#include "layouts.h"

enum { sum, composition, operations };

static layout current; /* of the elements that are reduced */
static MPI_Op ops[operations];

static number compose(number first, number second) {
  const number a = first >> 16, b = first & 0xffff, c = second >> 16, d = second & 0xffff;
  return ((c * a) & 0xffff) << 16 | ((c * b + d) & 0xffff);
}
static number combined(int op, number in, number inout) {
  return op == sum ? in + inout : compose(in, inout);
}

static void reduce_by(int op, const number* in, number* inout, int length, MPI_Datatype type) {
  MPI_Aint lb, extent;
  MPI_Type_get_extent(type, &lb, &extent);
  CHECK(extent == current.extent * (MPI_Aint)sizeof(number), "an operation is given another type");
  for (int i = 0; i < length; ++i)
    for (int k = 0; k < 2; ++k) {
      const long at = (long)i * current.extent + current.at[k];
      inout[at] = combined(op, in[at], inout[at]);
    }
}
static void add(void* in, void* inout, int* length, MPI_Datatype* type) {
  reduce_by(sum, in, inout, *length, *type);
}
static void then(void* in, void* inout, int* length, MPI_Datatype* type) {
  reduce_by(composition, in, inout, *length, *type);
}

/* Returns the result for the elements of ranks 0 to `last`. */
static number up_to(int op, int last, int elements, int i, int k) {
  number all = value_in(current, elements, 0, i, k);
  for (int r = 1; r <= last; ++r) all = combined(op, all, value_in(current, elements, r, i, k));
  return all;
}

enum { reduce, allreduce, scan, exscan, kinds };
static const char* const names[] = {"reduce", "allreduce", "scan", "exscan"};

typedef struct {
  MPI_Comm comm;
  int rank, size, kind, op, count, form, in_place;
  MPI_Datatype type;
} test_case;

static const char* how(const test_case* t) {
  static char text[200];
  snprintf(text, sizeof text, "%d elements %s, %s, form %d%s, rank %d of %d", t->count, name_of(t->kind),
           t->op == sum ? "sum" : "composition", t->form, t->in_place ? ", in place" : "", t->rank, t->size);
  return text;
}

static void vectors(const test_case* t, int call, int root) {
  const int gets = call == reduce ? t->rank == root : call == exscan ? t->rank > 0 : 1;
  const int last = call == scan ? t->rank : call == exscan ? t->rank - 1 : t->size - 1;
  const int in_place = t->in_place && (call != reduce || t->rank == root);
  buffer in = new_buffer(current, t->count), unchanged = new_buffer(current, t->count);
  buffer out = new_buffer(current, t->count), want = new_buffer(current, t->count);
  fill(&in, t->rank);
  fill(&unchanged, t->rank);
  if (in_place) {
    fill(&out, t->rank);
    fill(&want, t->rank);
  }
  const void* from = in_place ? MPI_IN_PLACE : (void*)in.origin;
  if (call == reduce)
    IN_FORM(t->form, Reduce, reduce, from, out.origin, t->count, t->type, ops[t->op], root, t->comm);
  if (call == allreduce)
    IN_FORM(t->form, Allreduce, allreduce, from, out.origin, t->count, t->type, ops[t->op], t->comm);
  if (call == scan) IN_FORM(t->form, Scan, scan, from, out.origin, t->count, t->type, ops[t->op], t->comm);
  if (call == exscan)
    IN_FORM(t->form, Exscan, exscan, from, out.origin, t->count, t->type, ops[t->op], t->comm);
  for (int i = 0; gets && i < t->count; ++i)
    for (int k = 0; k < 2; ++k) *place(&want, i, k) = up_to(t->op, last, t->count, i, k);
  /* Where no rank gets a result the standard leaves the buffer to the library; a rank that contributes, in
   * place or not, must find the rest unchanged. */
  if (gets) check_same(&out, &want, names[call], how(t));
  check_same(&in, &unchanged, "what is given", how(t));
  free_buffer(&in);
  free_buffer(&unchanged);
  free_buffer(&out);
  free_buffer(&want);
}

static void scattered(const test_case* t, int equal) {
  int counts[64], before = 0, total = 0;
  for (int i = 0; i < t->size; ++i) {
    counts[i] = equal ? t->count : t->count * ((i + 1) % 3);
    if (i < t->rank) before += counts[i];
    total += counts[i];
  }
  current = layout_of(t->kind, total);
  if (!can_receive(t->kind, total)) return;
  MPI_Datatype type = type_of(current);
  const int mine = counts[t->rank], room = t->in_place ? total : mine;
  buffer in = new_buffer(current, total), out = new_buffer(current, room), want = new_buffer(current, room);
  fill(&in, t->rank);
  if (t->in_place) fill(&out, t->rank);
  const void* from = t->in_place ? MPI_IN_PLACE : (void*)in.origin;
  if (equal)
    IN_FORM(t->form, Reduce_scatter_block, reduce_scatter_block, from, out.origin, t->count, type, ops[t->op],
            t->comm);
  else
    IN_FORM(t->form, Reduce_scatter, reduce_scatter, from, out.origin, counts, type, ops[t->op], t->comm);
  for (int i = 0; i < mine; ++i)
    for (int k = 0; k < 2; ++k) *place(&want, i, k) = up_to(t->op, t->size - 1, total, before + i, k);
  /* In place, the memory behind the rank's own result is the library's. */
  for (int i = mine; i < room; ++i)
    for (int k = 0; k < 2; ++k) *place(&want, i, k) = *place(&out, i, k);
  check_same(&out, &want, equal ? "reduce_scatter_block" : "reduce_scatter", how(t));
  free_buffer(&in);
  free_buffer(&out);
  free_buffer(&want);
  MPI_Type_free(&type);
}

static void locally(const test_case* t) {
  buffer in = new_buffer(current, t->count), out = new_buffer(current, t->count),
         want = new_buffer(current, t->count);
  fill(&in, 0);
  fill(&out, 1);
  MPI_Reduce_local(in.origin, out.origin, t->count, t->type, ops[t->op]);
  for (int i = 0; i < t->count; ++i)
    for (int k = 0; k < 2; ++k) *place(&want, i, k) = up_to(t->op, 1, t->count, i, k);
  check_same(&out, &want, "reduce_local", how(t));
  free_buffer(&in);
  free_buffer(&out);
  free_buffer(&want);
}

static void one_case(test_case* t) {
  current = layout_of(t->kind, t->count);
  if (!can_receive(t->kind, t->count)) return;
  t->type = type_of(current);
  for (int call = 0; call < kinds; ++call) vectors(t, call, (t->kind + t->op) % t->size);
  if (t->form == blocking && !t->in_place) locally(t);
  MPI_Type_free(&t->type);
  for (int equal = 0; equal < 2; ++equal) scattered(t, equal);
}

static const int counts[] = {1, 3, 100, 1500};

static void test(MPI_Comm comm) {
  test_case t = {.comm = comm};
  MPI_Comm_rank(comm, &t.rank);
  MPI_Comm_size(comm, &t.size);
  for (t.kind = 0; t.kind < layout_kinds; ++t.kind)
    for (int c = 0; c < (int)(sizeof counts / sizeof counts[0]); ++c)
      for (t.op = 0; t.op < operations; ++t.op) {
        may_move(comm);
        for (t.form = 0; t.form < forms; ++t.form)
          for (t.in_place = 0; t.in_place < 2; ++t.in_place) {
            t.count = counts[c];
            if (t.form == blocking || t.count <= 100) one_case(&t);
          }
      }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Op_create(add, 1, &ops[sum]);
  MPI_Op_create(then, 0, &ops[composition]);
  for_some_comms(test);
  for (int op = 0; op < operations; ++op) MPI_Op_free(&ops[op]);
  return finish("layout_reductions");
}
