/* SPDX-License-Identifier: Apache-2.0
 * Files written and read over types of every kind of extent (layouts.h) in memory, one rank for itself and
 * all together, with views of every kind that a file may have. Every byte of the file is watched. */
#include <unistd.h>

#include "layout_sides.h"

/* Views through which files may be written: no byte occurs twice, and all ascend. */
static const int view_kinds[] = {plain, padded, shifted};
enum { views = sizeof view_kinds / sizeof view_kinds[0] };

static MPI_File file;

static void write_form(const test_case* t, const side* memory) {
  MPI_Status status;
  MPI_Request request;
  int got = -1;
  switch (t->form) {
    case blocking:
      MPI_File_write_at(file, 0, memory->data.origin, t->count, memory->type, &status);
      break;
    case nonblocking:
      MPI_File_iwrite_at(file, 0, memory->data.origin, t->count, memory->type, &request);
      MPI_Wait(&request, &status);
      break;
    default:
      MPI_File_write_all(file, memory->data.origin, t->count, memory->type, &status);
  }
  MPI_Get_count(&status, memory->type, &got);
  CHECK(got == t->count, "%s: %d elements written", how(t), got);
}
static void read_form(const test_case* t, const side* memory) {
  MPI_Status status;
  MPI_Request request;
  int got = -1;
  switch (t->form) {
    case blocking:
      MPI_File_read_at(file, 0, memory->data.origin, t->count, memory->type, &status);
      break;
    case nonblocking:
      MPI_File_iread_at_all(file, 0, memory->data.origin, t->count, memory->type, &request);
      MPI_Wait(&request, &status);
      break;
    default:
      MPI_File_read_all(file, memory->data.origin, t->count, memory->type, &status);
  }
  MPI_Get_count(&status, memory->type, &got);
  CHECK(got == t->count, "%s: %d elements read", how(t), got);
}

static void view(MPI_Offset at, MPI_Datatype type) {
  MPI_File_set_view(file, at, MPI_UNSIGNED, type, "native", MPI_INFO_NULL);
}

/* Each rank has a part of the file, as a buffer of the view's layout; it is written from a layout in
 * memory, and read into another. */
static void one_case(const test_case* t) {
  side from = new_side(t->from, t->count, 0, 0), to = new_side(t->to, t->count, 0, 0);
  side part = new_side(view_kinds[(t->from + t->to) % views], t->count, 0, 0);
  const MPI_Offset begin = (MPI_Offset)t->rank * part.data.size * (MPI_Offset)sizeof(number);
  const MPI_Offset origin = begin + (part.data.origin - part.data.memory) * (MPI_Offset)sizeof(number);

  view(0, MPI_UNSIGNED);
  MPI_File_write_at_all(file, begin / (MPI_Offset)sizeof(number), part.data.memory, (int)part.data.size,
                        MPI_UNSIGNED, MPI_STATUS_IGNORE);
  fill(&from.data, t->rank);
  view(origin, part.type);
  write_form(t, &from);
  expect(&part, 0, from.of, t->count, t->rank, 0, t->count);
  view(0, MPI_UNSIGNED);
  MPI_File_read_at(file, begin / (MPI_Offset)sizeof(number), part.data.memory, (int)part.data.size,
                   MPI_UNSIGNED, MPI_STATUS_IGNORE);
  check_side(t, &part, "the file");

  if (can_receive(t->to, t->count)) {
    view(origin, part.type);
    read_form(t, &to);
    expect(&to, 0, from.of, t->count, t->rank, 0, t->count);
    check_side(t, &to, "what was read");
  }
  free_side(&from);
  free_side(&to);
  free_side(&part);
}

static void on_comm(MPI_Comm comm) {
  char name[64];
  snprintf(name, sizeof name, "layout_files.%d", (int)getpid()); /* a number of the rank's and the job's */
  MPI_Bcast(name, sizeof name, MPI_CHAR, 0, comm);
  CHECK(MPI_File_open(comm, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                      &file) == MPI_SUCCESS,
        "cannot open %s", name);
  for_each_case(comm, one_case);
  MPI_File_close(&file);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  for_some_comms(on_comm);
  return finish("layout_files");
}
