/* SPDX-License-Identifier: Apache-2.0
 * `misuse CASE`: a program of 4 ranks with one mistake, or `nothing`, for --check to report. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static int rank;
static const char* wanted;
static int is(const char* name) { return strcmp(wanted, name) == 0; }

static void messages(MPI_Comm comm) {
  int numbers[8] = {0};
  double reals[4] = {0};
  if (is("types") && rank == 0) MPI_Send(reals, 2, MPI_DOUBLE, 1, 5, comm);
  if (is("types") && rank == 1) MPI_Recv(numbers, 8, MPI_INT, 0, 5, comm, MPI_STATUS_IGNORE);
  if (is("buffered") && rank == 0) {
    MPI_Buffer_attach(malloc(4096), 4096);
    MPI_Bsend(reals, 2, MPI_DOUBLE, 1, 5, comm);
  }
  if (is("buffered") && rank == 1) MPI_Recv(numbers, 8, MPI_INT, 0, 5, comm, MPI_STATUS_IGNORE);
  if (is("large") && rank < 2) {  // fetched by its receiver
    double* const many = calloc(1 << 16, sizeof *many);
    if (rank == 0) MPI_Ssend(many, 1 << 16, MPI_DOUBLE, 1, 5, comm);
    if (rank == 1) MPI_Recv(many, 1 << 16, MPI_LONG, 0, 5, comm, MPI_STATUS_IGNORE);
    free(many);
  }
  if (is("derived") && rank < 2) {
    const int lengths[] = {1, 1};
    const MPI_Aint places[] = {0, 8};
    const MPI_Datatype one[] = {MPI_INT, MPI_DOUBLE}, other[] = {MPI_INT, MPI_LONG};
    MPI_Datatype type;
    MPI_Request request;
    MPI_Type_create_struct(2, lengths, places, rank == 0 ? one : other, &type);
    MPI_Type_commit(&type);
    if (rank == 0)
      MPI_Isend(reals, 2, type, 1, 5, comm, &request);
    else
      MPI_Irecv(reals, 2, type, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Type_free(&type);
  }
  if (is("exchange") && rank < 2)
    MPI_Sendrecv_replace(reals, 1, rank == 0 ? MPI_DOUBLE : MPI_LONG, 1 - rank, 5, 1 - rank, 5, comm,
                         MPI_STATUS_IGNORE);
  if (is("partitioned") && rank < 2) {
    MPI_Request request;
    if (rank == 0)
      MPI_Psend_init(reals, 2, 1, MPI_DOUBLE, 1, 5, comm, MPI_INFO_NULL, &request);
    else
      MPI_Precv_init(numbers, 2, 2, MPI_INT, 0, 5, comm, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    if (rank == 0) MPI_Pready_range(0, 1, request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
  }
  for (int i = 0; i < 10 && is("everywhere"); ++i)  // ten of each rank, with different numbers
    MPI_Sendrecv(reals, 1, MPI_DOUBLE, (rank + 1) % 4, i, numbers, 2, MPI_INT, (rank + 3) % 4, i, comm,
                 MPI_STATUS_IGNORE);
  if (is("truncated") && rank == 0) MPI_Send(numbers, 8, MPI_INT, 1, 5, comm);
  if (is("truncated") && rank == 1) {
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Recv(numbers, 6, MPI_INT, 0, 5, comm, MPI_STATUS_IGNORE);
  }
}

static void collectives(MPI_Comm comm) {
  int number = 0, sums[4] = {0};
  float real = 0;
  if (is("root")) MPI_Bcast(&number, 1, MPI_INT, rank == 2, comm);
  if (is("operation")) MPI_Allreduce(&number, sums, 1, MPI_INT, rank == 2 ? MPI_MAX : MPI_SUM, comm);
  if (is("count")) MPI_Bcast(sums, rank == 2 ? 2 : 3, MPI_INT, 0, comm);
  if (is("signature")) {
    if (rank == 2)
      MPI_Bcast(&real, 1, MPI_FLOAT, 0, comm);
    else
      MPI_Bcast(&number, 1, MPI_INT, 0, comm);
  }
  if (is("pieces")) {  // only the two ranks concerned can compare
    const int counts[] = {1, 1, 1, 1}, starts[] = {0, 1, 2, 3};
    MPI_Gatherv(rank == 2 ? (void*)&real : (void*)&number, 1, rank == 2 ? MPI_FLOAT : MPI_INT, sums, counts,
                starts, MPI_INT, 0, comm);
  }
}

static void one_sided(MPI_Comm comm) {
  double memory = 0;
  const float real = 0;
  MPI_Win window;
  MPI_Win_create(&memory, 8, 1, MPI_INFO_NULL, comm, &window);
  MPI_Win_fence(0, window);
  if (is("put") && rank == 0) MPI_Put(&real, 1, MPI_FLOAT, 1, 0, 1, MPI_INT, window);
  if (is("fence") && rank == 2)
    MPI_Win_free(&window);
  else
    MPI_Win_fence(0, window);
  if (window != MPI_WIN_NULL) MPI_Win_free(&window);
}

/* Code of the program that runs within a function of MPI: later reports still name that function. */
static int barrier_at_end(MPI_Comm comm, int keyval, void* value, void* extra) {
  (void)comm, (void)keyval, (void)value, (void)extra;
  return MPI_Barrier(MPI_COMM_WORLD);
}
static int barrier_at_copy(MPI_Comm comm, int keyval, void* extra, void* value, void* copy, int* copied) {
  (void)comm, (void)keyval, (void)extra, (void)value, (void)copy;
  *copied = 0;
  return MPI_Barrier(MPI_COMM_WORLD);
}
static void callbacks(void) {
  MPI_Comm twin;
  int keyval;
  if (is("finalize")) {
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, barrier_at_end, &keyval, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, keyval, NULL);
  }
  if (is("copied")) {
    MPI_Comm_create_keyval(barrier_at_copy, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
    MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, NULL);
    MPI_Comm_dup(MPI_COMM_WORLD, &twin);
  }
}

static void leaves(void) {
  static int number;
  MPI_Request request;
  if (is("request") && rank == 3) MPI_Irecv(&number, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, &request);
  if (is("sent") && rank == 3) MPI_Isend(&number, 1, MPI_INT, 3, 7, MPI_COMM_WORLD, &request);
  if (is("persistent") && rank == 3) MPI_Send_init(&number, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, &request);
  if (is("datatype") && rank == 3) {
    MPI_Datatype types[3];
    for (int i = 0; i < 2; ++i) MPI_Type_contiguous(3, MPI_INT, &types[i]);
    MPI_Type_vector(1, 2, 3, MPI_INT, &types[2]);
    MPI_Type_set_name(types[2], "column");
  }
  if (is("communicator")) {
    MPI_Comm comm;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &comm);
    MPI_Comm_set_name(comm, rank % 2 ? "odd" : "even");
  }
  if (is("window")) {
    MPI_Win window;
    MPI_Win_create(&number, 4, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  }
  if (is("file")) {
    MPI_File file;
    MPI_File_open(MPI_COMM_SELF, "/dev/null", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  }
  callbacks();
  if ((is("group") || is("finalize")) && rank == 3) {
    MPI_Group group;
    MPI_Comm_group(MPI_COMM_WORLD, &group);
  }
}

int main(int argc, char** argv) {
  MPI_Comm comm;
  wanted = argc > 1 ? argv[1] : "nothing";
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_name(comm, "halo");
  messages(comm);
  collectives(comm);
  if (is("put") || is("fence")) one_sided(comm);
  MPI_Comm_free(&comm);
  leaves();
  MPI_Finalize();
  return 0;
}
